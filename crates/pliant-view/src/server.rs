//! [`Server`]: a simulation at an address of this machine.
//!
//! It listens on 127.0.0.1 only. Its address contains a secret of 128 bits; requests must name this address
//! as their host, and commands must come from its own page: another page of the browser, or a name that leads
//! here, gets nothing. It has no files: what is served is made here.

mod file_watch;
mod talk;

use std::fmt::Write as _;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pliant_render::Size;
use pliant_solver::{Float, Simulation};
use serde_json::{Value, json};

use crate::command::Command;
use crate::drawn::Drawn;
use crate::exhibit::Exhibit;
use crate::hub::Hub;
use crate::page;
use crate::problem::Problem;
use crate::refusal::Refusal;
use crate::save;
use crate::show::Show;
use file_watch::FileWatch;
use talk::{Asked, Talk};

/// How long the loop sleeps if nothing happens: files are looked at, and pages that come are noticed.
const REST: Duration = Duration::from_millis(50);
/// Size of the picture for browsers that do not run the scripts of the page.
const STILL: [u32; 2] = [960, 640];

/// Ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends it, soon.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// An address of this machine at which a simulation, or a page, can be seen.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    secret: String,
    stop: Stop,
    watched: Option<PathBuf>,
    saved: Option<PathBuf>,
}

impl Server {
    /// Takes a port, or any free one for 0.
    ///
    /// # Errors
    ///
    /// If the port is taken, or the system has no random numbers.
    pub fn bind(port: u16) -> io::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let mut secret = String::with_capacity(32);
        for byte in bytes {
            let _ = write!(secret, "{byte:02x}");
        }
        Self::at(port, secret)
    }

    /// Takes the [address](Self::address) that another server had, so that pages that are still open find this
    /// one.
    ///
    /// # Errors
    ///
    /// If it is no such address, or its port is taken.
    pub fn again(address: &str) -> io::Result<Self> {
        let parts = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split_once('/'));
        let port = parts.and_then(|(port, _)| port.parse().ok()).filter(|port| *port > 0);
        let secret = parts.map(|(_, secret)| secret.trim_end_matches('/'));
        let is_secret = |s: &&str| s.len() == 32 && s.bytes().all(|b| b.is_ascii_hexdigit());
        match (port, secret.filter(is_secret)) {
            (Some(port), Some(secret)) => Self::at(port, secret.to_owned()),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is no address of a view: expected http://127.0.0.1:PORT/ and 32 hexadecimal digits, as a view has printed it",
            )),
        }
    }

    fn at(port: u16, secret: String) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let stop = Stop(Arc::default());
        Ok(Self { listener, port, secret, stop, watched: None, saved: None })
    }

    /// Takes what is shown from this file again whenever it changes.
    #[must_use]
    pub fn watching(mut self, scene: impl Into<PathBuf>) -> Self {
        self.watched = Some(scene.into());
        self
    }

    /// Lets pages write the scene as changed to new files beside this one.
    #[must_use]
    pub fn saving_beside(mut self, scene: impl Into<PathBuf>) -> Self {
        self.saved = Some(scene.into());
        self
    }

    /// The address to be opened in a browser. Whoever has it may watch, so it is for this user only.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.secret)
    }

    /// Ends when this flag is raised too, which a handler of signals may do.
    #[must_use]
    pub fn ending_with(mut self, flag: Arc<AtomicBool>) -> Self {
        self.stop = Stop(flag);
        self
    }

    /// Ends the server from another thread.
    #[must_use]
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// Shows a simulation, or a skin, until it is [stopped](Self::stopper). It runs while a page is open. A recording is
    /// then still to be [ended](Show::end_recording).
    ///
    /// # Errors
    ///
    /// If connections cannot be accepted for a minute.
    pub fn run(&self, exhibit: &mut dyn Exhibit) -> io::Result<()> {
        self.serve(Some(exhibit), &page::served("Pliant"))
    }

    /// Shows a page that is complete in itself until it is [stopped](Self::stopper).
    ///
    /// # Errors
    ///
    /// If connections cannot be accepted for a minute.
    pub fn run_page(&self, page: &str) -> io::Result<()> {
        self.serve(None, page)
    }

    fn serve(&self, show: Option<&mut dyn Exhibit>, page: &str) -> io::Result<()> {
        let (hub, (asks, asked)) = (Hub::default(), channel());
        let (port, secret, is_live) = (self.port, self.secret.as_str(), show.is_some());
        let talk = Talk { port, secret, page, is_live, hub: &hub, drawing: Mutex::default() };
        std::thread::scope(|scope| {
            let accepting = scope.spawn(|| talk.accept(&self.listener, &self.stop.0, scope, &asks));
            {
                let _farewell = Farewell { server: self, hub: &hub };
                match show {
                    Some(show) => {
                        self.work(show, &hub, &asked);
                        show.let_go();
                    }
                    None => {
                        while !self.is_stopped() {
                            std::thread::sleep(REST);
                        }
                    }
                }
            }
            accepting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.0.load(Ordering::Acquire)
    }

    /// Steps, answers and reloads, until it is stopped.
    fn work(&self, show: &mut dyn Exhibit, hub: &Hub, asked: &Receiver<Asked>) {
        let mut watch = self.watched.clone().map(FileWatch::new);
        let (mut staged, mut fresh, mut due) = (0, true, Instant::now());
        while !self.is_stopped() {
            if staged != show.version() {
                staged = show.version();
                hub.put_stage(staged, show.stage().to_string().into_bytes());
                fresh = true;
            }
            if fresh && hub.is_awaited() {
                hub.put_frame(show.frame());
                fresh = false;
            }
            let runs = show.is_playing() && hub.pages() > 0;
            let now = Instant::now();
            let rest = if runs { due.saturating_duration_since(now).min(REST) } else { REST };
            let next = if rest.is_zero() {
                asked.try_recv().map_err(|_| RecvTimeoutError::Timeout)
            } else {
                asked.recv_timeout(rest)
            };
            // A page that has left does not hear the answer.
            match next {
                Ok(Asked::Command(command, answer)) => {
                    let done = self.obey(show, &command);
                    let _ = answer.send(done);
                    fresh = true;
                    continue;
                }
                Ok(Asked::Still(answer)) => {
                    let size = Size::new(STILL[0], STILL[1]);
                    let _ = answer.send(size.and_then(|size| show.still(size)));
                    continue;
                }
                Err(_) => {}
            }
            if watch.as_mut().is_some_and(FileWatch::has_changed) {
                self.reload(show);
                fresh = true;
            }
            if runs && Instant::now() >= due {
                // What went wrong is on the page.
                let _ = show.step();
                fresh = true;
                // A simulation that is slower than it should be does not hurry afterwards.
                due = (due + Duration::from_secs_f64(show.pace())).max(Instant::now() - REST);
            } else if !runs {
                due = Instant::now();
            }
        }
    }

    fn obey(&self, show: &mut dyn Exhibit, command: &Command) -> Result<Value, Refusal> {
        let Command::Save = command else { return show.act(command) };
        let (Some(beside), Some(text)) = (&self.saved, show.text()) else { return show.act(command) };
        let path = save::beside(beside, &text).map_err(|error| {
            let folder = beside.parent().unwrap_or(beside).display();
            Refusal::new(format!("the file as changed cannot be written to {folder}: {error}"))
        })?;
        Ok(json!({ "path": path.display().to_string() }))
    }

    fn reload(&self, show: &mut dyn Exhibit) {
        let Some(path) = &self.watched else { return };
        if let Err(error) = show.reload(path) {
            show.complain(Problem::from(&error));
        }
    }
}

/// Ends all conversations and the thread that accepts them, which are waited for: also when what is shown panics.
struct Farewell<'a> {
    server: &'a Server,
    hub: &'a Hub,
}

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        self.hub.close();
        self.server.stop.stop();
        // The thread that accepts waits for a connection: here is one.
        let _ = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, self.server.port)));
    }
}

/// Shows a simulation that a program has built in a browser: calls `open` with the address, and runs until the
/// [`Stop`] that it gets is used. The bodies say what is drawn; `dt` is the time of a frame, s.
///
/// ```
/// use pliant_io::Mesh;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Simulation};
/// use pliant_view::{Drawn, serve};
///
/// let mesh = TriMesh::grid([21, 21], [1.0, 1.0])?;
/// let cloth = Body::cloth(mesh.clone()).name("cloth").pin_vertices([0, 20]);
/// let mut sim = Simulation::builder().body(cloth).build()?;
/// let cloth = Drawn::new("cloth", 0..sim.len(), Mesh::Tri(mesh));
/// serve(&mut sim, vec![cloth], 1.0 / 60.0, |address, stop| {
///     println!("{address}"); // to be opened in a browser
///     stop.stop(); // here at once; else from another thread, or never
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If no port is free.
pub fn serve<T: Float>(
    simulation: &mut Simulation<T>,
    bodies: Vec<Drawn>,
    dt: f64,
    open: impl FnOnce(&str, Stop),
) -> io::Result<()> {
    let server = Server::bind(0)?;
    open(&server.address(), server.stopper());
    server.run(&mut Show::of(simulation, bodies, dt))
}

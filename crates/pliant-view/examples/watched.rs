//! What watching costs a simulation: frames of a block of 511 104 tetrahedra without a page, with a page that reads and with one that
//! hardly reads, in turns: `RAYON_NUM_THREADS=1 cargo run --release -p pliant-view --example watched`.
//!
//! It counts the processor time of the thread that simulates, so that other work on the machine matters little; where the system does
//! not say what a thread has used, it is the time of the wall.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pliant_scene::{Built, Scene};
use pliant_view::{Command, Drawn, Server, Show, Stop};

const CELLS: u32 = 44;
const ROUNDS: usize = 12;
/// How long a turn is.
const TURN: Duration = Duration::from_secs(4);
const DT: f64 = 1.0 / 60.0;
/// How much a page that hardly reads takes before it rests, bytes; and how long it rests.
const SIP: usize = 1 << 10;
const REST: Duration = Duration::from_millis(100);

#[derive(Clone, Copy)]
enum Watcher {
    /// The solver by itself.
    Nobody,
    Reads,
    HardlyReads,
}

const WATCHERS: [(Watcher, &str); 3] = [
    (Watcher::Nobody, "no page"),
    (Watcher::Reads, "a page that reads"),
    (Watcher::HardlyReads, "a page that hardly reads"),
];

/// The unit cube in Kuhn cells, hung by its top.
fn block(cells: u32) -> String {
    format!(
        "precision = \"f32\"\n[solver]\nsubsteps = 10\n[[body]]\nmesh = {{ block = {{ cells = [{cells}, {cells}, {cells}], size = [1, 1, 1] }} }}\n\
         edges = \"rigid\"\nvolumes = \"rigid\"\npin = [{{ half_space = {{ point = [0, 0.499, 0], normal = [0, 1, 0] }} }}]\n"
    )
}

/// Processor time of this thread, or the time since the start.
fn used(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let own = told.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    own.unwrap_or_else(|| start.elapsed())
}

/// A page that takes what it is sent until the connection ends; returns the number of bytes.
fn look(address: &str, watcher: Watcher) -> io::Result<usize> {
    let rest = address.strip_prefix("http://").unwrap_or(address);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET {path}frames HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
    let (mut room, mut bytes, begun) = (vec![0; 1 << 20], 0, Instant::now());
    loop {
        let length = match watcher {
            Watcher::HardlyReads if begun.elapsed() < TURN => stream.read(&mut room[..SIP])?,
            _ => stream.read(&mut room)?,
        };
        if length == 0 {
            return Ok(bytes);
        }
        bytes += length;
        if matches!(watcher, Watcher::HardlyReads) && begun.elapsed() < TURN {
            std::thread::sleep(REST);
        }
    }
}

/// Serves a simulation for a turn, or, without a watcher, only as long as it takes to begin; returns what the thread has used, and what
/// was read.
fn serve(
    built: &mut Built<f32>,
    watcher: Option<Watcher>,
    start: Instant,
) -> Result<(Duration, usize), Box<dyn Error>> {
    let bodies = built.bodies.iter().map(Drawn::from).collect();
    let mut show = Show::of(&mut built.simulation, bodies, DT);
    show.act(&Command::Speed { value: 0.0 })?;
    let server = Server::bind(0)?;
    let (address, stop): (String, Stop) = (server.address(), server.stopper());
    std::thread::scope(|scope| {
        let looking = watcher.map(|watcher| scope.spawn(move || look(&address, watcher)));
        scope.spawn(move || {
            if watcher.is_some() {
                std::thread::sleep(TURN);
            }
            stop.stop();
        });
        let before = used(start);
        server.run(&mut show)?;
        let own = used(start).saturating_sub(before);
        // A page that is left in the middle of a message is no error here.
        let bytes = looking.and_then(|looking| looking.join().ok()?.ok()).unwrap_or(0);
        Ok((own, bytes))
    })
}

/// Milliseconds of the thread and of the wall for a frame, frames, and bytes that were read.
fn turn(built: &mut Built<f32>, watcher: Watcher) -> Result<[f64; 4], Box<dyn Error>> {
    let start = Instant::now();
    // A server draws a picture before its first frame, which is no part of the frames.
    let (beginning, _) = serve(built, None, start)?;
    let (first, begun) = (built.simulation.frame(), Instant::now());
    let (own, bytes) = if let Watcher::Nobody = watcher {
        let before = used(start);
        while begun.elapsed() < TURN {
            built.simulation.advance(DT)?;
        }
        (used(start).saturating_sub(before), 0)
    } else {
        let (own, bytes) = serve(built, Some(watcher), start)?;
        (own.saturating_sub(beginning), bytes)
    };
    let frames = (built.simulation.frame() - first).max(1) as f64;
    let ms = |time: Duration| 1e3 * time.as_secs_f64() / frames;
    Ok([ms(own), ms(begun.elapsed()), frames, bytes as f64])
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let cells = std::env::args().nth(1).map_or(Ok(CELLS), |cells| cells.parse())?;
    let mut built = Scene::parse(&block(cells), ".")?.build::<f32>()?;
    println!("{} tetrahedra, median of {ROUNDS} turns of {} s", 6 * cells.pow(3), TURN.as_secs());
    let mut all = [const { Vec::new() }; WATCHERS.len()];
    // The first frames find the memory cold.
    turn(&mut built, Watcher::Nobody)?;
    for round in 0..ROUNDS {
        for k in 0..WATCHERS.len() {
            let k = (k + round) % WATCHERS.len();
            all[k].push(turn(&mut built, WATCHERS[k].0)?);
        }
    }
    let column = |k: usize, number: usize| median(all[k].iter().map(|turn| turn[number]).collect());
    let least = |k: usize| all[k].iter().map(|turn| turn[0]).fold(f64::INFINITY, f64::min);
    for (k, (_, name)) in WATCHERS.iter().enumerate() {
        // Neighbouring turns are compared, because the machine changes.
        let ratios = all[k].iter().zip(&all[0]).map(|(turn, alone)| turn[0] / alone[0]).collect();
        println!(
            "{name:24} {:7.2} ms of the thread a frame, {:.3} of that without a page (least turns {:.3}); {:7.2} ms of the wall; {:.0} frames, {:.1} MB read",
            column(k, 0),
            median(ratios),
            least(k) / least(0),
            column(k, 1),
            column(k, 2),
            column(k, 3) / 1e6
        );
    }
    Ok(())
}

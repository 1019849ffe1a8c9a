//! [`Talk`]: what connections are answered.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use pliant_render::RenderError;
use serde_json::{Value, json};

use crate::command::Command;
use crate::http::{self, Request};
use crate::hub::Hub;
use crate::problem::Problem;
use crate::refusal::Refusal;
use crate::still::Still;

/// The most connections at a time.
const MOST: usize = 64;
/// How long a page that reads nothing keeps its seat.
const SLOW: Duration = Duration::from_secs(30);
/// How long an answer to a command may take: a frame may be long.
const ANSWER: Duration = Duration::from_secs(60);

/// How connections that cannot be accepted are borne: a program may be out of files for a while.
#[derive(Debug, Default)]
struct Patience {
    failures: u32,
}

impl Patience {
    /// Failures in a row until it is at its end: about a minute.
    const MOST: u32 = 66;
    const LONGEST: Duration = Duration::from_secs(1);

    /// How long to wait before the next try, longer each time; `None` at its end.
    fn wait(&mut self, error: io::ErrorKind) -> Option<Duration> {
        // A connection that ended before it was accepted.
        if matches!(error, io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) {
            return Some(Duration::ZERO);
        }
        self.failures += 1;
        let wait = Duration::from_millis(10 << self.failures.min(10));
        (self.failures < Self::MOST).then_some(wait.min(Self::LONGEST))
    }
}

/// What the thread of the simulation is asked, and where its answer goes.
pub(super) enum Asked {
    /// A command of a page.
    Command(Command, SyncSender<Result<Value, Refusal>>),
    /// What a picture of the present state shows.
    Still(SyncSender<Result<Still, RenderError>>),
}

/// What connections are answered.
pub(super) struct Talk<'s> {
    pub(super) port: u16,
    pub(super) secret: &'s str,
    pub(super) page: &'s str,
    /// Whether there is a simulation behind the page.
    pub(super) is_live: bool,
    pub(super) hub: &'s Hub,
    /// Held while a picture is drawn: one at a time.
    pub(super) drawing: Mutex<()>,
}

impl Talk<'_> {
    /// Accepts connections until `stop`, each in a thread of its own.
    pub(super) fn accept<'scope>(
        &'scope self,
        listener: &TcpListener,
        stop: &AtomicBool,
        scope: &'scope Scope<'scope, '_>,
        asks: &Sender<Asked>,
    ) -> io::Result<()> {
        let open = std::sync::Arc::new(AtomicUsize::new(0));
        let mut patience = Patience::default();
        loop {
            let accepted = listener.accept();
            if stop.load(Ordering::Acquire) {
                return Ok(());
            }
            let mut stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    let Some(wait) = patience.wait(error.kind()) else {
                        // Nobody could reach what goes on: it ends, and says why.
                        stop.store(true, Ordering::Release);
                        let what = format!("connections of pages cannot be accepted any more: {error}");
                        return Err(io::Error::new(error.kind(), what));
                    };
                    std::thread::sleep(wait);
                    continue;
                }
            };
            patience = Patience::default();
            if open.load(Ordering::Relaxed) >= MOST {
                continue;
            }
            open.fetch_add(1, Ordering::Relaxed);
            let (open, asks) = (std::sync::Arc::clone(&open), asks.clone());
            scope.spawn(move || {
                // A connection that breaks concerns nobody else.
                let _ = self.answer(&mut stream, &asks);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }

    fn answer(&self, stream: &mut TcpStream, asks: &Sender<Asked>) -> io::Result<()> {
        let Some(request) = Request::read(stream)? else {
            return plain(stream, "400 Bad Request", "this is no request that a page makes\n");
        };
        if !self.is_host(request.header("host")) {
            return plain(stream, "403 Forbidden", "this address is not served under that name\n");
        }
        let inside = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let Some(what) = inside.filter(|(secret, _)| self.is_secret(secret)).map(|(_, what)| what) else {
            return plain(stream, "404 Not Found", "there is nothing here\n");
        };
        match (request.method.as_str(), what) {
            ("GET", "") => http::answer(stream, "200 OK", "text/html; charset=utf-8", self.page.as_bytes()),
            ("GET", "still.png") if self.is_live => self.still(stream, asks),
            ("GET", "frames") if self.is_live => self.stream(stream),
            ("POST", "do") if self.is_live => self.command(stream, &request, asks),
            _ => plain(stream, "404 Not Found", "there is nothing here\n"),
        }
    }

    /// Whether a request names this address, and not another name that leads here.
    fn is_host(&self, host: Option<&str>) -> bool {
        let named = |name: &str| host == Some(&format!("{name}:{}", self.port));
        named("127.0.0.1") || named("localhost")
    }

    /// Compares all bytes, whichever differ.
    fn is_secret(&self, told: &str) -> bool {
        let differ = told.bytes().zip(self.secret.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
        told.len() == self.secret.len() && differ == 0
    }

    /// Sends stages and frames until the page leaves.
    fn stream(&self, stream: &mut TcpStream) -> io::Result<()> {
        http::begin(stream, SLOW)?;
        let mut seat = self.hub.enter();
        while let Some((kind, message)) = seat.next() {
            let mut head = (kind as u32).to_le_bytes().to_vec();
            head.extend(u32::try_from(message.len()).unwrap_or(u32::MAX).to_le_bytes());
            stream.write_all(&head)?;
            stream.write_all(&message)?;
        }
        Ok(())
    }

    /// Sends a picture of the present state, for browsers that do not run the scripts of the page. It is drawn here, while
    /// the simulation goes on.
    fn still(&self, stream: &mut TcpStream, asks: &Sender<Asked>) -> io::Result<()> {
        let _one = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        let (answer, answered) = sync_channel(1);
        let asked = asks.send(Asked::Still(answer)).ok().and_then(|()| answered.recv_timeout(ANSWER).ok());
        match asked.map(|still| still?.draw()?.to_png()) {
            Some(Ok(png)) => http::answer(stream, "200 OK", "image/png", &png),
            _ => plain(stream, "503 Service Unavailable", "there is no picture\n"),
        }
    }

    /// Hands a command on, if it comes from the page that has the controls.
    fn command(&self, stream: &mut TcpStream, request: &Request, asks: &Sender<Asked>) -> io::Result<()> {
        let origin = request.header("origin").and_then(|origin| origin.strip_prefix("http://"));
        let is_own = self.is_host(origin) && origin == request.header("host");
        if !is_own || request.header("content-type") != Some("application/json") {
            return plain(stream, "403 Forbidden", "commands come from the page of this address only\n");
        }
        let page = request.header("pliant-page").and_then(|page| page.parse().ok()).unwrap_or(0);
        if request.body == br#"{"do":"take"}"# {
            let taken = self.hub.hand_over(page);
            let status = if taken { "200 OK" } else { "409 Conflict" };
            return http::answer(stream, status, "application/json", b"null");
        }
        if !self.hub.has_controls(page) {
            return problem(stream, "409 Conflict", &Problem::new("another page has the controls"));
        }
        let command: Command = match serde_json::from_slice(&request.body) {
            Ok(command) => command,
            Err(error) => return problem(stream, "400 Bad Request", &Problem::new(error.to_string())),
        };
        let (answer, answered) = sync_channel(1);
        let late = || Problem::new("the simulation does not answer");
        if asks.send(Asked::Command(command, answer)).is_err() {
            return problem(stream, "503 Service Unavailable", &late());
        }
        match answered.recv_timeout(ANSWER) {
            Ok(Ok(value)) => http::answer(stream, "200 OK", "application/json", value.to_string().as_bytes()),
            Ok(Err(refusal)) => problem(stream, "422 Unprocessable Content", &refusal.0),
            Err(_) => problem(stream, "503 Service Unavailable", &late()),
        }
    }
}

fn plain(stream: &mut TcpStream, status: &str, text: &str) -> io::Result<()> {
    http::answer(stream, status, "text/plain; charset=utf-8", text.as_bytes())
}

fn problem(stream: &mut TcpStream, status: &str, problem: &Problem) -> io::Result<()> {
    http::answer(stream, status, "application/json", json!({ "problem": problem }).to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_that_fail_are_tried_again_less_and_less_often_for_a_minute() {
        let mut patience = Patience::default();
        assert_eq!(patience.wait(io::ErrorKind::ConnectionAborted), Some(Duration::ZERO));
        let waits: Vec<Duration> = std::iter::from_fn(|| patience.wait(io::ErrorKind::Other)).collect();
        assert_eq!(waits[0], Duration::from_millis(20));
        assert!(waits.is_sorted() && waits.last() == Some(&Duration::from_secs(1)));
        let whole = waits.iter().sum::<Duration>().as_secs();
        assert!((50..70).contains(&whole), "{whole} s");
    }
}

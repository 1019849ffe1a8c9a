//! What a browser does, by hand: requests, and the messages of the stream.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use pliant_view::FrameMessage;
use serde_json::Value;

/// Long enough for machines that run tests; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

/// The parts of an address: host with port, and path.
pub(crate) fn parts(address: &str) -> (&str, &str) {
    let rest = address.strip_prefix("http://").unwrap();
    rest.split_at(rest.find('/').unwrap())
}

pub(crate) fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(parts(address).0).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request as it is, and returns status and body.
pub(crate) fn raw(address: &str, request: &str) -> (u16, String) {
    let (status, body) = raw_bytes(address, request);
    (status, String::from_utf8(body).unwrap())
}

/// The same, where the body need not be text.
pub(crate) fn raw_bytes(address: &str, request: &str) -> (u16, Vec<u8>) {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), answer.split_off(end))
}

pub(crate) fn get(address: &str, path: &str, host: &str) -> (u16, String) {
    raw(address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
}

/// Sends a command as the page would, with other headers if a test says so.
pub(crate) fn post(address: &str, page: u64, origin: &str, command: &str) -> (u16, String) {
    let (host, path) = parts(address);
    let length = command.len();
    raw(
        address,
        &format!(
            "POST {path}do HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nContent-Type: application/json\r\n\
             Pliant-Page: {page}\r\nContent-Length: {length}\r\n\r\n{command}"
        ),
    )
}

/// A page that listens.
pub(crate) struct Page {
    address: String,
    stream: TcpStream,
    pub(crate) number: u64,
    pub(crate) controls: bool,
    pub(crate) stage: Value,
}

impl Page {
    /// Opens the page: it has a seat and a stage then.
    pub(crate) fn open(address: &str) -> Self {
        let (host, path) = parts(address);
        let mut stream = connect(address);
        write!(stream, "GET {path}frames HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&head));
        let mut page =
            Self { address: address.to_owned(), stream, number: 0, controls: false, stage: Value::Null };
        while page.number == 0 || page.stage.is_null() {
            page.message();
        }
        page
    }

    /// Reads a message, and returns it if it is a frame.
    fn message(&mut self) -> Option<FrameMessage> {
        let mut head = [0; 8];
        self.stream.read_exact(&mut head).unwrap();
        let [kind, length] = [0, 4].map(|at| u32::from_le_bytes(head[at..at + 4].try_into().unwrap()));
        let mut body = vec![0; length as usize];
        self.stream.read_exact(&mut body).unwrap();
        match kind {
            0 => assert!(body.is_empty()),
            1 => self.stage = serde_json::from_slice(&body).unwrap(),
            2 => return Some(FrameMessage::read(&body).unwrap()),
            3 => {
                let seat: Value = serde_json::from_slice(&body).unwrap();
                self.number = seat["page"].as_u64().unwrap();
                self.controls = seat["controls"].as_bool().unwrap();
            }
            other => panic!("no message has the kind {other}"),
        }
        None
    }

    /// Reads until the server ends the conversation.
    pub(crate) fn read_to_the_end(mut self) {
        self.stream.read_to_end(&mut Vec::new()).unwrap();
    }

    pub(crate) fn frame(&mut self) -> FrameMessage {
        loop {
            if let Some(frame) = self.message() {
                return frame;
            }
        }
    }

    /// Reads on until something holds of the page and its last frame.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Self, &FrameMessage) -> bool) -> FrameMessage {
        let mut last: Option<FrameMessage> = None;
        let begun = Instant::now();
        loop {
            let heads = last.as_ref().map(|frame| &frame.head);
            assert!(
                begun.elapsed() < PATIENCE,
                "it never is; at last {heads:?} of {}",
                self.stage["problem"]
            );
            if let Some(frame) = last.as_ref().filter(|frame| wanted(self, frame)) {
                return frame.clone();
            }
            last = self.message().or(last);
        }
    }

    pub(crate) fn ask(&self, command: &str) -> (u16, String) {
        let host = parts(&self.address).0;
        post(&self.address, self.number, &format!("http://{host}"), command)
    }

    /// A command that is accepted; returns the answer.
    pub(crate) fn order(&self, command: &str) -> Value {
        let (status, body) = self.ask(command);
        assert_eq!(status, 200, "{command}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(crate) fn leave(self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

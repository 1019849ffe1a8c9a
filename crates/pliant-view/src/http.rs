//! As much of HTTP/1.1 as a page of this machine needs: one request a connection, answers that are not kept.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest head and the longest body of a request, bytes.
const HEAD: u64 = 16 << 10;
const BODY: usize = 2 << 20;
/// How long a request may take as a whole, and a piece of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request that was understood.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` if it is none, or too long.
    pub(crate) fn read(stream: &TcpStream) -> io::Result<Option<Self>> {
        stream.set_nodelay(true)?;
        let patient = Patient { stream, until: Instant::now() + PATIENCE };
        let mut reader = BufReader::new(patient.take(HEAD + BODY as u64));
        let mut request = Self::default();
        let mut first = String::new();
        let mut left = HEAD;
        let mut line = |reader: &mut BufReader<_>, text: &mut String| -> io::Result<bool> {
            text.clear();
            let length = Read::by_ref(reader).take(left).read_line(text)? as u64;
            left -= length;
            Ok(length > 0 && text.ends_with('\n'))
        };
        if !line(&mut reader, &mut first)? {
            return Ok(None);
        }
        let mut words = first.split_ascii_whitespace();
        let (Some(method), Some(path), Some("HTTP/1.1" | "HTTP/1.0"), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Ok(None);
        };
        (request.method, request.path) = (method.to_owned(), path.to_owned());
        let mut text = String::new();
        loop {
            if !line(&mut reader, &mut text)? {
                return Ok(None);
            }
            let header = text.trim_end_matches(['\r', '\n']);
            if header.is_empty() {
                break;
            }
            let Some((name, value)) = header.split_once(':') else { return Ok(None) };
            request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        if request.method == "POST" {
            let length = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
            let Some(length) = length.filter(|length| *length <= BODY) else { return Ok(None) };
            request.body.resize(length, 0);
            reader.read_exact(&mut request.body)?;
        }
        Ok(Some(request))
    }

    /// The value of a header that is given once; one that is repeated counts as absent.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let (_, value) = found.next()?;
        found.next().is_none().then_some(value)
    }
}

/// A connection that is read until a time: one that sends a little now and then takes no longer.
struct Patient<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

/// What every answer says: keep nothing, be no part of another page, name this address to nobody.
const ALWAYS: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nConnection: close\r\n";

/// Sends a whole answer.
pub(crate) fn answer(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{ALWAYS}\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// Begins an answer that lasts until the connection ends.
pub(crate) fn begin(stream: &mut TcpStream, patience: Duration) -> io::Result<()> {
    stream.set_write_timeout(Some(patience))?;
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n{ALWAYS}\r\n");
    stream.write_all(head.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    #[test]
    fn a_request_that_comes_byte_by_byte_takes_no_longer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut slow = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let dribble = std::thread::spawn(move || {
            while slow.write_all(b"G").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let patient = Patient { stream: &stream, until: Instant::now() + Duration::from_millis(100) };
        let error = BufReader::new(patient).read_line(&mut String::new()).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{error}");
        drop(stream);
        dribble.join().unwrap();
    }
}

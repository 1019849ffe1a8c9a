//! Lines, words and numbers of text formats, with line numbers for the errors.

use std::sync::Arc;

use crate::error::{ImportError, Place};
use crate::progress::Reading;
use crate::source::Source;

/// The lines of a byte string with their numbers from 1. `\n`, `\r\n` and a lone `\r` end a line.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
    /// Bytes of all lines, and the progress to report.
    total: usize,
    watching: Option<Arc<Reading>>,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, number: 0, total: bytes.len(), watching: Reading::watching() }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = match rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => rest,
        };
        if let Some(reading) = &self.watching {
            reading.set_understood((self.total - self.rest.len()) as u64);
        }
        Some((self.number, line))
    }
}

/// The lines that are neither blank nor comments, with their numbers; `#` begins a comment anywhere.
#[derive(Clone)]
pub(crate) struct DataLines<'a>(Lines<'a>);

impl<'a> DataLines<'a> {
    /// The lines of `bytes` that hold data.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(Lines::new(bytes))
    }
}

impl<'a> Iterator for DataLines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        self.0
            .by_ref()
            .map(|(number, line)| (number, line.split(|&b| b == b'#').next().unwrap_or_default()))
            .find(|(_, line)| !line.trim_ascii().is_empty())
    }
}

/// The words of a line, separated by spaces and tabs.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A number of the form Rust parses (`1`, `-.5`, `1e-3`, `nan`…), or none.
pub(crate) fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The next of `words` as a number; `what` names it in the error.
pub(crate) fn next_number<'a, T: std::str::FromStr>(
    source: &Source<'_>,
    line: usize,
    words: &mut impl Iterator<Item = &'a [u8]>,
    what: &str,
) -> Result<T, ImportError> {
    let word = words.next().unwrap_or_default();
    number(word).ok_or_else(|| source.parse_error(Place::Line(line), word, what))
}

/// The next of `words` as a finite coordinate.
pub(crate) fn next_coordinate<'a>(
    source: &Source<'_>,
    line: usize,
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<f64, ImportError> {
    let value: f64 = next_number(source, line, words, "a coordinate")?;
    if value.is_finite() { Ok(value) } else { Err(source.non_finite(Place::Line(line), value)) }
}

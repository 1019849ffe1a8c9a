//! [`Tokens`]: the words of a text format in which line ends mean nothing, with their lines.

use std::str::FromStr;

use crate::error::{ImportError, Place};
use crate::source::Source;
use crate::text::{DataLines, number, words};

/// The words of a file, `#` comments left out.
pub(crate) struct Tokens<'a> {
    source: Source<'a>,
    lines: DataLines<'a>,
    words: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// The words of the whole file.
    pub(crate) fn new(source: Source<'a>) -> Self {
        Self { source, lines: DataLines::new(source.bytes), words: Box::new(std::iter::empty()), line: 1 }
    }

    /// The next word; none at the end of the file.
    pub(crate) fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            let (line, text) = self.lines.next()?;
            self.line = line;
            self.words = Box::new(words(text));
        }
    }

    /// The line of the word read last.
    pub(crate) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// The next word as a number; `what` completes "expected …".
    pub(crate) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ImportError> {
        let word = self.next().ok_or_else(|| self.source.truncated(self.place(), what))?;
        number(word).ok_or_else(|| self.source.parse_error(self.place(), word, what))
    }

    /// The next word as a finite number.
    pub(crate) fn finite(&mut self, what: &str) -> Result<f64, ImportError> {
        let value: f64 = self.number(what)?;
        if value.is_finite() { Ok(value) } else { Err(self.source.non_finite(self.place(), value)) }
    }
}

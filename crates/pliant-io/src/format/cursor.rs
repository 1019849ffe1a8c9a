//! [`Cursor`]: words, numbers and raw bytes of a file, one after the other.
//!
//! Gmsh and VTK files mix lines of text with blocks of binary numbers, so one reader serves both. It never allocates.

use std::ops::Range;
use std::str::FromStr;

use crate::error::{ImportError, Place};
use crate::quote::clause;
use crate::source::Source;
use crate::text::number;

/// A position in a file.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    source: Source<'a>,
    pos: usize,
    end: usize,
    binary: bool,
}

impl<'a> Cursor<'a> {
    /// At the beginning of `range` of the file, which must lie in it; reads to the end of the range.
    pub(crate) fn within(source: Source<'a>, range: Range<usize>) -> Self {
        Self { source, pos: range.start, end: range.end, binary: false }
    }

    /// The file that is read.
    pub(crate) fn source(&self) -> Source<'a> {
        self.source
    }

    /// Byte offset of what is read next.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Goes to a byte offset, or to the end if that comes first.
    pub(crate) fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.end);
    }

    /// The unread part.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.source.bytes[self.pos..self.end]
    }

    /// From now on errors give places by byte and not by line, because the file has binary data.
    pub(crate) fn count_bytes(&mut self) {
        self.binary = true;
    }

    /// The place of byte `at` in errors: its line, or its offset in a file with binary data.
    pub(crate) fn place_of(&self, at: usize) -> Place {
        if self.binary { Place::Byte(at) } else { self.line_of(at) }
    }

    /// The line of byte `at`. Counted on demand, because only errors need it.
    pub(crate) fn line_of(&self, at: usize) -> Place {
        let bytes = self.source.bytes;
        let breaks = bytes[..at.min(bytes.len())]
            .iter()
            .enumerate()
            .filter(|&(i, &byte)| byte == b'\n' || (byte == b'\r' && bytes.get(i + 1) != Some(&b'\n')));
        Place::Line(breaks.count() + 1)
    }

    /// The error for `found` at byte `at` of a text.
    pub(crate) fn unexpected(&self, at: usize, found: &[u8], expected: impl Into<String>) -> ImportError {
        if found.is_empty() && at >= self.source.bytes.len() {
            return self.source.truncated(self.place_of(at), expected);
        }
        self.source.parse_error(self.place_of(at), found, expected)
    }

    /// Skips white space and line ends.
    pub(crate) fn skip_space(&mut self) {
        let rest = self.rest();
        self.pos += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
    }

    /// The next word on whatever line; empty at the end.
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = self.rest();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.pos += length;
        &rest[..length]
    }

    /// The next word on whatever line as a number; `what` completes "expected …".
    pub(crate) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ImportError> {
        let word = self.word();
        number(word).ok_or_else(|| self.unexpected(self.pos - word.len(), word, what))
    }

    /// The next word on whatever line as a finite number.
    pub(crate) fn finite(&mut self, what: &str) -> Result<f64, ImportError> {
        let value: f64 = self.number(what)?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.source.non_finite(self.place_of(self.pos), value))
        }
    }

    /// The rest of the line, without its end, which is skipped.
    pub(crate) fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len());
        self.pos += length;
        self.pass_line_end();
        &rest[..length]
    }

    /// Passes over one line end, if it comes next.
    pub(crate) fn pass_line_end(&mut self) {
        let length = match self.rest() {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        self.pos += length;
    }

    /// Demands that nothing more stands on the line, and goes to the next.
    pub(crate) fn end_of_line(&mut self, what: &str) -> Result<(), ImportError> {
        let start = self.pos;
        let left = self.line().trim_ascii();
        if left.is_empty() {
            Ok(())
        } else {
            Err(self.unexpected(start, left, format!("the end of the line after {what}")))
        }
    }

    /// The next `count` bytes.
    pub(crate) fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], ImportError> {
        let rest = self.rest();
        if count > rest.len() {
            return Err(self.source.truncated(
                Place::Byte(self.end),
                format!("{what}: {count} bytes from byte {} on, of which {} are there", self.pos, rest.len()),
            ));
        }
        self.pos += count;
        Ok(&rest[..count])
    }

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ImportError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }
}

/// The error for `found` in the file, described and not quoted.
pub(crate) fn found_other(
    source: &Source<'_>,
    place: Place,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> ImportError {
    let (found, expected) = (clause(found), clause(expected));
    ImportError::Parse { file: source.name.to_owned(), place, found, expected }
}

/// The offset just behind the first `needle` in `haystack`.
pub(crate) fn find_end(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(step) = haystack[from..].iter().position(|&byte| byte == first) {
        let at = from + step;
        if haystack[at..].starts_with(needle) {
            return Some(at + needle.len());
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::within(Source::of("a.vtk", bytes), 0..bytes.len())
    }

    #[test]
    fn words_numbers_and_lines_come_in_turn() {
        let mut cursor = cursor(b"POINTS 2\r\n 1.5\t-2e3\n\nrest of it\rlast");
        assert_eq!(cursor.word(), b"POINTS");
        assert_eq!(cursor.number::<usize>("a count").unwrap(), 2);
        cursor.end_of_line("the count").unwrap();
        assert_eq!(cursor.finite("x").unwrap(), 1.5);
        assert_eq!(cursor.finite("y").unwrap(), -2000.0);
        cursor.skip_space();
        assert_eq!(cursor.line(), b"rest of it");
        assert_eq!(cursor.place_of(cursor.pos()), Place::Line(5));
        assert_eq!(cursor.word(), b"last");
        assert_eq!(cursor.word(), b"");
        assert!(cursor.rest().is_empty());
    }

    #[test]
    fn errors_name_the_line_and_what_was_found() {
        let text = cursor(b"1\n2 x\n").clone();
        let mut first = text.clone();
        first.word();
        first.word();
        let error = first.number::<i32>("an index").unwrap_err().to_string();
        assert_eq!(error, "a.vtk, line 2: found \"x\", expected an index");
        assert!(first.number::<i32>("an index").unwrap_err().to_string().contains("the file ends here"));
        let mut second = text;
        second.seek(2);
        second.word();
        let error = second.end_of_line("the count").unwrap_err().to_string();
        assert_eq!(error, "a.vtk, line 2: found \"x\", expected the end of the line after the count");
    }

    #[test]
    fn bytes_are_counted() {
        let mut cursor = cursor(b"abcdef");
        assert_eq!(cursor.array::<2>("a pair").unwrap(), *b"ab");
        let error = cursor.take(5, "the points").unwrap_err().to_string();
        assert!(error.contains("byte 6") && error.contains("5 bytes from byte 2"), "{error}");
        assert_eq!(cursor.take(4, "the rest").unwrap(), b"cdef");
    }

    #[test]
    fn a_needle_is_found_behind_its_own_beginnings() {
        assert_eq!(find_end(b"$$End$EndNodes\n", b"$EndNodes"), Some(14));
        assert_eq!(find_end(b"$EndNode", b"$EndNodes"), None);
        assert_eq!(find_end(b"", b"$"), None);
    }
}

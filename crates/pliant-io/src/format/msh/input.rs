//! [`Input`]: the numbers of a section, text or binary.

use crate::error::ImportError;
use crate::format::cursor::Cursor;

/// How numbers are stored in a binary file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Binary {
    pub(super) big_endian: bool,
    /// Bytes of a `size_t`, which counts and tags are in version 4.1: 4 or 8.
    pub(super) size_bytes: usize,
}

/// Reads numbers one after the other.
pub(super) struct Input<'a> {
    pub(super) cursor: Cursor<'a>,
    /// None in text files.
    pub(super) binary: Option<Binary>,
}

impl<'a> Input<'a> {
    pub(super) fn new(cursor: Cursor<'a>) -> Self {
        Self { cursor, binary: None }
    }

    /// Byte offset of the next number, past white space in text.
    pub(super) fn here(&mut self) -> usize {
        if self.binary.is_none() {
            self.cursor.skip_space();
        }
        self.cursor.pos()
    }

    /// An `int`.
    pub(super) fn int(&mut self, what: &str) -> Result<i64, ImportError> {
        let Some(binary) = self.binary else { return self.cursor.number(what) };
        let bytes = self.cursor.array(what)?;
        Ok(i64::from(if binary.big_endian { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) }))
    }

    /// So many bytes of `int`s in a binary file; the first two are returned, 0 where there are fewer.
    pub(super) fn ints(&mut self, bytes: usize, what: &str) -> Result<[i64; 2], ImportError> {
        let big_endian = self.binary.is_some_and(|binary| binary.big_endian);
        let mut first = [0; 2];
        for (slot, bytes) in first.iter_mut().zip(self.cursor.take(bytes, what)?.as_chunks().0) {
            *slot =
                i64::from(if big_endian { i32::from_be_bytes(*bytes) } else { i32::from_le_bytes(*bytes) });
        }
        Ok(first)
    }

    /// A `size_t` of version 4.1.
    pub(super) fn size(&mut self, what: &str) -> Result<u64, ImportError> {
        match self.binary {
            None => self.cursor.number(what),
            Some(Binary { size_bytes: 4, big_endian }) => {
                let bytes = self.cursor.array(what)?;
                Ok(u64::from(if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }))
            }
            Some(_) => self.long(what),
        }
    }

    /// An `unsigned long` of version 4.0, which is 8 bytes whatever the data size says.
    pub(super) fn long(&mut self, what: &str) -> Result<u64, ImportError> {
        let Some(binary) = self.binary else { return self.cursor.number(what) };
        let bytes = self.cursor.array(what)?;
        Ok(if binary.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A finite coordinate.
    pub(super) fn coordinate(&mut self) -> Result<f64, ImportError> {
        let value = self.parameter()?;
        if value.is_finite() {
            return Ok(value);
        }
        let source = self.cursor.source();
        let at = if self.binary.is_some() { self.cursor.pos() - 8 } else { self.cursor.pos() };
        Err(source.non_finite(self.cursor.place_of(at), value))
    }

    /// A coordinate on a curve or surface, which is not used here and so may be anything.
    pub(super) fn parameter(&mut self) -> Result<f64, ImportError> {
        let what = "a coordinate";
        let Some(binary) = self.binary else { return self.cursor.number(what) };
        let bytes = self.cursor.array(what)?;
        Ok(if binary.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) })
    }

    /// In text, demands the end of the line.
    pub(super) fn end_of_line(&mut self, what: &str) -> Result<(), ImportError> {
        if self.binary.is_some() { Ok(()) } else { self.cursor.end_of_line(what) }
    }

    /// The number of nodes or elements that a header at `at` announces, if the rest of the file can hold as many of
    /// `text_words` words or `binary_bytes` bytes each. Nothing may be allocated for a number that was not checked.
    pub(super) fn count(
        &self,
        at: usize,
        count: u64,
        what: &str,
        text_words: usize,
        binary_bytes: usize,
    ) -> Result<usize, ImportError> {
        let left = self.cursor.rest().len();
        let each = if self.binary.is_some() { binary_bytes } else { 2 * text_words };
        // No separator need follow the last word of a text.
        let most = (left + usize::from(self.binary.is_none())) / each.max(1);
        usize::try_from(count).ok().filter(|&count| count <= most).ok_or_else(|| {
            let expected = format!("no more {what} than the {left} bytes left in the file can hold");
            let found = count.to_string();
            self.cursor.source().parse_error(self.cursor.place_of(at), found.as_bytes(), expected)
        })
    }

    /// The error for `found` at `at`.
    pub(super) fn unexpected(&self, at: usize, found: i64, expected: impl Into<String>) -> ImportError {
        self.cursor.source().parse_error(self.cursor.place_of(at), found.to_string().as_bytes(), expected)
    }
}

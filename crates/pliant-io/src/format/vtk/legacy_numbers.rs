//! [`Numbers`]: counts, number types and arrays of a legacy VTK file, text or binary.

use std::str::FromStr;

use crate::error::ImportError;
use crate::format::cursor::{Cursor, found_other};

use super::cell_list::Origin;
use super::scalar::Scalar;

/// A count, and where it stands for an error on its value.
pub(crate) type Count = (usize, usize);

/// A file that is being read.
pub(crate) struct Numbers<'a> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) binary: bool,
}

impl<'a> Numbers<'a> {
    /// The next word as a count.
    pub(crate) fn count(&mut self, what: &str) -> Result<Count, ImportError> {
        let count = self.cursor.number(what)?;
        // Where it stands, for an error on its value.
        Ok((count, self.cursor.pos()))
    }

    /// Demands that as many numbers can still follow. Nothing may be allocated before this check.
    pub(crate) fn room(&self, (count, at): Count, scalar: Scalar, what: &str) -> Result<(), ImportError> {
        let left = self.cursor.rest().len();
        // In text, a digit and a space each, but for the last.
        let most = if self.binary { left / scalar.width() } else { left.div_ceil(2) };
        if count <= most {
            return Ok(());
        }
        let found = format!("{count} {what}");
        let expected = format!("no more than the {left} bytes left in the file can hold");
        Err(found_other(&self.cursor.source(), self.cursor.place_of(at), found, expected))
    }

    /// A number type by name.
    pub(crate) fn scalar(&mut self) -> Result<Scalar, ImportError> {
        let word = self.cursor.word();
        Scalar::from_legacy(word).ok_or_else(|| {
            self.cursor.unexpected(
                self.cursor.pos() - word.len(),
                word,
                "a number type, such as float or double",
            )
        })
    }

    /// Where the numbers begin that follow a header line.
    pub(crate) fn begin(&mut self, scalar: Scalar, what: &str) -> Result<Origin<'a>, ImportError> {
        Ok(if self.binary {
            self.cursor.end_of_line(what)?;
            Origin::Bytes { start: self.cursor.pos(), width: scalar.width() }
        } else {
            Origin::Text(self.cursor.clone())
        })
    }

    /// Numbers of any type, whose room was checked.
    pub(crate) fn reals(
        &mut self,
        count: usize,
        scalar: Scalar,
        what: &str,
    ) -> Result<Vec<f64>, ImportError> {
        self.all(count, scalar, what, Scalar::real)
    }

    /// As [`reals`](Self::reals), for numbers that must be whole.
    pub(crate) fn integers(
        &mut self,
        count: usize,
        scalar: Scalar,
        what: &str,
    ) -> Result<Vec<i64>, ImportError> {
        self.all(count, scalar, what, Scalar::integer)
    }

    /// As many numbers: words of a text, or bytes as `number` reads them, with the most significant byte first.
    fn all<T: FromStr>(
        &mut self,
        count: usize,
        scalar: Scalar,
        what: &str,
        number: impl Fn(Scalar, &[u8], bool) -> T,
    ) -> Result<Vec<T>, ImportError> {
        if self.binary {
            let bytes = self.cursor.take(count.saturating_mul(scalar.width()), what)?;
            return Ok(bytes.chunks_exact(scalar.width()).map(|bytes| number(scalar, bytes, true)).collect());
        }
        (0..count).map(|_| self.cursor.number(what)).collect()
    }
}

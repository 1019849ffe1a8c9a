//! What a legacy VTK file may hold between the parts of a mesh: fields and metadata, which are passed over.

use crate::error::ImportError;

use super::legacy_numbers::Numbers;
use super::scalar::Scalar;

impl Numbers<'_> {
    /// Lines up to an empty one.
    pub(crate) fn metadata(&mut self) {
        self.cursor.line();
        while !self.cursor.rest().is_empty() && !self.cursor.line().trim_ascii().is_empty() {}
    }

    /// `FIELD name n` with `n` arrays, which belong to no point or cell.
    pub(crate) fn field(&mut self) -> Result<(), ImportError> {
        self.cursor.word();
        let (arrays, _) = self.count("the number of arrays of the field")?;
        for _ in 0..arrays {
            let mut name = self.cursor.word();
            if name.eq_ignore_ascii_case(b"METADATA") {
                // It belongs to the array before and is not counted.
                self.metadata();
                name = self.cursor.word();
            }
            if name.is_empty() {
                let end = self.cursor.pos();
                return Err(self.cursor.unexpected(end, b"", "another array of the field"));
            }
            if name == b"NULL_ARRAY" {
                continue;
            }
            let (components, at) = self.count("the number of components")?;
            let (tuples, _) = self.count("the number of tuples")?;
            let count = components.saturating_mul(tuples);
            let word = self.cursor.word();
            match word.to_ascii_lowercase().as_slice() {
                b"bit" if self.binary => {
                    self.cursor.end_of_line("the type")?;
                    self.cursor.take(count.div_ceil(8), "the bits of a field")?;
                }
                b"bit" => {
                    self.room((count, at), Scalar::U8, "numbers")?;
                    self.integers(count, Scalar::U8, "a number of the field")?;
                }
                b"string" | b"utf8_string" => self.strings(count)?,
                name => {
                    let Some(scalar) = Scalar::from_legacy(name) else {
                        let at = self.cursor.pos() - word.len();
                        return Err(self.cursor.unexpected(
                            at,
                            word,
                            "a number type, such as float or double",
                        ));
                    };
                    self.begin(scalar, "the type")?;
                    self.room((count, at), scalar, "numbers")?;
                    if self.binary {
                        self.cursor.take(count * scalar.width(), "the numbers of a field")?;
                    } else {
                        for _ in 0..count {
                            self.cursor.number::<f64>("a number of the field")?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Strings: a line each, or in binary their length in one, two, four or eight bytes, of which the first two bits
    /// tell how many, and their bytes.
    fn strings(&mut self, count: usize) -> Result<(), ImportError> {
        self.cursor.line();
        for _ in 0..count {
            if self.cursor.rest().is_empty() {
                let end = self.cursor.pos();
                return Err(self.cursor.unexpected(end, b"", "another string of the field"));
            }
            if !self.binary {
                self.cursor.line();
                continue;
            }
            let what = "the length of a string";
            let [first] = self.cursor.array(what)?;
            let more = [7, 3, 1, 0][usize::from(first >> 6)];
            let rest = self.cursor.take(more, what)?;
            let length = rest.iter().fold(u64::from(first & 0x3f), |sum, &byte| (sum << 8) | u64::from(byte));
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            self.cursor.take(length, "a string")?;
        }
        Ok(())
    }
}

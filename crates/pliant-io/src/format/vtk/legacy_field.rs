//! What a legacy VTK file may hold beside the mesh: fields and metadata.

use crate::error::ImportError;

use super::legacy_numbers::Numbers;
use super::scalar::Scalar;

/// An array of a `FIELD`.
pub(crate) struct FieldArray {
    pub(crate) name: String,
    pub(crate) components: usize,
    pub(crate) tuples: usize,
    pub(crate) integer: bool,
    pub(crate) values: Vec<f64>,
}

impl Numbers<'_> {
    /// Lines up to an empty one.
    pub(crate) fn metadata(&mut self) {
        self.cursor.line();
        while !self.cursor.rest().is_empty() && !self.cursor.line().trim_ascii().is_empty() {}
    }

    /// `FIELD name n` with `n` arrays. Arrays of numbers are returned if they are wanted; all others are skipped.
    pub(crate) fn field(&mut self, wanted: bool) -> Result<Vec<FieldArray>, ImportError> {
        self.cursor.word();
        let (arrays, _) = self.count("the number of arrays of the field")?;
        let mut kept = Vec::new();
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
            let (integer, values) = match word.to_ascii_lowercase().as_slice() {
                b"bit" => (true, self.bits((count, at))?),
                b"string" | b"utf8_string" => {
                    self.strings(count)?;
                    continue;
                }
                kind => {
                    let Some(scalar) = Scalar::from_legacy(kind) else {
                        let at = self.cursor.pos() - word.len();
                        return Err(self.cursor.unexpected(
                            at,
                            word,
                            "a number type, such as float or double",
                        ));
                    };
                    self.begin(scalar, "the type")?;
                    self.room((count, at), scalar, "numbers")?;
                    if !wanted && self.binary {
                        self.cursor.take(count * scalar.width(), "the numbers of a field")?;
                        continue;
                    }
                    (scalar.is_integer(), self.reals(count, scalar, "a number of the field")?)
                }
            };
            if wanted {
                kept.push(FieldArray { name: decoded(name), components, tuples, integer, values });
            }
        }
        Ok(kept)
    }

    /// Bits: eight to a byte in binary, the first the highest; a word each in text.
    pub(crate) fn bits(&mut self, count: (usize, usize)) -> Result<Vec<f64>, ImportError> {
        if !self.binary {
            self.room(count, Scalar::U8, "numbers")?;
            return self.reals(count.0, Scalar::U8, "a number of the field");
        }
        self.cursor.end_of_line("the type")?;
        let bytes = self.cursor.take(count.0.div_ceil(8), "the bits of a field")?;
        let bit = |i: usize| f64::from(bytes[i / 8] >> (7 - i % 8) & 1);
        Ok((0..count.0).map(bit).collect())
    }

    /// Strings: a line each, or in binary their length in one, two, four or eight bytes, the first two bits of which
    /// give the size of that number, and their bytes.
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

/// A name in which `%20` and the like stand for characters that end a word.
pub(crate) fn decoded(name: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [first, after @ ..] = rest {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, after) {
            (b'%', [high, low, behind @ ..]) => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => {
                    bytes.push((16 * high + low) as u8);
                    rest = behind;
                    continue;
                }
                _ => bytes.push(b'%'),
            },
            _ => bytes.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded() {
        for (name, expected) in [("a%20b%25", "a b%"), ("50%", "50%"), ("%zz%4", "%zz%4"), ("", "")] {
            assert_eq!(decoded(name.as_bytes()), expected);
        }
    }
}

//! The `POINT_DATA` and `CELL_DATA` of a legacy VTK file.

use crate::error::ImportError;
use crate::format::cursor::found_other;
use crate::location::Location;
use crate::raw_attributes::RawField;
use crate::text::{number, words};

use super::legacy_field::decoded;
use super::legacy_numbers::Numbers;
use super::scalar::Scalar;

/// The head of an array of numbers.
struct Head {
    name: String,
    scalar: Option<Scalar>,
    components: usize,
    /// Where it stands.
    at: usize,
}

impl Numbers<'_> {
    /// The data of points and cells, from the keyword on at which the mesh ended.
    pub(crate) fn data(&mut self, points: usize, cells: usize) -> Result<Vec<RawField>, ImportError> {
        let mut fields = Vec::new();
        let (mut location, mut count) = (Location::Vertices, 0);
        loop {
            let keyword = self.cursor.word();
            let at = self.cursor.pos() - keyword.len();
            let keyword = keyword.to_ascii_uppercase();
            let head = match keyword.as_slice() {
                b"" => return Ok(fields),
                b"POINT_DATA" | b"CELL_DATA" => {
                    let (given, _) = self.count("for how many there are numbers")?;
                    (location, count) = match keyword[0] {
                        b'P' => (Location::Vertices, points),
                        _ => (Location::Elements, cells),
                    };
                    if given != count {
                        let (place, keyword) = (self.cursor.place_of(at), keyword.escape_ascii());
                        let found = format!("{keyword} {given}");
                        let expected = format!("{count}, as many as the mesh has");
                        return Err(found_other(&self.cursor.source(), place, found, expected));
                    }
                    continue;
                }
                b"METADATA" => {
                    self.metadata();
                    continue;
                }
                b"FIELD" => {
                    for array in self.field(true)? {
                        if array.tuples != count {
                            let place = self.cursor.place_of(at);
                            let found = format!("{} tuples of the attribute {:?}", array.tuples, array.name);
                            let expected = format!("{count}, one for each of the {location}");
                            return Err(found_other(&self.cursor.source(), place, found, expected));
                        }
                        if array.components > 0 {
                            let (name, components, integer) = (array.name, array.components, array.integer);
                            fields.push(RawField {
                                name,
                                location,
                                components,
                                integer,
                                values: array.values,
                            });
                        }
                    }
                    continue;
                }
                b"LOOKUP_TABLE" => {
                    self.cursor.word();
                    let size = self.count("the size of the table")?;
                    self.colours((size.0.saturating_mul(4), size.1))?;
                    continue;
                }
                b"COLOR_SCALARS" => {
                    let name = decoded(self.cursor.word());
                    let (components, at) = self.count("the number of components")?;
                    let values = self.colours((components.saturating_mul(count), at))?;
                    if components > 0 {
                        fields.push(RawField { name, location, components, integer: false, values });
                    }
                    continue;
                }
                b"SCALARS" => self.head(at, None)?,
                b"VECTORS" | b"NORMALS" => self.head(at, Some(3))?,
                b"TENSORS" => self.head(at, Some(9))?,
                b"TENSORS6" => self.head(at, Some(6))?,
                b"TEXTURE_COORDINATES" => self.head(at, Some(0))?,
                b"GLOBAL_IDS" | b"PEDIGREE_IDS" | b"EDGE_FLAGS" => self.head(at, Some(1))?,
                _ => {
                    let expected = "the data of points and cells, such as SCALARS, VECTORS or FIELD";
                    return Err(self.cursor.unexpected(at, &keyword, expected));
                }
            };
            if keyword == b"SCALARS" {
                let mut ahead = self.cursor.clone();
                if ahead.word().eq_ignore_ascii_case(b"LOOKUP_TABLE") {
                    ahead.line();
                    self.cursor = ahead;
                }
            }
            let numbers = (head.components.saturating_mul(count), head.at);
            let (integer, values) = match head.scalar {
                None => (true, self.bits_on_line(numbers)?),
                Some(scalar) => {
                    self.room(numbers, scalar, "numbers")?;
                    let what = format!("a number of the attribute {:?}", head.name);
                    (scalar.is_integer(), self.reals(numbers.0, scalar, &what)?)
                }
            };
            let Head { name, components, .. } = head;
            fields.push(RawField { name, location, components, integer, values });
        }
    }

    /// The rest of a head line: a name, a type and for `SCALARS` perhaps a number of components. Texture
    /// coordinates (0) have that between name and type.
    fn head(&mut self, at: usize, components: Option<usize>) -> Result<Head, ImportError> {
        let line = self.cursor.line();
        let mut words = words(line);
        let name = decoded(words.next().unwrap_or_default());
        let wrong = |found: &[u8], expected: &str| Err(self.cursor.unexpected(at, found, expected));
        let known = |word: Option<&[u8]>| word.and_then(number::<usize>).filter(|n| (1..=1000).contains(n));
        let components = match components {
            Some(0) => match known(words.next()) {
                Some(components) => Some(components),
                None => {
                    return wrong(
                        line.trim_ascii(),
                        "a name, the number of texture coordinates and their type",
                    );
                }
            },
            given => given,
        };
        let kind = words.next().unwrap_or_default();
        let scalar = match Scalar::from_legacy(kind) {
            Some(scalar) => Some(scalar),
            None if kind.eq_ignore_ascii_case(b"bit") => None,
            None => return wrong(line.trim_ascii(), "a name and a number type, such as float or double"),
        };
        let components = match (components, words.next()) {
            (Some(components), _) => components,
            (None, None) => 1,
            (None, word) => match known(word) {
                Some(components) => components,
                None => return wrong(line.trim_ascii(), "a number of components behind the type"),
            },
        };
        Ok(Head { name, scalar, components, at })
    }

    /// Bits whose head line was read.
    fn bits_on_line(&mut self, count: (usize, usize)) -> Result<Vec<f64>, ImportError> {
        if self.binary {
            // The rest of the line is empty.
            let bytes = self.cursor.take(count.0.div_ceil(8), "bits")?;
            return Ok((0..count.0).map(|i| f64::from(bytes[i / 8] >> (7 - i % 8) & 1)).collect());
        }
        self.bits(count)
    }

    /// Shares of 0 to 1: as such in text, as bytes in binary.
    fn colours(&mut self, count: (usize, usize)) -> Result<Vec<f64>, ImportError> {
        if self.binary {
            self.cursor.end_of_line("the number of components")?;
        }
        self.room(count, Scalar::U8, "numbers")?;
        let mut values = self.reals(count.0, Scalar::U8, "a share from 0 to 1")?;
        if self.binary {
            values.iter_mut().for_each(|value| *value /= 255.0);
        }
        Ok(values)
    }
}

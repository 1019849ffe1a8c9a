//! [`deserialize`]: numbers that are checked as they are read.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Visitor};

use super::out_of_bounds::OutOfBounds;

/// Reads a number, whole or not, and makes a value of it; `expected` is what to expect where there is no
/// number. The number is read by one visitor for all kinds of them, so that it is compiled once.
pub(super) fn deserialize<'de, D: Deserializer<'de>, V>(
    deserializer: D,
    expected: &str,
    make: impl FnOnce(f64) -> Result<V, OutOfBounds>,
) -> Result<V, D::Error> {
    let value = deserializer.deserialize_f64(Number { expected })?;
    make(value).map_err(D::Error::custom)
}

struct Number<'a> {
    expected: &'a str,
}

impl Visitor<'_> for Number<'_> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
}

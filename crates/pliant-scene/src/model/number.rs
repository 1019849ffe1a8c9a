//! [`deserialize`]: numbers that are checked as they are read.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Visitor};

use super::out_of_bounds::OutOfBounds;

/// Reads a number, whole or not, and makes a value of it; `expected` is what to expect where there is no
/// number. By a visitor, so that the parser gives an error the place of the number.
pub(super) fn deserialize<'de, D: Deserializer<'de>, V>(
    deserializer: D,
    expected: &str,
    make: impl FnOnce(f64) -> Result<V, OutOfBounds>,
) -> Result<V, D::Error> {
    struct Number<'a, M> {
        expected: &'a str,
        make: M,
    }

    impl<V, M: FnOnce(f64) -> Result<V, OutOfBounds>> Visitor<'_> for Number<'_, M> {
        type Value = V;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.expected)
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<V, E> {
            (self.make)(value).map_err(E::custom)
        }

        fn visit_i64<E: Error>(self, value: i64) -> Result<V, E> {
            self.visit_f64(value as f64)
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<V, E> {
            self.visit_f64(value as f64)
        }
    }
    deserializer.deserialize_f64(Number { expected, make })
}

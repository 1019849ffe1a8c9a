//! [`OneOrEach`]: a number for all axes, or one for each of them.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A number for all of `N` axes, or one for each.
pub(super) enum OneOrEach<const N: usize> {
    One(f64),
    Each([f64; N]),
}

/// Reads it; `expected` says what may stand there.
pub(super) fn one_or_each<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
    expected: &'static str,
) -> Result<OneOrEach<N>, D::Error>
where
    [f64; N]: Deserialize<'de>,
{
    struct Either<const N: usize>(&'static str);

    impl<'de, const N: usize> Visitor<'de> for Either<N>
    where
        [f64; N]: Deserialize<'de>,
    {
        type Value = OneOrEach<N>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
            Ok(OneOrEach::One(value))
        }
        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
            Ok(OneOrEach::One(value as f64))
        }
        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
            Ok(OneOrEach::One(value as f64))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrEach::Each)
        }
    }
    deserializer.deserialize_any(Either(expected))
}

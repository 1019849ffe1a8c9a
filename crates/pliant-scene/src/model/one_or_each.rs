//! [`OneOrEach`]: a number for all axes, or one for each of them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::OutOfBounds;

/// A number for all of `N` axes, or one for each.
pub(super) enum OneOrEach<T, const N: usize> {
    One(T),
    Each([T; N]),
}

/// Reads it; `expected` says what may stand there.
pub(super) fn one_or_each<'de, D: Deserializer<'de>, T, const N: usize>(
    deserializer: D,
    expected: &'static str,
) -> Result<OneOrEach<T, N>, D::Error>
where
    T: TryFrom<f64, Error = OutOfBounds>,
    [T; N]: Deserialize<'de>,
{
    struct Either<T, const N: usize>(&'static str, PhantomData<fn() -> T>);

    impl<'de, T, const N: usize> Visitor<'de> for Either<T, N>
    where
        T: TryFrom<f64, Error = OutOfBounds>,
        [T; N]: Deserialize<'de>,
    {
        type Value = OneOrEach<T, N>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
            T::try_from(value).map(OneOrEach::One).map_err(E::custom)
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
            self.visit_f64(value as f64)
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
            self.visit_f64(value as f64)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map(OneOrEach::Each)
        }
    }
    deserializer.deserialize_any(Either(expected, PhantomData))
}

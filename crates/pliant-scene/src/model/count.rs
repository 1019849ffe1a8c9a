//! [`Count`]: a whole number of a scene within its bounds, which its type states.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::out_of_bounds::OutOfBounds;

/// A number of frames.
pub type Frames = Count<1, 1_000_000>;
/// A number of substeps, or of iterations of the solver.
pub type Steps = Count<1, { pliant_solver::Settings::MOST_SUBSTEPS }>;
/// A number of parts of a generated mesh, such as its rings; at most as many as a generated mesh may have elements.
pub type Parts<const LEAST: u32 = 1> = Count<LEAST, { 1 << 27 }>;

/// A whole number from `LEAST` to `MOST`.
///
/// ```
/// use pliant_scene::model::Count;
///
/// let substeps = Count::<1, 10_000>::new(20)?;
/// assert_eq!(substeps.get(), 20);
/// let error = Count::<1, 10_000>::new(0).unwrap_err();
/// assert_eq!(error.to_string(), "the value is 0, expected a whole number from 1 to 10000");
/// # Ok::<(), pliant_scene::model::OutOfBounds>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count<const LEAST: u32, const MOST: u32>(u32);

impl<const LEAST: u32, const MOST: u32> Count<LEAST, MOST> {
    /// The largest number.
    pub(crate) const LARGEST: u32 = MOST;

    /// The number, if it is within the bounds.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn new(value: u32) -> Result<Self, OutOfBounds> {
        Self::of(value.into())
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }

    fn of(value: i128) -> Result<Self, OutOfBounds> {
        match u32::try_from(value) {
            Ok(count) if (LEAST..=MOST).contains(&count) => Ok(Self(count)),
            _ => Err(out_of_bounds(value, Self::expected())),
        }
    }

    /// What to expect.
    fn expected() -> String {
        expected(LEAST, MOST)
    }

    /// A default, which is within the bounds.
    pub(crate) fn known(value: u32) -> Self {
        Self::new(value).expect("a default within its bounds")
    }
}

// Apart from the type, of which there are many.
#[cold]
fn expected(least: u32, most: u32) -> String {
    format!("a whole number from {least} to {most}")
}

#[cold]
fn out_of_bounds(value: i128, expected: String) -> OutOfBounds {
    OutOfBounds { value: value.to_string(), expected }
}

impl<const MOST: u32> Default for Count<0, MOST> {
    fn default() -> Self {
        Self(0)
    }
}

impl<const LEAST: u32, const MOST: u32> fmt::Debug for Count<LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const LEAST: u32, const MOST: u32> fmt::Display for Count<LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const LEAST: u32, const MOST: u32> TryFrom<u32> for Count<LEAST, MOST> {
    type Error = OutOfBounds;

    fn try_from(value: u32) -> Result<Self, OutOfBounds> {
        Self::new(value)
    }
}

impl<const LEAST: u32, const MOST: u32> From<Count<LEAST, MOST>> for u32 {
    fn from(count: Count<LEAST, MOST>) -> Self {
        count.0
    }
}

impl<const LEAST: u32, const MOST: u32> From<Count<LEAST, MOST>> for usize {
    fn from(count: Count<LEAST, MOST>) -> Self {
        count.0 as Self
    }
}

impl<const LEAST: u32, const MOST: u32> From<Count<LEAST, MOST>> for f64 {
    fn from(count: Count<LEAST, MOST>) -> Self {
        count.0.into()
    }
}

impl<const LEAST: u32, const MOST: u32> Serialize for Count<LEAST, MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de, const LEAST: u32, const MOST: u32> Deserialize<'de> for Count<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole<const LEAST: u32, const MOST: u32>;

        // By a visitor, so that the parser gives an error the place of the number.
        impl<const LEAST: u32, const MOST: u32> Visitor<'_> for Whole<LEAST, MOST> {
            type Value = Count<LEAST, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&Self::Value::expected())
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                self.visit_i128(value.into())
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                self.visit_i128(value.into())
            }

            fn visit_i128<E: Error>(self, value: i128) -> Result<Self::Value, E> {
                Count::of(value).map_err(E::custom)
            }

            fn visit_u128<E: Error>(self, value: u128) -> Result<Self::Value, E> {
                let expected = Self::Value::expected();
                Err(E::custom(OutOfBounds { value: value.to_string(), expected }))
            }
        }
        deserializer.deserialize_any(Whole)
    }
}

#[cfg(feature = "schemars")]
impl<const LEAST: u32, const MOST: u32> schemars::JsonSchema for Count<LEAST, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Count".into()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "format": "uint32", "minimum": LEAST, "maximum": MOST })
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::Error;

    use super::*;

    #[test]
    fn counts_beyond_their_bounds_are_refused_however_large() {
        assert_eq!(Steps::new(10_000).map(Steps::get), Ok(10_000));
        for bad in [0, 10_001, u32::MAX] {
            let expected = "a whole number from 1 to 10000".to_owned();
            assert_eq!(Steps::new(bad), Err(OutOfBounds { value: bad.to_string(), expected }));
        }
        let read = |value: i64| Steps::deserialize(IntoDeserializer::<Error>::into_deserializer(value));
        assert_eq!(read(7), Ok(Steps::known(7)));
        for bad in [-3, 1 << 32, (1 << 32) + 5, i64::MAX] {
            let said = read(bad).unwrap_err().to_string();
            assert_eq!(said, format!("the value is {bad}, expected a whole number from 1 to 10000"));
        }
    }

    #[cfg(feature = "schemars")]
    #[test]
    fn the_schema_of_a_count_has_its_bounds() {
        let schema = schemars::schema_for!(Count<2, 16>);
        assert_eq!((&schema.as_value()["minimum"], &schema.as_value()["maximum"]), (&2.into(), &16.into()));
    }
}

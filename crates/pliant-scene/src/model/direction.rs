//! [`Direction`]: a vector that points somewhere.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Vec3;
use super::out_of_bounds::OutOfBounds;

/// A direction: three finite numbers, not all zero. Its length does not matter.
///
/// ```
/// use pliant_scene::model::Direction;
///
/// assert_eq!(Direction::new([0.0, 2.0, 0.0])?.get(), [0.0, 2.0, 0.0]);
/// assert!(Direction::new([0.0; 3]).is_err());
/// # Ok::<(), pliant_scene::model::DirectionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Direction(Vec3);

/// Three numbers that are not a direction.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{subject} is {0:?}, expected {EXPECTED_DIRECTION}", subject = OutOfBounds::SUBJECT)]
pub struct DirectionError(pub Vec3);

const EXPECTED_DIRECTION: &str = "three finite numbers, not all zero";

impl Direction {
    /// The direction of a vector.
    ///
    /// # Errors
    ///
    /// If it has none.
    pub fn new(vector: Vec3) -> Result<Self, DirectionError> {
        // By the single numbers: the square of a small one could vanish.
        let points = vector.iter().all(|c| c.is_finite()) && vector.iter().any(|c| *c != 0.0);
        if points { Ok(Self(vector)) } else { Err(DirectionError(vector)) }
    }

    /// A vector in this direction, as it was given.
    #[must_use]
    pub fn get(self) -> Vec3 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Three;

        impl<'de> Visitor<'de> for Three {
            type Value = Direction;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED_DIRECTION)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Direction, A::Error> {
                let vector = Vec3::deserialize(SeqAccessDeserializer::new(seq))?;
                Direction::new(vector).map_err(serde::de::Error::custom)
            }
        }
        deserializer.deserialize_seq(Three)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Direction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Direction".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec3::json_schema(generator)
    }
}

//! Turning and scaling a mesh.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::one_or_each::{OneOrEach, one_or_each};
use super::unit::{Degree, Metre};
use super::{Direction, Finite, Positive, Vec3, Vector};

/// A rotation: about an axis, or by three angles.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Rotation {
    /// About an axis through the origin.
    AxisAngle(AxisAngle),
    /// About the x axis, then the y axis, then the z axis, degrees.
    Euler(Vector<Degree>),
}

/// A rotation about an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AxisAngle {
    /// Direction of the axis; its length does not matter.
    pub axis: Direction,
    /// Angle, degrees, counter-clockwise seen from the tip of the axis.
    pub degrees: Finite<Degree>,
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Rotation;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "{ axis = [x, y, z], degrees = angle } or three angles about x, y and z in degrees",
                )
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vector::deserialize(SeqAccessDeserializer::new(seq)).map(Rotation::Euler)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                AxisAngle::deserialize(MapAccessDeserializer::new(map)).map(Rotation::AxisAngle)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A factor for all axes, or one for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ScaleModel {
    /// The same along every axis.
    Uniform(Positive),
    /// Along x, y and z.
    PerAxis([Positive; 3]),
}

impl ScaleModel {
    /// The factors along x, y and z.
    #[must_use]
    pub fn factors(self) -> Vec3 {
        match self {
            Self::Uniform(s) => [s.get(); 3],
            Self::PerAxis(s) => s.map(Positive::get),
        }
    }
}

impl<'de> Deserialize<'de> for ScaleModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = one_or_each(deserializer, "a positive number, or three of them for x, y and z")?;
        Ok(match read {
            OneOrEach::One(all) => Self::Uniform(all),
            OneOrEach::Each(each) => Self::PerAxis(each),
        })
    }
}

/// How long a unit of texture coordinates is, m: the same along both axes, or one length for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum UvScaleModel {
    /// The same along u and v.
    Uniform(Positive<Metre>),
    /// Along u and v.
    PerAxis([Positive<Metre>; 2]),
}

impl UvScaleModel {
    /// The lengths along u and v, m.
    #[must_use]
    pub fn lengths(self) -> [f64; 2] {
        match self {
            Self::Uniform(s) => [s.get(); 2],
            Self::PerAxis(s) => s.map(Positive::get),
        }
    }
}

impl<'de> Deserialize<'de> for UvScaleModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = one_or_each(deserializer, "a positive number, or two of them for u and v")?;
        Ok(match read {
            OneOrEach::One(all) => Self::Uniform(all),
            OneOrEach::Each(each) => Self::PerAxis(each),
        })
    }
}

//! [`ObstacleModel`]: what bodies collide with.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::Metre;
use super::{
    Direction, Finite, HeightFieldShape, HullShape, MotionModel, NonNegative, Positive, SdfShape,
    UnitInterval, Vector,
};
use crate::choice::choice;

/// Something that bodies rest on, slide over and bounce off: exactly one of `floor`, `plane`, `sphere`,
/// `box`, `container`, `capsule`, `hull`, `height_field` and `sdf`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct ObstacleModel {
    /// A horizontal floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<FloorShape>,
    /// Everything behind a plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneShape>,
    /// A ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<BallShape>,
    /// A solid box with sides along the axes.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub solid_box: Option<BoxShape>,
    /// A box that bodies stay inside of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ContainerShape>,
    /// A rod with round ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capsule: Option<CapsuleShape>,
    /// A convex solid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hull: Option<HullShape>,
    /// Ground given by heights over a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_field: Option<HeightFieldShape>,
    /// A solid of any shape, given by signed distances on a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sdf: Option<SdfShape>,
    /// Coefficient of friction, or `{ static = .., kinetic = .. }`. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionModel>,
    /// Share of the normal velocity that an impact gives back, 0 to 1. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<UnitInterval>,
    /// How the obstacle moves. Default: it does not move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionModel>,
}

choice!(ObstacleModel: "floor" = floor, "plane" = plane, "sphere" = sphere, "box" = solid_box, "container" = container, "capsule" = capsule, "hull" = hull, "height_field" = height_field, "sdf" = sdf);

/// A horizontal floor.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FloorShape {
    /// Height, m. Default: 0.
    pub height: Finite<Metre>,
}

/// Everything behind a plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlaneShape {
    /// A point of the plane, m.
    pub point: Vector<Metre>,
    /// Direction into the free side; its length does not matter.
    pub normal: Direction,
}

/// A ball.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BallShape {
    /// Centre, m.
    pub centre: Vector<Metre>,
    /// Radius, m.
    pub radius: Positive<Metre>,
}

/// A solid box with sides along the axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Smallest coordinates, m.
    pub min: Vector<Metre>,
    /// Largest coordinates, m.
    pub max: Vector<Metre>,
}

/// A box that bodies stay inside of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContainerShape {
    /// Smallest coordinates of the free space, m.
    pub min: Vector<Metre>,
    /// Largest coordinates of the free space, m.
    pub max: Vector<Metre>,
}

/// A rod with round ends: all points within a radius of a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CapsuleShape {
    /// One end of the segment, m.
    pub from: Vector<Metre>,
    /// The other end of the segment, m.
    pub to: Vector<Metre>,
    /// Radius, m.
    pub radius: Positive<Metre>,
}

/// Coulomb friction: one coefficient, or one for sticking and one for sliding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FrictionModel {
    /// The same for sticking and sliding.
    Both(NonNegative),
    /// Two coefficients.
    Separate(SeparateFriction),
}

impl FrictionModel {
    /// The coefficients for sticking and for sliding.
    #[must_use]
    pub fn coefficients(self) -> [f64; 2] {
        match self {
            Self::Both(coefficient) => [coefficient.get(); 2],
            Self::Separate(pair) => [pair.sticking, pair.sliding].map(NonNegative::get),
        }
    }
}

/// Coefficients of friction for sticking and for sliding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeparateFriction {
    /// Static coefficient, at least the kinetic one.
    #[serde(rename = "static")]
    pub sticking: NonNegative,
    /// Kinetic coefficient.
    #[serde(rename = "kinetic")]
    pub sliding: NonNegative,
}

impl<'de> Deserialize<'de> for FrictionModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = FrictionModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a coefficient of at least 0, or { static = .., kinetic = .. }")
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
                NonNegative::new(value).map(FrictionModel::Both).map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
                self.visit_f64(value as f64)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                SeparateFriction::deserialize(MapAccessDeserializer::new(map)).map(FrictionModel::Separate)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

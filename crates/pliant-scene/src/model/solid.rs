//! Obstacles with data of their own: hulls, height fields, and distance grids.

use std::path::PathBuf;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::one_or_each::{OneOrEach, one_or_each};
use super::unit::Metre;
use super::{Finite, Positive, Rotation, ScaleModel, Vector};
use crate::choice::choice;

/// A convex solid, the hull of points: exactly one of `points` and `mesh`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct HullShape {
    /// The points, m: at least four, not all in one plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Vector<Metre>>>,
    /// Path of a mesh file, relative to the scene file: its vertices are the points, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<PathBuf>,
    /// Factor for the shape, or one for each axis: it is scaled, then turned about the origin, then moved. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleModel>,
    /// Rotation about the origin: `{ axis, degrees }`, or three angles about x, y and z in degrees. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Translation, m. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector<Metre>>,
}

choice!(HullShape: "points" = points, "mesh" = mesh);

/// Ground given by heights over a grid: everything below its surface is solid. There is nothing outside the
/// grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeightFieldShape {
    /// Heights above the origin, m: rows that follow each other along z, each with its numbers along x; or
    /// the path of a text file with a row in every line.
    pub heights: HeightsModel,
    /// Where the first number of the first row is, at the height 0, m. Default: `[0, 0, 0]`.
    #[serde(default)]
    pub origin: Vector<Metre>,
    /// Distance between neighbours, m: one number, or two, along x and along z.
    pub spacing: SpacingModel,
}

/// A solid of any shape, given by distances from a closed surface at the nodes of a grid. Features smaller
/// than a cell may be lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SdfShape {
    /// Path of a mesh file, relative to the scene file, with a closed surface or a solid, m.
    pub mesh: PathBuf,
    /// Side of a cell, m.
    pub cell: Positive<Metre>,
    /// How far the grid reaches beyond the surface, m. Default: four cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<Positive<Metre>>,
    /// Factor for the shape, or one for each axis: it is scaled, then turned about the origin, then moved. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleModel>,
    /// Rotation about the origin: `{ axis, degrees }`, or three angles about x, y and z in degrees. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Translation, m. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector<Metre>>,
}

/// Heights in rows, or the path of a file that has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum HeightsModel {
    /// Path of a text file, relative to the scene file: a row in every line, its numbers between commas,
    /// semicolons or spaces.
    File(PathBuf),
    /// Rows along z, each with its numbers along x, m.
    Rows(Vec<Vec<Finite<Metre>>>),
}

impl<'de> Deserialize<'de> for HeightsModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = HeightsModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("rows of heights such as [[0, 0.1], [0, 0.2]], or the path of a text file")
            }

            fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
                Ok(HeightsModel::File(path.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(HeightsModel::Rows)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The distance between neighbours of a grid: the same along both axes, or one for each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SpacingModel {
    /// The same along x and z, m.
    Same(Positive<Metre>),
    /// Along x and along z, m.
    Each([Positive<Metre>; 2]),
}

impl SpacingModel {
    /// The distances along x and z, m.
    #[must_use]
    pub fn along(self) -> [f64; 2] {
        match self {
            Self::Same(spacing) => [spacing.get(); 2],
            Self::Each(spacing) => spacing.map(Positive::get),
        }
    }
}

impl<'de> Deserialize<'de> for SpacingModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = one_or_each(deserializer, "a positive number, or two of them for x and z")?;
        Ok(match read {
            OneOrEach::One(all) => Self::Same(all),
            OneOrEach::Each(each) => Self::Each(each),
        })
    }
}

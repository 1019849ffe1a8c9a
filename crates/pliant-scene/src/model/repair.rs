//! What is done about a mesh file with defects.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::FileUnit;
use super::{NonNegative, OutOfBounds, UnitInterval};

/// What is done about a mesh file with defects: one of three words, `true` for `"repair"`, or a table with
/// the steps of the repair.
///
/// Either way `pliant check`, `pliant run` and its `run.json` report what was found and done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum RepairModel {
    /// `true` is `"repair"`, `false` is `"refuse"`.
    Flag(bool),
    /// One of three words.
    Word(RepairWord),
    /// The mesh is repaired by these steps.
    Steps(RepairSteps),
}

/// What is done about a mesh file with defects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RepairWord {
    /// The scene is refused; the error says what was found, where, and what to do.
    #[default]
    Refuse,
    /// The mesh is simulated as it is, and what was found is reported; elements that cannot be simulated are
    /// still refused.
    Report,
    /// The mesh is repaired as by `pliant mesh repair`, and refused if that is not enough.
    Repair,
}

/// How a mesh file is repaired. This is always done: elements without area or volume and those that repeat an
/// earlier one are dropped, and so are vertices without elements; tetrahedra that are inside out are turned.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RepairSteps {
    /// Vertices within this distance of an earlier one become that one, in the unit of the file. Default: 0,
    /// only those at exactly the same place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weld: Option<NonNegative<FileUnit>>,
    /// Open boundaries within this distance are joined into one piece, in the unit of the file: vertices are
    /// merged, and edges are divided where vertices lie on them. Default: 0, which divides edges only at
    /// vertices that lie exactly on them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unite: Option<NonNegative<FileUnit>>,
    /// Sheets that meet along an edge of more than two triangles, or in a vertex, get vertices of their own.
    /// Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<bool>,
    /// Parts of a solid that touch only in an edge or a vertex get vertices of their own: a hinge comes
    /// apart. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_solids: Option<bool>,
    /// Triangles are turned so that neighbours agree. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orient: Option<bool>,
    /// Tetrahedra are divided where diagonals of neighbouring cells cross. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_diagonals: Option<bool>,
    /// Which pieces are kept. Default: `"all"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<KeepModel>,
    /// Holes of at most this many edges, 500 at most, are closed. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill_holes: Option<usize>,
}

/// Which pieces of a mesh are kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum KeepModel {
    /// All, or the largest.
    Word(KeepWord),
    /// Those of at least this share of the whole area or volume, 0 to 1.
    Share(UnitInterval),
}

/// Which pieces of a mesh are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum KeepWord {
    /// All.
    #[default]
    All,
    /// The one with the largest area or volume.
    Largest,
}

impl<'de> Deserialize<'de> for RepairModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = RepairModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, \"refuse\", \"report\", \"repair\" or a table such as { unite = 1e-4 }")
            }

            fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<Self::Value, E> {
                Ok(RepairModel::Flag(flag))
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Self::Value, E> {
                RepairWord::deserialize(serde::de::value::StrDeserializer::new(word)).map(RepairModel::Word)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                RepairSteps::deserialize(MapAccessDeserializer::new(map)).map(RepairModel::Steps)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl<'de> Deserialize<'de> for KeepModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "\"all\", \"largest\" or a share from 0 to 1";
        struct Any;
        #[allow(clippy::cast_precision_loss, reason = "whole numbers that are shares are 0 and 1")]
        impl Visitor<'_> for Any {
            type Value = KeepModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(EXPECTED)
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Self::Value, E> {
                KeepWord::deserialize(serde::de::value::StrDeserializer::new(word)).map(KeepModel::Word)
            }

            fn visit_f64<E: serde::de::Error>(self, share: f64) -> Result<Self::Value, E> {
                let share = UnitInterval::new(share);
                let refuse = |error| OutOfBounds { expected: EXPECTED.to_owned(), ..error };
                share.map(KeepModel::Share).map_err(|error| E::custom(refuse(error)))
            }

            fn visit_i64<E: serde::de::Error>(self, share: i64) -> Result<Self::Value, E> {
                self.visit_f64(share as f64)
            }

            fn visit_u64<E: serde::de::Error>(self, share: u64) -> Result<Self::Value, E> {
                self.visit_f64(share as f64)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

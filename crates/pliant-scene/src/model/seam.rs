//! [`SeamModel`]: panels sewn together.

use std::path::PathBuf;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::Second;
use super::{NonNegative, RegionModel};

/// Vertices sewn to places on edges, within one body or between two, for good: exactly one of `pairs` and `borders`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SeamModel {
    /// Name in reports, certificates and bounds (`seam.NAME`): letters, digits, `-` and `_`. Default:
    /// `seam-1`, `seam-2` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the body, or of two: that of the vertices, then that of the edges.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = 2)))]
    pub bodies: Vec<String>,
    /// The pairs: a vertex, the two ends a and b of an edge, by their numbers from 0 in the order of the
    /// meshes, and the share t of the way from a to b at which the vertex is sewn to it; or the path of a
    /// text file with such a line for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<SeamPairs>,
    /// Two borders: which vertices of the first body are sewn to the nearest place of which edges of the
    /// second, at the start. Of both only what lies on the border of the mesh is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borders: Option<[RegionModel; 2]>,
    /// Time in which the pair that starts farthest apart closes, if nothing is in its way, s. Default: 0, at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close_time: Option<NonNegative<Second>>,
    /// Whether vertices that are sewn to vertices (t of 0 or 1) are one particle from the start, at which they
    /// have to be together. The mesh keeps them. Default: false, they are held by rigid constraints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weld: Option<bool>,
}

impl SeamModel {
    /// The names of the body of the vertices and of that of the edges.
    #[must_use]
    pub(crate) fn pair_of_bodies(&self) -> Option<[&str; 2]> {
        Some([self.bodies.first()?, self.bodies.last()?])
    }
}

/// The pairs of a seam.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SeamPairs {
    /// In a text file: `vertex`, `edge_a`, `edge_b`, `t` in every line; the first may name the columns.
    File(PathBuf),
    /// One list of four numbers for each.
    Listed(Vec<[f64; 4]>),
}

impl<'de> Deserialize<'de> for SeamPairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileOrList;
        impl<'de> Visitor<'de> for FileOrList {
            type Value = SeamPairs;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "the path of a text file, or a list of [vertex, end, end, share of the way between them]",
                )
            }

            fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
                Ok(SeamPairs::File(path.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Ok(SeamPairs::Listed(Deserialize::deserialize(SeqAccessDeserializer::new(list))?))
            }
        }
        deserializer.deserialize_any(FileOrList)
    }
}

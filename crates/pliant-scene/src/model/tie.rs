//! [`StitchModel`] and [`AttachmentModel`]: what ties bodies to each other.

use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::IntoDeserializer;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{Metre, MetrePerNewton, NewtonPerMetre, Pascal, Second};
use super::{NonNegative, Poisson, Positive, RegionModel};

/// Vertices of one body sewn to vertices, edges or triangles of another.
///
/// Which to which is said by a list of `pairs` or found within a `radius`. The ties have no stress where they
/// start, unless `rest` is given. With `pairs`, every number may be a list with one for each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StitchModel {
    /// The names of the two bodies: that of the vertices, then that of the vertices, edges or triangles that
    /// they are sewn to.
    pub bodies: [String; 2],
    /// What vertices are sewn to.
    pub to: StitchTo,
    /// All pairs of the surfaces that are at most this far from each other at the start, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<NonNegative<Metre>>,
    /// With `radius`: only these vertices of the first body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionModel>,
    /// The pairs: a vertex of the first body, then one, two or three of the second, by their numbers from 0
    /// in the order of the meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<Vec<u32>>>,
    /// Two mesh files with the vertices of the two bodies where the ties have no stress: the same meshes in
    /// other positions, placed as the bodies are. Default: where they start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<[PathBuf; 2]>,
    /// To vertices: stiffness, N/m. Default: 10⁶.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<PerPair<Positive<NewtonPerMetre>>>,
    /// To vertices: length without stress, m. Default: 0, which draws the vertices together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<PerPair<NonNegative<Metre>>>,
    /// To vertices, instead of `rest_length`: keep the distance that they have at the start, or in the files
    /// of `rest`. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_distance: Option<bool>,
    /// To edges and triangles: Young's modulus, Pa. Default: 1 MPa to edges, 120 kPa to triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<PerPair<Positive<Pascal>>>,
    /// To edges and triangles: Poisson's ratio. Default: 0.49.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<PerPair<Poisson>>,
    /// To edges: half the thickness of the sheet between them, m. Default: 1 mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<PerPair<Positive<Metre>>>,
    /// To edges and triangles: least distance at rest, m, so that a vertex may start on the edge or triangle.
    /// Default: 1 mm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_separate_distance: Option<PerPair<Positive<Metre>>>,
    /// Both bodies may be the same. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_body: Option<bool>,
    /// Time in which the ties lose their oscillation, s. Default: 0, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_time: Option<NonNegative<Second>>,
}

/// A number for all pairs, or a list with one for each.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PerPair<Number> {
    /// The same for all.
    All(Number),
    /// In the order of `pairs`.
    Each(Vec<Number>),
}

impl<Number: Copy + Into<f64>> PerPair<Number> {
    /// The numbers, one or as many as the pairs.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Self::All(number) => vec![(*number).into()],
            Self::Each(numbers) => numbers.iter().map(|&number| number.into()).collect(),
        }
    }
}

impl<'de, Number: Deserialize<'de>> Deserialize<'de> for PerPair<Number> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrEach<Number>(PhantomData<Number>);
        impl<'de, Number: Deserialize<'de>> Visitor<'de> for OneOrEach<Number> {
            type Value = PerPair<Number>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or a list with one for each pair")
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Self::Value, E> {
                Number::deserialize(number.into_deserializer()).map(PerPair::All)
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
                self.visit_f64(number as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(PerPair::Each)
            }
        }
        deserializer.deserialize_any(OneOrEach(PhantomData))
    }
}

/// What vertices are sewn to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StitchTo {
    /// Springs to vertices.
    Vertices,
    /// Triangles of membrane to edges, about which the vertices may swing.
    Edges,
    /// Tetrahedra to triangles.
    Triangles,
}

/// Vertices of one body held at the nearest places of another, which moves with them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AttachmentModel {
    /// The names of the two bodies: that of the vertices, then that of the places.
    pub bodies: [String; 2],
    /// Which vertices of the first body.
    pub region: RegionModel,
    /// Compliance, m/N. Default: 0, rigid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<MetrePerNewton>>,
    /// Time in which the springs lose their oscillation, s. Default: 0, none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_time: Option<NonNegative<Second>>,
}

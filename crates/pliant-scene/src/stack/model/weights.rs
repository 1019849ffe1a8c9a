//! [`WeightsModel`]: a number from 0 to 1 for every vertex.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::choice::choice;
use crate::model::unit::Metre;
use crate::model::{NonNegative, Positive, RegionModel, Vector};

/// A number from 0 to 1 for every vertex, by exactly one of `file`, `attribute`, `joints`, `near`, `along` and `ramp`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct WeightsModel {
    /// Path of a text file with a number for every vertex, in the order of the mesh, separated by white space
    /// or commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Name of a custom vertex attribute of a glTF character; such names begin with `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Names of joints: the share of each vertex that they carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Vec<String>>,
    /// By the distance from a point of the mesh at rest, in a straight line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearModel>,
    /// By the distance from some vertices, along the surface of the mesh at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<AlongModel>,
    /// From 0 at one point to 1 at another, the same at right angles to the line between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ramp: Option<RampModel>,
    /// With `near`, `along` and `ramp`: how weights fall. Default: `"smooth"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<FalloffShape>,
    /// 1 − w instead of w. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invert: Option<bool>,
}

choice!(WeightsModel: "file" = file, "attribute" = attribute, "joints" = joints, "near" = near, "along" = along, "ramp" = ramp);

/// How weights fall from 1 to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FalloffShape {
    /// In a straight line.
    Linear,
    /// Without a kink at either end.
    #[default]
    Smooth,
}

/// Weights around a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NearModel {
    /// The point, m.
    pub centre: Vector<Metre>,
    /// Distance up to which the weight is 1, m. Default: 0.
    #[serde(default)]
    pub inner: NonNegative<Metre>,
    /// Distance from which it is 0, m.
    pub outer: Positive<Metre>,
}

/// Weights around some vertices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AlongModel {
    /// The vertices.
    pub from: RegionModel,
    /// Distance up to which the weight is 1, m. Default: 0.
    #[serde(default)]
    pub inner: NonNegative<Metre>,
    /// Distance from which it is 0, m.
    pub outer: Positive<Metre>,
}

/// Weights along a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RampModel {
    /// Where the weight begins to rise from 0, m.
    pub from: Vector<Metre>,
    /// Where it has reached 1, m.
    pub to: Vector<Metre>,
}

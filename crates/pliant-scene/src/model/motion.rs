//! [`MotionModel`]: how pins and obstacles move.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AxisAngle, Vec3};

/// A prescribed motion: a constant `velocity` and `spin`, `keyframes`, or (pins only) a point `cache`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MotionModel {
    /// Constant velocity, m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec3>,
    /// Constant rotation about the pivot, which moves along with the velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinModel>,
    /// Poses at given times, in order; linear in between, held before the first and after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<Vec<KeyframeModel>>,
    /// With `spin` or `keyframes`: centre of the rotation, m. Default: the origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<Vec3>,
    /// Path of a point cache (PC2) with the motion of the pinned vertices or of all vertices of the body, relative to the scene file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
    /// With `cache`: samples per second. Default: the scene's frame rate divided by the sample rate in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// With `cache`: time of the first sample, s. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// With `cache`: the coordinates that its points are in. Default: `"scene"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<CacheSpace>,
}

/// A constant rotation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpinModel {
    /// Direction of the axis; its length does not matter.
    pub axis: Vec3,
    /// Degrees per second, counter-clockwise seen from the tip of the axis.
    pub degrees_per_second: f64,
}

/// A pose at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyframeModel {
    /// When, s.
    pub time: f64,
    /// Displacement from rest, m. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vec3>,
    /// Rotation from rest about the pivot; may be more than a turn. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<AxisAngle>,
}

/// The coordinates that the points of a cache are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CacheSpace {
    /// Those of the scene, as in the caches that the program writes.
    #[default]
    Scene,
    /// Those of the mesh, before the body's scale, rotation and translation.
    Mesh,
}

//! [`MotionModel`]: how pins and obstacles move.

use std::path::PathBuf;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{DegreePerSecond, Metre, MetrePerSecond, PerSecond, Second};
use super::{AnimationModel, AxisAngle, Direction, Finite, NonNegative, Positive, Vector};

/// A prescribed motion: a constant `velocity` and `spin`, `keyframes`, a `cache` of positions (pins, and
/// bodies that are obstacles), an `animation` of the character that the mesh is (bodies that are obstacles),
/// or a `joint` of one (pins).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct MotionModel {
    /// Constant velocity, m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector<MetrePerSecond>>,
    /// Constant rotation about the pivot, which moves along with the velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spin: Option<SpinModel>,
    /// Poses at given times, in order; linear in between, held before the first and after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<Vec<KeyframeModel>>,
    /// With `spin` or `keyframes`: centre of the rotation, m. Default: the origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<Vector<Metre>>,
    /// Path of a point cache (PC2 or MDD) with the motion of the pinned vertices or of all vertices of the
    /// body, or of mesh files of all vertices with `*` or `#` in the place of their numbers; relative to the
    /// scene file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
    /// For bodies with `obstacle = true` whose mesh is a glTF file: the animation of its skeleton, by name or
    /// by number from 0. The body starts in its first pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animation: Option<AnimationModel>,
    /// For pins: a joint of a body that is moved by an `animation`. The pinned vertices follow it as if fixed
    /// to it at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<FollowedJoint>,
    /// With `cache` or `animation`: samples per second. Default: with `cache` the scene's frame rate divided
    /// by the sample rate in the file, with `animation` twice the scene's frame rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Positive<PerSecond>>,
    /// When the motion begins: with `cache` or `animation` a time, s; of pins and of bodies that are obstacles
    /// also the name of a stage, with which it begins whenever that does. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<MotionStart>,
    /// With `cache`: time in which the vertices go from the places of the mesh to the first sample, s, before
    /// the others follow. Default: 0, a jump if the two differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<NonNegative<Second>>,
    /// With `cache` or `animation`: start over after the last sample. Default: false, the last sample is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<bool>,
    /// With `cache` or `animation`: how vertices move from one sample to the next. Default: `"linear"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<InterpolationModel>,
    /// With `cache`: the coordinates that its points are in. Default: `"scene"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<CacheSpace>,
}

impl MotionModel {
    /// The time at which it begins, s: from the start of the scene or, if it begins with a stage, of that.
    pub(crate) fn start_time(&self) -> f64 {
        match &self.start {
            Some(MotionStart::Time(time)) => time.get(),
            Some(MotionStart::Stage(_)) | None => 0.0,
        }
    }

    /// The stage with which it begins, if it begins with one.
    #[must_use]
    pub fn stage(&self) -> Option<&str> {
        match &self.start {
            Some(MotionStart::Stage(name)) => Some(name),
            _ => None,
        }
    }
}

/// When a motion begins.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum MotionStart {
    /// At a time, s.
    Time(Finite<Second>),
    /// With the stage of this name.
    Stage(String),
}

impl<'de> Deserialize<'de> for MotionStart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = MotionStart;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a time, s, or the name of a stage")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(MotionStart::Stage(name.into()))
            }
            fn visit_f64<E: serde::de::Error>(self, time: f64) -> Result<Self::Value, E> {
                Finite::new(time).map(MotionStart::Time).map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, time: i64) -> Result<Self::Value, E> {
                self.visit_f64(time as f64)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A constant rotation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpinModel {
    /// Direction of the axis; its length does not matter.
    pub axis: Direction,
    /// Degrees per second, counter-clockwise seen from the tip of the axis.
    pub degrees_per_second: Finite<DegreePerSecond>,
}

/// A pose at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KeyframeModel {
    /// When, s.
    pub time: Finite<Second>,
    /// Displacement from rest, m. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector<Metre>>,
    /// Rotation from rest about the pivot; may be more than a turn. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<AxisAngle>,
}

/// A joint of the skeleton of another body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FollowedJoint {
    /// The name of the body, which has `motion = { animation = … }`.
    pub body: String,
    /// The name of the joint in its file.
    pub name: String,
}

/// How vertices move from one sample to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InterpolationModel {
    /// Straight, at constant speed.
    #[default]
    Linear,
    /// Along a cubic, so that speeds do not jump at the samples.
    Cubic,
}

/// The coordinates that the points of a cache are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CacheSpace {
    /// Those of the scene, as in the caches that the program writes.
    #[default]
    Scene,
    /// Those of the mesh, before the body's scale, rotation and translation.
    Mesh,
}

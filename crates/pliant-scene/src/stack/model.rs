//! The data of a stack file: plain structures of numbers within their bounds.
//!
//! [`StackModel`] is the file. As in a [scene](crate::model), a table in which *exactly one of* several keys
//! must be given has them all as options, and the checks say which are missing or too many.

mod deformer;
mod input;
mod output;
mod weights;

use serde::{Deserialize, Serialize};

pub use crate::model::AnimationModel;
use crate::model::unit::{PerSecond, Second};
use crate::model::{Finite, Frames, Positive};
pub use deformer::{
    Blend, CollideModel, ColliderModel, DeformerModel, DeltaMushModel, Iterations, JiggleModel, Meet,
    Neighbours, PublishedModel, RelaxModel, SkinningModel, SmoothModel, SpringModel, Sweeps,
};
pub use input::{CacheModel, ChainModel, CharacterModel, Ease, InputModel, JointModel, SequenceModel, Sums};
pub use output::StackOutputModel;
pub use weights::{AlongModel, FalloffShape, NearModel, RampModel, WeightsModel};

/// A stack of deformers of Pliant: where the animated mesh comes from, what is done to it, and what is written.
///
/// Lengths are metres, times seconds, angles degrees; y points up. Paths are relative to the stack file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemars", schemars(title = "Pliant deformer stack"))]
pub struct StackModel {
    /// Name of the stack, used in file names: letters, digits, `-` and `_`. Default: the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of frames. Default: all that the input has; for a skeleton, as many as its animation lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Frames>,
    /// Frames per second. Default: that of an MDD cache, else 30.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_rate: Option<Positive<PerSecond>>,
    /// For an animated skeleton: time of the first frame, s. Default: that of the animation's first key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Finite<Second>>,
    /// The mesh and how it moves.
    pub input: InputModel,
    /// The deformers from the first to the last, one `[[deformer]]` each. The usual order is skinning,
    /// collide, relax, smooth, jiggle; without any deformer, that order is used, without the collision. An
    /// input with a skeleton is skinned first if no deformer is `skinning`.
    #[serde(default, rename = "deformer", skip_serializing_if = "Vec::is_empty")]
    pub deformers: Vec<DeformerModel>,
    /// What is written.
    #[serde(default)]
    pub output: StackOutputModel,
}

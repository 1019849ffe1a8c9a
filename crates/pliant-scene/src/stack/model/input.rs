//! [`InputModel`]: the mesh at rest, and how it moves.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::choice::choice;
use crate::model::unit::Metre;
use crate::model::{AnimationModel, FileScale, KeyframeModel, MeshModel, NonNegative, Vector};

/// The mesh and how it moves: exactly one of `character`, `chain`, `cache` and `sequence`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct InputModel {
    /// A mesh with a skeleton and animations from a glTF or GLB file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterModel>,
    /// A mesh on a chain of joints that are given here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain: Option<ChainModel>,
    /// A mesh at rest and a point cache (PC2 or MDD) of it, already skinned by another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheModel>,
    /// Numbered mesh files (OBJ, PLY and others), already skinned by another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<SequenceModel>,
    /// With files: factor of all lengths, such as 0.01 for files in centimetres. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<FileScale>,
}

choice!(InputModel: "character" = character, "chain" = chain, "cache" = cache, "sequence" = sequence);

/// A skinned mesh from a glTF or GLB file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CharacterModel {
    /// Path of the file.
    pub file: PathBuf,
    /// Name or number, from 0, of the animation. Default: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<AnimationModel>,
    /// What is done with vertices whose weights do not sum to 1. Default: `"refuse"`.
    #[serde(default)]
    pub sums: Sums,
}

/// What is done with vertices whose weights do not sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sums {
    /// The file is refused if a sum is off by more than 0.02; less counts as rounding.
    #[default]
    Refuse,
    /// They are divided by their sum, and the program reports how many there were.
    Normalise,
}

/// A mesh on joints in a row, each carried by the one before.
///
/// Every joint except the first is at the end of a bone. Its plane goes through it at right angles to the
/// bones that meet there; vertices behind the plane follow the joint, those in front of it the joints before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChainModel {
    /// The mesh at rest: a surface.
    pub mesh: MeshModel,
    /// Length over which vertices pass from one joint to the next, half of it on either side of the joint's
    /// plane, m.
    pub blend: NonNegative<Metre>,
    /// How joints move from key to key. Default: `"linear"`.
    #[serde(default)]
    pub ease: Ease,
    /// The joints from the root on, one `[[input.chain.joint]]` each.
    #[serde(rename = "joint")]
    pub joints: Vec<JointModel>,
}

/// How joints move from key to key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ease {
    /// At constant speed.
    #[default]
    Linear,
    /// From rest to rest.
    Smooth,
    /// At once, when the key comes.
    Step,
}

/// A joint of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointModel {
    /// Name, by which weights and colliders refer to it. Default: `joint-1`, `joint-2` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Position at rest, m.
    pub at: Vector<Metre>,
    /// Poses at given times, in order, seen from the joint before. Neighbours are less than half a turn
    /// apart. Default: it does not move.
    #[serde(default, rename = "key", skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<KeyframeModel>,
}

/// A mesh and a point cache of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CacheModel {
    /// The mesh at rest: a surface with as many vertices as the cache, in the same order.
    pub rest: MeshModel,
    /// Path of the cache, PC2 or MDD. Its samples are the frames.
    pub file: PathBuf,
}

/// Numbered mesh files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SequenceModel {
    /// Path of the files, with `*` for the number: `"frames/arm_*.obj"`.
    pub files: PathBuf,
    /// The mesh at rest. Default: the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<MeshModel>,
}

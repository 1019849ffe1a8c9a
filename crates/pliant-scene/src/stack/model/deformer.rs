//! [`DeformerModel`]: one deformer of a stack.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::WeightsModel;
use crate::choice::choice;
use crate::model::unit::{Metre, PerSecond, RadianPerSecond, Second};
use crate::model::{
    Bounded, Count, MeshModel, NonNegative, Positive, RegionModel, Rotation, ScaleModel, UnitInterval, Vector,
};

/// A number of iterations of a deformer.
pub type Iterations = Count<0, 1000>;

/// A deformer: exactly one of `skinning`, `collide`, `relax`, `smooth`, `delta_mush` and `jiggle`, with `{}`
/// for its defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct DeformerModel {
    /// Name in the report. Default: the kind of deformer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Share of the effect of the deformer that is applied, from 0 to 1. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<UnitInterval>,
    /// An additional share for every vertex. Default: 1 everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<WeightsModel>,
    /// The joints carry the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skinning: Option<SkinningModel>,
    /// Vertices inside a collider are moved out along their normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collide: Option<CollideModel>,
    /// The edges of the mesh are brought back towards their lengths at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relax: Option<RelaxModel>,
    /// Vertices move towards the mean of their neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smooth: Option<SmoothModel>,
    /// Smoothing that restores the detail of the mesh at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_mush: Option<DeltaMushModel>,
    /// Vertices hang on springs from their target positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jiggle: Option<JiggleModel>,
}

choice!(DeformerModel: "skinning" = skinning, "collide" = collide, "relax" = relax, "smooth" = smooth, "delta_mush" = delta_mush, "jiggle" = jiggle);

/// The joints carry the mesh.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SkinningModel {
    /// How the motions of several joints are combined into that of a vertex. Default: `"linear"`.
    pub blend: Blend,
}

/// How the motions of several joints are combined into that of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Blend {
    /// The mean of their matrices, which loses volume if joints turn far.
    #[default]
    Linear,
    /// The mean of their rigid motions, which keeps the volume.
    DualQuaternion,
}

/// Vertices inside a collider are moved out along their normals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CollideModel {
    /// The largest depth at which a vertex is found, m.
    pub reach: Positive<Metre>,
    /// Distance that vertices keep from the collider that they were moved out of, m. Default: 0.
    #[serde(default)]
    pub clearance: NonNegative<Metre>,
    /// Which intersections of a vertex's ray with a collider count. Default: `"from-inside"`.
    #[serde(default)]
    pub meetings: Meet,
    /// Colliders that the skin must not be inside of, one `[[deformer.collide.collider]]` each.
    #[serde(rename = "collider")]
    pub colliders: Vec<ColliderModel>,
}

/// Which intersections of a ray with a collider count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Meet {
    /// Those of vertices inside the collider.
    #[default]
    FromInside,
    /// All, as published: a collider that is only near moves the skin too.
    Any,
}

/// A mesh that the skin must not be inside of.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColliderModel {
    /// The mesh: a surface, which must be closed if it has an inside.
    pub mesh: MeshModel,
    /// Scale factor, one for all axes or one for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleModel>,
    /// Rotation about the origin: `{ axis = [0, 1, 0], degrees = 90 }`, or three angles in degrees about x,
    /// then y, then z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Translation, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector<Metre>>,
    /// Whether it presses on the skin from outside, so that the skin gives way inwards. Default: false; the
    /// skin lies over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pusher: Option<bool>,
    /// The vertices of the skin that can meet it, in the mesh at rest. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<RegionModel>,
    /// Name of the joint that carries it. Default: it does not move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// Path of a point cache (PC2 or MDD) that moves it, a sample for each frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<PathBuf>,
}

/// The edges of the mesh are brought back towards their lengths at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RelaxModel {
    /// Sweeps over all edges. Default: 10.
    pub iterations: Iterations,
    /// Share of the error that a sweep takes from an edge that is too short, from 0 to 1. Default: 0.1.
    pub push: UnitInterval,
    /// Share of the error that a sweep takes from an edge that is too long, from 0 to 1. Default: 0.5.
    pub pull: UnitInterval,
    /// The order of the edges. Default: `"coloured"`.
    pub sweep: Sweeps,
    /// How easily vertices move: 0 is fixed, and the lighter end of an edge takes the larger part of a step.
    /// Default: all equally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lightness: Option<WeightsModel>,
    /// Whether vertices on the border of the mesh stay in place. Default: false.
    pub pin_borders: bool,
    /// Keep the distance of the two vertices across every edge too. Default: false.
    pub across_faces: bool,
    /// Keep the distance of all vertices within so many edges too, at least 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Count<2, 16>>,
    /// Keep the distance of all vertices within this distance at rest too, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Positive<Metre>>,
    /// Share of the change of each triangle's area that a sweep takes back, from 0 to 1. Default: 0.
    pub area: UnitInterval,
    /// Share of the change of the enclosed volume that a sweep takes back, from 0 to 1; closed meshes only. Default: 0.
    pub volume: UnitInterval,
    /// Share of the detail of the mesh at rest that is put back, from 0 to 1. Default: 0.
    pub restore: UnitInterval,
    /// With `restore`: iterations of smoothing that separate detail from shape. Default: 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restore_smoothing: Option<Iterations>,
}

impl Default for RelaxModel {
    fn default() -> Self {
        Self {
            iterations: Count::known(10),
            push: Bounded::known(0.1),
            pull: Bounded::known(0.5),
            sweep: Sweeps::default(),
            lightness: None,
            pin_borders: false,
            across_faces: false,
            neighbours: None,
            near: None,
            area: Bounded::known(0.0),
            volume: Bounded::known(0.0),
            restore: Bounded::known(0.0),
            restore_smoothing: None,
        }
    }
}

/// The order in which edges are relaxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sweeps {
    /// In clusters and lanes, in single precision: fast.
    #[default]
    Coloured,
    /// One after the other, in double precision: as published.
    Sequential,
    /// All from the same positions, each vertex moved by the mean.
    JacobiMean,
}

/// Vertices move towards the mean of their neighbours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SmoothModel {
    /// Number of iterations. Default: 4.
    pub iterations: Iterations,
    /// Share of the way that a vertex goes in an iteration, from 0 to 1. Default: 1.
    pub strength: UnitInterval,
    /// A factor of that for every vertex; 0 is fixed. Default: 1 everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobility: Option<WeightsModel>,
    /// How neighbours count. Default: `"uniform"`.
    pub neighbours: Neighbours,
    /// Whether vertices on the border of the mesh stay in place. Default: false.
    pub pin_borders: bool,
}

impl Default for SmoothModel {
    fn default() -> Self {
        Self {
            iterations: Count::known(4),
            strength: Bounded::known(1.0),
            mobility: None,
            neighbours: Neighbours::default(),
            pin_borders: false,
        }
    }
}

/// How neighbours count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Neighbours {
    /// All equally.
    #[default]
    Uniform,
    /// By the angles of the mesh at rest, so that vertices do not slide along the surface.
    Cotangent,
}

/// Smoothing that restores the detail of the mesh at rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct DeltaMushModel {
    /// Iterations of smoothing. Default: 10.
    pub iterations: Iterations,
    /// Share of the way that a vertex goes in an iteration, from 0 to 1. Default: 0.5.
    pub strength: UnitInterval,
    /// Share of the detail that is put back, from 0 to 1. Default: 1.
    pub detail: UnitInterval,
    /// How neighbours count. Default: `"uniform"`.
    pub neighbours: Neighbours,
}

impl Default for DeltaMushModel {
    fn default() -> Self {
        Self {
            iterations: Count::known(10),
            strength: Bounded::known(0.5),
            detail: Bounded::known(1.0),
            neighbours: Neighbours::default(),
        }
    }
}

/// Vertices hang on springs from their target positions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct JiggleModel {
    /// Angular frequency of the springs, rad/s. Default: 22.22.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Positive<RadianPerSecond>>,
    /// Damping ratio: below 1 they swing, at 1 they come to rest soonest. Default: 0.276.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<NonNegative>,
    /// Another spring where some weights are 1, and a spring in between for weights between 0 and 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vary: Option<SpringModel>,
    /// The published form instead of springs; its response depends on the frame rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedModel>,
    /// The farthest that a vertex may be from its target, m. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_stretch: Option<NonNegative<Metre>>,
}

/// A spring where some weights are 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SpringModel {
    /// The weights.
    pub weights: WeightsModel,
    /// Angular frequency there, rad/s. Default: the same as elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Positive<RadianPerSecond>>,
    /// Damping ratio there. Default: the same as elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<NonNegative>,
}

/// The published jiggle: one step of fixed length per frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PublishedModel {
    /// Factor of the velocity in each frame, from 0 to 1. Default: 0.6.
    pub damping: UnitInterval,
    /// Stiffness, 1/s. Default: 25.
    pub stiffness: NonNegative<PerSecond>,
    /// Step, s. Default: 1/24.
    pub step: NonNegative<Second>,
}

impl Default for PublishedModel {
    fn default() -> Self {
        Self {
            damping: Bounded::known(0.6),
            stiffness: Bounded::known(25.0),
            step: Bounded::known(1.0 / 24.0),
        }
    }
}

//! [`RegionModel`]: a part of a body, and the shapes that select one.

use serde::{Deserialize, Serialize};

use super::{Direction, GroupModel, Positive, Vec3, Vector};
use crate::choice::choice;

/// A part of a body, by exactly one of `vertices`, `group`, `box`, `half_space` and `sphere`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct RegionModel {
    /// Numbers of vertices, from 0, in the order of the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Vec<u32>>,
    /// A group of the mesh file: its vertices and those of its elements. Where elements are selected: its
    /// elements, or those all of whose vertices it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupModel>,
    /// What is within a box, its sides included.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub within_box: Option<SelectBox>,
    /// What is on one side of a plane and on the plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_space: Option<SelectHalfSpace>,
    /// What is within a ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SelectSphere>,
    /// Positions of `box`, `half_space` and `sphere` are fractions of the body's bounding box, 0 to 1 along
    /// each axis, instead of metres. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<bool>,
}

choice!(RegionModel: "vertices" = vertices, "group" = group, "box" = within_box, "half_space" = half_space, "sphere" = sphere);

/// A box with sides along the axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelectBox {
    /// Smallest coordinates; `-inf` is allowed.
    pub min: Vec3,
    /// Largest coordinates; `inf` is allowed.
    pub max: Vec3,
}

/// The side of a plane that its normal points to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelectHalfSpace {
    /// A point of the plane.
    pub point: Vector,
    /// Direction into the selected side; its length does not matter.
    pub normal: Direction,
}

/// A ball.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelectSphere {
    /// Centre.
    pub centre: Vector,
    /// Radius.
    pub radius: Positive,
}

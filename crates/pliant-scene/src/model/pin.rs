//! [`PinModel`]: vertices that are held or moved.

use serde::{Deserialize, Serialize};

use super::unit::{MetrePerNewton, Second};
use super::{GroupModel, MotionModel, NonNegative, RegionModel, SelectBox, SelectHalfSpace, SelectSphere};
use crate::choice::choice;

/// Vertices that are held or moved, selected by exactly one of `vertices`, `group`, `box`, `half_space`,
/// `sphere` and `all`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct PinModel {
    /// Numbers of vertices, from 0, in the order of the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<Vec<u32>>,
    /// The vertices of a group of the mesh file, and those of its elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupModel>,
    /// The vertices within a box, its sides included.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub within_box: Option<SelectBox>,
    /// The vertices on one side of a plane and on the plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_space: Option<SelectHalfSpace>,
    /// The vertices within a ball.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SelectSphere>,
    /// `true`: all vertices of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<bool>,
    /// Positions of `box`, `half_space` and `sphere` are fractions of the body's bounding box, 0 to 1 along
    /// each axis, instead of metres. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<bool>,
    /// How the vertices move. Default: they do not move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionModel>,
    /// Hold the vertices by springs of this compliance, m/N, instead of exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<MetrePerNewton>>,
    /// Relaxation time of those springs, s: beside each spring of stiffness k acts a dashpot of k times this
    /// time, which damps the vibration. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping_time: Option<NonNegative<Second>>,
    /// Time at which the vertices are released, s. Default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<NonNegative<Second>>,
}

choice!(PinModel: "vertices" = vertices, "group" = group, "box" = within_box, "half_space" = half_space, "sphere" = sphere, "all" = all);

impl PinModel {
    /// The region of the vertices that it holds, unless it holds `all`.
    #[must_use]
    pub fn region(&self) -> RegionModel {
        RegionModel {
            vertices: self.vertices.clone(),
            group: self.group.clone(),
            within_box: self.within_box.clone(),
            half_space: self.half_space.clone(),
            sphere: self.sphere.clone(),
            relative: self.relative,
        }
    }
}

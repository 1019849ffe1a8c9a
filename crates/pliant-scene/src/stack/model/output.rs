//! [`StackOutputModel`]: what a stack writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a stack writes. The mesh at rest is written beside it, as OBJ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StackOutputModel {
    /// File formats. Default: `["vtu", "pc2"]`.
    pub formats: Vec<StackFormat>,
    /// Write every n-th frame; all are computed. Default: 1.
    #[schemars(range(min = 1))]
    pub every: u32,
}

impl Default for StackOutputModel {
    fn default() -> Self {
        Self { formats: vec![StackFormat::Vtu, StackFormat::Pc2], every: 1 }
    }
}

/// A file format for a deformed mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StackFormat {
    /// VTK XML files with a PVD index: open the index in ParaView.
    Vtu,
    /// A point cache: Blender's Mesh Cache modifier on the mesh at rest.
    Pc2,
    /// A point cache with times: Blender, LightWave and most packages.
    Mdd,
    /// A Wavefront OBJ file for each frame.
    Obj,
    /// A binary PLY file for each frame.
    Ply,
    /// One file without a skin, each frame a morph target: short clips, at most 600 frames.
    Glb,
}

impl StackFormat {
    /// The name in a stack file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Glb => "glb",
        }
    }
}

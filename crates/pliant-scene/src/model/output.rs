//! [`OutputModel`]: what a run writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a run writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OutputModel {
    /// File formats. Default: `["vtu", "pc2"]`.
    pub formats: Vec<Format>,
    /// Write every n-th frame. Default: 1.
    #[schemars(range(min = 1))]
    pub every: u32,
    /// Data at the vertices of VTU files. Default: `["velocity"]`.
    pub fields: Vec<Field>,
    /// Of a solid with a fine surface, write the tetrahedra too (VTU). Default: true.
    pub simulation_mesh: bool,
}

impl Default for OutputModel {
    fn default() -> Self {
        Self {
            formats: vec![Format::Vtu, Format::Pc2],
            every: 1,
            fields: vec![Field::Velocity],
            simulation_mesh: true,
        }
    }
}

/// A file format for animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// VTK XML files with a PVD index: open the index in ParaView.
    Vtu,
    /// A point cache and a rest mesh: Blender's Mesh Cache modifier.
    Pc2,
    /// A Wavefront OBJ file for each frame.
    Obj,
    /// A binary PLY file for each frame.
    Ply,
}

impl Format {
    /// The name in a scene file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Pc2 => "pc2",
            Self::Obj => "obj",
            Self::Ply => "ply",
        }
    }
}

/// Data at the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// Velocity, m/s.
    Velocity,
    /// Displacement from the start, m.
    Displacement,
}

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
    /// Pictures of the run, drawn when it is done. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PicturesModel>,
    /// Where pictures of the scene are taken from.
    pub camera: CameraModel,
}

impl Default for OutputModel {
    fn default() -> Self {
        Self {
            formats: vec![Format::Vtu, Format::Pc2],
            every: 1,
            fields: vec![Field::Velocity],
            simulation_mesh: true,
            pictures: None,
            camera: CameraModel::default(),
        }
    }
}

/// Pictures of a run: `sheet.png`, a contact sheet, and `animation.gif`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PicturesModel {
    /// Draw the contact sheet. Default: true.
    pub sheet: bool,
    /// Draw the animation. Default: true.
    pub animation: bool,
    /// Pixels across and down of the animation. Default: `[480, 360]`.
    pub size: [u32; 2],
    /// `"body"`, each body its colour; `"none"`; `"strain"`, the change of lengths; or a field of the files. Default: `"body"`.
    #[serde(alias = "colour_by")]
    pub color_by: String,
}

impl Default for PicturesModel {
    fn default() -> Self {
        Self { sheet: true, animation: true, size: [480, 360], color_by: "body".to_owned() }
    }
}

/// Where pictures are taken from; how far away the camera stands follows from what there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CameraModel {
    /// Degrees from +z towards +x, as seen from above. Default: 38.
    pub azimuth: f64,
    /// Degrees above the horizon. Default: 16.
    #[schemars(range(min = -89, max = 89))]
    pub elevation: f64,
}

impl Default for CameraModel {
    fn default() -> Self {
        Self { azimuth: 38.0, elevation: 16.0 }
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

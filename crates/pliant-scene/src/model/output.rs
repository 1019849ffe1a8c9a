//! [`OutputModel`]: what a run writes.

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{Degree, Metre};
use super::{Bounded, Count, Elevation, FieldOfView, Finite, Frames, Vector};

/// The length of a side of a picture, pixels.
pub type Pixels = Count<16, 4096>;

/// What a run writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OutputModel {
    /// File formats. Default: `["vtu", "pc2"]`.
    pub formats: Vec<Format>,
    /// Write every n-th frame. Default: 1.
    pub every: Frames,
    /// Data at the vertices, in the formats that can hold them: VTU, PLY and USDA for all, OBJ and GLB for
    /// normals. Default: `["velocity"]`.
    pub fields: Vec<Field>,
    /// Whether the tetrahedra of a solid with a fine surface are written too. Default: true.
    pub simulation_mesh: SimulationMesh,
    /// Whether the state at the end is kept, from which another scene can start (`from`): `end.bin`. Default:
    /// true for a scene with stages or seams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_state: Option<bool>,
    /// Pictures of the run, drawn when it has finished. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<PicturesModel>,
    /// The camera of the pictures.
    pub camera: CameraModel,
}

impl Default for OutputModel {
    fn default() -> Self {
        Self {
            formats: vec![Format::Vtu, Format::Pc2],
            every: Frames::known(1),
            fields: vec![Field::Velocity],
            simulation_mesh: SimulationMesh::Flag(true),
            end_state: None,
            pictures: None,
            camera: CameraModel::default(),
        }
    }
}

/// Formats of the tetrahedra that carry a fine surface. Formats of surfaces get the boundary of the tetrahedra.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SimulationMesh {
    /// `true`: as VTU, if that is among the formats; `false`: not at all.
    Flag(bool),
    /// In these, whatever the formats of the fine surface.
    Formats(Vec<Format>),
}

impl SimulationMesh {
    /// The formats of the tetrahedra; `shown` are those of the fine surface.
    #[must_use]
    pub fn formats(&self, shown: &[Format]) -> Vec<Format> {
        match self {
            Self::Flag(true) => shown.iter().copied().filter(|format| *format == Format::Vtu).collect(),
            Self::Flag(false) => Vec::new(),
            Self::Formats(formats) => formats.clone(),
        }
    }
}

impl<'de> Deserialize<'de> for SimulationMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = SimulationMesh;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, false or a list of formats such as [\"vtu\"]")
            }

            fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<Self::Value, E> {
                Ok(SimulationMesh::Flag(flag))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(SimulationMesh::Formats)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Pictures of a run: `sheet.png`, a contact sheet, `animation.gif`, and a folder `plots`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PicturesModel {
    /// Draw the contact sheet. Default: true.
    pub sheet: bool,
    /// Draw the animation. Default: true.
    pub animation: bool,
    /// Plot energy, residuals, stretch and volume over time, as SVG and PNG. Default: true.
    pub plots: bool,
    /// Width and height of the animation, pixels. Default: `[480, 360]`.
    pub size: [Pixels; 2],
    /// `"body"`, each body in its own colour; `"none"`; `"strain"`, the change of lengths; `"contact"`, what
    /// touches; or one of the `fields`, the residuals by group, such as `"residual.edges"`. Default:
    /// `"body"`.
    #[serde(alias = "colour_by")]
    pub color_by: String,
}

impl Default for PicturesModel {
    fn default() -> Self {
        Self {
            sheet: true,
            animation: true,
            plots: true,
            size: [480, 360].map(Pixels::known),
            color_by: "body".to_owned(),
        }
    }
}

/// The camera of pictures: a direction, from a distance at which everything is visible, or a position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CameraModel {
    /// Degrees from +z towards +x, as seen from above. Default: 38.
    pub azimuth: Finite<Degree>,
    /// Degrees above the horizon. Default: 16.
    pub elevation: Elevation,
    /// Position of the camera, m, instead of a direction. Default: a position from which it sees everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eye: Option<Vector<Metre>>,
    /// With `eye`: the point that it looks at, m. Default: the middle of all that is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Vector<Metre>>,
    /// Degrees between the upper and the lower edge of the picture. Default: 30.
    pub field_of_view: FieldOfView,
}

impl Default for CameraModel {
    fn default() -> Self {
        Self {
            azimuth: Bounded::known(38.0),
            elevation: Bounded::known(16.0),
            eye: None,
            target: None,
            field_of_view: Bounded::known(30.0),
        }
    }
}

/// A file format for animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// VTK XML files with a PVD index: open the index in ParaView.
    Vtu,
    /// A point cache, and the mesh that it moves: Blender's Mesh Cache modifier.
    Pc2,
    /// A point cache with times: Blender, LightWave and most packages.
    Mdd,
    /// A USD stage as text, with time samples: Houdini, Maya, Blender, Omniverse.
    Usda,
    /// A Wavefront OBJ file for each frame.
    Obj,
    /// A binary PLY file for each frame.
    Ply,
    /// One glTF file in which each frame is a morph target: short clips, at most 600 frames and 512 MiB.
    Glb,
}

impl Format {
    /// The name in a scene file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
            Self::Usda => "usda",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Glb => "glb",
        }
    }

    /// Whether it moves the vertices of another file and holds no mesh itself.
    #[must_use]
    pub fn is_point_cache(self) -> bool {
        matches!(self, Self::Pc2 | Self::Mdd)
    }

    /// Whether it can hold a field.
    #[must_use]
    pub fn holds(self, field: Field) -> bool {
        match self {
            Self::Vtu | Self::Usda | Self::Ply => true,
            Self::Obj | Self::Glb => field == Field::Normal,
            Self::Pc2 | Self::Mdd => false,
        }
    }
}

/// Data at the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// Velocity, m/s.
    Velocity,
    /// Displacement from the start, m.
    Displacement,
    /// Unit normal of the surface, by the area of the triangles at a vertex; zero within a solid.
    Normal,
    /// Of solids: root mean square of the relative change of volume of the tetrahedra at a vertex since the
    /// start, percent.
    #[serde(rename = "volume_error")]
    VolumeError,
    /// For every group of constraints of a body a field `residual.GROUP`: the largest |C + α̃λ| of those at a
    /// vertex, in the unit of C.
    Residual,
}

impl Field {
    /// The name in a scene file; also that of the data, except for [`Residual`](Self::Residual).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Velocity => "velocity",
            Self::Displacement => "displacement",
            Self::Normal => "normal",
            Self::VolumeError => "volume_error",
            Self::Residual => "residual",
        }
    }
}

//! Where the mesh of a body comes from.

use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{MeshUnit, Metre};
use super::{ConeModel, Count, Parts, Positive, RepairModel};
use crate::choice::choice;

/// A mesh: the path of a file, or a table with exactly one of `file` and the generated shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum MeshModel {
    /// Path of a mesh file, relative to the scene file. Triangles make cloth, tetrahedra a solid.
    Path(PathBuf),
    /// A file with options, or a generated shape.
    Table(Box<MeshTable>),
}

impl Default for MeshModel {
    fn default() -> Self {
        Self::Table(Box::default())
    }
}

impl<'de> Deserialize<'de> for MeshModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PathOrTable;
        impl<'de> Visitor<'de> for PathOrTable {
            type Value = MeshModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the path of a mesh file or a table such as { block = { cells = [4, 4, 4], size = [1, 1, 1] } }")
            }

            fn visit_str<E: serde::de::Error>(self, path: &str) -> Result<Self::Value, E> {
                Ok(MeshModel::Path(path.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let table = MeshTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(MeshModel::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(PathOrTable)
    }
}

/// A mesh file with options, or a generated shape: exactly one of `file`, `surface`, the sheets and surfaces
/// (cloth) `grid`, `disc`, `cone`, `sphere`, `icosphere`, `cylinder`, `torus`, and the solids `block`, `ball`,
/// `solid_cylinder`, `solid_torus`. Generated shapes are centred on the origin.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct MeshTable {
    /// Path of a mesh file, relative to the scene file: OBJ, PLY, STL, OFF, glTF, USDA, Gmsh MSH, TetGen
    /// .node/.ele, MEDIT, Abaqus, VTK or VTU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Path of a triangle mesh that is filled with tetrahedra: closed, nearly closed or intersecting itself,
    /// or a sheet that becomes a shell. It is also the fine surface that the solid carries, unless `visual`
    /// says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<PathBuf>,
    /// With `surface` or a generated sheet or surface: how it is filled. Default with `surface`: 32 cells
    /// along the longest side, or as many more as needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tetrahedralize: Option<TetrahedralizeModel>,
    /// With `file`: what is done with vertices that no element uses, which would have no mass. Default:
    /// `"remove"`, which is reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreferenced: Option<Unreferenced>,
    /// With `file`: whether tetrahedra that are inside out are turned round by swapping two of their
    /// vertices. Default: false; they are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorient: Option<bool>,
    /// With `file`: what is done about a mesh with defects. Default: `"refuse"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairModel>,
    /// A flat sheet in the x-z plane (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridModel>,
    /// A flat round sheet in the x-z plane (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disc: Option<DiscModel>,
    /// The sheet between two level circles, or a sector of it: a skirt, a cape, or a flat ring (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cone: Option<ConeModel>,
    /// The surface of a ball, with poles (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereModel>,
    /// The surface of a ball, of even triangles (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icosphere: Option<IcosphereModel>,
    /// The surface of an upright cylinder (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<CylinderModel>,
    /// The surface of a ring that lies flat (cloth).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusModel>,
    /// A block of tetrahedra (solid).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<BlockModel>,
    /// A ball of tetrahedra (solid).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ball: Option<BallModel>,
    /// An upright rod of tetrahedra (solid).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solid_cylinder: Option<SolidCylinderModel>,
    /// A ring of tetrahedra that lies flat (solid).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solid_torus: Option<SolidTorusModel>,
}

choice!(MeshTable: "file" = file, "surface" = surface, "grid" = grid, "disc" = disc, "cone" = cone, "sphere" = sphere, "icosphere" = icosphere, "cylinder" = cylinder, "torus" = torus, "block" = block, "ball" = ball, "solid_cylinder" = solid_cylinder, "solid_torus" = solid_torus);

/// How a surface is filled with tetrahedra, all well shaped: no angle between two faces below 10.5°.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TetrahedralizeModel {
    /// Number of cells along the longest side. Default, unless `edge_length` is given: 32, or more, up to
    /// 128, if 32 lose parts of the surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Parts>,
    /// Instead of `cells`: length of the longest edges, in the unit of the mesh, before it is scaled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge_length: Option<Positive<MeshUnit>>,
    /// Fill a shell of this thickness around the surface instead of what it encloses, in the unit of the
    /// mesh, before it is scaled: for sheets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell_thickness: Option<Positive<MeshUnit>>,
    /// Larger tetrahedra far inside. Default: false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub graded: bool,
    /// Whether to accept a solid that lacks parts of the surface, because they are thinner than the edges, or
    /// because the surface is a sheet. Default: false; it is refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accept_losses: bool,
}

/// What is done with vertices that no element uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unreferenced {
    /// They are removed; vertices are renumbered, and the program reports how many there were.
    #[default]
    Remove,
    /// The scene is refused.
    Refuse,
}

/// A flat sheet in the x-z plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GridModel {
    /// Number of vertices along x and z, at least 2 each.
    pub vertices: [Parts<2>; 2],
    /// Size along x and z, m.
    pub size: [Positive<Metre>; 2],
    /// Which way the cells are divided. Default: `"alternating"`.
    #[serde(default)]
    pub diagonals: Diagonals,
}

/// Which way the cells of a sheet are divided into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Diagonals {
    /// All the same way.
    Parallel,
    /// In turn one way and the other, which resists shear evenly.
    #[default]
    Alternating,
}

/// A flat round sheet in the x-z plane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DiscModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Number of concentric rings of vertices.
    pub rings: Parts,
}

/// The surface of a ball with poles at its top and bottom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SphereModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Number of vertices around, at least 3.
    pub segments: Parts<3>,
    /// Number of strips from pole to pole, at least 2.
    pub rings: Parts<2>,
}

/// The surface of a ball, made from an icosahedron.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IcosphereModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Number of parts that each edge of the icosahedron is divided into; 20 times its square is the number
    /// of triangles.
    pub frequency: Parts,
}

/// The surface of an upright cylinder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CylinderModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Height, m.
    pub height: Positive<Metre>,
    /// Number of vertices around, at least 3.
    pub segments: Parts<3>,
    /// Number of strips along the height.
    pub rings: Parts,
    /// Whether the ends are closed. Default: `"open"`.
    #[serde(default)]
    pub caps: Caps,
}

/// The ends of a cylinder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Caps {
    /// A tube.
    #[default]
    Open,
    /// A closed can.
    Capped,
}

/// The surface of a ring that lies flat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TorusModel {
    /// Radius of the ring, from its centre to the middle of the tube, m.
    pub radius: Positive<Metre>,
    /// Radius of the tube, m.
    pub tube: Positive<Metre>,
    /// Number of vertices around the ring, at least 3.
    pub segments: Parts<3>,
    /// Number of vertices around the tube, at least 3.
    pub sides: Parts<3>,
}

/// A block of tetrahedra.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlockModel {
    /// Number of cells along x, y and z.
    pub cells: [Parts; 3],
    /// Size along x, y and z, m.
    pub size: [Positive<Metre>; 3],
    /// How a cell is divided. Default: `"kuhn"`.
    #[serde(default)]
    pub split: Split,
}

/// How a cell is divided into tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Six tetrahedra around a diagonal, all cells alike.
    #[default]
    Kuhn,
    /// Five tetrahedra, mirrored from cell to cell.
    Five,
}

/// A ball of tetrahedra.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BallModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Number of concentric shells; 20 times its cube is the number of tetrahedra.
    pub shells: Parts,
}

/// An upright rod of tetrahedra.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolidCylinderModel {
    /// Radius, m.
    pub radius: Positive<Metre>,
    /// Height, m.
    pub height: Positive<Metre>,
    /// Number of concentric rings of vertices.
    pub rings: Parts,
    /// Number of layers along the height.
    pub layers: Parts,
}

/// A ring of tetrahedra that lies flat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolidTorusModel {
    /// Radius of the ring, from its centre to the middle of the tube, m.
    pub radius: Positive<Metre>,
    /// Radius of the tube, m.
    pub tube: Positive<Metre>,
    /// Number of slices around the ring, at least 3.
    pub segments: Parts<3>,
    /// Number of concentric rings of vertices within the tube.
    pub rings: Parts,
}

/// A fine surface that a body carries along: `sheet` for cloth, and for a solid exactly one of `file`, `boundary` and
/// the generated surfaces.
///
/// It has the same coordinates as the body's mesh and is moved with it by the body's transform. It may reach
/// outside the solid.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct VisualModel {
    /// Path of a triangle mesh, relative to the scene file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The solid's own boundary, refined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<BoundaryModel>,
    /// The cloth's own triangles, refined. The smooth surface is the limit of the rule of Loop (1987), and keeps to the
    /// triangles where it would cross what they do not cross.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<BoundaryModel>,
    /// The surface of a ball, with poles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sphere: Option<SphereModel>,
    /// The surface of a ball, of even triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icosphere: Option<IcosphereModel>,
    /// The surface of an upright cylinder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<CylinderModel>,
    /// The surface of a ring that lies flat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torus: Option<TorusModel>,
}

choice!(VisualModel: "file" = file, "boundary" = boundary, "sheet" = sheet, "sphere" = sphere, "icosphere" = icosphere, "cylinder" = cylinder, "torus" = torus);

/// The boundary of a solid, or the triangles of a cloth, refined.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BoundaryModel {
    /// How many times each triangle is divided into four, 0 to 6. Default: 0.
    pub subdivide: Count<0, 6>,
    /// Whether to round off the refined surface by the rule of Loop (1987) instead of keeping its facets.
    /// Default: false.
    pub smooth: bool,
}

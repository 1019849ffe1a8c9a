//! [`Format`]: the formats by name.

use std::fmt;
use std::path::Path;

/// A mesh file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY, text or binary of either byte order.
    Ply,
    /// STL, text or binary.
    Stl,
    /// Object file format (Geomview OFF).
    Off,
    /// TetGen `.node` and `.ele`.
    TetGen,
    /// Gmsh MSH.
    Msh,
    /// Legacy VTK.
    VtkLegacy,
    /// VTK XML: unstructured grid (`.vtu`) or polygonal data (`.vtp`).
    Vtu,
    /// MEDIT `.mesh`, text.
    Medit,
    /// Abaqus input file `.inp`.
    Abaqus,
    /// `.t`: lines of vertices and tetrahedra, as Gaia uses them.
    Gaia,
    /// MuJoCo's binary `.msh`.
    Mujoco,
    /// glTF 2.0, as JSON or GLB.
    Gltf,
    /// USD as text.
    Usda,
}

impl Format {
    pub(crate) const KNOWN: &'static str = "OBJ, PLY, STL, OFF, glTF and GLB, USDA, TetGen .node/.ele, Gmsh .msh, MEDIT .mesh, Abaqus .inp, legacy VTK .vtk, .vtu and .vtp";

    /// The format of a file name's extension, if it is known.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            "off" => Some(Self::Off),
            "node" | "ele" => Some(Self::TetGen),
            "msh" => Some(Self::Msh),
            "vtk" => Some(Self::VtkLegacy),
            "vtu" | "vtp" => Some(Self::Vtu),
            "mesh" | "meshb" => Some(Self::Medit),
            "inp" => Some(Self::Abaqus),
            "t" => Some(Self::Gaia),
            "gltf" | "glb" => Some(Self::Gltf),
            "usda" | "usd" | "usdc" | "usdz" => Some(Self::Usda),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Stl => "STL",
            Self::Off => "OFF",
            Self::TetGen => "TetGen",
            Self::Msh => "Gmsh MSH",
            Self::VtkLegacy => "legacy VTK",
            Self::Vtu => "VTU",
            Self::Medit => "MEDIT",
            Self::Abaqus => "Abaqus",
            Self::Gaia => "Gaia .t",
            Self::Mujoco => "MuJoCo .msh",
            Self::Gltf => "glTF",
            Self::Usda => "USDA",
        })
    }
}

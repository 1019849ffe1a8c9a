//! The formats, told apart by their content first and by the name second.

use std::fmt;
use std::path::Path;

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;
use crate::utf16;

mod abaqus;
mod cells;
mod cursor;
mod gaia;
mod gltf;
mod medit;
mod msh;
mod mujoco;
mod obj;
mod off;
mod ply;
mod split;
mod stl;
mod tetgen;
mod tokens;
mod usda;
mod vtk;
mod vtk_legacy;
mod vtu_read;

pub(crate) use cursor::Cursor;
pub(crate) use gltf::read_character;

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

    /// The format that the content of a file shows, if it shows one.
    #[must_use]
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        let bytes = without_mark(bytes);
        let head = &bytes[..bytes.len().min(4096)];
        let text = head.trim_ascii_start();
        if text.starts_with(b"ply") && text.get(3).is_some_and(u8::is_ascii_whitespace) {
            return Some(Self::Ply);
        }
        if text.len() >= 5 && text[..5].eq_ignore_ascii_case(b"# vtk") {
            return Some(Self::VtkLegacy);
        }
        if text.starts_with(b"<") && contains(text, b"<VTKFile") {
            return Some(Self::Vtu);
        }
        if text.starts_with(b"$") && text.get(1).is_some_and(u8::is_ascii_alphabetic) {
            return Some(Self::Msh);
        }
        if stl::is_binary(bytes) || stl::is_text(text) {
            return Some(Self::Stl);
        }
        if off::is_off(text) {
            return Some(Self::Off);
        }
        if text.starts_with(medit::MAGIC) {
            return Some(Self::Medit);
        }
        if text.starts_with(usda::MAGIC) || bytes.starts_with(b"PXR-USDC") {
            return Some(Self::Usda);
        }
        if gltf::is_gltf(text) {
            return Some(Self::Gltf);
        }
        if abaqus::is_abaqus(text) {
            return Some(Self::Abaqus);
        }
        if gaia::is_gaia(text) {
            return Some(Self::Gaia);
        }
        // Last, since only its size identifies it.
        mujoco::is_mujoco(bytes).then_some(Self::Mujoco)
    }

    /// The format that a file name's extension stands for, if it is one of the known.
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

    /// Reads a file of this format.
    pub(crate) fn read(self, source: &Source<'_>) -> Result<RawMesh, ImportError> {
        utf16::refuse(source)?;
        match self {
            Self::Obj => obj::read(source),
            Self::Ply => ply::read(source),
            Self::Stl => stl::read(source),
            Self::Off => off::read(source),
            Self::TetGen => tetgen::read(source),
            Self::Msh => msh::read(source),
            Self::VtkLegacy => vtk_legacy::read(source),
            Self::Vtu => vtu_read::read(source),
            Self::Medit => medit::read(source),
            Self::Abaqus => abaqus::read(source),
            Self::Gaia => gaia::read(source),
            Self::Mujoco => mujoco::read(source),
            Self::Gltf => gltf::read(source),
            Self::Usda => usda::read(source),
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

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The content behind a byte order mark, which some editors put before a text.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

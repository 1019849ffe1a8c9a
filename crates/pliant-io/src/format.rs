//! The formats, recognised first by their content and then by the name.

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;
use crate::utf16::{self, without_mark};

mod abaqus;
mod cells;
mod cursor;
mod gaia;
mod gltf;
mod medit;
mod msh;
mod mujoco;
mod name;
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
pub use name::Format;

impl Format {
    /// The format that the content of a file shows, if any.
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

    /// Reads a file of this format.
    pub(crate) fn read(self, source: &Source<'_>) -> Result<RawMesh, ImportError> {
        utf16::refuse(source, Self::from_content(source.bytes).is_some())?;
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

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

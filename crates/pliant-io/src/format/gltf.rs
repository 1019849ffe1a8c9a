//! glTF 2.0: triangles of all nodes of a scene, from JSON with buffers beside it or from a single binary file (GLB).
//!
//! Source: Khronos Group, *glTF 2.0 Specification* (2021). Every node with a mesh gives its own copy, placed
//! by the transforms of the node and those above it; triangles, strips and fans are read, points and lines
//! are counted. Primitives of one node that name the same positions share their vertices. Skins and morph
//! targets are left in their rest shape; [`read_character`] reads skins with their skeletons and animations.
//! The crate `gltf` was not used because its iterators over accessors panic on files that break the
//! specification.

mod accessor;
mod buffers;
mod character;
mod clip;
mod json;
mod reading;
mod skin;
mod transform;

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;

pub(crate) use character::read_character;
use json::parse;
use reading::Reading;

/// Whether a file is a GLB, or JSON with the properties that a glTF file must have; `text` has no white space in front.
pub(crate) fn is_gltf(text: &[u8]) -> bool {
    let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    text.starts_with(b"glTF")
        || (text.starts_with(b"{")
            && has(b"\"asset\"")
            && [&b"\"version\""[..], b"\"generator\"", b"\"copyright\""].iter().any(|part| has(part)))
        || (text.starts_with(b"{") && has(b"\"bufferView\""))
}

/// Reads a glTF file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let (root, chunk) = parse(source)?;
    let mut reading = Reading::new(source, &root, chunk);
    reading.scene()?;
    Ok(reading.finish())
}

#[cfg(test)]
mod tests;

//! [`read_character`]: a skinned mesh from a file.

use std::path::Path;

use pliant_mesh::WeightSums;

use crate::character::Character;
use crate::error::ImportError;
use crate::format::read_character as read_gltf;
use crate::read::MeshFile;
use crate::source::Source;
use crate::utf16::without_mark;

/// Reads the skinned meshes of a glTF or GLB file with their skeleton and all animations. `sums` decides how
/// vertices are handled whose weights do not sum to 1.
///
/// ```no_run
/// use pliant_io::read_character;
/// use pliant_mesh::WeightSums;
///
/// let fox = read_character("Fox.glb", WeightSums::Refuse(0.02))?;
/// for clip in &fox.clips {
///     let [start, end] = clip.range().unwrap_or_default();
///     println!("{}: {} s", clip.name(), end - start);
/// }
/// # Ok::<(), pliant_io::ImportError>(())
/// ```
///
/// # Errors
///
/// If the file cannot be read or is damaged, if no mesh of its scene has a skin, or if the skeleton, the skin
/// or an animation is invalid: weights that do not sum to 1 where that is refused, a joint without a size,
/// keys that are not finite or not in order.
pub fn read_character(path: impl AsRef<Path>, sums: WeightSums) -> Result<Character, ImportError> {
    MeshFile::open(path)?.character(sums)
}

/// Reads a character from bytes in memory; `name` is its name in errors and in the report.
///
/// # Errors
///
/// As [`read_character`].
pub fn read_character_bytes(bytes: &[u8], name: &str, sums: WeightSums) -> Result<Character, ImportError> {
    read_gltf(&Source { path: None, name, bytes: without_mark(bytes), attributes: false }, sums)
}

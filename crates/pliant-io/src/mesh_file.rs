//! [`MeshFile`]: a file that is loaded once, for more than one reader.

use std::path::{Path, PathBuf};

use pliant_mesh::WeightSums;

use crate::character::Character;
use crate::error::ImportError;
use crate::format::read_character;
use crate::load::load;
use crate::progress::Reading;
use crate::read::ReadOptions;
use crate::report::Imported;
use crate::source::Source;
use crate::utf16::without_mark;

/// The bytes of a file, from which its mesh and its character can be read.
///
/// ```no_run
/// use pliant_io::{MeshFile, ReadOptions};
/// use pliant_mesh::WeightSums;
///
/// let file = MeshFile::open("Fox.glb")?;
/// let (mesh, fox) = (file.mesh(ReadOptions::default())?, file.character(WeightSums::Normalise)?);
/// println!("{} vertices, {} animations", mesh.mesh.positions().len(), fox.clips.len());
/// # Ok::<(), pliant_io::ImportError>(())
/// ```
#[derive(Debug)]
pub struct MeshFile {
    path: PathBuf,
    name: String,
    bytes: Vec<u8>,
    _ended: Ended,
}

impl MeshFile {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let ended = Ended;
        let bytes = load(path)?;
        Ok(Self { path: path.to_owned(), name: path.display().to_string(), bytes, _ended: ended })
    }

    /// The mesh in it, of whatever known format.
    ///
    /// # Errors
    ///
    /// As [`ReadOptions::read`].
    pub fn mesh(&self, options: ReadOptions) -> Result<Imported, ImportError> {
        options.read_file(&self.path, &self.name, &self.bytes)
    }

    /// Its skinned meshes with their skeleton and all animations.
    ///
    /// # Errors
    ///
    /// As [`read_character`](crate::read_character).
    pub fn character(&self, sums: WeightSums) -> Result<Character, ImportError> {
        let Self { path, name, bytes, .. } = self;
        read_character(
            &Source { path: Some(path), name, bytes: without_mark(bytes), attributes: false },
            sums,
        )
    }
}

/// Signals that reading a file has ended, successfully or not.
#[derive(Debug)]
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        if let Some(reading) = Reading::watching() {
            reading.end();
        }
    }
}

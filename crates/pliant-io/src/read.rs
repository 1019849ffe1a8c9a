//! The entry: from a path to a mesh and its report.

use std::io;
use std::path::{Path, PathBuf};

use pliant_mesh::WeightSums;

use crate::character::Character;
use crate::error::ImportError;
use crate::finish::finish;
use crate::format::{Format, read_character};
use crate::load::{HAS_FILES, load};
use crate::progress::Reading;
use crate::report::Imported;
use crate::source::Source;
use crate::utf16::{self, without_mark};

/// Reads a mesh file, of whatever known format it is.
///
/// # Errors
///
/// If the file cannot be read as a mesh: see [`ImportError`].
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Imported, ImportError> {
    ReadOptions::default().read(path)
}

/// Reads a mesh from bytes in memory; `name` is its name in errors and in the report.
///
/// # Errors
///
/// As [`read_mesh`].
pub fn read_mesh_bytes(format: Format, bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    ReadOptions::default().read_bytes(format, bytes, name)
}

/// The parts of a mesh file to read: the mesh alone, or its attributes too.
///
/// Attributes cost time and memory, and a file whose attributes are damaged may still hold a valid mesh, so
/// they are read only on request.
///
/// ```
/// use pliant_io::{Format, Location, ReadOptions};
///
/// let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng front\nf 1 2 3\ng back\nf 1 3 4\n";
/// let read = ReadOptions::with_attributes().read_bytes(Format::Obj, text, "square.obj")?;
/// let back = read.attributes.group("back", Location::Elements).unwrap();
/// assert_eq!(back.members(), [1]);
/// # Ok::<(), pliant_io::ImportError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whether attributes and groups are kept. Default: false.
    pub attributes: bool,
}

impl ReadOptions {
    /// The mesh with all attributes and groups of the file.
    #[must_use]
    pub fn with_attributes() -> Self {
        Self { attributes: true }
    }

    /// Reads a mesh file, of whatever known format it is.
    ///
    /// # Errors
    ///
    /// As for [`read_mesh`]; and if attributes are wanted, for one that is damaged.
    pub fn read(self, path: impl AsRef<Path>) -> Result<Imported, ImportError> {
        MeshFile::open(path)?.mesh(self)
    }

    /// Reads the bytes of a file of whatever known format.
    pub(crate) fn read_file(self, path: &Path, name: &str, bytes: &[u8]) -> Result<Imported, ImportError> {
        let source = self.source(Some(path), name, bytes);
        let named = Format::from_path(path);
        let Some(format) = Format::from_content(bytes).or(named) else {
            utf16::refuse(&source, false)?;
            return Err(ImportError::UnknownFormat { file: name.to_owned() });
        };
        let raw = format.read(&source)?;
        let mut imported = finish(&source, format, raw)?;
        if let Some(named) = named.filter(|&named| named != format) {
            imported.report.notes.push(format!("the name says {named}, the content is {format}"));
        }
        Ok(imported)
    }

    /// Reads a mesh from bytes in memory; `name` is its name in errors and in the report.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_bytes(self, format: Format, bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
        let source = self.source(None, name, bytes);
        let raw = format.read(&source)?;
        finish(&source, format, raw)
    }

    fn source<'a>(self, path: Option<&'a Path>, name: &'a str, bytes: &'a [u8]) -> Source<'a> {
        Source { path, name, bytes: without_mark(bytes), attributes: self.attributes }
    }
}

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
        if !HAS_FILES {
            return Err(self.unsupported());
        }
        options.read_file(&self.path, &self.name, &self.bytes)
    }

    /// Its skinned meshes with their skeleton and all animations.
    ///
    /// # Errors
    ///
    /// As [`read_character`](crate::read_character).
    pub fn character(&self, sums: WeightSums) -> Result<Character, ImportError> {
        if !HAS_FILES {
            return Err(self.unsupported());
        }
        let Self { path, name, bytes, .. } = self;
        read_character(
            &Source { path: Some(path), name, bytes: without_mark(bytes), attributes: false },
            sums,
        )
    }

    /// The error where there are no files.
    fn unsupported(&self) -> ImportError {
        ImportError::Io { path: self.path.clone(), source: io::ErrorKind::Unsupported.into() }
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

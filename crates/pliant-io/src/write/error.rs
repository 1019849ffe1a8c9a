//! Errors of writing files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::attributes::AttributeError;

/// A mesh or a frame that could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The operating system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The name has no extension of a format that can be written.
    #[error(
        "cannot write {}: the name has no extension of a format that can be written; use .obj, .ply, .stl, .off, .glb, .usda, .vtp, \
         .vtu, .vtk, .msh, .mesh, .inp, .node or .ele",
        path.display()
    )]
    UnknownFormat {
        /// The path given.
        path: PathBuf,
    },
    /// An attribute or a group does not fit the mesh.
    #[error("cannot write {}: {source}", path.display())]
    Attribute {
        /// The file.
        path: PathBuf,
        /// Which, and why.
        source: AttributeError,
    },
    /// The format holds solids only.
    #[error(
        "cannot write {}: the format holds tetrahedra, and the mesh is a surface; fill it first, or use .obj, .ply or .vtu",
        path.display()
    )]
    NotASolid {
        /// The path given.
        path: PathBuf,
    },
    /// The format holds surfaces only.
    #[error(
        "cannot write {}: the format holds surfaces, and the mesh is of tetrahedra; use .vtu for these, or .ply, .obj or .stl \
         for their boundary",
        path.display()
    )]
    NotASurface {
        /// The path given.
        path: PathBuf,
    },
    /// A frame does not fit the mesh that the writer was made for.
    #[error("cannot write frame {frame} of {}: {found} {what}, but the mesh has {expected}", path.display())]
    Length {
        /// The file or series.
        path: PathBuf,
        /// Number of the frame, from 0.
        frame: usize,
        /// The list that is too long or too short.
        what: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number is NaN or infinite, or becomes so in the precision of the file.
    #[error("cannot write frame {frame} of {}: {what} {index} is not finite", path.display())]
    NonFinite {
        /// The file or series.
        path: PathBuf,
        /// Number of the frame, from 0.
        frame: usize,
        /// What the number belongs to.
        what: String,
        /// Index of the vertex or element, from 0.
        index: usize,
    },
    /// The time of a frame is not after that of the one before.
    #[error("cannot write frame {frame} of {}: its time {time} s does not follow {previous} s", path.display())]
    Time {
        /// The series.
        path: PathBuf,
        /// Number of the frame, from 0.
        frame: usize,
        /// Its time, seconds.
        time: f64,
        /// The time of the frame before, seconds.
        previous: f64,
    },
    /// The count exceeds the limit of the format.
    #[error("cannot write {}: {count} {what}; the format can hold {limit}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The things that are too many.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}

impl ExportError {
    /// Puts the path to an error of the operating system.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

//! Errors in mesh files.

use std::fmt;
use std::io;
use std::path::PathBuf;

use pliant_mesh::{ClipError, SkeletonError, SkinError};
use thiserror::Error;

use crate::attributes::AttributeError;

/// Where in a file something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(usize),
    /// A byte offset, counted from 0.
    Byte(usize),
    /// A vertex, counted from 0.
    Vertex(usize),
    /// A triangle, counted from 0 after polygons have been split.
    Triangle(usize),
    /// A tetrahedron, counted from 0.
    Tet(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Vertex(index) => write!(f, "vertex {index} (numbered from 0)"),
            Self::Triangle(index) => write!(f, "triangle {index} (numbered from 0)"),
            Self::Tet(index) => write!(f, "tetrahedron {index} (numbered from 0)"),
        }
    }
}

/// Why a file could not be read, for a message: plainly where it is missing, else in the words of the operating system.
///
/// ```
/// let error = std::fs::read("missing.csv").unwrap_err();
/// assert_eq!(pliant_io::unreadable(&error), "there is no such file");
/// ```
#[must_use]
pub fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// A mesh file that could not be read.
///
/// Every message names the file, the place in it, and what was expected there or what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The operating system refused to read the file.
    #[error("cannot read {}: {}", path.display(), unreadable(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The path is a directory, a device or a pipe.
    #[error("{} is {what}; give the path of a mesh file", path.display())]
    NotAFile {
        /// The path given.
        path: PathBuf,
        /// `"a directory"` or what else it is.
        what: &'static str,
    },
    /// Neither the content nor the name shows the format.
    #[error(
        "{file}: neither the content nor the name shows the format; mesh files read here are {}",
        crate::format::Format::KNOWN
    )]
    UnknownFormat {
        /// Name of the file.
        file: String,
    },
    /// The file does not follow its format.
    #[error("{file}, {place}: found {found}, expected {expected}")]
    Parse {
        /// Name of the file.
        file: String,
        /// Where.
        place: Place,
        /// The text found there.
        found: String,
        /// The text expected there.
        expected: String,
    },
    /// The file ends early.
    #[error("{file}, {place}: the file ends here, expected {expected}; is it complete?")]
    Truncated {
        /// Name of the file.
        file: String,
        /// Where.
        place: Place,
        /// What should follow.
        expected: String,
    },
    /// An element refers to a vertex that does not exist.
    #[error("{file}, {place}: refers to vertex {index}, but {}", describe_range(*first, *vertices))]
    IndexOutOfRange {
        /// Name of the file.
        file: String,
        /// Where.
        place: Place,
        /// The number found, as the file counts.
        index: i64,
        /// The number of the first vertex, as the file counts: 0 or 1.
        first: i64,
        /// Number of vertices in the file.
        vertices: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("{file}, {place}: a coordinate is {value}; every coordinate must be a finite number")]
    NonFinite {
        /// Name of the file.
        file: String,
        /// Where.
        place: Place,
        /// The value found.
        value: f64,
    },
    /// An element names a vertex twice and so has no area or volume in any pose.
    #[error("{file}, {place}: the {element} names vertex {index} twice; remove the element")]
    RepeatedVertex {
        /// Name of the file.
        file: String,
        /// Where.
        place: Place,
        /// `"triangle"`, `"polygon"` or `"tetrahedron"`.
        element: &'static str,
        /// The vertex found twice, as the file counts.
        index: i64,
    },
    /// There is nothing to simulate in the file.
    #[error("{file}: holds {vertices} vertices but no triangle and no tetrahedron{}", detail(skipped))]
    NoElements {
        /// Name of the file.
        file: String,
        /// Number of vertices found.
        vertices: usize,
        /// What was found instead, such as `"12 line segments"`; may be empty.
        skipped: String,
    },
    /// An attribute or a group does not fit the mesh.
    #[error("{file}: {source}")]
    Attribute {
        /// Name of the file.
        file: String,
        /// Which, and why.
        source: AttributeError,
    },
    /// The file is valid but holds something that is not supported.
    #[error("{file}: {what} cannot be read; {instead}")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// What is not supported.
        what: String,
        /// What to do about it.
        instead: String,
    },
    /// A mesh of two files lacks one of them.
    #[error("{file}: its {what} {} cannot be read: {source}", path.display())]
    MissingSibling {
        /// Name of the file given.
        file: String,
        /// What the other file holds.
        what: &'static str,
        /// The other file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// No mesh of the file has a skin.
    #[error(
        "{file}: none of its {meshes} meshes has a skin (it has {found}); export the mesh with its armature, or give a point cache of it"
    )]
    NoSkin {
        /// Name of the file.
        file: String,
        /// Number of meshes of the scene, all without a skin.
        meshes: usize,
        /// Skins and animations in the file.
        found: String,
    },
    /// The skin of the file cannot be used.
    #[error("{file}: {source}")]
    Skin {
        /// Name of the file.
        file: String,
        /// Why.
        source: SkinError,
    },
    /// The nodes do not form trees.
    #[error("{file}: {source}")]
    Skeleton {
        /// Name of the file.
        file: String,
        /// Why.
        source: SkeletonError,
    },
    /// An animation cannot be used.
    #[error("{file}, {animation}: {source}")]
    Animation {
        /// Name of the file.
        file: String,
        /// Number and name of the animation.
        animation: String,
        /// Why.
        source: ClipError,
    },
    /// A frame of a sequence of files has other vertices or triangles than the first.
    #[error("{file}: {what} differ from those of {first}; the mesh must be the same in all frames")]
    Topology {
        /// Name of the file.
        file: String,
        /// What is different, with numbers.
        what: String,
        /// Name of the first file.
        first: String,
    },
    /// A number is missing in a sequence of files.
    #[error("{}: {problem}", pattern.display())]
    Sequence {
        /// The path with its placeholder.
        pattern: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Something is larger than the numbers used here can count.
    #[error("{file}: {count} {what}; at most {limit} can be read")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// The things that are too many.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The mesh is not of the requested kind.
    #[error("{file}: holds {held}, but {wanted} needed here; {instead}")]
    WrongKind {
        /// Name of the file.
        file: String,
        /// What the file holds.
        held: &'static str,
        /// The requested kind, with its verb.
        wanted: &'static str,
        /// What to do about it.
        instead: &'static str,
    },
}

fn describe_range(first: i64, vertices: usize) -> String {
    if vertices == 0 {
        "the file has no vertices".to_owned()
    } else {
        let last = i64::try_from(vertices).unwrap_or(i64::MAX).saturating_add(first - 1);
        format!("the vertices are numbered {first} to {last}")
    }
}

fn detail(skipped: &str) -> String {
    if skipped.is_empty() { String::new() } else { format!(" (found instead: {skipped})") }
}

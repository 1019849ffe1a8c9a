//! [`Location`]: vertices or elements.

use std::fmt;

/// What a value of a [`Field`](crate::Field) belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// A vertex of the mesh.
    Vertices,
    /// A triangle or tetrahedron of the mesh.
    Elements,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vertices => "vertices",
            Self::Elements => "elements",
        })
    }
}

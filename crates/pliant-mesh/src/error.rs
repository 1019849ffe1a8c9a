//! Errors in the arrays of a mesh.

use thiserror::Error;

/// A mesh refused by [`TriMesh::new`](crate::TriMesh::new) or [`TetMesh::new`](crate::TetMesh::new).
///
/// Every variant names the first offending element or vertex, counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// An element refers to a vertex that does not exist.
    #[error(
        "{kind} {element} refers to vertex {index}, but the mesh has {vertices} vertices (numbered from 0)"
    )]
    IndexOutOfRange {
        /// `"triangle"` or `"tetrahedron"`.
        kind: &'static str,
        /// Index of the element.
        element: usize,
        /// The vertex index found there.
        index: u32,
        /// Number of vertices of the mesh.
        vertices: usize,
    },
    /// An element names the same vertex twice, so that it has no area or volume in any pose.
    #[error("{kind} {element} names vertex {index} twice; remove the element or weld differently")]
    RepeatedVertex {
        /// `"triangle"` or `"tetrahedron"`.
        kind: &'static str,
        /// Index of the element.
        element: usize,
        /// The vertex index found twice.
        index: u32,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has the position ({}, {}, {}), which is not finite", position[0], position[1], position[2])]
    NonFinitePosition {
        /// Index of the vertex.
        vertex: usize,
        /// The position found there.
        position: [f64; 3],
    },
    /// Vertices are numbered by `u32`.
    #[error("the mesh has {vertices} vertices; at most {} can be numbered", u32::MAX)]
    TooManyVertices {
        /// Number of vertices given.
        vertices: usize,
    },
}

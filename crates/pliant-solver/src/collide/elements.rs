//! [`Elements`]: which two elements a pair is of, and what counts as near.

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_contact::{Closest, Detector, NearPair, edge_edge, vertex_triangle};
use pliant_kernel::Scalar;

/// A pair gets a contact where it would come nearer than this multiple of the distance to keep.
pub(super) const NEAR: f64 = 1.2;

/// Which two elements the pairs of a pack are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Elements {
    VertexTriangle,
    EdgeEdge,
}

impl Elements {
    /// Number of points of the first element.
    pub(super) fn split(self) -> usize {
        match self {
            Self::VertexTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }

    /// Its place among the sorts.
    pub(super) fn place(self) -> usize {
        self.split() - 1
    }

    /// The closest points of a pair at these positions.
    #[inline(always)]
    pub(super) fn closest<R: Real>(self, x: &[Vector3<R>; 4]) -> Closest<R> {
        match self {
            Self::VertexTriangle => vertex_triangle(&x[0], &[x[1], x[2], x[3]]),
            Self::EdgeEdge => edge_edge(&[x[0], x[1]], &[x[2], x[3]]),
        }
    }

    /// What a detector has listed, by sort.
    pub(super) fn lists<T: Scalar>(detector: &Detector<T>) -> [(Self, &[NearPair<T>]); 2] {
        [(Self::VertexTriangle, detector.vertex_triangle()), (Self::EdgeEdge, detector.edge_edge())]
    }
}

//! The report on a surface.

use super::edge_lengths::EdgeLengths;
use crate::defects::{coincident_vertices, duplicate_elements, is_flat_triangle, unreferenced_vertices};
use crate::{Aabb, NonManifoldEdge, TriMesh};

/// The sizes and defects of a [`TriMesh`].
#[derive(Debug, Clone, PartialEq)]
pub struct TriMeshReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of edges with two triangles that can bend.
    pub hinges: usize,
    /// Number of connected pieces.
    pub components: usize,
    /// The box around all vertices; none without vertices.
    pub bounds: Option<Aabb>,
    /// Lengths of the edges, m.
    pub edge_lengths: EdgeLengths,
    /// Sum of the triangle areas, m².
    pub area: f64,
    /// The volume within, m³, if the surface is closed and consistently oriented; negative when it faces inwards.
    pub enclosed_volume: Option<f64>,
    /// Triangles whose area is at most 1e-12 of the square of their longest edge.
    pub without_area: Vec<u32>,
    /// Triangles with the same vertices as an earlier one: [later, first].
    pub duplicates: Vec<[u32; 2]>,
    /// Vertices without triangles.
    pub unreferenced: Vec<u32>,
    /// Vertices at exactly the same place as an earlier one: [later, first].
    pub coincident: Vec<[u32; 2]>,
    /// Edges with one triangle.
    pub boundary: Vec<[u32; 2]>,
    /// Edges with more than two triangles.
    pub non_manifold: Vec<NonManifoldEdge>,
    /// Edges along which both triangles run the same way.
    pub inconsistent: Vec<[u32; 2]>,
}

impl TriMesh {
    /// Counts and measures the mesh and lists its defects.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    ///
    /// let report = TriMesh::icosphere(1.0, 4)?.report();
    /// assert_eq!((report.triangles, report.components), (320, 1));
    /// assert!(report.enclosed_volume.is_some_and(|v| v > 4.0));
    /// assert!(report.boundary.is_empty() && report.non_manifold.is_empty());
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> TriMeshReport {
        let edges = self.edges();
        let hinges = self.hinges();
        let closed = hinges.is_closed() && hinges.inconsistent.is_empty() && !self.triangles().is_empty();
        TriMeshReport {
            vertices: self.positions().len(),
            triangles: self.triangles().len(),
            edges: edges.len(),
            hinges: hinges.interior.len(),
            components: self.components().count(),
            bounds: self.bounds(),
            edge_lengths: EdgeLengths::of(self.positions(), &edges),
            area: self.area(),
            enclosed_volume: closed.then(|| self.enclosed_volume()),
            without_area: self.without_area(),
            duplicates: duplicate_elements(self.positions().len(), self.triangles()),
            unreferenced: unreferenced_vertices(self.positions().len(), self.triangles()),
            coincident: coincident_vertices(self.positions()),
            inconsistent: hinges.inconsistent.iter().map(|&h| hinges.interior[h as usize].edge).collect(),
            boundary: hinges.boundary,
            non_manifold: hinges.non_manifold,
        }
    }

    /// Triangles whose area is at most 1e-12 of the square of their longest edge, ascending.
    #[must_use]
    pub fn without_area(&self) -> Vec<u32> {
        (0..self.triangles().len())
            .filter(|&t| is_flat_triangle(&self.corners(t)))
            .map(|t| t as u32)
            .collect()
    }
}

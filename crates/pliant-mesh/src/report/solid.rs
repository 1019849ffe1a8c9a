//! The report on a solid.

use std::cmp::Ordering;

use super::edge_lengths::EdgeLengths;
use crate::defects::{coincident_vertices, duplicate_elements, unreferenced_vertices};
use crate::quality::volume_sign;
use crate::surface::{Faces, Surface};
use crate::{Aabb, NonManifoldEdge, TetMesh, min_dihedral, radius_ratio};

/// The sizes and defects of a [`TetMesh`].
#[derive(Debug, Clone, PartialEq)]
pub struct TetMeshReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of triangles of the boundary.
    pub boundary_triangles: usize,
    /// Number of connected pieces.
    pub components: usize,
    /// The box around all vertices; none without vertices.
    pub bounds: Option<Aabb>,
    /// Lengths of the edges, m.
    pub edge_lengths: EdgeLengths,
    /// Sum of the signed volumes, m³.
    pub volume: f64,
    /// Area of the boundary, m².
    pub boundary_area: f64,
    /// Shapes of the tetrahedra; none without tetrahedra.
    pub quality: Option<TetQuality>,
    /// Tetrahedra of negative volume.
    pub inverted: Vec<u32>,
    /// Tetrahedra whose volume is at most 1e-12 of the cube of their longest edge, either way.
    pub flat: Vec<u32>,
    /// Tetrahedra with the same vertices as an earlier one: [later, first].
    pub duplicates: Vec<[u32; 2]>,
    /// Vertices without tetrahedra.
    pub unreferenced: Vec<u32>,
    /// Vertices whose tetrahedra are all flat, so that their mass is only rounding error.
    pub massless: Vec<u32>,
    /// Vertices at exactly the same place as an earlier one: [later, first].
    pub coincident: Vec<[u32; 2]>,
    /// Faces of more than two tetrahedra, which overlap there; vertices ascending.
    pub crowded_faces: Vec<[u32; 3]>,
    /// Boundary edges with more than two boundary triangles, in the solid's vertex numbers: pieces that touch along an
    /// edge. The triangles are numbered as in [`TetMesh::boundary_triangles`].
    pub non_manifold: Vec<NonManifoldEdge>,
}

/// Shapes of the tetrahedra of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetQuality {
    /// The smallest angle between two faces of a tetrahedron, radians; see [`min_dihedral`].
    pub min_dihedral: f64,
    /// The tetrahedron with that angle.
    pub min_dihedral_tet: u32,
    /// The mean over the tetrahedra of the smallest angle of each, radians.
    pub mean_min_dihedral: f64,
    /// The smallest radius ratio; see [`radius_ratio`].
    pub min_radius_ratio: f64,
    /// The tetrahedron with that ratio.
    pub min_radius_ratio_tet: u32,
    /// The mean radius ratio.
    pub mean_radius_ratio: f64,
}

impl TetMesh {
    /// Counts and measures the mesh and lists its defects.
    ///
    /// ```
    /// use pliant_mesh::TetMesh;
    ///
    /// let report = TetMesh::ball(0.5, 6)?.report();
    /// assert!(report.inverted.is_empty() && report.flat.is_empty());
    /// assert!(report.quality.is_some_and(|q| q.min_dihedral.to_degrees() > 35.0));
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> TetMeshReport {
        self.report_with_surface().0
    }

    /// The report, and the boundary that it was made from.
    pub(crate) fn report_with_surface(&self) -> (TetMeshReport, Surface) {
        let edges = self.edges();
        let Faces { boundary, crowded: crowded_faces, repeated } = self.look_at_faces();
        let surface = self.surface_of(boundary);
        let duplicates =
            if repeated { duplicate_elements(self.positions().len(), self.tets()) } else { Vec::new() };
        let (flat, inverted) = self.flat_and_inverted();
        let mut non_manifold = surface.mesh.hinges().non_manifold;
        for edge in non_manifold.iter_mut().flat_map(|n| &mut n.edge) {
            *edge = surface.vertex_of[*edge as usize];
        }
        let report = TetMeshReport {
            vertices: self.positions().len(),
            tets: self.tets().len(),
            edges: edges.len(),
            boundary_triangles: surface.mesh.triangles().len(),
            components: self.components().count(),
            bounds: self.bounds(),
            edge_lengths: EdgeLengths::of(self.positions(), &edges),
            volume: self.volume(),
            boundary_area: surface.mesh.area(),
            quality: TetQuality::of(self),
            inverted,
            massless: self.massless(&flat),
            flat,
            duplicates,
            unreferenced: unreferenced_vertices(self.positions().len(), self.tets()),
            coincident: coincident_vertices(self.positions()),
            crowded_faces,
            non_manifold,
        };
        (report, surface)
    }

    /// The tetrahedra without volume, and those of negative volume.
    pub(crate) fn flat_and_inverted(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut flat, mut inverted) = (Vec::new(), Vec::new());
        for t in 0..self.tets().len() {
            match volume_sign(&self.corners(t)) {
                Ordering::Equal => flat.push(t as u32),
                Ordering::Less => inverted.push(t as u32),
                Ordering::Greater => {}
            }
        }
        (flat, inverted)
    }

    fn massless(&self, flat: &[u32]) -> Vec<u32> {
        let all_flat = |tets: &[u32]| !tets.is_empty() && tets.iter().all(|t| flat.binary_search(t).is_ok());
        self.tets_at_vertices().rows().zip(0..).filter(|&(tets, _)| all_flat(tets)).map(|(_, v)| v).collect()
    }
}

impl TetQuality {
    fn of(mesh: &TetMesh) -> Option<Self> {
        let count = mesh.tets().len();
        let (angle_tet, min_dihedral, angles) = least_and_sum(count, |t| min_dihedral(&mesh.corners(t)))?;
        let (ratio_tet, min_radius_ratio, ratios) = least_and_sum(count, |t| radius_ratio(&mesh.corners(t)))?;
        Some(Self {
            min_dihedral,
            min_dihedral_tet: angle_tet,
            mean_min_dihedral: angles / count as f64,
            min_radius_ratio,
            min_radius_ratio_tet: ratio_tet,
            mean_radius_ratio: ratios / count as f64,
        })
    }
}

/// The first element with the least value, that value, and the sum of all; `None` without elements.
fn least_and_sum(count: usize, value: impl Fn(usize) -> f64) -> Option<(u32, f64, f64)> {
    (0..count).map(|t| (t as u32, value(t))).fold(None, |so_far, (t, v)| match so_far {
        None => Some((t, v, v)),
        Some((_, least, sum)) if v < least => Some((t, v, sum + v)),
        Some((at, least, sum)) => Some((at, least, sum + v)),
    })
}

//! The report on a solid that was made from a surface.

use serde::Serialize;

use super::losses::Losses;
use crate::RepairReport;
use crate::words::counted;

/// The report on a solid that was made from a surface.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TetrahedralizeReport {
    /// Cubes of the lattice along x, y and z, with a margin of one on each side.
    pub cells: [usize; 3],
    /// Side of a cube, m.
    pub edge_length: f64,
    /// Points of the lattice that moved onto the surface.
    pub warped: usize,
    /// Cut points that became vertices.
    pub cut_points: usize,
    /// Vertices that were doubled because parts of the solid touched only there.
    pub copied_vertices: usize,
    /// Tetrahedra that were dropped because parts of the solid touched there.
    pub dropped_tets: usize,
    /// Smallest and largest angle between two faces of a tetrahedron, radians.
    pub dihedral: [f64; 2],
    /// Cells along the longest side that were tried before and lost parts of the surface.
    pub tried: Vec<usize>,
    /// Pieces smaller than a cube of the lattice that had come off something larger, and were dropped.
    pub crumbs: usize,
    /// Their volume, m³.
    pub crumb_volume: f64,
    /// The parts of the surface that the solid lacks.
    pub losses: Losses,
    /// Volume of the tetrahedra, m³.
    pub volume: f64,
    /// Volume that the surface encloses, where it is closed, faces outwards and is not thickened, m³. Parts
    /// that overlap count twice in it.
    pub surface_volume: Option<f64>,
    /// Connected pieces of the solid.
    pub pieces: usize,
    /// Connected pieces of the surface.
    pub surface_pieces: usize,
    /// Edges of the surface with one triangle.
    pub boundary_edges: usize,
    /// The repairs that were made first in a copy of the surface.
    pub prepared: RepairReport,
}

impl TetrahedralizeReport {
    /// Remarks on the solid, a sentence each; `is_shell` is whether a thickness was given.
    #[must_use]
    pub fn remarks(&self, is_shell: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.boundary_edges > 0 && !is_shell {
            remarks.push(format!(
                "the surface is open ({} of one triangle only), and its holes were closed in passing; if it is a sheet, give a thickness for a shell",
                counted(self.boundary_edges, "edge", "edges")
            ));
        }
        if let [.., last] = self.tried.as_slice() {
            remarks.push(format!(
                "{last} cells lost parts of the surface; these edges are finer, {:.3e} m",
                self.edge_length
            ));
        }
        if !self.losses.is_none() {
            remarks.push(format!("{}; more cells keep more", self.losses));
        }
        if self.crumbs > 0 {
            remarks.push(format!(
                "{} smaller than a cube of the lattice {} dropped, where parts are thinner than the edges: {:.2e} m³ in all",
                counted(self.crumbs, "piece", "pieces"),
                if self.crumbs == 1 { "was" } else { "were" },
                self.crumb_volume
            ));
        }
        if self.dropped_tets > 0 {
            remarks.push(format!(
                "dropped where the solid would have touched itself: {}",
                counted(self.dropped_tets, "tetrahedron", "tetrahedra")
            ));
        }
        remarks
    }
}

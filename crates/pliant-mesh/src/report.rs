//! What is in a mesh, and what is wrong with it.
//!
//! A report is plain data: counts and sizes, and for each kind of defect the numbers of the offenders, ascending. It judges
//! nothing; what matters depends on what the mesh is for.
//!
//! | defect | what it does in a simulation |
//! |---|---|
//! | inverted or flat tetrahedron | no rest shape: constraints blow up or pull the wrong way |
//! | massless vertex | its elements weigh nothing, so it cannot move |
//! | unreferenced vertex | falls freely, alone |
//! | triangle without area | no normal, no mass, undefined bending |
//! | duplicate element | counts twice: twice the mass and the stiffness |
//! | coincident vertices | a seam: the two sides come apart |
//! | inconsistent orientation | wind and volume of the triangles cancel |
//! | non-manifold edge | no single bending angle |

mod solid;
mod surface;

use nalgebra::Vector3;

pub use solid::{TetMeshReport, TetQuality};
pub use surface::TriMeshReport;

/// Lengths of the edges of a mesh, m; zeros without edges.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeLengths {
    /// The shortest.
    pub shortest: f64,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: f64,
}

impl EdgeLengths {
    fn of(positions: &[Vector3<f64>], edges: &[[u32; 2]]) -> Self {
        if edges.is_empty() {
            return Self::default();
        }
        let lengths = || edges.iter().map(|&[a, b]| (positions[b as usize] - positions[a as usize]).norm());
        Self {
            shortest: lengths().fold(f64::INFINITY, f64::min),
            mean: lengths().sum::<f64>() / edges.len() as f64,
            longest: lengths().fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests;

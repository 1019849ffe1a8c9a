//! Reports on meshes: sizes and defects.
//!
//! A report is plain data: counts and sizes, and for each kind of defect the numbers of the offenders,
//! ascending. It does not judge them, because what matters depends on the use of the mesh.
//!
//! | defect | effect in a simulation |
//! |---|---|
//! | inverted or flat tetrahedron | no rest shape: constraints blow up or pull the wrong way |
//! | massless vertex | its elements weigh nothing, so it cannot move |
//! | unreferenced vertex | falls freely, alone |
//! | triangle without area | no normal, no mass, undefined bending |
//! | duplicate element | counts twice: twice the mass and the stiffness |
//! | coincident vertices | a seam: the two sides come apart |
//! | inconsistent orientation | wind and volume of the triangles cancel |
//! | non-manifold edge | no single bending angle |

mod edge_lengths;
mod solid;
mod surface;

pub use edge_lengths::EdgeLengths;
pub use solid::{TetMeshReport, TetQuality};
pub use surface::TriMeshReport;

#[cfg(test)]
mod tests;

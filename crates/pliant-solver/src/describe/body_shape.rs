//! [`BodyShape`]: the mesh of a body and its density.

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};

/// The mesh of a body and its density.
#[derive(Debug, Clone)]
pub(crate) enum BodyShape {
    /// Triangles, kg/m².
    Cloth(TriMesh, f64),
    /// Tetrahedra, kg/m³.
    Solid(TetMesh, f64),
}

impl BodyShape {
    /// The triangles of the surface: all of cloth, the boundary of a solid.
    pub(crate) fn surface(&self) -> Vec<[u32; 3]> {
        match self {
            Self::Cloth(mesh, _) => mesh.triangles().to_vec(),
            Self::Solid(mesh, _) => mesh.boundary_triangles(),
        }
    }

    /// The vertices at rest, m.
    pub(crate) fn positions(&self) -> &[Vector3<f64>] {
        match self {
            Self::Cloth(mesh, _) => mesh.positions(),
            Self::Solid(mesh, _) => mesh.positions(),
        }
    }
}

//! What is connected to what: triangle and tetrahedral meshes for simulation.
#![forbid(unsafe_code)]

mod check;
mod error;
mod tet_mesh;
mod tri_mesh;

pub use error::MeshError;
pub use tet_mesh::TetMesh;
pub use tri_mesh::TriMesh;

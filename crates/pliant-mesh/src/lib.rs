//! What is connected to what: triangle and tetrahedral meshes for simulation.
#![forbid(unsafe_code)]

mod adjacency;
mod bounds;
mod check;
mod colouring;
mod components;
mod edges;
mod embed;
mod error;
mod generate;
mod hinges;
mod mass;
mod quality;
mod report;
mod subdivide;
mod surface;
mod tet_mesh;
mod tri_mesh;

pub use adjacency::Adjacency;
pub use bounds::Aabb;
pub use colouring::{ColourStatistics, Colouring, ConflictGraphError, conflict_graph};
pub use components::Components;
pub use edges::{TET_EDGES, TRIANGLE_EDGES, unique_edges, unique_tet_edges};
pub use embed::{EmbedError, Embedding, EmbeddingFit};
pub use error::MeshError;
pub use generate::{Caps, Diagonals, GenerateError, Split};
pub use hinges::{Hinge, Hinges, NonManifoldEdge};
pub use mass::{
    lumped_mass_edges, lumped_mass_tets, lumped_mass_triangles, sum_of_inverse_tet_masses,
    sum_of_inverse_triangle_masses,
};
pub use quality::{min_dihedral, radius_ratio};
pub use report::{EdgeLengths, TetMeshReport, TetQuality, TriMeshReport};
pub use subdivide::Subdivision;
pub use surface::{Surface, TET_FACES};
pub use tet_mesh::TetMesh;
pub use tri_mesh::TriMesh;

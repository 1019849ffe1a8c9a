//! Triangle and tetrahedral meshes for simulation, and their connectivity.
//!
//! A simulation of cloth or of a soft body sees a mesh as lists of small groups of vertices: the two ends of
//! an edge that keeps its length, the four corners of a tetrahedron that keeps its volume, the four vertices
//! of a *hinge* (an edge with its two triangles) that keeps its angle. This crate makes such lists from a
//! mesh, finds which of them can be solved at the same time, distributes the mass, and finds defects before a
//! simulation suffers from them. It does not deal with forces or time.
//!
//! Positions are `f64` in metres; vertices and elements are numbered by `u32`. Every order is fixed by the
//! input alone and part of the interface: the same mesh gives the same lists, colours and numbers on every
//! platform.
//!
//! ```
//! use pliant_mesh::{Colouring, TriMesh, lumped_mass_triangles};
//!
//! // A square metre of cloth, 200 g/m².
//! let sheet = TriMesh::grid([21, 21], [1.0, 1.0])?;
//! let edges = sheet.edges();
//! let hinges = sheet.hinges();
//! let masses = lumped_mass_triangles(&sheet, 0.2);
//! assert_eq!((edges.len(), hinges.interior.len()), (1240, 1160));
//! assert!((masses.iter().sum::<f64>() - 0.2).abs() < 1e-15);
//!
//! // Edges of one colour share no vertex.
//! let colouring = Colouring::greedy(sheet.positions().len(), &edges);
//! assert!(colouring.is_proper(&edges));
//! # Ok::<(), pliant_mesh::GenerateError>(())
//! ```
//!
//! | for | use |
//! |---|---|
//! | a mesh from arrays, with its indices and coordinates checked | [`TriMesh::new`], [`TetMesh::new`] |
//! | a mesh from numbers: sheets, blocks, balls, tori, spheres, cylinders | [`TriMesh::grid`], [`TetMesh::block`], [`TetMesh::ball`], … |
//! | each edge once, in a documented order | [`unique_edges`], [`unique_tet_edges`] |
//! | hinges, boundary and non-manifold edges | [`TriMesh::hinges`] |
//! | the elements and neighbours of each vertex, the connected pieces | [`Adjacency`], [`Components`] |
//! | masses of the vertices | [`lumped_mass_tets`], [`lumped_mass_triangles`], [`lumped_mass_edges`] |
//! | constraints that can be solved at the same time | [`Colouring`], [`conflict_graph`] |
//! | the boundary of a solid | [`TetMesh::surface`] |
//! | a solid from any surface | [`TriMesh::tetrahedralize`] |
//! | a convex hull, ground by heights, a solid by distances on a grid | [`ConvexHull`], [`HeightField`], [`DistanceGrid`] |
//! | how far a point is inside of a surface, holes or not | [`SignedDistance`], [`WindingNumbers`] |
//! | how far two surfaces are from each other | [`TriMesh::distance_to`] |
//! | the volume of a tetrahedron, and how well it is shaped | [`tet_volume`], [`min_dihedral`], [`radius_ratio`] |
//! | a finer surface, and a solid that carries it | [`TriMesh::subdivide`], [`Embedding`] |
//! | all vertices within a distance of the vertices, edges or triangles of another mesh | [`vertex_vertex_pairs`], [`vertex_edge_pairs`], [`vertex_triangle_pairs`] |
//! | the nearest point of a segment or triangle | [`nearest_on_segment`], [`nearest_on_triangle`] |
//! | distances along the mesh from some vertices | [`TriMesh::geodesics`], [`TetMesh::geodesics`] |
//! | joints, what they carry, and how they move | [`Skeleton`], [`Skin`], [`Clip`] |
//! | the defects that make a simulation wrong | [`TriMesh::errors`], [`TetMesh::errors`] |
//! | what is wrong with a mesh | [`TriMesh::report`], [`TetMesh::report`], [`TriMesh::check_up`], [`TetMesh::check_up`] |
//! | a repaired mesh | [`TriMesh::repair`], [`TetMesh::repair`] |
#![forbid(unsafe_code)]

mod adjacency;
pub mod book;
mod bounds;
mod check;
mod clip;
mod closest;
mod colouring;
mod components;
mod defects;
mod edges;
mod embed;
mod enclosed;
mod error;
mod generate;
mod geodesic;
mod hermite;
mod hinges;
mod mass;
mod proximity;
mod quality;
mod repair;
mod report;
mod signed_distance;
mod skeleton;
mod skin;
mod solids;
mod subdivide;
mod surface;
mod surface_distance;
mod tet_mesh;
mod tetrahedralize;
mod tri_mesh;
mod winding;
mod words;

pub use adjacency::Adjacency;
pub use bounds::Aabb;
pub use clip::{Channel, Clip, ClipError, Interpolation, Values, slerp};
pub use closest::{Nearest, nearest_on_segment, nearest_on_triangle};
pub use colouring::{ColourStatistics, Colouring, ConflictGraphError, conflict_graph};
pub use components::Components;
pub use defects::{coincident_vertices, duplicate_elements, unreferenced_vertices};
pub use edges::{unique_edges, unique_tet_edges};
pub use embed::{EmbedError, Embedding, EmbeddingFit};
pub use enclosed::enclosed_volume;
pub use error::MeshError;
pub use generate::{Caps, Diagonals, GenerateError, Split};
pub use geodesic::{Geodesics, STEINER_POINTS};
pub use hermite::hermite;
pub use hinges::{Hinge, Hinges, NonManifoldEdge};
pub use mass::{lumped_mass_edges, lumped_mass_tets, lumped_mass_triangles};
pub use proximity::{
    MAX_PAIRS, Pair, ProximityError, vertex_edge_pairs, vertex_triangle_pairs, vertex_vertex_pairs,
};
pub use quality::{min_dihedral, radius_ratio, tet_volume};
pub use repair::{
    Action, CheckOptions, CheckUp, Defect, Finding, Keep, QualityHistogram, RepairOptions, RepairReport,
    Step, UnitGuess,
};
pub use report::{EdgeLengths, TetMeshReport, TetQuality, TriMeshReport};
pub use signed_distance::SignedDistance;
pub use skeleton::{Local, Node, Skeleton, SkeletonError, Transform, rotation_matrix};
pub use skin::{Influence, Skin, SkinError, SkinReport, WeightSums};
pub use solids::{ConvexHull, DistanceGrid, DistanceGridError, HeightField, HeightFieldError, HullError};
pub use subdivide::{Refinement, Subdivision};
pub use surface::{Surface, TET_FACES};
pub use surface_distance::SurfaceDistance;
pub use tet_mesh::TetMesh;
pub use tetrahedralize::{
    LEAST_SHELL, Losses, MOST_AUTO_CELLS, MOST_AUTO_TETS, MOST_CELLS, Resolution, TetrahedralizeError,
    TetrahedralizeOptions, TetrahedralizeReport,
};
pub use tri_mesh::TriMesh;
pub use winding::WindingNumbers;
pub use words::counted;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

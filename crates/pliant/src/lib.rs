//! Cloth and soft bodies by extended position based dynamics (XPBD): fast, deterministic, and with a
//! certificate of the quality of each answer.
//!
//! This crate is a facade: it re-exports the crates that do the work, under one dependency and with a
//! [`prelude`]. Use the single crates if you need less.
//!
//! | module | crate | what it holds |
//! |---|---|---|
//! | [`mesh`] | `pliant-mesh` | meshes, edges, hinges, lumped masses, colouring, generators, embedding |
//! | [`constraints`] | `pliant-constraints` | values and gradients of constraints, one projection |
//! | [`contact`] | `pliant-contact` | closest points, exact crossings and near pairs of triangle surfaces |
//! | [`solver`] | `pliant-solver` | bodies, pins, obstacles, the substep loop, reports |
//! | [`deform`] | `pliant-deform` | skin deformers: skinning, relaxation, smoothing, jiggle, collision |
//! | [`io`] | `pliant-io` | mesh files in, animation caches out |
//! | [`render`] | `pliant-render` | pictures without a GPU |
//! | [`scene`] | `pliant-scene` | scene files |
//! | [`run`] | `pliant-run` | scenes run to folders: checkpoints, animation files, reports, certificates |
//!
//! A soft cube that falls on the floor beside a sheet that hangs from two corners:
//!
//! ```
//! use pliant::prelude::*;
//!
//! let block = TetMesh::block([3, 3, 3], [0.4; 3], Split::Kuhn)?;
//! let sheet = TriMesh::grid([11, 11], [1.0, 1.0])?;
//!
//! let mut sim = Simulation::builder()
//!     .substeps(10)
//!     .body(Body::solid(block).density(1000.0).stretch(Compliance::new(1e-5)).velocity(Vector3::new(0.0, -1.0, 0.0)))
//!     .body(Body::cloth(sheet).area_density(0.2).bend(Compliance::new(1e-2)).pin_vertices([0, 10]))
//!     .obstacle(Obstacle::floor(-0.5).friction(0.5))
//!     .build()?; // checks everything; the error names the element
//!
//! for _ in 0..30 {
//!     let frame = sim.step(1.0 / 60.0)?; // an error names the first element that is not finite
//!     assert_eq!(frame.volume.map(|v| v.inverted), Some(0));
//! }
//! let last = sim.report();
//! assert!(last.residual("contacts").is_some_and(|r| r.max.value < 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

/// Vectors and matrices, in the version that the crates use.
pub use nalgebra;
pub use pliant_constraints as constraints;
pub use pliant_contact as contact;
pub use pliant_deform as deform;
pub use pliant_io as io;
pub use pliant_mesh as mesh;
pub use pliant_render as render;
pub use pliant_run as run;
pub use pliant_scene as scene;
pub use pliant_solver as solver;

/// The items with which a program begins: meshes, bodies, materials, stitches, pins, and errors. Kinds of
/// constraint, and items that few programs need, are in the modules of their crates.
///
/// ```
/// use pliant::prelude::*;
///
/// let curtain = TriMesh::grid([11, 11], [1.0, 1.0])?;
/// let hem = curtain.with_positions(curtain.positions().iter().map(|x| x + Vector3::z() * 1.01).collect())?;
/// let cotton = Membrane::isotropic(1e5, 0.3, 3e-4);
/// let sewn = Stitch::vertices("hem", "curtain", Pairs::within(0.011), [VertexVertexStitch::default()]);
/// let builder = Simulation::builder()
///     .body(Body::cloth(curtain).name("curtain").membrane(cotton.clone()).pin_vertices(0..11))
///     .body(Body::cloth(hem).name("hem").membrane(cotton))
///     .stitch(sewn);
/// let mut sim = builder.build()?;
/// assert!(sim.step(1.0 / 60.0)?.residual("vertex-vertex stitches").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    pub use nalgebra::Vector3;
    pub use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch};
    pub use pliant_mesh::{MeshError, Split, TetMesh, TriMesh};
    pub use pliant_solver::{
        Adaptive, Attachment, Body, BodyId, BuildError, Category, Certificate, Collide, Compliance,
        ContactPair, Continuum, Elasticity, Factors, FrameReport, Grab, Grade, Keyframe, LiveError, Membrane,
        Moduli, Motion, Obstacle, ObstacleId, Pairs, Pin, PinId, Pressure, Requirement, Settings, ShapeMatch,
        Simulation, Snapshot, StepError, Stiffness, Stitch, VolumeElasticity, Wind,
    };
}

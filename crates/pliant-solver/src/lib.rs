//! How constraints are satisfied: XPBD with substeps, deterministic and parallel.
//!
//! A frame is divided into *substeps*. Each one moves the pins, predicts where forces alone would take the particles, then projects every constraint
//! once per *iteration* and takes the velocities from what the positions did:
//!
//! ```text
//! v ← v + h g        x̃ = x + h v        λ ← 0
//! for each iteration, for each group of constraints:   Δλ = −(C + α̃λ)/(∇C W ∇Cᵀ + α̃),  x̃ ← x̃ + W ∇Cᵀ Δλ,  λ ← λ + Δλ        (α̃ = α/h²)
//! v ← (x̃ − x)/h
//! ```
//!
//! Source: Macklin, Müller & Chentanez, "XPBD" (2016); Macklin et al., "Small steps in physics simulation" (2019). The compliance α is an inverse stiffness and
//! means the same for every time step and number of iterations, because λ is accumulated.
//!
//! * [`Simulation::builder`] makes a simulation from [bodies](Body): meshes with a density, resistances and [pins](Pin), among [obstacles](Obstacle).
//! * [`Assembly`] makes one from bare particles and [constraints](Constraints) of any [kind](pliant_constraints::Kind), your own included.
//! * [`Simulation::step`] advances by a frame and returns a [`FrameReport`]: residuals |C + α̃λ|, strains, energies, momenta, a state hash.
//! * [`Certificate`] sums up how good the answer of a run is, and whether it keeps what is [required](Requirement); [`Adaptive`] chooses substeps so that it does.
//! * [`Settings`] chooses substeps, iterations, the [plan](Plan) and the book's variants.
//!
//! # The same bits
//!
//! The plan depends on the mesh and the settings alone. By default particles are renumbered by place into clusters, constraints are packed eight side by side, and clusters
//! of one colour share no particle, so any number of threads may project them in any order, in lanes of any width; sums
//! run over fixed chunks in a fixed order; elementary functions come from one source. The [state hash](Simulation::state_hash) is equal for 1 or N threads.
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_mesh::{Split, TetMesh};
//! use pliant_solver::{Body, Obstacle, Simulation};
//!
//! let jelly = Body::solid(TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn)?).name("jelly").stretch(1e-4);
//! let mut sim = Simulation::builder().body(jelly).obstacle(Obstacle::floor(0.0).friction(0.4)).build()?;
//! for _ in 0..10 {
//!     sim.step(1.0 / 60.0)?;
//! }
//! assert!(sim.positions().iter().all(|x| x.y > -1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use]
mod entries;

mod adaptive;
mod api;
mod assembly;
mod attachment;
mod body;
mod body_check;
mod builder;
mod built_in;
mod certificate;
mod clock;
mod constraints;
mod contact;
mod damping;
mod diagnostics;
mod direction;
mod drive;
mod dynamic_set;
mod elasticity;
mod equation_of_motion;
mod error;
mod factors;
mod float;
mod found;
mod gather;
mod grouping;
mod guard;
mod hash;
mod integrate;
mod judgement;
mod kind_group;
mod kinematics;
mod level;
mod many_points;
mod material;
mod measure;
mod moment;
mod motion;
mod obstacle;
mod order;
mod packing;
mod part;
mod pass;
mod passes;
mod pin;
mod placed;
mod pressure;
mod reach;
mod record;
mod report;
mod requirement;
mod role;
mod rounding;
mod schedule;
mod set;
mod settings;
mod shape_group;
mod simulation;
mod snapshot;
mod stitch;
mod tethers;
mod tie;
mod triangles;
mod typed;
mod volume_group;
mod watch;
mod wind;
mod world;

pub use adaptive::{Adaptive, AdaptiveStep};
pub use assembly::Assembly;
pub use attachment::Attachment;
pub use body::{Body, Masses, ShapeMatch};
pub use builder::{Book, SimulationBuilder};
pub use certificate::Certificate;
pub use constraints::{Constraints, Response};
pub use elasticity::{Elasticity, VolumeElasticity, WATER};
pub use error::{BuildError, StepError};
pub use factors::Factors;
pub use float::Float;
pub use found::{Find, Found, Predicted};
pub use judgement::{Concern, Finding, Grade, Judgement};
pub use level::GroupPlan;
pub use material::{Continuum, Membrane, Moduli};
pub use measure::{FrameCertificate, Measure};
pub use moment::{Moment, Work};
pub use motion::{Keyframe, Motion, Pose, Samples};
pub use obstacle::{Obstacle, Shape};
pub use part::Part;
pub use pass::{NonFinite, Now, Pass};
pub use passes::PassError;
pub use pin::Pin;
pub use pliant_kernel::{Class, Distribution, Layout, Peak, Scalar};
pub use pressure::Pressure;
pub use record::{Record, RecordError};
pub use report::{
    BodyMotion, Energy, FrameReport, GroupResidual, MotionResidual, Softened, Stretch, Suspects, VolumeError,
};
pub use requirement::{Relation, Requirement, RequirementError, Verdict, Worst};
pub use role::Role;
pub use rounding::Rounding;
pub use settings::{Lanes, Multiplier, Plan, PredictionBounds, Settings, SweepOrder, Wind};
pub use shape_group::MatchedShape;
pub use simulation::Simulation;
pub use snapshot::{Snapshot, SnapshotError};
pub use stitch::{Pairs, Stitch};
pub use tie::BodyRef;
pub use volume_group::EnclosedVolume;
pub use world::World;

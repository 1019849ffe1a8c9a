//! How constraints are satisfied: XPBD with substeps, deterministic and parallel.
//!
//! A frame is divided into *substeps*. Each one moves the pins, predicts where forces alone would take the
//! particles, then projects every constraint once per *iteration* and derives the velocities from the
//! displacements:
//!
//! ```text
//! v ← v + h g        x̃ = x + h v        λ ← 0
//! for each iteration, for each group of constraints:   Δλ = −(C + α̃λ)/(∇C W ∇Cᵀ + α̃),  x̃ ← x̃ + W ∇Cᵀ Δλ,  λ ← λ + Δλ        (α̃ = α/h²)
//! v ← (x̃ − x)/h
//! ```
//!
//! Source: Macklin, Müller & Chentanez, "XPBD" (2016); Macklin et al., "Small steps in physics simulation"
//! (2019). The compliance α is an inverse stiffness and means the same for every time step and number of
//! iterations, because λ is accumulated.
//!
//! * [`Simulation::builder`] makes a simulation from [bodies](Body): meshes with a density, resistances and
//!   [pins](Pin), among [obstacles](Obstacle).
//! * [`Assembly`] makes one from bare particles and [constraints](Constraints) of any
//!   [kind](pliant_constraints::Kind); [`CustomConstraints`] puts those of your own kind on bodies.
//! * [`Simulation::step`] advances by a frame and returns a [`FrameReport`]: residuals |C + α̃λ|, strains,
//!   energies, momenta, a state hash.
//! * [`Certificate`] sums up how good the answer of a run is, and whether it meets the
//!   [requirements](Requirement); [`Adaptive`] chooses substeps so that it does.
//! * [`nalgebra`] is re-exported, so that a program uses the version whose vectors the calls take.
//! * [`Settings`] chooses substeps, iterations, the [plan](Plan) and the book's variants.
//!
//! # The same bits
//!
//! The plan depends only on the mesh and the settings. By default particles are renumbered by place into
//! clusters, constraints are packed eight side by side, and clusters of one colour share no particle, so any
//! number of threads may project them in any order, in lanes of any width; sums run over fixed chunks in a
//! fixed order; elementary functions come from one source. The [state hash](World::state_hash) is equal for 1
//! or N threads.
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_mesh::{Split, TetMesh};
//! use pliant_solver::{Body, Compliance, Obstacle, Simulation};
//!
//! let jelly = Body::solid(TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn)?).name("jelly").stretch(Compliance::new(1e-4));
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
mod auto;
mod body_range;
mod build;
pub mod clock;
mod coarse;
mod collide;
mod describe;
mod error;
mod float;
mod level;
mod live;
mod newton;
mod observe;
mod pass;
mod passes;
mod plan;
#[cfg(feature = "serde")]
mod serial;
mod set;
mod simulation;
mod state;
mod world;

pub use adaptive::{Adaptive, AdaptiveStep};
pub use auto::Choice;
pub use body_range::BodyRange;
pub use build::assembly::Assembly;
pub use build::builder::SimulationBuilder;
pub use build::constraints::{Constraints, ProjectionRule};
pub use collide::meetings::Meetings;
pub use collide::query::SurfaceContact;
pub use collide::tally::{Intersection, Pinch, Tally};
pub use describe::attachment::Attachment;
pub use describe::body::{Body, Masses};
pub use describe::body_ref::BodyRef;
pub use describe::book;
pub use describe::category::Category;
pub use describe::collide::{Collide, CrossingStart, PinchResponse};
pub use describe::compliance::{Compliance, Stiffness};
pub use describe::contact_pair::ContactPair;
pub use describe::custom_constraints::CustomConstraints;
pub use describe::elasticity::{Elasticity, VolumeElasticity, WATER};
pub use describe::factors::Factors;
pub use describe::material::{Continuum, Membrane, Moduli};
pub use describe::motion::{Interpolation, Keyframe, Motion, Placing, Pose, Samples};
pub use describe::obstacle::{Obstacle, Shape};
pub use describe::pin::Pin;
pub use describe::plan::Plan;
pub use describe::pressure::Pressure;
pub use describe::seam::{Seam, SeamPair};
pub use describe::settings::{Lanes, Method, Settings};
pub use describe::shape_match::ShapeMatch;
pub use describe::shrink::Shrink;
pub use describe::stitch::{Pairs, Stitch};
pub use describe::sweep_order::SweepOrder;
pub use describe::wind::Wind;
pub use error::body::{BodyError, BodyPart, BodyProblem, Element, PressureError};
pub use error::constraint::ConstraintError;
pub use error::contact::{ContactError, ContactParameter};
pub use error::motion::MotionError;
pub use error::obstacle::{ObstacleError, ObstacleParameter, ObstacleProblem};
pub use error::particle::{ParticleError, ParticleQuantity};
pub use error::pin::{PinError, PinProblem};
pub use error::setting::{Setting, SettingError};
pub use error::tie::{TieError, TieNumber, TieProblem};
pub use error::value::Value;
pub use error::{BuildError, StepError};
pub use float::Float;
pub use level::GroupPlan;
pub use live::bodies::{BodyId, ParticleRange};
pub use live::changes::Changes;
pub use live::error::LiveError;
pub use live::grabs::Grab;
pub use live::pins::PinId;
pub use live::state::{Cue, ObstacleId};
pub use nalgebra;
pub use observe::accuracy::Accuracy;
pub use observe::certificate::Certificate;
pub use observe::judgement::{Concern, Finding, Grade, Judgement};
pub use observe::measure::{FrameCertificate, Measure};
pub use observe::moment::{Moment, Work};
pub use observe::report::{
    BodyMotion, Energy, FrameReport, GroupResidual, Impacts, MotionResidual, SeamGap, Softened, Stretch,
    Suspects, VolumeError,
};
pub use observe::requirement::{Relation, Requirement, RequirementError, Verdict, Worst};
pub use observe::rounding::Rounding;
pub use pass::{NonFinite, Now, Pass};
pub use passes::PassError;
pub use pliant_kernel::{Class, Distribution, Layout, Peak, Scalar};
pub use set::found::{Find, Found, Predicted};
pub use set::shapes::MatchedShape;
pub use set::volumes::EnclosedVolume;
pub use simulation::Simulation;
pub use state::hash::position_hash;
#[cfg(feature = "serde")]
pub use state::kept::SnapshotError;
pub use state::record::{Record, RecordError};
#[cfg(feature = "serde")]
pub use state::seal::{Seal, SealError};
pub use state::snapshot::Snapshot;
pub use world::World;
pub use world::obstacles::ObstacleContact;

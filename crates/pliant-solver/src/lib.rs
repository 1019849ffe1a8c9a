//! How constraints are satisfied: XPBD with substeps, deterministic and parallel.
#![deny(unsafe_code)]

mod assembly;
mod body;
mod builder;
mod constraints;
mod contact;
mod damping;
mod diagnostics;
mod elasticity;
mod error;
mod float;
mod group;
mod hash;
mod kernel;
mod kinematics;
mod motion;
mod obstacle;
mod particles;
mod pin;
mod report;
mod settings;
mod simulation;
mod wind;

pub use assembly::{Assembly, Part};
pub use body::{Body, Masses};
pub use builder::{Book, Role, SimulationBuilder};
pub use constraints::{Constraints, Response};
pub use elasticity::Elasticity;
pub use error::{BuildError, StepError};
pub use float::Float;
pub use motion::{Keyframe, Motion, Pose, Samples};
pub use obstacle::{Obstacle, Shape};
pub use pin::Pin;
pub use report::{Energy, FrameReport, GroupResidual, Peak, Stretch, VolumeError};
pub use settings::{Multiplier, Plan, PredictionBounds, Settings, Wind};
pub use simulation::{GroupPlan, Simulation};

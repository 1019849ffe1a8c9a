//! [`Float`]: the scalar that a simulation stores its state in.

use crate::build::typed::Planned;

use nalgebra::Vector3;

use crate::adaptive::{Adaptive, AdaptiveStep};
use crate::build::assembly::Assembly;
use crate::collide::query::SurfaceContact;
use crate::describe::motion::Motion;
use crate::describe::obstacle::Obstacle;
use crate::describe::scene::Scene;
use crate::error::{BuildError, StepError};
use crate::live::error::LiveError;
use crate::live::state::{Grabbed, Medium, ObstacleId};
use crate::observe::certificate::Certificate;
use crate::observe::report::FrameReport;
use crate::pass::Pass;
use crate::passes::PassError;
use crate::set::constraint_set::{Look, Resistance};
use crate::simulation::Simulation;
#[cfg(feature = "serde")]
use crate::state::kept::SnapshotError;
use crate::state::record::{Record, RecordError};
use crate::state::snapshot::Snapshot;
use crate::world::World;
use crate::world::obstacles::ObstacleContact;

/// `f32` or `f64`: a [`Scalar`](pliant_kernel::Scalar) that particles are stored in.
///
/// `f32` loses no visible accuracy at the sizes that people simulate and is twice as fast in SIMD lanes;
/// `f64` is for comparison with formulas.
pub trait Float: Planned {
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;

    entries!(declare);
}

impl Float for f32 {
    const NAME: &'static str = "f32";

    entries!(define);
}

#[cfg(feature = "f64")]
impl Float for f64 {
    const NAME: &'static str = "f64";

    entries!(define);
}

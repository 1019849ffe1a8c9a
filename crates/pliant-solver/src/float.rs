//! [`Float`]: the scalar that a simulation stores its state in.

use pliant_kernel::Scalar;

use crate::adaptive::{Adaptive, AdaptiveStep};
use crate::assembly::Assembly;
use crate::certificate::Certificate;
use crate::constraints::{GroupData, PlanContext};
use crate::error::{BuildError, StepError};
use crate::group::{Group, Look};
use crate::record::{Record, RecordError};
use crate::report::FrameReport;
use crate::simulation::Simulation;
use crate::snapshot::{Snapshot, SnapshotError};

/// `f32` or `f64`: a [`Scalar`] that particles are stored in.
///
/// `f32` loses no visible accuracy at the sizes that people simulate and is twice as fast in SIMD lanes; `f64` is for comparing with
/// formulas.
pub trait Float: Scalar {
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;

    #[doc(hidden)]
    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>>;

    entries!(declare);
}

impl Float for f32 {
    const NAME: &'static str = "f32";

    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>> {
        data.build_f32(context)
    }

    entries!(define);
}

impl Float for f64 {
    const NAME: &'static str = "f64";

    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>> {
        data.build_f64(context)
    }

    entries!(define);
}

//! [`Float`]: the scalar that a simulation stores its state in.

use pliant_constraints::Real;

use crate::adaptive::{Adaptive, AdaptiveStep};
use crate::assembly::Assembly;
use crate::certificate::Certificate;
use crate::constraints::{GroupData, PlanContext};
use crate::error::{BuildError, StepError};
use crate::group::{Group, Look};
use crate::kernel::PackFloat;
use crate::record::{Record, RecordError};
use crate::report::FrameReport;
use crate::simulation::Simulation;
use crate::snapshot::{Snapshot, SnapshotError};

/// `f32` or `f64`: a [`Real`] that particles are stored in.
///
/// `f32` loses no visible accuracy at the sizes that people simulate and is twice as fast in SIMD lanes; `f64` is for comparing with
/// formulas.
pub trait Float: Real + PartialOrd + Default + PackFloat + sealed::Sealed {
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;

    /// Has the alignment of four values, so that a particle is loaded at once.
    #[doc(hidden)]
    type Align: Copy + Send + Sync + PartialEq + std::fmt::Debug + 'static;

    /// The value as `f64`, exactly.
    fn to_f64(self) -> f64;
    /// Hands out the bits of six numbers in as few words as hold them: what a state hash is made of.
    #[doc(hidden)]
    fn words(six: [Self; 6], take: impl FnMut(u64));
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;

    #[doc(hidden)]
    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>>;

    entries!(declare);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// What has the alignment of four `f32`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(16))]
pub struct Align16;

/// What has the alignment of four `f64`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Align32;

impl Float for f32 {
    const NAME: &'static str = "f32";
    type Align = Align16;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn words(six: [Self; 6], mut take: impl FnMut(u64)) {
        for pair in 0..3 {
            take(u64::from(six[2 * pair].to_bits()) | u64::from(six[2 * pair + 1].to_bits()) << 32);
        }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>> {
        data.build_f32(context)
    }

    entries!(define);
}

impl Float for f64 {
    const NAME: &'static str = "f64";
    type Align = Align32;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn words(six: [Self; 6], mut take: impl FnMut(u64)) {
        for number in six {
            take(number.to_bits());
        }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    fn build_group(data: Box<dyn GroupData>, context: &PlanContext<'_>) -> Box<dyn Group<Self>> {
        data.build_f64(context)
    }

    entries!(define);
}

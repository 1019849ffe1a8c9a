//! [`Avx2`]: the token with which kernels in lanes of AVX2 are entered.

use super::job::LaneJob;
use super::lane::Lanes;
use crate::number::Number;

/// Proof that the processor has AVX2, and POPCNT, which is older.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The token, if the processor has the instructions.
    pub(crate) fn detect() -> Option<Self> {
        let has_all =
            std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

/// Something on the stack that makes a function align its frame to whole registers. Otherwise compilers spill
/// registers to wherever the stack happens to be: half of the spills cross cache lines, and a kernel with
/// many spills loses a fifth of its speed.
#[repr(align(32))]
struct AlignedFrame(#[allow(dead_code, reason = "only its place matters")] u8);

impl AlignedFrame {
    #[inline(always)]
    fn make() {
        std::hint::black_box(&mut Self(0));
    }
}

/// Runs a job in lanes of AVX2; the token proves that the processor has the instructions.
#[inline]
pub(crate) fn enter<T: Number, L: Lanes<T>, J: LaneJob<T>>(job: J, _token: Avx2) -> J::Out {
    #[target_feature(enable = "avx2,popcnt")]
    fn with_instructions<T: Number, L: Lanes<T>, J: LaneJob<T>>(job: J) -> J::Out {
        AlignedFrame::make();
        job.run::<L>()
    }
    // SAFETY: the token proves the instructions.
    unsafe { with_instructions::<T, L, J>(job) }
}

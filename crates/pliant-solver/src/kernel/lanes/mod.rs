//! SIMD lanes: several reals side by side that run the same formulas as one.
//!
//! Every operation of a lane is that of the scalar: no contraction, no approximate reciprocal, comparisons that choose the same way. A pack of eight constraints
//! therefore comes out with the same bits from one vector of eight, two of four, or eight scalars.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
pub(super) mod portable;

use nalgebra::Vector3;
use pliant_constraints::{Kind, Real};

use super::packs::Run;
use crate::float::Float;
use crate::particles::Particle;

/// Number of constraints in a pack, whatever the width of the lanes that walk it.
pub(crate) const PACK: usize = 8;

/// Which lanes a simulation walks its packs with. The results are the same.
#[derive(Debug, Clone, Copy)]
pub struct Simd(#[cfg(target_arch = "x86_64")] Option<avx2::Avx2>, #[cfg(not(target_arch = "x86_64"))] ());

impl Simd {
    /// The best that the processor has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self(avx2::Avx2::detect());
        #[cfg(not(target_arch = "x86_64"))]
        Self(())
    }

    /// Lanes in arrays, which every processor has.
    pub(crate) fn portable() -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self(None);
        #[cfg(not(target_arch = "x86_64"))]
        Self(())
    }
}

/// Lanes of the scalar `T`.
pub(super) trait Lanes<T: Float>: Real {
    /// Number of lanes; divides [`PACK`].
    const WIDTH: usize;

    /// The first [`WIDTH`](Lanes::WIDTH) values.
    fn load(values: &[T]) -> Self;

    /// Writes the lanes to the first [`WIDTH`](Lanes::WIDTH) places.
    fn store(self, values: &mut [T]);

    /// Positions and inverse masses of the particles at `indices`.
    ///
    /// # Safety
    ///
    /// Every index is in range of the array that starts at `start`, and nobody writes those particles meanwhile.
    unsafe fn gather(start: *const Particle<T>, indices: &[u32]) -> (Vector3<Self>, Self);

    /// Writes positions and inverse masses to the particles at `indices`.
    ///
    /// # Safety
    ///
    /// As for [`gather`](Lanes::gather); besides, the indices are distinct and nobody reads those particles meanwhile.
    unsafe fn scatter(start: *mut Particle<T>, indices: &[u32], x: Vector3<Self>, w: Self);
}

/// A scalar whose packs can be projected.
pub trait PackFloat: Sized {
    /// Projects packs in the widest lanes that `simd` allows.
    #[doc(hidden)]
    fn project_packs<K: Kind<N, M>, const N: usize, const M: usize>(run: Run<'_, Self, K, N, M>, simd: Simd)
    where
        Self: Float;
}

macro_rules! pack_float {
    ($float:ty, $avx2:path) => {
        impl PackFloat for $float {
            fn project_packs<K: Kind<N, M>, const N: usize, const M: usize>(
                run: Run<'_, Self, K, N, M>,
                simd: Simd,
            ) {
                #[cfg(target_arch = "x86_64")]
                if let Some(token) = simd.0 {
                    // SAFETY: the token proves the instructions; a run has its particles to itself (invariant of `Packs`).
                    return unsafe { $avx2(run, token) };
                }
                let _ = simd;
                // SAFETY: a run has its particles to itself (invariant of `Packs`).
                unsafe { run.project::<portable::Portable<Self, PACK>>() }
            }
        }
    };
}

pack_float!(f32, avx2::project_f32);
pack_float!(f64, avx2::project_f64);

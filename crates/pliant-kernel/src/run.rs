//! [`Run`]: the projection of the packs of a cluster, in lanes.

mod kernel;
mod stages;

use std::marker::PhantomData;

use pliant_constraints::{Bound, Kind};

use crate::item::Sweep;
use crate::lanes::{LaneJob, Lanes, PACK, Portable, side_by_side};
use crate::number::Number;
use crate::particles::Particle;
use crate::pipeline::{Stretch, pipeline};
use crate::trio_count::{TrioCount, sides};
use kernel::{DAMPED, Kernel, PLAIN, RIGID};
use stages::{PairOfTrios, Single, Trio};

/// The packs of a cluster to project: their particles are not accessed by any other thread meanwhile.
pub(crate) struct Run<'a, T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Those of [`Points`](super::points::Points).
    pub(super) points: &'a [[u32; PACK]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a mut [[T; PACK]],
    /// Offsets to prefetch at the beginning, and one for every pack; see [`Ahead`](super::ahead::Ahead).
    pub(super) border: &'a [u32],
    pub(super) ahead: &'a [u32],
    /// Whether a unit shares a particle with the one before it, at the first pack of each.
    pub(super) linked: &'a [bool],
    pub(super) trio_count: TrioCount,
    pub(super) stride: usize,
    pub(super) uniform: Option<T>,
    pub(super) particles: *mut Particle<T>,
    pub(super) previous: &'a [Particle<T>],
    pub(super) sweep: Sweep<T>,
    pub(super) kind: PhantomData<K>,
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> LaneJob<T> for Run<'_, T, K, N, M> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        // SAFETY: a run has its particles to itself (invariant of `Packs`, which makes it); code that names `L` has its
        // instructions.
        unsafe { self.project::<L>() }
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Run<'_, T, K, N, M> {
    /// Projects the packs one after the other in lanes of the type `L`.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`, and no other thread accesses the particles of these packs meanwhile.
    #[inline(always)]
    unsafe fn project<L: Lanes<T>>(self) {
        // Another mode is another kernel to compile for every kind and lane; in blocks, which are rarely
        // rigid, the multipliers are a small part of the work. A single lane is not meant for speed.
        let pays = const { M == 1 && matches!(K::BOUND, Bound::Equality) && L::WIDTH > 1 };
        // SAFETY: as the caller promises.
        unsafe {
            if self.sweep.gamma > T::zero() {
                self.go::<L, DAMPED>();
            } else if pays && self.uniform == Some(T::zero()) && self.sweep.update.is_xpbd() {
                self.go::<L, RIGID>();
            } else {
                self.go::<L, PLAIN>();
            }
        }
    }

    /// The projection in one of its modes: [`PLAIN`], [`RIGID`] or [`DAMPED`].
    #[inline(always)]
    unsafe fn go<L: Lanes<T>, const MODE: u8>(self) {
        let Self { points, rows, multipliers, ahead: lines, linked, trio_count, stride, previous, .. } = self;
        let start = self.particles;
        let backward = self.sweep.backward;
        let kernel = Kernel::<T, L, K, N, M, MODE>::new(self.sweep, self.uniform, stride, self.particles);
        for &line in self.border {
            L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        }
        let all = Stretch { points, rows, multipliers, lines, linked };
        // SAFETY: as the caller promises; units are linked where they share a particle, and trios and pairs
        // are well formed (invariant of `Packs`).
        unsafe {
            if const { !sides::<K, N, M>() } {
                let units = all.units::<1, N, M>(stride, backward);
                return pipeline::<T, L, _, 1, N, M>(&Single(&kernel, previous), start, units);
            }
            let (trios, others) = all.cut::<M>(trio_count.packs(), trio_count.packs(), stride);
            let (pairs, single) = trios.cut::<M>(6 * trio_count.pairs, 6 * trio_count.pairs, stride);
            let mut parts = [Some(pairs), Some(single), Some(others)];
            // One after the other from either end, packs that are no trios in one place, so that their kernel is compiled once.
            for step in 0..3 {
                let part = if backward { 2 - step } else { step };
                let Some(packs) = parts[part].take() else { continue };
                if part == 2 {
                    let units = packs.units::<1, N, M>(stride, backward);
                    pipeline::<T, L, _, 1, N, M>(&Single(&kernel, previous), start, units);
                } else if const { MODE == DAMPED || L::WIDTH == 1 } {
                    // Packs of a trio are packs: where it does not pay they are walked like others, with the
                    // same result.
                    let first = if part == 0 { 0 } else { 6 * trio_count.pairs };
                    let count = packs.lines.len();
                    for step in 0..count {
                        let pack = if backward { count - 1 - step } else { step };
                        let ends = trio_count.ends(first + pack).expect("a pack of a trio");
                        let offsets = std::array::from_fn(|j| points[ends[usize::from(j > 0)]]);
                        let rows = &packs.rows[pack * stride..][..stride];
                        let multipliers = &mut packs.multipliers[pack * M..][..M];
                        kernel.pack(&offsets, rows, multipliers, previous);
                    }
                } else if part == 0 && backward {
                    let units = packs.units::<6, 6, M>(stride, true);
                    pipeline::<T, L, _, 6, 6, M>(
                        &PairOfTrios::<_, _, _, N, M, MODE, true>(&kernel),
                        start,
                        units,
                    );
                } else if part == 0 {
                    let units = packs.units::<6, 6, M>(stride, false);
                    pipeline::<T, L, _, 6, 6, M>(
                        &PairOfTrios::<_, _, _, N, M, MODE, false>(&kernel),
                        start,
                        units,
                    );
                } else if backward {
                    let units = packs.units::<3, 3, M>(stride, true);
                    pipeline::<T, L, _, 3, 3, M>(&Trio::<_, _, _, N, M, MODE, true>(&kernel), start, units);
                } else {
                    let units = packs.units::<3, 3, M>(stride, false);
                    pipeline::<T, L, _, 3, 3, M>(&Trio::<_, _, _, N, M, MODE, false>(&kernel), start, units);
                }
            }
        }
    }
}

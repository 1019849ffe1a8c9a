//! [`Evaluation`]: the residuals of the equations of a cluster, eight constraints side by side.
//!
//! An evaluation runs the formulas of a sweep once more and moves nothing: it evaluates the residuals C +
//! α̃λ, the strains and the energies, and gathers the impulses ∇Cᵀλ of every constraint on its particles.
//! LaneSums over a cluster are kept in eight lanes, whatever the width of the registers, and those of
//! clusters are added in `f64`: the same bits on every processor.
//!
//! Packs are evaluated in blocks; after each block the [`Findings`] are stored. Sides of triangles take their
//! corners together, as in a sweep, and their impulses are added up before they go to memory. In large meshes
//! an evaluation waits for memory: it reads multipliers and gathers impulses in addition to the data of a
//! sweep, so it prefetches those of the next cluster.

mod cluster;
mod eye;

use pliant_constraints::{Bound, Kind, damped_compliance, over_compliance};

use crate::findings::{BLOCK, Block, Findings, LaneSums};
use crate::lanes::{LaneJob, Lanes, PACK, Portable, fetch_points_ahead, side_by_side};
use crate::number::Number;
use crate::summary::Summary;
use crate::trio_count::sides;
pub(crate) use cluster::Evaluation;
use cluster::{Trios, Waiting};
use eye::Eye;

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> LaneJob<T> for Evaluation<'_, T, K, N, M> {
    type Out = Summary;
    /// Halves of a pack: evaluations need more registers than sweeps.
    type Portable = Portable<T, { side_by_side(PACK / 2) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> Summary {
        // SAFETY: an evaluation has its impulses to itself (invariant of `Packs`, which makes it); code that
        // names `L` has its instructions.
        unsafe { self.go::<L>() }
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Evaluation<'_, T, K, N, M> {
    /// Evaluates the packs in lanes of the type `L`. Strains are counted in the shared data of the clusters.
    /// If a number is not finite, neither is the sum of squares, and nothing else can be relied upon.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`; the offsets are in range of the particles and of the
    /// impulses, if there are any; and no other thread accesses the impulses of the particles of these packs
    /// meanwhile.
    #[inline(always)]
    unsafe fn go<L: Lanes<T>>(self) -> Summary {
        // SAFETY: as the caller promises.
        unsafe {
            if M == 1 && matches!(K::BOUND, Bound::Equality) && self.uniform == Some(T::zero()) {
                self.look::<L, true>()
            } else {
                self.look::<L, false>()
            }
        }
    }

    /// The evaluation, where `RIGID` of equations without compliance.
    #[inline(always)]
    unsafe fn look<L: Lanes<T>, const RIGID: bool>(self) -> Summary {
        let eye = Eye::<T, L, K, N, M, RIGID>::new(&self);
        let (mut sums, mut block) = (LaneSums::new(), Block::new());
        let mut findings = Findings::<T, L>::new(self.common, self.member, self.cluster, eye.strains());
        let Self { points, rows, multipliers, source, ahead, stride, .. } = self;
        eye.ask_for(self.border);
        let mut packs = Waiting::<T, M> { points, rows, multipliers, source, ahead, stride };
        if const { sides::<K, N, M>() } {
            for _ in 0..self.trio_count.pairs {
                let Trios { corners, packs: [ab, de, bc, ef, ac, df], source, ahead } = packs.cut::<6>();
                eye.ask_for(ahead);
                fetch_points_ahead::<6, 6>(corners, 1);
                let [a, d, b, e, c, f] = corners;
                // SAFETY: as the caller promises.
                unsafe {
                    eye.trio([a, b, c], [ab, bc, ac], [0, 2, 4], &mut sums, &mut block);
                    eye.trio([d, e, f], [de, ef, df], [1, 3, 5], &mut sums, &mut block);
                }
                findings.take::<6>(&mut block, &mut sums, source);
            }
            for _ in 0..self.trio_count.single {
                let Trios { corners, packs: trio, source, ahead } = packs.cut::<3>();
                eye.ask_for(ahead);
                fetch_points_ahead::<3, 3>(corners, 1);
                // SAFETY: as the caller promises.
                unsafe { eye.trio(corners.each_ref(), trio, [0, 1, 2], &mut sums, &mut block) };
                findings.take::<3>(&mut block, &mut sums, source);
            }
        }
        let blocks = packs.rows.chunks(BLOCK * stride).zip(packs.multipliers.chunks(BLOCK * M));
        let lists = packs.source.chunks(BLOCK).zip(packs.ahead.chunks(BLOCK));
        let points = packs.points.as_chunks::<N>().0.chunks(BLOCK);
        for ((points, rows), (source, ahead)) in points.zip(blocks).zip(lists) {
            eye.ask_for(ahead);
            // SAFETY: as the caller promises.
            unsafe { eye.block(points, rows, &mut sums, &mut block) };
            findings.take::<BLOCK>(&mut block, &mut sums, source);
        }
        let mut summary = findings.summary(&sums);
        summary.rows *= M;
        if eye.rigid {
            summary.rigid_rows = summary.rows;
        } else if let Some(alpha) = self.uniform {
            // The compliance that all lanes have in common is applied only here.
            summary.energy = over_compliance(summary.energy, alpha.to_f64());
            let alpha_tilde = (alpha * self.state.inverse_h2).to_f64();
            let softness = damped_compliance(alpha_tilde, self.state.gamma.to_f64());
            summary.softness = over_compliance(summary.residual_squares, softness);
        }
        summary
    }
}

//! [`Findings`]: the results of an evaluation: sums in lanes, the largest values and their constraints, and counts of strains.
//!
//! Every instruction here runs for every pack, so rare work is deferred: the constraint of a largest value is
//! determined only if a block of packs has a value that is larger than any before.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pliant_constraints::Real;

use crate::distribution::{Counts, Distribution};
use crate::lanes::{Lanes, PACK};
use crate::largest::Largest;
use crate::number::Number;
use crate::summary::Summary;

/// Packs that are evaluated together.
pub(super) const BLOCK: usize = 8;

/// Power of two by which numbers are multiplied before they are squared, so that small ones are not lost.
pub(super) const SCALE: f64 = (1_u64 << 30) as f64;

/// Eight lanes, in the first registers, as many as they take.
pub(super) type Eight<L> = [L; PACK];

/// Lanes one by one.
#[inline(always)]
pub(super) fn spread<T: Number, L: Lanes<T>>(lanes: &[L]) -> [T; PACK] {
    let mut all = [T::zero(); PACK];
    for part in 0..PACK / L::WIDTH {
        lanes[part].store(&mut all[part * L::WIDTH..]);
    }
    all
}

/// The sum of all lanes.
#[inline(always)]
fn total<T: Number, L: Lanes<T>>(lanes: &Eight<L>) -> f64 {
    let mut sum = 0.0;
    for value in spread::<T, L>(lanes) {
        sum += value.to_f64();
    }
    sum
}

/// Number of constraints up to which every strain is counted, and of more every [`SHARE`]-th block: looking
/// up counts in memory costs as much as a third of a constraint's formulas.
const ALL: usize = 1 << 14;

/// See [`ALL`].
const SHARE: usize = 4;

/// The data that the evaluations of a group's clusters share. The result does not depend on which threads run
/// them, or in which order.
pub(super) struct Common {
    /// Strains are counted in one of so many blocks.
    share: usize,
    /// Counts of strains, by every member of the team for itself: no thread ever waits for these locks.
    counts: Vec<Mutex<Counts>>,
    /// Bits of the largest residual, the largest elongation or change of volume, and the largest compression
    /// that a cluster has had: another cluster without one so large need not report where its own is.
    largest: [AtomicU64; 3],
}

impl Common {
    /// For a group of so many constraints, and a team of so many members.
    pub(super) fn new(constraints: usize, members: usize) -> Self {
        let share = if constraints > ALL { SHARE } else { 1 };
        let counts = (0..members).map(|_| Mutex::default()).collect();
        Self { share, counts, largest: Default::default() }
    }

    /// The largest value of a cluster so far, of the kind `of`.
    fn largest(&self, of: usize) -> f64 {
        f64::from_bits(self.largest[of].load(Ordering::Relaxed))
    }

    /// Merges the largest values of a cluster.
    pub(super) fn note(&self, summary: &Summary) {
        let strain = summary.stretch.value.max(summary.volume.value);
        for (largest, value) in
            self.largest.iter().zip([summary.residual.value, strain, summary.compression.value])
        {
            // Numbers that are not negative are ordered as their bits are.
            largest.fetch_max(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// All strains counted, each weighted by the number that it stands for.
    #[allow(clippy::cast_possible_truncation, reason = "a small number")]
    pub(super) fn distribution(self) -> Distribution {
        let mut all = Distribution::default();
        for counts in self.counts {
            counts.into_inner().unwrap_or_else(PoisonError::into_inner).add_to(&mut all, self.share as u32);
        }
        all
    }
}

/// The measure of deformation that a constraint reports.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Strains {
    Nothing,
    Stretches,
    Volumes,
}

/// The sums over constraints, and the largest values of the current block.
pub(super) struct LaneSums<L> {
    /// Squares of residuals, scaled.
    pub(super) squares: Eight<L>,
    /// Strains, whatever their sign.
    pub(super) strains: Eight<L>,
    /// Twice the energies, scaled.
    pub(super) energy: Eight<L>,
    pub(super) softness: Eight<L>,
    pub(super) rigid_rows: Eight<L>,
    /// Lanes of the current block that hold no constraint.
    pub(super) empty: u32,
    /// The largest residual, the largest strain, and the lowest.
    pub(super) worst: L,
    pub(super) highest: L,
    pub(super) lowest: L,
}

impl<L: Real> LaneSums<L> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let none = [L::zero(); PACK];
        Self {
            squares: none,
            strains: none,
            energy: none,
            softness: none,
            rigid_rows: none,
            empty: 0,
            worst: L::zero(),
            highest: L::zero(),
            lowest: L::zero(),
        }
    }
}

/// Residuals and strains of a block, pack by pack; zero where there is no constraint.
pub(super) struct Block<T> {
    pub(super) residuals: [[T; PACK]; BLOCK],
    pub(super) strains: [[T; PACK]; BLOCK],
}

impl<T: Number> Block<T> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let none = [[T::zero(); PACK]; BLOCK];
        Self { residuals: none, strains: none }
    }
}

/// The results of a cluster's blocks.
pub(super) struct Findings<'a, T: Number, L> {
    common: &'a Common,
    strains_are: Strains,
    residual: Largest<T, L>,
    up: Largest<T, L>,
    down: Largest<T, L>,
    inverted: bool,
    counts: MutexGuard<'a, Counts>,
    /// Blocks until strains are counted again.
    until_counted: usize,
    /// Lanes that were counted and hold no constraint.
    empty: u32,
    constraints: usize,
}

impl<'a, T: Number, L: Lanes<T>> Findings<'a, T, L> {
    /// The findings of a member of the team in a given cluster.
    #[inline(always)]
    pub(super) fn new(common: &'a Common, member: usize, cluster: usize, strains_are: Strains) -> Self {
        Self {
            common,
            strains_are,
            residual: Largest::above(common.largest(0)),
            up: Largest::above(common.largest(1)),
            down: Largest::above(common.largest(2)),
            inverted: false,
            counts: common.counts[member].lock().unwrap_or_else(PoisonError::into_inner),
            // Not the first of every cluster: what is packed last differs from what is packed first.
            until_counted: cluster % common.share,
            empty: 0,
            constraints: 0,
        }
    }

    /// Adds the first `P` packs of a block, of which `source` has the numbers of the constraints.
    #[inline(always)]
    pub(super) fn take<const P: usize>(
        &mut self,
        block: &mut Block<T>,
        sums: &mut LaneSums<L>,
        source: &[[u32; PACK]],
    ) {
        let (most, least) = (sums.highest, -sums.lowest);
        let larger = self.residual.is_below(sums.worst)
            | match self.strains_are {
                Strains::Nothing => false,
                Strains::Stretches => self.up.is_below(most) | self.down.is_below(least),
                Strains::Volumes => {
                    self.inverted |= L::any(L::one().le(least));
                    self.up.is_below(most.max(least))
                }
            };
        if larger {
            self.look_for_owners(block, source);
        }
        (sums.worst, sums.highest, sums.lowest) = (L::zero(), L::zero(), L::zero());
        if self.strains_are != Strains::Nothing {
            if self.until_counted == 0 {
                self.until_counted = self.common.share;
                block.strains[source.len()..P].fill([T::zero(); PACK]);
                self.counts.take(block.strains.first_chunk::<P>().expect("no more packs than a block has"));
                // And those of the packs that this block lacks.
                #[allow(clippy::cast_possible_truncation, reason = "lanes of a block")]
                let missing = ((P - source.len()) * PACK) as u32;
                self.empty += sums.empty + missing;
            }
            self.until_counted -= 1;
        }
        self.constraints += source.len() * PACK - sums.empty as usize;
        sums.empty = 0;
    }

    #[inline(always)]
    fn look_for_owners(&mut self, block: &Block<T>, source: &[[u32; PACK]]) {
        for ((residuals, strains), source) in block.residuals.iter().zip(&block.strains).zip(source) {
            self.residual.take(residuals, source);
            match self.strains_are {
                Strains::Nothing => {}
                Strains::Stretches => {
                    self.up.take(strains, source);
                    self.down.take(&strains.map(|s| -s), source);
                }
                Strains::Volumes => self.up.take(&strains.map(Real::abs), source),
            }
        }
    }

    /// The summary of the cluster, as if every constraint had one row. If a number is not finite, neither is
    /// the sum of squares, and nothing else can be relied upon.
    #[inline(always)]
    pub(super) fn summary(mut self, sums: &LaneSums<L>) -> Summary {
        self.counts.forget_zeros(self.empty);
        let square = |lanes: &Eight<L>| total::<T, L>(lanes) / (SCALE * SCALE);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of constraints")]
        let rigid_rows = total::<T, L>(&sums.rigid_rows) as usize;
        let mut summary = Summary {
            residual: self.residual.peak(),
            residual_squares: square(&sums.squares),
            energy: 0.5 * square(&sums.energy),
            softness: square(&sums.softness),
            rows: self.constraints,
            rigid_rows,
            ..Summary::default()
        };
        match self.strains_are {
            Strains::Nothing => {}
            Strains::Stretches => {
                (summary.stretch, summary.compression) = (self.up.peak(), self.down.peak());
                summary.stretch_sum = total::<T, L>(&sums.strains);
                summary.stretches = self.constraints;
            }
            Strains::Volumes => {
                summary.volume = self.up.peak();
                // Which ones they are is determined elsewhere: there should be none.
                summary.inverted = usize::from(self.inverted);
                summary.volumes = self.constraints;
            }
        }
        summary
    }
}

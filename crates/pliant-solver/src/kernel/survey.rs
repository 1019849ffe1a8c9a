//! [`Survey`]: what is left of the equations of a cluster, eight constraints side by side.
//!
//! A survey runs the formulas of a sweep once more and moves nothing: it looks at the residuals C + α̃λ, the strains and the energies, and gathers the pull ∇Cᵀλ of every constraint on its
//! particles. Sums over a cluster are kept in eight lanes, whatever the width of the registers, and those of clusters are added in `f64`: the same bits on every processor.
//!
//! Packs are looked at in blocks: first the formulas of all of a block, then their pulls, then the counts. Side by side in the processor are then the long chains of the formulas, and after
//! them the short ones of sums, instead of one after the other pack by pack.
//!
//! It costs as many instructions as it has, so what is rarely needed waits until it is: who has a largest value is asked only where a pack has one that is larger than any before, and which lanes
//! hold constraints only in packs that end with a dummy.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Bound, Kind, MAX_REST, Measure, Real, ScaledRows};

use super::lanes::{Lanes, PACK, fetch_ahead, offset};
use super::largest::Largest;
use super::packs::NONE;
use crate::distribution::{Counts, Distribution};
use crate::float::Float;
use crate::particles::Particle;
use crate::summary::{State, Summary};

/// The packs of a cluster, to be looked at.
pub struct Survey<'a, T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    pub(super) offsets: &'a [[[u32; PACK]; N]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) source: &'a [[u32; PACK]],
    pub(super) stride: usize,
    pub(super) uniform: Option<T>,
    pub(super) state: State<'a, T>,
    pub(super) common: &'a Common,
    /// Where the pulls are gathered, one for each particle; null where nobody asks for them.
    pub(super) pull: *mut Particle<T>,
    pub(super) kind: PhantomData<K>,
}

/// What the surveys of a group's clusters share. What comes of it does not depend on who makes them, or in which order.
#[derive(Default)]
pub(super) struct Common {
    /// Counts of strains that nobody is at work on.
    counts: Mutex<Vec<Counts>>,
    /// Bits of the largest residual, the largest elongation or change of volume, and the largest compression that a cluster has had: another that has none so large need not say where its own is.
    largest: [AtomicU64; 3],
}

impl Common {
    fn borrow(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, counts: Counts) {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).push(counts);
    }

    /// The largest value of a cluster so far, of the kind `of`.
    fn largest(&self, of: usize) -> f64 {
        f64::from_bits(self.largest[of].load(Ordering::Relaxed))
    }

    /// Takes up the largest values of a cluster.
    pub(super) fn note(&self, summary: &Summary) {
        let strain = summary.stretch.value.max(summary.volume.value);
        for (largest, value) in
            self.largest.iter().zip([summary.residual.value, strain, summary.compression.value])
        {
            // Numbers that are not negative are ordered as their bits are.
            largest.fetch_max(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// All strains counted.
    pub(super) fn distribution(self) -> Distribution {
        let mut all = Distribution::default();
        let counts = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        counts.iter().for_each(|counts| counts.add_to(&mut all));
        all
    }
}

/// What a constraint says of the deformation of its element.
#[derive(Clone, Copy, PartialEq)]
enum Strains {
    Nothing,
    Stretches,
    Volumes,
}

/// Eight lanes, in as many registers as they take.
type Eight<L> = [L; 2];

/// Packs that are looked at together.
const BLOCK: usize = 8;

/// Power of two by which numbers are multiplied before they are squared, so that small ones are not lost.
const SCALE: f64 = (1_u64 << 30) as f64;

/// Lanes one by one.
#[inline(always)]
pub(super) fn spread<T: Float, L: Lanes<T>>(lanes: &Eight<L>) -> [T; PACK] {
    let mut all = [T::zero(); PACK];
    for part in 0..PACK / L::WIDTH {
        lanes[part].store(&mut all[part * L::WIDTH..]);
    }
    all
}

/// The sum of all lanes.
#[inline(always)]
fn total<T: Float, L: Lanes<T>>(lanes: &Eight<L>) -> f64 {
    let mut sum = 0.0;
    for value in spread::<T, L>(lanes) {
        sum += value.to_f64();
    }
    sum
}

/// Ones for the lanes that hold constraints.
#[inline(always)]
fn mask<T: Float>(live: usize) -> [T; PACK] {
    let mut mask = [T::zero(); PACK];
    for lane in &mut mask[..live] {
        *lane = T::one();
    }
    mask
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Survey<'_, T, K, N, M> {
    /// Looks at the packs in lanes of the type `L`. Strains are counted in what the clusters share. If a number is not finite, neither is the sum of squares, and nothing else can be relied upon.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`; the offsets are in range of the particles and of the pulls, if there are any; and nobody else accesses the pulls of the particles of these
    /// packs meanwhile.
    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "loops instead of closures: what is not inlined cannot use the instructions"
    )]
    pub(super) unsafe fn go<L: Lanes<T>>(self) -> Summary {
        // SAFETY: as the caller promises.
        unsafe {
            if M == 1 && matches!(K::BOUND, Bound::Equality) && self.uniform == Some(T::zero()) {
                self.look::<L, true>()
            } else {
                self.look::<L, false>()
            }
        }
    }

    /// The survey, where `RIGID` of equations without compliance.
    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "loops instead of closures: what is not inlined cannot use the instructions"
    )]
    unsafe fn look<L: Lanes<T>, const RIGID: bool>(self) -> Summary {
        let bound = <K::At<L> as BlockConstraint<L, N, M>>::BOUND;
        let zero = L::zero();
        let (inverse_h2, gamma) =
            (L::load(&[self.state.inverse_h2; PACK]), L::load(&[self.state.gamma; PACK]));
        let (scale, damped) = (L::splat(SCALE), self.state.gamma > T::zero());
        let rigid = RIGID || self.uniform == Some(T::zero());
        #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
        let first_dummy = offset::<T>(self.state.count as u32);
        let above = |of: usize| Largest::<T, L>::above(self.common.largest(of));
        let (mut residual, mut up, mut down) = (above(0), above(1), above(2));
        let (mut squares, mut strain_sum) = ([zero; 2], [zero; 2]);
        let (mut energy, mut softness, mut rigid_rows) = ([zero; 2], [zero; 2], [zero; 2]);
        let mut strains_are = Strains::Nothing;
        let mut inverted = false;
        let mut counts = self.common.borrow();
        // Strains and pulls of a block.
        let mut strains = [T::zero(); BLOCK * PACK];
        let mut pulls = [[[Vector3::new(zero, zero, zero); 2]; N]; BLOCK];
        let mut lefts = [T::zero(); PACK];
        let mut live_total = 0;
        let rows = self.rows.chunks(BLOCK * self.stride);
        for ((block, rows), source) in self.offsets.chunks(BLOCK).zip(rows).zip(self.source.chunks(BLOCK)) {
            let mut waiting = 0;
            let packs = block.iter().zip(rows.chunks_exact(self.stride)).zip(source).zip(&mut pulls);
            for (((offsets, rows), source), pulls) in packs {
                fetch_ahead(offsets, rows);
                let mut live = PACK;
                if offsets[0][PACK - 1] >= first_dummy {
                    // Dummies fill the lanes behind the constraints.
                    live = source.iter().position(|&s| s == NONE).unwrap_or(PACK);
                }
                let mut larger = false;
                for part in 0..PACK / L::WIDTH {
                    let lane = part * L::WIDTH;
                    let mut x = [Vector3::new(zero, zero, zero); N];
                    let mut w = [zero; N];
                    for j in 0..N {
                        // SAFETY: offsets are in range, as the caller promises, and nobody writes to the particles.
                        (x[j], w[j]) = unsafe { L::gather(self.state.now.as_ptr(), &offsets[j][lane..]) };
                    }
                    let mut rest = [zero; MAX_REST];
                    for k in 0..K::REST {
                        rest[k] = L::load(&rows[k][lane..]);
                    }
                    let mut lambda = [zero; M];
                    for row in 0..M {
                        lambda[row] = L::load(&rows[self.stride - M + row][lane..]);
                    }
                    let constraint = K::from_rest(&rest[..K::REST]);
                    // As a projection has them: gradients times a factor.
                    let ScaledRows { factor, values, gradients, .. } = constraint.scaled_rows(&x, &w);
                    let (mut alpha, mut alpha_tilde) = (zero, zero);
                    if !rigid {
                        alpha = match self.uniform {
                            Some(alpha) => L::load(&[alpha; PACK]),
                            None => L::load(&rows[K::REST][lane..]),
                        };
                        alpha_tilde = alpha * inverse_h2;
                    }
                    let mut with_damping = values;
                    let mut stiffened = L::one();
                    if damped && !rigid {
                        let gamma = L::select(alpha_tilde.le(zero), zero, gamma);
                        stiffened += gamma;
                        let mut changes = [zero; M];
                        for j in 0..N {
                            // SAFETY: as above.
                            let (before, _) =
                                unsafe { L::gather(self.state.previous.as_ptr(), &offsets[j][lane..]) };
                            for row in 0..M {
                                changes[row] += gradients[row][j].dot(&(x[j] - before));
                            }
                        }
                        for row in 0..M {
                            with_damping[row] += gamma / factor * changes[row];
                        }
                    }
                    let mut left =
                        if RIGID { values } else { bound.residual(&with_damping, alpha_tilde, &lambda) };
                    let mut violations = values;
                    for row in 0..M {
                        violations[row] = bound.violation(values[row]);
                    }
                    let mut here = L::one();
                    let mut strain = zero;
                    match K::measure(&constraint, &values) {
                        Measure::Nothing => {}
                        Measure::Stretch(s) => (strains_are, strain) = (Strains::Stretches, s),
                        Measure::Volume(v) => (strains_are, strain) = (Strains::Volumes, v),
                    }
                    if live < PACK {
                        here = L::load(&mask(live)[lane..]);
                        let dead = here.le(zero);
                        for row in 0..M {
                            left[row] = L::select(dead, zero, left[row]);
                            violations[row] = L::select(dead, zero, violations[row]);
                        }
                        strain = L::select(dead, zero, strain);
                    }
                    let mut worst = left[0].abs();
                    for row in 1..M {
                        worst = worst.max(left[row].abs());
                    }
                    for row in 0..M {
                        let scaled = left[row] * scale;
                        squares[part] += scaled * scaled;
                    }
                    larger |= residual.is_below(worst);
                    worst.store(&mut lefts[lane..]);
                    if !rigid {
                        for row in 0..M {
                            let scaled = violations[row] * scale;
                            if self.uniform.is_some() {
                                energy[part] += scaled * scaled;
                            } else {
                                let is_rigid = alpha.le(zero);
                                energy[part] += L::select(is_rigid, zero, scaled * (scaled / alpha));
                                let missed = left[row] * scale;
                                let missed = missed * (missed / (alpha_tilde * stiffened));
                                softness[part] += L::select(alpha_tilde.le(zero), zero, missed);
                                rigid_rows[part] += L::select(is_rigid, here, zero);
                            }
                        }
                    }
                    match strains_are {
                        Strains::Nothing => {}
                        Strains::Stretches => {
                            larger |= up.is_below(strain) | down.is_below(-strain);
                            strain_sum[part] += strain.abs();
                        }
                        Strains::Volumes => {
                            larger |= up.is_below(strain.abs());
                            inverted |= L::any(strain.le(-L::one()));
                        }
                    }
                    strain.store(&mut strains[waiting + lane..]);
                    if !self.pull.is_null() {
                        for row in 0..M {
                            lambda[row] /= factor;
                        }
                        for j in 0..N {
                            let mut pull = gradients[0][j] * lambda[0];
                            for row in 1..M {
                                pull += gradients[row][j] * lambda[row];
                            }
                            pulls[j][part] = pull;
                        }
                    }
                }
                if larger {
                    residual.take(&lefts, source);
                    let strains: &[T] = &strains[waiting..waiting + PACK];
                    let each = |f: fn(T) -> T| std::array::from_fn(|k| f(strains[k]));
                    match strains_are {
                        Strains::Nothing => {}
                        Strains::Stretches => {
                            up.take(&each(|s| s), source);
                            down.take(&each(|s| -s), source);
                        }
                        Strains::Volumes => up.take(&each(Real::abs), source),
                    }
                }
                waiting += live;
            }
            if !self.pull.is_null() {
                for (offsets, pulls) in block.iter().zip(&pulls) {
                    for (offsets, pulls) in offsets.iter().zip(pulls) {
                        for part in 0..PACK / L::WIDTH {
                            // SAFETY: offsets are in range, those of a pack are distinct (invariant of `Packs`), and the pulls are ours alone, as the caller promises.
                            unsafe { L::accumulate(self.pull, &offsets[part * L::WIDTH..], pulls[part]) };
                        }
                    }
                }
            }
            if strains_are != Strains::Nothing {
                counts.take(&strains, waiting);
            }
            live_total += waiting;
        }
        self.common.give_back(counts);
        let square = |lanes: &Eight<L>| total::<T, L>(lanes) / (SCALE * SCALE);
        let mut summary = Summary {
            residual: residual.peak(),
            residual_squares: square(&squares),
            rows: M * live_total,
            energy: 0.5 * square(&energy),
            softness: square(&softness),
            ..Summary::default()
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of constraints")]
        let counted = total::<T, L>(&rigid_rows) as usize;
        summary.rigid_rows = if rigid { M * live_total } else { counted };
        if let Some(alpha) = self.uniform.filter(|_| !rigid) {
            // What all lanes have in common has waited until here.
            summary.energy /= alpha.to_f64();
            let alpha_tilde = (alpha * self.state.inverse_h2).to_f64();
            if alpha_tilde > 0.0 {
                summary.softness =
                    summary.residual_squares / (alpha_tilde * (1.0 + self.state.gamma.to_f64()));
            }
        }
        match strains_are {
            Strains::Nothing => {}
            Strains::Stretches => {
                (summary.stretch, summary.compression) = (up.peak(), down.peak());
                summary.stretch_sum = total::<T, L>(&strain_sum);
                summary.stretches = live_total;
            }
            Strains::Volumes => {
                summary.volume = up.peak();
                // Who they are is for others to find out: there should be none.
                summary.inverted = usize::from(inverted);
                summary.volumes = live_total;
            }
        }
        summary
    }
}

//! [`Survey`]: what is left of the equations of a cluster, eight constraints side by side.
//!
//! A survey runs the formulas of a sweep once more and moves nothing: it looks at the residuals C + α̃λ, the strains and the energies, and gathers the pull ∇Cᵀλ of every constraint on its
//! particles. Sums over a cluster are kept in eight lanes, whatever the width of the registers, and those of clusters are added in `f64`: the same bits on every processor.

use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Kind, MAX_REST, Measure, Real};

use super::lanes::{Lanes, PACK};
use super::packs::NONE;
use crate::distribution::Distribution;
use crate::float::Float;
use crate::particles::Particle;
use crate::summary::{Peak, State, Summary};

/// The packs of a cluster, to be looked at.
pub struct Survey<'a, T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    pub(super) offsets: &'a [[[u32; PACK]; N]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) source: &'a [[u32; PACK]],
    pub(super) stride: usize,
    pub(super) uniform: Option<T>,
    pub(super) state: State<'a, T>,
    /// Where the pulls are gathered, one for each particle; null where nobody asks for them.
    pub(super) pull: *mut Particle<T>,
    pub(super) kind: PhantomData<K>,
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

/// Power of two by which residuals are multiplied before they are squared, so that small ones are not lost.
const SCALE: f64 = (1_u64 << 30) as f64;

/// The largest value of every lane and the pack that has it.
#[derive(Clone, Copy)]
struct Peaks<L> {
    value: Eight<L>,
    pack: Eight<L>,
}

impl<L: Real> Peaks<L> {
    #[inline(always)]
    fn new() -> Self {
        Self { value: [L::zero(); 2], pack: [L::zero(); 2] }
    }

    #[inline(always)]
    fn take(&mut self, part: usize, value: L, pack: L) {
        let larger = self.value[part].lt(value);
        self.value[part] = L::select(larger, value, self.value[part]);
        self.pack[part] = L::select(larger, pack, self.pack[part]);
    }

    /// The largest of all lanes.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of a pack")]
    fn peak<T: Float>(&self, source: &[[u32; PACK]]) -> Peak
    where
        L: Lanes<T>,
    {
        let (values, packs) = (spread::<T, L>(&self.value), spread::<T, L>(&self.pack));
        let mut peak = Peak::default();
        for k in 0..PACK {
            if values[k] > T::zero() {
                peak.take(values[k].to_f64(), source[packs[k].to_f64() as usize][k] as usize);
            }
        }
        peak
    }
}

/// Lanes one by one.
#[inline(always)]
fn spread<T: Float, L: Lanes<T>>(lanes: &Eight<L>) -> [T; PACK] {
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
    /// Looks at the packs in lanes of the type `L`. If a number is not finite, neither is the sum of squares, and nothing else can be relied upon.
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
        let bound = <K::At<L> as BlockConstraint<L, N, M>>::BOUND;
        let zero = L::zero();
        let (inverse_h2, gamma) =
            (L::load(&[self.state.inverse_h2; PACK]), L::load(&[self.state.gamma; PACK]));
        let (half, scale, damped) = (L::splat(0.5), L::splat(SCALE), self.state.gamma > T::zero());
        let rigid = self.uniform == Some(T::zero());
        let (mut residual, mut up, mut down) = (Peaks::new(), Peaks::new(), Peaks::new());
        let (mut squares, mut strain_sum) = ([zero; 2], [zero; 2]);
        let (mut energy, mut softness, mut rigid_rows) = ([zero; 2], [zero; 2], [zero; 2]);
        let mut strains_are = Strains::Nothing;
        let mut distribution = Distribution::default();
        let mut live_total = 0;
        let mut number = zero;
        let packs = self.offsets.iter().zip(self.rows.chunks_exact(self.stride)).zip(self.source);
        for ((offsets, rows), source) in packs {
            let mut live = PACK;
            if source[PACK - 1] == NONE {
                // Dummies fill the lanes behind the constraints.
                live = source.iter().position(|&s| s == NONE).unwrap_or(PACK);
            }
            live_total += live;
            let mut strains = [T::zero(); PACK];
            for part in 0..PACK / L::WIDTH {
                let lane = part * L::WIDTH;
                let mut x = [Vector3::new(zero, zero, zero); N];
                for j in 0..N {
                    // SAFETY: offsets are in range, as the caller promises, and nobody writes to the particles.
                    (x[j], _) = unsafe { L::gather(self.state.now.as_ptr(), &offsets[j][lane..]) };
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
                let (values, gradients) = constraint.values_and_gradients(&x);
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
                        with_damping[row] += gamma * changes[row];
                    }
                }
                let mut left = bound.residual(&with_damping, alpha_tilde, &lambda);
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
                for row in 0..M {
                    residual.take(part, left[row].abs(), number);
                    let scaled = left[row] * scale;
                    squares[part] += scaled * scaled;
                }
                if !rigid {
                    let (mut stored, mut missed) = (zero, zero);
                    for row in 0..M {
                        stored += violations[row] * (violations[row] / alpha) * half;
                        missed += left[row] * (left[row] / (alpha_tilde * stiffened));
                    }
                    let is_rigid = alpha.le(zero);
                    energy[part] += L::select(is_rigid, zero, stored);
                    softness[part] += L::select(alpha_tilde.le(zero), zero, missed);
                    rigid_rows[part] += L::select(is_rigid, here, zero);
                }
                match strains_are {
                    Strains::Nothing => {}
                    Strains::Stretches => {
                        up.take(part, strain, number);
                        down.take(part, -strain, number);
                        strain_sum[part] += strain.abs();
                    }
                    Strains::Volumes => {
                        up.take(part, strain.abs(), number);
                        down.take(part, -strain, number);
                    }
                }
                strain.store(&mut strains[lane..]);
                if !self.pull.is_null() {
                    for j in 0..N {
                        let mut pull = gradients[0][j] * lambda[0];
                        for row in 1..M {
                            pull += gradients[row][j] * lambda[row];
                        }
                        // SAFETY: offsets are in range, those of a pack are distinct (invariant of `Packs`), and the pulls are ours alone, as the caller promises.
                        unsafe { L::accumulate(self.pull, &offsets[j][lane..], pull) };
                    }
                }
            }
            if strains_are != Strains::Nothing {
                distribution.take_all(&strains, live);
            }
            number += L::one();
        }
        let mut summary = Summary {
            residual: residual.peak(self.source),
            residual_squares: total::<T, L>(&squares) / (SCALE * SCALE),
            rows: M * live_total,
            energy: total::<T, L>(&energy),
            softness: total::<T, L>(&softness),
            ..Summary::default()
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of constraints")]
        let counted = total::<T, L>(&rigid_rows) as usize;
        summary.rigid_rows = M * if rigid { live_total } else { counted };
        match strains_are {
            Strains::Nothing => {}
            Strains::Stretches => {
                (summary.stretch, summary.compression) = (up.peak(self.source), down.peak(self.source));
                summary.stretch_sum = total::<T, L>(&strain_sum);
                summary.stretches = live_total;
                summary.stretch_distribution = Some(distribution);
            }
            Strains::Volumes => {
                summary.volume = up.peak(self.source);
                // Who they are is for others to find out: there should be none.
                summary.inverted = usize::from(down.peak(self.source).value >= 1.0);
                summary.volumes = live_total;
                summary.volume_distribution = Some(distribution);
            }
        }
        summary
    }
}

//! [`Eye`]: evaluates packs.

use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Damping, Deformation, Kind, MAX_REST, damped_compliance, over_compliance,
};

use super::cluster::{Evaluation, Rows};
use crate::findings::{BLOCK, Block, LaneSums, SCALE, Strains};
use crate::lanes::{Lanes, PACK, fetch, fetch_points_ahead, fetch_rows_ahead, offset, unrolled};
use crate::number::Number;
use crate::particles::Particle;
use crate::trio_count::sides;

/// What the evaluation of every pack needs.
pub(super) struct Eye<
    'a,
    T: Number,
    L: Lanes<T>,
    K: Kind<N, M>,
    const N: usize,
    const M: usize,
    const RIGID: bool,
> {
    inverse_h2: L,
    gamma: L,
    damped: bool,
    scale: L,
    uniform: Option<T>,
    /// Whether no constraint has a compliance.
    pub(super) rigid: bool,
    first_dummy: u32,
    stride: usize,
    now: *const Particle<T>,
    previous: *const Particle<T>,
    impulses: *mut Particle<T>,
    kind: PhantomData<(&'a T, K)>,
}

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const RIGID: bool>
    Eye<'_, T, L, K, N, M, RIGID>
{
    #[inline(always)]
    pub(super) fn new(evaluation: &Evaluation<'_, T, K, N, M>) -> Self {
        let state = &evaluation.state;
        #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
        let first_dummy = offset::<T>(state.count as u32);
        Self {
            inverse_h2: L::load(&[state.inverse_h2; PACK]),
            gamma: L::load(&[state.gamma; PACK]),
            damped: state.gamma > T::zero(),
            scale: L::splat(SCALE),
            uniform: evaluation.uniform,
            rigid: RIGID || evaluation.uniform == Some(T::zero()),
            first_dummy,
            stride: evaluation.stride,
            now: state.now.as_ptr(),
            previous: state.previous.as_ptr(),
            impulses: evaluation.impulses,
            kind: PhantomData,
        }
    }

    /// The measure of deformation that the kind reports.
    #[inline(always)]
    pub(super) fn strains(&self) -> Strains {
        match K::deformation(&K::from_rest(&[L::one(); MAX_REST][..K::REST]), &[L::zero(); M]) {
            Deformation::Nothing => Strains::Nothing,
            Deformation::Stretch(_) => Strains::Stretches,
            Deformation::Volume(_) => Strains::Volumes,
        }
    }

    /// The lanes of a pack, from `lane` on, that hold no constraint: dummies act on the particles behind all others.
    #[inline(always)]
    pub(super) fn empty(&self, first_points: &[u32; PACK], lane: usize) -> L::Mask {
        L::are_from(&first_points[lane..], self.first_dummy)
    }

    /// Prefetches particles and their impulses.
    #[inline(always)]
    pub(super) fn ask_for(&self, lines: &[u32]) {
        for &line in lines {
            fetch(self.now.wrapping_byte_add(line as usize));
            fetch(self.impulses.wrapping_byte_add(line as usize));
        }
    }

    /// The points at some offsets.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::gather`].
    #[inline(always)]
    pub(super) unsafe fn take(&self, offsets: &[u32; PACK], lane: usize) -> (Vector3<L>, L) {
        // SAFETY: as the caller promises.
        unsafe { L::gather(self.now, &offsets[lane..]) }
    }

    /// Evaluates the packs of a block.
    ///
    /// # Safety
    ///
    /// As for [`Evaluation::go`].
    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "loops instead of closures: what is not inlined cannot use the instructions"
    )]
    pub(super) unsafe fn block(
        &self,
        points: &[[[u32; PACK]; N]],
        (rows, multipliers): Rows<'_, T>,
        sums: &mut LaneSums<L>,
        block: &mut Block<T>,
    ) {
        let zero = L::zero();
        let packs = points.iter().zip(rows.chunks_exact(self.stride).zip(multipliers.chunks_exact(M)));
        for (place, (points, pack)) in (0..BLOCK).zip(packs) {
            fetch_points_ahead::<1, N>(points, 1);
            fetch_rows_ahead::<T, 1>(pack.0, self.stride, 1);
            for lane in (0..PACK).step_by(L::WIDTH) {
                let mut x = [Vector3::new(zero, zero, zero); N];
                let mut w = [zero; N];
                unrolled!(j in 0..N {
                    // SAFETY: offsets are in range, as the caller promises, and no thread writes to the particles.
                    (x[j], w[j]) = unsafe { self.take(&points[j], lane) };
                });
                let empty = self.empty(&points[0], lane);
                sums.empty += L::count(empty);
                // SAFETY: as the caller promises.
                let impulses =
                    unsafe { self.look(&x, &w, points.each_ref(), pack, empty, lane, sums, block, place) };
                if self.impulses.is_null() {
                    continue;
                }
                // SAFETY: offsets are in range, those of a pack are distinct (invariant of `Packs`), and the
                // impulses are ours alone, as the caller promises.
                unsafe {
                    if sides::<K, N, M>() {
                        L::exchange(self.impulses, &points[0][lane..], &points[N - 1][lane..], impulses[0]);
                    } else {
                        unrolled!(j in 0..N {
                            L::accumulate(self.impulses, &points[j][lane..], impulses[j]);
                        });
                    }
                }
            }
        }
    }

    /// Evaluates a trio, whose sides have the given `places` in the block.
    ///
    /// # Safety
    ///
    /// The packs form a trio, see [`TrioCount`]; else as for [`Evaluation::go`].
    #[inline(always)]
    pub(super) unsafe fn trio(
        &self,
        [at_a, at_b, at_c]: [&[u32; PACK]; 3],
        [ab, bc, ac]: [Rows<'_, T>; 3],
        places: [usize; 3],
        sums: &mut LaneSums<L>,
        block: &mut Block<T>,
    ) {
        for (rows, _) in [ab, bc, ac] {
            fetch_rows_ahead::<T, 1>(rows, rows.len(), 1);
        }
        for lane in (0..PACK).step_by(L::WIDTH) {
            // A lane of a trio holds a triangle or nothing.
            let empty = self.empty(at_a, lane);
            sums.empty += 3 * L::count(empty);
            // SAFETY: offsets are in range and those of a corner distinct, no thread writes to the particles, and the
            // impulses are ours alone, as the caller promises.
            unsafe {
                let (a, b) = (self.take(at_a, lane), self.take(at_b, lane));
                let along_ab = self.side((a, at_a), (b, at_b), ab, empty, lane, sums, block, places[0]);
                let c = self.take(at_c, lane);
                let along_bc = self.side((b, at_b), (c, at_c), bc, empty, lane, sums, block, places[1]);
                let along_ac = self.side((a, at_a), (c, at_c), ac, empty, lane, sums, block, places[2]);
                if !self.impulses.is_null() {
                    L::accumulate(self.impulses, &at_a[lane..], along_ab + along_ac);
                    L::accumulate(self.impulses, &at_b[lane..], along_bc - along_ab);
                    L::accumulate(self.impulses, &at_c[lane..], -along_bc - along_ac);
                }
            }
        }
    }

    /// Evaluates the constraints between two points that are loaded, and returns their impulses at the first.
    ///
    /// # Safety
    ///
    /// As for [`look`](Self::look).
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "as below")]
    pub(super) unsafe fn side(
        &self,
        (from, at_from): ((Vector3<L>, L), &[u32; PACK]),
        (to, at_to): ((Vector3<L>, L), &[u32; PACK]),
        pack: Rows<'_, T>,
        empty: L::Mask,
        lane: usize,
        sums: &mut LaneSums<L>,
        block: &mut Block<T>,
        place: usize,
    ) -> Vector3<L> {
        let (mut x, mut w) = ([from.0; N], [from.1; N]);
        (x[N - 1], w[N - 1]) = to;
        let mut points = [at_from; N];
        points[N - 1] = at_to;
        // SAFETY: as the caller promises.
        unsafe { self.look(&x, &w, points, pack, empty, lane, sums, block, place)[0] }
    }

    /// Evaluates constraints whose points are loaded, except in the lanes that are `empty`: adds to the sums,
    /// and returns the impulses at the points.
    ///
    /// # Safety
    ///
    /// The offsets are in range of the previous particles.
    #[inline(always)]
    #[allow(
        clippy::too_many_arguments,
        reason = "all of it is in registers, and a struct of them need not be"
    )]
    #[allow(
        clippy::needless_range_loop,
        reason = "loops instead of closures: what is not inlined cannot use the instructions"
    )]
    pub(super) unsafe fn look(
        &self,
        x: &[Vector3<L>; N],
        w: &[L; N],
        points: [&[u32; PACK]; N],
        (rows, multipliers): Rows<'_, T>,
        empty: L::Mask,
        lane: usize,
        sums: &mut LaneSums<L>,
        block: &mut Block<T>,
        place: usize,
    ) -> [Vector3<L>; N] {
        let (zero, part) = (L::zero(), lane / L::WIDTH);
        let mut rest = [zero; MAX_REST];
        for k in 0..K::REST {
            rest[k] = L::load(&rows[k][lane..]);
        }
        let mut lambda = [zero; M];
        for row in 0..M {
            lambda[row] = L::load(&multipliers[row][lane..]);
        }
        let constraint = K::from_rest(&rest[..K::REST]);
        // As a projection has them: gradients times a factor.
        let seen = constraint.scaled_rows(x, w);
        let (mut alpha, mut alpha_tilde) = (zero, zero);
        if !self.rigid {
            alpha = match self.uniform {
                Some(alpha) => L::load(&[alpha; PACK]),
                None => L::load(&rows[K::REST][lane..]),
            };
            alpha_tilde = alpha * self.inverse_h2;
        }
        let mut values = seen.values;
        let mut softness = alpha_tilde;
        if self.damped && !self.rigid {
            let mut previous = *x;
            unrolled!(j in 0..N {
                // SAFETY: offsets are in range, as the caller promises, and no thread writes previous particles.
                (previous[j], _) = unsafe { L::gather(self.previous, &points[j][lane..]) };
            });
            let damping = Damping { previous: &previous, gamma: self.gamma };
            values = seen.damped_values(x, alpha_tilde, damping);
            softness = damped_compliance(alpha_tilde, self.gamma);
        }
        let mut left = if RIGID { values } else { constraint.residuals(&values, alpha_tilde, &lambda) };
        let mut violations = constraint.violations(seen.values);
        // Dummies repeat the data of a constraint, so their strains mean nothing.
        let mut strain = zero;
        if let Deformation::Stretch(s) | Deformation::Volume(s) = K::deformation(&constraint, &seen.values) {
            strain = L::select(empty, zero, s);
        }
        for row in 0..M {
            left[row] = L::select(empty, zero, left[row]);
            violations[row] = L::select(empty, zero, violations[row]);
        }
        let mut worst = left[0].abs();
        for row in 1..M {
            worst = worst.max(left[row].abs());
        }
        for row in 0..M {
            let scaled = left[row] * self.scale;
            sums.squares[part] += scaled * scaled;
        }
        sums.worst = sums.worst.max(worst);
        worst.store(&mut block.residuals[place][lane..]);
        if !self.rigid {
            for row in 0..M {
                let scaled = violations[row] * self.scale;
                if self.uniform.is_some() {
                    sums.energy[part] += scaled * scaled;
                } else {
                    sums.energy[part] += over_compliance(scaled * scaled, alpha);
                    let missed = left[row] * self.scale;
                    sums.softness[part] += over_compliance(missed * missed, softness);
                    let counted = L::select(empty, zero, L::one());
                    sums.rigid_rows[part] += L::select(alpha.le(zero), counted, zero);
                }
            }
        }
        let strains_are = self.strains();
        if strains_are != Strains::Nothing {
            (sums.highest, sums.lowest) = (sums.highest.max(strain), sums.lowest.min(strain));
            strain.store(&mut block.strains[place][lane..]);
        }
        if strains_are == Strains::Stretches {
            sums.strains[part] += strain.abs();
        }
        seen.impulses(&lambda)
    }
}

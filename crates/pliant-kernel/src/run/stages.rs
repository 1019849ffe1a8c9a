//! How packs, trios and pairs of trios go through the pipeline.

use pliant_constraints::Kind;

use super::kernel::{DAMPED, Kernel, Point};
use crate::lanes::{Lanes, PACK};
use crate::number::Number;
use crate::particles::Particle;
use crate::pipeline::{Stage, Unit};

/// Packs one by one; and the particles at the start of the substep, in range of which are their offsets.
pub(super) struct Single<
    'k,
    T: Number,
    L: Lanes<T>,
    K: Kind<N, M>,
    const N: usize,
    const M: usize,
    const MODE: u8,
>(pub(super) &'k Kernel<T, L, K, N, M, MODE>, pub(super) &'k [Particle<T>]);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> Stage<T, L, 1, N>
    for Single<'_, T, L, K, N, M, MODE>
{
    // If constraints are damped, loading their points at the start of the substep takes longer than everything else.
    const EARLY: bool = L::EARLY && MODE != DAMPED;

    type Taken = [Point<L>; N];
    type Moved = [Point<L>; N];

    #[inline(always)]
    unsafe fn take(&self, points: &[[u32; PACK]; N], lane: usize) -> Self::Taken {
        // SAFETY: as the caller promises.
        unsafe { self.0.take_all(points, lane) }
    }

    #[inline(always)]
    unsafe fn project(&self, unit: &mut Unit<'_, T, 1, N>, lane: usize, taken: Self::Taken) -> Self::Moved {
        let rows = (unit.rows, &mut *unit.multipliers);
        // SAFETY: offsets are in range, also of these particles.
        unsafe { self.0.moved(unit.points, taken, rows, lane, self.1) }
    }

    #[inline(always)]
    unsafe fn put(&self, points: &[[u32; PACK]; N], lane: usize, moved: Self::Moved) {
        // SAFETY: as the caller promises.
        unsafe { self.0.put_all(points, lane, moved) };
    }
}

/// Trios: the three sides of triangles, whose corners are loaded and stored once. See [`TrioCount`]. On the way `BACK`
/// the sides are walked in the opposite order: a–c, b–c, a–b, which is the forward order with b and c exchanged. Each
/// way is a kernel of its own, because addresses that are chosen as it runs take a fortieth of the time.
///
/// The corners of a lane's triangle are distinct, as are those of different lanes. Corners without mass may
/// be one particle, which nothing moves.
pub(super) struct Trio<
    'k,
    T: Number,
    L: Lanes<T>,
    K: Kind<N, M>,
    const N: usize,
    const M: usize,
    const MODE: u8,
    const BACK: bool,
>(pub(super) &'k Kernel<T, L, K, N, M, MODE>);

/// The first and the last of three things, the other way round on the way back.
#[inline(always)]
fn ends<X, const BACK: bool>(first: X, last: X) -> (X, X) {
    if BACK { (last, first) } else { (first, last) }
}

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8, const BACK: bool>
    Stage<T, L, 3, 3> for Trio<'_, T, L, K, N, M, MODE, BACK>
{
    type Taken = [Point<L>; 2];
    type Moved = [Point<L>; 2];

    #[inline(always)]
    unsafe fn take(&self, [at_a, at_b, at_c]: &[[u32; PACK]; 3], lane: usize) -> Self::Taken {
        let (at_b, _) = ends::<_, BACK>(at_b, at_c);
        // SAFETY: as the caller promises.
        unsafe { [self.0.take(at_a, lane), self.0.take(at_b, lane)] }
    }

    #[inline(always)]
    unsafe fn project(&self, unit: &mut Unit<'_, T, 3, 3>, lane: usize, taken: Self::Taken) -> Self::Moved {
        let Self(kernel) = *self;
        let [mut a, mut b] = taken;
        let [_, at_b, at_c] = unit.points;
        let (at_b, at_c) = ends::<_, BACK>(at_b, at_c);
        let (rows_ab, rows) = unit.rows.split_at(kernel.stride);
        let (rows_bc, rows_ac) = rows.split_at(kernel.stride);
        let (rows_ab, rows_ac) = ends::<_, BACK>(rows_ab, rows_ac);
        let (of_ab, others) = unit.multipliers.split_at_mut(M);
        let (of_bc, of_ac) = others.split_at_mut(M);
        let (of_ab, of_ac) = ends::<_, BACK>(of_ab, of_ac);
        kernel.side(&mut a, &mut b, (rows_ab, of_ab), lane);
        // SAFETY: as the caller promises.
        unsafe {
            let mut c = kernel.take(at_c, lane);
            kernel.side(&mut b, &mut c, (rows_bc, of_bc), lane);
            kernel.put(at_b, lane, b);
            kernel.side(&mut a, &mut c, (rows_ac, of_ac), lane);
            [a, c]
        }
    }

    #[inline(always)]
    unsafe fn put(&self, [at_a, at_b, at_c]: &[[u32; PACK]; 3], lane: usize, [a, c]: Self::Moved) {
        let (_, at_c) = ends::<_, BACK>(at_b, at_c);
        // SAFETY: as the caller promises.
        unsafe {
            self.0.put(at_a, lane, a);
            self.0.put(at_c, lane, c);
        }
    }
}

/// Two trios in step, which share no particle: while one waits for a root or a division, the other works. Ways are
/// those of [`Trio`].
pub(super) struct PairOfTrios<
    'k,
    T: Number,
    L: Lanes<T>,
    K: Kind<N, M>,
    const N: usize,
    const M: usize,
    const MODE: u8,
    const BACK: bool,
>(pub(super) &'k Kernel<T, L, K, N, M, MODE>);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8, const BACK: bool>
    Stage<T, L, 6, 6> for PairOfTrios<'_, T, L, K, N, M, MODE, BACK>
{
    type Taken = [Point<L>; 4];
    type Moved = [Point<L>; 4];

    #[inline(always)]
    unsafe fn take(
        &self,
        [at_a, at_d, at_b, at_e, at_c, at_f]: &[[u32; PACK]; 6],
        lane: usize,
    ) -> Self::Taken {
        let Self(kernel) = *self;
        let ((at_b, _), (at_e, _)) = (ends::<_, BACK>(at_b, at_c), ends::<_, BACK>(at_e, at_f));
        // SAFETY: as the caller promises.
        unsafe {
            let (a, b) = (kernel.take(at_a, lane), kernel.take(at_b, lane));
            let (d, e) = (kernel.take(at_d, lane), kernel.take(at_e, lane));
            [a, b, d, e]
        }
    }

    #[inline(always)]
    unsafe fn project(&self, unit: &mut Unit<'_, T, 6, 6>, lane: usize, taken: Self::Taken) -> Self::Moved {
        let Self(kernel) = *self;
        let [mut a, mut b, mut d, mut e] = taken;
        let [_, _, at_b, at_e, at_c, at_f] = unit.points;
        let ((at_b, at_c), (at_e, at_f)) = (ends::<_, BACK>(at_b, at_c), ends::<_, BACK>(at_e, at_f));
        let stride = kernel.stride;
        let (rows_ab, rows) = unit.rows.split_at(stride);
        let (rows_de, rows) = rows.split_at(stride);
        let (rows_bc, rows) = rows.split_at(stride);
        let (rows_ef, rows) = rows.split_at(stride);
        let (rows_ac, rows_df) = rows.split_at(stride);
        let ((rows_ab, rows_ac), (rows_de, rows_df)) =
            (ends::<_, BACK>(rows_ab, rows_ac), ends::<_, BACK>(rows_de, rows_df));
        let (of_ab, others) = unit.multipliers.split_at_mut(M);
        let (of_de, others) = others.split_at_mut(M);
        let (of_bc, others) = others.split_at_mut(M);
        let (of_ef, others) = others.split_at_mut(M);
        let (of_ac, of_df) = others.split_at_mut(M);
        let ((of_ab, of_ac), (of_de, of_df)) = (ends::<_, BACK>(of_ab, of_ac), ends::<_, BACK>(of_de, of_df));
        kernel.side(&mut a, &mut b, (rows_ab, of_ab), lane);
        kernel.side(&mut d, &mut e, (rows_de, of_de), lane);
        // SAFETY: as the caller promises.
        unsafe {
            let (mut c, mut f) = (kernel.take(at_c, lane), kernel.take(at_f, lane));
            kernel.side(&mut b, &mut c, (rows_bc, of_bc), lane);
            kernel.side(&mut e, &mut f, (rows_ef, of_ef), lane);
            kernel.put(at_b, lane, b);
            kernel.put(at_e, lane, e);
            kernel.side(&mut a, &mut c, (rows_ac, of_ac), lane);
            kernel.side(&mut d, &mut f, (rows_df, of_df), lane);
            [a, c, d, f]
        }
    }

    #[inline(always)]
    unsafe fn put(
        &self,
        [at_a, at_d, at_b, at_e, at_c, at_f]: &[[u32; PACK]; 6],
        lane: usize,
        [a, c, d, f]: Self::Moved,
    ) {
        let Self(kernel) = *self;
        let ((_, at_c), (_, at_f)) = (ends::<_, BACK>(at_b, at_c), ends::<_, BACK>(at_e, at_f));
        // SAFETY: as the caller promises.
        unsafe {
            kernel.put(at_a, lane, a);
            kernel.put(at_c, lane, c);
            kernel.put(at_d, lane, d);
            kernel.put(at_f, lane, f);
        }
    }
}

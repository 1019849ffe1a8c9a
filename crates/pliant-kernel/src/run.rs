//! [`Run`]: the projection of the packs of a cluster, in lanes.

use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_constraints::{Bound, Damping, Kind, MAX_REST, Update, project, project_damped, project_rigid};

use crate::item::Sweep;
use crate::lanes::{LaneJob, Lanes, PACK, Portable};
use crate::number::Number;
use crate::particles::Particle;
use crate::pipeline::{Stage, Stretch, Unit, pipeline};
use crate::woven::{Woven, sides};

/// Mode of projection: any compliance and update.
const PLAIN: u8 = 0;
/// Mode of projection: equations of zero compliance under XPBD. The multiplier has no part in them: it need not be read, nor written before the last substep of a frame.
const RIGID: u8 = 1;
/// Mode of projection: as plain, with damping.
const DAMPED: u8 = 2;

/// The packs of a cluster at work: their particles are accessed by nobody else meanwhile.
pub(crate) struct Run<'a, T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Those of [`Points`](super::points::Points).
    pub(super) points: &'a [[u32; PACK]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a mut [[T; PACK]],
    /// Offsets to ask for at the beginning, and one for every pack; see [`Ahead`](super::ahead::Ahead).
    pub(super) border: &'a [u32],
    pub(super) ahead: &'a [u32],
    /// Whether a unit shares a particle with the one before it, at the first pack of each.
    pub(super) linked: &'a [bool],
    pub(super) woven: Woven,
    pub(super) stride: usize,
    pub(super) uniform: Option<T>,
    pub(super) particles: *mut Particle<T>,
    pub(super) previous: &'a [Particle<T>],
    pub(super) sweep: Sweep<T>,
    pub(super) kind: PhantomData<K>,
}

/// How many constraints lanes in arrays hold. Processors of the x86-64 family have registers for wider ones, and hardly any of today gets here: one at a time is a fifth of the code to compile, with the
/// same bits. What others make of eight at once is registers.
const SIDE_BY_SIDE: usize = if cfg!(target_arch = "x86_64") { 1 } else { PACK };

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> LaneJob<T> for Run<'_, T, K, N, M> {
    type Out = ();
    type Portable = Portable<T, SIDE_BY_SIDE>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        // SAFETY: a run has its particles to itself (invariant of `Packs`, which makes it); whoever names `L` has its instructions.
        unsafe { self.project::<L>() }
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Run<'_, T, K, N, M> {
    /// Projects the packs one after the other in lanes of the type `L`.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`, and nobody else accesses the particles of these packs meanwhile.
    #[inline(always)]
    unsafe fn project<L: Lanes<T>>(self) {
        // A mode more is a kernel more to compile for every kind and lane; in blocks, which are rarely rigid, the multipliers are a small part of the work.
        let equation = M == 1 && matches!(K::BOUND, Bound::Equality);
        // SAFETY: as the caller promises.
        unsafe {
            if self.sweep.gamma > T::zero() {
                self.go::<L, DAMPED>();
            } else if equation && self.uniform == Some(T::zero()) && self.sweep.update.is_xpbd() {
                self.go::<L, RIGID>();
            } else {
                self.go::<L, PLAIN>();
            }
        }
    }

    /// The projection in one of its modes: [`PLAIN`], [`RIGID`] or [`DAMPED`].
    #[inline(always)]
    unsafe fn go<L: Lanes<T>, const MODE: u8>(self) {
        let Self { points, rows, multipliers, ahead: lines, linked, woven, stride, previous, .. } = self;
        let start = self.particles;
        let backward = self.sweep.backward;
        let kernel = Kernel::<T, L, K, N, M, MODE>::new(self.sweep, self.uniform, stride, self.particles);
        for &line in self.border {
            L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        }
        let all = Stretch { points, rows, multipliers, lines, linked };
        // SAFETY: as the caller promises; units are linked where they share a particle, and those of a trio or a pair are what they ought to be (invariant of `Packs`).
        unsafe {
            if const { !sides::<K, N, M>() } {
                let units = all.units::<1, N, M>(stride, backward);
                return pipeline::<T, L, _, 1, N, M>(&Single(&kernel, previous), start, units);
            }
            let (trios, others) = all.cut::<M>(woven.packs(), woven.packs(), stride);
            let (pairs, single) = trios.cut::<M>(6 * woven.pairs, 6 * woven.pairs, stride);
            let mut parts = [Some(pairs), Some(single), Some(others)];
            // One after the other from either end, each in one place, so that no kernel is compiled twice.
            for step in 0..3 {
                let part = if backward { 2 - step } else { step };
                let Some(packs) = parts[part].take() else { continue };
                if part == 2 {
                    let units = packs.units::<1, N, M>(stride, backward);
                    pipeline::<T, L, _, 1, N, M>(&Single(&kernel, previous), start, units);
                } else if const { MODE == DAMPED } {
                    // Packs of a trio are packs: where it does not pay they are walked like others, with the same result.
                    let first = if part == 0 { 0 } else { 6 * woven.pairs };
                    let count = packs.lines.len();
                    for step in 0..count {
                        let pack = if backward { count - 1 - step } else { step };
                        let ends = woven.ends(first + pack).expect("a pack of a trio");
                        let offsets = std::array::from_fn(|j| points[ends[usize::from(j > 0)]]);
                        let rows = &packs.rows[pack * stride..][..stride];
                        let multipliers = &mut packs.multipliers[pack * M..][..M];
                        kernel.pack(&offsets, rows, multipliers, previous);
                    }
                } else if part == 0 {
                    let units = packs.units::<6, 6, M>(stride, backward);
                    pipeline::<T, L, _, 6, 6, M>(&PairOfTrios(&kernel, backward), start, units);
                } else {
                    let units = packs.units::<3, 3, M>(stride, backward);
                    pipeline::<T, L, _, 3, 3, M>(&Trio(&kernel, backward), start, units);
                }
            }
        }
    }
}

/// What the projection of every pack needs.
struct Kernel<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> {
    update: Update<L>,
    inverse_h2: L,
    gamma: L,
    /// Whether α̃ is the same for all constraints.
    is_uniform: bool,
    /// That α̃.
    uniform: L,
    first: bool,
    save: bool,
    stride: usize,
    particles: *mut Particle<T>,
    kind: PhantomData<K>,
}

/// A point of every lane: position and inverse mass.
type Point<L> = (Vector3<L>, L);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>
    Kernel<T, L, K, N, M, MODE>
{
    #[inline(always)]
    fn new(sweep: Sweep<T>, uniform: Option<T>, stride: usize, particles: *mut Particle<T>) -> Self {
        let Sweep { update, first, keep, last, inverse_h2, gamma, .. } = sweep;
        let inverse_h2 = L::load(&[inverse_h2; PACK]);
        // Not by `map`: a closure that is not inlined cannot use the instructions.
        let mut all = L::zero();
        if let Some(compliance) = uniform {
            all = L::load(&[compliance; PACK]) * inverse_h2;
        }
        Self {
            update: Update {
                scale: L::load(&[update.scale; PACK]),
                memory: L::load(&[update.memory; PACK]),
                gradient_floor: L::load(&[update.gradient_floor; PACK]),
            },
            inverse_h2,
            gamma: L::load(&[gamma; PACK]),
            is_uniform: uniform.is_some(),
            uniform: all,
            first,
            save: keep || (MODE != RIGID && !last),
            stride,
            particles,
            kind: PhantomData,
        }
    }

    /// Projects a pack.
    ///
    /// # Safety
    ///
    /// Nobody else accesses the particles of the pack meanwhile; its offsets are in range, also of `previous`.
    #[inline(always)]
    unsafe fn pack(
        &self,
        offsets: &[[u32; PACK]; N],
        rows: &[[T; PACK]],
        multipliers: &mut [[T; PACK]],
        previous: &[Particle<T>],
    ) {
        for lane in (0..PACK).step_by(L::WIDTH) {
            // SAFETY: as the caller promises, and the particles of a pack are distinct.
            unsafe {
                let points = self.take_all(offsets, lane);
                let moved = self.moved(offsets, points, (rows, multipliers), lane, previous);
                self.put_all(offsets, lane, moved);
            }
        }
    }

    /// The points of constraints.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::gather`].
    #[inline(always)]
    unsafe fn take_all(&self, offsets: &[[u32; PACK]; N], lane: usize) -> [Point<L>; N] {
        // Loops instead of closures: what is not inlined into the kernel cannot use its instructions.
        let mut points = [(Vector3::new(L::zero(), L::zero(), L::zero()), L::zero()); N];
        for j in 0..N {
            // SAFETY: as the caller promises.
            points[j] = unsafe { self.take(&offsets[j], lane) };
        }
        points
    }

    /// Puts the points of constraints back.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::scatter`].
    #[inline(always)]
    unsafe fn put_all(&self, offsets: &[[u32; PACK]; N], lane: usize, points: [Point<L>; N]) {
        for j in 0..N {
            // SAFETY: as the caller promises.
            unsafe { self.put(&offsets[j], lane, points[j]) };
        }
    }

    /// Projects constraints; `offsets` are those of their points, which have been taken.
    ///
    /// # Safety
    ///
    /// The offsets are in range of `previous`.
    #[inline(always)]
    unsafe fn moved(
        &self,
        offsets: &[[u32; PACK]; N],
        mut points: [Point<L>; N],
        rows: (&[[T; PACK]], &mut [[T; PACK]]),
        lane: usize,
        previous: &[Particle<T>],
    ) -> [Point<L>; N] {
        let mut x = [points[0].0; N];
        let mut w = [points[0].1; N];
        for j in 1..N {
            (x[j], w[j]) = points[j];
        }
        let mut before = x;
        if MODE == DAMPED {
            for j in 0..N {
                // SAFETY: as the caller promises, and nobody writes previous particles.
                (before[j], _) = unsafe { L::gather(previous.as_ptr(), &offsets[j][lane..]) };
            }
        }
        let dx = self.displacements(&x, &w, &before, rows, lane);
        for j in 0..N {
            points[j].0 += dx[j];
        }
        points
    }

    /// Projects constraints whose points, and those at the start of the substep, are at hand; takes what else it needs from the rows of the pack, and keeps the multipliers.
    #[inline(always)]
    fn displacements(
        &self,
        x: &[Vector3<L>; N],
        w: &[L; N],
        previous: &[Vector3<L>; N],
        (rows, multipliers): (&[[T; PACK]], &mut [[T; PACK]]),
        lane: usize,
    ) -> [Vector3<L>; N] {
        let rigid = MODE == RIGID;
        let mut rest = [L::zero(); MAX_REST];
        for k in 0..K::REST {
            rest[k] = L::load(&rows[k][lane..]);
        }
        let alpha_tilde = if rigid {
            L::zero()
        } else if self.is_uniform {
            self.uniform
        } else {
            L::load(&rows[K::REST][lane..]) * self.inverse_h2
        };
        let mut lambda = [L::zero(); M];
        if !rigid && !self.first {
            for row in 0..M {
                lambda[row] = L::load(&multipliers[row][lane..]);
            }
        }
        let constraint = K::from_rest(&rest[..K::REST]);
        let dx = if MODE == DAMPED {
            let damping = Damping { previous, gamma: self.gamma };
            project_damped(&constraint, x, w, alpha_tilde, damping, self.update, &mut lambda)
        } else if rigid {
            let floor = if K::GRADIENT_VANISHES { Some(self.update.gradient_floor) } else { None };
            project_rigid(&constraint, x, w, floor, &mut lambda)
        } else {
            project(&constraint, x, w, alpha_tilde, self.update, &mut lambda)
        };
        if self.save {
            for row in 0..M {
                if rigid && !self.first {
                    lambda[row] += L::load(&multipliers[row][lane..]);
                }
                lambda[row].store(&mut multipliers[row][lane..]);
            }
        }
        dx
    }

    /// The points at some offsets.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::gather`].
    #[inline(always)]
    unsafe fn take(&self, offsets: &[u32; PACK], lane: usize) -> Point<L> {
        // SAFETY: as the caller promises.
        unsafe { L::gather(self.particles, &offsets[lane..]) }
    }

    /// Puts points back.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::scatter`].
    #[inline(always)]
    unsafe fn put(&self, offsets: &[u32; PACK], lane: usize, (x, w): Point<L>) {
        // SAFETY: as the caller promises.
        unsafe { L::scatter(self.particles, &offsets[lane..], x, w) };
    }

    /// Projects the constraint between two points that are at hand.
    #[inline(always)]
    fn side(
        &self,
        from: &mut Point<L>,
        to: &mut Point<L>,
        rows: (&[[T; PACK]], &mut [[T; PACK]]),
        lane: usize,
    ) {
        let (mut x, mut w) = ([from.0; N], [from.1; N]);
        (x[N - 1], w[N - 1]) = *to;
        let dx = self.displacements(&x, &w, &x, rows, lane);
        from.0 += dx[0];
        to.0 += dx[N - 1];
    }
}

/// Packs one by one; and the particles at the start of the substep, in range of which are their offsets.
struct Single<'k, T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>(
    &'k Kernel<T, L, K, N, M, MODE>,
    &'k [Particle<T>],
);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> Stage<T, L, 1, N>
    for Single<'_, T, L, K, N, M, MODE>
{
    // Where constraints are damped their points at the start of the substep take longer than all else.
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

/// Trios: the three sides of triangles, whose corners are loaded and stored once. See [`Woven`]. On the way back, where the flag is set, the sides are walked in the opposite order: a–c, b–c, a–b,
/// which is the order forward with b and c for each other.
///
/// The corners of a lane's triangle are distinct, as are those of different lanes. Corners without mass may be one particle, which nothing moves.
struct Trio<'k, T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>(
    &'k Kernel<T, L, K, N, M, MODE>,
    bool,
);

/// The first and the last of three things, the other way round on the way back.
#[inline(always)]
fn ends<X>(first: X, last: X, backward: bool) -> (X, X) {
    if backward { (last, first) } else { (first, last) }
}

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> Stage<T, L, 3, 3>
    for Trio<'_, T, L, K, N, M, MODE>
{
    type Taken = [Point<L>; 2];
    type Moved = [Point<L>; 2];

    #[inline(always)]
    unsafe fn take(&self, [at_a, at_b, at_c]: &[[u32; PACK]; 3], lane: usize) -> Self::Taken {
        let (at_b, _) = ends(at_b, at_c, self.1);
        // SAFETY: as the caller promises.
        unsafe { [self.0.take(at_a, lane), self.0.take(at_b, lane)] }
    }

    #[inline(always)]
    unsafe fn project(&self, unit: &mut Unit<'_, T, 3, 3>, lane: usize, taken: Self::Taken) -> Self::Moved {
        let Self(kernel, backward) = *self;
        let [mut a, mut b] = taken;
        let [_, at_b, at_c] = unit.points;
        let (at_b, at_c) = ends(at_b, at_c, backward);
        let (rows_ab, rows) = unit.rows.split_at(kernel.stride);
        let (rows_bc, rows_ac) = rows.split_at(kernel.stride);
        let (rows_ab, rows_ac) = ends(rows_ab, rows_ac, backward);
        let (of_ab, others) = unit.multipliers.split_at_mut(M);
        let (of_bc, of_ac) = others.split_at_mut(M);
        let (of_ab, of_ac) = ends(of_ab, of_ac, backward);
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
        let (_, at_c) = ends(at_b, at_c, self.1);
        // SAFETY: as the caller promises.
        unsafe {
            self.0.put(at_a, lane, a);
            self.0.put(at_c, lane, c);
        }
    }
}

/// Two trios in step, which share no particle: while one waits for a root or a division, the other works. On the way back as for [`Trio`].
struct PairOfTrios<'k, T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>(
    &'k Kernel<T, L, K, N, M, MODE>,
    bool,
);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> Stage<T, L, 6, 6>
    for PairOfTrios<'_, T, L, K, N, M, MODE>
{
    type Taken = [Point<L>; 4];
    type Moved = [Point<L>; 4];

    #[inline(always)]
    unsafe fn take(
        &self,
        [at_a, at_d, at_b, at_e, at_c, at_f]: &[[u32; PACK]; 6],
        lane: usize,
    ) -> Self::Taken {
        let Self(kernel, backward) = *self;
        let ((at_b, _), (at_e, _)) = (ends(at_b, at_c, backward), ends(at_e, at_f, backward));
        // SAFETY: as the caller promises.
        unsafe {
            let (a, b) = (kernel.take(at_a, lane), kernel.take(at_b, lane));
            let (d, e) = (kernel.take(at_d, lane), kernel.take(at_e, lane));
            [a, b, d, e]
        }
    }

    #[inline(always)]
    unsafe fn project(&self, unit: &mut Unit<'_, T, 6, 6>, lane: usize, taken: Self::Taken) -> Self::Moved {
        let Self(kernel, backward) = *self;
        let [mut a, mut b, mut d, mut e] = taken;
        let [_, _, at_b, at_e, at_c, at_f] = unit.points;
        let ((at_b, at_c), (at_e, at_f)) = (ends(at_b, at_c, backward), ends(at_e, at_f, backward));
        let stride = kernel.stride;
        let (rows_ab, rows) = unit.rows.split_at(stride);
        let (rows_de, rows) = rows.split_at(stride);
        let (rows_bc, rows) = rows.split_at(stride);
        let (rows_ef, rows) = rows.split_at(stride);
        let (rows_ac, rows_df) = rows.split_at(stride);
        let ((rows_ab, rows_ac), (rows_de, rows_df)) =
            (ends(rows_ab, rows_ac, backward), ends(rows_de, rows_df, backward));
        let (of_ab, others) = unit.multipliers.split_at_mut(M);
        let (of_de, others) = others.split_at_mut(M);
        let (of_bc, others) = others.split_at_mut(M);
        let (of_ef, others) = others.split_at_mut(M);
        let (of_ac, of_df) = others.split_at_mut(M);
        let ((of_ab, of_ac), (of_de, of_df)) = (ends(of_ab, of_ac, backward), ends(of_de, of_df, backward));
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
        let Self(kernel, backward) = *self;
        let ((_, at_c), (_, at_f)) = (ends(at_b, at_c, backward), ends(at_e, at_f, backward));
        // SAFETY: as the caller promises.
        unsafe {
            kernel.put(at_a, lane, a);
            kernel.put(at_c, lane, c);
            kernel.put(at_d, lane, d);
            kernel.put(at_f, lane, f);
        }
    }
}

//! [`Run`]: the projection of the packs of a cluster, in lanes.

use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_constraints::{Bound, Damping, Kind, MAX_REST, Update, project, project_damped, project_rigid};

use super::batch::Sweep;
use super::lanes::{Lanes, PACK, fetch_points_ahead, fetch_rows_ahead};
use super::packs::{Packs, Woven};
use crate::float::Float;
use crate::particles::Particle;

/// Mode of projection: any compliance and update.
const PLAIN: u8 = 0;
/// Mode of projection: equations of zero compliance under XPBD. The multiplier has no part in them: it need not be read, nor written before the last substep of a frame.
const RIGID: u8 = 1;
/// Mode of projection: as plain, with damping.
const DAMPED: u8 = 2;

/// The packs of a cluster at work: their particles are accessed by nobody else meanwhile.
pub struct Run<'a, T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Those of [`Points`](super::points::Points).
    pub(super) points: &'a [[u32; PACK]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a mut [[T; PACK]],
    /// Offsets to ask for at the beginning, and one for every pack; see [`Ahead`](super::ahead::Ahead).
    pub(super) border: &'a [u32],
    pub(super) ahead: &'a [u32],
    pub(super) woven: Woven,
    pub(super) stride: usize,
    pub(super) uniform: Option<T>,
    pub(super) particles: *mut Particle<T>,
    pub(super) previous: &'a [Particle<T>],
    pub(super) sweep: Sweep<T>,
    pub(super) kind: PhantomData<K>,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Run<'_, T, K, N, M> {
    /// Projects the packs one after the other in lanes of the type `L`.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`, and nobody else accesses the particles of these packs meanwhile.
    #[inline(always)]
    pub(super) unsafe fn project<L: Lanes<T>>(self) {
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
        let Self { mut points, mut rows, mut multipliers, mut ahead, woven, stride, .. } = self;
        let kernel = Kernel::<T, L, K, N, M, MODE>::new(self.sweep, self.uniform, stride, self.particles);
        for &line in self.border {
            L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        }
        // Packs of a trio are packs: where it does not pay they are walked like others, with the same result.
        if const { Packs::<T, K, N, M>::SIDES && MODE != DAMPED } {
            // The slices are cut like this because indices that are checked cost as much as a shuffle.
            for _ in 0..woven.pairs {
                let (pair, other_points) = points.split_first_chunk::<6>().expect("a pair of trios");
                let (own_rows, other_rows) = rows.split_at(6 * stride);
                let (own, others) = multipliers.split_at_mut(6 * M);
                let (lines, other_lines) = ahead.split_first_chunk::<6>().expect("a pair of trios");
                // SAFETY: as the caller promises; the trios share no particle (invariant of `Packs`).
                unsafe { kernel.pair_of_trios(pair, own_rows, own, lines) };
                (points, rows, multipliers, ahead) = (other_points, other_rows, others, other_lines);
            }
            for _ in 0..woven.single {
                let (trio, other_points) = points.split_first_chunk::<3>().expect("a trio");
                let (own_rows, other_rows) = rows.split_at(3 * stride);
                let (own, others) = multipliers.split_at_mut(3 * M);
                let (lines, other_lines) = ahead.split_first_chunk::<3>().expect("a trio");
                // SAFETY: as the caller promises.
                unsafe { kernel.trio(trio, own_rows, own, lines) };
                (points, rows, multipliers, ahead) = (other_points, other_rows, others, other_lines);
            }
        }
        let rows = rows.chunks_exact(stride).zip(multipliers.chunks_exact_mut(M));
        for ((points, (rows, multipliers)), &line) in points.as_chunks::<N>().0.iter().zip(rows).zip(ahead) {
            fetch_points_ahead::<1, N>(points);
            fetch_rows_ahead(rows);
            // SAFETY: as the caller promises.
            unsafe { kernel.pack(points, rows, multipliers, line, self.previous) };
        }
    }
}

/// What the projection of every pack needs.
struct Kernel<T: Float, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8> {
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

impl<T: Float, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>
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
        line: u32,
        previous: &[Particle<T>],
    ) {
        L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        for lane in (0..PACK).step_by(L::WIDTH) {
            // Loops instead of closures: what is not inlined into the kernel cannot use its instructions.
            let mut x = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
            let mut w = [L::zero(); N];
            for j in 0..N {
                // SAFETY: offsets are in range and particles ours alone (promise of the caller).
                (x[j], w[j]) = unsafe { L::gather(self.particles, &offsets[j][lane..]) };
            }
            let mut before = x;
            if MODE == DAMPED {
                for j in 0..N {
                    // SAFETY: offsets are in range (promise of the caller), and nobody writes previous particles.
                    (before[j], _) = unsafe { L::gather(previous.as_ptr(), &offsets[j][lane..]) };
                }
            }
            let dx = self.displacements(&x, &w, &before, (rows, multipliers), lane);
            for j in 0..N {
                // SAFETY: as above, and the particles of a pack are distinct.
                unsafe { L::scatter(self.particles, &offsets[j][lane..], x[j] + dx[j], w[j]) };
            }
        }
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

    /// Projects the three sides of triangles, which are loaded and stored once.
    ///
    /// # Safety
    ///
    /// The packs form a trio, see [`Woven`]; else as for [`pack`](Self::pack).
    #[inline(always)]
    unsafe fn trio(
        &self,
        points: &[[u32; PACK]; 3],
        rows: &[[T; PACK]],
        multipliers: &mut [[T; PACK]],
        lines: &[u32; 3],
    ) {
        for &line in lines {
            L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        }
        let (rows_ab, rows) = rows.split_at(self.stride);
        let (rows_bc, rows_ac) = rows.split_at(self.stride);
        let (of_ab, others) = multipliers.split_at_mut(M);
        let (of_bc, of_ac) = others.split_at_mut(M);
        fetch_points_ahead::<3, 3>(points);
        fetch_rows_ahead(rows_ab);
        fetch_rows_ahead(rows_bc);
        fetch_rows_ahead(rows_ac);
        let [at_a, at_b, at_c] = points;
        for lane in (0..PACK).step_by(L::WIDTH) {
            // SAFETY: offsets are in range, the particles ours alone, and the corners of a lane's triangle distinct, as are those of different lanes (promise of the caller). Corners
            // without mass may be one particle, which nothing moves.
            unsafe {
                let (mut a, mut b) = (self.take(at_a, lane), self.take(at_b, lane));
                self.side(&mut a, &mut b, (rows_ab, &mut *of_ab), lane);
                let mut c = self.take(at_c, lane);
                self.side(&mut b, &mut c, (rows_bc, &mut *of_bc), lane);
                self.put(at_b, lane, b);
                self.side(&mut a, &mut c, (rows_ac, &mut *of_ac), lane);
                self.put(at_a, lane, a);
                self.put(at_c, lane, c);
            }
        }
    }

    /// Projects two trios in step: while one waits for a root or a division, the other works.
    ///
    /// # Safety
    ///
    /// The packs form a pair of trios that share no particle, see [`Woven`]; else as for [`pack`](Self::pack).
    #[inline(always)]
    unsafe fn pair_of_trios(
        &self,
        points: &[[u32; PACK]; 6],
        rows: &[[T; PACK]],
        multipliers: &mut [[T; PACK]],
        lines: &[u32; 6],
    ) {
        let stride = self.stride;
        for &line in lines {
            L::fetch_to_write(self.particles.wrapping_byte_add(line as usize));
        }
        let (rows_ab, rows) = rows.split_at(stride);
        let (rows_de, rows) = rows.split_at(stride);
        let (rows_bc, rows) = rows.split_at(stride);
        let (rows_ef, rows) = rows.split_at(stride);
        let (rows_ac, rows_df) = rows.split_at(stride);
        let (of_ab, others) = multipliers.split_at_mut(M);
        let (of_de, others) = others.split_at_mut(M);
        let (of_bc, others) = others.split_at_mut(M);
        let (of_ef, others) = others.split_at_mut(M);
        let (of_ac, of_df) = others.split_at_mut(M);
        fetch_points_ahead::<6, 6>(points);
        for rows in [rows_ab, rows_de, rows_bc, rows_ef, rows_ac, rows_df] {
            fetch_rows_ahead(rows);
        }
        let [at_a, at_d, at_b, at_e, at_c, at_f] = points;
        for lane in (0..PACK).step_by(L::WIDTH) {
            // SAFETY: as in `trio`, and no triangle of one trio has a corner of the other's (promise of the caller).
            unsafe {
                let (mut a, mut b) = (self.take(at_a, lane), self.take(at_b, lane));
                let (mut d, mut e) = (self.take(at_d, lane), self.take(at_e, lane));
                self.side(&mut a, &mut b, (rows_ab, &mut *of_ab), lane);
                self.side(&mut d, &mut e, (rows_de, &mut *of_de), lane);
                let (mut c, mut f) = (self.take(at_c, lane), self.take(at_f, lane));
                self.side(&mut b, &mut c, (rows_bc, &mut *of_bc), lane);
                self.side(&mut e, &mut f, (rows_ef, &mut *of_ef), lane);
                self.put(at_b, lane, b);
                self.put(at_e, lane, e);
                self.side(&mut a, &mut c, (rows_ac, &mut *of_ac), lane);
                self.side(&mut d, &mut f, (rows_df, &mut *of_df), lane);
                self.put(at_a, lane, a);
                self.put(at_c, lane, c);
                self.put(at_d, lane, d);
                self.put(at_f, lane, f);
            }
        }
    }
}

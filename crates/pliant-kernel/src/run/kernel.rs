//! [`Kernel`]: the projection of constraints side by side.

use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_constraints::{Damping, Kind, MAX_REST, Update, project, project_damped, project_rigid};

use crate::item::Sweep;
use crate::lanes::{Lanes, PACK, unrolled};
use crate::number::Number;
use crate::particles::Particle;

/// Mode of projection: any compliance and update.
pub(super) const PLAIN: u8 = 0;
/// Mode of projection: equations of zero compliance under XPBD. The multiplier has no part in them: it need
/// not be read, nor written before the last substep of a frame.
pub(super) const RIGID: u8 = 1;
/// Mode of projection: as plain, with damping.
pub(super) const DAMPED: u8 = 2;

/// What the projection of every pack needs.
pub(super) struct Kernel<
    T: Number,
    L: Lanes<T>,
    K: Kind<N, M>,
    const N: usize,
    const M: usize,
    const MODE: u8,
> {
    update: Update<L>,
    inverse_h2: L,
    gamma: L,
    /// Whether α̃ is the same for all constraints.
    is_uniform: bool,
    /// That α̃.
    uniform: L,
    first: bool,
    save: bool,
    pub(super) stride: usize,
    particles: *mut Particle<T>,
    kind: PhantomData<K>,
}

/// A point of every lane: position and inverse mass.
pub(super) type Point<L> = (Vector3<L>, L);

impl<T: Number, L: Lanes<T>, K: Kind<N, M>, const N: usize, const M: usize, const MODE: u8>
    Kernel<T, L, K, N, M, MODE>
{
    #[inline(always)]
    pub(super) fn new(
        sweep: Sweep<T>,
        uniform: Option<T>,
        stride: usize,
        particles: *mut Particle<T>,
    ) -> Self {
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
    /// No other thread accesses the particles of the pack meanwhile; its offsets are in range, also of `previous`.
    #[inline(always)]
    pub(super) unsafe fn pack(
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
    pub(super) unsafe fn take_all(&self, offsets: &[[u32; PACK]; N], lane: usize) -> [Point<L>; N] {
        // Loops instead of closures: what is not inlined into the kernel cannot use its instructions.
        let mut points = [(Vector3::new(L::zero(), L::zero(), L::zero()), L::zero()); N];
        unrolled!(j in 0..N {
            // SAFETY: as the caller promises.
            points[j] = unsafe { self.take(&offsets[j], lane) };
        });
        points
    }

    /// Whether points are not kept: what is [`moved`](Kernel::moved) are displacements. Two points of a constraint fit into registers.
    const ADDS: bool = L::ADDS_IN_MEMORY && N > 2;

    /// Stores the points of constraints, or adds their displacements.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::scatter`].
    #[inline(always)]
    pub(super) unsafe fn put_all(&self, offsets: &[[u32; PACK]; N], lane: usize, points: [Point<L>; N]) {
        unrolled!(j in 0..N {
            // SAFETY: as the caller promises.
            unsafe {
                if const { Self::ADDS } {
                    L::accumulate(self.particles, &offsets[j][lane..], points[j].0);
                } else {
                    self.put(&offsets[j], lane, points[j]);
                }
            }
        });
    }

    /// Projects constraints; `offsets` are those of their points, which have been loaded. Gives the points for [`put_all`](Kernel::put_all).
    ///
    /// # Safety
    ///
    /// The offsets are in range of `previous`.
    #[inline(always)]
    pub(super) unsafe fn moved(
        &self,
        offsets: &[[u32; PACK]; N],
        mut points: [Point<L>; N],
        rows: (&[[T; PACK]], &mut [[T; PACK]]),
        lane: usize,
        previous: &[Particle<T>],
    ) -> [Point<L>; N] {
        let mut x = [points[0].0; N];
        let mut w = [points[0].1; N];
        unrolled!(j in 0..N {
            (x[j], w[j]) = points[j];
        });
        let mut before = x;
        if MODE == DAMPED {
            unrolled!(j in 0..N {
                // SAFETY: as the caller promises, and no thread writes previous particles.
                (before[j], _) = unsafe { L::gather(previous.as_ptr(), &offsets[j][lane..]) };
            });
        }
        let dx = self.displacements(&x, &w, &before, rows, lane);
        unrolled!(j in 0..N {
            if const { Self::ADDS } {
                points[j].0 = dx[j];
            } else {
                points[j].0 += dx[j];
            }
        });
        points
    }

    /// Projects constraints whose points, and those at the start of the substep, are loaded; reads the rest
    /// from the rows of the pack, and stores the multipliers.
    #[inline(always)]
    pub(super) fn displacements(
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
        // Packs have a row for compliances unless all are the same, so its presence is all that is asked; only without
        // rest data there is a row in any case, which then holds nothing.
        let own = if K::REST == 0 && self.is_uniform { None } else { rows.get(K::REST) };
        let alpha_tilde = if rigid {
            L::zero()
        } else if let Some(compliances) = own {
            L::load(&compliances[lane..]) * self.inverse_h2
        } else {
            self.uniform
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
    pub(super) unsafe fn take(&self, offsets: &[u32; PACK], lane: usize) -> Point<L> {
        // SAFETY: as the caller promises.
        unsafe { L::gather(self.particles, &offsets[lane..]) }
    }

    /// Stores points.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::scatter`].
    #[inline(always)]
    pub(super) unsafe fn put(&self, offsets: &[u32; PACK], lane: usize, (x, w): Point<L>) {
        // SAFETY: as the caller promises.
        unsafe { L::scatter(self.particles, &offsets[lane..], x, w) };
    }

    /// Projects the constraint between two points that are loaded.
    #[inline(always)]
    pub(super) fn side(
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

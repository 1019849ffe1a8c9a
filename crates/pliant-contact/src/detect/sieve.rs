//! [`Sieve`]: pairs of triangles that stay apart, found eight at a time.
//!
//! Along a separating axis two triangles are at least as far apart as their projections on it. Neighbours in
//! one sheet are separated by a line in its plane: the axes are the normals of the sides of the first
//! triangle in its plane, its own normal, and the line between the two centres. The remaining pairs are
//! tested vertex by vertex and edge by edge.
//!
//! No pair is lost: no points of two triangles come nearer than their projections do, and their corners move
//! towards each other in a substep by at most
//!
//! ```text
//! |s̄_a − s̄_b| + max |s_a − s̄_a| + max |s_b − s̄_b|
//! ```
//!
//! or, where they may stop on their way, the largest of this and of what either does alone.

use nalgebra::Vector3;
use pliant_constraints::{cross, difference, norm, sum, times};
use pliant_kernel::{Lanes, PACK, Spots, Wide};

use super::judge::noise;
use super::lanes::lanes;
use super::question::{Bodies, Question};

/// The rounding error of projections.
const ROUNDED: f64 = 0.9999;

/// Pairs of triangles that are compared.
pub(super) struct Sieve<'a, T: Wide> {
    pub(super) question: &'a Question<'a, T>,
    /// The two triangles of each pair, and the relation of their bodies.
    pub(super) pairs: &'a [[u32; 2]],
    pub(super) bodies: &'a [Bodies],
    /// Places of the pairs to test.
    pub(super) asked: &'a [u32],
    /// Set where the two stay apart.
    pub(super) may_meet: &'a mut [bool],
}

/// A triangle on its way; positions are relative to the first corner of the first one.
struct Flight<R: pliant_constraints::Real> {
    corners: [Vector3<R>; 3],
    centre: Vector3<R>,
    /// The mean step of the corners, and how far one differs from it at most, m.
    step: Vector3<R>,
    spread: R,
}

impl<R: pliant_constraints::Real> Flight<R> {
    #[inline(always)]
    fn new(corners: [Vector3<R>; 3], steps: &[Vector3<R>; 3]) -> Self {
        let third = R::splat(1.0 / 3.0);
        let centre = times(&sum(&sum(&corners[0], &corners[1]), &corners[2]), third);
        let step = times(&sum(&sum(&steps[0], &steps[1]), &steps[2]), third);
        let mut spread = R::zero();
        for own in steps {
            let off = difference(own, &step);
            spread = spread.max(off.dot(&off));
        }
        Self { corners, centre, step, spread: spread.sqrt() }
    }

    /// Both ends of the projection on an axis.
    #[inline(always)]
    fn shadow(&self, axis: &Vector3<R>) -> [R; 2] {
        let [a, b, c] = &self.corners;
        let (a, b, c) = (axis.dot(a), axis.dot(b), axis.dot(c));
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// The distance of the corner farthest from the origin, m.
    #[inline(always)]
    fn reach(&self) -> R {
        let mut farthest = R::zero();
        for corner in &self.corners {
            farthest = farthest.max(corner.dot(corner));
        }
        farthest.sqrt()
    }
}

/// How far two projections are apart.
#[inline(always)]
fn between<R: pliant_constraints::Real>(a: [R; 2], b: [R; 2]) -> R {
    (a[0] - b[1]).max(b[0] - a[1])
}

impl<T: Wide> Sieve<'_, T> {
    #[inline(always)]
    pub(super) fn run<L: Lanes<T>>(self) {
        let Self { question, pairs, bodies, asked, may_meet } = self;
        let (paths, places) = (question.paths, question.places);
        let halt_anywhere = paths.halts.is_some();
        let mut halts = [[[T::zero(); PACK]; 3]; 2];
        let mut sums = [T::zero(); PACK];
        let horizon = L::splat(f64::from(question.rules.horizon));
        for eight in asked.chunks(PACK) {
            // Padding lanes repeat the first.
            let mut of = [[0; PACK]; 6];
            for lane in 0..PACK {
                let place = *eight.get(lane).unwrap_or(&eight[0]) as usize;
                let [a, b] = pairs[place].map(|triangle| &question.surface.triangles()[triangle as usize]);
                for k in 0..3 {
                    (of[k][lane], of[k + 3][lane]) = (a[k], b[k]);
                }
                sums[lane] = T::splat(bodies[place].sum);
            }
            if halt_anywhere {
                for lane in 0..PACK {
                    for (to, side) in halts.iter_mut().zip([0, 3]) {
                        if let Some(halt) = question.halt(of[side][lane]) {
                            for axis in 0..3 {
                                to[axis][lane] = halt[axis];
                            }
                        }
                    }
                }
            }
            let spots = of.map(Spots::new);
            let mut apart = [T::zero(); PACK];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let (x, s) = places.gather::<L, 6>(&spots, lane);
                let origin = x[0];
                let zero = Vector3::new(L::zero(), L::zero(), L::zero());
                let own = [zero, difference(&x[1], &origin), difference(&x[2], &origin)];
                let normal = cross(&own[1], &own[2]);
                let across = difference(&own[2], &own[1]);
                let axes =
                    [cross(&normal, &own[1]), cross(&normal, &across), cross(&normal, &own[2]), normal];
                let one = Flight::new(own, &[s[0], s[1], s[2]]);
                let there =
                    [difference(&x[3], &origin), difference(&x[4], &origin), difference(&x[5], &origin)];
                let other = Flight::new(there, &[s[3], s[4], s[5]]);
                let line = difference(&other.centre, &one.centre);
                let mut gap = between(one.shadow(&line), other.shadow(&line)) / norm(&line);
                for axis in &axes {
                    // Without an area there is no axis, and nothing is apart along it.
                    let along = between(one.shadow(axis), other.shadow(axis)) / norm(axis);
                    // NaN does not count as a gap.
                    gap = L::select(gap.lt(along), along, gap);
                }
                let [halt_here, halt_there] = lanes::<T, L, 2>(&halts, lane);
                let (step_here, step_there) =
                    (difference(&one.step, &halt_here), difference(&other.step, &halt_there));
                let mut way = norm(&difference(&step_there, &step_here)) + other.spread + one.spread;
                if halt_anywhere {
                    way = way.max(norm(&step_here) + one.spread).max(norm(&step_there) + other.spread);
                }
                way += norm(&difference(&halt_there, &halt_here));
                let room = way * horizon + L::splat(question.off());
                let noise = (other.reach() + one.reach()) * L::splat(noise::<T>(1.0));
                let near = L::load(&sums[lane..]) + room * L::splat(1.002) + noise;
                let is_apart = near.lt(gap * L::splat(ROUNDED));
                L::select(is_apart, L::one(), L::zero()).store(&mut apart[lane..]);
            }
            for (lane, &place) in eight.iter().enumerate() {
                may_meet[place as usize] = apart[lane] <= T::zero();
            }
        }
    }
}

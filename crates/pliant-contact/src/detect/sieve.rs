//! [`Sieve`]: triangles that stay apart, found eight at a time.
//!
//! Along a separating axis two triangles are at least as far apart as their projections on it. Neighbours in
//! one sheet are separated by a line in its plane: the axes are the normals of the sides of the current
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
use pliant_constraints::{cross, norm};
use pliant_kernel::{Lanes, PACK, Spots, Wide};

use super::judge::noise;
use super::lanes::lanes;
use super::question::{Bodies, Question};

/// Axes that belong to the current triangle.
const AXES: usize = 4;
/// The rounding error of projections.
const ROUNDED: f64 = 0.9999;

/// Triangles compared with the current one.
pub(super) struct Sieve<'a, T: Wide> {
    pub(super) question: &'a Question<'a, T>,
    pub(super) at_hand: u32,
    /// Triangles, and the relation of their bodies to that of the current one.
    pub(super) triangles: &'a [u32],
    pub(super) bodies: &'a [Bodies],
    /// Places of the triangles to test.
    pub(super) asked: &'a [u32],
    /// Set where one stays apart.
    pub(super) may_meet: &'a mut [bool],
}

/// A triangle on its way; positions are relative to the first corner of the current one.
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
        let centre = (corners[0] + corners[1] + corners[2]) * third;
        let step = (steps[0] + steps[1] + steps[2]) * third;
        let mut spread = R::zero();
        for own in steps {
            let off = own - step;
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
        let Self { question, at_hand, triangles, bodies, asked, may_meet } = self;
        let paths = question.paths;
        let [a, b, c] = question.surface.triangles()[at_hand as usize];
        let origin = paths.positions[a as usize];
        let zero = Vector3::new(T::zero(), T::zero(), T::zero());
        let corners = [zero, paths.positions[b as usize] - origin, paths.positions[c as usize] - origin];
        let own = Flight::new(
            corners,
            &[paths.steps[a as usize], paths.steps[b as usize], paths.steps[c as usize]],
        );
        let normal = cross(&corners[1], &corners[2]);
        let sides = [corners[1], corners[2] - corners[1], corners[2]];
        let mut axes = [normal; AXES];
        for k in 0..3 {
            axes[k] = cross(&normal, &sides[k]);
        }
        let mut shadows = [[T::zero(); 2]; AXES];
        for k in 0..AXES {
            // Without an area there is no axis, and nothing is apart along it.
            axes[k] *= T::one() / norm(&axes[k]);
            shadows[k] = own.shadow(&axes[k]);
        }
        let all = Flight {
            corners: [splat(&corners[0]), splat(&corners[1]), splat(&corners[2])],
            centre: splat(&own.centre),
            step: splat(&own.step),
            spread: L::splat(own.spread.into()),
        };
        let reach = own.reach();
        let (here, places) = (splat::<T, L>(&origin), question.places);
        let mut halts = [[[T::zero(); PACK]; 3]; 1];
        let mut sums = [T::zero(); PACK];
        let halts_here = paths.halts.is_some();
        let halt_at_hand: Vector3<L> = question.halt(a).map_or(splat(&zero), splat);
        for eight in asked.chunks(PACK) {
            // Padding lanes repeat the first.
            let mut of = [[0; PACK]; 3];
            for lane in 0..PACK {
                let place = *eight.get(lane).unwrap_or(&eight[0]);
                let corners = &question.surface.triangles()[triangles[place as usize] as usize];
                for (row, &corner) in of.iter_mut().zip(corners) {
                    row[lane] = corner;
                }
            }
            let spots = of.map(Spots::new);
            for (lane, &place) in eight.iter().enumerate() {
                sums[lane] = T::splat(bodies[place as usize].sum);
                if let Some(halt) = question.halt(of[0][lane]) {
                    for axis in 0..3 {
                        halts[0][axis][lane] = halt[axis];
                    }
                }
            }
            let mut apart = [T::zero(); PACK];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let (mut corners, steps) = places.gather::<L, 3>(&spots, lane);
                for corner in &mut corners {
                    *corner -= here;
                }
                let other = Flight::new(corners, &steps);
                let mut gap = between(
                    all.shadow(&(other.centre - all.centre)),
                    other.shadow(&(other.centre - all.centre)),
                ) / norm(&(other.centre - all.centre));
                for k in 0..AXES {
                    let shadow = [L::splat(shadows[k][0].into()), L::splat(shadows[k][1].into())];
                    let along = between(shadow, other.shadow(&splat(&axes[k])));
                    // NaN does not count as a gap.
                    gap = L::select(gap.lt(along), along, gap);
                }
                let [halt] = lanes::<T, L, 1>(&halts, lane);
                let (step_here, step_there) = (all.step - halt_at_hand, other.step - halt);
                let mut way = norm(&(step_there - step_here)) + other.spread + all.spread;
                if halts_here {
                    way = way.max(norm(&step_here) + all.spread).max(norm(&step_there) + other.spread);
                }
                way += norm(&(halt - halt_at_hand));
                let room = way * L::splat(f64::from(question.rules.horizon)) + L::splat(question.off());
                let noise = (other.reach() + L::splat(reach.into())) * L::splat(noise::<T>(1.0));
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

/// The same vector in every lane.
#[inline(always)]
fn splat<T: Wide, L: Lanes<T>>(vector: &Vector3<T>) -> Vector3<L> {
    Vector3::new(L::splat(vector.x.into()), L::splat(vector.y.into()), L::splat(vector.z.into()))
}

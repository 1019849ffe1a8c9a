//! [`Sieve`]: pairs of triangles that stay apart, found eight at a time.
//!
//! Along a separating axis two triangles are at least as far apart as their projections on it. Neighbours in
//! one sheet are separated by a line in its plane: the axes are the normals of the sides of the first
//! triangle in its plane, its own normal, and the line between the two centres. The remaining pairs are
//! tested vertex by vertex and edge by edge.
//!
//! No pair is lost. How far a corner of one is beyond a corner of the other along an axis is linear in time, so that the
//! least of it over all corners is reached at the start or at the end. Where corners may turn, they come towards
//! each other by at most the longest of the displacements of one beside the other, or, where they may stop, of one alone.

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

/// The corners of a triangle, at a time, as seen from the first corner of the first one.
type Corners<R> = [Vector3<R>; 3];

/// Both ends of the projection on an axis.
#[inline(always)]
fn shadow<R: pliant_constraints::Real>(axis: &Vector3<R>, [a, b, c]: &Corners<R>) -> [R; 2] {
    let (a, b, c) = (axis.dot(a), axis.dot(b), axis.dot(c));
    [a.min(b).min(c), a.max(b).max(c)]
}

/// The square of the distance of the corner farthest from the origin, m².
#[inline(always)]
fn reach<R: pliant_constraints::Real>([a, b, c]: &Corners<R>) -> R {
    a.dot(a).max(b.dot(b)).max(c.dot(c))
}

impl<T: Wide> Sieve<'_, T> {
    #[inline(always)]
    pub(super) fn run<L: Lanes<T>>(self) {
        let Self { question, pairs, bodies, asked, may_meet } = self;
        let (paths, places) = (question.paths, question.places);
        let (halt_anywhere, may_turn) = (paths.halts.is_some(), question.may_turn());
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
            let spots = Spots::of_rows(&of);
            let mut apart = [T::zero(); PACK];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let (x, s) = places.gather::<L, 6>(&spots, lane);
                let [halt_here, halt_there] = lanes::<T, L, 2>(&halts, lane);
                let (origin, still) = (x[0], if halt_anywhere { halt_here } else { s[0] });
                let nothing = Vector3::new(L::zero(), L::zero(), L::zero());
                let (mut starts, mut ends) = ([nothing; 6], [nothing; 6]);
                for k in 0..6 {
                    starts[k] = difference(&x[k], &origin);
                    ends[k] = sum(&starts[k], &times(&difference(&s[k], &still), horizon));
                }
                let [own, other, own_end, other_end]: [Corners<L>; 4] = [
                    [starts[0], starts[1], starts[2]],
                    [starts[3], starts[4], starts[5]],
                    [ends[0], ends[1], ends[2]],
                    [ends[3], ends[4], ends[5]],
                ];
                let halt = times(&difference(&halt_there, &halt_here), horizon);
                let normal = cross(&own[1], &own[2]);
                let across = difference(&own[2], &own[1]);
                let third = L::splat(1.0 / 3.0);
                let line = difference(
                    &times(&sum(&sum(&other[0], &other[1]), &other[2]), third),
                    &times(&sum(&own[1], &own[2]), third),
                );
                let axes =
                    [line, cross(&normal, &own[1]), cross(&normal, &across), cross(&normal, &own[2]), normal];
                let mut gap = -L::one();
                for axis in &axes {
                    let (a, b) = (shadow(axis, &own), shadow(axis, &other));
                    let (mut above, mut below) = (b[0] - a[1], a[0] - b[1]);
                    if !may_turn {
                        let (a, b) = (shadow(axis, &own_end), shadow(axis, &other_end));
                        (above, below) = (above.min(b[0] - a[1]), below.min(a[0] - b[1]));
                    }
                    // Without an area there is no axis, and nothing is apart along it: NaN does not count as a gap.
                    let along = above.max(below) / norm(axis);
                    gap = L::select(gap.lt(along), along, gap);
                }
                let farthest = (reach(&own).max(reach(&own_end)).sqrt())
                    + (reach(&other).max(reach(&other_end)).max(halt.dot(&halt)).sqrt());
                let noise = farthest * L::splat(noise::<T>(1.0));
                let mut room = L::splat(question.off());
                if may_turn {
                    let (mut way, mut alone) = (L::zero(), L::zero());
                    for k in 0..3 {
                        let here = difference(&own_end[k], &own[k]);
                        alone = alone.max(here.dot(&here));
                        for l in 0..3 {
                            let there = difference(&difference(&other_end[l], &other[l]), &halt);
                            let beside = difference(&there, &here);
                            alone = alone.max(there.dot(&there));
                            way = way.max(beside.dot(&beside));
                        }
                    }
                    let way = if halt_anywhere { way.max(alone) } else { way };
                    room = room + way.sqrt() + halt.dot(&halt).sqrt();
                }
                let near = L::load(&sums[lane..]) + room * L::splat(1.001) + noise;
                let is_apart = near.lt(gap * L::splat(ROUNDED));
                L::select(is_apart, L::one(), L::zero()).store(&mut apart[lane..]);
            }
            for (lane, &place) in eight.iter().enumerate() {
                may_meet[place as usize] = apart[lane] <= T::zero();
            }
        }
    }
}

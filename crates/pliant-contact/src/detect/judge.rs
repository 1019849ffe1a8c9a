//! [`Judge`]: which of the [candidates](super::candidates) are near enough to be listed.
//!
//! ```text
//! listed where   min(gap now, gap in the end)  ≤  d + m     along the line between the closest points,
//! and            distance now  ≤  d + m + K max|h v_a − h v_b|
//! ```
//!
//! where edges have max(0, m − leeway · d) for m.
//!
//! A gap along a line is the least over all pairs of points of the two sides, each of which changes linearly in time.

use nalgebra::Vector3;
use pliant_constraints::{Real, difference, sum, times};
use pliant_kernel::{Lanes, PACK, Spots, Wide};

use super::candidates::{Candidates, Sort};
use super::lanes::lanes;
use super::near::{Lists, NearPair};
use super::question::Question;
use crate::{Closest, edge_edge, vertex_triangle};

/// The share of the distance at rest that two parts of one body keep.
const REST: f64 = 0.95;

/// Finds which candidates are near, and keeps the memory for that.
pub(super) struct Judge<T> {
    /// The measurements of consecutive candidates.
    measures: Vec<Measures<T>>,
    /// Places of those that are near enough at the usual distance, the numbers of those of them that are of one body, and
    /// how far apart these rest, m, eight by eight.
    near: Vec<u32>,
    own: Vec<u32>,
    at_rest: Vec<[T; PACK]>,
}

impl<T> Default for Judge<T> {
    fn default() -> Self {
        let (measures, near, own, at_rest) = Default::default();
        Self { measures, near, own, at_rest }
    }
}

impl<T: Wide> Judge<T> {
    /// Lists those candidates that are near, and forgets them all.
    #[inline(always)]
    pub(super) fn list<L: Lanes<T>>(
        &mut self,
        question: &Question<'_, T>,
        candidates: &mut Candidates,
        lists: &mut Lists<T>,
    ) {
        let surface = question.surface;
        list::<T, L>(question, candidates.vertex_triangle(surface), self, &mut lists.vertex_triangle);
        list::<T, L>(question, candidates.edge_edge(surface), self, &mut lists.edge_edge);
        candidates.clear();
    }
}

/// Lists those candidates of one sort that are near.
#[inline(always)]
fn list<T: Wide, L: Lanes<T>>(
    question: &Question<'_, T>,
    sort: Sort<'_>,
    judge: &mut Judge<T>,
    listed: &mut Vec<NearPair<T>>,
) {
    judge.measures.clear();
    measure::<T, L>(question, sort, &mut judge.measures);
    judge.sift(question, sort);
    judge.at_rest.clear();
    if let Some(rest) = question.paths.rest {
        for eight in judge.own.chunks(PACK) {
            judge.at_rest.push(distances::<T, L>(rest, sort, eight));
        }
    }
    judge.hand_over(question, sort, listed);
}

/// Of edges the share of the distance that they keep, and how much nearer they may come unlisted; of vertices and triangles
/// all, and nothing.
fn share_and_leeway<T: Wide>(question: &Question<'_, T>, sort: Sort<'_>) -> (f64, f64) {
    if sort.split == 1 { (1.0, 0.0) } else { (question.rules.edge_share, question.rules.edge_leeway) }
}

// No lanes: one copy of each serves all widths and both sorts.
impl<T: Wide> Judge<T> {
    /// Whether the candidate at a place is near if it keeps this distance, m.
    #[inline(always)]
    fn is_near(&self, question: &Question<'_, T>, place: usize, keep: f64, leeway: f64) -> bool {
        let (Measures { least, longest, .. }, lane) = (&self.measures[place / PACK], place % PACK);
        let (least, longest): (f64, f64) = (least[lane].into(), longest[lane].into());
        least <= keep + (question.off() - leeway * keep).max(0.0) * 1.001 + noise::<T>(longest)
    }

    /// Finds those that are near enough at the usual distance.
    #[inline(never)]
    fn sift(&mut self, question: &Question<'_, T>, sort: Sort<'_>) {
        self.near.clear();
        self.own.clear();
        let (share, leeway) = share_and_leeway(question, sort);
        let ties = question.rules.ties;
        for (place, &chosen) in sort.chosen.iter().enumerate() {
            let bodies = sort.bodies(chosen);
            if !self.is_near(question, place, share * bodies.sum, leeway) {
                continue;
            }
            if !ties.is_empty() {
                let points = sort.points(chosen);
                let (first, second) = points.split_at(sort.split);
                if ties.between(first, second) {
                    continue;
                }
            }
            self.near.push(place as u32);
            if question.paths.rest.is_some() && bodies.are_one {
                self.own.push(chosen);
            }
        }
    }

    /// Lists those of them that are near at the distance that they keep.
    #[inline(never)]
    fn hand_over(&self, question: &Question<'_, T>, sort: Sort<'_>, listed: &mut Vec<NearPair<T>>) {
        let (share, leeway) = share_and_leeway(question, sort);
        let mut rests = self.at_rest.iter().flatten();
        for &place in &self.near {
            let (place, lane) = (place as usize, place as usize % PACK);
            let chosen = sort.chosen[place];
            let bodies = sort.bodies(chosen);
            let mut keep = share * bodies.sum;
            let has_rest = question.paths.rest.is_some() && bodies.are_one;
            if let Some(&rest) = if has_rest { rests.next() } else { None } {
                keep = keep.min(REST * rest.into());
                if !self.is_near(question, place, keep, leeway) {
                    continue;
                }
            }
            let Measures { distance, way, .. } = &self.measures[place / PACK];
            let (keep, distance, way) = (T::splat(keep), distance[lane], way[lane]);
            let points = sort.points(chosen);
            let elements = sort.elements(chosen, &points);
            listed.push(NearPair { points, elements, keep, distance, way });
        }
    }
}

/// How far up to eight of the candidates are apart where particles are at these places, m.
#[inline(always)]
fn distances<T: Wide, L: Lanes<T>>(at: &[Vector3<T>], sort: Sort<'_>, eight: &[u32]) -> [T; PACK] {
    let mut rows = [[[T::zero(); PACK]; 3]; 4];
    for (lane, &chosen) in eight.iter().enumerate() {
        for (rows, point) in rows.iter_mut().zip(sort.points(chosen)) {
            for (row, &x) in rows.iter_mut().zip(&at[point as usize]) {
                row[lane] = x;
            }
        }
    }
    let mut found = [T::zero(); PACK];
    for lane in (0..PACK).step_by(L::WIDTH) {
        closest(&lanes::<T, L, 4>(&rows, lane), sort.split).distance().store(&mut found[lane..]);
    }
    found
}

/// By how much rounding may make a distance too large, m: as the root of ε times the length of edges that are
/// nearly parallel.
pub(super) fn noise<T: Wide>(longest: f64) -> f64 {
    4.0 * T::EPSILON.sqrt() * longest
}

/// The closest points of two elements.
#[inline(always)]
fn closest<R: Real>(x: &[Vector3<R>; 4], split: usize) -> Closest<R> {
    if split == 1 {
        vertex_triangle(&x[0], &[x[1], x[2], x[3]])
    } else {
        edge_edge(&[x[0], x[1]], &[x[2], x[3]])
    }
}

/// How far the first points are beyond the others along a direction.
#[inline(always)]
fn beyond<R: Real>(direction: &Vector3<R>, x: &[Vector3<R>; 4], split: usize) -> R {
    let [a, b, c, d] =
        [direction.dot(&x[0]), direction.dot(&x[1]), direction.dot(&x[2]), direction.dot(&x[3])];
    if split == 1 { a - b.max(c).max(d) } else { a.min(b) - c.max(d) }
}

/// Of eight pairs: their distances, m, how near they come at least, m, the longest way that a point of one goes beside a
/// point of the other in a substep, m, and how long their elements are along an axis at most, m.
#[derive(Clone, Copy)]
struct Measures<T> {
    distance: [T; PACK],
    least: [T; PACK],
    way: [T; PACK],
    longest: [T; PACK],
}

/// Measures candidates, eight at a time.
#[inline(always)]
fn measure<T: Wide, L: Lanes<T>>(
    question: &Question<'_, T>,
    sort: Sort<'_>,
    measures: &mut Vec<Measures<T>>,
) {
    let (places, paths, split) = (question.places, question.paths, sort.split);
    let (may_halt, may_turn) = (paths.halts.is_some(), question.may_turn());
    let zero = [T::zero(); PACK];
    let mut halts = [[zero; 3]; 2];
    let horizon = L::splat(f64::from(question.rules.horizon));
    for eight in sort.chosen.chunks(PACK) {
        // Padding lanes repeat the first.
        let mut points = [[0; PACK]; 4];
        for lane in 0..PACK {
            let of = sort.points(*eight.get(lane).unwrap_or(&eight[0]));
            for (row, point) in points.iter_mut().zip(of) {
                row[lane] = point;
            }
        }
        let spots = Spots::of_rows(&points);
        if may_halt {
            for lane in 0..eight.len() {
                for (to, side) in halts.iter_mut().zip([0, 3]) {
                    if let Some(halt) = question.halt(points[side][lane]) {
                        for axis in 0..3 {
                            to[axis][lane] = halt[axis];
                        }
                    }
                }
            }
        }
        let mut found = Measures { distance: zero, least: zero, way: zero, longest: zero };
        for lane in (0..PACK).step_by(L::WIDTH) {
            let (x, s) = places.gather::<L, 4>(&spots, lane);
            let mut longest = L::zero();
            for side in [difference(&x[1], &x[0]), difference(&x[3], &x[2])] {
                longest = longest.max(side.x.abs()).max(side.y.abs()).max(side.z.abs());
            }
            longest.store(&mut found.longest[lane..]);
            let halt = lanes::<T, L, 2>(&halts, lane);
            let near = closest(&x, split);
            let distance = near.distance();
            distance.store(&mut found.distance[lane..]);
            let mut way = L::zero();
            for first in &s[..split] {
                for second in &s[split..] {
                    let (first, second) = (difference(first, &halt[0]), difference(second, &halt[1]));
                    way = way.max(square(&difference(&first, &second)));
                    if may_halt {
                        way = way.max(square(&first)).max(square(&second));
                    }
                }
            }
            // Of t_a a − t_b b the longest is where both are 0 or 1.
            let way = way.sqrt() + square(&difference(&halt[0], &halt[1])).sqrt();
            way.store(&mut found.way[lane..]);
            let bound = distance - way * horizon * L::splat(1.001);
            if may_turn {
                bound.store(&mut found.least[lane..]);
                continue;
            }
            // As seen from a point of the second side.
            let (mut starts, mut ends) = (x, x);
            for k in 0..4 {
                starts[k] = difference(&x[k], &x[3]);
                ends[k] = sum(&starts[k], &times(&difference(&s[k], &s[3]), horizon));
            }
            let gap = beyond(&near.delta, &starts, split).min(beyond(&near.delta, &ends, split)) / distance;
            // Without a direction there is no gap.
            let gap = L::select(L::zero().lt(distance), gap, L::zero());
            bound.max(gap).store(&mut found.least[lane..]);
        }
        measures.push(found);
    }
}

#[inline(always)]
fn square<R: Real>(v: &Vector3<R>) -> R {
    v.dot(v)
}

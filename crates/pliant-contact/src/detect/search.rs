//! From triangles whose boxes meet to the pairs of their vertices and edges that are listed.
//!
//! Cheap tests come first: bodies that meet, [calm](super::calm) fans,
//! [triangles that stay apart](super::sieve), the boxes of vertices and edges, and at last
//! [distances](super::judge). Nothing on the way changes the order in which pairs are found.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide, side_by_side};

use super::boxes::Hull;
use super::judge::{Candidate, Candidates};
use super::near::Lists;
use super::neighbours::Neighbours;
use super::question::{Bodies, Question};
use super::sieve::Sieve;

/// The corner after each.
const NEXT: [usize; 3] = [1, 2, 0];
/// Pairs of triangles that are compared together.
const WAITING: usize = 256;
/// Candidates that are measured together.
const BATCH: usize = 256;

/// A triangle with the boxes of its parts.
struct Parts {
    triangle: u32,
    corners: [u32; 3],
    /// Which corners and sides it represents, a bit each.
    owned_corners: u32,
    owned_sides: u32,
    /// The boxes of its corners, and of itself.
    hulls: [Hull; 3],
    hull: Hull,
}

impl Parts {
    /// The box of a side.
    #[inline(always)]
    fn side(&self, k: usize) -> Hull {
        self.hulls[k].around(self.hulls[NEXT[k]])
    }
}

impl<T: Wide> Question<'_, T> {
    #[inline(always)]
    fn parts(&self, triangle: u32) -> Parts {
        let t = triangle as usize;
        let corners = self.surface.triangles()[t];
        let hulls = corners.map(|v| self.points[v as usize]);
        Parts {
            triangle,
            corners,
            owned_corners: self.surface.owned_corners(t),
            owned_sides: self.surface.owned_sides(t),
            hull: hulls[0].around(hulls[1]).around(hulls[2]),
            hulls,
        }
    }

    /// The elements that two triangles represent, tested against each other.
    #[inline(always)]
    fn pair(&self, a: &Parts, b: &Parts, bodies: Bodies, to: &mut Candidates<T>) {
        self.corners(a, b, bodies, to);
        self.corners(b, a, bodies, to);
        if b.owned_sides == 0 {
            return;
        }
        for i in (0..3).filter(|i| a.owned_sides >> i & 1 == 1) {
            let side = a.side(i);
            if !side.meets(&b.hull) {
                continue;
            }
            let [p, q] = [a.corners[i], a.corners[NEXT[i]]];
            for j in (0..3).filter(|j| b.owned_sides >> j & 1 == 1) {
                let [r, s] = [b.corners[j], b.corners[NEXT[j]]];
                if side.meets(&b.side(j)) && p != r && p != s && q != r && q != s {
                    let [a, b] = [(a, i), (b, j)]
                        .map(|(of, side)| self.surface.owned_edge(of.triangle as usize, side));
                    let points = [p, q, r, s];
                    if self.counts(&points) {
                        to.edge_edge.push(Candidate { points, elements: [a, b], bodies });
                    }
                }
            }
        }
    }

    /// The vertices that `of` represents, against the triangle `other`.
    #[inline(always)]
    fn corners(&self, of: &Parts, other: &Parts, bodies: Bodies, to: &mut Candidates<T>) {
        for k in (0..3).filter(|k| of.owned_corners >> k & 1 == 1) {
            let (p, [q, r, s]) = (of.corners[k], other.corners);
            let points = [p, q, r, s];
            if of.hulls[k].meets(&other.hull) && !other.corners.contains(&p) && self.counts(&points) {
                to.vertex_triangle.push(Candidate { points, elements: [p, other.triangle], bodies });
            }
        }
    }

    /// Whether a pair of these particles is wanted, and not all of them are held.
    #[inline(always)]
    fn counts(&self, points: &[u32; 4]) -> bool {
        let held = self.rules.held;
        self.only.is_none_or(|only| points.iter().any(|&v| only[v as usize]))
            && (held.is_empty() || !points.iter().all(|&v| held[v as usize]))
    }
}

/// Pairs of triangles whose boxes meet.
#[derive(Default)]
struct Waiting {
    pairs: Vec<[u32; 2]>,
    bodies: Vec<Bodies>,
    may_meet: Vec<bool>,
    /// Places of those that share no particle.
    asked: Vec<u32>,
}

/// Intermediate lists, whose memory is kept.
pub(super) struct Scratch<T> {
    waiting: Waiting,
    candidates: Candidates<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self { waiting: Waiting::default(), candidates: Candidates::default() }
    }
}

/// Lists the pairs of triangles whose boxes meet those of others.
pub(super) struct Search<'a, T: Wide> {
    pub(super) question: Question<'a, T>,
    /// Triangles, and those whose boxes each of them meets.
    pub(super) queries: &'a [u32],
    pub(super) neighbours: &'a Neighbours,
    pub(super) scratch: &'a mut Scratch<T>,
    pub(super) lists: &'a mut Lists<T>,
}

impl<T: Wide> LaneJob<T> for Search<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { question, queries, neighbours, scratch, lists } = self;
        let Scratch { waiting, candidates } = scratch;
        for (place, &at_hand) in queries.iter().enumerate() {
            waiting.take(&question, at_hand, neighbours.of(place));
            if waiting.pairs.len() >= WAITING {
                waiting.sift::<T, L>(&question, candidates);
            }
            if candidates.len() >= BATCH {
                candidates.judge::<L>(&question, lists);
            }
        }
        waiting.sift::<T, L>(&question, candidates);
        candidates.judge::<L>(&question, lists);
    }
}

impl Waiting {
    /// Adds a triangle with those whose boxes its own meets.
    #[inline(always)]
    fn take<T: Wide>(&mut self, question: &Question<'_, T>, at_hand: u32, others: &[u32]) {
        let triangles = question.surface.triangles();
        let [a, b, c] = triangles[at_hand as usize];
        let body = question.body(a);
        for &triangle in others {
            let corners = &triangles[triangle as usize];
            let Some(bodies) = question.bodies(body, question.body(corners[0])) else { continue };
            // Elements that share a particle are never apart.
            let shares = corners.contains(&a) | corners.contains(&b) | corners.contains(&c);
            if !(bodies.are_one && shares) {
                self.asked.push(self.pairs.len() as u32);
            }
            self.pairs.push([at_hand, triangle]);
            self.bodies.push(bodies);
            self.may_meet.push(true);
        }
    }

    /// Lists the pairs of parts of the collected triangles that may come near each other.
    #[inline(always)]
    fn sift<T: Wide, L: Lanes<T>>(&mut self, question: &Question<'_, T>, candidates: &mut Candidates<T>) {
        let Self { pairs, bodies, may_meet, asked } = self;
        Sieve { question, pairs, bodies, asked, may_meet }.run::<L>();
        let mut own: Option<Parts> = None;
        for (place, &[at_hand, triangle]) in pairs.iter().enumerate() {
            if !may_meet[place] {
                continue;
            }
            if own.as_ref().is_none_or(|own| own.triangle != at_hand) {
                own = Some(question.parts(at_hand));
            }
            if let Some(own) = &own {
                question.pair(own, &question.parts(triangle), bodies[place], candidates);
            }
        }
        pairs.clear();
        bodies.clear();
        may_meet.clear();
        asked.clear();
    }
}

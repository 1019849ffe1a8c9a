//! From triangles whose boxes meet to the pairs of their vertices and edges that are listed.
//!
//! Cheap tests come first: bodies that meet, [calm](super::calm) fans,
//! [triangles that stay apart](super::sieve), and at last [distances](super::judge). Nothing on the way changes
//! the order in which pairs are found.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide, side_by_side};

use super::judge::{Candidate, Candidates};
use super::near::Lists;
use super::question::{Bodies, Question};
use super::sieve::Sieve;

/// The corner after each.
const NEXT: [usize; 3] = [1, 2, 0];
/// Pairs of triangles that are compared together.
const WAITING: usize = 256;
/// Candidates that are measured together.
const BATCH: usize = 256;

impl<T: Wide> Question<'_, T> {
    /// The elements that two triangles represent.
    #[inline(always)]
    fn pair(&self, [a, b]: [u32; 2], bodies: Bodies, to: &mut Candidates<T>) {
        self.corners([a, b], bodies, to);
        self.corners([b, a], bodies, to);
        let [of_a, of_b] = [a, b].map(|triangle| &self.surface.triangles()[triangle as usize]);
        let [sides_a, sides_b] = [a, b].map(|triangle| self.surface.owned_sides(triangle as usize));
        for i in (0..3).filter(|i| sides_a >> i & 1 == 1) {
            let [p, q] = [of_a[i], of_a[NEXT[i]]];
            for j in (0..3).filter(|j| sides_b >> j & 1 == 1) {
                let [r, s] = [of_b[j], of_b[NEXT[j]]];
                let points = [p, q, r, s];
                if p != r && p != s && q != r && q != s && self.counts(&points) {
                    let elements =
                        [(a, i), (b, j)].map(|(of, side)| self.surface.owned_edge(of as usize, side));
                    to.edge_edge.push(Candidate { points, elements, bodies });
                }
            }
        }
    }

    /// The vertices that one triangle represents, and the other triangle.
    #[inline(always)]
    fn corners(&self, [of, other]: [u32; 2], bodies: Bodies, to: &mut Candidates<T>) {
        let corners = &self.surface.triangles()[of as usize];
        let [q, r, s] = self.surface.triangles()[other as usize];
        let owned = self.surface.owned_corners(of as usize);
        for k in (0..3).filter(|k| owned >> k & 1 == 1) {
            let p = corners[k];
            let points = [p, q, r, s];
            if p != q && p != r && p != s && self.counts(&points) {
                to.vertex_triangle.push(Candidate { points, elements: [p, other], bodies });
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

/// Lists the elements of pairs of triangles whose boxes meet.
pub(super) struct Search<'a, T: Wide> {
    pub(super) question: Question<'a, T>,
    pub(super) pairs: &'a [[u32; 2]],
    pub(super) scratch: &'a mut Scratch<T>,
    pub(super) lists: &'a mut Lists<T>,
}

impl<T: Wide> LaneJob<T> for Search<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { question, pairs, scratch, lists } = self;
        let Scratch { waiting, candidates } = scratch;
        for pairs in pairs.chunks(WAITING) {
            waiting.take(&question, pairs);
            waiting.sift::<T, L>(&question, candidates);
            if candidates.len() >= BATCH {
                candidates.judge::<L>(&question, lists);
            }
        }
        candidates.judge::<L>(&question, lists);
    }
}

impl Waiting {
    /// Takes some pairs up.
    #[inline(always)]
    fn take<T: Wide>(&mut self, question: &Question<'_, T>, pairs: &[[u32; 2]]) {
        let triangles = question.surface.triangles();
        for &[at_hand, triangle] in pairs {
            let [a, b, c] = triangles[at_hand as usize];
            let corners = &triangles[triangle as usize];
            let Some(bodies) = question.bodies(question.body(a), question.body(corners[0])) else { continue };
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
        for ((&pair, &bodies), &may_meet) in pairs.iter().zip(&*bodies).zip(&*may_meet) {
            if may_meet {
                question.pair(pair, bodies, candidates);
            }
        }
        pairs.clear();
        bodies.clear();
        may_meet.clear();
        asked.clear();
    }
}

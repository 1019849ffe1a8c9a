//! From triangles whose boxes meet to the pairs of their vertices and edges that go on the list.
//!
//! What is cheap is asked first: bodies that meet, [calm](super::calm) fans, [triangles that stay apart](super::sieve), the boxes of vertices and edges, and at last [distances](super::judge). Nothing on the way changes the
//! order in which pairs are found.

use pliant_kernel::Wide;

use super::boxes::Hull;
use super::judge::{Candidate, Candidates};
use super::near::Lists;
use super::question::{Bodies, Question};
use super::sieve::Sieve;

/// The corner after each.
const NEXT: [usize; 3] = [1, 2, 0];
/// Candidates that are judged together.
const BATCH: usize = 256;

impl<T: Wide> Question<'_, T> {
    /// What two triangles represent, held against each other.
    #[inline(always)]
    fn pair(&self, a: u32, b: u32, bodies: Bodies, to: &mut Candidates<T>) {
        let (of_a, of_b) = (self.surface.triangles()[a as usize], self.surface.triangles()[b as usize]);
        let (hulls_a, hulls_b) =
            (of_a.map(|v| self.points[v as usize]), of_b.map(|v| self.points[v as usize]));
        self.corners((a, &of_a), (b, &of_b), &hulls_a, &hulls_b, bodies, to);
        self.corners((b, &of_b), (a, &of_a), &hulls_b, &hulls_a, bodies, to);
        let (owned_a, owned_b) = (self.surface.owned_sides(a as usize), self.surface.owned_sides(b as usize));
        if owned_a == 0 || owned_b == 0 {
            return;
        }
        let sides_b: [Hull; 3] = std::array::from_fn(|k| hulls_b[k].around(hulls_b[NEXT[k]]));
        for i in (0..3).filter(|i| owned_a >> i & 1 == 1) {
            let side = hulls_a[i].around(hulls_a[NEXT[i]]);
            let [p, q] = [of_a[i], of_a[NEXT[i]]];
            for j in (0..3).filter(|j| owned_b >> j & 1 == 1) {
                let [r, s] = [of_b[j], of_b[NEXT[j]]];
                if side.meets(&sides_b[j]) && p != r && p != s && q != r && q != s {
                    let (a, b) =
                        (self.surface.owned_edge(a as usize, i), self.surface.owned_edge(b as usize, j));
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
    fn corners(
        &self,
        (of, corners): (u32, &[u32; 3]),
        (other, others): (u32, &[u32; 3]),
        hulls: &[Hull; 3],
        hulls_of_other: &[Hull; 3],
        bodies: Bodies,
        to: &mut Candidates<T>,
    ) {
        let owned = self.surface.owned_corners(of as usize);
        if owned == 0 {
            return;
        }
        let hull = hulls_of_other[0].around(hulls_of_other[1]).around(hulls_of_other[2]);
        for k in (0..3).filter(|k| owned >> k & 1 == 1) {
            let p = corners[k];
            let points = [p, others[0], others[1], others[2]];
            if hulls[k].meets(&hull) && !others.contains(&p) && self.counts(&points) {
                to.vertex_triangle.push(Candidate { points, elements: [p, other], bodies });
            }
        }
    }

    /// Whether a pair of these particles is asked for, and not all of them are held.
    #[inline(always)]
    fn counts(&self, points: &[u32; 4]) -> bool {
        let held = self.rules.held;
        self.only.is_none_or(|only| points.iter().any(|&v| only[v as usize]))
            && (held.is_empty() || !points.iter().all(|&v| held[v as usize]))
    }
}

/// Triangles whose boxes meet that of the one at hand.
#[derive(Default)]
struct Waiting {
    triangles: Vec<u32>,
    bodies: Vec<Bodies>,
    may_meet: Vec<bool>,
    /// Places of those that share no particle with the one at hand.
    asked: Vec<u32>,
}

/// Lists on the way, whose room is kept.
pub(super) struct Scratch<T> {
    waiting: Waiting,
    candidates: Candidates<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self { waiting: Waiting::default(), candidates: Candidates::default() }
    }
}

/// A search on its way.
pub(super) struct Search<'a, T: Wide> {
    pub(super) question: Question<'a, T>,
    pub(super) scratch: &'a mut Scratch<T>,
    pub(super) lists: &'a mut Lists<T>,
}

impl<T: Wide> Search<'_, T> {
    /// Takes up a triangle whose box meets that of the one at hand.
    #[inline(always)]
    pub(super) fn meet(&mut self, at_hand: u32, triangle: u32) {
        let Question { surface, calm, .. } = self.question;
        let [of_a, of_b] = [at_hand, triangle].map(|t| &surface.triangles()[t as usize]);
        let Some(bodies) = self.question.bodies(of_a[0], of_b[0]) else { return };
        // Fans are looked at along whole ways.
        let is_whole = self.question.paths.halts.is_none();
        let apart = if bodies.are_one && is_whole { calm.apart(of_a, of_b) } else { None };
        if apart.is_some_and(|apart| f64::from(apart) > bodies.sum + self.question.off()) {
            return;
        }
        let waiting = &mut self.scratch.waiting;
        if apart.is_none() {
            waiting.asked.push(waiting.triangles.len() as u32);
        }
        waiting.triangles.push(triangle);
        waiting.bodies.push(bodies);
        waiting.may_meet.push(true);
    }

    /// Goes on with those of the triangles taken up that may come near the one at hand.
    pub(super) fn sift(&mut self, at_hand: u32) {
        let Scratch { waiting, candidates } = &mut *self.scratch;
        if !waiting.asked.is_empty() {
            let sieve = Sieve {
                question: &self.question,
                at_hand,
                triangles: &waiting.triangles,
                bodies: &waiting.bodies,
                asked: &waiting.asked,
                may_meet: &mut waiting.may_meet,
            };
            T::dispatch(sieve, self.question.simd);
        }
        for ((&triangle, &bodies), _) in
            waiting.triangles.iter().zip(&waiting.bodies).zip(&waiting.may_meet).filter(|(_, may)| **may)
        {
            self.question.pair(at_hand, triangle, bodies, candidates);
        }
        waiting.triangles.clear();
        waiting.bodies.clear();
        waiting.may_meet.clear();
        waiting.asked.clear();
        if candidates.len() >= BATCH {
            self.conclude();
        }
    }

    /// Lists what is left to be judged.
    pub(super) fn conclude(&mut self) {
        self.scratch.candidates.judge(&self.question, self.lists);
    }
}

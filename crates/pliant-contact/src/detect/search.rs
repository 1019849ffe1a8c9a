//! From triangles whose boxes meet to the pairs of their vertices and edges that are listed.
//!
//! Cheap tests come first: bodies that meet, [calm](super::calm) fans, [triangles that stay apart](super::sieve), the boxes of vertices and edges, and at
//! last [distances](super::judge). Nothing on the way changes the order in which pairs are found.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide, side_by_side};

use super::boxes::Hull;
use super::judge::{Candidate, Candidates};
use super::near::Lists;
use super::neighbours::Neighbours;
use super::question::{Bodies, Question};
use super::sieve::Sieve;

/// The corner after each.
const NEXT: [usize; 3] = [1, 2, 0];
/// Candidates that are measured together.
const BATCH: usize = 256;

impl<T: Wide> Question<'_, T> {
    /// The elements that two triangles represent, tested against each other.
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

    /// Whether a pair of these particles is wanted, and not all of them are held.
    #[inline(always)]
    fn counts(&self, points: &[u32; 4]) -> bool {
        let held = self.rules.held;
        self.only.is_none_or(|only| points.iter().any(|&v| only[v as usize]))
            && (held.is_empty() || !points.iter().all(|&v| held[v as usize]))
    }
}

/// Triangles whose boxes meet that of the current one.
#[derive(Default)]
struct Waiting {
    triangles: Vec<u32>,
    bodies: Vec<Bodies>,
    may_meet: Vec<bool>,
    /// Places of those that share no particle with the current one.
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
            for &triangle in neighbours.of(place) {
                waiting.take(&question, at_hand, triangle);
            }
            waiting.sift::<T, L>(&question, at_hand, candidates);
            if candidates.len() >= BATCH {
                candidates.judge::<L>(&question, lists);
            }
        }
        candidates.judge::<L>(&question, lists);
    }
}

impl Waiting {
    /// Adds a triangle whose box meets that of the current one.
    #[inline(always)]
    fn take<T: Wide>(&mut self, question: &Question<'_, T>, at_hand: u32, triangle: u32) {
        let [of_a, of_b] = [at_hand, triangle].map(|t| &question.surface.triangles()[t as usize]);
        let Some(bodies) = question.bodies(of_a[0], of_b[0]) else { return };
        // Elements that share a particle are never apart.
        if !(bodies.are_one && of_a.iter().any(|v| of_b.contains(v))) {
            self.asked.push(self.triangles.len() as u32);
        }
        self.triangles.push(triangle);
        self.bodies.push(bodies);
        self.may_meet.push(true);
    }

    /// Lists the pairs of the collected triangles that may come near the current one.
    #[inline(always)]
    fn sift<T: Wide, L: Lanes<T>>(
        &mut self,
        question: &Question<'_, T>,
        at_hand: u32,
        candidates: &mut Candidates<T>,
    ) {
        if !self.asked.is_empty() {
            let sieve = Sieve {
                question,
                at_hand,
                triangles: &self.triangles,
                bodies: &self.bodies,
                asked: &self.asked,
                may_meet: &mut self.may_meet,
            };
            sieve.run::<L>();
        }
        for (place, &triangle) in self.triangles.iter().enumerate() {
            if self.may_meet[place] {
                question.pair(at_hand, triangle, self.bodies[place], candidates);
            }
        }
        self.triangles.clear();
        self.bodies.clear();
        self.may_meet.clear();
        self.asked.clear();
    }
}

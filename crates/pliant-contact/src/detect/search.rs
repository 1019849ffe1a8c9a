//! From triangles whose boxes meet to the pairs of their vertices and edges that are listed.
//!
//! Cheap tests come first: bodies that meet, [calm](super::calm) fans,
//! [triangles that stay apart](super::sieve), and at last [distances](super::judge). Nothing on the way changes
//! the order in which pairs are found.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide, side_by_side};

use super::candidates::Candidates;
use super::judge::Judge;
use super::near::Lists;
use super::parts::{Parts, shared};
use super::question::{Bodies, Question};
use super::sieve::Sieve;

/// Pairs of triangles that are compared together.
const WAITING: usize = 256;
/// Candidates that are measured together.
const BATCH: usize = 256;

/// Pairs of triangles whose boxes meet.
#[derive(Default)]
struct Waiting {
    pairs: Vec<[u32; 2]>,
    bodies: Vec<Bodies>,
    may_meet: Vec<bool>,
    /// The corners that they have in common.
    shared: Vec<u32>,
    /// Places of those that share no particle.
    asked: Vec<u32>,
}

/// Intermediate lists, whose memory is kept.
pub(super) struct Scratch<T> {
    waiting: Waiting,
    candidates: Candidates,
    judge: Judge<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self { waiting: Waiting::default(), candidates: Candidates::default(), judge: Judge::default() }
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
        let Scratch { waiting, candidates, judge } = scratch;
        for pairs in pairs.chunks(WAITING) {
            waiting.take(&question, pairs);
            waiting.sift::<T, L>(&question, candidates);
            if candidates.len() >= BATCH {
                judge.list::<L>(&question, candidates, lists);
            }
        }
        judge.list::<L>(&question, candidates, lists);
    }
}

impl Waiting {
    /// Takes some pairs up. No lanes: one copy serves all widths.
    #[inline(never)]
    fn take<T: Wide>(&mut self, question: &Question<'_, T>, pairs: &[[u32; 2]]) {
        let triangles = question.surface.triangles();
        for &[at_hand, triangle] in pairs {
            let (of, corners) = (&triangles[at_hand as usize], &triangles[triangle as usize]);
            let Some(bodies) = question.bodies(question.body(of[0]), question.body(corners[0])) else {
                continue;
            };
            let shared = if bodies.are_one { shared([of, corners]) } else { 0 };
            // Elements that share a particle are never apart.
            if shared == 0 {
                self.asked.push(self.pairs.len() as u32);
            }
            self.pairs.push([at_hand, triangle]);
            self.bodies.push(bodies);
            self.may_meet.push(true);
            self.shared.push(shared);
        }
    }

    /// Lists the pairs of parts of the collected triangles that may come near each other.
    #[inline(always)]
    fn sift<T: Wide, L: Lanes<T>>(&mut self, question: &Question<'_, T>, candidates: &mut Candidates) {
        let Self { pairs, bodies, may_meet, asked, .. } = self;
        Sieve { question, pairs, bodies, asked, may_meet }.run::<L>();
        self.hand_over(question, candidates);
    }

    /// Lists the parts of those that may meet, and forgets all. No lanes: one copy serves all widths.
    #[inline(never)]
    fn hand_over<T: Wide>(&mut self, question: &Question<'_, T>, candidates: &mut Candidates) {
        let Self { pairs, bodies, may_meet, shared, asked } = self;
        for (place, &pair) in pairs.iter().enumerate() {
            if may_meet[place] {
                candidates.append(pair, bodies[place], Parts::of(question, pair, shared[place]));
            }
        }
        pairs.clear();
        shared.clear();
        bodies.clear();
        may_meet.clear();
        asked.clear();
    }
}

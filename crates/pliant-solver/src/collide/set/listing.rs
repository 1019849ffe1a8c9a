//! When pairs are listed, and whose: all, those of particles that strayed, and those for the net.

use pliant_contact::{NearPair, Paths as Expected, Rules, Strays};
use pliant_kernel::{Particle, Scalar, Team};

use super::{CollisionSet, EDGE_LEEWAY, EDGE_SHARE};
use crate::collide::candidates::Listed;
use crate::collide::elements::Elements;
use crate::set::constraint_set::Begin;

/// Particles whose ways are written together.
const PIECE: usize = 2048;

/// What a detector is to list.
macro_rules! rules {
    ($set:ident, $radii:expr, $slack:expr, $horizon:expr, [$share:expr, $leeway:expr]) => {
        Rules {
            radii: $radii,
            slack: $slack,
            horizon: $horizon,
            edge_share: $share,
            edge_leeway: $leeway,
            masks: &$set.masks,
            held: &$set.held,
            ties: &$set.ties,
        }
    };
}

/// Whose pairs are to be found.
#[derive(Clone, Copy)]
enum Whose {
    All,
    Strays,
}

/// A part of the ways of strays in a substep: all of them, or to where they are cut back to, and from there on.
#[derive(Clone, Copy, PartialEq)]
enum Leg {
    Whole,
    Back,
    Forth,
}

impl<T: Scalar> CollisionSet<T> {
    /// Lists the pairs that may come near in the substeps that follow.
    pub(super) fn detect(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        self.paths.start(&self.surface, (substep.previous, substep.now), substep.h, team);
        for &v in self.surface.vertices() {
            self.held[v as usize] = substep.now[v as usize].w <= T::zero();
            self.is_stray[v as usize] = false;
        }
        self.candidates.hand_over(&mut self.memory);
        self.tally.detections[0] += 1;
        self.list_all(team);
        self.paths.learn(self.candidates.pairs.iter().map(|pair| [pair.points[0], pair.points[3]]));
    }

    /// Lists the pairs of all by the paths. Contacts are those that are remembered.
    pub(super) fn list_all(&mut self, team: Team<'_>) {
        self.memory.sort(self.surface.particles());
        self.reach.restart();
        self.patience.restart();
        self.candidates.clear();
        self.islands.part();
        self.find_pairs(Whose::All, team);
    }

    /// Gives what has strayed new paths, and lists its pairs again.
    pub(super) fn update(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        self.paths.restart(&self.strays, substep.previous, substep.now);
        self.tally.detections[1] += 1;
        self.list_again(team);
    }

    /// Lists the pairs of strays again, by the paths that these have now.
    pub(super) fn list_again(&mut self, team: Team<'_>) {
        self.reach.restart_those(&self.strays);
        self.candidates.drop_those_of(&self.strays, &self.is_stray, team);
        self.find_pairs(Whose::Strays, team);
        for &v in &self.strays {
            self.is_stray[v as usize] = false;
        }
    }

    /// Has the detector find pairs by the paths, and takes them up.
    fn find_pairs(&mut self, whose: Whose, team: Team<'_>) {
        self.paths.expect(&mut self.at, &mut self.by, team);
        let expected = Expected {
            positions: &self.at,
            steps: &self.by,
            rest: Some(&self.rest),
            halts: None,
            may_turn: false,
        };
        let (slack, horizon) = (self.paths.slack(), self.paths.horizon());
        // What is driven apart presses on what lies next to it.
        let may_wait = self.paths.are_slow() && self.tangle.is_empty();
        let leeway = if may_wait { EDGE_LEEWAY } else { 0.0 };
        let rules = rules!(self, &self.radii, slack, horizon, [EDGE_SHARE, leeway]);
        let (surface, detector) = (&self.surface, &mut self.detector);
        let found = match whose {
            Whose::All => detector.detect_on(surface, &expected, &rules, team),
            Whose::Strays => {
                let since = self.paths.since([0, self.paths.horizon()]);
                let strays = Strays { particles: &self.strays, flags: &self.is_stray };
                detector.update(surface, &expected, &rules, &since, strays, team)
            }
        };
        // What is not finite is found, and named, where velocities are derived.
        if found.is_ok() {
            self.list(whose, team);
        }
    }

    /// Takes the pairs of the detector up among the candidates.
    fn list(&mut self, whose: Whose, team: Team<'_>) {
        let Self { surface, detector, candidates, tangle, islands, laws, memory, paths, reach, .. } = self;
        for (elements, pairs) in Elements::lists(detector) {
            let laws = matches!(whose, Whose::All).then_some((&mut *laws, &*memory));
            let surface = &*surface;
            let wanted = |pair: &NearPair<T>| {
                let is_wanted = !tangle.releases(elements, &pair.points);
                if is_wanted {
                    islands.join(surface.body_at(pair.points[0]), surface.body_at(pair.points[3]));
                }
                is_wanted
            };
            let listed = Listed { elements, pairs, age: paths.age(), surface, apart: &reach.apart };
            candidates.add(&listed, wanted, laws, team);
        }
    }

    /// Lists the pairs of particles that are not where lists expect them, by the ways that they really go, unless they
    /// are listed already.
    /// `drift`, m, is by how much all others are off together. Returns whether islands came together.
    pub(super) fn list_strays(
        &mut self,
        previous: &[Particle<T>],
        now: &[Particle<T>],
        drift: f64,
        team: Team<'_>,
    ) -> bool {
        // A vertex of a skin moves with others.
        let all = !self.skins.is_empty() || !self.listed.are_beside(self.islands.frames());
        if all {
            self.listed.begin(self.islands.frames());
            self.stray_pairs.clear();
        }
        let new = self.listed.take_new(&self.strays);
        if new.particles.is_empty() {
            return false;
        }
        // Those of a stray with one that strayed later are among them.
        self.stray_pairs.forget(new.flags);
        // Both sides of a pair may spread.
        let spread = self.skins.spreads().iter().fold(0.0, |most, spread| spread.to_f64().max(most));
        let slack = 2.0 * (drift + spread);
        let own = self.fallback.own();
        // Those that are cut back stop on their way from where they are cut back to. Where each goes there by
        // itself, that is a way of its own, which comes first.
        let legs: &[Leg] = if own.is_some() { &[Leg::Back, Leg::Forth] } else { &[Leg::Whole] };
        for leg in legs {
            let Self { at, by, is_stray, .. } = self;
            let is_stray = &*is_stray;
            let ways = at.chunks_mut(PIECE).zip(by.chunks_mut(PIECE)).zip((0..).step_by(PIECE));
            team.for_each(ways, |((at, by), first)| {
                for ((at, by), i) in at.iter_mut().zip(by).zip(first..) {
                    let (from, to) = (previous[i].x, now[i].x);
                    // The others go their whole way first.
                    let stops = own.filter(|_| is_stray[i]).map_or(to, |own| own[i].x);
                    let (begin, end) = if *leg == Leg::Forth { (stops, to) } else { (from, stops) };
                    (*at, *by) = (begin, end - begin);
                }
            });
            let (times, halts) = match leg {
                Leg::Whole => ([0, 1], Some(self.islands.frames())),
                Leg::Back => ([0, 1], None),
                Leg::Forth => ([1, 1], Some(self.fallback.still())),
            };
            let since = self.paths.since(times);
            // What has not strayed may lag behind in the end.
            let lag = if *leg == Leg::Forth { self.largest_allowance } else { 0.0 };
            let rules = rules!(self, &self.net_radii, slack + lag, 1, [1.0, 0.0]);
            let expected =
                Expected { positions: &self.at, steps: &self.by, rest: None, halts, may_turn: true };
            self.tally.detections[2] += 1;
            if self.detector.update(&self.surface, &expected, &rules, &since, new, team).is_err() {
                break;
            }
            for (elements, pairs) in Elements::lists(&self.detector) {
                let pairs = pairs.iter().filter(|pair| !self.tangle.releases(elements, &pair.points));
                self.stray_pairs.extend(pairs.map(|pair| (elements, *pair)));
            }
        }
        let Self { stray_pairs, surface, islands, .. } = self;
        stray_pairs.found().iter().fold(false, |joined, (_, pair)| {
            let [a, b] = [pair.points[0], pair.points[3]].map(|v| surface.body_at(v));
            islands.join(a, b) || joined
        })
    }
}

//! When pairs are listed, and whose: all, those of particles that strayed, and those for the net.

use pliant_contact::{NearPair, Paths as Expected, Rules, Strays};
use pliant_kernel::{Particle, Scalar, Team};

use super::{CollisionSet, EDGE_SHARE};
use crate::collide::candidates::Listed;
use crate::collide::elements::Elements;
use crate::set::constraint_set::Begin;

/// What a detector is to list.
macro_rules! rules {
    ($set:ident, $radii:expr, $slack:expr, $horizon:expr, $share:expr) => {
        Rules {
            radii: $radii,
            slack: $slack,
            horizon: $horizon,
            edge_share: $share,
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

impl<T: Scalar> CollisionSet<T> {
    /// Lists the pairs that may come near in the substeps that follow.
    pub(super) fn detect(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        self.paths.start(&self.surface, substep.previous, substep.now);
        for &v in self.surface.vertices() {
            self.held[v as usize] = substep.now[v as usize].w <= T::zero();
            self.is_stray[v as usize] = false;
        }
        self.candidates.clear();
        self.islands.part();
        self.tally.detections[0] += 1;
        self.find_pairs(Whose::All, team);
        self.paths.learn(self.candidates.pairs.iter().map(|pair| [pair.points[0], pair.points[3]]));
    }

    /// Gives what has strayed new paths, and lists its pairs again.
    pub(super) fn update(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        for &v in &self.strays {
            let (from, to) = (substep.previous[v as usize].x, substep.now[v as usize].x);
            self.paths.restart(v, &from, to - from);
        }
        self.candidates.drop_those_of(&self.strays, &self.is_stray, team);
        self.tally.detections[1] += 1;
        self.find_pairs(Whose::Strays, team);
        for &v in &self.strays {
            self.is_stray[v as usize] = false;
        }
    }

    /// Has the detector find pairs by the paths, and takes them up.
    fn find_pairs(&mut self, whose: Whose, team: Team<'_>) {
        self.paths.expect(self.surface.vertices(), &mut self.at);
        let expected = Expected {
            positions: &self.at,
            steps: self.paths.steps(),
            frame: self.paths.frame(),
            rest: Some(&self.rest),
            halts: None,
        };
        let rules = rules!(self, &self.radii, self.paths.slack(), self.paths.horizon(), EDGE_SHARE);
        let (surface, detector) = (&self.surface, &mut self.detector);
        let found = match whose {
            Whose::All => detector.detect_on(surface, &expected, &rules, team),
            Whose::Strays => {
                let moved = self.paths.moved();
                let strays = Strays { particles: &self.strays, flags: &self.is_stray };
                detector.update(surface, &expected, &rules, &moved, strays, team)
            }
        };
        // What is not finite is found, and named, where velocities are derived.
        if found.is_ok() {
            self.list(whose, team);
        }
    }

    /// Takes the pairs of the detector up among the candidates.
    fn list(&mut self, whose: Whose, team: Team<'_>) {
        let Self { surface, detector, candidates, tangle, islands, laws, paths, .. } = self;
        for (elements, pairs) in Elements::lists(detector) {
            let laws = matches!(whose, Whose::All).then_some(&mut *laws);
            let surface = &*surface;
            let wanted = |pair: &NearPair<T>| {
                let is_wanted = !tangle.releases(elements, &pair.points);
                if is_wanted {
                    islands.join(surface.body_at(pair.points[0]), surface.body_at(pair.points[3]));
                }
                is_wanted
            };
            let listed = Listed { elements, pairs, age: paths.age(), surface };
            candidates.add(&listed, wanted, laws, team);
        }
    }

    /// Lists the pairs of particles that are not where lists expect them, by the ways that they really go.
    /// `drift`, m, is by how much all others are off together. Returns whether islands came together.
    pub(super) fn list_strays(
        &mut self,
        previous: &[Particle<T>],
        now: &[Particle<T>],
        drift: f64,
        team: Team<'_>,
    ) -> bool {
        for &v in self.surface.vertices() {
            let v = v as usize;
            self.at[v] = previous[v].x;
            self.by[v] = now[v].x - previous[v].x;
        }
        let frame = self.paths.frame();
        // Those that are cut back stop on their way.
        let halts = Some(self.islands.frames());
        let expected = Expected { positions: &self.at, steps: &self.by, frame, rest: None, halts };
        // Both sides of a pair may spread.
        let spread = self.skins.spreads().iter().fold(0.0, |most, spread| spread.to_f64().max(most));
        let rules = rules!(self, &self.net_radii, 2.0 * (drift + spread), 1, 1.0);
        self.tally.detections[2] += 1;
        let moved = self.paths.moved();
        let strays = Strays { particles: &self.strays, flags: &self.is_stray };
        let found = self.detector.update(&self.surface, &expected, &rules, &moved, strays, team);
        self.stray_pairs.clear();
        let mut joined = false;
        if found.is_err() {
            return joined;
        }
        for (elements, pairs) in Elements::lists(&self.detector) {
            for pair in pairs.iter().filter(|pair| !self.tangle.releases(elements, &pair.points)) {
                let [a, b] = [pair.points[0], pair.points[3]].map(|v| self.surface.body_at(v));
                joined |= self.islands.join(a, b);
                self.stray_pairs.push((elements, *pair));
            }
        }
        joined
    }
}

//! What happens after the sweeps: pairs are held by the net until nothing has to move any more.

use pliant_contact::NearPair;
use pliant_kernel::{Particle, Scalar, Team, widen};

use super::CollisionSet;
use crate::collide::aside::Aside;
use crate::collide::candidates::Candidates;
use crate::collide::crowded::Crowded;
use crate::collide::elements::Elements;
use crate::collide::fallback::Fallback;
use crate::collide::idle::is_idle;
use crate::collide::net::{Cut, Swept};
use crate::collide::skin::Skins;

/// How often pairs are held again because particles were put behind planes. A push that passes through more
/// layers than that is taken for a pinch.
const ROUNDS: u32 = 8;
/// Where something is sewn, no particle is cut back by more than this share of the least thickness as long as it can be taken
/// along: a seam opens by what one side of it is cut back, and what moves fast loses its speed.
const FAR_BACK: f64 = 0.5;
/// How often pairs are looked for that are too near each other where particles are taken along to.
const PARTINGS: u32 = 5;

impl<T: Scalar> CollisionSet<T> {
    /// Cuts back what would cross. What is in the way of held particles goes aside in the first way that leaves all pairs
    /// room, or in that with the fewest pairs without; that comes first in the rest of the frame, and where no way did,
    /// the others are not tried in every substep.
    pub(super) fn cut_back(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        h: f64,
        team: Team<'_>,
    ) -> Cut {
        // By prediction all were where they are expected; the mean of all may be off since.
        let drift = self.paths.drift_to(self.surface.vertices(), now, self.simd, team);
        let (at_once, alone) = (self.habit.take(), self.vain.take());
        let mut best: Option<Cut> = None;
        let mut last = self.aside;
        for aside in self.aside.and_others() {
            if best.is_some() {
                now.copy_from_slice(&self.before);
            }
            let cut = self.draw_net((&mut *now, previous), h, drift, (aside, at_once), team);
            if !self.skins.is_empty() {
                return cut;
            }
            last = aside;
            if best.is_none() && !at_once && aside != Aside::Behind {
                self.habit.learn(self.fallback.own().is_none());
            }
            if best.is_none_or(|best| cut.pinched < best.pinched) {
                (best, self.aside) = (Some(cut), aside);
            }
            if alone || cut.pinched == 0 {
                break;
            }
        }
        if !alone {
            self.vain.learn(best.is_none_or(|best| best.pinched == 0));
        }
        if last != self.aside {
            now.copy_from_slice(&self.before);
            return self.draw_net((now, previous), h, drift, (self.aside, at_once), team);
        }
        best.unwrap_or_default()
    }

    /// The same in one of these ways; `at_once` if what can go along is not asked first whether it has to. Keeps where
    /// particles were before, unless no pair was without room.
    fn draw_net(
        &mut self,
        (now, previous): (&mut [Particle<T>], &[Particle<T>]),
        h: f64,
        drift: f64,
        (aside, at_once): (Aside, bool),
        team: Team<'_>,
    ) -> Cut {
        self.stray_pairs.clear();
        self.listed.clear();
        self.net.start();
        self.fallback.start();
        let mut cut = Cut::default();
        let may_go_along = aside != Aside::Behind && self.skins.is_empty();
        for round in 1..=ROUNDS {
            let vertices = self.surface.vertices();
            let to = (&mut self.is_stray[..], &mut self.strays);
            self.paths.mark(vertices, now, to, self.simd, team);
            if self.has_nothing_near() && self.fallback.own().is_none() {
                self.lag = 0.0;
                return cut;
            }
            self.look_where(previous, now, team);
            let at_once = round == 1 && may_go_along && at_once;
            let mut held = Cut::default();
            if at_once {
                self.look_who_is_crowded(previous, now, team);
            } else {
                held = self.hold_all(previous, now, drift, team);
            }
            if at_once || self.net.pushes() || held.pinched > 0 || self.opens_seams() {
                if round == 1 {
                    self.before.clear();
                    self.before.extend_from_slice(now);
                }
                if may_go_along && self.fallback.own().is_none() {
                    self.take_along(previous, now, aside == Aside::FarAlong, team);
                    held = self.hold_all(previous, now, drift, team);
                }
            }
            let (surface, skins) = (&self.surface, &self.skins);
            let (from, frames) = self.fallback.base(previous, self.islands.frames());
            let frame = |v| frames[skins.body(surface, v) as usize];
            let put = self.net.draw(from, now, (frame, skins), h, &mut held);
            if !skins.is_empty() {
                skins.follow(now, team);
            }
            // What was cut back is where its pairs allow for; what was put elsewhere is not.
            self.listed.forget(self.net.put());
            cut.go_on(&held);
            if put.is_none() {
                break;
            }
            if round == ROUNDS {
                cut.pinched += 1;
                cut.first_pinched = cut.first_pinched.or(put);
            }
        }
        cut
    }

    /// Whether no pair is listed, and none has to be.
    fn has_nothing_near(&self) -> bool {
        self.candidates.is_empty() && self.strays.is_empty() && self.skins.is_empty()
    }

    /// Enters what the net did in the account of the frame.
    pub(super) fn enter(&mut self, cut: &Cut) {
        let tally = &mut self.tally;
        tally.truncated = tally.truncated.max(cut.truncated);
        tally.truncated_share += cut.truncated as f64 / self.surface.vertices().len().max(1) as f64;
        tally.frozen += cut.frozen;
        tally.pinched += cut.pinched;
        self.first_pinched = self.first_pinched.or(cut.first_pinched);
        tally.momentum += cut.momentum;
        tally.energy += cut.energy;
    }

    /// Moves the particles of these tetrahedra half of their way back towards the start of the substep, as it moves with
    /// their island. A start that nothing crosses and an end that the net has cut are on the right side of every
    /// plane, and so is all between them. Returns whether any moved.
    pub(super) fn go_half(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        tets: &[[u32; 4]],
        h: f64,
    ) -> bool {
        if !self.islands.are_known() {
            self.islands.look(&self.surface, previous, now, Team::alone());
        }
        let Self { surface, islands, fallback, back, .. } = self;
        back.clear();
        for tet in tets {
            if let Some(body) = tet.iter().find_map(|&v| surface.body_of(v)) {
                back.extend(tet.map(|v| (v, body)));
            }
        }
        back.retain(|&(v, _)| now[v as usize].w > T::zero());
        back.sort_unstable();
        back.dedup_by_key(|&mut (v, _)| v);
        let mut cut = Cut { truncated: back.len(), ..Cut::default() };
        for &(v, body) in &*back {
            let p = &mut now[v as usize];
            // Particles inside of solids go with the island.
            let own = fallback.own().filter(|_| surface.body_of(v).is_some());
            let with_island = || widen(&previous[v as usize].x) + widen(&islands.frame(body));
            let start = own.map_or_else(with_island, |own| widen(&own[v as usize].x));
            let way = widen(&p.x) - start;
            let kept = way * 0.5;
            p.x = pliant_constraints::splat_vector(&(start + kept));
            cut.take(1.0 / p.w.to_f64(), &way, &kept, h);
        }
        let any = !back.is_empty();
        self.enter(&cut);
        any
    }

    /// Finds how islands move, and how far vertices of skins spread beside them: that decides what is listed.
    fn look_where(&mut self, previous: &[Particle<T>], now: &[Particle<T>], team: Team<'_>) {
        self.islands.look(&self.surface, previous, now, team);
        if !self.skins.is_empty() {
            self.look_how_far(previous, now, team);
        }
    }

    /// Holds all pairs until no particle is where lists do not expect it.
    fn hold_all(&mut self, previous: &[Particle<T>], now: &[Particle<T>], drift: f64, team: Team<'_>) -> Cut {
        let (mut new, mut parted) = (!self.strays.is_empty(), 0);
        // Which listed pairs are crowded does not depend on strays, unless these bring islands together.
        let mut is_known = false;
        let mut cut = Cut::default();
        loop {
            if !std::mem::replace(&mut is_known, true) {
                self.look_who_is_crowded(previous, now, team);
                self.stray_pairs.hold_anew();
            }
            if self.fallback.own().is_some() && parted < PARTINGS && self.part(previous, now) {
                (parted, new, is_known) = (parted + 1, !self.strays.is_empty(), false);
                continue;
            }
            self.hold(previous, now, &mut cut);
            // Those that have strayed are listed together with the first that what is listed already cuts back too far:
            // that saves a list.
            new |= self.mark_laggards(previous, now);
            if !new {
                return cut;
            }
            // Islands that come together have one frame: strays are listed, and all is held, again.
            while std::mem::take(&mut new) {
                new = self.list_strays(previous, now, drift, team);
                if new {
                    self.look_where(previous, now, team);
                    is_known = false;
                }
            }
        }
    }

    /// Holds the listed pairs that use up their room, and those of strays: all of them anew, or what is not held yet as well.
    fn hold(&mut self, previous: &[Particle<T>], now: &[Particle<T>], cut: &mut Cut) {
        let Self { surface, skins, islands, fallback, candidates, net, .. } = self;
        let (from, frames) = fallback.base(previous, islands.frames());
        let swept = Swept { previous: from, now, least: self.least, skins };
        let is_own = fallback.own().is_some();
        let (strays, holds_others) = self.stray_pairs.take();
        let listed = if holds_others { &[] } else { &self.crowded[..] };
        if !holds_others {
            net.clear();
            *cut = Cut::default();
        }
        for pair in crowded_pairs(listed, candidates, strays) {
            if is_own && !fallback.carries(pair, previous, self.least) {
                net.give_up(pair, &swept, cut);
                continue;
            }
            let frame = frames[surface.body_at(pair.1.points[0]) as usize];
            net.hold(pair, &swept, &frame, cut);
        }
    }

    /// Finds how far particles get beside what they are cut back to, and the listed pairs that use up their room.
    fn look_who_is_crowded(&mut self, previous: &[Particle<T>], now: &[Particle<T>], team: Team<'_>) {
        self.look_how_far(previous, now, team);
        let (from, frames) = self.fallback.base(previous, self.islands.frames());
        let start = self.fallback.own().map(|_| previous);
        let (spreads, least) = (self.skins.spreads(), T::splat(self.least));
        let search = Crowded { previous: from, now, start, frames, reach: &self.reach, spreads, least };
        search.run_on(&self.candidates, &mut self.crowded, self.simd, team);
    }

    /// Has every particle go by itself where it is cut back to, along with what is held and what touches it, and `far`
    /// from that as well.
    fn take_along(&mut self, previous: &[Particle<T>], now: &[Particle<T>], far: bool, team: Team<'_>) {
        let mut fallback = std::mem::replace(&mut self.fallback, Fallback::new(0, 0));
        self.for_each(&mut |_, item| {
            if !is_idle(item.rest()) {
                fallback.link(item.stencil(), item.rest().weights, previous);
            }
        });
        for (elements, pair) in crowded_pairs(&self.crowded, &self.candidates, self.stray_pairs.all()) {
            let x = pair.points.map(|v| widen(&previous[v as usize].x));
            fallback.link(pair.points, elements.closest(&x).weights.map(T::splat), previous);
        }
        fallback.find(&self.surface, self.paths.around(), (previous, now), far, team);
        self.fallback = fallback;
        // They were listed beside islands.
        self.listed.clear();
        self.stray_pairs.clear();
    }

    /// Parts the pairs that would be too near each other where they are cut back to. Returns whether there were any.
    fn part(&mut self, previous: &[Particle<T>], now: &[Particle<T>]) -> bool {
        let Self { fallback, candidates, least, .. } = self;
        let pairs = || crowded_pairs(&self.crowded, candidates, self.stray_pairs.all());
        fallback.part_all(pairs, (previous, now), *least);
        // Those that have strayed are listed by where they go now.
        fallback.take_parted(|particles| self.listed.forget(particles))
    }

    /// Marks the particles that are cut back by more than lists allow for; says whether there are new ones. Notes by how much
    /// the farthest is cut back.
    fn mark_laggards(&mut self, previous: &[Particle<T>], now: &[Particle<T>]) -> bool {
        let mut any = false;
        let mut most = 0.0_f64;
        let Self { surface, skins, net, .. } = self;
        let (from, frames) = self.fallback.base(previous, self.islands.frames());
        for &v in net.touched() {
            let frame = frames[skins.body(surface, v) as usize];
            let way = |v: u32| now[v as usize].x - from[v as usize].x - frame;
            let own = surface.body_of(v).map(|_| (v, (1.0 - net.share(v)) * widen(&way(v)).norm()));
            let lag = |&point| Some((point, Skins::lag(skins.of(point)?, |v| net.share(v), way)));
            for (point, lag) in own.into_iter().chain(skins.carried_by(v).iter().filter_map(lag)) {
                most = most.max(lag);
                if lag > f64::from(self.allowances[point as usize]) && !self.is_stray[point as usize] {
                    self.is_stray[point as usize] = true;
                    self.strays.push(point);
                    any = true;
                }
            }
        }
        self.lag = most;
        any
    }

    /// Whether seams may open by what particles are cut back.
    fn opens_seams(&self) -> bool {
        !self.ties.is_empty() && self.lag > FAR_BACK * self.thickness
    }
}

/// The listed pairs that use up their room, and those of strays.
fn crowded_pairs<'a, T: Scalar>(
    crowded: &'a [Vec<(Elements, u32)>],
    candidates: &'a Candidates<T>,
    strays: &'a [(Elements, NearPair<T>)],
) -> impl Iterator<Item = (Elements, &'a NearPair<T>)> {
    let listed = crowded.iter().flatten();
    let listed = listed.map(|&(elements, place)| (elements, &candidates.pairs[place as usize]));
    listed.chain(strays.iter().map(|(elements, pair)| (*elements, pair)))
}

//! [`CollisionSet`]: contact between surfaces as a constraint set.

mod hold;
mod inspect;
mod listing;
mod recall;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use nalgebra::Vector3;
use pliant_constraints::FrictionalContact;
use pliant_contact::{CrossingCounter, Detector, Mask, NearPair, Surface, Ties};
use pliant_kernel::{DynamicPacks, Particle, Particles, Scalar, Simd, State, Summary, Sweep, Team, Visit};

use super::allowance::allowances;
use super::aside::{Aside, Habit};
use super::candidates::{Candidates, Rows};
use super::carried::CarriedRows;
use super::collider::Collider;
use super::elements::Elements;
use super::fallback::Fallback;
use super::fineness::room_beside_neighbours;
use super::history::History;
use super::impact::Impact;
use super::islands::Islands;
use super::law::Laws;
use super::memory::{Memory, Remembered};
use super::narrow::{Found, Narrow, remembered};
use super::net::Net;
use super::paths::{LONGEST, Paths};
use super::patience::Patience;
use super::reach::{Beside, Reach};
use super::skin::{Carried, Skins};
use super::stray_pairs::StrayPairs;
use super::strays::ListedStrays;
use super::tally::Tally;
use super::tangle::Tangle;
use crate::build::typed::PlanContext;
use crate::set::constraint_set::{Begin, ConstraintSet};

/// Edges keep this share of the distance that vertices and triangles do. Two flat layers at distance d have
/// some five pairs of edges at that distance for every edge: with less they sleep, and vertices hold the
/// layers.
const EDGE_SHARE: f64 = 0.8;
/// How much nearer than that edges may come unlisted, as a share of it, where particles stray from paths that are slow: edges of
/// layers that lie on each other are farther apart, and need no list.
const EDGE_LEEWAY: f64 = 0.625;
/// The share of the distance that the net never gives up.
pub(super) const LEAST: f64 = 0.03;

/// From this share of moved triangles on a detection of all is cheaper than one of what has strayed.
const MOVED: f64 = 0.3;

/// How far what crosses is driven apart in a substep, as a share of the least thickness.
const UNTANGLE: f64 = 0.5;

/// Surfaces that meet, at work.
pub(super) struct CollisionSet<T: Scalar> {
    surface: Surface,
    colliders: Vec<Collider>,
    radii: Vec<f64>,
    masks: Vec<Mask>,
    ties: Ties,
    rest: Vec<Vector3<T>>,
    /// The least distance of two surfaces that meet, m, and what the net never gives up of it.
    thickness: f64,
    least: f64,
    skins: Skins<T>,
    paths: Paths<T>,
    islands: Islands<T>,
    fallback: Fallback<T>,
    detector: Detector<T>,
    candidates: Candidates<T>,
    reach: Reach<T>,
    patience: Patience,
    /// What is near, by pieces of the lists of packs.
    found: Vec<Found<T>>,
    /// Contacts that have no place among those of the candidates, those of skins, and the number of all.
    late: Rows<T>,
    carried: CarriedRows<T>,
    contacts: usize,
    laws: Laws<T>,
    memory: Memory<T>,
    /// What gives velocity back.
    impacts: Vec<Impact>,
    net: Net,
    net_radii: Vec<f64>,
    /// How far every particle may be cut back before its pairs are listed again, m.
    allowances: Vec<f32>,
    largest_allowance: f64,
    /// How far the net last cut a particle back at most, m.
    lag: f64,
    crowded: Vec<Vec<(Elements, u32)>>,
    /// Particles that are not where lists expect them, as flags and as a list.
    is_stray: Vec<bool>,
    strays: Vec<u32>,
    stray_pairs: StrayPairs<T>,
    listed: ListedStrays<T>,
    tangle: Tangle,
    held: Vec<bool>,
    /// Where particles were before the net was drawn, where it may be drawn again; and what becomes of what is in the way
    /// at first, as it was best in this frame.
    before: Vec<Particle<T>>,
    aside: Aside,
    habit: Habit,
    /// The same where no way left all pairs room, and the best one is gone again.
    vain: Habit,
    /// Particles that are taken back, and a body of each.
    back: Vec<(u32, u32)>,
    /// Positions and displacements as the detector takes them.
    at: Vec<Vector3<T>>,
    by: Vec<Vector3<T>>,
    tally: Tally,
    /// How the lists came about that belong to a state that was restored, until they are made again.
    recalled: Option<Arc<History<T>>>,
    /// The first pair of this frame that had no room.
    first_pinched: Option<(Elements, [u32; 4])>,
    substeps: usize,
    counter: Mutex<CrossingCounter>,
    simd: Simd,
    to_caller: Vec<u32>,
}

impl<T: Scalar> CollisionSet<T> {
    pub(super) fn new(
        (surface, skins): (Surface, Vec<Carried>),
        colliders: Vec<Collider>,
        laws: Laws<T>,
        rest: Vec<Vector3<T>>,
        ties: Ties,
        context: &PlanContext<'_>,
    ) -> Self {
        let particles = surface.particles();
        let skins = Skins::new(particles - skins.len(), skins, &surface);
        let radii: Vec<f64> = colliders.iter().map(|body| body.radius).collect();
        let masks: Vec<_> = colliders.iter().map(Collider::mask).collect();
        let room = room_beside_neighbours(&surface, (&radii, &masks), &rest);
        let thickness = 2.0 * radii.iter().copied().fold(f64::INFINITY, f64::min);
        let least = LEAST * thickness;
        let usual = ((1.0 - EDGE_LEEWAY) * EDGE_SHARE * thickness, least);
        let compliance = (!laws.give_way()).then(T::zero);
        let rows = || DynamicPacks::new(compliance, context.spare, context.total);
        let mut to_caller: Vec<u32> = (0..).take(particles).collect();
        if let Some(map) = context.to_internal {
            for (caller, &internal) in (0..).zip(map) {
                to_caller[internal as usize] = caller;
            }
        }
        let allowances =
            allowances(&surface, (&radii, &masks), &rest, (EDGE_SHARE, EDGE_LEEWAY), usual, context.simd);
        Self {
            largest_allowance: allowances.iter().copied().fold(0.0, f32::max).into(),
            islands: Islands::new(colliders.len()),
            lag: 0.0,
            fallback: Fallback::new(particles, colliders.len()),
            paths: Paths::new(&surface, thickness, room),
            detector: Detector::new(context.simd),
            candidates: Candidates::new(skins.first(), rows),
            reach: Reach::new(particles),
            patience: Patience::new(),
            found: Vec::new(),
            late: rows(),
            carried: CarriedRows::new(),
            contacts: 0,
            laws,
            memory: Memory::default(),
            impacts: Vec::new(),
            net: Net::new(particles),
            net_radii: vec![0.5 * least; colliders.len()],
            crowded: Vec::new(),
            is_stray: vec![false; particles],
            strays: Vec::new(),
            stray_pairs: StrayPairs::new(),
            listed: ListedStrays::new(particles),
            tangle: Tangle::default(),
            held: vec![false; particles],
            before: Vec::new(),
            aside: Aside::Along,
            habit: Habit::default(),
            vain: Habit::default(),
            back: Vec::new(),
            at: vec![Vector3::zeros(); particles],
            by: vec![Vector3::zeros(); particles],
            tally: Tally::default(),
            recalled: None,
            first_pinched: None,
            substeps: 0,
            counter: Mutex::default(),
            simd: context.simd,
            skins,
            to_caller,
            allowances,
            least,
            surface,
            colliders,
            radii,
            masks,
            ties,
            rest,
            thickness,
        }
    }

    /// Finds how far particles get beside their paths, where they end as predicted.
    fn look_ahead(&mut self, previous: &[Particle<T>], now: &[Particle<T>], team: Team<'_>) {
        if !self.candidates.is_empty() {
            let (frames, ends) = (self.islands.frames(), (previous, now));
            self.reach.look(&self.surface, &self.paths, (frames, Beside::Paths), ends, (self.simd, team));
        }
    }

    /// Finds how far particles get beside what they may be cut back to.
    fn look_how_far(&mut self, previous: &[Particle<T>], now: &[Particle<T>], team: Team<'_>) {
        let (frames, beside) = (self.islands.frames(), Beside::Islands(self.fallback.own()));
        if !self.candidates.is_empty() || !self.skins.is_empty() {
            let ends = (previous, now);
            self.reach.look(&self.surface, &self.paths, (frames, beside), ends, (self.simd, team));
            self.skins.spread(&self.surface, ends, frames, &mut self.reach);
        }
    }

    /// The lists of contacts, in the order of their projection.
    fn rows(&self) -> [&Rows<T>; 3] {
        let [first, second] = &self.candidates.slots;
        [&first.rows, &second.rows, &self.late]
    }

    /// Calls `visit` with all contacts, also those that are idle.
    fn for_each(&self, visit: &mut Visit<'_, T, FrictionalContact<f64>, 4, 3>) {
        for rows in self.rows() {
            rows.for_each(visit);
        }
        self.carried.for_each(visit);
    }

    /// Calls `visit` with the contacts that press.
    fn for_each_that_presses(&self, visit: &mut Visit<'_, T, FrictionalContact<f64>, 4, 3>) {
        for rows in self.rows() {
            rows.for_each_that_pulls(visit);
        }
        self.carried.for_each(visit);
    }

    /// Adds the contacts that have no places to what is remembered.
    fn hand_over_to(&self, memory: &mut Memory<T>) {
        self.late.for_each(&mut |_, item| memory.push(item.stencil(), item.rest()));
        self.carried.for_each(&mut |_, item| memory.push(item.stencil(), item.rest()));
    }

    /// How far a pair has slid since it stuck, `most` m at most, if it had a contact in the substep before. Across this normal.
    fn slip(&self, points: &[u32; 4], normal: &Vector3<T>, most: T, previous: &[Particle<T>]) -> Vector3<T> {
        let slip = |before: &FrictionalContact<T>| {
            before.slip_left(&points.map(|v| previous[v as usize].x), normal, most)
        };
        self.memory.of(points).map_or_else(Vector3::zeros, slip)
    }

    /// Adds a contact that has no place.
    fn put(&mut self, points: [u32; 4], contact: FrictionalContact<T>, compliance: T) {
        if points.iter().all(|&v| v < self.skins.first()) {
            self.late.put(points, contact, compliance);
        } else {
            self.carried.put(points, contact, compliance, &self.skins);
        }
    }

    /// Finds the contacts of a substep, whose lists have the vertices of skins behind the particles.
    fn start(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        let (previous, now) = (substep.previous, substep.now);
        if substep.first {
            self.tally = Tally::default();
            self.first_pinched = None;
            self.substeps = 0;
            (self.aside, self.habit, self.vain) = (Aside::Along, Habit::default(), Habit::default());
            self.begin_frame(substep, team);
            // Only what crosses already may cross, unless something was pinched: then it is looked for.
            if self.tangle.is_open() {
                let found = self.crossings(previous);
                self.tangle.set(&self.surface, &found);
            }
        }
        self.substeps += 1;
        self.fallback.start();
        let mut memory = std::mem::take(&mut self.memory);
        self.hand_over_to(&mut memory);
        self.memory = memory;
        // What moved last is not known where a state was restored, until it is listed again.
        let has_moved = !substep.first && self.detector.moved_share() > MOVED
            || self.paths.given().0 > self.surface.vertices().len();
        if self.paths.course().is_over() || has_moved {
            self.detect(substep, team);
        } else {
            let vertices = self.surface.vertices();
            self.paths.drift_to(vertices, now, self.simd, team);
            let to = (&mut self.is_stray[..], &mut self.strays);
            self.paths.mark(vertices, now, to, self.simd, team);
            if self.strays.len() as f64 > MOVED * vertices.len() as f64 {
                self.detect(substep, team);
            } else {
                if !self.strays.is_empty() {
                    self.update(substep, team);
                }
                self.memory.sort(self.surface.particles());
            }
        }
        if self.candidates.is_empty() && self.skins.is_empty() {
            self.islands.leave_unknown();
        } else {
            self.islands.look(&self.surface, previous, now, team);
        }
        if self.patience.ends(self.candidates.packs_of_others()) {
            self.candidates.measure(previous, self.paths.age(), self.simd, team);
            self.reach.refer(&self.surface, &self.paths, previous);
        }
        self.look_ahead(previous, now, team);
        let search = Narrow {
            previous,
            now,
            reach: &self.reach,
            h: T::splat(substep.h),
            bounces: self.laws.bounce(),
            gives_way: self.laws.give_way(),
        };
        search.run_on(&mut self.candidates, &mut self.found, self.simd, team);
        self.patience.note(self.found.iter().map(|found| found.looked).sum());
        self.late.clear();
        self.carried.clear();
        self.impacts.clear();
        let found = std::mem::take(&mut self.found);
        for near in found.iter().flat_map(|found| &found.near) {
            let NearPair { points, keep, .. } = self.candidates.pairs[near.pair as usize];
            let [a, b] = [points[0], points[3]].map(|v| self.surface.body_at(v));
            let law = self.laws.between(a, b);
            if law.restitution > T::zero() && near.impact > T::zero() {
                let stencil = self.skins.stencil(&points, &near.weights.map(T::to_f64));
                self.impacts.push(Impact::new(stencil, near, law.restitution, substep.h));
            }
            if near.slotted {
                continue;
            }
            let contact = FrictionalContact {
                normal: near.normal,
                weights: near.weights,
                // What gives way needs no easing, which would take its force away.
                distance: if law.compliance > T::zero() { keep } else { near.distance },
                friction: law.friction,
                slip: self.slip(&points, &near.normal, remembered(keep, T::splat(substep.h)), previous),
            };
            self.put(points, contact, law.compliance);
        }
        self.found = found;
        let step = UNTANGLE * self.thickness;
        let tangle = std::mem::take(&mut self.tangle);
        for knot in tangle.knots() {
            knot.drive(previous, step, |points, contact| self.put(points, contact, T::zero()));
        }
        self.tangle = tangle;
        self.memory.clear();
        self.late.plan();
        self.contacts = self.late.len()
            + self.carried.len()
            + self.found.iter().map(|found| found.written).sum::<usize>();
        self.tally.contacts = self.tally.contacts.max(self.contacts);
    }
}

impl<T: Scalar> ConstraintSet<T> for CollisionSet<T> {
    fn is_dynamic(&self) -> bool {
        true
    }

    fn begin(&mut self, substep: &Begin<'_, T>, team: Team<'_>) {
        if self.skins.is_empty() {
            return self.start(substep, team);
        }
        let mut ends = self.skins.take();
        for (end, particles) in ends.iter_mut().zip([substep.previous, substep.now]) {
            self.skins.extend(particles, end, team);
        }
        self.start(&Begin { previous: &ends[0], now: &ends[1], ..*substep }, team);
        self.skins.give_back(ends);
    }

    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        let [first, second] = &mut self.candidates.slots;
        let mut lists = [&mut first.rows, &mut second.rows, &mut self.late];
        if sweep.backward {
            lists.reverse();
        }
        if sweep.backward {
            self.carried.sweep(particles, &sweep);
        }
        for rows in lists {
            rows.sweep(particles, previous, sweep, team);
        }
        if !sweep.backward {
            self.carried.sweep(particles, &sweep);
        }
    }

    fn has_last_word(&self) -> bool {
        true
    }

    fn conclude(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        h: f64,
        team: Team<'_>,
    ) -> bool {
        let cut = if self.skins.is_empty() {
            self.cut_back(now, previous, h, team)
        } else {
            let mut ends = self.skins.take();
            self.skins.extend(previous, &mut ends[0], team);
            self.skins.extend(now, &mut ends[1], team);
            let [before, after] = &mut ends;
            let cut = self.cut_back(after, before, h, team);
            let particles = self.skins.first() as usize;
            now[..particles].copy_from_slice(&after[..particles]);
            self.skins.give_back(ends);
            cut
        };
        self.paths.advance();
        if cut.pinched > 0 || cut.projected > 0 {
            self.tangle.open();
        }
        self.enter(&cut);
        cut.truncated > 0 || cut.projected > 0
    }

    fn take_back(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        tets: &[[u32; 4]],
        h: f64,
    ) -> bool {
        // A point of a skin is on its side of a plane by what all its corners do together.
        self.skins.is_empty() && self.go_half(now, previous, tets, h)
    }

    fn bounces(&self) -> bool {
        self.laws.bounce()
    }

    fn rebound(&mut self, particles: &mut Particles<T>, rest_speed: f64, h: f64) -> f64 {
        let Particles { now, previous, velocity, .. } = particles;
        let fast = self.impacts.iter().filter(|impact| impact.speed > rest_speed);
        fast.map(|impact| impact.give_back(velocity, now, previous, h)).sum()
    }

    fn replan(&mut self, _: &[Particle<T>], _: &[Range<usize>]) {
        self.paths.forget();
    }

    fn set_rest(&mut self, _: usize, _: &[f64]) {}

    fn evaluate(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        _: Simd,
        _: Team<'_>,
    ) -> Summary {
        let [now, previous] = [state.now, state.previous].map(|particles| self.skins.extended(particles));
        if let Some(impulses) = impulses {
            if self.skins.is_empty() {
                self.for_each_that_presses(&mut |_, item| item.add_impulses(&now, impulses));
            } else {
                let mut all = vec![Particle::new(Vector3::zeros(), T::zero()); now.len()];
                self.for_each_that_presses(&mut |_, item| item.add_impulses(&now, &mut all));
                self.skins.hand_down(&all, impulses);
            }
        }
        let mut summary = Summary::default();
        let state = State { count: state.count, now: &now, previous: &previous, ..*state };
        self.for_each(&mut |_, item| item.summarise(&state, &mut summary));
        summary
    }

    fn multipliers(&self) -> Vec<f64> {
        Vec::new()
    }

    fn set_multipliers(&mut self, _: &[f64]) {
        self.forget();
    }

    fn remembered(&self) -> Vec<Remembered<T>> {
        if !self.memory.is_empty() {
            // No substep has been made since they were set.
            return self.memory.contacts().to_vec();
        }
        let mut memory = Memory::default();
        self.for_each(&mut |_, item| memory.push(item.stencil(), item.rest()));
        memory.contacts().to_vec()
    }

    fn remember(&mut self, contacts: &[Remembered<T>]) {
        self.memory.set(contacts);
    }

    fn history(&self) -> Option<Arc<History<T>>> {
        self.recalled.clone().or_else(|| Some(Arc::new(self.tell())))
    }

    fn fits(&self, history: &History<T>) -> bool {
        let size = (self.surface.particles(), self.colliders.len());
        history.fits(size, LONGEST, self.thickness)
    }

    fn recall(&mut self, history: &Arc<History<T>>) {
        if history.lists.is_some() {
            self.tangle.close();
        }
        self.recalled = Some(Arc::clone(history));
    }

    fn forget(&mut self) {
        self.recalled = None;
        self.candidates.clear();
        self.memory.clear();
        self.late.clear();
        self.carried.clear();
        self.contacts = 0;
        self.paths.forget();
        self.tangle.open();
    }
}

//! [`Carry`]: the state of the bodies that stay, carried from one world to another.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use crate::describe::motion::{Motion, Samples};
use crate::level::RunningSet;
use crate::live::state::{Grabbed, Live};
use crate::observe::monitor::Monitor;
use crate::passes::kinematics::HeldPin;
use crate::world::World;

/// Two worlds, and which bodies of the new one are bodies of the old one.
pub(crate) struct Carry<'a, T: Scalar> {
    old: &'a World<T>,
    new: &'a mut World<T>,
    ids: Vec<u64>,
    /// For every body of the new world its number in the old one.
    from: Vec<Option<usize>>,
    /// For every particle of the old world its number in the new one; both are numbers of the simulations.
    particles: Vec<Option<u32>>,
}

impl<'a, T: Scalar> Carry<'a, T> {
    /// `ids` are the handles of the bodies of the new world.
    pub(crate) fn new(old: &'a World<T>, new: &'a mut World<T>, ids: Vec<u64>) -> Self {
        let from: Vec<_> =
            ids.iter().map(|id| old.live.bodies.iter().position(|known| known == id)).collect();
        let mut particles = vec![None; old.len()];
        for (part, from) in new.body_ranges.iter().zip(&from) {
            let Some(from) = from else { continue };
            for (there, here) in part.particles.clone().zip(old.body_ranges[*from].particles.clone()) {
                #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
                let there = new.internal(there) as u32;
                particles[old.internal(here)] = Some(there);
            }
        }
        Self { old, new, ids, from, particles }
    }

    /// Carries everything.
    pub(crate) fn all(mut self) {
        self.particles();
        let Self { old, new, ids, .. } = &mut self;
        (new.time, new.frame) = (old.time, old.frame);
        (new.last_h, new.last_substeps) = (old.last_h, old.last_substeps);
        let known = ids.iter().max().map_or(0, |last| last + 1);
        let next = old.live.next.max(known);
        // Compliances and obstacles are taken from the old world below.
        let Live { compliances, obstacles, .. } = new.live.clone();
        new.live =
            Live { next, bodies: ids.clone(), grab_set: None, compliances, obstacles, ..old.live.clone() };
        new.live.grabs.clear();
        new.live.forces = Arc::default();
        new.live.act();
        self.new.cues.clone_from(&self.old.cues);
        self.pins();
        self.forces();
        self.obstacles();
        self.groups();
        if let Some(seams) = &self.old.seams {
            // Bodies that are sewn stay, and so do their seams.
            self.new.take_closed(&seams.closed());
        }
        self.contacts();
        self.monitor();
        self.new.pin_version = self.old.pin_version + 1;
    }

    fn particles(&mut self) {
        let (old, new) = (&self.old.fine.particles, &mut self.new.fine.particles);
        for (here, there) in self.particles.iter().enumerate() {
            let Some(there) = there.map(|there| there as usize) else { continue };
            new.now[there].x = old.now[here].x;
            new.previous[there].x = old.previous[here].x;
            new.velocity[there] = old.velocity[here];
        }
    }

    /// Contacts of bodies that remain.
    fn contacts(&mut self) {
        // Points of skins, which are numbered behind the particles, forget.
        let there = |v: u32| self.particles.get(v as usize).copied().flatten();
        let remembered = self.old.fine.remembered().into_iter().filter_map(|contact| {
            let [a, b, c, d] = contact.points;
            Some(contact.of([there(a)?, there(b)?, there(c)?, there(d)?]))
        });
        let remembered: Vec<_> = remembered.collect();
        self.new.fine.remember(&remembered);
    }

    /// Pins of bodies keep their handles, motions, and whether they were released; others lose the particles
    /// that were removed.
    fn pins(&mut self) {
        let mut built = self.old.kinematics.pins.iter().filter(|pin| pin.built);
        // The pins of every body, in the order of the bodies.
        let of_bodies: Vec<Vec<&HeldPin>> = match &self.old.scene {
            Some(scene) => {
                scene.bodies.iter().map(|body| built.by_ref().take(body.pins.len()).collect()).collect()
            }
            None => Vec::new(),
        };
        let carried = self.from.iter().zip(self.new.scene.iter().flat_map(|scene| &scene.bodies));
        let before: Vec<Option<&HeldPin>> = carried
            .flat_map(|(from, body)| {
                let of_bodies = &of_bodies;
                (0..body.pins.len()).map(move |k| Some(of_bodies[(*from)?][k]))
            })
            .collect();
        for (pin, before) in self.new.kinematics.pins.iter_mut().zip(before) {
            match before {
                None => pin.id = self.new.live.take_number(),
                Some(old) => {
                    (pin.id, pin.released, pin.changed) = (old.id, old.released, old.changed);
                    (pin.motion, pin.goal) = (Arc::clone(&old.motion), old.goal.clone());
                    (pin.cue, pin.begun) = (old.cue.clone(), old.begun);
                    pin.shrink.clone_from(&old.shrink);
                }
            }
        }
        let added = self.old.kinematics.pins.iter().filter(|pin| !pin.built);
        let added: Vec<_> = added.filter_map(|pin| self.left_of(pin)).collect();
        self.new.kinematics.pins.extend(added);
        self.new.repin();
    }

    /// The rest of a pin that was added, if any of its particles remains.
    fn left_of(&self, pin: &HeldPin) -> Option<HeldPin> {
        let there = |i: usize| self.particles[pin.particles[i] as usize];
        let left: Vec<usize> = (0..pin.particles.len()).filter(|&i| there(i).is_some()).collect();
        let of = |list: &[Vector3<f64>]| -> Vec<Vector3<f64>> { left.iter().map(|&i| list[i]).collect() };
        let motion = match &*pin.motion {
            Motion::Samples(samples) => {
                let frames = samples.frames.iter().map(|frame| of(frame)).collect();
                Arc::new(Motion::Samples(Samples { frames, ..samples.clone() }))
            }
            _ => Arc::clone(&pin.motion),
        };
        (!left.is_empty()).then(|| HeldPin {
            particles: left.iter().filter_map(|&i| there(i)).collect(),
            rest: of(&pin.rest).into(),
            goal: pin.goal.as_deref().map(|goal| of(goal).into()),
            motion,
            ..pin.clone()
        })
    }

    fn forces(&mut self) {
        let there = |particle: u32| self.particles[particle as usize];
        let forces = self.old.live.forces.iter().filter_map(|(&v, force)| Some((there(v)?, *force)));
        let grabs = self.old.live.grabs.iter();
        let grabs = grabs.filter_map(|grab| Some(Grabbed { particle: there(grab.particle)?, ..*grab }));
        let (forces, grabs) = (forces.collect(), grabs.collect());
        self.new.live.forces = Arc::new(forces);
        self.new.regrab_here(grabs);
    }

    fn obstacles(&mut self) {
        self.new.replace_obstacles(self.old.live.obstacles.clone());
        self.new.contacts.set_poses(&self.old.contacts.poses());
    }

    /// Compliances of groups, by their names, and multipliers of the constraints on particles that remain.
    fn groups(&mut self) {
        let found = |old: usize, sets: &[RunningSet<T>]| {
            sets.iter().position(|running| running.name == self.old.fine.sets[old].name)
        };
        let resistances: BTreeMap<_, _> = self
            .old
            .live
            .compliances
            .iter()
            .filter_map(|(&old, &resistance)| Some((found(old, &self.new.fine.sets)?, resistance)))
            .collect();
        self.new.take_compliances(&resistances);
        for at in 0..self.new.fine.sets.len() {
            let name = &self.new.fine.sets[at].name;
            let Some(old) = self.old.fine.sets.iter().find(|running| running.name == *name) else { continue };
            let mut known = Self::constraints(self.old, old);
            let wanted = Self::constraints(self.new, &self.new.fine.sets[at]);
            let (from, mut multipliers) = (old.set.multipliers(), self.new.fine.sets[at].set.multipliers());
            let rows = from.len() / old.set.len().max(1);
            for (bodies, constraints) in wanted {
                let Some(known) = known.get_mut(&bodies) else { continue };
                for constraint in constraints {
                    let Some(old) = known.pop_front() else { break };
                    multipliers[rows * constraint..rows * (constraint + 1)]
                        .copy_from_slice(&from[rows * old..rows * (old + 1)]);
                }
            }
            self.new.fine.sets[at].set.set_multipliers(&multipliers);
        }
    }

    /// The constraints of a set on few points, by the bodies on which they act, in the order of the set.
    fn constraints(world: &World<T>, running: &RunningSet<T>) -> BTreeMap<Vec<u64>, VecDeque<usize>> {
        let mut all: BTreeMap<Vec<u64>, VecDeque<usize>> = BTreeMap::new();
        let mut count = 0;
        let is_known = running.set.for_each_element(&mut |stencil| {
            let body_of = |&v: &u32| {
                let v = world.caller(v as usize);
                let at = world.body_ranges.partition_point(|part| part.particles.end <= v);
                world.live.bodies[at]
            };
            all.entry(stencil.iter().map(body_of).collect()).or_default().push_back(count);
            count += 1;
        });
        if is_known { all } else { BTreeMap::new() }
    }

    fn monitor(&mut self) {
        let Some(monitor) = &self.old.monitor else { return };
        let mut touched = vec![false; self.new.len()];
        for (here, there) in self.particles.iter().enumerate() {
            if let Some(there) = there {
                touched[*there as usize] = monitor.touched[here];
            }
        }
        self.new.monitor = Some(Monitor::from_parts(Vec::new(), touched, monitor.work(), [true, false]));
    }
}

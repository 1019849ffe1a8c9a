//! Pins and obstacles move particles, and pins release them.

use std::sync::OnceLock;

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use super::World;
use crate::coarse::hierarchy::Hierarchy;
use crate::coarse::rigid::nodes_of;
use crate::describe::settings::Method;
use crate::error::BuildError;
use crate::level::{Level, RunningSet};
use crate::newton::system::System;
use crate::passes::kinematics::release_time;
use crate::set::seams::Seams;
use crate::set::tethers::Anchor;

impl<T: Scalar> World<T> {
    /// Moves pins, targets, tethers and obstacles to the end of the substep of length `h`, s, that ends at
    /// `end`, s. A pin is released at the start of the first substep that begins at or after its time.
    pub(crate) fn move_held(&mut self, end: f64, h: f64) {
        if let Some(monitor) = &mut self.monitor {
            monitor.begin();
        }
        if self.kinematics.release_due(release_time(end, h)) {
            self.repin();
        }
        self.kinematics.move_held(end, h, &mut self.fine.particles);
        self.move_grabs(end, h);
        for (set, constraint, target) in self.kinematics.moving_targets(end) {
            self.fine.sets[set].set.set_rest(constraint, target.as_slice());
        }
        if let Some(tethers) = &mut self.tethers {
            tethers.follow(&self.fine.particles, &mut self.fine.sets);
        }
        self.contacts.begin(end);
        self.guard.begin();
    }

    /// Gives the particles the weights that the pins leave them, and plans the constraints again.
    pub(crate) fn repin(&mut self) {
        self.kinematics.apply_weights(&mut self.fine.particles);
        for (i, running) in self.fine.sets.iter_mut().enumerate() {
            let mut let_go: Vec<_> = self.kinematics.released_targets(i).collect();
            let_go.extend(self.seams.iter().filter(|seams| seams.group == i).flat_map(Seams::open));
            running.set.replan(&self.fine.particles.now, &let_go);
        }
        self.tie_tethers();
        self.coarse.levels = None;
        self.coarse.planned = false;
        self.newton.system = None;
        // A system that was planned once can be planned again.
        let _ = self.take_up(self.method);
        self.pin_version += 1;
        self.tied = OnceLock::new();
        self.driven = OnceLock::new();
    }

    /// Uses a method from now on: builds what it needs for the particles that the pins leave free, unless it exists.
    pub(crate) fn take_up(&mut self, method: Method) -> Result<(), BuildError> {
        match method {
            Method::Coarse if !self.coarse.planned => self.plan_coarse_levels()?,
            Method::Newton if self.newton.system.is_none() => self.plan_newton()?,
            _ => {}
        }
        self.method = method;
        Ok(())
    }

    /// Whether Newton's method supports any of the constraints.
    pub(crate) fn can_solve_implicitly(&self) -> bool {
        let knows = |running: &RunningSet<T>| {
            running.has_energy && running.set.active() > 0 && running.set.for_each_element(&mut |_| {})
        };
        self.newton.is_asked_for() && self.fine.sets.iter().any(knows)
    }

    /// Whether coarse levels and Newton's method are among the methods to choose from. With rigid edges
    /// Newton's method is not: its few iterations take much more energy from their motion than sweeps do.
    pub(crate) fn methods_to_choose(&self) -> (bool, bool) {
        let coarse = self.coarse.is_asked_for();
        (coarse, !coarse && self.can_solve_implicitly())
    }

    /// Builds the coarse levels over the particles that the pins leave free.
    fn plan_coarse_levels(&mut self) -> Result<(), BuildError> {
        self.coarse.planned = true;
        if self.coarse.is_asked_for() {
            let internal = |v: u32| self.internal(v as usize) as u32;
            let (nodes, numbers) = nodes_of(&self.coarse.bodies, &self.fine.particles, internal);
            self.coarse.levels = Hierarchy::build(&nodes, |node| numbers[node as usize], self.simd())?;
        }
        Ok(())
    }

    /// Builds the system of an implicit step over the particles that the pins leave free.
    fn plan_newton(&mut self) -> Result<(), BuildError> {
        if self.newton.is_asked_for() {
            let Level { particles, sets } = &mut self.fine;
            let system = System::new(sets, particles, &self.newton.rest);
            self.newton.system = Some(system?);
        }
        Ok(())
    }

    /// Finds for every particle of a tethered body the pin that is nearest along the mesh.
    pub(crate) fn tie_tethers(&mut self) {
        let Some(mut tethers) = self.tethers.take() else { return };
        let mut held = vec![false; self.len()];
        for pin in self.kinematics.pins.iter().filter(|pin| !pin.released && pin.targets.is_none()) {
            for &particle in pin.particles.iter() {
                held[self.caller(particle as usize)] = true;
            }
        }
        let (mut untied, mut first) = (Vec::new(), 0);
        let mut tied: Vec<(usize, usize, f64)> = Vec::new();
        for body in &tethers.bodies {
            let start = body.first as usize;
            let sources: Vec<u32> = (0_u32..)
                .zip(&held[start..start + body.len()])
                .filter(|(_, h)| **h)
                .map(|(v, _)| v)
                .collect();
            let ways = body.ways(&sources);
            for v in 0..body.len() {
                match ways.source(v) {
                    Some(anchor) if !held[start + v] => {
                        let length = ways.distance(v) * (1.0 + body.slack);
                        tied.push((self.internal(start + anchor as usize), first + v, length));
                    }
                    _ => untied.push(first + v..first + v + 1),
                }
            }
            first += body.len();
        }
        tied.sort_unstable_by_key(|&(anchor, constraint, _)| (anchor, constraint));
        tethers.anchors = tied
            .chunk_by(|a, b| a.0 == b.0)
            .map(|chunk| Anchor {
                particle: chunk[0].0,
                // No place yet, so that the constraints are updated.
                at: Vector3::repeat(f64::NAN),
                tied: chunk.iter().map(|&(_, constraint, length)| (constraint, length)).collect(),
            })
            .collect();
        // Only constraints that are in the plan can get rest data.
        self.fine.sets[tethers.group].set.replan(&self.fine.particles.now, &[]);
        tethers.follow(&self.fine.particles, &mut self.fine.sets);
        self.fine.sets[tethers.group].set.replan(&self.fine.particles.now, &untied);
        self.tethers = Some(tethers);
    }
}

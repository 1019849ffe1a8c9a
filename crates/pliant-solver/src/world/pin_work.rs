//! The work of pins and targets that move.
//!
//! A pin that moves a particle by d within a substep does the work
//!
//! ```text
//! W = −(Σ ∇Cᵀλ)·d / h²
//! ```
//!
//! against the impulses of the constraints on it at the end of the substep. For a potential U ½ m v² changes by
//! F·Δx less ½ m |Δv|² over an implicit step, with the force at its end, and where U is convex it changes by
//! at most ∇U·Δx, pinned particles included; so with this W, and not with a mean over the substep, the
//! dissipated energy is never negative for convex potentials. A target and the anchor of a tether are points
//! without particles: the force on them is the reversed impulse of their constraint on its particle.

use nalgebra::Vector3;
use pliant_kernel::{Scalar, Team, widen};

use super::World;
use crate::observe::driven::Driven;

impl<T: Scalar> World<T> {
    /// Whether the work of pins is measured.
    pub(crate) fn measures_pins(&self) -> bool {
        self.monitor.is_some() && (self.kinematics.moves() || !self.live.grabs.is_empty())
    }

    /// The constraints on which the present pins do work.
    pub(crate) fn driven(&self) -> &Driven {
        self.driven.get_or_init(|| {
            let mut moved = vec![false; self.fine.particles.now.len()];
            for pin in self.kinematics.moving().filter(|pin| pin.targets.is_none()) {
                pin.particles.iter().for_each(|&v| moved[v as usize] = true);
            }
            let (mut pulled, mut is_known) = (Vec::new(), true);
            // Grab springs hold no pinned particles, and are added and removed at any time.
            let sets = self.fine.sets.iter().enumerate();
            for (i, running) in sets.filter(|(i, _)| Some(*i) != self.live.grab_set) {
                match running.set.touching(&|v| moved[v as usize]) {
                    Some(places) if places.is_empty() => {}
                    Some(places) => pulled.push((i, places)),
                    None => is_known = false,
                }
            }
            let all = |group: Option<usize>| {
                group.and_then(|i| self.fine.sets[i].set.touching(&|_| true)).unwrap_or_default()
            };
            let tethers = all(self.tethers.as_ref().map(|tethers| tethers.group));
            let mut soft: Vec<usize> =
                self.kinematics.moving().filter_map(|pin| Some(pin.targets?.group)).collect();
            soft.sort_unstable();
            soft.dedup();
            let targets = soft.into_iter().map(|group| (group, all(Some(group)))).collect();
            Driven { moved, pulled, targets, tethers, is_known }
        })
    }

    /// Work, J, of pins and targets in the substep of length `h`, s, that ends at `end`, s: call it while
    /// positions and multipliers are those of its end.
    pub(crate) fn pin_work(&self, end: f64, h: f64) -> f64 {
        if self.kinematics.moves() {
            self.work_of_pins(end, h) + self.grab_work(h)
        } else {
            self.grab_work(h)
        }
    }

    fn work_of_pins(&self, end: f64, h: f64) -> f64 {
        let driven = self.driven();
        let now = &self.fine.particles.now;
        let moved = |v: usize| widen(&now[v].x) - widen(&self.fine.particles.previous[v].x);
        let mut work = 0.0;
        for (group, places) in &driven.pulled {
            self.fine.sets[*group].set.impulses(places, now, &mut |_, v, impulse| {
                if driven.moved[v as usize] {
                    work -= impulse.dot(&moved(v as usize));
                }
            });
        }
        let mut follow = |group: usize, places: &[u32], by: &[Vector3<f64>]| {
            self.fine.sets[group].set.impulses(places, now, &mut |constraint, _, impulse| {
                work += impulse.dot(&by[constraint]);
            });
        };
        for (group, places) in &driven.targets {
            let mut by = vec![Vector3::zeros(); self.fine.sets[*group].set.len()];
            let at = |time| self.kinematics.moving_targets(time).filter(|(of, ..)| of == group);
            at(end).for_each(|(_, constraint, at)| by[constraint] += at);
            at(end - h).for_each(|(_, constraint, at)| by[constraint] -= at);
            follow(*group, places, &by);
        }
        if let Some(tethers) = &self.tethers {
            let mut by = vec![Vector3::zeros(); self.fine.sets[tethers.group].set.len()];
            for (constraint, anchor) in tethers.tied() {
                by[constraint] = moved(anchor);
            }
            follow(tethers.group, &driven.tethers, &by);
        }
        work / (h * h)
    }

    /// The part of [`pin_work`](World::pin_work), J, that is done on coarse levels. It visits all particles
    /// that these move.
    pub(crate) fn pin_work_on_coarse_levels(&mut self, h: f64) -> f64 {
        let previous = &self.fine.particles.previous;
        let impulse = self
            .coarse
            .levels
            .as_mut()
            .map_or(0.0, |levels| levels.impulse_along_pins(previous, Team::alone()));
        -impulse / (h * h)
    }
}

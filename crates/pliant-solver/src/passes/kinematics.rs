//! [`Kinematics`]: the pins of a running simulation.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::Particles;

use crate::describe::motion::Motion;
use crate::describe::shrink::Shrink;
use pliant_kernel::Scalar;

/// All pins, hard and soft, with their particles.
#[derive(Debug, Default)]
pub(crate) struct Kinematics {
    pub(crate) pins: Vec<HeldPin>,
}

/// A pin with its particles.
///
/// Large data are shared, because a snapshot has a copy of every pin.
#[derive(Debug, Clone)]
pub(crate) struct HeldPin {
    /// Number of its handle.
    pub(crate) id: u64,
    /// Whether the simulation was built with it.
    pub(crate) built: bool,
    pub(crate) particles: Arc<[u32]>,
    /// Positions at rest, m.
    pub(crate) rest: Arc<[Vector3<f64>]>,
    pub(crate) motion: Arc<Motion>,
    /// The cue with which the motion begins, if it waits for one.
    pub(crate) cue: Option<Arc<str>>,
    /// When that was given, s; infinite before.
    pub(crate) begun: f64,
    /// How the body that it holds grows.
    pub(crate) shrink: Option<Arc<Shrink>>,
    /// Whether the motion differs from the one it was built with.
    pub(crate) changed: bool,
    /// Where the next frame takes the particles, m.
    pub(crate) goal: Option<Arc<[Vector3<f64>]>>,
    pub(crate) release: Option<f64>,
    pub(crate) released: bool,
    /// For a soft pin: the constraints that pull its particles.
    pub(crate) targets: Option<Targets>,
}

/// Where the constraints of a soft pin are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Targets {
    /// Number of their group in the simulation.
    pub(crate) group: usize,
    /// The first of them in the group; they have the order of the particles.
    pub(crate) first: usize,
}

impl HeldPin {
    /// Whether the pin still holds and must be released by `time`, s.
    fn is_due(&self, time: f64) -> bool {
        !self.released && self.release.is_some_and(|release| time > release)
    }

    /// Whether it moves its particles.
    pub(crate) fn moves(&self) -> bool {
        !self.motion.is_fixed() || self.shrink.is_some()
    }

    /// Gives it a motion that begins with the simulation, in place of all that moved it.
    pub(crate) fn give(&mut self, motion: Motion) {
        (self.motion, self.changed) = (Arc::new(motion), true);
        (self.cue, self.shrink) = (None, None);
    }

    /// Its particles, and where they are at a time, s.
    pub(crate) fn places_at(&self, time: f64) -> impl Iterator<Item = (u32, Vector3<f64>)> + '_ {
        let clock = if self.cue.is_some() { (time - self.begun).max(0.0) } else { time };
        let placing = self.motion.at(clock);
        let rest = self.shrink.as_ref().map_or(&self.rest[..], |shrink| &shrink.rest);
        let place = move |i: usize| placing.point(i, &rest[i]);
        let growing = self.shrink.as_ref().filter(|shrink| shrink.is_on_at(time));
        let thin = growing.map(|shrink| shrink.places_at(time, (0..rest.len()).map(place).collect()));
        let places = self.particles.iter().enumerate();
        places.map(move |(i, &particle)| (particle, thin.as_ref().map_or_else(|| place(i), |thin| thin[i])))
    }
}

impl Kinematics {
    /// Releases the pins whose time of release is at most `time`, s, and returns whether there were any.
    pub(crate) fn release_due(&mut self, time: f64) -> bool {
        let mut any = false;
        for pin in &mut self.pins {
            if pin.is_due(time) {
                pin.released = true;
                any = true;
            }
        }
        any
    }

    /// The pins that hold and move their particles.
    pub(crate) fn moving(&self) -> impl Iterator<Item = &HeldPin> {
        self.pins.iter().filter(|pin| !pin.released && pin.moves())
    }

    /// Whether a pin moves its particles, or did before it was released.
    pub(crate) fn may_move(&self) -> bool {
        self.pins.iter().any(HeldPin::moves)
    }

    /// Whether a pin that holds moves its particles.
    pub(crate) fn moves(&self) -> bool {
        self.moving().next().is_some()
    }

    /// Whether [`release_due`](Self::release_due) would release a pin.
    pub(crate) fn will_release(&self, time: f64) -> bool {
        self.pins.iter().any(|pin| pin.is_due(time))
    }

    /// Gives every particle the inverse mass that its pins leave it.
    pub(crate) fn apply_weights<T: Scalar>(&self, particles: &mut Particles<T>) {
        for (p, w) in particles.now.iter_mut().zip(&particles.free_w) {
            p.w = *w;
        }
        for &i in self.hard().flat_map(|pin| pin.particles.iter()) {
            particles.now[i as usize].w = T::zero();
        }
    }

    /// The pins that hold their particles where they say.
    fn hard(&self) -> impl Iterator<Item = &HeldPin> {
        self.pins.iter().filter(|pin| !pin.released && pin.targets.is_none())
    }

    /// Moves the held particles to their places at `time`, the end of a substep of length `h`, s: to that of the last pin
    /// that holds them.
    pub(crate) fn move_held<T: Scalar>(&self, time: f64, h: f64, particles: &mut Particles<T>) {
        let inverse_h = T::splat(1.0 / h);
        // Before any is moved: several pins may hold one.
        for &i in self.hard().flat_map(|pin| pin.particles.iter()) {
            particles.previous[i as usize].x = particles.now[i as usize].x;
        }
        for (i, target) in self.hard().flat_map(|pin| pin.places_at(time)) {
            let i = i as usize;
            particles.now[i].x = splat_vector(&target);
            particles.velocity[i].v = (particles.now[i].x - particles.previous[i].x) * inverse_h;
        }
    }

    /// The constraints of a group whose soft pins were released.
    pub(crate) fn released_targets(&self, group: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let released = self.pins.iter().filter(|pin| pin.released);
        released.filter_map(move |pin| {
            let targets = pin.targets.filter(|targets| targets.group == group)?;
            Some(targets.first..targets.first + pin.particles.len())
        })
    }

    /// The targets of the moving soft pins at `time`: group, constraint in the group, and position, m.
    pub(crate) fn moving_targets(
        &self,
        time: f64,
    ) -> impl Iterator<Item = (usize, usize, Vector3<f64>)> + '_ {
        self.moving().filter_map(|pin| Some((pin.targets?, pin))).flat_map(
            move |(Targets { group, first }, pin)| {
                pin.places_at(time).enumerate().map(move |(i, (_, target))| (group, first + i, target))
            },
        )
    }
}

/// The time, s, before which pins are released in the substep of length `h`, s, that ends at `end`, s.
pub(crate) fn release_time(end: f64, h: f64) -> f64 {
    end - 0.5 * h
}

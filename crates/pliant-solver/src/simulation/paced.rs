//! Frames in which what is held moves far: they get as many substeps as the longest way asks for.

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use super::Simulation;
use crate::describe::settings::Settings;
use crate::error::StepError;
use crate::passes::kinematics::{HeldPin, Kinematics};
use crate::world::World;

/// A frame is looked at in so many parts: the fastest one decides.
const PARTS: u32 = 4;

impl<T: Scalar> Simulation<T> {
    /// Steps by `dt`, s, in at least as many substeps as the [limit](crate::Settings::motion_limit) asks for.
    pub(super) fn advance_paced(&mut self, dt: f64) -> Result<(), StepError> {
        let asked = self.world.settings.substeps;
        self.world.settings.substeps = asked.max(self.world.substeps_by_motion(self.world.time, dt));
        let result = self.advance_or_respond(dt);
        self.world.settings.substeps = asked;
        result
    }
}

impl<T: Scalar> World<T> {
    /// The most substeps of any of so many frames of length `dt`, s, that follow: those of the settings, or as many as
    /// the [limit of motion](crate::Settings::motion_limit) asks for. A motion that waits for its cue is still.
    #[must_use]
    pub fn most_substeps(&self, frames: u32, dt: f64) -> u32 {
        let frames = if self.settings.motion_limit.is_some() { frames } else { 0 };
        let by_motion = |frame: u32| self.substeps_by_motion(self.time + f64::from(frame) * dt, dt);
        (0..frames).map(by_motion).fold(self.settings.substeps, u32::max)
    }

    /// The least substeps of the frame of length `dt`, s, from a time on, s, in which nothing that is held goes farther
    /// in one than the limit.
    fn substeps_by_motion(&self, time: f64, dt: f64) -> u32 {
        self.settings.motion_limit.map_or(1, |limit| {
            let substeps = self.kinematics.longest_way(time, dt) / limit;
            // A ratio that rounding puts just above a whole number is that number.
            (substeps - 1e-9).ceil().clamp(1.0, f64::from(Settings::MOST_SUBSTEPS)) as u32
        })
    }
}

impl Kinematics {
    /// The longest way of a held particle in the frame of length `dt`, s, from a time on, s, if it went all the time as
    /// fast as in the fastest part of the frame; m.
    fn longest_way(&self, time: f64, dt: f64) -> f64 {
        let holding = self.pins.iter().filter(|pin| !pin.released && pin.targets.is_none());
        holding.map(|pin| pin.longest_way(time, dt)).fold(0.0, f64::max)
    }
}

impl HeldPin {
    fn longest_way(&self, time: f64, dt: f64) -> f64 {
        if let Some(goal) = &self.goal {
            return farthest(self.places_at(time).map(|(_, place)| place), goal.iter().copied());
        }
        if !self.moves() {
            return 0.0;
        }
        let places =
            |part: u32| self.places_at(time + dt * f64::from(part) / f64::from(PARTS)).map(|(_, at)| at);
        let ways = (0..PARTS).map(|part| farthest(places(part), places(part + 1)));
        f64::from(PARTS) * ways.fold(0.0, f64::max)
    }
}

/// The largest distance of two points in the same place of both lists, m.
fn farthest(from: impl Iterator<Item = Vector3<f64>>, to: impl Iterator<Item = Vector3<f64>>) -> f64 {
    from.zip(to).map(|(a, b)| (b - a).norm_squared()).fold(0.0, f64::max).sqrt()
}

//! The monitor observes the passes.

use pliant_kernel::{Scalar, Step};

use super::World;
use crate::observe::moment::{Moment, Work};
use crate::observe::monitor::Monitor;
use crate::passes::integrate::step;

impl<T: Scalar> World<T> {
    /// The numbers of a substep of length `h`, s, which is the last of a frame if `keep`.
    pub(crate) fn step_numbers(&self, h: f64, keep: bool) -> Step<T> {
        let leave = keep && self.monitor.as_ref().is_some_and(|monitor| monitor.predicted.is_empty());
        step(&self.settings.gravity, h, libm::exp(-self.settings.drag * h), leave)
    }

    /// Adds the work of a substep of length `h`, s, that is over when the next pass begins, in a substep that
    /// ends at `end`, s.
    pub(crate) fn settle(&mut self, moment: Moment, h: f64, end: f64) {
        if !matches!(moment, Moment::Move | Moment::Velocity) || self.monitor.is_none() {
            return;
        }
        let is_open = self.measures_pins() && self.monitor.as_ref().is_some_and(Monitor::is_open);
        // The substep that has been solved ends where the next one begins.
        let end = if moment == Moment::Move { end - h } else { end };
        let pin_work = if is_open { self.pin_work(end, h) + self.pin_work_on_coarse_levels(h) } else { 0.0 };
        if let Some(monitor) = &mut self.monitor {
            monitor.settle(&self.contacts, &self.fine.particles, &self.settings.gravity, [end, h], pin_work);
        }
    }

    /// Adds the work that a pass has done.
    pub(crate) fn take_down(&mut self, work: Work) {
        let Some(monitor) = &mut self.monitor else { return };
        match work {
            Work::Known => {}
            Work::Contacts(work) => monitor.contact_work += work,
            Work::Forces(work) => monitor.wind_work += work,
        }
    }
}

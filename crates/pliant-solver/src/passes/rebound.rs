//! Impacts give velocity back.

use pliant_kernel::Scalar;

use crate::level::Level;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Lets a set give velocity back, after velocities are derived.
pub(super) struct Rebound(pub(super) usize);

impl<T: Scalar> Pass<T> for Rebound {
    fn name(&self, world: &World<T>) -> String {
        format!("rebound {}", world.fine.sets[self.0].name)
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let rest_speed = world.rest_speed(now.h);
        let Level { particles, sets } = &mut world.fine;
        Ok(Work::Contacts(sets[self.0].set.rebound(particles, rest_speed, now.h)))
    }
}

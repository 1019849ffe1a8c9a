//! External forces act.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Lets the forces on single particles act on their velocities.
pub(super) struct Push;

impl<T: Scalar> Pass<T> for Push {
    fn name(&self, _: &World<T>) -> String {
        "forces".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(Work::Forces(world.apply_forces(now.h)))
    }
}

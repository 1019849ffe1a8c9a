//! Particles are projected out of the obstacles.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Projects every particle out of the obstacles.
pub(super) struct PushOut;

impl<T: Scalar> Pass<T> for PushOut {
    fn name(&self, _: &World<T>) -> String {
        "contacts".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let particles = &mut world.fine.particles;
        world.contacts.solve(&mut particles.now, &particles.previous, now.simd, now.team);
        Ok(Work::Known)
    }
}

//! Elements are kept from inverting.

use pliant_kernel::{Particles, Scalar};

use crate::describe::settings::Method;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::set::guard::{LAST_LOOKS, LONG};
use crate::world::World;

/// Opens the tetrahedra that are in danger of turning inside out, and projects their particles out of the obstacles.
pub(super) struct HoldOpen;

impl<T: Scalar> Pass<T> for HoldOpen {
    fn name(&self, _: &World<T>) -> String {
        "guard".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Particles { now: positions, previous, .. } = &mut world.fine.particles;
        let is_long = now.h >= LONG;
        // What Newton steps are about to change is not worth many looks.
        let is_end = now.keep && (now.solved || world.method != Method::Newton);
        let looks = match (is_long, is_end) {
            (true, true) => LAST_LOOKS,
            (true, false) => usize::from(now.look),
            (false, _) => usize::from(now.look && now.first),
        };
        world.guard.hold(positions, previous, &mut world.contacts, looks, is_long, now.team);
        Ok(Work::Known)
    }
}

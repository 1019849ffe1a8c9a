//! A set moves particles last.

use pliant_kernel::Scalar;

use crate::level::Level;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Lets a set move particles once more, after all iterations.
pub(super) struct Conclude(pub(super) usize);

impl<T: Scalar> Pass<T> for Conclude {
    fn name(&self, world: &World<T>) -> String {
        format!("net {}", world.fine.sets[self.0].name)
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Level { particles, sets } = &mut world.fine;
        sets[self.0].set.conclude(&mut particles.now, &particles.previous, now.h, now.team);
        Ok(Work::Known)
    }
}

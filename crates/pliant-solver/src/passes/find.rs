//! Constraints are found again.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::set::constraint_set::Begin;
use crate::world::World;

/// Lets a dynamic set find the constraints of the substep.
pub(super) struct Find(pub(super) usize);

impl<T: Scalar> Pass<T> for Find {
    fn name(&self, world: &World<T>) -> String {
        format!("find {}", world.fine.sets[self.0].name)
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let crate::level::Level { particles, sets } = &mut world.fine;
        let begin = Begin {
            now: &particles.now,
            previous: &particles.previous,
            count: particles.len(),
            h: now.h,
            end: now.end,
            first: now.fresh,
        };
        sets[self.0].set.begin(&begin, now.team);
        Ok(Work::Known)
    }
}

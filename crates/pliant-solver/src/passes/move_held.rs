//! Pins and obstacles move.

use pliant_kernel::Scalar;

use crate::observe::moment::{Moment, Work};
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Moves pins, targets and obstacles to the end of the substep.
pub(super) struct MoveHeld;

impl<T: Scalar> Pass<T> for MoveHeld {
    fn name(&self, _: &World<T>) -> String {
        "move pins and obstacles".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        world.move_held(now.end, now.h);
        Ok(Work::Known)
    }

    fn moment(&self) -> Moment {
        Moment::Move
    }
}

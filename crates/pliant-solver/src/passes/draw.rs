//! Seams are drawn together.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Closes the pairs of seams that meet, and draws the others together.
pub(super) struct DrawSeams;

impl<T: Scalar> Pass<T> for DrawSeams {
    fn name(&self, _: &World<T>) -> String {
        "draw seams together".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(Work::Forces(world.draw_seams(now.end, now.h)))
    }
}

/// Draws in the strings of pairs that are late, and holds the closed ones together.
pub(super) struct HoldSeams;

impl<T: Scalar> Pass<T> for HoldSeams {
    fn name(&self, _: &World<T>) -> String {
        "hold seams together".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(if now.last { Work::Forces(world.hold_seams(now.end, now.h)) } else { Work::Known })
    }
}

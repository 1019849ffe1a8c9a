//! Seams are drawn together.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Closes the pairs of seams that meet, and draws the others together.
pub(super) struct Draw;

impl<T: Scalar> Pass<T> for Draw {
    fn name(&self, _: &World<T>) -> String {
        "draw seams together".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(Work::Forces(world.draw_seams(now.h)))
    }
}

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

/// Draws in the strings of pairs that are late.
pub(super) struct DrawIn;

impl<T: Scalar> Pass<T> for DrawIn {
    fn name(&self, _: &World<T>) -> String {
        "draw late seams in".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(if now.last { Work::Forces(world.draw_late_seams_in(now.end, now.h)) } else { Work::Known })
    }
}

/// Holds closed pairs together.
pub(super) struct HoldSeams;

impl<T: Scalar> Pass<T> for HoldSeams {
    fn name(&self, _: &World<T>) -> String {
        "hold seams together".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        if now.last {
            world.hold_seams();
        }
        Ok(Work::Known)
    }
}

//! Motion that is not rigid is damped.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::passes::damping;
use crate::world::World;

/// Damps the motion of every body within itself.
pub(super) struct Damp;

impl<T: Scalar> Pass<T> for Damp {
    fn name(&self, _: &World<T>) -> String {
        "damp".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        if world.settings.damping == 0.0 {
            return Ok(Work::Known);
        }
        let amount = 1.0 - libm::exp(-world.settings.damping * now.h);
        for part in &world.body_ranges {
            damping::damp(&mut world.fine.particles, part.particles.clone(), amount);
        }
        Ok(Work::Known)
    }
}

//! The wind blows.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Lets the wind act on the velocities.
pub(super) struct Blow;

impl<T: Scalar> Pass<T> for Blow {
    fn name(&self, _: &World<T>) -> String {
        "wind".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let (Some(field), Some(wind)) = (&mut world.wind, &world.settings.wind) else {
            return Ok(Work::Known);
        };
        let work = field.apply(wind, now.h, &mut world.fine.particles, world.monitor.is_some());
        Ok(Work::Forces(work))
    }
}

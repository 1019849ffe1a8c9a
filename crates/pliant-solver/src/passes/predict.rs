//! Positions are predicted.

use pliant_kernel::Scalar;

use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::passes::integrate::{Walker, predict};
use crate::world::World;

/// Lets gravity act and predicts positions.
pub(super) struct Predict;

impl<T: Scalar> Pass<T> for Predict {
    fn name(&self, _: &World<T>) -> String {
        "predict".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let step = world.step_numbers(now.h, now.keep);
        let walker = Walker { simd: now.simd, team: now.team };
        predict(&mut world.fine.particles, step, &world.settings.prediction_bounds, walker);
        Ok(Work::Known)
    }
}

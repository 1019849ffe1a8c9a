//! Rigid bodies are corrected as a whole.

use pliant_kernel::Scalar;

use crate::coarse::hierarchy::Correction;
use crate::describe::settings::Method;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Corrects rigid bodies on their coarse levels, before the first sweep of a substep.
pub(super) struct Correct;

impl<T: Scalar> Pass<T> for Correct {
    fn name(&self, _: &World<T>) -> String {
        "coarse levels".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        // The work of pins is computed from the multipliers of every substep.
        let keep = now.keep || world.measures_pins();
        let Now { fresh, simd, team, .. } = *now;
        if let Some(levels) = &mut world.coarse.levels
            && world.method == Method::Coarse
        {
            levels.correct(&mut world.fine.particles.now, &Correction { keep, fresh, simd, team });
        }
        Ok(Work::Known)
    }
}

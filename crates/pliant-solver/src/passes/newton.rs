//! The implicit step is solved for all particles together.

use pliant_kernel::Scalar;

use crate::describe::settings::Method;
use crate::level::Level;
use crate::newton::Newton;
use crate::newton::system::Substep;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Stores the prediction.
pub(super) struct Remember;

impl<T: Scalar> Pass<T> for Remember {
    fn name(&self, _: &World<T>) -> String {
        "remember the prediction".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Newton { system, missed, .. } = &mut world.newton;
        *missed &= !now.fresh;
        if let Some(system) = system
            && world.method == Method::Newton
        {
            system.remember(&world.fine.particles, now.fresh);
        }
        Ok(Work::Known)
    }
}

/// Newton steps, between the sweeps.
pub(super) struct Solve;

impl<T: Scalar> Pass<T> for Solve {
    fn name(&self, _: &World<T>) -> String {
        "Newton steps".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Now { h, simd, team, .. } = *now;
        let Level { particles, sets } = &mut world.fine;
        let Newton { system, missed, .. } = &mut world.newton;
        if let Some(system) = system
            && world.method == Method::Newton
        {
            let accuracy = world.settings.accuracy;
            *missed |= !system.solve(&mut Substep {
                sets,
                contacts: &mut world.contacts,
                particles,
                h,
                accuracy,
                simd,
                team,
            });
        }
        Ok(Work::Known)
    }
}

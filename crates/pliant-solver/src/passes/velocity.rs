//! Velocities are derived from positions.

use pliant_kernel::Scalar;

use crate::observe::moment::{Moment, Work};
use crate::pass::{NonFinite, Now, Pass};
use crate::passes::integrate::{Walker, derive_and_predict, derive_bouncing_velocities, derive_velocities};
use crate::world::World;

/// Derives velocities.
pub(super) struct Derive;

impl<T: Scalar> Pass<T> for Derive {
    fn name(&self, _: &World<T>) -> String {
        "velocities".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let step = world.step_numbers(now.h, now.keep);
        let walker = Walker { simd: now.simd, team: now.team };
        let rest_speed = world.rest_speed(now.h);
        let particles = &mut world.fine.particles;
        if !world.contacts.bounces() {
            return derive_velocities(particles, step, walker).map(|()| Work::Known).map_err(NonFinite);
        }
        let given = derive_bouncing_velocities(particles, step, &world.contacts, rest_speed, walker);
        given.map(Work::Contacts).map_err(NonFinite)
    }

    fn moment(&self) -> Moment {
        Moment::Velocity
    }
}

/// Derives velocities, and predicts the substep that follows, in one walk.
pub(super) struct DeriveAndPredict;

impl<T: Scalar> Pass<T> for DeriveAndPredict {
    fn name(&self, _: &World<T>) -> String {
        "velocities and predict".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let step = world.step_numbers(now.h, now.keep);
        let walker = Walker { simd: now.simd, team: now.team };
        let done = derive_and_predict(&mut world.fine.particles, step, walker);
        done.map(|()| Work::Known).map_err(NonFinite)
    }
}

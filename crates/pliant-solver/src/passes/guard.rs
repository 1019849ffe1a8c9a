//! Elements are kept from inverting, by what moves particles last as well.

use pliant_kernel::{Particles, Scalar};

use crate::level::Level;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::set::guard::{LAST_LOOKS, LONG};
use crate::world::World;

/// Opens the tetrahedra that are in danger of turning inside out, and projects their particles out of the obstacles.
pub(super) struct HoldOpen;

impl<T: Scalar> Pass<T> for HoldOpen {
    fn name(&self, _: &World<T>) -> String {
        "guard".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Particles { now: positions, previous, .. } = &mut world.fine.particles;
        let is_long = now.h >= LONG;
        let looks = match (is_long, now.keep) {
            (true, true) => LAST_LOOKS,
            (true, false) => usize::from(now.look),
            (false, _) => usize::from(now.look && now.first),
        };
        world.guard.hold(positions, previous, &mut world.contacts, looks, is_long, now.team);
        Ok(Work::Known)
    }
}

/// How often particles are taken half of their way back, at most.
const HALVINGS: usize = 8;

/// Takes back what sets that move particles last have turned inside out.
pub(super) struct TakeBack;

impl<T: Scalar> Pass<T> for TakeBack {
    fn name(&self, _: &World<T>) -> String {
        "guard of the net".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Level { particles: Particles { now: positions, previous, .. }, sets } = &mut world.fine;
        if sets.iter().any(|running| running.set.has_concluded()) {
            for _ in 0..HALVINGS {
                let turned = world.guard.turned(positions, previous, now.team);
                let mut any = false;
                for running in sets.iter_mut().filter(|_| !turned.is_empty()) {
                    any |= running.set.take_back(positions, previous, turned, now.h);
                }
                if !any {
                    break;
                }
            }
        }
        Ok(Work::Known)
    }
}

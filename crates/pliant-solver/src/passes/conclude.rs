//! A set moves particles last.

use pliant_kernel::{Particles, Scalar};

use crate::level::Level;
use crate::observe::moment::Work;
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// How often particles are taken half of their way back, at most.
const HALVINGS: usize = 8;

/// Lets a set move particles once more, after all iterations, and takes back what that has turned inside out.
pub(super) struct Conclude(pub(super) usize);

impl<T: Scalar> Pass<T> for Conclude {
    fn name(&self, world: &World<T>) -> String {
        format!("net {}", world.fine.sets[self.0].name)
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Level { particles: Particles { now: positions, previous, .. }, sets } = &mut world.fine;
        let set = &mut sets[self.0].set;
        if set.conclude(positions, previous, now.h, now.team) {
            for _ in 0..HALVINGS {
                let turned = world.guard.turned(positions, previous, now.team);
                if turned.is_empty() || !set.take_back(positions, previous, turned, now.h) {
                    break;
                }
            }
        }
        Ok(Work::Known)
    }
}

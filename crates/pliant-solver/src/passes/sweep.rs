//! The constraints of a set are projected.

use pliant_kernel::{Scalar, Sweep};

use crate::clock;
use crate::describe::settings::Method;
use crate::level::Level;
use crate::observe::moment::{Moment, Work};
use crate::pass::{NonFinite, Now, Pass};
use crate::world::World;

/// Projects every constraint of a set once.
pub(super) struct Project {
    /// Number of the set.
    pub(super) set: usize,
    /// Whether the set keeps its place if sweeps go backward: contacts must move surfaces last, and friction
    /// sticks only if it acts last.
    pub(super) stays: bool,
}

impl<T: Scalar> Pass<T> for Project {
    fn name(&self, world: &World<T>) -> String {
        format!("sweep {}", world.fine.sets[self.set].name)
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let Now { h, first, last, backward, simd, team, .. } = *now;
        if now.solved && world.newton.system.as_ref().is_some_and(|system| system.has_solved(self.set)) {
            return Ok(Work::Known);
        }
        // The work of pins is computed from the multipliers of every substep.
        let keep = now.keep || world.measures_pins() || world.method == Method::Newton;
        let Level { particles, sets } = &mut world.fine;
        let running = &mut sets[self.set];
        let inverse_h2 = T::splat(1.0 / (h * h));
        let gamma = running.gamma(h);
        let sweep = Sweep { inverse_h2, update: running.update, gamma, first, last, keep, backward, simd };
        let start = clock::now();
        running.set.sweep(&mut particles.now, &particles.previous, sweep, team);
        running.time += clock::since(start).unwrap_or_default();
        Ok(Work::Known)
    }

    fn moment(&self) -> Moment {
        if self.stays { Moment::Other } else { Moment::Sweep }
    }
}

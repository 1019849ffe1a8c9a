//! [`Moved`]: whether a frame created energy.
//!
//! A frame of a few long substeps may leave elastic energy in constraints that it has not solved, and one of many short
//! substeps turns that into motion. The residuals of both may be small. So energies and work before and after a frame are
//! compared, as the [verdict](crate::Judgement) does for the whole run.

/// Of all energy that moved, the share that a frame may create: a quarter of what the verdict allows a whole run.
const CREATED: f64 = 0.0025;

/// Energies of a state, and the external work up to it, J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Balance {
    /// Kinetic, potential and elastic energy.
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
    pub(crate) elastic: f64,
    /// External work since the start.
    pub(crate) work: f64,
    /// The least energy that counts as moved, because nothing has moved at rest.
    pub(crate) still: f64,
    /// Changes when pins hold other particles, because energies then belong to other particles.
    pub(crate) pin_version: u64,
}

/// The energy that a simulation has moved so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moved {
    /// Lowest and highest potential energy, J.
    potential: [f64; 2],
    /// Largest kinetic energy, J.
    kinetic: f64,
}

impl Default for Moved {
    fn default() -> Self {
        Self { potential: [f64::INFINITY, f64::NEG_INFINITY], kinetic: 0.0 }
    }
}

impl Moved {
    /// The same with one more state.
    fn with(self, state: &Balance) -> Self {
        let [low, high] = self.potential;
        let Balance { kinetic, potential, .. } = *state;
        Self { potential: [low.min(potential), high.max(potential)], kinetic: self.kinetic.max(kinetic) }
    }

    /// The factor by which a frame exceeds the energy that it may create; zero if that is not known.
    pub(crate) fn harm(self, before: &Balance, after: &Balance) -> f64 {
        if before.pin_version != after.pin_version {
            return 0.0;
        }
        let total = |of: &Balance| of.kinetic + of.potential + of.elastic;
        let created = (total(after) - total(before)) - (after.work - before.work);
        let Self { potential: [low, high], kinetic } = self.with(before).with(after);
        let moved = kinetic.max(high - low).max(after.still);
        let harm = created / (CREATED * moved);
        if harm.is_nan() { f64::INFINITY } else { harm.max(0.0) }
    }

    /// Adds the state after a frame.
    pub(crate) fn take(&mut self, state: &Balance) {
        *self = self.with(state);
    }

    /// What was learnt, as numbers.
    #[cfg(feature = "serde")]
    pub(super) fn to_numbers(self) -> [f64; 3] {
        [self.potential[0], self.potential[1], self.kinetic]
    }

    #[cfg(feature = "serde")]
    pub(super) fn from_numbers([low, high, kinetic]: [f64; 3]) -> Self {
        Self { potential: [low, high], kinetic }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(kinetic: f64, potential: f64, elastic: f64, work: f64) -> Balance {
        Balance { kinetic, potential, elastic, work, still: 0.1, pin_version: 0 }
    }

    #[test]
    fn what_falls_creates_nothing() {
        let moved = Moved::default();
        assert_eq!(moved.harm(&state(0.0, 10.0, 0.0, 0.0), &state(10.0, 0.0, 0.0, 0.0)), 0.0);
        assert_eq!(
            moved.harm(&state(0.0, 10.0, 0.0, 0.0), &state(3.0, 0.0, 0.0, 0.0)),
            0.0,
            "nor what is lost"
        );
    }

    #[test]
    fn energy_from_nowhere_is_harm_and_work_is_not() {
        let mut moved = Moved::default();
        let before = state(10.0, 0.0, 0.0, 0.0);
        moved.take(&before);
        let harm = |after: &Balance| moved.harm(&before, after);
        assert!((harm(&state(10.2, 0.0, 0.0, 0.0)) - 0.2 / (CREATED * 10.2)).abs() < 1e-9);
        assert_eq!(harm(&state(10.2, 0.0, 0.0, 0.2)), 0.0);
        assert_eq!(harm(&Balance { pin_version: 1, ..state(10.2, 0.0, 0.0, 0.0) }), 0.0, "a pin let go");
        assert!(
            harm(&state(10.0, 0.0, 500.0, 0.0)) > 100.0,
            "elastic energy of what is not solved counts as created"
        );
    }

    #[test]
    fn what_is_at_rest_may_tremble_a_little() {
        let harm = Moved::default().harm(&state(0.0, 0.0, 0.0, 0.0), &state(1e-4, 0.0, 0.0, 0.0));
        assert!((harm - 1e-4 / (CREATED * 0.1)).abs() < 1e-9 && harm < 1.0);
    }
}

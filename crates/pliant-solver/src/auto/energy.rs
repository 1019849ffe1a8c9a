//! [`Moved`]: whether a frame created energy.
//!
//! A frame of a few long substeps may leave errors in constraints that it has not solved, and one of many
//! short substeps turns these into motion. The residuals of both may be small. So energies and work before
//! and after a frame are compared, as the [verdict](crate::Judgement) does for the whole run. Like the
//! verdict, a frame may leave any elastic energy: that of a stiff constraint that is not solved is an error,
//! and becomes energy only when it moves something.

/// Of all energy that moved, the share that a frame may create: a quarter of what the verdict allows a whole run.
const CREATED: f64 = 0.0025;
/// And what a frame may create in addition, as a multiple of that, if the run has lost as much before.
const REGAINED: f64 = 3.0;
/// The share that the run as a whole may create, as a multiple of the same.
const WHOLE: f64 = 2.0;

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

impl Balance {
    /// Kinetic and potential energy without the external work, J.
    fn own(&self) -> f64 {
        self.kinetic + self.potential - self.work
    }
}

/// The energy that a simulation has moved so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moved {
    /// Lowest and highest potential energy, J.
    potential: [f64; 2],
    /// Largest kinetic energy, J.
    kinetic: f64,
    /// The energy without the external work at the start, elastic energy included, J, with the pins of that time.
    start: f64,
    pins: f64,
}

impl Default for Moved {
    fn default() -> Self {
        Self { potential: [f64::INFINITY, f64::NEG_INFINITY], kinetic: 0.0, start: f64::NAN, pins: 0.0 }
    }
}

impl Moved {
    /// The same with one more state.
    fn with(self, state: &Balance) -> Self {
        let [low, high] = self.potential;
        let Balance { kinetic, potential, .. } = *state;
        let pins = state.pin_version as f64;
        let is_new = self.start.is_nan() || self.pins != pins;
        let start = if is_new { state.own() + state.elastic } else { self.start };
        Self {
            potential: [low.min(potential), high.max(potential)],
            kinetic: self.kinetic.max(kinetic),
            start,
            pins,
        }
    }

    /// The factor by which a frame exceeds the energy that it may create; zero if that is not known.
    pub(crate) fn harm(self, before: &Balance, after: &Balance) -> f64 {
        if before.pin_version != after.pin_version {
            return 0.0;
        }
        let gained = after.own() - before.own();
        let Self { potential: [low, high], kinetic, start, .. } = self.with(before).with(after);
        let allowed = CREATED * kinetic.max(high - low).max(after.still);
        let surplus = after.own() - start;
        // What is stored may move all at once, as far as it was there at the start; the rest is an error.
        let stored = before.elastic.min(start - before.own()).max(0.0);
        let in_frame = (gained - stored) / (allowed + (-surplus).clamp(0.0, REGAINED * allowed));
        let in_run = if gained > 0.0 { surplus / (WHOLE * allowed) } else { 0.0 };
        if gained.is_nan() { f64::INFINITY } else { in_frame.max(in_run).max(0.0) }
    }

    /// Adds the state before or after a frame; the first one is the start.
    pub(crate) fn take(&mut self, state: &Balance) {
        *self = self.with(state);
    }

    /// What was learnt, as numbers.
    #[cfg(feature = "serde")]
    pub(super) fn to_numbers(self) -> [f64; 5] {
        [self.potential[0], self.potential[1], self.kinetic, self.start, self.pins]
    }

    #[cfg(feature = "serde")]
    pub(super) fn from_numbers([low, high, kinetic, start, pins]: [f64; 5]) -> Self {
        Self { potential: [low, high], kinetic, start, pins }
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
        assert_eq!(harm(&state(10.0, 0.0, 500.0, 0.0)), 0.0, "what is not solved has moved nothing yet");
        assert_eq!(harm(&state(f64::NAN, 0.0, 0.0, 0.0)), f64::INFINITY);
    }

    #[test]
    fn what_was_stored_may_move_and_no_more_than_was_there_at_the_start() {
        let mut moved = Moved::default();
        moved.take(&state(10.0, 0.0, 0.0, 0.0));
        let pressed = state(2.0, 0.0, 8.0, 0.0);
        moved.take(&pressed);
        assert_eq!(moved.harm(&pressed, &state(9.0, 0.0, 1.0, 0.0)), 0.0);
        assert_eq!(moved.harm(&pressed, &state(9.0, 0.0, 8.0, 0.0)), 0.0, "what is left is an error");
        // The error of a stiff constraint turns into motion: there is more than at the start.
        let unsolved = state(10.0, 0.0, 500.0, 0.0);
        moved.take(&unsolved);
        assert!(moved.harm(&unsolved, &state(20.0, 0.0, 400.0, 0.0)) > 10.0);
    }

    #[test]
    fn a_run_that_has_lost_energy_may_regain_a_little_more_in_a_frame() {
        let mut moved = Moved::default();
        moved.take(&state(10.0, 0.0, 0.0, 0.0));
        let (before, after) = (state(5.0, 0.0, 0.0, 0.0), state(5.05, 0.0, 0.0, 0.0));
        moved.take(&before);
        let harm = moved.harm(&before, &after);
        assert!((harm - 0.05 / (CREATED * 10.0 * (1.0 + REGAINED))).abs() < 1e-9, "{harm}");
    }

    #[test]
    fn what_is_at_rest_may_tremble_a_little() {
        let harm = Moved::default().harm(&state(0.0, 0.0, 0.0, 0.0), &state(1e-4, 0.0, 0.0, 0.0));
        assert!((harm - 1e-4 / (CREATED * 0.1)).abs() < 1e-9 && harm < 1.0);
    }
}

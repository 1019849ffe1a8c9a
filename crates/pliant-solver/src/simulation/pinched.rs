//! Frames in which held particles leave no room between surfaces: stepped again with more substeps, or refused.

use pliant_kernel::Scalar;

use super::Simulation;
use crate::error::StepError;

/// How often the number of substeps is doubled.
const HALVINGS: u32 = 5;

impl<T: Scalar> Simulation<T> {
    /// Steps by `dt`, s, again with twice as many substeps while something is pinched.
    pub(super) fn advance_divided(&mut self, dt: f64) -> Result<(), StepError> {
        let before = self.world.snapshot_here();
        let asked = self.world.settings.substeps;
        let mut result = self.advance_by_method(dt);
        for halving in 1..=HALVINGS {
            if result.is_err() || !self.world.is_pinched() {
                break;
            }
            self.world.restore_here(&before);
            self.world.settings.substeps = asked.saturating_mul(1 << halving);
            result = self.advance_by_method(dt);
        }
        self.world.settings.substeps = asked;
        result
    }

    /// Steps by `dt`, s, and goes back with an error if something is pinched.
    pub(super) fn advance_or_stop(&mut self, dt: f64) -> Result<(), StepError> {
        let before = self.world.snapshot_here();
        self.advance_by_method(dt)?;
        let Some(first) = self.world.collisions().and_then(|tally| tally.first_pinched) else {
            return Ok(());
        };
        let (frame, time) = (self.world.frame, self.world.time);
        self.world.restore_here(&before);
        Err(StepError::Pinched { frame, time, first: Box::new(first) })
    }
}

//! Stages: settings that change during a run.

use pliant_scene::Scene;
use pliant_solver::{Float, Simulation};

use crate::error::RunError;

/// Gives the simulation, after so many frames, the settings of the stage that the next one belongs to.
pub(crate) fn take_up<T: Float>(
    scene: &Scene,
    frames: u32,
    simulation: &mut Simulation<T>,
) -> Result<(), RunError> {
    if scene.model.stages.is_empty() {
        return Ok(());
    }
    scene.settle(frames, simulation).map_err(|error| RunError::Refused(error.to_string()))
}

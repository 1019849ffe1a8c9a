//! Stages: settings that change while a run goes on.

use pliant_scene::Scene;
use pliant_solver::{Float, LiveError, Settings, Simulation};

use crate::error::RunError;

/// Has the simulation, after so many frames, go on with the settings of the stage that the next one belongs to.
///
/// What is as it was is left alone. So a run that is resumed within a stage, whose checkpoint has what the stage changed,
/// goes on as one that never stopped.
pub(crate) fn take_up<T: Float>(
    scene: &Scene,
    frames: u32,
    simulation: &mut Simulation<T>,
) -> Result<(), RunError> {
    if scene.model.stages.is_empty() {
        return Ok(());
    }
    let wanted = scene.settings_after(frames);
    change(&wanted, simulation).map_err(|error| RunError::Refused(error.to_string()))
}

fn change<T: Float>(wanted: &Settings, simulation: &mut Simulation<T>) -> Result<(), LiveError> {
    let Settings { substeps, gravity, damping, drag, wind, .. } = simulation.settings().clone();
    if substeps != wanted.substeps {
        simulation.set_substeps(wanted.substeps);
    }
    if gravity != wanted.gravity {
        simulation.set_gravity(wanted.gravity)?;
    }
    if damping != wanted.damping {
        simulation.set_damping(wanted.damping)?;
    }
    if drag != wanted.drag {
        simulation.set_drag(wanted.drag)?;
    }
    if wind != wanted.wind {
        simulation.set_wind(wanted.wind)?;
    }
    Ok(())
}

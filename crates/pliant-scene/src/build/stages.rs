//! Stages as a simulation takes them up.
//!
//! When a stage began is part of the state of the simulation: a [cue](pliant_solver::Cue) of its name. So a
//! stage that lasts until rest ends after the same frame for any number of threads, and in a run that is resumed.

use pliant_solver::{Cue, Float, LiveError, Settings, Simulation};

use super::settings;
use crate::load::Scene;
use crate::model::{Positive, StageModel, UntilModel};

/// The groups of constraints that resist bending, as a simulation may call them.
const BENDING: [&str; 3] = ["bending", "bending (distance)", "bending (isometric)"];

/// Times within this part of a frame are the same.
const ROUNDING: f64 = 1e-6;

impl Scene {
    /// Begins the stage of the frame that follows on so many, if that is another one, and gives a simulation of
    /// this scene its settings, as far as they can change while it runs: substeps, gravity, wind, damping, drag,
    /// and the stiffness against bending. What is as it was is left alone. Motions that wait for the stage begin.
    /// So a run that is resumed within a stage, whose checkpoint has what the stage changed, continues as one that
    /// never stopped.
    ///
    /// # Errors
    ///
    /// If a setting is refused; those before it have been taken.
    pub fn settle<T: Float>(&self, frames: u32, simulation: &mut Simulation<T>) -> Result<(), LiveError> {
        self.begin_stages(frames, simulation);
        let stage = self.stage_of(simulation);
        let wanted = stage.map_or_else(|| self.settings_after(frames), |stage| self.settings_in(stage));
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
        self.stiffen(stage.map(|stage| &self.model.stages[stage]), simulation)
    }

    /// Makes cloth as stiff against bending as a stage says, in a scene of which any stage does.
    fn stiffen<T: Float>(
        &self,
        stage: Option<&StageModel>,
        simulation: &mut Simulation<T>,
    ) -> Result<(), LiveError> {
        if self.model.stages.iter().all(|stage| stage.stiffer_bending.is_none()) {
            return Ok(());
        }
        let wanted = stage.and_then(|stage| stage.stiffer_bending).map_or(1.0, Positive::get);
        let mut found = false;
        for group in BENDING {
            let Some(present) = simulation.stiffness_scale(group) else { continue };
            found = true;
            if present != wanted {
                simulation.scale_stiffness(group, wanted)?;
            }
        }
        // The error names the groups that there are.
        if found { Ok(()) } else { simulation.scale_stiffness(BENDING[0], wanted) }
    }

    /// The number of the stage that a simulation of this scene is in; `None` before the first frame and in a
    /// scene without stages.
    fn stage_of<T: Float>(&self, simulation: &Simulation<T>) -> Option<usize> {
        let begun = |name: &str| simulation.cues().iter().any(|cue| cue.name == name);
        self.model.stages.iter().rposition(|stage| begun(&stage.name))
    }

    /// The settings of the solver in a stage.
    fn settings_in(&self, stage: usize) -> Settings {
        settings::of(&self.model.stages[stage].over(&self.model.solver))
    }

    fn begin_stages<T: Float>(&self, frames: u32, simulation: &mut Simulation<T>) {
        let stages = &self.model.stages;
        let mut present = self.stage_of(simulation);
        loop {
            let next = present.map_or(0, |stage| stage + 1);
            let Some(stage) = stages.get(next) else { return };
            let begins = match present {
                None => true,
                Some(i) => match &stages[i].until {
                    Some(until) => self.is_over(until, &stages[i].name, simulation),
                    None => self.model.has_started(next, frames),
                },
            };
            if !begins {
                return;
            }
            simulation.cue(&stage.name);
            present = Some(next);
        }
    }

    /// Whether a stage is over that lasts until something has come.
    fn is_over<T: Float>(&self, until: &UntilModel, name: &str, simulation: &Simulation<T>) -> bool {
        let began = simulation.cues().iter().find(|cue| cue.name == name);
        let rounding = ROUNDING * self.time_step();
        let lasted = began.map_or(0.0, |&Cue { time, .. }| simulation.time() - time);
        // It lasts a frame at least.
        if lasted <= rounding {
            return false;
        }
        // What is near is not held yet: a pair that is not closed opens again as soon as it bears a load.
        let is_open = simulation.closed_pairs().iter().any(|(_, closed)| closed.contains(&false));
        let gaps = simulation.seam_gaps();
        let gap = gaps.iter().map(|seam| seam.max.value).reduce(f64::max);
        let gap = if is_open { Some(f64::INFINITY) } else { gap };
        lasted >= until.at_most.get() - rounding || until.is_met(simulation.fastest().value, gap)
    }
}

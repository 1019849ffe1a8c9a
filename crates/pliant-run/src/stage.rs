//! Stages: settings that change during a run, and the record of them.

use pliant_scene::Scene;
use pliant_scene::model::{SceneModel, UntilModel};
use pliant_solver::{Cue, Float, Simulation};
use serde::{Deserialize, Serialize};

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

/// A stage of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// Its name.
    pub name: String,
    /// Its first frame, from 1.
    pub first: u32,
    /// Its last frame.
    pub last: u32,
    /// Largest speed of a particle at its end, m/s, where that was certified: how far from rest it ends.
    pub speed_at_end: Option<f64>,
    /// Of a stage that lasts until something has come, whether it ended before its longest time was over. None of
    /// other stages, and of one that the end of the run cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// What it lasts until.
    #[serde(skip)]
    until: Option<UntilModel>,
    /// Whether another one followed.
    #[serde(skip)]
    ended: bool,
}

impl StageRecord {
    /// The stages that have begun after so many frames, with the frames that belong to each.
    pub(crate) fn all(scene: &SceneModel, cues: &[Cue], frames: u32) -> Vec<Self> {
        let begun = |name: &str| cues.iter().find(|cue| cue.name == name);
        let mut all: Vec<Self> = Vec::new();
        for stage in &scene.stages {
            let Some(cue) = begun(&stage.name) else { break };
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "frames are counted by u32"
            )]
            let before = (cue.time * scene.frame_rate.get()).round() as u32;
            // A stage that is over as soon as it begins has no frames.
            if let Some(last) = all.last_mut() {
                (last.last, last.ended) = (before, true);
                let lasted = f64::from(before + 1 - last.first) / scene.frame_rate.get();
                last.met = last.until.map(|until| lasted < until.at_most.get() * (1.0 - 1e-9));
            }
            all.retain(|stage| stage.first <= stage.last);
            let (name, until) = (stage.name.clone(), stage.until.filter(UntilModel::waits));
            let last = frames.max(before + 1);
            all.push(Self {
                name,
                first: before + 1,
                last,
                speed_at_end: None,
                met: None,
                until,
                ended: false,
            });
        }
        all
    }

    /// Completes it with the largest speed at its end, m/s, if that frame was certified.
    pub(crate) fn finish(&mut self, speed: Option<f64>) {
        self.speed_at_end = speed;
    }

    /// What is worth knowing about it, if anything is.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let until = self.until?;
        let (name, limit) = (&self.name, until.at_most.get());
        let speed = self
            .speed_at_end
            .map_or_else(String::new, |speed| format!("; the largest speed was {speed:.2e} m/s"));
        match (self.ended, self.met) {
            (true, Some(false)) => Some(format!(
                "the stage {name:?} ended after its longest time, {limit} s, with its `until` not met{speed}"
            )),
            (false, _) => {
                Some(format!("the run ended in the stage {name:?}, with its `until` not met{speed}"))
            }
            _ => None,
        }
    }
}

//! Checks of stages.

use super::name::check_name;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{NonNegative, SceneModel, StageModel};

/// A stage after one whose end is not known beforehand, and the one before.
fn check_after(at: &FieldPath, [floating, before, stage]: [&StageModel; 3]) -> Result<(), Fault> {
    if stage.start.is_some() {
        let problem = format!(
            "the stage {:?} has a `start`, but when {:?} ends is not known beforehand",
            stage.name, floating.name
        );
        return Err(Fault::new(
            at.key("start"),
            problem,
            "it to be left out: the stage begins when the one before ends",
        ));
    }
    if before.until.is_none() {
        let problem = format!("when the stage {:?} ends is not said", before.name);
        let expected = format!("`until = {{ at_most = … }}` in {:?}", before.name);
        return Err(Fault::new(at.clone(), problem, expected));
    }
    Ok(())
}

pub(super) fn check(root: &FieldPath, scene: &SceneModel) -> Result<(), Fault> {
    let mut before: Option<f64> = None;
    for (i, stage) in scene.stages.iter().enumerate() {
        let at = root.key("stage").index(i);
        check_name(&at.key("name"), "stage", &stage.name)?;
        if scene.stages[..i].iter().any(|other| other.name == stage.name) {
            let problem = format!("two stages are called {:?}", stage.name);
            return Err(Fault::new(at.key("name"), problem, "another name"));
        }
        let is_last = i + 1 == scene.stages.len();
        if stage.until.is_some() && is_last {
            let problem =
                format!("the stage {:?} is the last one, which lasts until the run ends", stage.name);
            return Err(Fault::new(at.key("until"), problem, "a stage after it, or it to be left out"));
        }
        if let Some(floating) = scene.stages[..i].iter().position(|before| before.until.is_some()) {
            check_after(&at, [&scene.stages[floating], &scene.stages[i - 1], stage])?;
            continue;
        }
        let start = stage.start.map_or(0.0, NonNegative::get);
        let at_start = if stage.start.is_some() { at.key("start") } else { at.clone() };
        match before {
            None if start > 0.0 => {
                let problem = format!("the first stage starts at {start} s");
                return Err(Fault::new(at_start, problem, "0 s, the beginning of the run"));
            }
            Some(before) if start <= before => {
                let problem = format!(
                    "the stage {:?} starts at {start} s, and the one before at {before} s",
                    stage.name
                );
                return Err(Fault::new(at_start, problem, format!("a `start` after {before} s")));
            }
            _ => {}
        }
        let end = f64::from(scene.frames) / scene.frame_rate.get();
        if start >= end {
            let problem =
                format!("the stage {:?} starts at {start} s, when the run of {end} s is over", stage.name);
            return Err(Fault::new(at_start, problem, "an earlier `start`, or more `frames`"));
        }
        before = Some(start);
    }
    Ok(())
}

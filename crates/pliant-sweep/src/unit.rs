//! [`Unit`]: one combination of values, and its run.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pliant_run::files::write_whole;
use pliant_run::{Intent, Options, Run, RunError, RunFolder, whole};
use pliant_scene::{Built, Precise, Scene};
use pliant_solver::Float;

use crate::outcome::Outcome;

/// The folder of the units in that of a study.
pub(crate) const UNITS: &str = "units";
/// The files of a unit.
pub(crate) const SCENE: &str = "scene.toml";
pub(crate) const PARAMETERS: &str = "parameters.json";
pub(crate) const RUN: &str = "run";
pub(crate) const FAILURE: &str = "error.txt";

/// One combination of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Its name: a digest of the scene, the files that it names, and the version of the program.
    pub name: String,
    /// The values that vary, by their keys.
    pub parameters: BTreeMap<String, serde_json::Value>,
}

impl Unit {
    /// Its folder in that of a study.
    #[must_use]
    pub fn folder(&self, study: &Path) -> PathBuf {
        study.join(UNITS).join(&self.name)
    }
}

/// Has the finished run of the unit in a folder: begins it, resumes it, or returns at once if it is there,
/// like `pliant run DIR/scene.toml --ensure DIR/run`, with the threads of the pool that calls. Between two
/// frames `stop` is asked whether to stop with a checkpoint.
#[must_use]
pub fn ensure(folder: &Path, stop: &dyn Fn() -> bool) -> Outcome {
    let failure = folder.join(FAILURE);
    match attempt(folder, stop) {
        Ok(outcome) => {
            if matches!(outcome, Outcome::Whole | Outcome::Finished) && failure.exists() {
                let _ = fs::remove_file(failure);
            }
            outcome
        }
        Err(error) if is_full(&*error) => Outcome::Full(error.to_string()),
        Err(error) => {
            // For the table; without it the unit counts as unfinished.
            let _ = write_whole(&failure, &format!("{error}\n"));
            Outcome::Failed(error.to_string())
        }
    }
}

fn attempt(folder: &Path, stop: &dyn Fn() -> bool) -> Result<Outcome, Box<dyn Error>> {
    let options = Options::default();
    let scene = Scene::load(folder.join(SCENE))?;
    let run = folder.join(RUN);
    if whole(&run, &scene, &options)?.is_some() {
        return Ok(Outcome::Whole);
    }
    let run_folder = match RunFolder::choose(Some(&run), scene.name(), Intent::ContinueOrBegin) {
        Err(RunError::Taken { .. }) => return Ok(Outcome::Taken),
        run_folder => run_folder?,
    };
    if stop() {
        return Ok(Outcome::Stopped);
    }
    match scene.build_precise_for(|substeps| options.substeps_to_resolve(substeps))? {
        Precise::Single(built) => drive(&scene, built, &run_folder, &options, stop),
        Precise::Double(built) => drive(&scene, built, &run_folder, &options, stop),
    }
}

fn drive<T: Float>(
    scene: &Scene,
    built: Built<T>,
    run_folder: &RunFolder,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Result<Outcome, Box<dyn Error>> {
    let mut run = match Run::open(scene, built, run_folder, options) {
        Err(RunError::Taken { .. }) => return Ok(Outcome::Taken),
        run => run?,
    };
    let asked = |run: &Run<'_, T>| {
        if stop() && run.frame() < run.frames() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if run.step_all(asked)?.is_break() {
        return Ok(Outcome::Stopped);
    }
    run.finish(&[])?;
    Ok(Outcome::Finished)
}

/// Whether an error comes from a disk without room, so that further work is in vain.
fn is_full(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return matches!(io.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        }
        next = match error.downcast_ref::<RunError>() {
            Some(RunError::Output { error, .. }) => Some(error),
            _ => error.source(),
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_known_from_within() {
        let io = |kind: ErrorKind| RunError::Io { path: "x".into(), source: kind.into() };
        assert!(is_full(&io(ErrorKind::StorageFull)) && is_full(&io(ErrorKind::QuotaExceeded)));
        assert!(!is_full(&io(ErrorKind::PermissionDenied)));
        assert!(!is_full(&RunError::Refused("no".to_owned())));
    }
}

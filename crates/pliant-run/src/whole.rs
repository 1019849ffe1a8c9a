//! [`whole`]: whether a folder already holds the run that is asked for.

use std::fs;
use std::path::Path;

use pliant_scene::Scene;

use crate::error::RunError;
use crate::folder;
use crate::lock::Lock;
use crate::names::{COMPLETE, is_finished, is_part_of_whole};
use crate::options::Options;
use crate::origin::origin;
use crate::report::Report;

/// The report of the finished run of this scene with these options in a folder; `None` if the folder holds no finished
/// run. What a run needs only until it is finished, and a kill at the last moment left, is removed.
///
/// ```
/// use pliant_run::{Intent, Options, RunFolder, Run, whole};
/// use pliant_scene::Scene;
///
/// let folder = tempfile::tempdir()?;
/// let run = folder.path().join("run");
/// let sheet = "frames = 2\n[[body]]\nmesh = { grid = { vertices = [4, 4], size = [1.0, 1.0] } }\narea_density = 0.3\nedges = \"rigid\"\n";
/// let (scene, options) = (Scene::parse(sheet, ".")?, Options::default());
/// assert!(whole(&run, &scene, &options)?.is_none());
///
/// let run_folder = RunFolder::choose(Some(&run), scene.name(), Intent::ContinueOrBegin)?;
/// let mut steps = Run::open(&scene, scene.build::<f32>()?, &run_folder, &options)?;
/// while steps.step()?.is_some() {}
/// drop(steps.finish(&[])?);
/// assert_eq!(whole(&run, &scene, &options)?.unwrap().summary.frames, 2);
///
/// let longer = Scene::parse(&sheet.replace("frames = 2", "frames = 3"), ".")?;
/// assert!(whole(&run, &longer, &options).unwrap_err().to_string().contains("another scene"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the finished run is of another scene, or had other options; if its report cannot be read.
pub fn whole(path: &Path, scene: &Scene, options: &Options) -> Result<Option<Report>, RunError> {
    if !is_finished(path) {
        return Ok(None);
    }
    let shown = path.display();
    let text = fs::read_to_string(path.join(COMPLETE)).map_err(|error| {
        RunError::Refused(format!("cannot read {}: {error}", path.join(COMPLETE).display()))
    })?;
    let report: Report = serde_json::from_str(&text).map_err(|error| {
        RunError::Refused(format!(
            "{shown} holds a {COMPLETE} that is not the report of a run ({error}); choose another folder"
        ))
    })?;
    if report.origin != origin(scene, options) {
        return Err(RunError::Refused(format!(
            "{shown} holds a finished run of another scene, or with other options; choose another folder, or replace that run with Intent::Replace"
        )));
    }
    if is_part_of_whole(path) {
        let _lock = Lock::take(path)?;
        folder::tidy(path)?;
    }
    Ok(Some(report))
}

//! Runs to folders, as `pliant run` makes them.

use std::path::PathBuf;
use std::time::Instant;

use pliant_run::{Checkpoints, Intent, Options, Run, RunError, RunFolder, SubstepRange, whole};
use pliant_scene::{Built, Precise};
use pliant_solver::Float;
use pyo3::prelude::*;

use crate::error;
use crate::mesh::choose;
use crate::pool::Pool;
use crate::scene::PyScene;

/// Runs a scene and returns the folder. Between two frames `progress(frame, frames)` is called and Ctrl-C is
/// heard: a run that is stopped makes a checkpoint first.
#[pyfunction]
#[pyo3(signature = (scene, out, intent, require, adaptive, limits, checkpoints, save_multipliers, threads, progress))]
#[allow(clippy::too_many_arguments, reason = "named on the other side")]
pub(crate) fn run(
    py: Python<'_>,
    scene: &Bound<'_, PyScene>,
    out: Option<PathBuf>,
    intent: &str,
    require: Vec<String>,
    adaptive: bool,
    limits: Option<(u32, u32)>,
    checkpoints: &str,
    save_multipliers: bool,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PathBuf> {
    let begun = Instant::now();
    let known = [
        ("begin", Intent::Begin),
        ("replace", Intent::Replace),
        ("resume", Intent::ContinueOrBegin),
        ("ensure", Intent::ContinueOrBegin),
    ];
    let ensures = intent == "ensure";
    let intent = choose("intent", intent, &known)?;
    let checkpoints: Checkpoints = match checkpoints {
        "auto" => Checkpoints::Auto,
        other => other.parse().map_err(|error| error::plain(py, "RunError", error))?,
    };
    let scene = scene.get();
    let options = Options {
        require,
        adaptive: adaptive.then(|| limits.map_or(SubstepRange::Usual, |(a, b)| SubstepRange::Within(a..=b))),
        save_multipliers,
        checkpoints,
        begun,
        ..Options::default()
    };
    let refuse = |error: RunError| error::run(py, &error);
    if let Some(folder) = out.as_ref().filter(|_| ensures)
        && whole(folder, &scene.scene, &options).map_err(refuse)?.is_some()
    {
        return Ok(folder.clone());
    }
    let pool = Pool::of(py, threads)?;
    let run_folder = RunFolder::choose(out.as_deref(), scene.scene.name(), intent).map_err(refuse)?;
    let built =
        pool.run(py, || scene.scene.build_precise_for(|substeps| options.substeps_to_resolve(substeps)));
    match built.map_err(|error| scene.unbuilt(py, &error))? {
        Precise::Single(built) => drive(py, &pool, scene, built, &run_folder, &options, progress),
        Precise::Double(built) => drive(py, &pool, scene, built, &run_folder, &options, progress),
    }
}

fn drive<T: Float>(
    py: Python<'_>,
    pool: &Pool,
    scene: &PyScene,
    built: Built<T>,
    run_folder: &RunFolder,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PathBuf> {
    let refuse = |error: RunError| error::run(py, &error);
    let mut run = pool.run(py, || Run::open(&scene.scene, built, run_folder, options)).map_err(refuse)?;
    // So that the folder can be looked at by itself: its copy of the scene names these files.
    let mut meshes = Vec::new();
    for (path, mesh) in scene.scene.given_meshes() {
        let file = run.folder().join(path);
        let written = file.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(RunError::io(&file));
        written.map_err(refuse)?;
        pliant_io::write_mesh(&file, mesh).map_err(|error| error::plain(py, "RunError", error))?;
        meshes.push(path.to_string_lossy().replace('\\', "/"));
    }
    loop {
        let frames = run.frames();
        let stepped = pool.run(py, || run.step()).map_err(refuse)?;
        if stepped.is_none() {
            break;
        }
        let heard = match progress {
            Some(progress) => progress.call1((run.frame(), frames)).map(drop),
            None => Ok(()),
        };
        if let Err(stop) = heard.and_then(|()| py.check_signals()) {
            pool.run(py, || run.checkpoint()).map_err(refuse)?;
            return Err(stop);
        }
    }
    let folder = run.folder().to_owned();
    pool.run(py, || run.finish(&meshes)).map_err(refuse)?;
    Ok(folder)
}

//! `pliant run`: from a scene to a folder with an animation.

mod certifier;
mod folder;
mod output;
mod pictures;
pub mod report;
mod table;

use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use pliant_scene::model::{PlanModel, Precision};
use pliant_scene::{Built, Scene, Template};
use pliant_solver::{Float, FrameReport, Simulation};
use tempfile::NamedTempFile;

use crate::args::{PlanArg, PrecisionArg, RunArgs};
use crate::check::describe_body;
use crate::console::Console;
use crate::error::CliError;
use crate::{saved, verdicts};
use certifier::Certifier;
pub(crate) use folder::{Folder, Origin, Place};
use output::Outputs;
use pictures::Pictures;
use report::Report;

pub(crate) fn run(args: &RunArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let begun = Instant::now();
    let scene = load(args)?;
    let place = Place::choose(args.output.as_deref(), scene.name(), args.force)?;
    if let Some(path) = &args.report {
        check_report_path(path, args.output.as_deref())?;
    }
    if let Some(path) = &args.html {
        check_report_path(path, args.output.as_deref())?;
    }
    let pictures = Pictures::choose(&scene, args)?;
    let job = Job { scene, place, args, begun, pictures };
    let mut work = || match job.scene.model.precision {
        Precision::F32 => job.run::<f32>(console),
        Precision::F64 => job.run::<f64>(console),
    };
    match args.threads {
        None => work(),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
            pool.map_err(|error| CliError::Refused(format!("cannot start {threads} threads: {error}")))?
                .install(work)
        }
    }
}

/// The scene with what the command line says in place of its own settings.
fn load(args: &RunArgs) -> Result<Scene, CliError> {
    let mut scene = match &args.scene {
        Some(path) => Scene::load(path)?,
        None => Template::default_scene().scene()?,
    };
    if let Some(frames) = args.frames {
        scene.model.frames = frames;
    }
    if let Some(plan) = args.plan {
        scene.model.solver.plan = Some(match plan {
            PlanArg::Auto => PlanModel::Auto,
            PlanArg::Sequential => PlanModel::Sequential,
            PlanArg::Coloured => PlanModel::Coloured,
            PlanArg::Clustered => PlanModel::Clustered,
        });
    }
    if let Some(precision) = args.precision {
        scene.model.precision = match precision {
            PrecisionArg::F32 => Precision::F32,
            PrecisionArg::F64 => Precision::F64,
        };
    }
    Ok(scene)
}

/// A run that has been accepted.
struct Job<'a> {
    scene: Scene,
    place: Place,
    args: &'a RunArgs,
    begun: Instant,
    pictures: Pictures,
}

impl Job<'_> {
    fn run<T: Float>(&self, console: &mut Console<'_>) -> Result<(), CliError> {
        let scene = &self.scene;
        let mut built: Built<T> = scene.build()?;
        let setup_s = self.begun.elapsed().as_secs_f64();
        let mut certifier = Certifier::begin(self.args, scene, &mut built.simulation)?;

        let mut folder = Folder::create(&self.place, &origin(scene), self.args.force)?;
        let speak = !self.args.quiet;
        if speak {
            console.remark(&format!("{}: writing to {}", scene.name(), folder.path().display()));
            for body in &built.bodies {
                console.remark(describe_body(body).trim_end());
            }
        }
        let mut report = Report::begin(scene, &built, setup_s);
        let mut outputs = Outputs::create(&built.bodies, &scene.model, &mut folder)?;
        outputs.write(&built.simulation, &mut folder)?;

        let bar = progress_bar(scene.model.frames, speak && console.terminal);
        let mut last: Option<FrameReport> = None;
        for frame in 1..=scene.model.frames {
            let stepped =
                certifier.step(&mut built.simulation, scene.time_step(), frame == scene.model.frames);
            let stepped = stepped.map_err(|error| {
                bar.abandon();
                CliError::Step { error, frames: frame - 1, folder: folder.path().to_owned() }
            })?;
            let write = Instant::now();
            if frame % scene.model.output.every == 0 {
                outputs.write(&built.simulation, &mut folder)?;
                if self.args.save_multipliers {
                    save(&built.simulation, &mut folder)?;
                }
            }
            report.take(&stepped, milliseconds(write));
            last = stepped.report.or(last);
            bar.inc(1);
        }
        bar.finish_and_clear();

        let mut written = outputs.finish(scene, &mut folder)?;
        let (json, csv) = certifier.files(scene.name());
        folder.write("certificate.json", &json)?;
        folder.write("certificate.csv", &csv)?;
        written.push((
            "certificate.json".to_owned(),
            "how good the answer is, frame by frame; the same as a table in certificate.csv".to_owned(),
        ));
        written.extend(self.pictures.announce(&mut folder)?);
        report.files = folder.files().to_vec();
        report.finish(self.begun.elapsed().as_secs_f64());
        let path = folder.path().to_owned();
        folder.finish(&report.to_json())?;
        if let Some(file) = &self.args.report {
            write_whole(file, &report.to_json())?;
        }
        self.pictures.draw(&path, console)?;
        if speak {
            let last = last.as_ref().expect("a scene has at least one frame");
            let mut text = table::table(&report, last);
            text += &verdicts::table(&certifier.certificate, &built.simulation, &built.bodies);
            if self.args.adaptive.is_some() {
                text += &format!(
                    "{} substeps in all, {} to {} a frame; {} of {} frames were done more than once\n\n",
                    certifier.total,
                    report.summary.fewest_substeps,
                    report.summary.most_substeps,
                    certifier.repeated,
                    report.summary.frames,
                );
            }
            for (file, how) in written {
                text += &format!("{}\n    {how}\n", path.join(file).display());
            }
            if let Some(page) = &self.args.html {
                text += &format!(
                    "{}\n    any browser: the numbers, and the run to turn and play\n",
                    page.display()
                );
            }
            console.print(&text)?;
        }
        verdicts::check(&certifier.certificate)
    }
}

/// Writes the state with its multipliers.
fn save<T: Float>(simulation: &Simulation<T>, folder: &mut Folder) -> Result<(), CliError> {
    let path = folder.announce(&saved::file_of(simulation.frame()))?;
    let parent = folder_of(&path);
    std::fs::create_dir_all(parent).map_err(CliError::io(&path))?;
    let mut file = visible_file(parent).map_err(CliError::io(&path))?;
    saved::to_tensors(&simulation.record())
        .write(std::io::BufWriter::new(&mut file))
        .map_err(CliError::io(&path))?;
    file.persist(&path).map(drop).map_err(|error| CliError::io(&path)(error.error))
}

fn origin(scene: &Scene) -> Origin {
    let text = if scene.text().is_empty() { scene.to_toml() } else { scene.text().to_owned() };
    Origin { name: scene.name().to_owned(), copy: "scene.toml", text }
}

pub(crate) fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// A bar with the frame rate and the time left.
pub(crate) fn progress_bar(frames: u32, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {rate} frames/s, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{:.1}", state.per_sec());
        });
    ProgressBar::with_draw_target(Some(frames.into()), ProgressDrawTarget::stderr()).with_style(style)
}

/// Finds out early that a report could not be written late. The folder of the run may not be there yet.
fn check_report_path(path: &Path, output: Option<&Path>) -> Result<(), CliError> {
    if path.is_dir() {
        return Err(CliError::Refused(format!(
            "{} is a directory; name a file for the report",
            path.display()
        )));
    }
    if output == Some(folder_of(path)) {
        return Ok(());
    }
    visible_file(folder_of(path)).map(drop).map_err(CliError::unwritable(path))
}

/// Writes a file in one step, over one that stands there.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), CliError> {
    let mut file = visible_file(folder_of(path)).map_err(CliError::io(path))?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(CliError::io(path))?;
    file.persist(path).map(drop).map_err(|error| CliError::io(path)(error.error))
}

/// A temporary file that will be a file like any other; those of `tempfile` are private by default.
pub(crate) fn visible_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pliant.").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path of a file of a run, from its name with slashes.
fn from_slashes(name: &str) -> PathBuf {
    name.split('/').collect()
}

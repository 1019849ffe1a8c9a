//! `pliant run`: from a scene to a folder with an animation.

mod certifier;
mod folder;
mod journal;
mod lock;
mod measured;
mod output;
mod owned;
mod pictures;
mod place;
mod repaired;
pub mod report;
mod table;

use pliant_mesh::counted;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use pliant_scene::model::{Field, PlanModel, Precision};
use pliant_scene::{Built, Precise, Scene, Template};
use pliant_solver::{Float, FrameReport, Simulation, Snapshot};
use tempfile::NamedTempFile;

use crate::args::{PlanArg, PrecisionArg, RunArgs};
use crate::certificate::verdict_record;
use crate::check::{describe_body, is_stack, told_of};
use crate::console::Console;
use crate::error::CliError;
use crate::threads::on_threads;
use crate::{saved, verdicts};
use certifier::{Certifier, substeps_to_resolve};
pub(crate) use folder::{Folder, Origin};
use journal::{Journal, Layout, Past};
pub(crate) use measured::RESIDUAL;
use output::{Outputs, State};
use pictures::Pictures;
pub(crate) use place::{Intent, Place};
use report::Report;

/// Said where the precision was left to the program and is not the usual one.
const ASKS_FOR_MORE_DIGITS: &str =
    "in double precision: rounding to the single one would show (precision = \"f32\" forbids it)";

pub(crate) fn run(args: &RunArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let begun = Instant::now();
    let scene = load(args)?;
    let place = Place::choose(args.output.as_deref(), scene.name(), args.intent())?;
    if let Some(path) = &args.report {
        check_report_path(path, args.output.as_deref())?;
    }
    if let Some(path) = &args.html {
        check_report_path(path, args.output.as_deref())?;
    }
    let pictures = Pictures::choose(&scene, args)?;
    let job = Job { scene, place, args, begun, pictures };
    let work = || match crate::reading::shown(console.is_watched(), || {
        job.scene.build_precise_for(|substeps| substeps_to_resolve(args, substeps))
    })? {
        Precise::Single(built) => job.run(built, console),
        Precise::Double(built) => job.run(built, console),
    };
    on_threads(args.threads, work)
}

/// The scene with what the command line says in place of its own settings.
fn load(args: &RunArgs) -> Result<Scene, CliError> {
    let mut scene = match &args.scene {
        Some(path) if is_stack(path) => {
            let path = path.display();
            return Err(CliError::Refused(format!(
                "{path} is a stack of deformers; run it with `pliant deform {path}`"
            )));
        }
        Some(path) => Scene::load(path)?,
        None => Template::default_scene().scene()?,
    };
    if let Some(frames) = args.frames {
        scene.model.frames = frames;
    }
    if let Some(substeps) = args.substeps {
        scene.model.solver.substeps = Some(substeps);
    }
    scene.model.accept.extend(&args.accept);
    if let Some(plan) = args.plan {
        scene.model.solver.plan = Some(match plan {
            PlanArg::Auto => PlanModel::Auto,
            PlanArg::Sequential => PlanModel::Sequential,
            PlanArg::Coloured => PlanModel::Coloured,
            PlanArg::Clustered => PlanModel::Clustered,
            PlanArg::Ordered => PlanModel::Ordered,
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
    /// What the numbers of the run depend on: one that goes on must be the same in all of it.
    fn key<T: Float>(&self, simulation: &Simulation<T>) -> Vec<(String, String)> {
        let args = self.args;
        [
            ("the version of the program", env!("CARGO_PKG_VERSION").to_owned()),
            ("the number of frames", self.scene.model.frames.to_string()),
            ("the precision", T::NAME.to_owned()),
            ("the scene", self.scene.to_toml()),
            ("where the meshes start", format!("{:016x}", simulation.state_hash())),
            ("--require", args.require.join(", ")),
            ("--report-every", args.report_every.to_string()),
            ("--adaptive", format!("{:?}", args.adaptive)),
            ("--save-multipliers", args.save_multipliers.to_string()),
        ]
        .map(|(what, value)| (what.to_owned(), value))
        .to_vec()
    }

    /// What the journal keeps of a frame.
    fn layout<T: Float>(&self, simulation: &Simulation<T>) -> Layout {
        let fields = &self.scene.model.output.fields;
        let groups = if fields.contains(&Field::Residual) { simulation.plan().len() } else { 0 };
        Layout {
            particles: simulation.len(),
            velocities: fields.contains(&Field::Velocity),
            residuals: groups,
            wide: T::NAME == <f64 as Float>::NAME,
        }
    }

    fn run<T: Float>(&self, mut built: Built<T>, console: &mut Console<'_>) -> Result<(), CliError> {
        let scene = &self.scene;
        let setup_s = self.begun.elapsed().as_secs_f64();
        let mut certifier = Certifier::begin(self.args, scene, &mut built.simulation)?;
        self.pictures.check(&built.simulation)?;

        let (key, layout) = (self.key(&built.simulation), self.layout(&built.simulation));
        // Held until everything is written, the pictures included.
        let claim = self.place.claim()?;
        // Read before anything is touched.
        let past = if claim.goes_on() { Some(Past::read(claim.path(), &key, layout)?) } else { None };
        let mut folder = match past {
            Some(_) => Folder::reopen(&claim, &origin(scene))?,
            None => Folder::create(&claim, &origin(scene))?,
        };
        console.remark(&format!("{}: writing to {}", scene.name(), folder.path().display()));
        for body in &built.bodies {
            console.remark(describe_body(body).trim_end());
        }
        if scene.model.precision == Precision::Auto && T::NAME == <f64 as Float>::NAME {
            console.remark(ASKS_FOR_MORE_DIGITS);
        }
        for remark in scene.foresee(&built) {
            console.remark(told_of(&remark).trim_end());
        }
        let mut report = Report::begin(scene, &built, setup_s);
        let mut outputs = Outputs::create(&built.bodies, &built.simulation, &scene.model, &mut folder)?;
        let (mut journal, done, repaired) = if let Some(mut past) = past {
            let snapshot = Snapshot::from_numbers(&past.state, &built.simulation)
                .map_err(|error| CliError::Refused(format!("{}: {error}", folder.path().display())))?;
            outputs.write(&past.next()?, &mut folder)?;
            let repaired = repaired::write(&built.bodies, &mut folder)?;
            for k in 1..past.written() {
                outputs.write(&past.next()?, &mut folder)?;
                if self.args.save_multipliers {
                    folder.announce(&saved::file_of(k * u64::from(scene.model.output.every)))?;
                }
            }
            built.simulation.restore(&snapshot);
            certifier.take_up(&past, &built.simulation);
            report.take_up(&past.lines);
            let done = past.frame();
            console.remark(&format!("going on from frame {done}"));
            (past.reopen(self.args.checkpoint_every, self.begun)?, done, repaired)
        } else {
            let mut journal = Journal::begin(&folder, key, layout, self.args.checkpoint_every, self.begun)?;
            let state = State::of(&built.simulation, layout);
            outputs.write(&state, &mut folder)?;
            let repaired = repaired::write(&built.bodies, &mut folder)?;
            journal.write(&state)?;
            checkpoint(&mut journal, 0, &built.simulation, &certifier)?;
            (journal, 0, repaired)
        };

        let frames = scene.model.frames;
        let bar = progress_bar(frames, console.is_watched());
        bar.inc(done.into());
        let mut last: Option<FrameReport> = None;
        for frame in done + 1..=frames {
            let stepped = certifier.step(&mut built.simulation, scene.time_step(), frame == frames);
            let stepped = stepped.map_err(|error| {
                bar.abandon();
                CliError::Step { error, frames: frame - 1, folder: folder.path().to_owned() }
            })?;
            let write = Instant::now();
            if frame % scene.model.output.every == 0 {
                let state = State::of(&built.simulation, layout);
                outputs.write(&state, &mut folder)?;
                journal.write(&state)?;
                if self.args.save_multipliers {
                    save(&built.simulation, &mut folder)?;
                }
            }
            journal.note(&report.take(&stepped, milliseconds(write)))?;
            last = stepped.report.or(last);
            bar.inc(1);
            let stop = self.args.stop_after.is_some_and(|stop| frame >= stop);
            // Not at the end: a run that goes on needs a frame to tell of.
            if frame < frames && certifier.is_at_rest(frame) && (stop || journal.is_due(frame)) {
                checkpoint(&mut journal, frame, &built.simulation, &certifier)?;
                if stop {
                    bar.finish_and_clear();
                    console.remark(&format!(
                            "stopped after frame {frame} of {frames}; the same command goes on with `--continue -o {}` in place of --stop-after",
                            folder.path().display()
                        ));
                    return Ok(());
                }
            }
        }
        bar.finish_and_clear();

        let mut written = outputs.finish(scene, &mut folder)?;
        written.extend(repaired);
        let (json, csv) = certifier.files(scene.name());
        folder.write("certificate.json", &json)?;
        folder.write("certificate.csv", &csv)?;
        written.push((
            "certificate.json".to_owned(),
            "how good the answer is, frame by frame; the same as a table in certificate.csv".to_owned(),
        ));
        written.extend(self.pictures.announce(&report, &mut folder)?);
        report.files = folder.files().to_vec();
        report.verdict = Some(verdict_record(&certifier.certificate.judgement()));
        report.finish(journal.wall_s());
        let path = folder.path().to_owned();
        folder.finish(&report.to_json())?;
        if let Some(file) = &self.args.report {
            write_whole(file, &report.to_json())?;
        }
        self.pictures.draw(&report, &path, console)?;
        if !console.quiet {
            let last = last.as_ref().expect("a scene has at least one frame");
            let mut text = table::table(&report, last);
            text += &verdicts::table(&certifier.certificate, &built.simulation, &built.bodies);
            text += &verdicts::judgement(&certifier.certificate, &built.simulation, &built.bodies);
            if self.args.adaptive.is_some() {
                text += &format!(
                    "{} in all, {} to {} a frame; done more than once: {} of {}\n\n",
                    counted(certifier.total, "substep", "substeps"),
                    report.summary.fewest_substeps,
                    report.summary.most_substeps,
                    certifier.repeated,
                    counted(report.summary.frames, "frame", "frames"),
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
        verdicts::check(&certifier.certificate, &scene.model.accept)
    }
}

/// Makes a checkpoint of the present state, if any are wanted.
fn checkpoint<T: Float>(
    journal: &mut Journal,
    frame: u32,
    simulation: &Simulation<T>,
    certifier: &Certifier,
) -> Result<(), CliError> {
    if journal.is_off() {
        return Ok(());
    }
    journal.checkpoint(frame, simulation.snapshot().to_numbers(), certifier.tally(), certifier.memory())
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

//! `pliant run`: from a scene to a folder with an animation.

mod pictures;
mod table;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use pliant_mesh::counted;
use pliant_run::files::{folder_of, visible_file, write_whole};
use pliant_run::report::StageRecord;
use pliant_run::{Checkpoints, Finished, Options, Run, RunError, RunFolder, SubstepRange, whole};
use pliant_scene::model::{MethodModel, PlanModel, Precision};
use pliant_scene::{Built, Precise, Scene, Template};
use pliant_solver::Float;

use crate::args::{MethodArg, PlanArg, PrecisionArg, RunArgs};
use crate::check::{describe_body, is_stack, told_of};
use crate::console::Console;
use crate::error::CliError;
use crate::progress::progress_bar;
use crate::stop::Stop;
use crate::threads::on_threads;
use crate::verdicts;
use pictures::Pictures;

/// Why a scene is in double precision that does not ask for it.
fn reason_for_double(asked: Precision) -> Option<&'static str> {
    match asked {
        Precision::Auto => Some("in double precision, because rounding to single precision would show"),
        Precision::F32 => Some(
            "in double precision, although single is asked for: rounding could ruin the run (accept = \
            [\"resolution\"] keeps single precision)",
        ),
        Precision::F64 => None,
    }
}

pub(crate) fn run(args: &RunArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let begun = Instant::now();
    let stop = Stop::at_once_until_ready();
    let scene = load(args)?;
    let options = options(args, begun);
    let outcome = match &args.ensure {
        Some(folder) if is_whole(folder, &scene, &options, console)? => return Ok(()),
        _ => simulate(args, scene.clone(), options.clone(), stop, console),
    };
    match (&args.ensure, outcome) {
        (Some(_), Err(CliError::Run(error @ RunError::Taken { .. }))) => {
            Err(CliError::Again(error.to_string()))
        }
        // Another process has finished it meanwhile.
        (Some(folder), Err(CliError::Refused(_))) if is_whole(folder, &scene, &options, console)? => Ok(()),
        (_, outcome) => outcome,
    }
}

/// Whether a folder already holds the finished run.
fn is_whole(
    folder: &Path,
    scene: &Scene,
    options: &Options,
    console: &mut Console<'_>,
) -> Result<bool, CliError> {
    let Some(report) = whole(folder, scene, options)? else { return Ok(false) };
    let (shown, hash) = (folder.display(), &report.summary.state_hash);
    console.remark(&format!("the run in {shown} is finished: state {hash}"));
    Ok(true)
}

/// Runs a scene in its folder.
fn simulate(
    args: &RunArgs,
    scene: Scene,
    options: Options,
    stop: Stop,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    let run_folder = RunFolder::choose(args.folder(), scene.name(), args.intent())?;
    for path in args.report.iter().chain(&args.html) {
        check_report_path(path, args.scene.as_deref(), args.folder())?;
    }
    let pictures = Pictures::choose(&scene, args)?;
    let job = Job { scene, run_folder, args, options, pictures, stop };
    let work = || match crate::reading::shown(console.is_watched(), || {
        job.scene.build_precise_for(|substeps| job.options.substeps_to_resolve(substeps))
    })? {
        Precise::Single(built) => job.run(built, console),
        Precise::Double(built) => job.run(built, console),
    };
    on_threads(args.threads, work)
}

/// The scene, with the settings of the command line in place of its own.
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
    if let Some(from) = &args.from {
        // Relative to here, and not to the scene.
        scene.model.from = Some(std::path::absolute(from).map_err(CliError::io(from))?);
    }
    if let Some(substeps) = args.substeps {
        scene.model.solver.substeps = Some(substeps);
        scene.model.stages.iter_mut().for_each(|stage| stage.substeps = None);
    }
    let solver = &mut scene.model.solver;
    if let Some(method) = args.method {
        solver.method = Some(match method {
            MethodArg::Sweeps => MethodModel::Sweeps,
            MethodArg::Coarse => MethodModel::Coarse,
            MethodArg::Newton => MethodModel::Newton,
            MethodArg::Auto => MethodModel::Auto,
        });
        // The accuracy of the scene belongs to the method of the scene.
        if matches!(method, MethodArg::Sweeps | MethodArg::Coarse) {
            if args.accuracy.is_some() {
                return Err(CliError::Refused(
                    "--accuracy applies to the methods auto and newton; leave it out, or name one of them \
                    with --method"
                        .into(),
                ));
            }
            solver.accuracy = None;
        }
    }
    if let Some(accuracy) = args.accuracy {
        solver.accuracy = Some(accuracy);
        if !matches!(solver.method, Some(MethodModel::Newton)) {
            solver.method = Some(MethodModel::Auto);
        }
    }
    scene.model.accept.extend(&args.accept);
    if let Some(plan) = args.plan {
        scene.model.solver.plan = Some(match plan {
            PlanArg::Auto => PlanModel::Auto,
            PlanArg::Sequential => PlanModel::Sequential,
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

/// The options of the run that are not in its scene.
fn options(args: &RunArgs, begun: Instant) -> Options {
    Options {
        require: args.require.clone(),
        report_every: args.report_every,
        adaptive: args
            .adaptive
            .clone()
            .map(|limits| limits.map_or(SubstepRange::Usual, SubstepRange::Within)),
        save_multipliers: args.save_multipliers,
        checkpoints: args.checkpoint_every.unwrap_or_default(),
        begun,
    }
}

/// Why a run stops before its last frame.
enum StopReason {
    /// A signal asked for it.
    Signal,
    /// The command line did.
    StopAfter,
}

/// A run that has been accepted.
struct Job<'a> {
    scene: Scene,
    run_folder: RunFolder,
    args: &'a RunArgs,
    options: Options,
    pictures: Pictures,
    stop: Stop,
}

impl Job<'_> {
    fn run<T: Float>(&self, built: Built<T>, console: &mut Console<'_>) -> Result<(), CliError> {
        let scene = &self.scene;
        self.pictures.check(&built.simulation)?;
        self.stop.ready();
        let mut run = Run::open(scene, built, &self.run_folder, &self.options)?;
        self.tell_of_start(&run, console);

        let frames = run.frames();
        let bar = progress_bar(frames, console.is_watched());
        bar.inc(run.frame().into());
        let is_signalled = |run: &Run<'_, T>| self.stop.is_asked() && run.frame() < frames;
        let asked = |run: &Run<'_, T>| {
            if is_signalled(run) {
                return ControlFlow::Break(StopReason::Signal);
            }
            let is_over = self.args.stop_after.is_some_and(|stop| run.frame() >= stop) && run.can_go_on();
            if is_over { ControlFlow::Break(StopReason::StopAfter) } else { ControlFlow::Continue(()) }
        };
        let stepped = if is_signalled(&run) {
            // Opening the run has made a checkpoint.
            Ok(ControlFlow::Break(StopReason::Signal))
        } else {
            run.step_all(|run| {
                bar.inc(1);
                asked(run)
            })
        };
        let stepped = stepped.inspect_err(|_| bar.abandon())?;
        bar.finish_and_clear();
        match stepped {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(StopReason::Signal) => return Err(self.stopped(&run)),
            ControlFlow::Break(StopReason::StopAfter) => {
                let (frame, folder) = (run.frame(), run.folder().display());
                console.remark(&format!(
                    "stopped after frame {frame} of {frames}; to resume, run the same command with `--continue -o {folder}` instead of --stop-after"
                ));
                return Ok(());
            }
        }

        let (drawn, hints) = self.pictures.files(run.report());
        let mut finished = run.finish(&drawn)?;
        finished.files.extend(hints);
        if let Some(file) = &self.args.report {
            write_whole(file, &finished.report.to_json())?;
        }
        self.pictures.draw(&finished.report, &finished.folder, console)?;
        for remark in finished.report.stages.iter().filter_map(StageRecord::remark) {
            console.remark(&remark);
        }
        if !console.quiet {
            console.print(&self.summary(&finished))?;
        }
        // Whether the run is there is one question, and how good its answer is another: `pliant certify` answers that.
        if self.args.ensure.is_some() {
            return Ok(());
        }
        verdicts::check(&finished.certificate, &scene.model)
    }

    /// A signal stopped the run: where it is, and how to resume it.
    fn stopped<T: Float>(&self, run: &Run<'_, T>) -> CliError {
        let (frame, frames, folder) = (run.frame(), run.frames(), run.folder().display());
        let how = match (&self.options.checkpoints, &self.args.ensure) {
            (Checkpoints::Never, _) => {
                format!("it has no checkpoints: to start over, add `--force -o {folder}`")
            }
            (_, Some(_)) => "to resume, run the same command".to_owned(),
            (_, None) => format!("to resume, run the same command with `--continue -o {folder}`"),
        };
        CliError::Again(format!("stopped by a signal after frame {frame} of {frames}; {how}"))
    }

    /// Reports where the run is written, what it simulates, and the remarks.
    fn tell_of_start<T: Float>(&self, run: &Run<'_, T>, console: &mut Console<'_>) {
        let (scene, built) = (&self.scene, run.built());
        console.remark(&format!("{}: writing to {}", scene.name(), run.folder().display()));
        for body in &built.bodies {
            console.remark(describe_body(body).trim_end());
        }
        if T::NAME == <f64 as Float>::NAME
            && let Some(reason) = reason_for_double(scene.model.precision)
        {
            console.remark(reason);
        }
        for remark in scene.foresee(built) {
            console.remark(told_of(&remark).trim_end());
        }
        if run.goes_on() {
            console.remark(&format!("resuming from frame {}", run.frame()));
        }
    }

    /// The tables at the end, and the files to open.
    fn summary<T: Float>(&self, finished: &Finished<T>) -> String {
        let Finished { report, certificate, built, .. } = finished;
        let mut text = table::table(report, &finished.last);
        text += &verdicts::table(certificate, &built.simulation, &built.bodies);
        text += &verdicts::judgement(certificate, &built.simulation, &built.bodies);
        text += &verdicts::drawn(certificate);
        if self.options.adaptive.is_some() {
            text += &format!(
                "{} in all, {} to {} a frame; done more than once: {} of {}\n\n",
                counted(finished.substeps, "substep", "substeps"),
                report.summary.fewest_substeps,
                report.summary.most_substeps,
                finished.repeated,
                counted(report.summary.frames, "frame", "frames"),
            );
        }
        if let Some(chosen) = &finished.chosen {
            text += &format!("{chosen}\n\n");
        }
        for (file, how) in &finished.files {
            text += &format!("{}\n    {how}\n", finished.folder.join(file).display());
        }
        if let Some(page) = &self.args.html {
            text +=
                &format!("{}\n    any browser: the numbers, and the run to turn and play\n", page.display());
        }
        text
    }
}

/// Checks before the run that its report can be written at the end. The folder of the run may not exist yet.
fn check_report_path(path: &Path, scene: Option<&Path>, output: Option<&Path>) -> Result<(), CliError> {
    let is_scene =
        |scene: &Path| matches!((path.canonicalize(), scene.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if scene.is_some_and(is_scene) {
        return Err(CliError::Refused(format!(
            "{} is the scene; name another file for the report",
            path.display()
        )));
    }
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

//! `pliant deform`: an animated mesh through a stack of deformers.

mod output;
pub mod report;
mod table;

use pliant_mesh::counted;
use std::time::Instant;

use pliant_run::{Folder, Intent, Origin, RunFolder};
use pliant_scene::{BuiltStack, FrameError, Scene, StackFile};

use crate::args::DeformArgs;
use crate::console::Console;
use crate::error::CliError;
use crate::progress::{milliseconds, progress_bar};
use crate::threads::on_threads;
use output::Outputs;
pub(crate) use report::DeformReport;
use report::DeformedFrame;

pub(crate) fn deform(args: &DeformArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let begun = Instant::now();
    let mut file = StackFile::load(&args.stack).map_err(|error| {
        let path = args.stack.display();
        match Scene::load(&args.stack) {
            Ok(_) => CliError::Refused(format!("{path} is a scene; run it with `pliant run {path}`")),
            Err(_) => error.into(),
        }
    })?;
    if args.frames.is_some() {
        file.model.frames = args.frames;
    }
    let intent = if args.force { Intent::Replace } else { Intent::Begin };
    let run_folder = RunFolder::choose(args.output.as_deref(), file.name(), intent)?;
    let work = || run(args, &file, &run_folder, begun, console);
    on_threads(args.threads, work)
}

fn run(
    args: &DeformArgs,
    file: &StackFile,
    run_folder: &RunFolder,
    begun: Instant,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    let mut built = file.build()?;
    let setup_s = begun.elapsed().as_secs_f64();
    let origin = Origin { name: file.name().to_owned(), copy: "stack.toml", text: file.text().to_owned() };
    // Held until everything is written.
    let claim = run_folder.claim()?;
    let mut folder = Folder::create(&claim, &origin)?;
    console.remark(&format!("{}: writing to {}", file.name(), folder.path().display()));
    console.remark(&describe(&built));
    let mut report = DeformReport::begin(file, &built, setup_s);
    let mut outputs = Outputs::create(file, &built, &mut folder)?;
    let bar = progress_bar(built.frames, console.is_watched());
    for frame in 0..built.frames {
        let work = Instant::now();
        let (positions, layers) = built.frame(frame).map_err(|error| {
            bar.abandon();
            broken(error, &folder)
        })?;
        let deform_ms = milliseconds(work);
        let write = Instant::now();
        if frame % file.model.output.every.get() == 0 {
            outputs.write(built.time(frame), &positions, &mut folder)?;
        }
        report.frames.push(DeformedFrame::new(
            frame,
            built.time(frame),
            &layers,
            deform_ms,
            milliseconds(write),
        ));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut written = outputs.finish(&mut folder)?;
    written.push(("run.json".to_owned(), "every frame and deformer in numbers".to_owned()));
    report.files = folder.files().to_vec();
    report.wall_s = begun.elapsed().as_secs_f64();
    let path = folder.path().to_owned();
    folder.finish(&report.to_json())?;
    let mut text = table::table(&report, args.table);
    for (file, how) in written {
        text += &format!("{}\n    {how}\n", path.join(file).display());
    }
    console.tell(&text)
}

/// A frame that cannot be deformed: bad input, or a deformer that broke down.
fn broken(error: FrameError, folder: &Folder) -> CliError {
    CliError::Deform { error: Box::new(error), folder: folder.path().to_owned() }
}

/// A line on a stack, and one for each note on it.
pub(crate) fn describe(built: &BuiltStack) -> String {
    let (vertices, triangles) = (built.mesh.positions().len(), built.mesh.triangles().len());
    let mut text = format!(
        "{}, {}; {} at {} per second; {}",
        counted(vertices, "vertex", "vertices"),
        counted(triangles, "triangle", "triangles"),
        counted(built.frames, "frame", "frames"),
        built.frame_rate,
        built.layers.join(" → ")
    );
    for note in &built.notes {
        text += &format!("\n  {note}");
    }
    text
}

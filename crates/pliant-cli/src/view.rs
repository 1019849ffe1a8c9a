//! `pliant view`: a scene that runs, a skin before and after its deformers, or a finished run, in a browser.

use std::path::Path;

use pliant_run::{Intent, RunFolder};
use pliant_scene::{Scene, StackFile, Template};
use pliant_view::{Server, Show, Skin};

use crate::args::ViewArgs;
use crate::check::is_stack;
use crate::console::Console;
use crate::error::CliError;
use crate::render::run_as_page;
use crate::stop::Stop;
use crate::threads::on_threads;

/// Where scenes that are changed on the page of the built-in scene are written.
const BUILT_IN: &str = "default.toml";

pub(crate) fn view(args: &ViewArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    match &args.input {
        Some(folder) if folder.is_dir() && args.record.is_some() => Err(CliError::Refused(format!(
            "{} is a finished run, which is not recorded again; --record takes a scene",
            folder.display()
        ))),
        Some(folder) if folder.is_dir() => {
            let page = run_as_page(folder, console)?;
            let server = bind(args)?;
            tell(&server, "the run", console)?;
            server.run_page(&page).map_err(|error| ended(&error))
        }
        Some(path) if is_stack(path) && args.record.is_some() => Err(CliError::Refused(format!(
            "{} is a stack of deformers, which is not recorded: `pliant deform` writes its frames",
            path.display()
        ))),
        Some(path) if is_stack(path) => skin(args, StackFile::load(path)?, path, console),
        Some(path) => live(args, Scene::load(path)?, Some(path), console),
        None => live(args, Template::default_scene().scene()?, None, console),
    }
}

/// Shows a scene while it runs, and takes it again whenever its file changes.
fn live(
    args: &ViewArgs,
    scene: Scene,
    file: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    let intent = if args.force { Intent::Replace } else { Intent::Begin };
    let record = args.record.as_deref().map(|folder| RunFolder::choose(Some(folder), scene.name(), intent));
    let record = record.transpose()?;
    let server = bind(args)?.saving_beside(file.unwrap_or(Path::new(BUILT_IN)));
    // A recording is completed before the program ends.
    let server = server.ending_with(Stop::on_signals().flag());
    let server = match file {
        Some(file) => server.watching(file),
        None => server,
    };
    tell(&server, scene.name(), console)?;
    let recorded = on_threads(args.threads, || {
        let mut show = Show::of_scene(scene)?.recorded_by_pages();
        if let Some(folder) = &record {
            show.record(folder)?;
        }
        let served = server.run(&mut show);
        let recorded = show.end_recording()?;
        served.map_err(|error| ended(&error))?;
        Ok(recorded)
    })?;
    if let Some(folder) = recorded {
        let folder = folder.display();
        console.remark(&format!("recorded to {folder}; `pliant view {folder}` plays it"));
    }
    Ok(())
}

/// Shows a skin before and after its deformers, and takes its file again whenever it changes.
fn skin(args: &ViewArgs, stack: StackFile, file: &Path, console: &mut Console<'_>) -> Result<(), CliError> {
    let server = bind(args)?.saving_beside(file).watching(file).ending_with(Stop::on_signals().flag());
    tell(&server, stack.name(), console)?;
    on_threads(args.threads, || server.run(&mut Skin::of_stack(stack)?).map_err(|error| ended(&error)))
}

fn bind(args: &ViewArgs) -> Result<Server, CliError> {
    let bound = match &args.at {
        Some(address) => Server::again(address),
        None => Server::bind(args.port.unwrap_or(0)),
    };
    bound.map_err(|error| CliError::Refused(format!("cannot show it on this machine: {error}")))
}

fn ended(error: &std::io::Error) -> CliError {
    CliError::Refused(format!("connections can no longer be accepted: {error}"))
}

/// Prints the address, which was asked for, and beside it what to do.
fn tell(server: &Server, what: &str, console: &mut Console<'_>) -> Result<(), CliError> {
    console.print(&format!("{}\n", server.address()))?;
    console.remark(&format!(
        "{what}: open the address above in a browser on this machine; whoever has it can take part. Ctrl-C ends it; --at with the same address shows something else on the same page"
    ));
    Ok(())
}

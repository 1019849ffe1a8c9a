//! `pliant sweep`: studies, from a file to units, their runs, a table and plots.

use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

use pliant_mesh::counted;
use pliant_render::Size;
use pliant_run::files::write_whole;
use pliant_sweep::{Chart, Outcome, State, Study, Table, Tally, work};

use crate::args::{Side, SweepArgs, SweepCommand};
use crate::console::Console;
use crate::error::{CliError, refused};
use crate::stop::Stop;

pub(crate) fn sweep(args: &SweepArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    match &args.command {
        Some(SweepCommand::Table { dir, output }) => table(dir, output.as_deref(), console),
        Some(SweepCommand::Plot { dir, quantity, over, by, output, size }) => {
            let chart = Chart { quantity: quantity.clone(), over: over.clone(), by: by.clone() };
            plot(dir, &chart, output, *size)
        }
        Some(SweepCommand::Slurm { study, output, jobs, time }) => {
            // Read now, so that a mistake is found here and not by every job.
            Study::load(study)?;
            let absolute = |path: &Path| std::path::absolute(path).map_err(CliError::io(path));
            let (study, output) = (absolute(study)?, absolute(output)?);
            console.print(&pliant_sweep::slurm(&study, &output, *jobs, time.as_deref()))
        }
        None => study(args, console),
    }
}

/// Expands a study, and runs it if that is asked for.
fn study(args: &SweepArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let (Some(file), Some(out)) = (&args.study, &args.output) else {
        return Err(CliError::Refused("name a study and, with --output, the folder of its units".to_owned()));
    };
    let study = Study::load(file)?;
    let units = study.expand(out, args.shard.unwrap_or_default())?;
    let outcome = if args.run {
        let stop = Stop::on_signals();
        let cores = available_parallelism().map_or(1, NonZero::get);
        let workers = args.jobs.map_or(cores, usize::from);
        let tally = work(out, &units, workers, &|| stop.is_asked(), &mut |step| {
            let (name, done, of) = (&step.unit.name, step.done, step.of);
            let what = match step.outcome {
                Outcome::Whole => return,
                Outcome::Finished => "finished".to_owned(),
                Outcome::Taken => "another process has it".to_owned(),
                Outcome::Stopped => "stopped".to_owned(),
                Outcome::Failed(why) => format!("failed: {why}"),
                Outcome::Full(why) => format!("stopped: {why}"),
            };
            console.remark(&format!("{done}/{of} {name} {what}"));
        });
        told(&tally, out, console)
    } else {
        let rows = Table::read(out)?.rows;
        let finished =
            |name: &String| rows.iter().any(|row| row.unit == *name && row.state == State::Finished);
        let done = units.iter().filter(|unit| finished(&unit.name)).count();
        let all = counted(units.len() as u64, "unit", "units");
        console.tell(&format!("{all} in {}, {done} finished; --run runs the others\n", out.display()))
    };
    if let Some(file) = &args.table {
        write_whole(file, &Table::read(out)?.to_csv())?;
    }
    outcome
}

/// Reports what became of the units; an error if not every run is there.
fn told(tally: &Tally, out: &Path, console: &mut Console<'_>) -> Result<(), CliError> {
    let Tally { whole, finished, taken, stopped, waiting, failed, full } = tally;
    console.tell(&format!("{finished} finished, {whole} were there before, in {}\n", out.display()))?;
    if let Some(why) = full {
        return Err(CliError::Failed(format!(
            "{why}; what is done stays: make room, and run the same command"
        )));
    }
    if let Some((name, why)) = failed.first() {
        let all = counted(failed.len() as u64, "unit", "units");
        return Err(CliError::Failed(format!("{all} failed; the first is {name}: {why}")));
    }
    match taken + stopped + waiting {
        0 => Ok(()),
        _ => Err(CliError::Again(format!(
            "{stopped} stopped, {waiting} waiting and {taken} in other processes; the same command resumes"
        ))),
    }
}

fn table(dir: &Path, output: Option<&Path>, console: &mut Console<'_>) -> Result<(), CliError> {
    let text = Table::read(dir)?.to_csv();
    match output {
        Some(file) => Ok(write_whole(file, &text)?),
        None => console.print(&text),
    }
}

fn plot(dir: &Path, chart: &Chart, output: &Path, size: Side) -> Result<(), CliError> {
    let plot = chart.plot(&Table::read(dir)?).map_err(|error| CliError::Refused(error.to_string()))?;
    let size = Size::new(size.width, size.height).map_err(refused)?;
    match output.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => plot.write_svg(output, size).map_err(refused),
        Some("png") => plot.write_png(output, size).map_err(refused),
        _ => Err(CliError::Refused(format!("{} is neither .svg nor .png", output.display()))),
    }
}

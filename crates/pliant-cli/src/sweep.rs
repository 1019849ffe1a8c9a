//! `pliant sweep`: studies, from a file to units, their runs, a table and plots.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::{Args, Subcommand};
use pliant_mesh::counted;
use pliant_render::Size;
use pliant_run::files::write_whole;
use pliant_sweep::{Chart, Outcome, Shard, State, Study, Table, Tally, work};

use crate::args::Side;
use crate::console::Console;
use crate::error::{CliError, refused};
use crate::stop::Stop;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SweepArgs {
    #[command(subcommand)]
    command: Option<SweepCommand>,
    /// Study file (TOML): the scene, the keys that vary, and how
    #[arg(value_name = "STUDY.toml", required = true)]
    study: Option<PathBuf>,
    /// Folder of the units; what is done there stays
    #[arg(short, long, value_name = "DIR", required = true)]
    output: Option<PathBuf>,
    /// Run the units that are not finished, with one thread each
    #[arg(long)]
    run: bool,
    /// Only the I-th of N parts of the units, such as 3/16
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// How many units run at a time [default: all cores]
    #[arg(long, value_name = "N", requires = "run", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write the table of all units in the folder to this file
    #[arg(long, value_name = "FILE.csv")]
    table: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum SweepCommand {
    /// Print parameters, quantities, verdicts and hashes of all units as CSV
    Table {
        /// Folder of a study
        dir: PathBuf,
        /// Write to this file instead
        #[arg(short, long, value_name = "FILE.csv")]
        output: Option<PathBuf>,
    },
    /// Plot a quantity over one or two parameters, as SVG or PNG
    Plot {
        /// Folder of a study
        dir: PathBuf,
        /// A quantity of the certificate along y, such as stretch.max, or solve_s
        #[arg(short = 'y', long)]
        quantity: String,
        /// The parameter along x, such as solver.substeps
        #[arg(short = 'x', long, value_name = "KEY")]
        over: String,
        /// A second parameter: a curve for every value, or an axis if it has more than eight
        #[arg(long, value_name = "KEY")]
        by: Option<String>,
        /// File to write; its extension says svg or png
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Width and height in pixels
        #[arg(long, value_name = "WxH", default_value = "960x600", value_parser = crate::args::side)]
        size: Side,
    },
    /// Print a script for sbatch that runs a study as an array of jobs
    Slurm {
        /// Study file (TOML)
        #[arg(value_name = "STUDY.toml")]
        study: PathBuf,
        /// Folder of the units
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        /// Number of jobs
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
        jobs: u32,
        /// Time of a job, such as 01:00:00; a job that does not suffice goes on in the next
        #[arg(long, value_name = "TIME")]
        time: Option<String>,
    },
}

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
    let Tally { whole, finished, taken, stopped, failed, full } = tally;
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
    match taken + stopped {
        0 => Ok(()),
        _ => Err(CliError::Again(format!(
            "{stopped} stopped and {taken} in other processes; the same command goes on"
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

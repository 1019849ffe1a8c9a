//! The arguments of `pliant sweep`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pliant_sweep::Shard;

use super::place::output_file;
use super::side::{Side, side};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SweepArgs {
    #[command(subcommand)]
    pub(crate) command: Option<SweepCommand>,
    /// Study file (TOML): the scene, the keys that vary, and how
    #[arg(value_name = "STUDY.toml", required = true)]
    pub(crate) study: Option<PathBuf>,
    /// Folder of the units; what is done there stays
    #[arg(short, long, value_name = "DIR", required = true)]
    pub(crate) output: Option<PathBuf>,
    /// Run the units that are not finished, with one thread each
    #[arg(long)]
    pub(crate) run: bool,
    /// Only the I-th of N parts of the units, such as 3/16
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    /// How many units run at a time [default: all cores]
    #[arg(long, value_name = "N", requires = "run", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Write the table of all units in the folder to this file
    #[arg(long, value_name = "FILE.csv", value_parser = output_file())]
    pub(crate) table: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SweepCommand {
    /// Print parameters, quantities, verdicts and hashes of all units as CSV
    Table {
        /// Folder of a study
        dir: PathBuf,
        /// Write to this file instead
        #[arg(short, long, value_name = "FILE.csv", value_parser = output_file())]
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
        #[arg(short, long, value_name = "FILE", value_parser = output_file())]
        output: PathBuf,
        /// Width and height in pixels
        #[arg(long, value_name = "WxH", default_value = "960x600", value_parser = side)]
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
        /// Time of a job, such as 01:00:00; what is not done by then continues in the next
        #[arg(long, value_name = "TIME")]
        time: Option<String>,
    },
}

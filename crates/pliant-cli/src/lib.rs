//! The program `pliant` as a library: the same commands, with arguments, output and exit status as values.
//!
//! ```
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let mut console = pliant_cli::Console { out: &mut out, err: &mut err, terminal: false, quiet: false };
//! let status = pliant_cli::main(["pliant", "new"].map(Into::into), &mut console);
//! assert_eq!(status, pliant_cli::SUCCESS);
//! assert!(String::from_utf8_lossy(&out).contains("soft-body"));
//! ```
//!
//! Exit status: [`SUCCESS`] if everything succeeded, [`FAILED`] if a run or a write failed after it had
//! started, [`REFUSED`] if the input, the arguments or the output folder could not be used and nothing was
//! started, [`UNMET`] if a finished run does not meet a requirement, [`UNTRUSTED`] if the verdict of a
//! finished run is "not to be trusted", [`AGAIN`] if a signal stopped a run or another process has its folder: the same
//! command resumes it later.
#![forbid(unsafe_code)]

mod args;
mod certify;
mod check;
mod console;
mod crossings;
mod deform;
mod error;
mod mesh_doctor;
mod mesh_info;
mod mesh_tetrahedralize;
mod new;
mod origin;
mod progress;
mod reading;
mod relax;
mod render;
mod run;
mod stop;
mod sweep;
mod threads;
mod verdicts;
mod view;

use std::ffi::OsString;

use args::{Cli, Command, MeshCommand};
pub use console::Console;
pub use deform::report as deform_report;
pub use pliant_run::report;
pub use pliant_run::{CertificateFile, certificate_schema};
// The module in which commands find the certificate of a run.
use pliant_run as certificate;

/// Exit status if everything succeeded.
pub const SUCCESS: u8 = 0;
/// Exit status if something failed after it had started: a simulation that became infinite, a full disk.
pub const FAILED: u8 = 1;
/// Exit status if the input, the arguments or the output folder cannot be used.
pub const REFUSED: u8 = 2;
/// Exit status if a finished run does not meet a requirement.
pub const UNMET: u8 = 3;
/// Exit status if the verdict of a finished run is "not to be trusted", for a reason that was not accepted.
pub const UNTRUSTED: u8 = 4;

/// Exit status if the same command should be tried again later: a signal stopped a run, or another process has its
/// folder (`EX_TEMPFAIL` of `sysexits.h`, by which schedulers know what to put into the queue again).
pub const AGAIN: u8 = 75;

/// Runs the program with the arguments (the first is its name) and returns its exit status. Errors are printed.
pub fn main(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> u8 {
    let cli = match Cli::read(args) {
        Ok(cli) => cli,
        Err(error) => return console.usage(&error),
    };
    console.quiet |= cli.quiet;
    let outcome = match &cli.command {
        None => run::run(&args::RunArgs { report_every: 1, ..Default::default() }, console),
        Some(Command::Run(args)) => run::run(args, console),
        Some(Command::New(args)) => new::new(args, console),
        Some(Command::Check(args)) => check::check(args, console),
        Some(Command::Certify(args)) => certify::certify(args, console),
        Some(Command::Render(args)) => render::render(args, console),
        Some(Command::View(args)) => view::view(args, console),
        Some(Command::Deform(args)) => deform::deform(args, console),
        Some(Command::Relax(args)) => relax::relax(args, console),
        Some(Command::Sweep(args)) => sweep::sweep(args, console),
        Some(Command::Mesh { command }) => reading::shown(console.is_watched(), || match command {
            MeshCommand::Info(args) => mesh_info::info(args, console),
            MeshCommand::Check(args) => mesh_doctor::check(args, console),
            MeshCommand::Repair(args) => mesh_doctor::repair(args, console),
            MeshCommand::Convert(args) => mesh_doctor::convert(args, console),
            MeshCommand::Tetrahedralize(args) => mesh_tetrahedralize::tetrahedralize(args, console),
        }),
    };
    match outcome {
        Ok(()) => SUCCESS,
        Err(error) => console.report(&error),
    }
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Automation of the workspace, in Rust so that it needs nothing beyond cargo: `cargo xtask COMMAND`.
//!
//! Each command is a module with an `Args` struct (its documentation is the help text) and
//! `fn run(&Args) -> Outcome`. To add one, write the module, name it below, and give it a line in
//! `commands!`. Commands that need the simulator belong in `crates/pliant-validation`, to which they are
//! passed on (`simulator.rs`).
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a command line program prints to standard output")]

mod apart;
mod book;
mod ci;
mod demo;
mod gallery;
mod outside;
mod python;
mod sanitize;
mod simulator;
mod size;
mod tidy;
mod wasm;
mod workspace;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

/// The result of a command: an error is printed as one line and makes the exit status 1.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Turns `Name(module)` into the subcommand `name` with the arguments `module::Args`, run by `module::run`.
macro_rules! commands {
    ($($Name:ident($module:ident),)*) => {
        #[derive(clap::Subcommand)]
        enum Command { $($Name($module::Args),)* }

        impl Command {
            fn run(&self) -> Outcome {
                match self { $(Self::$Name(args) => $module::run(args),)* }
            }
        }
    };
}

commands! {
    Apart(apart),
    Book(book),
    Ci(ci),
    Demo(demo),
    Gallery(gallery),
    Outside(outside),
    Python(python),
    Sanitize(sanitize),
    Size(size),
    Tidy(tidy),
    Wasm(wasm),
}

/// Automation of the Pliant workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The command line, with the commands that are passed on.
fn command_line() -> clap::Command {
    Cli::command().subcommands(simulator::commands())
}

fn main() -> ExitCode {
    let matches = command_line().get_matches();
    let ended = match matches.subcommand() {
        Some((name, rest)) if simulator::has(name) => simulator::run(name, rest),
        _ => match Cli::from_arg_matches(&matches) {
            Ok(cli) => cli.command.run().map(|()| ExitCode::SUCCESS),
            Err(error) => error.exit(),
        },
    };
    ended.unwrap_or_else(|error| {
        eprintln!("xtask: {error}");
        ExitCode::FAILURE
    })
}

/// The names of the commands, for the check that documents name only existing ones.
pub(crate) fn command_names() -> Vec<String> {
    command_line().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

//! Automation of the workspace, in Rust so that it needs nothing beyond cargo: `cargo xtask COMMAND`.
//!
//! Each command is a module with an `Args` struct (its documentation is the help text) and `fn run(&Args) -> Outcome`.
//! To add one, write the module, name it below, and give it a line in `commands!`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a command line program speaks on standard output")]

mod bench;
mod book;
mod ci;
mod contact;
mod converge;
mod corpus;
mod instructions;
mod interop;
mod oracles;
mod peers;
mod problem;
mod python;
mod sanitize;
mod scenes;
mod schema;
mod stability;
mod tetrahedralize;
mod tidy;
mod validate;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// What a command ends with: an error is printed as one line and makes the exit status 1.
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
    Bench(bench),
    Book(book),
    Ci(ci),
    Contact(contact),
    Converge(converge),
    Corpus(corpus),
    Instructions(instructions),
    Interop(interop),
    Oracles(oracles),
    Peers(peers),
    Sanitize(sanitize),
    Schema(schema),
    Stability(stability),
    Tetrahedralize(tetrahedralize),
    Tidy(tidy),
    Validate(validate),
}

/// Automation of the Pliant workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The names of the commands, for the check that the documents name none that does not exist.
pub(crate) fn command_names() -> Vec<String> {
    use clap::CommandFactory;
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

//! The checks and measurements that need the simulator. `cargo xtask COMMAND` builds this program and passes
//! its arguments on to it.
//!
//! Each command is a module with an `Args` struct (its documentation is the help text) and `fn run(&Args) -> Outcome`.
//! To add one, write the module, name it below, give it a line in `commands!`, and one in `xtask/src/simulator.rs`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a command line program speaks on standard output")]

mod bench;
mod contact;
mod converge;
mod corpus;
mod instructions;
mod interop;
mod kill;
mod oracles;
mod peers;
mod problem;
mod python;
mod random;
mod reach;
mod scenes;
mod schema;
mod stability;
mod tetrahedralize;
mod validate;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

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
    Bench(bench),
    Contact(contact),
    Converge(converge),
    Corpus(corpus),
    Instructions(instructions),
    Interop(interop),
    Kill(kill),
    Oracles(oracles),
    Peers(peers),
    Reach(reach),
    Schema(schema),
    Stability(stability),
    Tetrahedralize(tetrahedralize),
    Validate(validate),
}

/// Experiments, oracles and measurements of the Pliant workspace.
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// `cargo xtask` lists these commands without compiling this program.
    #[test]
    fn xtask_names_the_same_commands_in_the_same_words() {
        let listed = std::fs::read_to_string(workspace::root().join("xtask/src/simulator.rs")).unwrap();
        let commands = Cli::command();
        for command in commands.get_subcommands() {
            let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
            assert!(listed.contains(&format!("name: {name:?}")), "{name}");
            assert!(listed.contains(&format!("{about:?}")), "{name}: {about}");
        }
        assert_eq!(listed.matches("name: \"").count(), commands.get_subcommands().count());
    }
}

//! The commands that need the simulator: those of the program `pliant-validation`, which is built when one of
//! them runs.
//!
//! This program itself depends on no crate of the workspace, so that `cargo xtask tidy` need not wait for
//! their compilation.

use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use cargo_metadata::Message;

use crate::workspace;

/// The package and its program.
const PROGRAM: &str = "pliant-validation";

/// A command of the program, as `cargo xtask --help` lists it.
struct Entry {
    name: &'static str,
    about: &'static str,
}

/// In the words of the program; a test there compares.
const COMMANDS: [Entry; 14] = [
    Entry {
        name: "bench",
        about: "Measure whole frames of a standard scene: time per frame and per constraint, setup, memory, accuracy, and the ratio to the textbook loop",
    },
    Entry {
        name: "contact",
        about: "Run the scenes of contact, count crossings in every frame, and measure the time of a frame",
    },
    Entry {
        name: "converge",
        about: "Measure the time of a frame against the error left, for orders of projection and numbers of substeps; write a page of the book",
    },
    Entry {
        name: "corpus",
        about: "Read every file of a mesh corpus under its rule: DIR/manifest.tsv lists the content of each",
    },
    Entry {
        name: "instructions",
        about: "Count the instructions of a frame and of the textbook loop with Valgrind; report that it was skipped if Valgrind is missing",
    },
    Entry {
        name: "interop",
        about: "Open the files of every writer with independent readers in Python and compare values; skipped if Python is missing",
    },
    Entry {
        name: "kill",
        about: "Kills runs at random moments, resumes them, and compares all their files with those of an undisturbed run",
    },
    Entry {
        name: "oracles",
        about: "Compare with the numbers of independent programs: a line per file, exit status 1 on any failure",
    },
    Entry {
        name: "peers",
        about: "Time reading and filling here and in meshio, gmsh and tetgen; these are skipped if Python is missing",
    },
    Entry {
        name: "reach",
        about: "Find the fastest setting of every method that holds an error, in the scenes of the page on reaching an accuracy; write that page",
    },
    Entry {
        name: "schema",
        about: "Write the JSON schemas of scenes, stacks and certificates from their models",
    },
    Entry {
        name: "stability",
        about: "Run the examples and random scenes with few and many substeps, and judge their energy and their elements; write a page of the book",
    },
    Entry {
        name: "tetrahedralize",
        about: "Fill real surfaces with tetrahedra at three resolutions, judge the solids and simulate them",
    },
    Entry {
        name: "validate",
        about: "Measure what the validation book claims: expected, measured, tolerance and verdict of every experiment; rewrite the pages of those measured",
    },
];

/// Whether a command is one of the program.
pub(crate) fn has(name: &str) -> bool {
    COMMANDS.iter().any(|entry| entry.name == name)
}

/// The commands for a command line; all that follows a name, `--help` too, is for the program.
pub(crate) fn commands() -> impl Iterator<Item = clap::Command> {
    COMMANDS.iter().map(|entry| {
        let rest = clap::Arg::new(REST).num_args(0..).trailing_var_arg(true).allow_hyphen_values(true);
        let rest = rest.value_parser(clap::value_parser!(OsString)).hide(true);
        clap::Command::new(entry.name).about(entry.about).disable_help_flag(true).arg(rest)
    })
}

const REST: &str = "rest";

/// Builds the program in the profile of this one, and runs it with the rest of the command line.
pub(crate) fn run(name: &str, matches: &clap::ArgMatches) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let rest = matches.get_many::<OsString>(REST).into_iter().flatten();
    let status = Command::new(build()?).arg(name).args(rest).status()?;
    // A signal leaves no code.
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Builds the program and returns its path.
///
/// The whole workspace is named, so that the features of the dependencies are those of any other build of it,
/// and nothing is compiled twice.
fn build() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let mut command = workspace::cargo();
    command.args(["build", "--quiet", "--workspace", "--bin", PROGRAM]);
    command.arg("--message-format=json-render-diagnostics");
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let mut cargo = command.stdout(Stdio::piped()).spawn()?;
    let messages = cargo.stdout.take().expect("the output is piped");
    let mut program = None;
    for message in Message::parse_stream(BufReader::new(messages)) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.target.name == PROGRAM
        {
            program = artifact.executable.or(program);
        }
    }
    let status = cargo.wait()?;
    match program {
        Some(program) if status.success() => Ok(program.into()),
        _ => Err(format!("{PROGRAM} could not be built: {status}").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_line_is_handed_on() {
        let line = ["xtask", "validate", "--check", "-q", "spring", "--help", "--", "x"];
        let matches = clap::Command::new("xtask").subcommands(commands()).get_matches_from(line);
        let (name, matches) = matches.subcommand().unwrap();
        assert!(has(name));
        let rest: Vec<&OsString> = matches.get_many::<OsString>(REST).unwrap().collect();
        assert_eq!(rest, line[2..]);
    }
}

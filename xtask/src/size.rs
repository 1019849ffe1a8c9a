//! `cargo xtask size`: the size of the compiled kernel and solver, and whether it is within its bounds.
//!
//! A formula is compiled for every kind of constraint, scalar and set of instructions, so one line in the wrong place
//! is thirty-six more functions, and minutes of every build. Seconds depend on the machine; bytes of code do not.

use cargo_metadata::Message;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, SectionKind};
use std::process::Stdio;

use crate::{Outcome, workspace};

/// Build the kernel and the solver in release mode and compare the size of their code with its bounds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print the sizes and do not compare.
    #[arg(long)]
    print: bool,
}

/// The largest code of each crate on x86-64 Linux, bytes: a twentieth or so above what there was when the line was
/// last changed. Raise a bound only together with the reason why more code is needed.
const BOUNDS: [(&str, u64); 2] = [("pliant-kernel", 3_700_000), ("pliant-solver", 4_000_000)];

pub(crate) fn run(args: &Args) -> Outcome {
    let mut over = Vec::new();
    for (package, size) in measure()? {
        let bound = BOUNDS.iter().find(|(name, _)| *name == package).map_or(u64::MAX, |(_, bound)| *bound);
        println!("{package:14} {:6.2} MB of code, at most {:.2}", mega(size), mega(bound));
        if size > bound {
            over.push(format!(
                "{package} has {:.2} MB of code, at most {:.2} are allowed",
                mega(size),
                mega(bound)
            ));
        }
    }
    if args.print || over.is_empty() {
        return Ok(());
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("not compared: the bounds are those of x86-64 Linux");
        return Ok(());
    }
    let help = "docs/src/design/build-time.md explains what is compiled how often, and how to keep it little";
    Err(format!("{}; {help}", over.join("; ")).into())
}

/// Builds the crates and adds up the code in each one's library.
fn measure() -> Result<Vec<(String, u64)>, Box<dyn std::error::Error>> {
    let mut command = workspace::cargo();
    command.args(["build", "--release", "--message-format=json-render-diagnostics"]);
    command.args(BOUNDS.iter().flat_map(|(name, _)| ["--package", *name]));
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().expect("standard output is piped");
    let mut sizes = Vec::new();
    for message in Message::parse_stream(std::io::BufReader::new(output)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let library = artifact.filenames.iter().find(|path| path.extension() == Some("rlib"));
        let package = artifact.target.name.replace('_', "-");
        if let Some(library) = library.filter(|_| BOUNDS.iter().any(|(name, _)| *name == package)) {
            sizes.push((package, code_in(&std::fs::read(library)?)?));
        }
    }
    if !child.wait()?.success() {
        return Err("the crates do not compile".into());
    }
    Ok(sizes)
}

/// Bytes of machine code in all object files of a library.
fn code_in(library: &[u8]) -> Result<u64, object::Error> {
    let mut total = 0;
    for member in ArchiveFile::parse(library)?.members() {
        // The compiler's metadata are not an object file.
        let Ok(file) = object::File::parse(member?.data(library)?) else { continue };
        total += file.sections().filter(|s| s.kind() == SectionKind::Text).map(|s| s.size()).sum::<u64>();
    }
    Ok(total)
}

#[allow(clippy::cast_precision_loss, reason = "sizes of programs are far below 2^52")]
fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_library_is_an_error() {
        assert!(code_in(b"no archive").is_err());
        assert_eq!(code_in(b"!<arch>\n").unwrap(), 0);
    }
}

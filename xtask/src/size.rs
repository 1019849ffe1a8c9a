//! `cargo xtask size`: the size of the compiled kernel and solver, and whether it is within its bounds; and whether lanes
//! are computed without calls.
//!
//! A formula is compiled for every kind of constraint, scalar and set of instructions, so one line in the wrong place
//! is thirty-six more functions, and minutes of every build. Seconds depend on the machine; bytes of code do not.
//!
//! A function that is not inlined where lanes are computed cannot use their instructions: each of these becomes a call.
//! Nothing fails then, and it is several times as slow; but there is a function with the name of the instruction.

use cargo_metadata::Message;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind};
use std::collections::BTreeSet;
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
const BOUNDS: [(&str, u64); 2] = [("pliant-kernel", 3_700_000), ("pliant-solver", 4_300_000)];

pub(crate) fn run(args: &Args) -> Outcome {
    let mut over = Vec::new();
    for Library { package, size, callers } in measure()? {
        over.extend(
            callers.iter().map(|caller| format!("in {package} instructions of lanes are calls in {caller}")),
        );
        let Some((_, bound)) = BOUNDS.iter().find(|(name, _)| *name == package) else { continue };
        println!("{package:14} {:6.2} MB of code, at most {:.2}", mega(size), mega(*bound));
        if size > *bound {
            over.push(format!(
                "{package} has {:.2} MB of code, at most {:.2} are allowed",
                mega(size),
                mega(*bound)
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

/// A compiled crate.
struct Library {
    package: String,
    /// Its code, bytes.
    size: u64,
    /// Functions that call instructions of lanes.
    callers: BTreeSet<String>,
}

/// Builds the crates and those that they depend on, and looks at each one's library.
fn measure() -> Result<Vec<Library>, Box<dyn std::error::Error>> {
    let mut command = workspace::cargo();
    command.args(["build", "--release", "--message-format=json-render-diagnostics"]);
    command.args(BOUNDS.iter().flat_map(|(name, _)| ["--package", *name]));
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().expect("standard output is piped");
    let mut libraries = Vec::new();
    for message in Message::parse_stream(std::io::BufReader::new(output)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let library = artifact.filenames.iter().find(|path| path.extension() == Some("rlib"));
        let package = artifact.target.name.replace('_', "-");
        if let Some(library) = library.filter(|_| package.starts_with("pliant-")) {
            let library = std::fs::read(library)?;
            let (size, callers) = (code_in(&library)?, callers_of_instructions(&library)?);
            libraries.push(Library { package, size, callers });
        }
    }
    if !child.wait()?.success() {
        return Err("the crates do not compile".into());
    }
    Ok(libraries)
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

/// The functions in a library that call instructions of the vector registers of x86-64, as they are named in it.
fn callers_of_instructions(library: &[u8]) -> Result<BTreeSet<String>, object::Error> {
    let mut callers = BTreeSet::new();
    for member in ArchiveFile::parse(library)?.members() {
        let Ok(file) = object::File::parse(member?.data(library)?) else { continue };
        // What is called is a function, or the section that it has to itself.
        let is_instruction = |target| {
            let RelocationTarget::Symbol(symbol) = target else { return false };
            let Ok(symbol) = file.symbol_by_index(symbol) else { return false };
            let section = symbol.section_index().and_then(|section| file.section_by_index(section).ok());
            let names = [symbol.name().ok(), section.as_ref().and_then(|section| section.name().ok())];
            names.into_iter().flatten().any(|name| name.contains("core_arch") && name.contains("_mm"))
        };
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            if section.relocations().any(|(_, call)| is_instruction(call.target())) {
                callers.insert(section.name()?.trim_start_matches(".text.").to_owned());
            }
        }
    }
    Ok(callers)
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
        assert!(callers_of_instructions(b"no archive").is_err());
        assert!(callers_of_instructions(b"!<arch>\n").unwrap().is_empty());
    }
}

//! `cargo xtask outside`: a program of somebody else's, in `examples/outside`, that uses what `pliant` makes public.
//!
//! It plays a game loop, resumes what `pliant run` began, and begins what `pliant run` resumes. All end in
//! the same state.

use std::path::Path;
use std::process::Command;

use crate::{Outcome, workspace};

/// Builds the program in examples/outside, a workspace of its own, and runs it: a game loop, and runs that it
/// and `pliant run` resume from each other
#[derive(clap::Args)]
pub(crate) struct Args {}

const PLACE: &str = "examples/outside";

pub(crate) fn run(_: &Args) -> Outcome {
    let root = workspace::root();
    let target = root.join("target");
    let program = |name: &str| target.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // The same versions as here, which are there without a network.
    std::fs::copy(root.join("Cargo.lock"), root.join(PLACE).join("Cargo.lock"))?;
    succeed(workspace::cargo().args(["build", "--quiet", "--workspace", "--bin", "pliant"]))?;
    let manifest = format!("{PLACE}/Cargo.toml");
    let mut build = workspace::cargo();
    build.args(["build", "--quiet", "--offline", "--manifest-path", &manifest, "--target-dir"]).arg(&target);
    succeed(&mut build)?;
    succeed(&mut Command::new(program("game")))?;

    let folder = target.join("outside");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let scene = root.join(PLACE).join("scene.toml");
    let pliant = |output: &str, more: &[&str]| {
        let mut command = Command::new(program("pliant"));
        command.arg("run").arg(&scene).args(["--quiet", "-o"]).arg(folder.join(output)).args(more);
        succeed(&mut command)
    };
    let outside = |output: &str, more: &[&str]| {
        let mut command = Command::new(program("resume"));
        command.arg(&scene).arg(folder.join(output)).args(more);
        succeed(&mut command)
    };
    pliant("whole", &[])?;
    pliant("begun-inside", &["--stop-after", "5"])?;
    outside("begun-inside", &[])?;
    outside("begun-outside", &["5"])?;
    pliant("begun-outside", &["--continue"])?;
    let whole = hash(&folder.join("whole"))?;
    for name in ["begun-inside", "begun-outside"] {
        let found = hash(&folder.join(name))?;
        if found != whole {
            return Err(format!("the run that was {name} ends in the state {found}, not {whole}").into());
        }
    }
    println!("a game loop, and runs resumed from inside and outside: all in the state {whole}");
    Ok(())
}

fn succeed(command: &mut Command) -> Outcome {
    let status = command.status()?;
    let program = Path::new(command.get_program()).display();
    if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}").into()) }
}

/// The state hash at the end of a run.
fn hash(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("run.json"))?)?;
    let hash = report["summary"]["state_hash"].as_str();
    Ok(hash.ok_or_else(|| format!("{} has no state hash", folder.display()))?.to_owned())
}

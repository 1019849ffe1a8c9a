//! `cargo xtask demo`: a page in one file that runs the solver by itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, wasm, workspace};

/// Writes a page with scenes that run in any browser, also from a file: one file with the solver, the scenes
/// and the hashes of native code.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to write [default: target/wasm/demo.html]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    /// Open the page in Chromium: states are those of native code, bodies can be dragged, nothing else is asked for
    #[arg(long)]
    check: bool,
    /// Folder for pictures of all scenes, light and dark, on a desktop and on a phone
    #[arg(long, value_name = "FOLDER", requires = "check")]
    pictures: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let output = args.output.clone().unwrap_or_else(|| workspace::root().join("target/wasm/demo.html"));
    if !write(&output)? || !args.check {
        return Ok(());
    }
    if !wasm::has_node() {
        println!("demo: the check is skipped, node is not installed");
        return Ok(());
    }
    let script = workspace::root().join(wasm::CRATE).join("check/demo.mjs");
    let status = Command::new("node").arg(script).arg(&output).args(&args.pictures).status()?;
    if status.success() { Ok(()) } else { Err("the page does not do what it should".into()) }
}

/// Writes the page, if there is a compiler for the module in it; whether there is.
pub(crate) fn write(output: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let Some(package) = wasm::build()? else { return Ok(false) };
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "pliant-wasm", "--example", "demo", "--"]);
    let status = cargo.arg(package.folder.join("pliant.wasm")).arg(std::path::absolute(output)?).status()?;
    if !status.success() {
        return Err("the page could not be written".into());
    }
    println!("demo: {}", output.display());
    Ok(true)
}

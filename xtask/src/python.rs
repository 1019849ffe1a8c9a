//! `cargo xtask python`: the Python package, in the profile of the tests, and its own tests; or a wheel as
//! users get it.
//!
//! The quick form needs no maturin: the library is built with the features that the whole workspace has in
//! its tests, so that nothing is compiled again that `cargo test --workspace` has compiled, and is laid
//! beside the Python sources in `target/python`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::{Outcome, workspace};

/// Builds the Python package in the profile of the tests and runs its tests; with --wheel builds a wheel and
/// tests it in an empty environment.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build a wheel with maturin, install it into an empty environment, and test it there
    #[arg(long)]
    wheel: bool,
    /// Arguments for pytest, after --
    #[arg(last = true)]
    pytest: Vec<String>,
}

const CRATE: &str = "crates/pliant-python";

/// An example, of which the tests have one compiled too, makes the features those of
/// `cargo test --workspace`: with the libraries alone they are without what only tests ask for, `either` is
/// another, and with it rayon and all that uses it.
const BUILD: [&str; 4] = ["--workspace", "--lib", "--example", "spring"];

/// Said where there is no Python, or not enough of it.
pub(crate) const MISSING: &str = "python3 with numpy and pytest is not installed";

/// The interpreter: `PLIANT_PYTHON`, else `python3`.
fn interpreter() -> PathBuf {
    std::env::var_os("PLIANT_PYTHON").unwrap_or_else(|| "python3".into()).into()
}

fn has(modules: &str) -> bool {
    let import = format!("import {modules}");
    let output = Command::new(interpreter()).args(["-c", &import]).output();
    output.is_ok_and(|output| output.status.success())
}

/// Whether there is a Python that can run the tests.
pub(crate) fn is_there() -> bool {
    has("numpy, pytest")
}

pub(crate) fn run(args: &Args) -> Outcome {
    if args.wheel {
        return wheel(args);
    }
    if !is_there() {
        println!(
            "python: skipped, {MISSING} (pip install numpy pytest; mypy and scipy for all of the tests)"
        );
        return Ok(());
    }
    succeed(workspace::cargo().args(["build", "--quiet"]).args(BUILD))?;
    let root = workspace::root();
    let place = root.join("target/python");
    lay_out(&root, &place)?;
    test(&interpreter(), &place, &args.pytest)
}

/// Lays the package out as an installer would.
fn lay_out(root: &Path, place: &Path) -> Outcome {
    if place.exists() {
        std::fs::remove_dir_all(place)?;
    }
    let package = place.join("pliant");
    std::fs::create_dir_all(&package)?;
    for entry in std::fs::read_dir(root.join(CRATE).join("python/pliant"))? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            std::fs::copy(&path, package.join(name))?;
        }
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = root.join("target/debug").join(format!("{prefix}_pliant{suffix}"));
    let name = if cfg!(windows) { "_pliant.pyd" } else { "_pliant.abi3.so" };
    std::fs::copy(built, package.join(name))?;
    Ok(())
}

/// Runs the tests of the package that the interpreter finds in a folder.
fn test(python: &Path, place: &Path, more: &[String]) -> Outcome {
    let mut command = Command::new(python);
    command.args(["-m", "pytest"]).args(more).current_dir(workspace::root().join(CRATE));
    succeed(command.env("PYTHONPATH", place).env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// Builds a wheel, and tests it where nothing else is installed.
fn wheel(args: &Args) -> Outcome {
    if !has("maturin") {
        return Err("maturin is not installed (pip install maturin)".into());
    }
    let root = workspace::root();
    let (wheels, place) = (root.join("target/wheels"), root.join("target/python-empty"));
    for folder in [&wheels, &place] {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
    }
    let begun = Instant::now();
    let mut build = Command::new(interpreter());
    build
        .args(["-m", "maturin", "build", "--release", "--manifest-path"])
        .arg(root.join(CRATE).join("Cargo.toml"));
    succeed(build.arg("--out").arg(&wheels).current_dir(&root))?;
    println!("python: the wheel took {:.0} s", begun.elapsed().as_secs_f64());
    let wheel = std::fs::read_dir(&wheels)?.next().ok_or("maturin has written no wheel")??.path();
    succeed(Command::new(interpreter()).args(["-m", "venv"]).arg(&place))?;
    let python = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    succeed(install.arg(wheel).args(["pytest", "mypy", "scipy"]))?;
    // A folder without the package, so that it is the installed one that is found.
    test(&python, &place.join("nothing"), &args.pytest)
}

fn succeed(command: &mut Command) -> Outcome {
    let status = command.status()?;
    let program = Path::new(command.get_program()).display();
    if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}").into()) }
}

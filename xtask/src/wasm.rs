//! `cargo xtask wasm`: the solver for browsers and Node, and whether its bits are those of native code.
//!
//! Toolchains differ in how they have the standard library of `wasm32-unknown-unknown`: compiled, or as sources. Of the compilers that the
//! machine has, the first that has either is taken; `PLIANT_WASM_RUSTC` names another.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Outcome, workspace};

/// Builds the solver for browsers and Node into target/wasm/pkg; with --check compares hashes of scenes with native code, in Node.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare the hashes of scenes in Node with those of native code, frame by frame
    #[arg(long)]
    check: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";
const CRATE: &str = "crates/pliant-wasm";
/// Said where there is no compiler for it.
const MISSING: &str = "no compiler here has the standard library of wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown), or its sources";

/// A compiler, and what it needs for the target.
struct Toolchain {
    rustc: PathBuf,
    builds_std: bool,
    linker: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let Some(package) = build()? else { return Ok(()) };
    let wasm = package.join("pliant.wasm");
    println!(
        "wasm: {} ({} kB, {} kB compressed)",
        wasm.display(),
        fs::metadata(&wasm)?.len() / 1000,
        compressed(&wasm)?
    );
    if args.check { compare(&package) } else { Ok(()) }
}

/// Builds the package and returns its folder; `None` if it was skipped.
pub(crate) fn build() -> Result<Option<PathBuf>, Box<dyn std::error::Error>> {
    let Some(toolchain) = find() else {
        println!("wasm: skipped, {MISSING}");
        return Ok(None);
    };
    let root = workspace::root();
    let place = root.join("target/wasm");
    let mut cargo = workspace::cargo();
    cargo.args([
        "rustc",
        "--release",
        "--package",
        "pliant-wasm",
        "--lib",
        "--crate-type",
        "cdylib",
        "--target",
        TARGET,
    ]);
    cargo.arg("--target-dir").arg(&place).env("RUSTC", &toolchain.rustc);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128").env("CARGO_PROFILE_RELEASE_PANIC", "abort");
    if let Some(linker) = &toolchain.linker {
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    if toolchain.builds_std {
        // Sources of the library belong to their compiler, which then takes the flag.
        cargo.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
    }
    succeed(cargo.args(["--", "-C", "link-arg=--strip-all"]))?;
    let package = place.join("pkg");
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(root.join(CRATE).join("pkg"))? {
        let path = entry?.path();
        if let Some(name) = path.file_name() {
            fs::copy(&path, package.join(name))?;
        }
    }
    fs::copy(place.join(TARGET).join("release/pliant_wasm.wasm"), package.join("pliant.wasm"))?;
    Ok(Some(package))
}

fn find() -> Option<Toolchain> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path =
        |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).collect::<Vec<_>>();
    let named = std::env::var_os("PLIANT_WASM_RUSTC").map(PathBuf::from);
    let compilers = named.into_iter().chain([PathBuf::from("rustc")]).chain(in_path("rustc"));
    for rustc in compilers {
        let Some(library) = told(&rustc, &["--print", "target-libdir", "--target", TARGET]) else { continue };
        let files = fs::read_dir(library).into_iter().flatten().flatten();
        let is_there =
            files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"));
        let Some(sysroot) = told(&rustc, &["--print", "sysroot"]).map(PathBuf::from) else { continue };
        let builds_std = !is_there && sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file();
        if !is_there && !builds_std {
            continue;
        }
        let host = told(&rustc, &["-vV"])?
            .lines()
            .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))?;
        let own = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
        let linker =
            if own.is_file() { None } else { in_path("wasm-ld").into_iter().find(|file| file.is_file()) };
        if own.is_file() || linker.is_some() {
            return Some(Toolchain { rustc, builds_std, linker });
        }
    }
    None
}

/// What a compiler prints.
fn told(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(rustc).args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim_end().to_owned())
}

/// Bytes of the module as a server would send it, in kB; unknown without gzip.
fn compressed(wasm: &Path) -> Result<String, std::io::Error> {
    let packed = Command::new("gzip").args(["-9", "-c"]).arg(wasm).stderr(Stdio::null()).output();
    Ok(packed.map_or_else(|_| "?".to_owned(), |packed| (packed.stdout.len() / 1000).to_string()))
}

/// Compares hashes of every frame of scenes with those of native code.
fn compare(package: &Path) -> Outcome {
    if Command::new("node").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("wasm: the comparison is skipped, node is not installed");
        return Ok(());
    }
    let native = workspace::cargo()
        .args(["run", "--quiet", "--package", "pliant-wasm", "--example", "native"])
        .stderr(Stdio::inherit())
        .output()?;
    if !native.status.success() {
        return Err("the native hashes could not be computed".into());
    }
    let script = workspace::root().join(CRATE).join("compare.mjs");
    let mut node = Command::new("node").arg(script).arg(package).stdin(Stdio::piped()).spawn()?;
    node.stdin.take().ok_or("node has no input")?.write_all(&native.stdout)?;
    let status = node.wait()?;
    if status.success() { Ok(()) } else { Err("hashes in Node differ from native ones".into()) }
}

fn succeed(command: &mut Command) -> Outcome {
    let status = command.status()?;
    let program: OsString = command.get_program().to_owned();
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", program.display()).into()) }
}

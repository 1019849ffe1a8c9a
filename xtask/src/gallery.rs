//! `cargo xtask gallery`: the page of the book that shows what Pliant does, with everything on it made anew.

mod entries;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Outcome, workspace};
use entries::{ENTRIES, Entry, Source};

/// The page, and the folder of its pictures, from the root of the workspace.
const PAGE: &str = "docs/src/gallery.md";
const PICTURES: &str = "docs/src/pictures/gallery";
/// The most that all pictures may take, bytes.
const MOST: u64 = 2_000_000;

/// Run the scenes of the gallery, draw their pictures, and write its page of the book; takes some minutes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these, by their names; the others keep their place on the page
    names: Vec<String>,
    /// Program to run, in place of a release that is built for it
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Folder for the runs, which is kept [default: target/gallery]
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
}

/// What a run has said of itself.
struct Outcomes {
    /// `run.json`.
    report: Value,
    /// `certificate.json`; a stack of deformers has none.
    certificate: Option<Value>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(name) = args.names.iter().find(|name| ENTRIES.iter().all(|entry| entry.name != **name)) {
        let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        return Err(format!("there is no {name} in the gallery; there are {}", known.join(", ")).into());
    }
    let root = workspace::root();
    let program = args.program.as_ref().map_or_else(build, |program| Ok(std::path::absolute(program)?))?;
    let runs = args.runs.clone().unwrap_or_else(|| root.join("target/gallery"));
    fs::create_dir_all(root.join(PICTURES))?;
    let old = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    let mut page = page::head(&machine());
    for entry in &ENTRIES {
        let shared = workspace::shared();
        let has = |name: &&str| shared.as_ref().is_some_and(|folder| folder.join(name).is_file());
        let missing = entry.needs.iter().find(|name| !has(name));
        let wanted = args.names.is_empty() || args.names.iter().any(|name| name == entry.name);
        if wanted && missing.is_none() {
            page += &page::written(entry, &make(entry, &program, &runs)?);
            continue;
        }
        page += page::section(&old, entry).unwrap_or_default();
        if let Some(missing) = missing.filter(|_| wanted) {
            println!("gallery: {} is not made anew: {missing} is not there", entry.name);
        }
    }
    fs::write(root.join(PAGE), page)?;
    let mut bytes = 0;
    for entry in &ENTRIES {
        bytes += fs::metadata(root.join(PICTURES).join(entry.picture())).map_or(0, |picture| picture.len());
    }
    println!("gallery: {PAGE}, pictures of {} kB", bytes / 1000);
    if bytes > MOST {
        return Err(format!("the pictures take {bytes} bytes, more than {MOST}: make them smaller").into());
    }
    Ok(())
}

/// The release of the program, with the features of the whole workspace.
fn build() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let status = workspace::cargo()
        .args(["build", "--release", "--quiet", "--workspace", "--bin", "pliant"])
        .status()?;
    if !status.success() {
        return Err(format!("the program could not be built: {status}").into());
    }
    let target = workspace::metadata()?.target_directory;
    Ok(target.join("release").join(format!("pliant{}", std::env::consts::EXE_SUFFIX)).into())
}

/// Runs the commands of an entry in a folder of its own, and takes the picture.
fn make(entry: &Entry, program: &Path, runs: &Path) -> Result<Outcomes, Box<dyn std::error::Error>> {
    let folder = runs.join(entry.name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    if let Source::File(path) = entry.source {
        fs::copy(workspace::root().join(path), folder.join(entry.scene()))?;
    }
    for name in entry.needs {
        let from = workspace::shared().unwrap_or_default().join(name);
        fs::copy(&from, folder.join(from.file_name().unwrap_or_default()))?;
    }
    for arguments in entry.commands() {
        println!("gallery: pliant {}", arguments.join(" "));
        let status =
            Command::new(program).args(&arguments).current_dir(&folder).stdout(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("pliant {} failed: {status}", arguments.join(" ")).into());
        }
    }
    fs::copy(folder.join(entry.picture()), workspace::root().join(PICTURES).join(entry.picture()))?;
    let out = folder.join(entry.name);
    let report = serde_json::from_str(&fs::read_to_string(out.join("run.json"))?)?;
    let certificate = fs::read_to_string(out.join("certificate.json")).ok();
    let certificate = certificate.map(|text| serde_json::from_str(&text)).transpose()?;
    Ok(Outcomes { report, certificate })
}

/// The processor of this machine and its number of cores, as far as that is known.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{name}, {cores} {}", if cores == 1 { "core" } else { "cores" })
}

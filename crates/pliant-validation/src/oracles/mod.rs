//! `cargo xtask oracles`: compares with the numbers of independent programs, as a gate.
//!
//! A folder of JSON files holds inputs and the outputs that independent programs gave for them. One module
//! judges each family; a new kind is a new arm there. Files are distinguished by their content, those of
//! `analytic/` by their names.

mod analytic;
mod gradients;
mod parity;
mod projection;
mod reference;
mod relaxation;
mod verdict;

use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_solver::Method;
use serde_json::Value;

use crate::python::Python;
use crate::{Outcome, workspace};
use reference::Reference;
use verdict::Verdict;

/// Compare with the numbers of independent programs: a line per file, exit status 1 on any failure.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of oracle files, searched with its subfolders [default: the reference data beside the repository].
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Instead, have the reference program of the folder run the scenarios of `parity/` in the order of the
    /// clustered plan, and compare with that [needs Python with numpy and numba].
    #[arg(long)]
    batched: bool,
    /// Instead, run the simulations whose answer does not depend on the order of sweeps by another method
    #[arg(long, value_name = "METHOD", conflicts_with = "batched")]
    method: Option<Other>,
    #[command(flatten)]
    python: Python,
}

/// A method other than sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Other {
    /// Sweeps on coarse levels before those of all particles
    Coarse,
    /// Newton's method on the implicit step
    Newton,
    /// Chosen in every frame
    Auto,
}

impl From<Other> for Method {
    fn from(other: Other) -> Self {
        match other {
            Other::Coarse => Self::Coarse,
            Other::Newton => Self::Newton,
            Other::Auto => Self::Auto,
        }
    }
}

pub(crate) fn run(args: &Args) -> Outcome {
    let Some(dir) = args.dir.clone().or_else(|| Some(workspace::shared()?.join("oracles"))) else {
        println!("oracles: skipped, there is no reference data beside the repository");
        return Ok(());
    };
    let mut files = files(&dir)?;
    let reference = if args.batched {
        files.retain(|file| file.parent().is_some_and(|folder| folder.ends_with("parity")));
        match Reference::of(&dir, &args.python) {
            Ok(reference) => Some(reference),
            Err(reason) => {
                println!("oracles: skipped, {reason}");
                return Ok(());
            }
        }
    } else {
        None
    };
    let method = args.method.map_or(Method::Sweeps, Method::from);
    if method != Method::Sweeps {
        files.retain(|file| analytic::is_simulated(&stem(file), method));
    }
    let width = files.iter().map(|file| name(&dir, file).len()).max().unwrap_or(0);
    let mut failures = 0;
    for file in &files {
        let verdict = match &reference {
            None => judge(file, method),
            Some(reference) => {
                read(file).map_or_else(Verdict::Failed, |json| parity::judge_batched(json, reference))
            }
        };
        failures += usize::from(verdict.is_failure());
        println!("{:<width$}  {verdict}", name(&dir, file));
    }
    match failures {
        0 => Ok(()),
        1 => Err("one file of the oracles disagrees".into()),
        n => Err(format!("{n} files of the oracles disagree").into()),
    }
}

fn name(dir: &Path, file: &Path) -> String {
    file.strip_prefix(dir).unwrap_or(file).display().to_string()
}

/// All JSON files below a folder, sorted by name.
fn files(dir: &Path) -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
                found.push(path);
            }
        }
    }
    if found.is_empty() {
        return Err(format!("{}: no JSON file in this folder", dir.display()).into());
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    serde_json::from_slice(&bytes).map_err(|e| e.to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a file and passes it to its family; simulations of `analytic/` are run by the method.
fn judge(path: &Path, method: Method) -> Verdict {
    let stem = stem(path);
    if analytic::is_mesh(&stem) {
        return Verdict::Input;
    }
    let json = match read(path) {
        Ok(json) => json,
        Err(error) => return Verdict::Failed(error),
    };
    let has = |field: &str| json.get(field).is_some();
    let case_has = |field: &str| json["cases"][0].get(field).is_some();
    if has("kind") {
        gradients::judge(json)
    } else if case_has("dlambda") {
        projection::judge(&json)
    } else if has("params") && has("start") {
        parity::judge(json)
    } else if has("deformed") && has("results") {
        relaxation::judge(json)
    } else {
        analytic::judge(&stem, &json, path, method)
    }
}

/// Positions as the files have them.
fn vectors(list: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    list.iter().map(|&v| v.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(dir: Option<PathBuf>) -> Args {
        Args { dir, batched: false, method: None, python: Python::default() }
    }

    /// A file in a folder of its own below the system's temporary one.
    fn with_file<R>(name: &str, text: &str, then: impl FnOnce(&Path) -> R) -> R {
        let folder = std::env::temp_dir().join(format!("pliant-oracles-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let result = then(&path);
        std::fs::remove_dir_all(&folder).unwrap();
        result
    }

    #[test]
    fn the_reference_data_agree() {
        let Some(oracles) = pliant_testkit::shared("oracles") else { return };
        for file in files(&oracles).unwrap() {
            let verdict = judge(&file, Method::Sweeps);
            assert!(!verdict.is_failure(), "{}: {verdict}", file.display());
        }
    }

    #[test]
    fn unknown_and_broken_files_are_failures() {
        for (name, text) in [
            ("unknown.json", "{\"setup\": 1}"),
            ("list.json", "[]"),
            ("kind.json", "{\"kind\": \"rubber\", \"cases\": []}"),
            ("empty.json", "{\"kind\": \"distance\", \"cases\": []}"),
            ("truncated.json", "{\"kind\": \"dist"),
            ("nothing.json", ""),
        ] {
            with_file(name, text, |path| assert!(judge(path, Method::Sweeps).is_failure(), "{name}"));
        }
    }

    #[test]
    fn a_failure_is_an_error_of_the_command() {
        with_file("unknown.json", "{}", |path| {
            let dir = path.parent().map(Path::to_path_buf);
            assert!(run(&args(dir)).is_err());
        });
        with_file("block_mesh.json", "{}", |path| {
            let dir = path.parent().map(Path::to_path_buf);
            assert!(run(&args(dir)).is_ok(), "a mesh is an input");
        });
        assert!(run(&args(Some("no/such/folder".into()))).is_err());
    }
}

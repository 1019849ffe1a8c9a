//! `cargo xtask kill`: runs that are killed at any moment and resumed end with the files of a run that never was.
//!
//! The program `pliant` is started on a scene that writes all formats, killed after a random time, started
//! again with `--resume-or-start`, and so on, until a run is done. Then all its files are compared with those
//! of an undisturbed run. Only processes that were started here are killed, by their handles.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Outcome;
use crate::random::SplitMix64;
use crate::workspace;

/// Kills runs at random moments, resumes them, and compares all their files with those of an undisturbed run
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How often to kill
    #[arg(long, default_value_t = 100)]
    times: u32,
    /// What the moments are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program; by default it is built
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Cloth and a solid that are pinned, let go, struck and rubbed, in files of every format.
const SCENE: &str = r#"name = "killed"
frames = 120
frame_rate = 60
[solver]
substeps = 6
[[body]]
name = "sheet"
mesh = { grid = { vertices = [16, 16], size = [0.5, 0.5] } }
translate = [0.0, 0.5, 0.0]
edges = { compliance = 1e-6 }
bending = { compliance = 1.0 }
pin = [{ vertices = [0] }, { vertices = [15], release = 0.3 }]
[[body]]
name = "ball"
mesh = { ball = { radius = 0.2, shells = 3 } }
rest_on = 0.01
velocity = [1.0, 0.0, 0.5]
edges = { compliance = 1e-5 }
visual = { icosphere = { radius = 0.21, frequency = 3 } }
[[obstacle]]
floor = {}
friction = 0.5
[[obstacle]]
sphere = { centre = [1.2, -0.3, 0.0], radius = 0.2 }
motion = { velocity = [0.0, 0.7, 0.0] }
[output]
formats = FORMATS
every = 2
fields = ["velocity", "displacement", "normal", "volume_error", "residual"]
simulation_mesh = true
"#;

/// Formats of a run, and when it makes checkpoints: what lasts by itself and what is made from the journal.
const KINDS: [(&str, &[&str]); 4] = [
    (r#"["vtu", "pc2"]"#, &["--checkpoint-every", "1"]),
    (r#"["vtu", "pc2", "mdd", "usda", "obj", "ply", "glb"]"#, &["--checkpoint-every", "7"]),
    (r#"["vtu", "pc2"]"#, &["--checkpoint-every", "0.05s", "--save-multipliers"]),
    (r#"["vtu", "ply", "mdd"]"#, &["--checkpoint-every", "0.02s", "--report-every", "3"]),
];

/// The most kills of one run.
const MOST: u64 = 6;

/// All files of a folder by name.
type Files = BTreeMap<String, Vec<u8>>;

pub(crate) fn run(args: &Args) -> Outcome {
    let program = match &args.program {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => build()?,
    };
    let folder = tempfile::tempdir()?;
    let mut dice = SplitMix64(args.seed);
    let (mut kills, mut runs, mut early, mut late) = (0, 0, 0, 0);
    let mut whole: Vec<(Files, Duration)> = Vec::new();
    for (k, (formats, options)) in KINDS.iter().enumerate() {
        let place = folder.path().join(format!("{k}"));
        fs::create_dir_all(&place)?;
        fs::write(place.join("scene.toml"), SCENE.replace("FORMATS", formats))?;
        let begun = Instant::now();
        check(start(&program, &place, "whole", options)?.wait()?)?;
        whole.push((files(&place.join("whole"))?, begun.elapsed()));
    }
    while kills < args.times {
        let kind = runs as usize % KINDS.len();
        let (expected, lasts) = &whole[kind];
        let (place, options) = (folder.path().join(kind.to_string()), KINDS[kind].1);
        let mut planned = 1 + dice.below(MOST);
        loop {
            let mut child = start(&program, &place, "killed", options)?;
            if planned > 0 && kills < args.times {
                planned -= 1;
                thread::sleep(lasts.mul_f64(0.9 * dice.share()));
                if child.try_wait()?.is_none() {
                    child.kill()?;
                    child.wait()?;
                    kills += 1;
                    let has = |name: &str| place.join("killed").join(name).is_file();
                    if has("run.json") {
                        // It was whole, but for what it would have tidied away.
                        late += 1;
                        tidy(&place.join("killed"))?;
                        break;
                    }
                    early += u32::from(!has("continue/state.bin"));
                    continue;
                }
            }
            check(child.wait()?)?;
            break;
        }
        compare(expected, &files(&place.join("killed"))?)?;
        fs::remove_dir_all(place.join("killed"))?;
        runs += 1;
        println!("{kills} kills, {runs} runs: all files are those of an undisturbed run");
    }
    println!(
        "killed {kills} times in {runs} runs, {early} times before the first checkpoint and {late} times after the report: no file differs in a byte, and no state hash"
    );
    Ok(())
}

/// Builds `pliant` in the profile of this program, beside it.
fn build() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(workspace::root()).args(["build", "--quiet", "--workspace", "--bin", "pliant"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    check(command.status()?)?;
    let name = format!("pliant{}", std::env::consts::EXE_SUFFIX);
    Ok(std::env::current_exe()?.with_file_name(name))
}

/// Starts a run, or resumes it.
fn start(program: &Path, place: &Path, output: &str, options: &[&str]) -> std::io::Result<Child> {
    let args = ["run", "scene.toml", "--quiet", "--resume-or-start", "-o", output];
    Command::new(program)
        .current_dir(place)
        .args(args)
        .args(options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
}

fn check(status: ExitStatus) -> Outcome {
    if status.success() { Ok(()) } else { Err(format!("a program that was started failed: {status}").into()) }
}

/// Removes what a run needs only until it is whole.
fn tidy(folder: &Path) -> Outcome {
    let (journal, marker) = (folder.join("continue"), folder.join("run.unfinished"));
    if journal.exists() {
        fs::remove_dir_all(journal)?;
    }
    if marker.exists() {
        fs::remove_file(marker)?;
    }
    Ok(())
}

/// The files of a finished run, without the lock and what says how long it took.
fn files(folder: &Path) -> Result<Files, Box<dyn std::error::Error>> {
    let mut all = Files::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(at)? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
            let mut bytes = fs::read(&path)?;
            match name.as_str() {
                "run.lock" => continue,
                "run.json" => {
                    let mut report: Value = serde_json::from_slice(&bytes)?;
                    blank_times(&mut report);
                    bytes = report.to_string().into_bytes();
                }
                _ => {}
            }
            all.insert(name, bytes);
        }
    }
    Ok(all)
}

/// Takes out what says how long something took.
fn blank_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let is_time = key.ends_with("_ms") || key == "ms_per_frame";
                let is_time = is_time || (key.ends_with("_s") && key != "simulated_s");
                if is_time {
                    *inner = Value::Null;
                } else {
                    blank_times(inner);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(blank_times),
        _ => {}
    }
}

fn compare(expected: &Files, found: &Files) -> Outcome {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    if names(expected) != names(found) {
        let odd = |one: &Files, other: &Files| {
            one.keys().filter(|name| !other.contains_key(*name)).cloned().collect::<Vec<_>>()
        };
        let (missing, new) = (odd(expected, found), odd(found, expected));
        return Err(format!("a resumed run has other files: {missing:?} are missing, {new:?} are new").into());
    }
    match expected.iter().find(|(name, bytes)| found[*name] != **bytes) {
        Some((name, _)) => {
            Err(format!("{name} of a resumed run differs from that of an undisturbed one").into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_and_a_file_are_missed() {
        let files = |entries: &[(&str, &str)]| -> Files {
            entries.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
        };
        let whole = files(&[("a", "one"), ("b", "two")]);
        assert!(compare(&whole, &whole).is_ok());
        let said = |found: &Files| compare(&whole, found).unwrap_err().to_string();
        assert!(said(&files(&[("a", "one"), ("b", "tvo")])).contains("b of a resumed run differs"));
        assert!(said(&files(&[("a", "one"), ("c", "two")])).contains(r#"["b"] are missing, ["c"] are new"#));
    }

    #[test]
    fn times_are_no_difference_and_all_else_is() {
        let mut report: Value =
            serde_json::json!({ "frames": [{ "solve_ms": 1.5, "time": 0.1 }], "wall_s": 2 });
        blank_times(&mut report);
        assert_eq!(
            report,
            serde_json::json!({ "frames": [{ "solve_ms": null, "time": 0.1 }], "wall_s": null })
        );
    }
}

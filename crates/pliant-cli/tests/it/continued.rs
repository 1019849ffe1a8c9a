//! Runs that were stopped or killed and resumed: their files are those of an uninterrupted run, byte for byte.

use std::fs;

use crate::common::{Bench, wait_for};
use serde_json::Value;

/// A pinned sheet of which one corner is released, a ball that an obstacle strikes, contact and friction:
/// everything that a state may hold.
fn scene(precision: &str, frames: u32) -> String {
    format!(
        r#"name = "go"
frames = {frames}
frame_rate = 60
precision = "{precision}"
[solver]
substeps = 4
damping = 0.5
[[body]]
name = "sheet"
mesh = {{ grid = {{ vertices = [7, 7], size = [0.5, 0.5] }} }}
translate = [0.0, 0.5, 0.0]
edges = {{ compliance = 1e-6 }}
bending = {{ compliance = 1.0 }}
pin = [{{ vertices = [0] }}, {{ vertices = [6], release = 0.07 }}, {{ vertices = [42], motion = {{ velocity = [0, 0.3, 0] }} }}]
[[body]]
name = "ball"
mesh = {{ ball = {{ radius = 0.2, shells = 2 }} }}
rest_on = 0.01
velocity = [1.0, 0.0, 0.5]
edges = {{ compliance = 1e-5 }}
visual = {{ icosphere = {{ radius = 0.21, frequency = 3 }} }}
[[obstacle]]
floor = {{}}
friction = 0.5
[[obstacle]]
sphere = {{ centre = [1.2, -0.3, 0.0], radius = 0.2 }}
motion = {{ velocity = [0.0, 1.5, 0.0] }}
[output]
formats = ["vtu", "pc2", "mdd", "usda", "obj", "ply", "glb"]
every = 2
fields = ["velocity", "displacement", "normal", "volume_error", "residual"]
simulation_mesh = ["vtu", "mdd", "usda", "ply"]
"#
    )
}

/// Whether two finished runs have the same files with the same bytes; `run.json` without the times and the
/// file of the scene.
fn assert_same(bench: &Bench, one: &str, other: &str) {
    let files = bench.files(one);
    assert_eq!(files, bench.files(other));
    assert!(files.len() > 20, "{files:?}");
    for file in files.iter().filter(|file| *file != "run.json") {
        let read = |run: &str| fs::read(bench.path(run).join(file)).unwrap();
        assert!(read(one) == read(other), "{file} differs");
    }
    let report = |run: &str| {
        let mut report = bench.json(&format!("{run}/run.json"));
        blank_times(&mut report);
        report
    };
    assert_eq!(report(one), report(other));
}

/// Removes the times that the run took.
fn blank_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                if key.ends_with("_ms")
                    || key.ends_with("_s") && key != "simulated_s"
                    || key == "ms_per_frame"
                {
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

#[test]
fn a_run_that_was_stopped_twice_is_that_of_one_go() {
    let bench = Bench::new();
    for precision in ["f32", "f64"] {
        bench.write("go.toml", scene(precision, 14));
        for (k, flags) in [
            &["--require", "energy.kinetic<=1e9"][..],
            &["--report-every", "3"],
            &["--report-every", "0"],
            &["--adaptive=2..16", "--require", "residual.edges<=1e-4"],
            &["--save-multipliers"],
        ]
        .iter()
        .enumerate()
        {
            let (whole, part) = (format!("whole-{precision}-{k}"), format!("part-{precision}-{k}"));
            let run = |more: &[&str]| {
                let ran = bench.pliant(&[&["run", "go.toml"], *flags, more].concat());
                // Requirements may be unmet, and few substeps not to be trusted, in both.
                assert!([0, 3, 4].contains(&ran.status), "{flags:?}: {}", ran.err);
                ran
            };
            let once = run(&["-o", &whole]);
            let stopped = run(&["-o", &part, "--stop-after", "4"]);
            assert!(stopped.err.contains("stopped after frame"), "{}", stopped.err);
            assert!(
                bench.exists(&format!("{part}/run.unfinished")) && !bench.exists(&format!("{part}/run.json"))
            );
            let again = run(&["-o", &part, "--continue", "--stop-after", "9"]);
            assert!(again.err.contains("resuming from frame"), "{}", again.err);
            let last = run(&["-o", &part, "--continue"]);
            assert_eq!(once.status, last.status);
            assert!(!bench.exists(&format!("{part}/continue")));
            assert_same(&bench, &whole, &part);
        }
    }
}

#[test]
fn a_run_that_was_killed_goes_on_and_loses_nothing() {
    let bench = Bench::new();
    bench.write("go.toml", scene("f32", 90));
    bench.good(&["run", "go.toml", "-o", "whole"]);
    let args = ["run", "go.toml", "-o", "part", "--checkpoint-every", "5", "--quiet"];
    for (begin, frame) in [(true, "0004"), (false, "0017"), (false, "0030")] {
        let more = if begin { &[][..] } else { &["--continue"] };
        let mut child = bench.spawn(&[&args[..], more].concat());
        wait_for(&bench, &format!("part/vtu/ball/ball_{frame}.vtu"), &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // Files of the user stay.
        bench.write("part/notes.txt", "mine");
        bench.write("part/continue/notes.txt", "mine");
    }
    assert!(bench.exists("part/run.unfinished"), "it was too fast to be killed");
    let ran = bench.good(&["run", "go.toml", "-o", "part", "--continue"]);
    assert!(ran.err.contains("resuming from frame"), "{}", ran.err);
    assert_eq!(bench.read("part/notes.txt") + &bench.read("part/continue/notes.txt"), "minemine");
    fs::remove_file(bench.path("part/notes.txt")).unwrap();
    fs::remove_dir_all(bench.path("part/continue")).unwrap();
    assert_same(&bench, "whole", "part");
}

#[test]
fn what_cannot_go_on_is_refused_and_left_alone() {
    let bench = Bench::new();
    bench.write("go.toml", scene("f32", 8));
    let go_on = ["run", "go.toml", "-o", "part", "--continue"];
    bench.refused(&go_on, &["part holds no run to resume", "--resume-or-start"]);
    assert!(!bench.exists("part"));
    bench.refused(&["run", "go.toml", "--continue"], &["--output"]);
    let stopped = bench.good(&["run", "go.toml", "-o", "part", "--stop-after", "4"]);
    assert!(stopped.err.contains("--continue -o part"), "{}", stopped.err);
    let before = bench.files("part");
    for (change, part) in [
        (scene("f64", 8), "the precision is not what it started with (f64 instead of f32)"),
        (scene("f32", 9), "the number of frames is not what it started with (9 instead of 8)"),
        (scene("f32", 8).replace("damping = 0.5", "damping = 0.6"), "the scene is not what it started with"),
    ] {
        bench.write("go.toml", change);
        bench.refused(&go_on, &["the run in part cannot be resumed", part]);
        assert_eq!(bench.files("part"), before);
    }
    bench.write("go.toml", scene("f32", 8));
    bench.refused(&[&go_on[..], &["--save-multipliers"]].concat(), &["--save-multipliers is not what"]);
    // Damage is found, whatever is damaged, and never leads to a wrong run.
    for file in ["state.bin", "frames.bin", "frames.jsonl"] {
        let path = bench.path("part/continue").join(file);
        let good = fs::read(&path).unwrap();
        for cut in [0, 7, good.len() / 2, good.len() - 1] {
            fs::write(&path, &good[..cut]).unwrap();
            let told = bench.refused(&go_on, &["part"]);
            assert!(told.contains("damaged"), "{file} cut at {cut}: {told}");
        }
        for at in [0, 13, good.len() / 3, good.len() - 1] {
            let mut changed = good.clone();
            changed[at] ^= 4;
            fs::write(&path, changed).unwrap();
            let told = bench.refused(&go_on, &["part"]);
            assert!(told.contains("damaged"), "{file} changed at {at}: {told}");
        }
        fs::remove_file(&path).unwrap();
        assert_ne!(bench.pliant(&go_on).status, 0, "{file}");
        fs::write(&path, good).unwrap();
    }
    assert_eq!(bench.files("part"), before);
    bench.good(&go_on);
    bench.refused(&go_on, &["the run in part is finished"]);
    // Without checkpoints there is nothing to resume from; --force starts over.
    bench.good(&["run", "go.toml", "-o", "other", "--checkpoint-every", "0", "--frames", "2"]);
    assert!(!bench.exists("other/continue"));
    bench.good(&["run", "go.toml", "-o", "part", "--force", "--stop-after", "2"]);
    bench.good(&["run", "go.toml", "-o", "part", "--force"]);
    assert!(!bench.exists("part/continue"));
}

//! A folder belongs to one run at a time, and a kill at any moment loses nothing.

use std::process::Child;

use crate::common::{Bench, SCENE, wait_for};

#[test]
fn a_run_that_is_going_on_keeps_its_folder() {
    let bench = Bench::new();
    let mut live = bench.spawn(&["run", "small.toml", "-o", "out", "--frames", "1000000", "-q"]);
    let process = format!("(process {})", live.id());
    wait_for(&bench, "out/vtu/sheet/sheet_0003.vtu", &mut live);
    for more in [&[][..], &["--force"], &["--continue"], &["--resume-or-start"]] {
        let args = [&["run", "small.toml", "-o", "out", "--frames", "2"], more].concat();
        let told = bench.refused(&args, &["the run in out is still in progress"]);
        assert!(!cfg!(unix) || told.contains(&process), "{told}");
        assert!(bench.exists("out/vtu/sheet/sheet_0000.vtu") && bench.exists("out/run.unfinished"));
    }
    assert!(live.try_wait().unwrap().is_none());
    live.kill().unwrap();
    live.wait().unwrap();
    // The lock ended with the process.
    bench.good(&["run", "small.toml", "-o", "out", "--force"]);
    assert!(!bench.exists("out/run.lock") && !bench.exists("out/vtu/sheet/sheet_0005.vtu"));
}

#[test]
fn of_runs_that_begin_in_one_folder_at_once_one_goes_on() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "once"]);
    for more in [&[][..], &["--force"]] {
        let args = [&["run", "small.toml", "-o", "out", "-q"], more].concat();
        let mut runs: Vec<Child> = (0..4).map(|_| bench.spawn(&args)).collect();
        let statuses: Vec<i32> = runs.iter_mut().map(|run| run.wait().unwrap().code().unwrap()).collect();
        assert!(statuses.contains(&0) && statuses.iter().all(|s| [0, 2].contains(s)), "{statuses:?}");
        assert_eq!(bench.files("out"), bench.files("once"));
        assert_eq!(bench.hash("out"), bench.hash("once"));
    }
}

/// A kill, then the command that uses the folder again; the result is that of an uninterrupted run.
#[test]
fn killed_at_any_moment_nothing_is_lost() {
    let bench = Bench::new();
    bench.write("small.toml", SCENE.to_owned() + "[output]\nformats = [\"vtu\", \"pc2\"]\n");
    let run = ["run", "small.toml", "-q", "--frames", "30", "--checkpoint-every", "3"];
    let begun = std::time::Instant::now();
    bench.good(&[&run[..], &["-o", "once"]].concat());
    let whole = begun.elapsed();
    let (files, state) = (bench.files("once"), bench.hash("once"));
    let mut kept = 0;
    for k in 0..30 {
        // A run that starts and resumes, killed twice, and one that replaces the rest of the last one.
        let (out, how) = if k % 2 == 0 {
            (format!("out{k}"), &["--resume-or-start"; 2][..])
        } else {
            ("out".to_owned(), &["--force"][..])
        };
        for (n, how) in how.iter().enumerate() {
            let mut child = bench.spawn(&[&run[..], &["-o", &out, how]].concat());
            std::thread::sleep(whole * k / 27 / (1 + n as u32));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if bench.exists(&out) {
            bench.write(&format!("{out}/notes.txt"), "mine");
        }
        let finished = bench.exists(&format!("{out}/run.json"));
        let more = [&run[..], &["-o", &out, "--continue"]].concat();
        let ran = bench.pliant(&more);
        if ran.status != 0 {
            let refusal = ["is finished", "holds no run to resume", "has no checkpoint"];
            assert!(ran.status == 2 && refusal.iter().any(|why| ran.err.contains(why)), "{}", ran.err);
            assert_eq!(finished, ran.err.contains("is finished"), "{}", ran.err);
            if !finished {
                bench.good(&[&run[..], &["-o", &out, "--resume-or-start"]].concat());
            }
        } else {
            kept += 1;
        }
        if bench.exists(&format!("{out}/notes.txt")) {
            assert_eq!(bench.read(&format!("{out}/notes.txt")), "mine");
            std::fs::remove_file(bench.path(&format!("{out}/notes.txt"))).unwrap();
        }
        if finished && bench.exists(&format!("{out}/run.unfinished")) {
            // Killed between its last two steps: the run is whole, and the next that replaces it clears the rest.
            bench.good(&[&run[..], &["-o", &out, "--force"]].concat());
        }
        assert_eq!(bench.hash(&out), state, "kill {k}");
        let left: Vec<String> = bench.files(&out).into_iter().filter(|file| file != "run.lock").collect();
        assert_eq!(left, files, "kill {k}");
    }
    assert!(kept > 0, "no kill came while a run went on");
}

#[test]
fn one_command_begins_and_goes_on() {
    let bench = Bench::new();
    let run =
        ["run", "small.toml", "-o", "out", "--frames", "9", "--checkpoint-every", "2", "--resume-or-start"];
    bench.good(&["run", "small.toml", "-o", "once", "--frames", "9"]);
    let begun = bench.good(&[&run[..], &["--stop-after", "3"]].concat());
    assert!(!begun.err.contains("resuming from"), "{}", begun.err);
    let on = bench.good(&[&run[..], &["--stop-after", "5"]].concat());
    assert!(on.err.contains("resuming from frame 3"), "{}", on.err);
    bench.write("notes.txt", "");
    let last = bench.good(&run);
    assert!(last.err.contains("resuming from frame 5"), "{}", last.err);
    assert_eq!(bench.hash("out"), bench.hash("once"));
    let before = bench.files("out");
    bench.refused(&run, &["the run in out is finished", "--force"]);
    assert_eq!(bench.files("out"), before);
    bench.refused(&["run", "small.toml", "--resume-or-start"], &["--output"]);
    bench.refused(&[&run[..], &["--force"]].concat(), &["--force"]);
    // A run without checkpoints cannot be resumed, and starts over.
    let bare = ["run", "small.toml", "-o", "bare", "--checkpoint-every", "0", "--frames", "100000", "-q"];
    let mut child = bench.spawn(&bare);
    wait_for(&bench, "bare/vtu/sheet/sheet_0002.vtu", &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    bench.refused(&[&bare[..], &["--continue"]].concat(), &["has no checkpoint"]);
    bench.good(&["run", "small.toml", "-o", "bare", "--resume-or-start"]);
    assert!(bench.exists("bare/run.json"));
}

//! `pliant run --ensure`: one command that has the finished run in a folder, whatever the folder holds, and
//! what a signal does.

use std::process::{Child, Command};

use crate::common::{Bench, wait_for};

const ENSURE: [&str; 6] = ["run", "small.toml", "--frames", "9", "--ensure", "out"];

/// A run of very many frames, which is in progress.
fn live(bench: &Bench, more: &[&str]) -> Child {
    let args = ["run", "small.toml", "--ensure", "out", "--frames", "100000", "-q"];
    let mut child = bench.spawn(&[&args[..], more].concat());
    wait_for(bench, "out/vtu/sheet/sheet_0003.vtu", &mut child);
    child
}

#[test]
fn it_begins_resumes_and_finds_what_is_whole() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "once", "--frames", "9"]);
    bench.good(&[&ENSURE[..], &["--stop-after", "3"]].concat());
    let on = bench.good(&ENSURE);
    assert!(on.err.contains("resuming from frame 3"), "{}", on.err);
    assert_eq!(bench.hash("out"), bench.hash("once"));
    assert_eq!(bench.files("out"), bench.files("once"));
    let report = bench.read("out/run.json");
    let whole = bench.good(&ENSURE);
    assert!(whole.err.contains(&format!("is finished: state {}", bench.hash("once"))), "{}", whole.err);
    assert_eq!(bench.read("out/run.json"), report);
    // A kill between the last two steps leaves a whole run with the mark of an unfinished one.
    bench.write("out/run.unfinished", "# This run was not finished. It wrote these files:\n");
    bench.write("out/continue/state.bin", "");
    bench.good(&ENSURE);
    assert_eq!(bench.files("out"), bench.files("once"));
}

#[test]
fn what_is_whole_must_be_what_is_asked_for() {
    let bench = Bench::new();
    bench.good(&ENSURE);
    let report = bench.read("out/run.json");
    for more in [&["--substeps", "7"][..], &["--require", "stretch.max<=9"], &["--precision", "f64"]] {
        let other = [&ENSURE[..], more].concat();
        bench.refused(
            &other,
            &["out holds a finished run of another scene, or with other options", "--force"],
        );
    }
    bench.write("small.toml", bench.read("small.toml").replace("radius = 0.2,", "radius = 0.19,"));
    bench.refused(&ENSURE, &["another scene"]);
    assert_eq!(bench.read("out/run.json"), report);
    bench.refused(&[&ENSURE[..], &["--force"]].concat(), &["--force"]);
    bench.refused(&[&ENSURE[..], &["-o", "here"]].concat(), &["--output"]);
}

#[test]
fn a_requirement_that_is_not_met_does_not_make_it_less_whole() {
    let bench = Bench::new();
    let strict = [&ENSURE[..], &["--require", "stretch.max<=1e-12"]].concat();
    for _ in 0..2 {
        bench.good(&strict);
    }
    assert_eq!(bench.json("out/certificate.json")["met"], false);
}

#[test]
fn a_folder_that_another_process_has_is_for_later() {
    let bench = Bench::new();
    let mut live = live(&bench, &[]);
    let told = bench.ends_with_status(75, &ENSURE, &["the run in out is still in progress"]);
    assert!(!cfg!(unix) || told.contains(&format!("(process {})", live.id())), "{told}");
    live.kill().unwrap();
    // At once, while the killed process may still be ending.
    bench.good(&["run", "small.toml", "-o", "out", "--force"]);
    live.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn signals_make_a_checkpoint_and_leave_with_75() {
    for signal in ["TERM", "INT"] {
        // A folder for each: a frame that is there must be of a program that hears signals by now.
        let bench = Bench::new();
        // The last checkpoint before the signal is that of the start.
        let mut live = live(&bench, &["--checkpoint-every", "99999"]);
        let sent = Command::new("kill").args(["-s", signal, &live.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(live.wait().unwrap().code(), Some(75));
        let on =
            bench.good(&["run", "small.toml", "--ensure", "out", "--frames", "100000", "--stop-after", "1"]);
        let frame = on.err.split_once("resuming from frame ").unwrap().1;
        let frame: u32 = frame.split_whitespace().next().unwrap().parse().unwrap();
        assert!(frame >= 3, "{}", on.err);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_what_is_still_being_read() {
    for signal in ["TERM", "INT"] {
        let bench = Bench::new();
        // Reading the pairs of a seam takes as long as nobody writes them.
        let pipe = bench.path("pairs.csv");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        bench.write(
            "sewn.toml",
            "[[body]]\nname = \"cloth\"\nmesh = { grid = { vertices = [3, 3], size = [1.0, 1.0] } }\n\
             material = \"cotton\"\n[[seam]]\nbodies = [\"cloth\"]\npairs = \"pairs.csv\"\n",
        );
        let mut reading = bench.spawn(&["run", "sewn.toml", "-o", "out"]);
        let (sender, opened) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(std::fs::OpenOptions::new().write(true).open(pipe)));
        // Opens when the program does, which hears signals by then.
        let _file =
            opened.recv_timeout(std::time::Duration::from_secs(60)).expect("the program reads it").unwrap();
        let sent = Command::new("kill").args(["-s", signal, &reading.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = (0..600).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            reading.try_wait().unwrap()
        });
        reading.kill().unwrap();
        assert_eq!(ended.and_then(|status| status.code()), Some(75));
        assert!(!bench.exists("out"));
    }
}

//! `pliant sweep`: studies by the program.

use crate::common::Bench;

const STUDY: &str = r#"scene = "small.toml"
[set]
"output.formats" = ["pc2"]
[vary]
"solver.substeps" = [2, 3, 4]
"body.0.edges.compliance" = { log = [1e-7, 1e-5], steps = 2 }
"#;

const SWEEP: [&str; 4] = ["sweep", "study.toml", "-o", "out"];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("study.toml", STUDY);
    bench
}

#[test]
fn a_study_from_its_file_to_a_plot() {
    let bench = bench();
    let listed = bench.good(&SWEEP);
    assert!(listed.out.contains("6 units in out, 0 finished"), "{}", listed.out);
    let part = bench.good(&[&SWEEP[..], &["--run", "--shard", "2/3", "--jobs", "2"]].concat());
    assert!(part.out.contains("2 finished, 0 were there before"), "{}", part.out);
    let rest = bench.good(&[&SWEEP[..], &["--run", "--table", "all.csv"]].concat());
    assert!(rest.out.contains("4 finished, 2 were there before"), "{}", rest.out);
    assert_eq!(bench.read("all.csv").lines().count(), 7);
    let printed = bench.good(&["sweep", "table", "out"]).out;
    assert_eq!(printed, bench.read("all.csv"));
    let plot = [
        "sweep",
        "plot",
        "out",
        "-y",
        "stretch.max",
        "-x",
        "body.0.edges.compliance",
        "--by",
        "solver.substeps",
    ];
    for file in ["plot.svg", "plot.png"] {
        bench.good(&[&plot[..], &["-o", file]].concat());
    }
    assert!(bench.read("plot.svg").contains("solver.substeps 3"));
    bench.refused(&[&plot[..], &["-o", "plot.pdf"]].concat(), &["neither .svg nor .png"]);
    bench.refused(
        &["sweep", "plot", "out", "-y", "x", "-x", "frames", "-o", "p.svg"],
        &["no parameter `frames`"],
    );
    // A unit is a run like any other.
    let unit = std::fs::read_dir(bench.path("out/units")).unwrap().next().unwrap().unwrap().path();
    let (scene, run) = (unit.join("scene.toml"), unit.join("run"));
    let told = bench.good(&["run", scene.to_str().unwrap(), "--ensure", run.to_str().unwrap()]);
    assert!(told.err.contains("is finished"), "{}", told.err);
}

#[test]
fn mistakes_are_refused_with_their_line() {
    let bench = bench();
    bench.write("study.toml", STUDY.replace("solver.substeps", "solver.substep"));
    bench.refused(&SWEEP, &["study.toml:5:1: solver.substep = 2: unknown field `substep`"]);
    assert!(!bench.exists("out"));
    bench.refused(&["sweep", "slurm", "study.toml", "-o", "out", "--jobs", "2"], &["study.toml:5:1"]);
    bench.write("study.toml", STUDY.replace("steps = 2", "steps = 1000000000"));
    bench.refused(&SWEEP, &["study.toml:6:1", "1000000000 × 3 combinations", "1000000 units"]);
    bench.write("study.toml", STUDY);
    bench.refused(&[&SWEEP[..], &["--shard", "4/3"]].concat(), &["3/16"]);
    bench.refused(&["sweep", "study.toml"], &["--output"]);
    bench.refused(&["sweep", "table", "nowhere"], &["nowhere", "holds no units"]);
}

#[cfg(unix)]
#[test]
fn a_signal_stops_with_checkpoints_and_the_same_command_goes_on() {
    use std::process::Command;

    let (calm, bench) = (bench(), bench());
    for bench in [&calm, &bench] {
        bench.write("study.toml", STUDY.replace("[vary]", "frames = 400\n[vary]"));
    }
    calm.good(&[&SWEEP[..], &["--run"]].concat());
    let hashes = |bench: &Bench| {
        let csv = bench.good(&["sweep", "table", "out"]).out;
        let heading: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let column = heading.iter().position(|name| *name == "state_hash").unwrap();
        csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut live = bench.spawn(&[&SWEEP[..], &["--run", "--jobs", "2", "-q"]].concat());
    // A unit has begun, so that signals are heard by now.
    let begun = || {
        let units = std::fs::read_dir(bench.path("out/units")).into_iter().flatten().flatten();
        units.into_iter().any(|unit| unit.path().join("run/run.unfinished").exists())
    };
    while !begun() && live.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-s", "TERM", &live.id().to_string()]).status().unwrap().success());
    let status = live.wait().unwrap().code().unwrap();
    // 0 if it was done before the signal.
    assert!([0, 75].contains(&status), "{status}");
    bench.good(&[&SWEEP[..], &["--run"]].concat());
    assert_eq!(hashes(&bench), hashes(&calm));
}

#[test]
fn a_script_for_slurm() {
    let bench = bench();
    let script =
        bench.good(&["sweep", "slurm", "study.toml", "-o", "out", "--jobs", "3", "--time", "00:10:00"]).out;
    for line in ["#SBATCH --array=1-3", "#SBATCH --time=00:10:00", "#SBATCH --signal=B:TERM@60"] {
        assert!(script.lines().any(|found| found == line), "{script}");
    }
    let study = bench.path("study.toml").canonicalize().unwrap();
    assert!(script.contains(&format!("'{}'", study.display())), "{script}");
}

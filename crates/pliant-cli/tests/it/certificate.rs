//! Certificates of runs: their files, requirements, and the check of the files by `pliant certify`.

use crate::common::{Bench, SCENE};
use pliant_cli::CertificateFile;

fn certificate(bench: &Bench, name: &str) -> CertificateFile {
    serde_json::from_str(&bench.read(name)).unwrap()
}

#[test]
fn a_run_certifies_itself() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    let file = certificate(&bench, "out/certificate.json");
    assert_eq!((file.format, file.scene.as_str(), file.source.as_str(), file.met), (1, "small", "run", true));
    assert_eq!(file.frames.len(), 4);
    for (frame, number) in file.frames.iter().zip(1..) {
        assert_eq!((frame.frame, frame.substeps, frame.substeps_spent), (number, 4, 4));
        for name in [
            "residual.edges",
            "residual.volumes.rms",
            "residual.contacts",
            "motion",
            "stretch.max",
            "stretch.p99",
            "compression.max",
            "volume.max",
            "inverted",
            "energy.kinetic",
            "work.contacts",
            "energy.loss",
        ] {
            assert!(frame.get(name).unwrap().value.is_finite(), "{name}");
        }
    }
    let worst = &file.worst["residual.edges"];
    let largest = file.frames.iter().map(|f| f.get("residual.edges").unwrap().value).fold(0.0, f64::max);
    assert_eq!(worst.value, largest);
    assert_eq!(file.units["residual.volumes"], "m³");
    let edges: u64 = file.distributions["stretch"].count();
    assert!(edges > 100);

    // The table has the same content, with a column for each measure.
    let csv = bench.read("out/certificate.csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..4], ["frame", "time", "substeps", "substeps_spent"]);
    assert_eq!(header.len(), 4 + file.worst.len());
    let column = header.iter().position(|name| *name == "residual.edges").unwrap();
    for (line, frame) in lines.zip(&file.frames) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), header.len());
        assert_eq!(cells[column].parse(), Ok(frame.get("residual.edges").unwrap().value));
    }
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn an_unmet_requirement_finishes_the_run_and_says_where() {
    let bench = Bench::new();
    let args = [
        "run",
        "small.toml",
        "-o",
        "out",
        "--require",
        "residual.edges<=1e-9",
        "--require",
        "stretch.max<=10",
    ];
    let ran = bench.pliant(&args);
    assert_eq!(ran.status, i32::from(pliant_cli::UNMET), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("error: not met: residual.edges<="), "{}", ran.err);
    let line = ran.out.lines().find(|line| line.starts_with("residual.edges<=")).unwrap();
    for part in ["UNMET", " m ", "frame ", "element ", "vertices ", "certified frames"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let line = ran.out.lines().find(|line| line.starts_with("stretch.max<=10")).unwrap();
    assert!(line.contains(" met ") && line.contains(" of sheet"), "{line}");
    // The run is whole.
    assert!(bench.exists("out/run.json") && !bench.exists("out/run.unfinished"));
    let file = certificate(&bench, "out/certificate.json");
    assert!(!file.met && !file.requirements[0].is_met() && file.requirements[1].is_met());
    let worst = file.requirements[0].worst.as_ref().unwrap();
    assert!(worst.value > 1e-9 && worst.at.is_some());
}

#[test]
fn requirements_may_stand_in_the_scene() {
    let bench = Bench::new();
    bench.write(
        "strict.toml",
        SCENE.replacen("frames = 4", "frames = 4\nrequire = [\"stretch.max<=1e-12\"]", 1),
    );
    bench.ends_with_status(3, &["run", "strict.toml", "-q"], &["stretch.max<="]);
    bench.write("wrong.toml", SCENE.replacen("frames = 4", "frames = 4\nrequire = [\"stretch.max\"]", 1));
    bench.refused(&["check", "wrong.toml"], &["wrong.toml:3:12", "`stretch.max` is not a requirement"]);
}

#[test]
fn what_is_not_there_cannot_be_required() {
    let bench = Bench::new();
    let names = ["residual.edge<=1", "`residual.edge` is not among", "residual.edges, ", "stretch.max"];
    bench.refused(&["run", "small.toml", "-o", "out", "--require", names[0]], &names[1..]);
    bench.refused(
        &["run", "small.toml", "-o", "out", "--require", "stretch.max<1"],
        &["is not a requirement"],
    );
    bench.refused(&["run", "small.toml", "-o", "out", "--adaptive"], &["--require"]);
    assert!(!bench.exists("out"), "nothing was begun");
    for limits in ["--adaptive=0..5", "--adaptive=9..3", "--adaptive=7"] {
        let ran = bench.pliant(&["run", "small.toml", limits, "--require", "stretch.max<=1"]);
        assert!(ran.status == 2 && ran.err.contains("such as 4..200"), "{}", ran.err);
    }
}

#[test]
fn frames_are_certified_as_often_as_asked() {
    let bench = Bench::new();
    let numbers = |args: &[&str]| -> Vec<u64> {
        bench.good(&[&["run", "small.toml", "-q", "--force", "-o", "out", "--frames", "7"], args].concat());
        let report = bench.json("out/run.json");
        assert_eq!(report["summary"]["frames"].as_u64(), Some(7));
        certificate(&bench, "out/certificate.json").frames.iter().map(|frame| frame.frame).collect()
    };
    assert_eq!(numbers(&["--report-every", "3"]), [3, 6, 7]);
    assert_eq!(numbers(&["--report-every", "0"]), [7]);
    assert!(!certificate(&bench, "out/certificate.json").worst.contains_key("motion"), "nothing is kept");
}

#[test]
fn substeps_are_chosen_so_that_the_bound_is_kept() {
    let bench = Bench::new();
    let run = |threads: &str| {
        let ran = bench.good(&[
            "run",
            "small.toml",
            "-o",
            "out",
            "--force",
            "--frames",
            "20",
            "--threads",
            threads,
            "--require",
            "residual.edges<=2e-3",
            "--adaptive=1..300",
        ]);
        assert!(ran.out.contains("substeps in all"), "{}", ran.out);
        let file = certificate(&bench, "out/certificate.json");
        assert!(file.met && file.frames.iter().all(|f| f.get("residual.edges").unwrap().value <= 2e-3));
        file.frames.iter().map(|frame| (frame.substeps, frame.substeps_spent)).collect::<Vec<_>>()
    };
    let one = run("1");
    assert!(one.iter().any(|(substeps, _)| *substeps != one[0].0), "the number changes: {one:?}");
    assert_eq!(run("2"), one);
}

#[test]
fn a_finished_run_is_certified_from_its_states() {
    for precision in ["f32", "f64"] {
        let bench = Bench::new();
        bench.good(&["run", "small.toml", "-q", "-o", "out", "--save-multipliers", "--precision", precision]);
        let checked = bench.good(&["certify", "out"]);
        assert!(
            checked.out.contains("4 certified frames checked from states with their multipliers"),
            "{}",
            checked.out
        );
        for name in
            ["residual.edges", "residual.contacts", "motion", "stretch.p99", "inverted", "energy.elastic"]
        {
            let line = checked.out.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
            assert!(line.ends_with("agrees in 4 frames"), "{precision}: {line}");
        }
        assert!(
            checked.out.lines().any(|line| line.starts_with("work.contacts ") && line.contains("unchecked"))
        );
        let with_unit = |name: &str, unit: &str| {
            let mut words = checked.out.lines().find(|line| line.starts_with(name)).unwrap().split(' ');
            words.any(|word| word == unit)
        };
        assert!(with_unit("energy.elastic", "J") && with_unit("motion ", "m"), "{}", checked.out);
        let again: CertificateFile =
            serde_json::from_str(&bench.good(&["certify", "out", "--json"]).out).unwrap();
        assert_eq!(again.source, "files");

        // A bound that is not among the requirements of the run.
        let ran = bench.pliant(&["certify", "out", "--require", "stretch.max<=1e-12"]);
        assert!(ran.status == 3 && ran.out.contains("UNMET"), "{}", ran.out);

        // A certificate that was edited to look better.
        let mut file = certificate(&bench, "out/certificate.json");
        let measures = &mut file.frames[1].measures;
        measures.iter_mut().find(|measure| measure.name == "residual.edges").unwrap().value = 1e-12;
        bench.write("out/certificate.json", serde_json::to_string(&file).unwrap());
        let text = bench.ends_with_status(3, &["certify", "out"], &["the files differ", "residual.edges"]);
        assert!(!text.contains("stretch"), "{text}");
    }
}

#[test]
fn runs_of_all_plans_are_certified() {
    for plan in ["auto", "sequential", "ordered", "clustered"] {
        let bench = Bench::new();
        bench.good(&["run", "small.toml", "-q", "-o", "out", "--save-multipliers", "--plan", plan]);
        assert!(bench.good(&["certify", "out"]).out.contains("agrees in 4 frames"), "{plan}");
    }
}

#[test]
fn without_multipliers_strains_are_checked_and_the_rest_is_not() {
    let bench = Bench::new();
    let ball = "edges = { compliance = 1e-5 }\n";
    bench
        .write("rigid.toml", bench.read("small.toml").replace(ball, &format!("{ball}volumes = \"rigid\"\n")));
    bench.good(&["run", "rigid.toml", "-q", "-o", "out"]);
    let checked = bench.good(&["certify", "out"]);
    assert!(checked.out.contains("mesh files, whose positions are rounded"), "{}", checked.out);
    let line = |name: &str| checked.out.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    assert!(line("residual.edges").contains("unchecked: run with --save-multipliers"));
    // The volumes of the ball are rigid: their residual is the volume itself.
    for name in ["stretch.max", "stretch.mean", "volume.max", "inverted", "residual.volumes"] {
        assert!(line(name).ends_with("agrees in 4 frames"), "{}", line(name));
    }
    // A file that differs from the simulated state.
    let path = bench.path("out/vtu/sheet/sheet_0002.vtu");
    std::fs::copy(bench.path("out/vtu/sheet/sheet_0000.vtu"), path).unwrap();
    bench.ends_with_status(3, &["certify", "out"], &["the files differ", "stretch.max"]);
}

#[test]
fn what_is_no_finished_run_is_refused() {
    let bench = Bench::new();
    bench.refused(&["certify", "missing"], &["missing", "give the folder of a finished run"]);
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--save-multipliers"]);
    bench.write("out/multipliers/frame_0002.safetensors", "rubbish, and more of it");
    bench.refused(&["certify", "out"], &["frame_0002.safetensors", "header"]);
    bench.write("out/certificate.json", "{}");
    bench.refused(&["certify", "out"], &["certificate.json is not a certificate"]);
    let ran = bench.good(&["certify", "--schema"]);
    assert_eq!(ran.out, pliant_cli::certificate_schema());
}

#[test]
fn what_drives_a_scene_is_in_its_balance_of_energy() {
    let bench = Bench::new();
    let scene = r#"name = "driven"
frames = 12
frame_rate = 60
[solver]
substeps = 8
iterations = 4
wind = { velocity = [3.0, 0.0, 1.0] }
[[body]]
name = "sheet"
mesh = { grid = { vertices = [7, 7], size = [0.5, 0.5] } }
edges = { compliance = 1e-5 }
pin = [{ vertices = [0, 6], motion = { velocity = [0, 0.6, 0] } }]
"#;
    bench.write("driven.toml", scene);
    bench.good(&["run", "driven.toml", "-q", "-o", "out"]);
    let file = certificate(&bench, "out/certificate.json");
    let total = |name: &str| -> f64 { file.frames.iter().map(|f| f.get(name).unwrap().value).sum() };
    let at = |frame: usize, name: &str| file.frames[frame].get(name).unwrap().value;
    let energy = |frame| {
        ["kinetic", "potential", "elastic"].map(|of| at(frame, &format!("energy.{of}"))).iter().sum::<f64>()
    };
    assert!(total("work.pins") > 0.01 && total("work.wind") != 0.0);
    let work = total("work.pins") + total("work.wind") - at(0, "work.pins") - at(0, "work.wind");
    let lost = total("energy.loss") - at(0, "energy.loss");
    let gained = energy(11) - energy(0);
    assert!((work - gained - lost).abs() < 1e-9 * work.abs().max(gained.abs()), "{work} {gained} {lost}");
    for name in ["work.pins", "work.wind"] {
        assert_eq!(file.units[name], "J");
    }
    assert!(bench.read("out/certificate.csv").starts_with("frame,time"));
    assert!(
        bench
            .read("out/certificate.csv")
            .lines()
            .next()
            .unwrap()
            .contains(",work.contacts,work.pins,work.wind,energy.loss")
    );
}

//! Successful `pliant run`: its files, its reports, and independence of threads.

use crate::common::{Bench, SCENE};
use nalgebra::Vector3;
use pliant_io::{Mesh, PointCache, read_mesh};

#[test]
fn a_run_writes_all_that_it_says() {
    let bench = Bench::new();
    let ran = bench.good(&["run", "small.toml", "-o", "out"]);
    let files = bench.files("out");
    let report = bench.json("out/run.json");
    let mut listed: Vec<&str> =
        report["files"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    listed.push("run.json");
    listed.sort_unstable();
    assert_eq!(files, listed);
    for frame in 0..=4 {
        for name in ["vtu/sheet/sheet", "vtu/ball/ball", "tetrahedra/ball/ball"] {
            assert!(bench.exists(&format!("out/{name}_{frame:04}.vtu")), "{name} {frame}");
        }
    }
    assert_eq!(bench.read("out/scene.toml"), SCENE);
    for file in ["small.pvd", "vtu/sheet.pvd", "vtu/ball.pvd", "tetrahedra/ball.pvd"] {
        let index = bench.read(&format!("out/{file}"));
        let folder = bench.path(&format!("out/{file}"));
        let entries: Vec<&str> =
            index.split("file=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(entries.len(), if file == "small.pvd" { 10 } else { 5 }, "{file}");
        for entry in entries {
            assert!(folder.parent().unwrap().join(entry).is_file(), "{file} names {entry}");
        }
    }
    // The summary lists every measure, and every path with a line on how to open it.
    for part in [
        "ms per frame",
        "stretch, largest",
        "volume error",
        "residual of edges",
        "linear momentum",
        "angular momentum",
    ] {
        assert!(ran.out.contains(part), "{part} is missing in\n{}", ran.out);
    }
    let mut lines = ran.out.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("out") {
            assert!(bench.exists(&format!("out{path}")), "{line}");
            assert!(lines.next().unwrap().starts_with("    "));
        }
    }
}

#[test]
fn animations_can_be_read_again() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "out", "--quiet"]);
    let cache = PointCache::read(bench.path("out/pc2/ball.pc2")).unwrap();
    let Mesh::Tri(rest) = read_mesh(bench.path("out/pc2/ball.obj")).unwrap().mesh else {
        panic!("not a surface")
    };
    assert_eq!((cache.vertex_count(), cache.sample_count()), (rest.positions().len(), 5));
    let Mesh::Tri(frame) = read_mesh(bench.path("out/vtu/ball/ball_0004.vtu")).unwrap().mesh else {
        panic!("not a surface")
    };
    for ((start, rest), (end, frame)) in
        cache.sample(0).iter().zip(rest.positions()).zip(cache.sample(4).iter().zip(frame.positions()))
    {
        for k in 0..3 {
            assert!((f64::from(start[k]) - rest[k]).abs() < 1e-6);
            assert!((f64::from(end[k]) - frame[k]).abs() < 1e-6);
        }
    }
    let Mesh::Tet(solid) = read_mesh(bench.path("out/tetrahedra/ball/ball_0000.vtu")).unwrap().mesh else {
        panic!("not a solid")
    };
    assert_eq!(solid.tets().len(), 160);
}

#[test]
fn the_report_tells_settings_series_and_summary() {
    let bench = Bench::new();
    bench.good(&[
        "run",
        "small.toml",
        "-o",
        "out",
        "--frames",
        "3",
        "--report",
        "report.json",
        "--threads",
        "1",
        "--plan",
        "sequential",
    ]);
    let report = bench.json("report.json");
    assert_eq!(report, bench.json("out/run.json"));
    let settings = &report["settings"];
    assert_eq!(
        (settings["frames"].as_u64(), settings["threads"].as_u64(), settings["substeps"].as_u64()),
        (Some(3), Some(1), Some(4))
    );
    assert_eq!(
        (settings["plan"].as_str(), settings["precision"].as_str()),
        (Some("sequential"), Some("f32"))
    );
    let frames = report["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3);
    for (i, frame) in (1_u64..).zip(frames) {
        assert_eq!(frame["frame"].as_u64(), Some(i));
        assert!(frame["solve_ms"].as_f64().unwrap() > 0.0);
        for group in ["edges", "bending", "volumes", "contacts"] {
            assert!(frame["residuals"][group]["max"].as_f64().unwrap() >= 0.0, "{group}");
        }
        assert!(frame["stretch"]["max"].as_f64().unwrap() < 0.2);
        assert_eq!(frame["volume"]["inverted"].as_u64(), Some(0));
    }
    let summary = &report["summary"];
    assert!(summary["setup_s"].as_f64().unwrap() > 0.0 && summary["ms_per_frame"].as_f64().unwrap() > 0.0);
    let hash = summary["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    assert_eq!(frames[2]["state_hash"].as_str(), Some(hash));
    assert_eq!(report["bodies"][1]["visual_vertices"].as_u64(), Some(162));
    // It matches the library's own type.
    let typed: pliant_cli::report::Report = serde_json::from_str(&bench.read("report.json")).unwrap();
    assert_eq!(typed.summary.frames, 3);
    assert_eq!(typed.groups.len(), 3);
}

#[test]
fn a_report_can_go_to_the_folder_of_its_run() {
    let bench = Bench::new();
    for force in [&[][..], &["--force"]] {
        let args = [&["run", "small.toml", "-q", "-o", "out", "--report", "out/report.json"], force].concat();
        bench.good(&args);
        assert_eq!(bench.json("out/report.json"), bench.json("out/run.json"));
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let bench = Bench::new();
    // Large enough that the work is divided among threads: more than 20 000 edges.
    bench.write(
        "sheet.toml",
        "frames = 2\n[solver]\nsubsteps = 2\n[[body]]\nmesh = { grid = { vertices = [90, 90], size = [1, 1] } }\n\
         edges = { compliance = 1e-7 }\nbending = { compliance = 1 }\n[[body.pin]]\nvertices = [0, 89]\n[output]\nformats = []\n",
    );
    for precision in ["f32", "f64"] {
        let hash = |threads: &str| {
            bench.good(&[
                "run",
                "sheet.toml",
                "-q",
                "--threads",
                threads,
                "--precision",
                precision,
                "--report",
                "report.json",
            ]);
            let report = bench.json("report.json");
            assert_eq!(report["settings"]["threads"].to_string(), threads);
            assert_eq!(report["settings"]["precision"].as_str(), Some(precision));
            report["summary"]["state_hash"].as_str().unwrap().to_owned()
        };
        let one = hash("1");
        assert_eq!([hash("2"), hash("3")], [one.clone(), one], "{precision}");
    }
}

#[test]
fn runs_are_numbered_and_never_overwrite() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench.good(&["run", "small.toml", "--frames", "1"]);
    }
    assert!(bench.exists("runs/small-1/run.json") && bench.exists("runs/small-2/run.json"));
    std::fs::create_dir(bench.path("runs/small-7")).unwrap();
    bench.good(&["run", "small.toml", "--frames", "1", "--quiet"]);
    assert!(bench.exists("runs/small-8/run.json") && !bench.exists("runs/small-3"));
}

#[test]
fn force_replaces_a_run_and_nothing_else() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "out"]);
    bench.write("out/notes.txt", "mine");
    bench.write("out/vtu/sheet/mine.vtu", "mine");
    bench.refused(&["run", "small.toml", "-o", "out"], &["out already holds a run", "--force"]);
    assert_eq!(bench.json("out/run.json")["frames"].as_array().unwrap().len(), 4);

    // Nothing is written beside a foreign file, and a run that cannot be replaced stays complete.
    let before = bench.files("out");
    bench.refused(
        &["run", "small.toml", "-o", "out", "--force"],
        &["out holds vtu/sheet/mine.vtu, which is not part of a run", "nothing was touched"],
    );
    assert_eq!(bench.files("out"), before);
    std::fs::remove_file(bench.path("out/vtu/sheet/mine.vtu")).unwrap();
    // It is not deleted either for a run that cannot start.
    bench.write("broken.toml", SCENE.replace("compliance = 1e-6", "compliance = -1"));
    bench.write("meshless.toml", SCENE.replace("{ ball = { radius = 0.2, shells = 2 } }", "\"missing.msh\""));
    bench.write("plots.toml", SCENE.to_owned() + "[output.pictures]\ncolor_by = \"residual.nothing\"\n");
    for scene in ["broken.toml", "meshless.toml", "plots.toml"] {
        let ran = bench.pliant(&["run", scene, "-o", "out", "--force"]);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert_eq!(bench.files("out").len(), before.len() - 1, "{scene}");
    }
    // A list that names foreign files is refused.
    let report = bench.read("out/run.json");
    bench.write("out/run.json", report.replacen("\"scene.toml\"", "\"scene.toml\",\"notes.txt\"", 1));
    bench.refused(&["run", "small.toml", "-o", "out", "--force"], &["notes.txt, which no run writes"]);
    assert_eq!(bench.files("out").len(), before.len() - 1);
    bench.write("out/run.json", report);
    bench.good(&["run", "small.toml", "-o", "out", "--force", "--frames", "1"]);
    assert_eq!(bench.json("out/run.json")["frames"].as_array().unwrap().len(), 1);
    assert!(!bench.exists("out/vtu/sheet/sheet_0002.vtu"));
    assert_eq!(bench.read("out/notes.txt"), "mine");
}

#[test]
fn every_format_and_field_can_be_chosen() {
    let bench = Bench::new();
    let output = "\n[output]\nformats = [\"obj\", \"ply\", \"vtu\", \"pc2\", \"mdd\", \"usda\", \"glb\"]\nevery = 2\nfields = [\"displacement\", \"normal\"]\nsimulation_mesh = false\n";
    bench.write("all.toml", SCENE.replace("visual = ", "# ") + output);
    bench.good(&["run", "all.toml", "-o", "out"]);
    for name in
        ["obj/ball/ball_0002.obj", "ply/sheet/sheet_0001.ply", "vtu/ball/ball_0002.vtu", "pc2/ball.pc2"]
    {
        assert!(bench.exists(&format!("out/{name}")), "{name}");
    }
    assert!(!bench.exists("out/vtu/ball/ball_0003.vtu") && !bench.exists("out/tetrahedra"));
    let frame = std::fs::read(bench.path("out/vtu/ball/ball_0002.vtu")).unwrap();
    let text = String::from_utf8_lossy(&frame);
    assert!(text.contains("displacement") && !text.contains("velocity"));
    // A solid without a fine surface is cached by its boundary.
    let cache = PointCache::read(bench.path("out/pc2/ball.pc2")).unwrap();
    assert_eq!(
        cache.vertex_count(),
        read_mesh(bench.path("out/pc2/ball.obj")).unwrap().mesh.positions().len()
    );
    assert_eq!((cache.sample_count(), cache.sample_rate()), (3, 2.0));
    let times = PointCache::read(bench.path("out/mdd/ball.mdd")).unwrap();
    assert_eq!(times.vertex_count(), cache.vertex_count());
    assert!(times.times().unwrap().iter().zip([0.0, 2.0, 4.0]).all(|(t, k)| (t - k / 60.0).abs() < 1e-6));
    for k in 0..3 {
        assert_eq!(times.sample(k), cache.sample(k));
    }
    // Each format starts with the same boundary, and ends where the others do.
    let starts = read_mesh(bench.path("out/pc2/ball.obj")).unwrap().into_tri().unwrap().0;
    let close = |a: &[Vector3<f64>], b: &[[f32; 3]]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| (0..3).all(|k| (a[k] - f64::from(b[k])).abs() < 1e-6))
    };
    for name in ["usda/ball.usda", "glb/ball.glb", "obj/ball/ball_0000.obj"] {
        let (mesh, _) = read_mesh(bench.path("out").join(name)).unwrap().into_tri().unwrap();
        assert!(close(mesh.positions(), cache.sample(0)), "{name}");
        assert_eq!(mesh.triangles(), starts.triangles(), "{name}");
    }
    let last = read_mesh(bench.path("out/obj/ball/ball_0002.obj")).unwrap().mesh;
    assert!(close(last.positions(), cache.sample(2)));
    let stage = bench.read("out/usda/ball.usda");
    for line in [
        "timeCodesPerSecond = 60",
        "endTimeCode = 4",
        "normals.timeSamples",
        "vector3f[] primvars:displacement (",
    ] {
        assert!(stage.contains(line), "{line}");
    }
    assert!(!stage.contains("velocities") && bench.read("out/obj/sheet/sheet_0001.obj").contains("\nvn "));
}

#[test]
fn the_tetrahedra_go_to_the_formats_that_are_named() {
    let bench = Bench::new();
    let output = "\n[output]\nformats = [\"ply\"]\nsimulation_mesh = [\"vtu\", \"pc2\", \"usda\"]\n";
    bench.write("both.toml", SCENE.to_owned() + output);
    bench.good(&["run", "both.toml", "-o", "out", "--frames", "1"]);
    for name in ["ball.pvd", "ball/ball_0001.vtu", "ball.pc2", "ball.obj", "ball.usda"] {
        assert!(bench.exists(&format!("out/tetrahedra/{name}")), "{name}");
    }
    assert!(
        !bench.exists("out/tetrahedra/sheet.pvd")
            && !bench.exists("out/vtu")
            && bench.exists("out/ply/sheet")
    );
    let rest = read_mesh(bench.path("out/tetrahedra/ball.obj")).unwrap().mesh;
    let cache = PointCache::read(bench.path("out/tetrahedra/ball.pc2")).unwrap();
    assert_eq!(cache.vertex_count(), rest.positions().len());
    bench.write("wrong.toml", SCENE.to_owned() + &output.replace("[\"vtu\", \"pc2\", \"usda\"]", "\"vtu\""));
    bench.refused(&["check", "wrong.toml"], &["expected true, false or a list of formats"]);
}

#[test]
fn clips_that_would_be_too_large_are_refused_before_anything_is_simulated() {
    let bench = Bench::new();
    bench.write("clip.toml", SCENE.to_owned() + "\n[output]\nformats = [\"obj\", \"glb\"]\n");
    bench.refused(
        &["run", "clip.toml", "-o", "out", "--frames", "600"],
        &["a glb file holds at most 600 frames, and 601 are to be written", "output.formats[1]"],
    );
    assert!(!bench.exists("out"));
}

#[test]
fn quiet_is_quiet_and_the_rest_goes_to_two_streams() {
    let bench = Bench::new();
    let ran = bench.good(&["run", "small.toml", "-q"]);
    assert_eq!((&*ran.out, &*ran.err), ("", ""));
    let ran = bench.good(&["run", "small.toml"]);
    assert!(ran.err.starts_with("small: writing to runs") && ran.out.contains("state "));
}

#[test]
fn without_arguments_the_default_scene_runs() {
    let bench = Bench::new();
    bench.good(&["run", "--frames", "2", "-o", "out"]);
    assert_eq!(bench.json("out/run.json")["scene"].as_str(), Some("default"));
    for file in ["default.pvd", "pc2/sheet.pc2", "pc2/torus.pc2", "vtu/torus/torus_0002.vtu"] {
        assert!(bench.exists(&format!("out/{file}")), "{file}");
    }
    // The copy of the scene runs by itself.
    bench.good(&["check", "out/scene.toml"]);
}

/// An interrupted run does not look like a complete one, and can be replaced.
#[cfg(unix)]
#[test]
fn an_interrupted_run_never_looks_complete() {
    let bench = Bench::new();
    let mut child = bench.spawn(&["run", "small.toml", "-o", "out", "--frames", "1000000", "-q"]);
    crate::common::wait_for(&bench, "out/vtu/sheet/sheet_0003.vtu", &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!bench.exists("out/run.json") && bench.exists("out/run.unfinished"));
    assert!(!bench.exists("out/pc2/sheet.pc2") && !bench.exists("out/small.pvd"));
    // The index of a body lists the existing frames.
    let index = bench.read("out/vtu/sheet.pvd");
    let last = index.rsplit("file=\"").next().unwrap().split('"').next().unwrap();
    assert!(bench.exists(&format!("out/vtu/{last}")));
    bench.refused(&["run", "small.toml", "-o", "out"], &["already holds a run"]);
    bench.good(&["run", "small.toml", "-o", "out", "--force", "-q"]);
    let mut expected: Vec<String> = bench.json("out/run.json")["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f.as_str().unwrap().to_owned())
        .collect();
    expected.push("run.json".to_owned());
    expected.sort();
    assert_eq!(bench.files("out"), expected);
}

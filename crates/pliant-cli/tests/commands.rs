//! `pliant new`, `pliant check` and `pliant mesh info`.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod common;

use common::Bench;

#[test]
fn every_example_checks_and_runs() {
    let bench = Bench::new();
    for template in pliant_scene::templates() {
        let name = template.name;
        bench.good(&["new", name]);
        let file = format!("{name}.toml");
        assert_eq!(bench.read(&file), template.text());
        assert!(bench.good(&["check", &file]).out.contains("is a good scene"));
        bench.good(&["run", &file, "--frames", "2", "--quiet"]);
        assert!(bench.exists(&format!("runs/{name}-1/run.json")));
    }
    assert_eq!(bench.read("scene.schema.json"), pliant_scene::schema());
}

#[test]
fn examples_are_listed_and_not_overwritten() {
    let bench = Bench::new();
    let list = bench.good(&["new"]).out;
    for template in pliant_scene::templates() {
        assert!(
            list.lines().any(|line| line.starts_with(template.name) && line.contains(template.about)),
            "{list}"
        );
    }
    bench.good(&["new", "cloth", "-o", "mine.toml"]);
    bench.write("mine.toml", "precious");
    bench.refused(&["new", "cloth", "-o", "mine.toml"], &["mine.toml is there already"]);
    assert_eq!(bench.read("mine.toml"), "precious");
    bench.refused(&["new", "cloht"], &["there is no example named \"cloht\"", "cloth"]);
    bench.refused(&["new", "cloth", "-o", "."], &["is a directory"]);
    bench.refused(&["new", "cloth", "-o", "missing/cloth.toml"], &["cannot write to missing/cloth.toml"]);
    assert!(bench.good(&["new", "cloth", "-o", "-"]).out.starts_with("#:schema"));
}

#[test]
fn a_check_describes_the_scene_and_writes_nothing() {
    let bench = Bench::new();
    let before = bench.files(".");
    let text = bench.good(&["check", "small.toml"]).out;
    for part in [
        "4 frames at 60 per second",
        "4 substeps",
        "sheet: cloth of 36 vertices",
        "ball: solid of",
        "edges:",
        "volumes:",
        "colours",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert_eq!(bench.files("."), before);
}

#[test]
fn mesh_info_measures_solids() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "out", "-q", "--frames", "1"]);
    let info: serde_json::Value = serde_json::from_str(
        &bench.good(&["mesh", "info", "out/tetrahedra/ball/ball_0000.vtu", "--json"]).out,
    )
    .unwrap();
    assert_eq!(info["kind"].as_str(), Some("tetrahedra"));
    assert_eq!((info["tets"].as_u64(), info["components"].as_u64()), (Some(160), Some(1)));
    // Euler's formula for a ball: vertices − edges + faces − tetrahedra = 1.
    let number = |key: &str| info[key].as_i64().unwrap();
    let faces = (4 * number("tets") + info["surface"]["triangles"].as_i64().unwrap()) / 2;
    assert_eq!(number("vertices") - number("edges") + faces - number("tets"), 1);
    assert_eq!(info["surface"]["closed"].as_bool(), Some(true));
    let volume = info["volume"].as_f64().unwrap();
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.2_f64.powi(3);
    assert!(volume > 0.7 * ball && volume < ball);
    for (kind, count) in [("edges", number("edges")), ("volumes", 160)] {
        let colours = &info["colours"][kind];
        let sizes: i64 = colours["sizes"].as_array().unwrap().iter().map(|s| s.as_i64().unwrap()).sum();
        assert_eq!((colours["constraints"].as_i64(), sizes), (Some(count), count));
    }
    assert_eq!(info["defects"]["inverted_or_flat_tets"]["count"].as_u64(), Some(0));
    assert!(info["quality"]["radius_ratio"]["min"].as_f64().unwrap() > 0.3);
}

#[test]
fn mesh_info_names_defects_of_surfaces() {
    let bench = Bench::new();
    // A square with a flat triangle, a doubled one, a loose vertex and an edge of three triangles.
    bench.write(
        "bad.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 9 9 9\nf 1 2 3\nf 1 3 4\nf 3 1 2\nf 1 2 5\n",
    );
    let text = bench.good(&["mesh", "info", "bad.obj"]).out;
    for part in [
        "vertices    6",
        "triangles   4",
        "defect      1 triangles have no area, the first is 3",
        "defect      1 elements repeat an earlier one, the first is 2",
        "defect      1 vertices belong to no element, the first is 5",
        "volume      none",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    bench.write("good.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let text = bench.good(&["mesh", "info", "good.obj"]).out;
    for part in [
        "edges       5",
        "1 hinges, 4 boundary edges",
        "area        1.0",
        "defects     none",
        "note        1 polygons were split",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let bench = Bench::new();
    assert!(bench.good(&["--version"]).out.starts_with("pliant "));
    let help = bench.good(&["run", "--help"]).out;
    for flag in
        ["--output", "--force", "--frames", "--threads", "--plan", "--precision", "--report", "--quiet"]
    {
        assert!(help.contains(flag), "{flag}");
    }
}

/// A reader that goes away early is no error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let bench = Bench::new();
    for args in [&["new", "cloth", "-o", "-"][..], &["run", "small.toml", "-q", "-o", "out"], &["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pliant"))
            .args(args)
            .current_dir(bench.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

//! `pliant new`, `pliant check` and `pliant mesh info`.

use crate::common::Bench;

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
    bench.refused(&["new", "cloth", "-o", "mine.toml"], &["mine.toml already exists"]);
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
        "339 constraints, 1 colour\n",
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
fn mesh_info_lists_groups_and_attributes_and_convert_keeps_them() {
    let bench = Bench::new();
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"top side\"\n3 2 \"foot\"\n$EndPhysicalNames\n\
                $Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n2\n1 2 2 1 1 2 3 4\n2 4 2 2 1 1 2 3 4\n\
                $EndElements\n$NodeData\n1\n\"heat\"\n1\n0\n3\n0\n1\n3\n1 0.5\n2 2\n3 -1\n$EndNodeData\n";
    bench.write("a.msh", text);
    let said = bench.good(&["mesh", "info", "a.msh"]).out;
    for part in [
        "attribute   \"gmsh:physical\" of elements: integer, 2 to 2",
        "attribute   \"heat\" of vertices: real, -1 to 2, 1 missing",
        "group       \"top side\": 3 vertices",
        "group       \"foot\": 1 elements",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&bench.good(&["mesh", "info", "a.msh", "--json"]).out).unwrap();
    let heat = json["attributes"].as_array().unwrap().iter().find(|a| a["name"] == "heat").unwrap();
    assert_eq!((heat["of"].as_str(), heat["kind"].as_str()), (Some("vertices"), Some("real")));
    assert_eq!(heat["range"], serde_json::json!([-1.0, 2.0]));
    bench.good(&["mesh", "convert", "a.msh", "a.vtu"]);
    let said = bench.good(&["mesh", "info", "a.vtu"]).out;
    let mask = "attribute   \"top side\" of vertices: integer, 0 to 1, a group of 3 vertices";
    assert!(said.contains(mask), "{said}");
    let said = bench.good(&["mesh", "convert", "a.msh", "a.stl"]).out;
    assert!(said.contains("a.stl cannot store \"foot\", \"gmsh:geometrical\""), "{said}");
    // Damaged attributes give a note on a good mesh.
    bench.write("bad.msh", text.replace("3 -1", "9 -1"));
    let said = bench.good(&["mesh", "info", "bad.msh"]).out;
    assert!(said.contains("its attributes cannot be read") && said.contains("heat"), "{said}");
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
        "defect      1 triangle has no area, number 3",
        "defect      1 element repeats an earlier one, number 2",
        "defect      1 vertex belongs to no element, number 5",
        "volume      none",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    bench.write("good.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let text = bench.good(&["mesh", "info", "good.obj"]).out;
    for part in [
        "edges       5",
        "1 hinge, 4 boundary edges",
        "area        1.0",
        "defects     none",
        "note        1 polygons were split",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// The groups of `--batches`, and what must hold of every plan of packs.
fn batches(bench: &Bench, file: &str, more: &[&str]) -> Vec<(String, u64, u64)> {
    let args = [&["mesh", "info", file, "--batches", "--json"], more].concat();
    let info: serde_json::Value = serde_json::from_str(&bench.good(&args).out).unwrap();
    let groups = info["batches"]["groups"].as_array().unwrap();
    let check = |group: &serde_json::Value| {
        let number = |key: &str| group[key].as_u64().unwrap_or_else(|| panic!("{key} in {group}"));
        let (active, packs) = (number("active"), number("packs"));
        assert_eq!(number("constraints"), active + number("dropped"));
        assert_eq!(8 * packs, active + number("empty_lanes"), "{group}");
        let sizes = group["colour_sizes"].as_array().unwrap();
        assert_eq!(sizes.len() as u64, number("cluster_colours"));
        assert_eq!(sizes.iter().map(|s| s.as_u64().unwrap()).sum::<u64>(), active);
        assert!(number("clusters") >= number("cluster_colours") && packs >= number("clusters"), "{group}");
        let fill = group["fill"].as_f64().unwrap();
        assert!((fill - active as f64 / (8 * packs) as f64).abs() < 1e-12);
        (group["name"].as_str().unwrap().to_owned(), active, number("bytes_per_constraint"))
    };
    groups.iter().map(check).collect()
}

#[test]
fn mesh_info_tells_the_batches() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-o", "out", "-q", "--frames", "1"]);
    let solid = "out/tetrahedra/ball/ball_0000.vtu";
    let [edges, volumes] = batches(&bench, solid, &[]).try_into().unwrap();
    assert_eq!((edges.0.as_str(), volumes.0.as_str(), volumes.1), ("edges", "volumes", 160));
    let [wide_edges, _] = batches(&bench, solid, &["--precision", "f64"]).try_into().unwrap();
    assert_eq!(wide_edges.1, edges.1);
    assert!(wide_edges.2 > edges.2, "f64 takes more room: {} and {} bytes", wide_edges.2, edges.2);

    // A strip of triangles: 2 n + 1 edges and n − 1 hinges.
    let n = 600;
    let mut strip = String::new();
    for i in 0..n + 2 {
        strip += &format!("v {} {} 0\n", i / 2, i % 2);
    }
    for i in 1..=n {
        let [a, b, c] = if i % 2 == 1 { [i, i + 1, i + 2] } else { [i + 1, i, i + 2] };
        strip += &format!("f {a} {b} {c}\n");
    }
    bench.write("strip.obj", strip);
    let cloth = batches(&bench, "strip.obj", &[]);
    let counts: Vec<_> = cloth.iter().map(|(name, count, _)| (name.as_str(), *count)).collect();
    assert_eq!(counts, [("edges", 2 * n + 1), ("bending", n - 1)]);

    let text = bench.good(&["mesh", "info", "strip.obj", "--batches"]).out;
    for part in [
        "batches     in f32, without pins",
        "edges: 1201 constraints, 1201 active, 0 dropped",
        "bending: 599 constraints",
        "packs of eight",
        "bytes per constraint",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!bench.good(&["mesh", "info", "strip.obj"]).out.contains("batches"));
    let alone = bench.pliant(&["mesh", "info", "strip.obj", "--precision", "f64"]);
    assert!(alone.status == 2 && alone.err.contains("--batches"), "{}", alone.err);
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

#[test]
fn quiet_is_for_every_command() {
    let bench = Bench::new();
    bench.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 5 5 5\nf 1 2 3\nf 3 2 4\n");
    let ball = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    bench.write("ball.obj", ball);
    for silent in [
        &["run", "small.toml", "-o", "out"][..],
        &["new", "cloth"],
        &["new", "elbow"],
        &["check", "small.toml"],
        &["certify", "out"],
        &["render", "out", "-o", "out.png"],
        &["render", "out", "-o", "out.html"],
        &["render", "out", "--plot", "energy", "-o", "out.svg"],
        &["relax", "mesh.obj", "mesh.obj", "-o", "relaxed.obj"],
        &["mesh", "check", "ball.obj"],
        &["mesh", "repair", "mesh.obj", "-o", "repaired.obj"],
        &["mesh", "convert", "mesh.obj", "converted.ply"],
        &["mesh", "tetrahedralize", "ball.obj", "--cells", "4", "--accept-losses", "-o", "solid.msh"],
    ] {
        // Before the command and after it.
        for args in [[&["-q"], silent].concat(), [silent, &["--quiet"]].concat()] {
            for made in ["cloth.toml", "elbow.toml"] {
                let _ = std::fs::remove_file(bench.path(made));
            }
            if silent[0] == "run" {
                let _ = std::fs::remove_dir_all(bench.path("out"));
            }
            let ran = bench.good(&args);
            assert_eq!((&*ran.out, &*ran.err), ("", ""), "{args:?}");
        }
    }
    for asked in [
        &["new"][..],
        &["new", "cloth", "-o", "-"],
        &["certify", "out", "--json"],
        &["certify", "--schema"],
        &["mesh", "info", "ball.obj"],
        &["mesh", "check", "ball.obj", "--json"],
        &["mesh", "repair", "mesh.obj", "-o", "repaired.obj", "--json"],
    ] {
        let ran = bench.good(&[asked, &["-q"]].concat());
        assert!(!ran.out.is_empty() && ran.err.is_empty(), "{asked:?}: {}", ran.err);
    }
    // Errors are still printed.
    bench.refused(&["check", "-q", "missing.toml"], &["missing.toml"]);
    bench.refused(&["run", "-q", "--frames", "0"], &["--frames"]);
}

/// A reader that closes the pipe early is not an error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::Stdio;
    let bench = Bench::new();
    for args in [&["new", "cloth", "-o", "-"][..], &["run", "small.toml", "-q", "-o", "out"], &["--help"]] {
        let mut child = bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

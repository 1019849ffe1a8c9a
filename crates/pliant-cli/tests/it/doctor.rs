//! `pliant mesh check` and `repair` find and repair the defects of the table of planted defects.

use crate::common::Bench;
use crate::planted::{AnyMesh, Planted, table};
use pliant_io::{Mesh, write_mesh};
use pliant_mesh::Defect;
use serde_json::Value;

/// The name of a defect in JSON.
fn name(defect: Defect) -> String {
    serde_json::to_value(defect).unwrap().as_str().unwrap().to_owned()
}

fn numbers(list: &Value) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|n| u32::try_from(n.as_u64().unwrap()).unwrap()).collect()
}

/// Writes the mesh of a row, for solids and for surfaces, in a format that keeps every digit and vertex.
fn file(bench: &Bench, row: &Planted) -> &'static str {
    let (name, mesh) = match &row.shape {
        AnyMesh::Surface(mesh) => ("bad.obj", Mesh::Tri(mesh.clone())),
        AnyMesh::Solid(mesh) => ("bad.vtk", Mesh::Tet(mesh.clone())),
    };
    write_mesh(bench.path(name), &mesh).unwrap();
    name
}

#[test]
fn the_program_names_each_with_its_place_and_mends_it() {
    let bench = Bench::new();
    for row in table() {
        let file = file(&bench, &row);
        let ran = bench.pliant(&["mesh", "check", file, "--json"]);
        let told: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}: {}", row.name, ran.err));
        let fit = row.found.iter().all(|(defect, _)| !defect.is_error());
        assert_eq!((told["fit"].as_bool(), ran.status), (Some(fit), if fit { 0 } else { 2 }), "{}", row.name);
        let found = told["check"]["findings"].as_array().unwrap();
        let kinds: Vec<&str> = found.iter().map(|f| f["defect"].as_str().unwrap()).collect();
        let wanted: Vec<String> = row.found.iter().map(|(defect, _)| name(*defect)).collect();
        assert_eq!(kinds, wanted, "{}", row.name);
        for (finding, (_, at)) in found.iter().zip(&row.found) {
            if let Some(at) = at {
                assert_eq!(&numbers(&finding["at"]), at, "{}", row.name);
            }
            assert_eq!(finding["place"].as_array().map(Vec::len), Some(3), "{}", row.name);
        }
        let units: Vec<&str> =
            told["check"]["units"].as_array().unwrap().iter().map(|u| u["unit"].as_str().unwrap()).collect();
        assert_eq!(units, row.units, "{}", row.name);

        let mended = if file.ends_with("obj") { "good.obj" } else { "good.vtk" };
        let mut args = vec!["mesh", "repair", file, "-o", mended, "--json"];
        args.extend(row.flags);
        let told: Value = serde_json::from_str(&bench.good(&args).out).unwrap();
        let ran = bench.pliant(&["mesh", "check", mended, "--json"]);
        let second: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["after"]["findings"], second["check"]["findings"], "{}", row.name);
        let left: Vec<(&str, u64)> = second["check"]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| (f["defect"].as_str().unwrap(), f["count"].as_u64().unwrap()))
            .collect();
        let wanted: Vec<(String, u64)> =
            row.left.iter().map(|(defect, count)| (name(*defect), *count as u64)).collect();
        assert_eq!(
            left.iter().map(|(d, c)| ((*d).to_owned(), *c)).collect::<Vec<_>>(),
            wanted,
            "{}",
            row.name
        );
    }
}

#[test]
fn coordinates_that_are_no_numbers_are_refused_with_their_line() {
    let bench = Bench::new();
    bench.write("bad.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    bench.refused(&["mesh", "check", "bad.obj", "--json"], &["bad.obj, line 2", "NaN"]);
    bench.refused(&["mesh", "repair", "bad.obj", "-o", "good.obj"], &["bad.obj, line 2"]);
    assert!(!bench.exists("good.obj"));
}

#[test]
fn flags_that_make_no_sense_are_refused_and_floating_vertices_may_stay() {
    let bench = Bench::new();
    bench.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 5 5 5\nf 1 2 3\n");
    for (flag, value, part) in [
        ("--unite", "-1", "--unite is -1"),
        ("--weld", "nan", "--weld is NaN"),
        ("--keep-share", "2", "--keep-share is 2"),
    ] {
        let value = format!("{flag}={value}");
        bench.refused(&["mesh", "repair", "a.obj", "-o", "b.obj", &value], &[part]);
    }
    bench.refused(
        &["mesh", "repair", "a.obj", "-o", "b.obj", "--keep-largest", "--keep-share", "0.5"],
        &["--keep-share"],
    );
    let told = bench.good(&["mesh", "repair", "a.obj", "-o", "b.obj", "--keep-unreferenced"]).out;
    assert!(told.contains("error: 1 vertex without elements"), "{told}");
    let told = bench.good(&["mesh", "repair", "a.obj", "-o", "b.obj"]).out;
    assert!(told.contains("1 vertex dropped that no element used (first: 3)"), "{told}");
}

/// A scene of one sheet from a file, pinned at vertex 1 of the file, with gravity only.
fn scene(mesh: &str, pin: &str) -> String {
    format!(
        "name = \"torn\"\nframes = 2\nframe_rate = 60\n[[body]]\nname = \"sheet\"\nmesh = {mesh}\nedges = {{ compliance = 1e-6 }}\n{pin}\n[output]\nformats = [\"vtu\", \"pc2\"]\n"
    )
}

/// Two triangles of a square with vertices of their own along the diagonal, one turned over, repeated and
/// with a floating vertex.
const TORN: &str =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 4 6 5\nf 2 3 1\n";

#[test]
fn a_scene_refuses_what_is_wrong_and_tells_the_line_that_mends_it() {
    let bench = Bench::new();
    for (row, edges) in table().into_iter().map(|row| {
        let solid = matches!(row.shape, AnyMesh::Solid(_));
        (row, solid)
    }) {
        let file = file(&bench, &row);
        bench.write("bad.toml", scene(&format!("\"{file}\""), ""));
        let _ = edges;
        let ran = bench.pliant(&["check", "bad.toml"]);
        // Vertices without elements are removed, which is reported.
        let refused = row.found.iter().any(|(d, _)| d.is_error() && *d != Defect::UnreferencedVertices);
        assert_eq!(ran.status, if refused { 2 } else { 0 }, "{}\n{}{}", row.name, ran.out, ran.err);
        if refused {
            let told = ran.err.replace("reorient = true", "repair = true");
            let wanted = if row.name == "crowded face" { "repair = \"report\"" } else { "repair = true" };
            assert!(told.contains("bad.toml:6:8") && told.contains(wanted), "{}\n{}", row.name, ran.err);
            let table = format!("{{ file = \"{file}\", repair = true }}");
            bench.write("bad.toml", scene(&table, ""));
            let ran = bench.pliant(&["check", "bad.toml"]);
            let mended = row.name != "crowded face";
            assert_eq!(ran.status == 0, mended, "{}\n{}{}", row.name, ran.out, ran.err);
            assert_eq!(ran.out.contains("repaired: "), mended, "{}", row.name);
        } else if row.found.iter().any(|(d, _)| *d == Defect::UnreferencedVertices) {
            assert!(ran.out.contains("removed: 1 vertex without an element"), "{}", ran.out);
        }
    }
}

#[test]
fn a_run_repairs_tells_it_and_counts_pins_as_the_file() {
    let bench = Bench::new();
    bench.write("torn.obj", TORN);
    bench.write("torn.toml", scene("\"torn.obj\"", ""));
    let refused = bench.refused(
        &["run", "torn.toml", "-o", "out"],
        &[
            "torn.toml:6:8",
            "torn.obj has 1 element that repeats an earlier one",
            "first: 2, at",
            "mesh = { file = \"torn.obj\", repair = true }",
            "repair = \"report\"",
        ],
    );
    assert!(!bench.exists("out"), "{refused}");

    // Vertex 4 of the file became vertex 2, and 5 became 3.
    let pin = "[[body.pin]]\nvertices = [4, 5]";
    bench.write("torn.toml", scene("{ file = \"torn.obj\", repair = true }", pin));
    let ran = bench.good(&["run", "torn.toml", "-o", "out"]);
    assert!(ran.err.contains("repaired: 2 vertices joined with an earlier one"), "{}", ran.err);
    assert!(ran.err.contains("repaired: 7 vertices and 3 elements became 4 and 2"), "{}", ran.err);
    assert!(ran.out.contains("repaired/sheet.obj"), "{}", ran.out);
    let report = bench.json("out/run.json");
    let steps = report["bodies"][0]["repair"]["steps"].as_array().unwrap();
    let actions: Vec<&str> = steps.iter().map(|step| step["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["weld", "drop-duplicates", "orient", "drop-unreferenced"]);
    assert_eq!((steps[0]["count"].as_u64(), steps[0]["first"].as_u64()), (Some(2), Some(3)));
    let told = bench.json("out/repaired/sheet.json");
    assert_eq!(told["became"], serde_json::json!([0, 1, 2, 0, 2, 3, null]));
    let (mesh, _) = pliant_io::read_mesh(bench.path("out/repaired/sheet.obj")).unwrap().into_tri().unwrap();
    assert_eq!((mesh.positions().len(), mesh.triangles().len()), (4, 2));
    let cache = pliant_io::PointCache::read(bench.path("out/pc2/sheet.pc2")).unwrap();
    assert_eq!(cache.vertex_count(), 4);
    // The pinned ones stay, the others fall.
    for v in 0..4 {
        let moved = cache.sample(2)[v][1] != cache.sample(0)[v][1];
        assert_eq!(moved, v < 2, "vertex {v}");
    }
    assert!(report["files"].as_array().unwrap().iter().any(|file| file == "repaired/sheet.json"));
    bench.good(&["run", "torn.toml", "-o", "out", "--force"]);

    bench.write("torn.toml", scene("{ file = \"torn.obj\", repair = true }", "[[body.pin]]\nvertices = [6]"));
    bench.refused(&["run", "torn.toml", "-o", "other"], &["vertex 6", "the repair of the mesh dropped"]);
    bench.write("torn.toml", scene("{ file = \"torn.obj\", repair = \"report\" }", ""));
    let ran = bench.good(&["run", "torn.toml", "-o", "other"]);
    assert!(ran.err.contains("simulated as it is: 1 element that repeats an earlier one"), "{}", ran.err);
    assert!(!bench.exists("other/repaired"));
}

#[test]
fn copies_of_a_pinned_vertex_are_pinned_too_and_steps_are_chosen() {
    let bench = Bench::new();
    // Two triangles that touch only in vertex 1, and a third one.
    bench.write(
        "bow.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 7 0 0\nv 7.1 0 0\nv 7 0.1 0\nf 1 2 3\nf 2 4 5\nf 6 7 8\n",
    );
    let pin = "[[body.pin]]\nvertices = [1]";
    let run = |repair: &str| {
        bench.write("bow.toml", scene(&format!("{{ file = \"bow.obj\", repair = {repair} }}"), pin));
        bench.good(&["run", "bow.toml", "-o", "out", "--force"]);
        pliant_io::PointCache::read(bench.path("out/pc2/sheet.pc2")).unwrap()
    };
    let still = |cache: &pliant_io::PointCache| {
        (0..cache.vertex_count()).filter(|&v| cache.sample(2)[v] == cache.sample(0)[v]).count()
    };
    let cache = run("true");
    assert_eq!((cache.vertex_count(), still(&cache)), (9, 2));
    let cache = run("{ split = false }");
    assert_eq!((cache.vertex_count(), still(&cache)), (8, 1));
    let cache = run("{ split = false, keep = \"largest\" }");
    assert_eq!(cache.vertex_count(), 5);
    let cache = run("{ split = false, keep = 0.1 }");
    assert_eq!(cache.vertex_count(), 5);
    for (repair, part) in [
        ("\"mend\"", "expected one of `refuse`, `report`, `repair`"),
        ("{ unite = -1 }", "the distance is -1"),
        ("{ keep = 2 }", "the share of a piece that is kept is 2"),
        ("{ weld = 1e-6, glue = 1 }", "unknown field `glue`"),
        ("true, reorient = true", "`repair` drops vertices without elements"),
    ] {
        bench.write("bow.toml", scene(&format!("{{ file = \"bow.obj\", repair = {repair} }}"), pin));
        bench.refused(&["check", "bow.toml"], &["bow.toml:6:", part]);
    }
}

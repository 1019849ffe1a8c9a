//! `pliant mesh tetrahedralize`.

use crate::common::Bench;

/// A cube of 2 m with a square missing, its faces quadrilaterals.
const OPEN_CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 4 8 7 3\n";
const LID: &str = "f 1 5 8 4\n";

#[test]
fn a_cube_is_filled_and_told_of() {
    let bench = Bench::new();
    bench.write("cube.obj", format!("{OPEN_CUBE}{LID}"));
    let told = bench.good(&["mesh", "tetrahedralize", "cube.obj", "-o", "cube.msh", "--cells", "8"]).out;
    for part in [
        "closed",
        "10 × 10 × 10 cubes of 2.5000e-1 m",
        ", 1 piece",
        "angles",
        "encloses 8.000000e0",
        "distance",
    ] {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
    bench.good(&["mesh", "check", "cube.msh"]);
    let json = bench.good(&[
        "mesh",
        "tetrahedralize",
        "cube.obj",
        "-o",
        "cube.vtu",
        "--edge-length",
        "0.25",
        "--graded",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(json["tets"].as_u64().unwrap() > 1000);
    assert!(json["report"]["dihedral"][0].as_f64().unwrap() > 10.0_f64.to_radians());
    assert!(json["to_surface"]["max"].as_f64().unwrap() < 0.25);
    assert!(json["from_surface"]["max"].as_f64().unwrap() < 0.25);
}

#[test]
fn an_open_surface_is_filled_with_a_remark_or_becomes_a_shell() {
    let bench = Bench::new();
    bench.write("box.obj", OPEN_CUBE);
    bench.good(&["mesh", "tetrahedralize", "box.obj", "-o", "full.node", "--cells", "4"]);
    assert!(bench.path("full.node").exists() && bench.path("full.ele").exists());
    let told = bench.good(&["mesh", "tetrahedralize", "box.obj", "-o", "full.mesh", "--cells", "8"]).out;
    assert!(told.contains("4 edges of holes") && told.contains("note      the surface is open"), "{told}");
    let shell =
        ["mesh", "tetrahedralize", "box.obj", "-o", "shell.vtk", "--cells", "24", "--shell-thickness"];
    let told = bench.good(&[&shell[..], &["0.3"]].concat()).out;
    assert!(!told.contains("note"), "{told}");
    bench.refused(&[&shell[..], &["0.01"]].concat(), &["too thin", "box.obj"]);
}

#[test]
fn what_would_be_lost_is_refused_unless_it_is_accepted() {
    let bench = Bench::new();
    // A plate of 2 × 2 × 0.1 m, askew.
    let corner = |k: usize| {
        let [x, y, z] = [k & 1, k >> 1 & 1, k >> 2].map(|side| 2.0 * side as f64 - 1.0);
        format!("v {x} {y} {}\n", 0.05 * z + 0.3 * x + 0.2 * y)
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n";
    bench.write("plate.obj", (0..8).map(corner).collect::<String>() + faces);
    let fill = ["mesh", "tetrahedralize", "plate.obj", "-o", "plate.msh"];
    let told = bench.good(&fill).out;
    assert!(told.contains(", 1 piece\n"), "{told}");
    let coarse = [&fill[..], &["--cells", "12"]].concat();
    bench.refused(&coarse, &["plate.obj", "12 cells", "lost", "--accept-losses"]);
    bench.good(&[&coarse[..], &["--accept-losses"]].concat());
}

#[test]
fn what_cannot_be_done_is_refused() {
    let bench = Bench::new();
    bench.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    let fill = |rest: &[&'static str]| [&["mesh", "tetrahedralize", "sheet.obj"][..], rest].concat();
    bench.refused(&fill(&["-o", "a.msh"]), &["sheet.obj", "open", "thickness"]);
    bench.refused(&fill(&["-o", "a.obj"]), &["a.obj cannot hold tetrahedra", ".msh"]);
    bench.refused(&fill(&["-o", "a.msh", "--cells", "0"]), &["number of cells"]);
    bench.refused(&fill(&["-o", "a.msh", "--cells", "9999"]), &["fewer cells"]);
    bench.refused(&fill(&["-o", "a.msh", "--cells", "9", "--edge-length", "1"]), &["--edge-length"]);
    bench.refused(&["mesh", "tetrahedralize", "none.obj", "-o", "a.msh"], &["none.obj"]);
}

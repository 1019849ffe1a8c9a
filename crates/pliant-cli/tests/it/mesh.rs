//! `pliant mesh check`, `repair` and `convert`.

use crate::common::Bench;

/// Two triangles of a square, one turned over, torn along the diagonal, and a vertex that floats.
const TORN: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 4 6 5\n";

#[test]
fn a_torn_sheet_is_named_and_repaired() {
    let bench = Bench::new();
    bench.write("torn.obj", TORN);
    let refused = bench.refused(&["mesh", "check", "torn.obj"], &["torn.obj has 1 kind of defects"]);
    assert!(refused.contains("pliant mesh repair torn.obj"), "{refused}");
    let ran = bench.pliant(&["mesh", "check", "torn.obj"]);
    assert!(ran.out.contains("note: 2 vertices at the place of an earlier one"), "{}", ran.out);
    assert!(ran.out.contains("error: 1 vertex without elements"), "{}", ran.out);
    let told = bench.good(&["mesh", "repair", "torn.obj", "-o", "good.ply"]).out;
    for part in ["2 vertices joined", "1 triangle turned over", "1 vertex dropped", "4 vertices, 2 triangles"]
    {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
    bench.good(&["mesh", "check", "good.ply"]);
    let check: serde_json::Value =
        serde_json::from_str(&bench.good(&["mesh", "check", "good.ply", "--json"]).out).unwrap();
    assert_eq!(check["fit"].as_bool(), Some(true));
    assert_eq!(check["check"]["findings"][0]["defect"].as_str(), Some("holes"));
    let repair: serde_json::Value = serde_json::from_str(
        &bench.good(&["mesh", "repair", "torn.obj", "-o", "good.obj", "--json", "--fill-holes", "4"]).out,
    )
    .unwrap();
    assert_eq!(repair["repair"]["steps"][0]["action"].as_str(), Some("weld"));
    assert!(repair["repair"]["left"][0].as_str().unwrap().contains("cannot be closed"));
    assert_eq!(repair["after"]["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn files_are_converted_by_their_names() {
    let bench = Bench::new();
    bench.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.1\nf 1 2 3 4\n");
    let mut from = "a.obj".to_owned();
    for to in ["b.ply", "b.off", "b.usda", "b.glb", "b.msh", "b.mesh", "b.inp", "b.vtk", "b.vtu", "b.stl"] {
        let told = bench.good(&["mesh", "convert", &from, to]).out;
        assert!(told.contains("4 vertices, 2 triangles"), "{told}");
        from = to.to_owned();
    }
    bench.refused(&["mesh", "convert", "a.obj", "b.xyz"], &["b.xyz", ".obj"]);
    bench.refused(&["mesh", "convert", "a.obj", "missing/b.obj"], &["missing/b.obj"]);
    bench.refused(&["mesh", "repair", "none.obj", "-o", "b.obj"], &["none.obj"]);
}

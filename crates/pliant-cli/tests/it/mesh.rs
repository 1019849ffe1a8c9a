//! `pliant mesh check`, `repair` and `convert`.

use nalgebra::Vector3;
use pliant_io::{Mesh, write_mesh};
use pliant_mesh::{Split, TetMesh, TriMesh};

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

#[test]
fn crossings_are_counted_and_listed() {
    let bench = Bench::new();
    // Two sheets through each other, and a copy of a corner, which is a seam and not a crossing.
    let sheet = TriMesh::grid([5, 5], [1.0, 1.0]).unwrap();
    let n = sheet.positions().len() as u32;
    let upright = |x: &Vector3<f64>| Vector3::new(x.x + 0.1, x.z, 0.3 * x.x + 0.07);
    let mut positions = sheet.positions().to_vec();
    positions.extend(sheet.positions().iter().map(upright));
    let mut triangles = sheet.triangles().to_vec();
    triangles.extend(sheet.triangles().iter().map(|t| t.map(|v| v + n)));
    let split = triangles[0][0];
    triangles[0][0] = positions.len() as u32;
    positions.push(positions[split as usize]);
    write_mesh(bench.path("two.ply"), &Mesh::Tri(TriMesh::new(positions, triangles).unwrap())).unwrap();
    let json = |command: &str, file: &str| -> serde_json::Value {
        let ran = bench.pliant(&["mesh", command, file, "--json"]);
        serde_json::from_str(&ran.out).unwrap()
    };
    let of_check = json("check", "two.ply")["crossings"].clone();
    assert_eq!(of_check, json("info", "two.ply")["crossings"]);
    let count = of_check["count"].as_u64().unwrap();
    assert!((8..80).contains(&count), "{of_check}");
    let first = &of_check["first"][0];
    let numbers = |list: &serde_json::Value| -> Vec<u64> {
        list.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
    };
    // An edge of one sheet and a triangle of the other.
    let of_one = |list: Vec<u64>| list.iter().all(|&v| v < u64::from(n));
    assert_ne!(of_one(numbers(&first["edge"])), of_one(numbers(&first["triangle"])), "{first}");
    for command in ["check", "info"] {
        let told = bench.pliant(&["mesh", command, "two.ply"]).out;
        assert!(told.contains(&format!("crossings   {count} edge–triangle pairs cross or touch")), "{told}");
    }

    write_mesh(bench.path("ring.ply"), &Mesh::Tri(TriMesh::torus(1.0, 0.3, 40, 20).unwrap())).unwrap();
    write_mesh(bench.path("block.vtk"), &Mesh::Tet(TetMesh::block([3; 3], [1.0; 3], Split::Kuhn).unwrap()))
        .unwrap();
    for file in ["ring.ply", "block.vtk"] {
        assert_eq!(json("check", file)["crossings"]["count"].as_u64(), Some(0), "{file}");
        let told = bench.good(&["mesh", "check", file]).out;
        assert!(told.contains("crossings   none"), "{told}");
    }
}

//! Edges, bending pairs and inverse masses against files made by an independent program.
//!
//! The files are reference data; without them the tests are skipped.

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh, book, lumped_mass_tets, lumped_mass_triangles, unique_tet_edges};
use serde_json::Value;

fn oracle(path: &str) -> Option<Value> {
    let file = pliant_testkit::shared(&format!("oracles/{path}"))?;
    Some(serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
}

fn positions(value: &Value) -> Vec<Vector3<f64>> {
    let points: Vec<[f64; 3]> = serde_json::from_value(value.clone()).unwrap();
    points.into_iter().map(Vector3::from).collect()
}

fn indices<const N: usize>(value: &Value) -> Vec<[u32; N]>
where
    Vec<[u32; N]>: serde::de::DeserializeOwned,
{
    serde_json::from_value(value.clone()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}

fn assert_close(ours: &[f64], theirs: &[f64], relative: f64) {
    assert_eq!(ours.len(), theirs.len());
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= relative * b.abs(), "entry {i}: {a} and not {b}");
    }
}

#[test]
fn edges_of_a_block() {
    let Some(file) = oracle("analytic/block_mesh.json") else { return };
    assert_eq!(unique_tet_edges(&indices(&file["tets"])), indices(&file["edges"]));
    // The generator divides and numbers its cells in the same way.
    let block = TetMesh::block([4, 4, 4], [1.0; 3], pliant_mesh::Split::Kuhn).unwrap();
    assert_eq!(block.tets(), indices(&file["tets"]));
    assert_eq!(block.positions(), positions(&file["verts"]));
}

#[test]
fn cloth() {
    for name in ["cloth21_lumped_sc0_bend1_sub15_it1", "cloth21_uniform_sc0_it1"] {
        let Some(file) = oracle(&format!("parity/{name}.json")) else { return };
        let mesh = TriMesh::new(positions(&file["rest_positions"]), indices(&file["tris"])).unwrap();
        assert_eq!(mesh.edges(), indices(&file["edges"]));
        if let Some(pairs) = file.get("bend_pairs") {
            assert_eq!(mesh.hinges().opposite_pairs(), indices(pairs));
            // An area density of 0.2 kg/m²; pinned vertices have no inverse mass there.
            let masses = lumped_mass_triangles(&mesh, 0.2);
            for (m, &w) in masses.iter().zip(&numbers(&file["inv_mass"])).filter(|(_, w)| **w > 0.0) {
                assert!((m * w - 1.0).abs() <= 1e-12, "1 / {m} and not {w}");
            }
        }
    }
}

#[test]
fn solids() {
    let files = [
        ("bunny_lumped_ec100_it1", 1.0),
        ("bunny_seedmass_ec100_it1", 1.0),
        ("real_armadillo_4k_ele_ec1e-6_it1", 1000.0),
    ];
    for (name, density) in files {
        let Some(file) = oracle(&format!("parity/{name}.json")) else { return };
        let mesh = TetMesh::new(positions(&file["rest_positions"]), indices(&file["tets"])).unwrap();
        let volumes: Vec<f64> = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t)).collect();
        assert_close(&volumes, &numbers(&file["tet_rest_volume"]), 1e-12);

        let theirs: Vec<[u32; 2]> = indices(&file["edges"]);
        if name.starts_with("bunny") {
            // These edges came with the mesh, in an order of their own.
            assert_eq!(sorted(mesh.edges()), sorted(theirs));
        } else {
            assert_eq!(mesh.edges(), theirs);
        }

        let theirs = numbers(&file["inv_mass"]);
        if name.contains("seedmass") {
            assert_close(&book::sum_of_inverse_tet_masses(&mesh), &theirs, 1e-12);
        } else {
            let ours: Vec<f64> = lumped_mass_tets(&mesh, density).iter().map(|m| 1.0 / m).collect();
            assert_close(&ours, &theirs, 1e-12);
        }
    }
}

fn sorted(mut edges: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges
}

//! `pliant mesh check` and `repair` find and mend what the table of planted defects has.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod common;
#[path = "../../pliant-mesh/tests/planted/mod.rs"]
#[allow(dead_code, reason = "the library's own test uses the rest")]
mod planted;

use common::Bench;
use planted::{Planted, Shape, table};
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

/// Writes the mesh of a row, of a solid and of a surface in a format that keeps every digit and vertex.
fn file(bench: &Bench, row: &Planted) -> &'static str {
    let (name, mesh) = match &row.shape {
        Shape::Surface(mesh) => ("bad.obj", Mesh::Tri(mesh.clone())),
        Shape::Solid(mesh) => ("bad.vtk", Mesh::Tet(mesh.clone())),
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
    assert!(told.contains("error: 1 vertices without elements"), "{told}");
    let told = bench.good(&["mesh", "repair", "a.obj", "-o", "b.obj"]).out;
    assert!(told.contains("1 vertex dropped that no element used (first: 3)"), "{told}");
}

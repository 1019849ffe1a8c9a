//! Surfaces that a scene fills with tetrahedra.

use std::path::Path;

use pliant_io::{Mesh, write_mesh};
use pliant_mesh::TriMesh;
use pliant_scene::{Built, Scene};

fn outcome(mesh: &str, base: &Path) -> Result<Built<f32>, String> {
    let text = format!(
        "[[body]]\nmesh = {mesh}\nscale = 2.0\ntranslate = [0, 1, 0]\nedges = {{ compliance = 1e-6 }}\n"
    );
    Scene::parse_named("fill.toml", &text, base)
        .and_then(|scene| scene.build())
        .map_err(|error| error.to_string())
}

#[test]
fn the_surface_of_a_file_is_filled_and_carried() {
    let folder = tempfile::tempdir().unwrap();
    let ball = TriMesh::icosphere(0.5, 6).unwrap();
    write_mesh(folder.path().join("ball.obj"), &Mesh::Tri(ball.clone())).unwrap();
    let mut built =
        outcome(r#"{ surface = "ball.obj", tetrahedralize = { cells = 10 } }"#, folder.path()).unwrap();
    let body = &built.bodies[0];
    let Mesh::Tet(solid) = &body.mesh else { panic!("a filled surface is a solid") };
    assert!(solid.inverted().is_empty());
    assert!((solid.volume() / (8.0 * ball.enclosed_volume()) - 1.0).abs() < 0.05);
    let visual = body.visual.as_ref().unwrap();
    assert_eq!(visual.mesh.triangles(), ball.triangles());
    // Placed with the solid, and bound to it nearly everywhere from within.
    assert!((visual.mesh.positions()[0] - ball.positions()[0] * 2.0).norm() - 1.0 < 1e-12);
    let pliant_scene::Binding::Tetrahedra(embedding) = &visual.binding else { panic!("a solid") };
    assert!(embedding.fit().largest_distance < 0.1);
    assert!(body.notes.iter().any(|note| note.contains("was filled with")), "{:?}", body.notes);
    built.simulation.step(1.0 / 60.0).unwrap();
    // Another visual is used if one is given; without a number of cells, there are 32.
    let fine = outcome(
        r#"{ surface = "ball.obj" }
visual = { boundary = {} }"#,
        folder.path(),
    )
    .unwrap();
    assert_ne!(fine.bodies[0].visual.as_ref().unwrap().mesh.triangles().len(), ball.triangles().len());
    assert!(fine.bodies[0].particles.len() > 5000);
}

#[test]
fn generated_surfaces_and_sheets_are_filled() {
    let here = Path::new(".");
    let solid = |mesh: &str| match &outcome(mesh, here).unwrap().bodies[0].mesh {
        Mesh::Tet(solid) => solid.volume(),
        Mesh::Tri(_) => panic!("not filled"),
    };
    let sphere = solid(
        "{ icosphere = { radius = 0.5, frequency = 6 }, tetrahedralize = { cells = 12, graded = true } }",
    );
    assert!((sphere / 8.0 - 0.52).abs() < 0.03, "{sphere}");
    let sheet = "{ grid = { vertices = [3, 3], size = [1, 1] }, tetrahedralize = { edge_length = 0.1, shell_thickness = 0.2 } }";
    assert!((solid(sheet) / 8.0 - 0.27).abs() < 0.02);
}

#[test]
fn what_cannot_be_filled_is_refused_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let grid = "{ grid = { vertices = [3, 3], size = [1, 1] }, tetrahedralize = ";
    let ball = TriMesh::icosphere(0.5, 2).unwrap();
    write_mesh(folder.path().join("ball.ply"), &Mesh::Tri(ball)).unwrap();
    for (mesh, parts) in [
        (
            format!("{grid}{{}} }}"),
            &["fill.toml:2:", "open", "shell_thickness", "body[0].mesh.tetrahedralize"][..],
        ),
        (
            format!("{grid}{{ shell_thickness = 0.001 }} }}"),
            &["too thin", "tetrahedralize.shell_thickness: `0.001`"],
        ),
        (format!("{grid}{{ shell_thickness = -1.0 }} }}"), &["a positive number", "shell_thickness: `-1.0`"]),
        (
            format!("{grid}{{ cells = 0, shell_thickness = 1.0 }} }}"),
            &["the number of cells is 0", "cells: `0`"],
        ),
        (format!("{grid}{{ cells = 9, edge_length = 1.0 }} }}"), &["both `cells` and `edge_length`"]),
        (format!("{grid}{{ cels = 9 }} }}"), &["cels", "cells"]),
        (
            "{ surface = \"ball.ply\", tetrahedralize = { cells = 100000 } }".into(),
            &["fewer cells", "cells: `100000`"],
        ),
        ("{ surface = \"\" }".into(), &["the path of the mesh file is empty"]),
        ("{ surface = \"none.obj\" }".into(), &["none.obj", "mesh.surface"]),
        ("{ surface = \"ball.ply\", reorient = true }".into(), &["reorient", "corrected before"]),
        ("{ file = \"ball.ply\", tetrahedralize = {} }".into(), &["`surface = \"…\"`"]),
        ("{ file = \"ball.ply\", surface = \"ball.ply\" }".into(), &["surface"]),
        ("{ ball = { radius = 1.0, shells = 2 }, tetrahedralize = {} }".into(), &["tetrahedra already"]),
    ] {
        let answer = outcome(&mesh, folder.path()).map(|_| ()).unwrap_err();
        for part in parts {
            assert!(answer.contains(part), "{part} is missing for {mesh}: {answer}");
        }
    }
}

//! Meshes that the program has in memory: they stand for files, and give the same bits.

use pliant_io::{Mesh, write_mesh};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_scene::{FieldPath, Scene, SceneError};
use pliant_solver::Element;

/// Every place where a scene may name a mesh file.
const TEXT: &str = r#"
    [[body]]
    name = "sheet"
    mesh = "sheet.vtu"
    rest = "rest.vtu"
    edges = { compliance = 1e-6 }
    pin = [{ vertices = [0] }]
    [[body]]
    mesh = { surface = "ball.vtu", tetrahedralize = { cells = 4 } }
    edges = "rigid"
    translate = [0, 1, 0]
    [[body]]
    mesh = { file = "block.vtu" }
    visual = { file = "ball.vtu" }
    edges = "rigid"
    translate = [0, 2, 0]
    [[obstacle]]
    sdf = { mesh = "ball.vtu", cell = 0.1 }
    [[obstacle]]
    hull = { mesh = "block.vtu" }
"#;

fn meshes() -> [(&'static str, Mesh); 4] {
    let sheet = TriMesh::grid([4, 4], [1.0, 1.0]).unwrap().translated([0.0, 3.0, 0.0]).unwrap();
    let rest = sheet.clone().map_positions(|x| x * 0.9).unwrap();
    let ball = TriMesh::icosphere(0.3, 4).unwrap();
    let block = TetMesh::block([2, 2, 2], [0.7; 3], Split::Kuhn).unwrap().translated([-0.35; 3]).unwrap();
    [
        ("sheet.vtu", Mesh::Tri(sheet)),
        ("rest.vtu", Mesh::Tri(rest)),
        ("ball.vtu", Mesh::Tri(ball)),
        ("block.vtu", Mesh::Tet(block)),
    ]
}

fn hash(scene: &Scene) -> u64 {
    let mut simulation = scene.build::<f32>().unwrap_or_else(|error| panic!("{error}")).simulation;
    for _ in 0..4 {
        simulation.advance(scene.time_step()).unwrap();
    }
    simulation.state_hash()
}

#[test]
fn given_meshes_are_as_good_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let given = Scene::parse(TEXT, folder.path()).unwrap().with_meshes(meshes());
    assert_eq!(given.given_meshes().count(), 4);
    let found = hash(&given);
    for (name, mesh) in meshes() {
        write_mesh(folder.path().join(name), &mesh).unwrap();
    }
    assert_eq!(hash(&Scene::parse(TEXT, folder.path()).unwrap()), found);
}

#[test]
fn what_is_neither_given_nor_a_file_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::parse(TEXT, folder.path()).unwrap();
    let given = scene.with_meshes(meshes().into_iter().take(2));
    let error = given.build::<f32>().unwrap_err().to_string();
    assert!(error.contains("ball.vtu") && error.contains("body[1].mesh.surface"), "{error}");
}

/// The field and the element that an error of building is about.
fn fault(mesh: Mesh, material: &str) -> (Option<FieldPath>, Option<Element>) {
    let good = "[[body]]\nmesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nmaterial = \"cotton\"\n";
    let text = format!("{good}[[body]]\nmesh = \"bad.vtu\"\nmaterial = \"{material}\"\n");
    let scene = Scene::parse(&text, ".").unwrap().with_meshes([("bad.vtu", mesh)]);
    let SceneError::Invalid(invalid) = scene.build::<f64>().unwrap_err() else { panic!("it was read") };
    (invalid.field, invalid.element)
}

#[test]
fn errors_carry_body_and_element() {
    let (x, mut tets) = TetMesh::block([1; 3], [1.0; 3], Split::Kuhn).unwrap().into_parts();
    tets[4].swap(0, 1);
    let (field, element) = fault(Mesh::Tet(TetMesh::new(x, tets).unwrap()), "rubber");
    assert_eq!((field.unwrap().body(), element), (Some(1), Some(Element::Tetrahedron(4))));

    let (mut x, triangles) = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap().into_parts();
    let [a, b, c] = triangles[5].map(|v| v as usize);
    x[c] = x[a] * 0.5 + x[b] * 0.5;
    let (field, element) = fault(Mesh::Tri(TriMesh::new(x, triangles).unwrap()), "cotton");
    assert_eq!(field.unwrap().body(), Some(1));
    assert!(matches!(element, Some(Element::Triangle(_))), "{element:?}");
    assert_eq!(FieldPath::root().key("solver").body(), None);
}

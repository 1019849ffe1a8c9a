//! From scenes to simulations: placement, pins, repairs, materials.

use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{Frame, FrameWriter, Mesh, Pc2Options, Pc2Writer, write_mesh};
use pliant_mesh::{Split, TetMesh};
use pliant_scene::{Built, Scene};

fn build(text: &str, base: &Path) -> Built<f64> {
    Scene::parse(text, base).and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(text: &str, base: &Path) -> String {
    Scene::parse(text, base).and_then(|scene| scene.build::<f64>()).unwrap_err().to_string()
}

/// A block of one cell with a loose vertex in the middle of its list and, if asked for, tetrahedra inside out.
fn spoiled_block(path: &Path, inverted: &[usize]) {
    let (mut positions, mut tets) = TetMesh::block([1, 1, 1], [1.0; 3], Split::Kuhn).unwrap().into_parts();
    positions.insert(3, Vector3::repeat(9.0));
    for t in &mut tets {
        *t = t.map(|v| if v >= 3 { v + 1 } else { v });
    }
    for &t in inverted {
        tets[t].swap(0, 1);
    }
    write_mesh(path, &Mesh::Tet(TetMesh::new(positions, tets).unwrap())).unwrap();
}

#[test]
fn skirts_and_capes_are_cones() {
    let cone = |more: &str| {
        format!(
            "[[body]]\nedges = \"rigid\"\nmesh = {{ cone = {{ top = 0.1, segments = 24, rings = 5{more} }} }}"
        )
    };
    let vertices = |more: &str| {
        let built = build(&cone(more), Path::new(""));
        built.bodies[0].mesh.positions().to_vec()
    };
    let skirt = vertices(", bottom = 0.3, height = 0.4");
    assert_eq!(skirt.len(), 24 * 6);
    for (ring, height, radius) in [(0, -0.2, 0.3), (5, 0.2, 0.1)] {
        for p in &skirt[24 * ring..24 * (ring + 1)] {
            assert!((p.y - height).abs() < 1e-12 && (p.x.hypot(p.z) - radius).abs() < 1e-12);
        }
    }
    assert_eq!(skirt, vertices(", bottom = 0.3, height = 0.4, sector = 360"));
    // A cape is open at the front.
    let cape = vertices(", bottom = 0.3, height = 0.4, sector = 200");
    assert_eq!(cape.len(), 25 * 6);
    let front = cape.iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
    assert!((front - 0.3 * 10_f64.to_radians().sin()).abs() < 1e-12);
    assert!(vertices(", bottom = 0.3, height = 0").iter().all(|p| p.y == 0.0));

    let message = refuse(&cone(", bottom = 0.1, height = 0"), Path::new(""));
    assert!(message.contains("the height of a cone must be a positive length"), "{message}");
    let message = refuse(&cone(", bottom = 0.3, height = 0.4, sector = 400"), Path::new(""));
    assert!(message.contains("a number from 0.1 to 360, degrees"), "{message}");
}

#[test]
fn bodies_stand_one_after_the_other() {
    let built = build(
        r#"
        [[body]]
        mesh = { ball = { radius = 0.5, shells = 2 } }
        rest_on = 0.25
        edges = "rigid"
        velocity = [1, 2, 3]
        [[body]]
        name = "sheet"
        mesh = { grid = { vertices = [3, 4], size = [1, 2] } }
        edges = "rigid"
        "#,
        Path::new(""),
    );
    let names: Vec<&str> = built.bodies.iter().map(|b| &*b.name).collect();
    assert_eq!(names, ["body-1", "sheet"]);
    let ball = &built.bodies[0];
    assert_eq!(ball.particles.end, built.bodies[1].particles.start);
    assert_eq!(built.bodies[1].particles.len(), 12);
    assert_eq!(built.simulation.body_ranges()[1].particles, built.bodies[1].particles);
    let positions = built.simulation.positions_of(ball.particles.clone());
    assert_eq!(positions, ball.mesh.positions());
    let lowest = positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!((lowest - 0.25).abs() < 1e-12);
    assert!(
        built
            .simulation
            .velocities_of(ball.particles.clone())
            .iter()
            .all(|v| *v == Vector3::new(1.0, 2.0, 3.0))
    );
}

#[test]
fn loose_vertices_are_removed_and_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    spoiled_block(&folder.path().join("block.vtu"), &[]);
    let scene = |mesh: &str, pin: &str| {
        format!("[[body]]\nmesh = {mesh}\nedges = \"rigid\"\n[[body.pin]]\nvertices = [{pin}]\n")
    };
    let built = build(&scene("\"block.vtu\"", "2, 4"), folder.path());
    assert_eq!(built.bodies[0].mesh.positions().len(), 8);
    assert_eq!(built.bodies[0].notes, ["removed: 1 vertex without an element, the first is vertex 3"]);
    // Pins use the numbers of the file: vertices 2 and 4 of the file are 2 and 3 here.
    let held: Vec<usize> = built
        .simulation
        .inverse_masses()
        .iter()
        .enumerate()
        .filter(|(_, w)| **w == 0.0)
        .map(|(i, _)| i)
        .collect();
    assert_eq!(held, [2, 3]);
    let removed = refuse(&scene("\"block.vtu\"", "3"), folder.path());
    assert!(
        removed.contains("the pin holds vertex 3, which belongs to no element and was removed"),
        "{removed}"
    );
    let refused = refuse(&scene("{ file = \"block.vtu\", unreferenced = \"refuse\" }", "1"), folder.path());
    assert!(refused.contains("1 vertex has no element and no mass, the first is vertex 3"), "{refused}");
}

#[test]
fn inverted_tetrahedra_are_refused_or_turned_round() {
    let folder = tempfile::tempdir().unwrap();
    spoiled_block(&folder.path().join("block.vtu"), &[1, 4]);
    let scene = |mesh: &str| format!("[[body]]\nmesh = {mesh}\nedges = \"rigid\"\n");
    let refused = refuse(&scene("\"block.vtu\""), folder.path());
    for part in [
        "scene:2:8: 2 of 6 tetrahedra are inverted or flat, the first is tetrahedron 1 (from 0) with the volume -1.66",
        "`mesh = { file = \"…\", reorient = true }` turns these round",
    ] {
        assert!(refused.contains(part), "{refused}");
    }
    let built = build(&scene("{ file = \"block.vtu\", reorient = true }"), folder.path());
    assert!(
        built.bodies[0].notes[0].starts_with("turned round: 2 tetrahedra inside out, the first is 1"),
        "{:?}",
        built.bodies[0].notes
    );
    let Mesh::Tet(mesh) = &built.bodies[0].mesh else { panic!("not a solid") };
    assert!((mesh.volume() - 1.0).abs() < 1e-12);
}

#[test]
fn flat_elements_cannot_be_turned_round() {
    let folder = tempfile::tempdir().unwrap();
    let corners =
        vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::x() + Vector3::y(), Vector3::z()];
    let tets = TetMesh::new(corners, vec![[0, 1, 2, 4], [0, 1, 2, 3]]).unwrap();
    write_mesh(folder.path().join("flat.vtu"), &Mesh::Tet(tets)).unwrap();
    let refused = refuse(
        "[[body]]\nmesh = { file = \"flat.vtu\", reorient = true }\nedges = \"rigid\"\n",
        folder.path(),
    );
    assert!(
        refused.contains("1 of 2 tetrahedra are inverted or flat, the first is tetrahedron 1"),
        "{refused}"
    );
    assert!(refused.contains("flat ones must be removed"), "{refused}");

    std::fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\n")
        .unwrap();
    let refused = refuse("[[body]]\nmesh = \"flat.obj\"\nedges = \"rigid\"\n", folder.path());
    assert!(refused.contains("1 of 2 triangles have no area, the first is triangle 1"), "{refused}");
}

#[test]
fn a_fine_surface_follows_its_solid() {
    let built = build(
        r#"
        [[body]]
        mesh = { ball = { radius = 2, shells = 2 } }
        fit = 1
        translate = [0, 3, 0]
        edges = "rigid"
        visual = { icosphere = { radius = 2.1, frequency = 6 } }
        "#,
        Path::new(""),
    );
    let body = &built.bodies[0];
    let visual = body.visual.as_ref().unwrap();
    // The surface is placed like the mesh: scaled by a quarter (the ball is 4 m across) and lifted.
    for x in visual.mesh.positions() {
        assert!(((x - Vector3::new(0.0, 3.0, 0.0)).norm() - 0.525).abs() < 0.01, "{x}");
    }
    let carried = visual.binding.apply(&built.simulation.positions_of(body.particles.clone()));
    for (x, y) in carried.iter().zip(visual.mesh.positions()) {
        assert!((x - y).norm() < 1e-12);
    }
    assert!(body.notes[0].contains("lie outside the tetrahedra"), "{:?}", body.notes);
}

#[test]
fn the_boundary_can_be_refined() {
    let scene = |boundary: &str| {
        format!(
            "[[body]]\nmesh = {{ block = {{ cells = [2, 2, 2], size = [1, 1, 1] }} }}\nedges = \"rigid\"\nvisual = {{ boundary = {boundary} }}\n"
        )
    };
    let triangles = |boundary: &str| {
        build(&scene(boundary), Path::new("")).bodies[0].visual.as_ref().unwrap().mesh.triangles().len()
    };
    assert_eq!(triangles("{}"), 48);
    assert_eq!(triangles("{ subdivide = 2 }"), 16 * 48);
    assert_eq!(triangles("{ subdivide = 1, smooth = true }"), 4 * 48);
}

#[test]
fn pins_select_by_place_with_a_tolerance_of_rounding() {
    let held = |turn: &str, pin: &str| {
        let text = format!(
            "[[body]]\nmesh = {{ grid = {{ vertices = [5, 5], size = [1, 1] }} }}\n{turn}\nedges = \"rigid\"\n[[body.pin]]\n{pin}\n"
        );
        let built = build(&text, Path::new(""));
        built.simulation.inverse_masses().iter().filter(|w| **w == 0.0).count()
    };
    assert_eq!(held("", "box = { min = [-0.5, 0, -0.5], max = [-0.5, 0, 0.5] }"), 5);
    assert_eq!(held("", "box = { min = [-inf, -inf, 0.25], max = [inf, inf, inf] }"), 10);
    assert_eq!(
        held(
            "rotate = { axis = [0, 1, 0], degrees = 45 }",
            "half_space = { point = [0, 0, 0], normal = [1, 0, 1] }"
        ),
        15
    );
    assert_eq!(
        held(
            "rotate = [90, 0, 0]\nscale = 0.3",
            "relative = true\nhalf_space = { point = [0, 1, 0], normal = [0, 1, 0] }"
        ),
        5
    );
    assert_eq!(held("", "sphere = { centre = [0, 0, 0], radius = 0.25 }"), 5);
    assert_eq!(held("", "vertices = [0, 24, 0]"), 2);
}

#[test]
fn a_point_cache_leads_the_pinned_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lead.pc2");
    // All 4 vertices of a sheet, in two samples; the second is 1 m higher.
    let rest: Vec<Vector3<f64>> =
        [[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [0.5, 0.0, 0.5]].map(Vector3::from).to_vec();
    let mut writer = Box::new(Pc2Writer::create(&path, 4, Pc2Options::default()).unwrap());
    writer.write_frame(&Frame::new(0.0, &rest)).unwrap();
    let up: Vec<_> = rest.iter().map(|x| x + Vector3::y()).collect();
    writer.write_frame(&Frame::new(1.0, &up)).unwrap();
    writer.finish().unwrap();

    let scene = |space: &str, vertices: &str| {
        format!(
            "frame_rate = 10\n[[body]]\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\ntranslate = [2, 0, 0]\nedges = \"rigid\"\n\
             [[body.pin]]\nvertices = {vertices}\nmotion = {{ cache = \"lead.pc2\", rate = 5, space = \"{space}\" }}\n"
        )
    };
    for (space, x) in [("scene", 0.5), ("mesh", 2.5)] {
        let mut built = build(&scene(space, "[1, 3]"), folder.path());
        built.simulation.step(0.1).unwrap();
        let found = built.simulation.positions()[1];
        assert!((found.x - x).abs() < 1e-12 && (found.y - 0.5).abs() < 1e-6, "{space}: {found}");
    }
    // One vertex of four: neither the whole body nor the pin has as many points.
    let mut other = Box::new(Pc2Writer::create(&path, 3, Pc2Options::default()).unwrap());
    other.write_frame(&Frame::new(0.0, &rest[..3])).unwrap();
    other.finish().unwrap();
    let refused = refuse(&scene("scene", "[1, 2]"), folder.path());
    assert!(refused.contains("has 3 points, but the pin holds 2 vertices and the mesh has 4"), "{refused}");
}

#[test]
fn presets_can_be_overridden() {
    let built = build(
        r#"
        [solver]
        preset = "book-cloth"
        substeps = 3
        [[body]]
        mesh = { grid = { vertices = [3, 3], size = [1, 1] } }
        edges = { compliance = 0 }
        "#,
        Path::new(""),
    );
    let settings = built.simulation.settings();
    assert_eq!((settings.substeps, settings.gravity.y), (3, -9.8));
    assert_eq!(settings.multiplier, pliant_solver::book::Multiplier::Forgotten);
    // The book's sum of inverse masses at unit density: the middle vertex of the sheet has 4 or more
    // triangles of 1/8 m².
    let w = built.simulation.inverse_masses()[4];
    assert!((w / 24.0 - (w / 24.0).round()).abs() < 1e-9 && w >= 96.0, "{w}");
}

#[test]
fn gravity_acts_and_obstacles_hold() {
    let mut built = build(
        r#"
        [solver]
        gravity = [0, -10, 0]
        [[body]]
        mesh = { ball = { radius = 0.1, shells = 1 } }
        rest_on = 0.05
        contact_radius = 0.01
        edges = { stiffness = 1e5 }
        [[obstacle]]
        plane = { point = [0, 0, 0], normal = [0, 2, 0] }
        friction = { static = 0.5, kinetic = 0.4 }
        "#,
        Path::new(""),
    );
    let mut lowest = f64::INFINITY;
    for _ in 0..30 {
        built.simulation.step(1.0 / 60.0).unwrap();
        lowest = built.simulation.positions().iter().map(|x| x.y).fold(lowest, f64::min);
    }
    assert!((0.0099..0.02).contains(&lowest), "{lowest}");
}

#[test]
fn unlikely_sizes_are_remarked() {
    let built =
        build("[[body]]\nmesh = { ball = { radius = 100, shells = 1 } }\nedges = \"rigid\"\n", Path::new(""));
    assert!(built.bodies[0].notes[0].starts_with("it is 2.000e2 m large"), "{:?}", built.bodies[0].notes);
}

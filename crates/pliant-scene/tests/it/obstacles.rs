//! Obstacles with data of their own: read from the scene and from files, never entered, and considered in
//! remarks before the run.

use std::path::Path;

use pliant_mesh::TriMesh;
use pliant_scene::{RemarkKind, Scene};
use pliant_solver::Shape;

/// A sheet over an obstacle.
fn scene(folder: &Path, height: f64, obstacle: &str) -> Scene {
    let text = format!(
        "[solver]\nsubsteps = 10\n[[body]]\nmesh = {{ grid = {{ vertices = [15, 15], size = [1.2, 1.2] }} }}\ntranslate = [0, {height}, 0]\n\
         edges = \"rigid\"\ncontact_radius = 0.01\n[[obstacle]]\n{obstacle}\nfriction = 0.4\n"
    );
    Scene::parse(&text, folder).unwrap()
}

/// A folder with files of a ball with a radius of 0.4 m.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let ball = TriMesh::icosphere(0.4, 8).unwrap();
    let mut obj = String::new();
    ball.positions().iter().for_each(|x| obj += &format!("v {} {} {}\n", x.x, x.y, x.z));
    ball.triangles().iter().for_each(|t| obj += &format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    std::fs::write(folder.path().join("ball.obj"), &obj).unwrap();
    // Without its last triangle it is open.
    let open = obj.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(folder.path().join("open.obj"), open).unwrap();
    let row = |j: i32| {
        (0..9).map(|i: i32| format!("{}", 0.02 * f64::from((i - 4).pow(2) + j.pow(2)))).collect::<Vec<_>>()
    };
    let rows: Vec<String> = (-4..5).map(|j| row(j).join(", ")).collect();
    std::fs::write(folder.path().join("bowl.csv"), format!("# a bowl\n{}\n", rows.join("\n"))).unwrap();
    folder
}

const SHAPES: [&str; 5] = [
    "capsule = { from = [-0.3, 0, 0], to = [0.3, 0.1, 0], radius = 0.2 }",
    "hull = { mesh = \"ball.obj\" }",
    "hull = { points = [[-0.4, 0, -0.4], [0.4, 0, -0.4], [0, 0, 0.5], [0, 0.4, 0]] }",
    "height_field = { heights = \"bowl.csv\", origin = [-0.8, 0, -0.8], spacing = 0.2 }",
    "sdf = { mesh = \"ball.obj\", cell = 0.04 }",
];

/// The deepest that a point is inside an obstacle at a time, m; negative if no point is inside.
fn deepest(shape: &Shape, points: &[nalgebra::Vector3<f64>]) -> f64 {
    let gap = |x: &nalgebra::Vector3<f64>| match shape {
        Shape::Capsule { from, to, radius } => {
            pliant_mesh::nearest_on_segment(x, &[*from, *to]).distance() - radius
        }
        Shape::Hull(hull) => hull.gap(x).0,
        Shape::HeightField(ground) => ground.gap(x).0,
        Shape::DistanceGrid(solid) => solid.gap(x).0,
        _ => panic!("{shape:?} has no data of its own"),
    };
    points.iter().map(|x| -gap(x)).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_sheet_lies_on_every_shape() {
    let folder = files();
    for text in SHAPES {
        let scene = scene(folder.path(), 0.45, text);
        let mut built = scene.build::<f64>().unwrap();
        let shape = built.obstacles[0].shape.clone();
        // A second: it falls on the shape and hangs over it.
        let mut touched = 0;
        for _ in 0..60 {
            let report = built.simulation.step(scene.time_step()).unwrap();
            touched = touched.max(report.contacts);
            // It keeps its contact radius, except for the error of a single projection where the surface is
            // curved.
            let depth = deepest(&shape, &built.simulation.positions());
            assert!(depth < -0.009, "{text}: {depth}");
        }
        assert!(touched > 10, "{text}: {touched} contacts");
    }
}

#[test]
fn they_move_as_others_do() {
    let folder = files();
    for text in SHAPES {
        let moving = format!(
            "{text}\nmotion = {{ velocity = [0, 0.5, 0], spin = {{ axis = [0, 1, 0], degrees_per_second = 90 }} }}"
        );
        let scene = scene(folder.path(), 1.0, &moving);
        let mut built = scene.build::<f32>().unwrap();
        for _ in 0..60 {
            built.simulation.step(scene.time_step()).unwrap();
        }
        let (shape, motion) = (&built.obstacles[0].shape, &built.obstacles[0].motion);
        let pose = motion.pose(built.simulation.time());
        let local = |x: &nalgebra::Vector3<f64>| pose.rotation.transpose() * (x - pose.translation);
        let points: Vec<_> = built.simulation.positions().iter().map(local).collect();
        let depth = deepest(shape, &points);
        assert!((-0.03..-0.008).contains(&depth), "{text}: {depth}");
    }
}

#[test]
fn starts_inside_are_foreseen() {
    let folder = files();
    for text in SHAPES {
        let kinds = |height: f64| -> Vec<RemarkKind> {
            let scene = scene(folder.path(), height, text);
            let built = scene.build::<f64>().unwrap();
            scene.foresee(&built).into_iter().map(|remark| remark.kind).collect()
        };
        assert_eq!(kinds(0.05), [RemarkKind::Start], "{text}");
        assert_eq!(kinds(1.0), [], "{text}");
    }
}

#[test]
fn the_surfaces_are_those_of_the_shapes() {
    let folder = files();
    let surface = |text: &str| scene(folder.path(), 1.0, text).obstacle_surface(0).unwrap();
    assert_eq!(surface(SHAPES[0]), None);
    let ball = surface(SHAPES[4]).unwrap();
    assert_eq!(surface(SHAPES[1]).unwrap().positions().len(), ball.positions().len());
    assert_eq!(surface(SHAPES[2]).unwrap().triangles().len(), 4);
    assert_eq!(surface(SHAPES[3]).unwrap().triangles().len(), 128);
    assert_eq!(scene(folder.path(), 1.0, SHAPES[1]).obstacle_surface(1).unwrap(), None);
}

#[test]
fn shapes_are_scaled_turned_and_moved() {
    let folder = files();
    let place = "scale = [2, 1, 0.5], rotate = { axis = [0, 0, 1], degrees = 90 }, translate = [0.3, 2, -1]";
    for shape in ["hull = { mesh = \"ball.obj\"", "sdf = { mesh = \"ball.obj\", cell = 0.05"] {
        let scene = scene(folder.path(), 4.0, &format!("{shape}, {place} }}"));
        let drawn = scene.obstacle_surface(0).unwrap().unwrap();
        let built = scene.build::<f64>().unwrap();
        let bounds = match &built.obstacles[0].shape {
            Shape::Hull(hull) => hull.bounds(),
            Shape::DistanceGrid(solid) => solid.bounds(),
            shape => panic!("{shape:?}"),
        };
        // The long axis x now points up.
        let half = nalgebra::Vector3::new(0.4, 0.8, 0.2);
        let middle = nalgebra::Vector3::new(0.3, 2.0, -1.0);
        for found in [bounds, pliant_mesh::Aabb::of_points(drawn.positions()).unwrap()] {
            assert!((found.min - (middle - half)).amax() < 0.02, "{shape}: {found:?}");
            assert!((found.max - (middle + half)).amax() < 0.02, "{shape}: {found:?}");
        }
    }
    let refused = |text: &str| {
        let text = format!(
            "[[body]]\nmesh = {{ ball = {{ radius = 1, shells = 2 }} }}\nedges = \"rigid\"\n[[obstacle]]\n{text}\n"
        );
        Scene::parse(&text, folder.path()).unwrap_err().to_string()
    };
    let error = refused("hull = { mesh = \"ball.obj\", scale = -1 }");
    assert!(error.contains("hull.scale"), "{error}");
    let error =
        refused("sdf = { mesh = \"ball.obj\", cell = 0.05, rotate = { axis = [0, 0, 0], degrees = 9 } }");
    assert!(error.contains("sdf.rotate.axis"), "{error}");
}

#[test]
fn files_that_make_no_obstacle_are_refused() {
    let folder = files();
    std::fs::write(folder.path().join("names.csv"), "x,y\n1,2\n3,4\n").unwrap();
    std::fs::write(folder.path().join("word.csv"), "0,1\n0,much\n").unwrap();
    let answer = |text: &str| scene(folder.path(), 1.0, text).build::<f64>().unwrap_err().to_string();
    for (text, expected) in [
        (
            "sdf = { mesh = \"open.obj\", cell = 0.04 }",
            "the surface is open: 3 of its edges have one triangle",
        ),
        ("sdf = { mesh = \"ball.obj\", cell = 1e-4 }", "make the cells larger than"),
        (
            "height_field = { heights = \"names.csv\", spacing = 1 }",
            "begins with \"x y\", which is not a number",
        ),
        ("height_field = { heights = \"word.csv\", spacing = 1 }", "line 2: \"much\" is not a number"),
        ("hull = { mesh = \"bowl.csv\" }", "obstacle[0].hull.mesh"),
    ] {
        let found = answer(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

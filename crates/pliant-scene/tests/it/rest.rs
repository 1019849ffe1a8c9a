//! A start pose apart from the rest shape, by a file and by texture coordinates.

use std::fmt::Write as _;

use pliant_scene::Built;
use tempfile::TempDir;

use crate::common::{build, hash};

/// Vertices of the sheet along each side.
const N: usize = 5;
/// Length of its sides at rest, m.
const SIDE: f64 = 0.4;

/// The place of vertex (i, j) at rest, as a share of the sides of the sheet, from 0 to 1.
fn share(i: usize, j: usize) -> [f64; 2] {
    [i as f64 / (N - 1) as f64, j as f64 / (N - 1) as f64]
}

/// An OBJ file of the sheet, each vertex at the place that `place` gives, with texture coordinates if
/// requested.
fn sheet(place: impl Fn([f64; 2]) -> [f64; 3], texture: bool) -> String {
    let mut text = String::new();
    for (i, j) in (0..N * N).map(|v| (v % N, v / N)) {
        let ([x, y, z], [u, v]) = (place(share(i, j)), share(i, j));
        writeln!(text, "v {x} {y} {z}").unwrap();
        if texture {
            writeln!(text, "vt {u} {v}").unwrap();
        }
    }
    for (i, j) in (0..(N - 1) * (N - 1)).map(|c| (c % (N - 1), c / (N - 1))) {
        let v = j * N + i + 1;
        for [a, b, c] in [[v, v + 1, v + N], [v + 1, v + N + 1, v + N]] {
            match texture {
                true => writeln!(text, "f {a}/{a} {b}/{b} {c}/{c}").unwrap(),
                false => writeln!(text, "f {a} {b} {c}").unwrap(),
            }
        }
    }
    text
}

/// Flat in the plane of x and z, u along x and v against z, as texture coordinates are laid out.
fn flat([u, v]: [f64; 2]) -> [f64; 3] {
    [SIDE * u, 0.0, -SIDE * v]
}

/// Narrower than at rest, and bent.
fn gathered([u, v]: [f64; 2]) -> [f64; 3] {
    [0.7 * SIDE * u, 0.1 * (6.0 * u).sin(), -0.9 * SIDE * v]
}

fn folder() -> TempDir {
    let base = TempDir::new().unwrap();
    let write = |name: &str, text: String| std::fs::write(base.path().join(name), text).unwrap();
    write("start.obj", sheet(gathered, true));
    write("plain.obj", sheet(gathered, false));
    write("flat.obj", sheet(flat, false));
    write("large.obj", sheet(|at| flat(at).map(|x| 100.0 * x), false));
    write("line.obj", sheet(|[u, _]| [SIDE * u, 0.0, 0.0], false));
    write("folded.obj", sheet(gathered, true).replace("vt 1 ", "vt 0.5 "));
    base
}

fn body(more: &str) -> String {
    format!("[[body]]\nname = \"sheet\"\nmaterial = \"denim\"\npin = [{{ vertices = [0] }}]\n{more}")
}

fn mass(built: &Built<f64>) -> f64 {
    // The pinned corner has no inverse mass; it has the same mass as the opposite one.
    let weights = built.simulation.inverse_masses();
    let moving: f64 = weights.iter().filter(|w| **w > 0.0).map(|w| 1.0 / w).sum();
    moving + 1.0 / weights[N * N - 1]
}

#[test]
fn lengths_and_masses_are_those_of_the_rest_shape_and_the_pose_is_that_of_the_mesh() {
    let base = folder();
    let edges = "[[body]]\nmesh = \"start.obj\"\narea_density = 0.5\nedges = { compliance = 1e-6 }\npin = [{ vertices = [0] }]\n";
    let built = build(&format!("{edges}rest = \"flat.obj\""), &base).unwrap();
    for (x, at) in built.simulation.positions().iter().zip((0..N * N).map(|v| share(v % N, v / N))) {
        let wanted = gathered(at);
        assert!((0..3).all(|k| (x[k] - wanted[k]).abs() < 1e-12), "{x} {wanted:?}");
    }
    assert!((mass(&built) - 0.5 * SIDE * SIDE).abs() < 1e-9, "{}", mass(&built));
    let residual = built.simulation.report().residual("edges").unwrap().max.value;
    // The edges along v start a tenth too short.
    assert!(residual >= 0.1 * SIDE / (N - 1) as f64 - 1e-12, "{residual}");
    let without = build(edges, &base).unwrap();
    assert!(without.simulation.report().residual("edges").unwrap().max.value < 1e-12);
    assert!((mass(&without) - mass(&built)).abs() > 1e-3);
}

#[test]
fn texture_coordinates_are_a_rest_shape_as_a_file_is() {
    let base = folder();
    let by_file = body("mesh = \"start.obj\"\nrest = \"flat.obj\"");
    let by_texture = body("mesh = \"start.obj\"\nrest = \"uv\"\nuv_scale = 0.4");
    assert_eq!(hash(&by_file, &base), hash(&by_texture, &base));
    assert_ne!(hash(&by_file, &base), hash(&body("mesh = \"start.obj\""), &base));
    // Another unit along v is another shape.
    let wide = by_texture.replace("0.4", "[0.4, 0.5]");
    assert_ne!(hash(&wide, &base), hash(&by_texture, &base));
}

#[test]
fn parts_are_found_where_the_body_starts() {
    let base = folder();
    // Everything at rest lies in the plane y = 0; at the start hardly anything does.
    let part = "vary = [{ region = { box = { min = [-1, 0.05, -1], max = [1, 1, 1] } }, factor = 20 }]";
    let plain = body("mesh = \"start.obj\"\nrest = \"flat.obj\"");
    assert_ne!(hash(&format!("{plain}\n{part}"), &base), hash(&plain, &base));
    let elsewhere = part.replace("[-1, 0.05, -1]", "[-1, 0.5, -1]");
    let error = build(&format!("{plain}\n{elsewhere}"), &base).unwrap_err();
    assert!(error.contains("holds the middle of no element"), "{error}");
}

#[test]
fn a_solid_has_a_rest_shape_too() {
    let base = TempDir::new().unwrap();
    let corners = |z: f64| format!("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 {z}\n");
    for (name, z) in [("start", 1.0), ("rest", 2.0), ("turned", -2.0)] {
        std::fs::write(base.path().join(format!("{name}.node")), corners(z)).unwrap();
        std::fs::write(base.path().join(format!("{name}.ele")), "1 4 0\n0 0 1 2 3\n").unwrap();
    }
    let scene = |rest: &str| {
        format!(
            "[[body]]\nmesh = \"start.ele\"\nrest = {rest:?}\nmaterial = {{ young = 1e5, poisson = 0.3 }}"
        )
    };
    let built = build(&scene("rest.ele"), &base).unwrap();
    let mass: f64 = built.simulation.inverse_masses().iter().map(|w| 1.0 / w).sum();
    assert!((mass - 1000.0 / 3.0).abs() < 1e-9, "{mass}");
    let error = build(&scene("turned.ele"), &base).unwrap_err();
    assert!(error.contains("1 of 1 tetrahedra has no positive volume in the rest shape"), "{error}");
    let error = build(&scene("uv"), &base).unwrap_err();
    assert!(error.contains("texture coordinates are flat"), "{error}");
}

#[test]
fn what_is_no_rest_shape_is_refused_with_what_to_do() {
    let base = folder();
    let one = |name: &str, text: String| std::fs::write(base.path().join(name), text).unwrap();
    one("fewer.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned());
    one("other.obj", sheet(flat, false).replacen("f 2 7 6", "f 1 7 6", 1));
    one("seam.obj", sheet(gathered, true).replacen("f 1/1 2/2", "f 1/1 2/3", 1));
    one("bare.obj", sheet(gathered, true).replacen("f 1/1 2/2 6/6", "f 1 2/2 6/6", 1));
    let of = |mesh: &str, rest: &str| build(&body(&format!("mesh = {mesh:?}\n{rest}")), &base).unwrap_err();
    let cases: [(&str, &str, &[&str]); 11] = [
        ("start.obj", "rest = \"fewer.obj\"", &["fewer.obj has 3 vertices, but body \"sheet\" has 25"]),
        (
            "start.obj",
            "rest = \"other.obj\"",
            &["triangle 1 (from 0) of other.obj has the vertices [0, 6, 5]", "has [1, 6, 5]", "triangulate"],
        ),
        ("plain.obj", "rest = \"uv\"", &["plain.obj has no texture coordinates", "`vt` of OBJ"]),
        (
            "seam.obj",
            "rest = \"uv\"",
            &["1 of 25 vertices has no texture coordinates of its own", "vertex 1 (", "[[stitch]]"],
        ),
        (
            "bare.obj",
            "rest = \"uv\"",
            &["1 of 25 vertices has no texture coordinates of its own", "vertex 0 ("],
        ),
        ("folded.obj", "rest = \"uv\"", &["the texture is folded over at 4 edges", "seam"]),
        (
            "start.obj",
            "rest = \"line.obj\"",
            &["32 of 32 triangles have no area in the rest shape", "number 0 (from 0)"],
        ),
        ("start.obj", "rest = \"uv\"\nuv_scale = 0", &["the length of a unit of texture coordinates is 0.0"]),
        ("start.obj", "rest = \"flat.obj\"\nuv_scale = 1", &["`uv_scale` applies to texture coordinates"]),
        ("start.obj", "rest = \"\"", &["the path of the mesh file is empty"]),
        ("start.obj", "rest = \"none.obj\"", &["none.obj"]),
    ];
    for (mesh, rest, says) in cases {
        let error = of(mesh, rest);
        assert!(says.iter().all(|part| error.contains(part)), "{mesh} {rest}: {error}");
    }
    let grid =
        "[[body]]\nmesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nedges = \"rigid\"\nrest = \"uv\"";
    let error = build(grid, &base).unwrap_err();
    assert!(error.contains("its mesh is generated"), "{error}");
    let obstacle = "[[body]]\nmesh = \"start.obj\"\nobstacle = true\nrest = \"flat.obj\"";
    assert!(build(obstacle, &base).unwrap_err().contains("nothing deforms an obstacle"));
}

#[test]
fn a_unit_far_off_is_remarked_on() {
    let base = folder();
    let notes = |rest: &str| {
        let built = build(&body(&format!("mesh = \"start.obj\"\nrest = {rest:?}")), &base).unwrap();
        built.bodies[0].notes.join("\n")
    };
    let usual = notes("flat.obj");
    assert!(usual.contains("it starts away from its rest shape: 56 edges are 0.9"), "{usual}");
    assert!(!usual.contains("the unit of its file"), "{usual}");
    let large = notes("large.obj");
    assert!(
        large.contains("times as large as its start") && large.contains("the unit of its file"),
        "{large}"
    );
}

#[test]
fn pieces_that_share_a_part_of_the_texture_lie_apart_at_rest() {
    let base = TempDir::new().unwrap();
    // Two squares above each other, with the same texture.
    let (mut text, mut faces) = (String::new(), String::new());
    for (piece, y) in [(0, 0.0), (1, 0.3)] {
        for [u, v] in [[0, 0], [1, 0], [1, 1], [0, 1]] {
            writeln!(text, "v {u} {y} {}\nvt {u} {v}", -v).unwrap();
        }
        let [a, b, c, d] = [1, 2, 3, 4].map(|k| 4 * piece + k);
        writeln!(faces, "f {a}/{a} {b}/{b} {c}/{c}\nf {a}/{a} {c}/{c} {d}/{d}").unwrap();
    }
    std::fs::write(base.path().join("two.obj"), text + &faces).unwrap();
    let built = build("[[body]]\nmesh = \"two.obj\"\nedges = \"rigid\"\nrest = \"uv\"", &base).unwrap();
    let x = built.bodies[0].rest_mesh().positions();
    assert!(x[4].x - x[1].x > 0.5, "{} {}", x[1], x[4]);
    assert!(built.simulation.report().residual("edges").unwrap().max.value < 1e-12);
}

#[test]
fn a_pin_may_hold_all_vertices() {
    let base = folder();
    let scene = |pin: &str| {
        format!("[[body]]\nmesh = \"flat.obj\"\nedges = {{ compliance = 1e-3 }}\n[[body.pin]]\n{pin}")
    };
    let every: Vec<usize> = (0..N * N).collect();
    let by_number = hash(&scene(&format!("vertices = {every:?}\ncompliance = 1e-3")), &base);
    assert_eq!(hash(&scene("all = true\ncompliance = 1e-3"), &base), by_number);
    for (pin, says) in [
        ("all = false", "`all = false` selects nothing"),
        ("all = true\nrelative = true", "`relative` applies to positions"),
        ("all = true\nvertices = [1]", "given twice, by `vertices` and `all`"),
    ] {
        let error = build(&scene(pin), &base).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
}

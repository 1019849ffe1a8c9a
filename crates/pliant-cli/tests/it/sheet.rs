//! Cloth that is shown finer than it is simulated.

use std::fs;

use pliant_io::{PointCache, read_mesh};

use crate::common::Bench;

/// A scarf that falls over a bar and onto itself.
const SCARF: &str = r#"name = "scarf"
frames = 30
frame_rate = 60
[solver]
substeps = 10
[[body]]
name = "scarf"
mesh = { grid = { vertices = [7, 13], size = [0.2, 0.4] } }
rotate = [0, 10, 0]
translate = [0, 0.12, 0.02]
material = "cotton"
contact_radius = 0.002
collide = { friction = 0.3 }
visual = { sheet = { subdivide = 2, smooth = true } }
[[body]]
name = "bar"
obstacle = true
mesh = { cylinder = { radius = 0.04, height = 0.5, segments = 12, rings = 6, caps = "capped" } }
rotate = [0, 0, 90]
contact_radius = 0.002
[output]
formats = ["vtu", "ply", "obj", "pc2", "mdd", "glb", "usda"]
fields = ["normal", "velocity"]
every = 3
"#;

/// Vertices and triangles of the fine scarf: each triangle is sixteen.
const FINE: (usize, usize) = (25 * 49, 16 * 2 * 6 * 12);

#[test]
fn a_fine_sheet_is_what_is_written_in_every_format() {
    let bench = Bench::new();
    bench.write("scarf.toml", SCARF);
    bench.good(&["run", "scarf.toml", "-q", "-o", "out"]);
    let cache = PointCache::read(bench.path("out/pc2/scarf.pc2")).unwrap();
    assert_eq!((cache.vertex_count(), cache.sample_count()), (FINE.0, 11));
    for format in ["vtu", "ply", "obj"] {
        let path = bench.path(&format!("out/{format}/scarf/scarf_0010.{format}"));
        let mesh = read_mesh(path).unwrap().mesh;
        let pliant_io::Mesh::Tri(mesh) = mesh else { panic!("{format} holds triangles") };
        assert_eq!((mesh.positions().len(), mesh.triangles().len()), FINE, "{format}");
        let gap = mesh
            .positions()
            .iter()
            .zip(cache.sample(10))
            .map(|(x, y)| (0..3).map(|k| (x[k] - f64::from(y[k])).abs()).fold(0.0, f64::max));
        assert!(gap.fold(0.0, f64::max) < 1e-6, "{format}");
    }
    // What is simulated is written too.
    let coarse = read_mesh(bench.path("out/triangles/scarf/scarf_0010.vtu")).unwrap().mesh;
    assert_eq!(coarse.positions().len(), 7 * 13);
    for file in ["out/glb/scarf.glb", "out/usda/scarf.usda", "out/mdd/scarf.mdd"] {
        assert!(bench.exists(file), "{file}");
    }
    let report = bench.json("out/run.json");
    assert_eq!(report["bodies"][0]["visual_vertices"].as_u64(), Some(FINE.0 as u64));
    // Pictures show it, with what crosses.
    bench.good(&["render", "out", "-o", "it.png", "--size", "200x160", "--mark", "crossings"]);
    bench.good(&["render", "out", "-o", "it.html"]);
    assert!(bench.read("it.html").contains(&format!("\"vertices\":{}", FINE.0)));
}

#[test]
fn crossings_of_the_drawn_surfaces_are_counted_required_and_certified() {
    let bench = Bench::new();
    bench.write("scarf.toml", SCARF);
    let ask = ["run", "scarf.toml", "-q", "-o", "out", "--save-multipliers", "--require"];
    bench.good(&[&ask[..], &["visual.intersections<=0"]].concat());
    let certificate = bench.json("out/certificate.json");
    assert_eq!(certificate["worst"]["visual.intersections"]["value"].as_f64(), Some(0.0));
    let told = bench.good(&["certify", "out"]).out;
    let line = told.lines().find(|line| line.starts_with("visual.intersections")).unwrap();
    assert!(line.contains("agrees in"), "{line}");
    // A scene without finer cloth has no such measure.
    bench.write("coarse.toml", SCARF.replace("visual = ", "# "));
    bench.refused(
        &["run", "coarse.toml", "-o", "coarse", "--require", "visual.intersections<=0"],
        &["`visual.intersections` is not among the quantities"],
    );
}

#[test]
fn fine_files_do_not_depend_on_threads_or_on_where_a_run_was_stopped() {
    let bench = Bench::new();
    bench.write("scarf.toml", SCARF);
    bench.good(&["run", "scarf.toml", "-q", "-o", "one", "--threads", "1"]);
    bench.good(&["run", "scarf.toml", "-q", "-o", "three", "--threads", "3"]);
    bench.good(&["run", "scarf.toml", "-q", "-o", "stopped", "--stop-after", "14"]);
    bench.good(&["run", "scarf.toml", "-q", "-o", "stopped", "--continue"]);
    let files = bench.files("one");
    for other in ["three", "stopped"] {
        assert_eq!(bench.files(other), files);
        for file in files.iter().filter(|file| *file != "run.json") {
            let read = |run: &str| fs::read(bench.path(run).join(file)).unwrap();
            assert!(read("one") == read(other), "{other}: {file} differs");
        }
    }
}

#[test]
fn the_two_kinds_of_fine_surface_are_not_mixed_up() {
    let bench = Bench::new();
    bench.write("wrong.toml", SCARF.replace("sheet = {", "boundary = {"));
    bench.refused(&["check", "wrong.toml"], &["visual.boundary", "applies to solids", "`sheet`"]);
    let solid = "[[body]]\nmesh = { ball = { radius = 0.2, shells = 2 } }\nedges = \"rigid\"\nvisual = { sheet = {} }\n";
    bench.write("wrong.toml", solid);
    bench.refused(&["check", "wrong.toml"], &["visual.sheet", "applies to cloth", "`boundary`"]);
    bench.write("wrong.toml", SCARF.replace("friction = 0.3 }", "friction = 0.3, skin = true }"));
    bench.refused(&["check", "wrong.toml"], &["collide.skin", "cloth collides by its simulated triangles"]);
}

//! `pliant deform` and `pliant relax`: their files, the table, and refused input.

use crate::common::Bench;
use pliant_io::{Mesh, PointCache, read_mesh};

/// A small bending tube in every format.
const STACK: &str = r#"name = "arm"
frame_rate = 8

[input.chain]
mesh = { cylinder = { radius = 0.1, height = 1.0, segments = 12, rings = 16, caps = "capped" } }
blend = 0.2
joint = [
    { at = [0, -0.5, 0] },
    { at = [0, 0, 0], key = [{ time = 0 }, { time = 0.5, rotate = { axis = [0, 0, 1], degrees = 100 } }] },
]

[[deformer]]
skinning = {}

[[deformer]]
relax = { volume = 0.5 }

[[deformer]]
jiggle = {}
envelope = 0.5

[output]
formats = ["vtu", "pc2", "mdd", "usda", "obj", "ply", "glb"]
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("arm.toml", STACK);
    bench
}

#[test]
fn every_format_holds_the_same_frames() {
    let bench = bench();
    let ran = bench.good(&["deform", "arm.toml", "-o", "out"]);
    assert!(ran.err.contains("218 vertices") && ran.err.contains("skinning → relax → jiggle"), "{}", ran.err);
    let files = bench.files("out");
    for name in [
        "run.json",
        "stack.toml",
        "arm.rest.obj",
        "vtu/arm.pvd",
        "vtu/arm/arm_0004.vtu",
        "pc2/arm.pc2",
        "mdd/arm.mdd",
        "obj/arm/arm_0004.obj",
        "ply/arm/arm_0004.ply",
        "glb/arm.glb",
        "usda/arm.usda",
    ] {
        assert!(files.iter().any(|file| file == name), "{name} of {files:?}");
    }
    let report = bench.json("out/run.json");
    let listed: Vec<&str> =
        report["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert_eq!(listed.len() + 1, files.len(), "run.json lists all but itself");
    assert_eq!(report["frames"].as_array().unwrap().len(), 5);
    let [before, after] =
        [0, 1].map(|k| report["frames"][4]["deformers"][1]["strain_rms"][k].as_f64().unwrap());
    assert!(0.0 < after && after < before);

    let pc2 = PointCache::read(bench.path("out/pc2/arm.pc2")).unwrap();
    let mdd = PointCache::read(bench.path("out/mdd/arm.mdd")).unwrap();
    assert_eq!((pc2.sample_count(), mdd.sample_count()), (5, 5));
    assert_eq!(mdd.times().unwrap()[4], 0.5);
    for frame in 0..5 {
        let expected = pc2.sample(frame);
        assert_eq!(mdd.sample(frame), expected);
        for file in [
            format!("obj/arm/arm_000{frame}.obj"),
            format!("ply/arm/arm_000{frame}.ply"),
            format!("vtu/arm/arm_000{frame}.vtu"),
        ] {
            let Mesh::Tri(mesh) = read_mesh(bench.path(&format!("out/{file}"))).unwrap().mesh else {
                panic!("{file}")
            };
            for (x, p) in mesh.positions().iter().zip(expected) {
                assert!((0..3).all(|k| (x[k] - f64::from(p[k])).abs() < 1e-6), "{file}");
            }
        }
    }
    let glb = std::fs::read(bench.path("out/glb/arm.glb")).unwrap();
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    let root: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    assert!(root["skins"].is_null() && root["nodes"][0]["skin"].is_null());
    assert_eq!(root["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(), 4);

    // The table has every frame if there are few, and pictures can be made from the folder.
    assert_eq!(ran.out.matches("relax ").count(), 5, "{}", ran.out);
    assert!(ran.out.contains("strain rms, %") && ran.out.contains("volume, %"), "{}", ran.out);
    bench.good(&["render", "out", "-o", "arm.png", "--size", "64x64", "-q"]);
}

#[test]
fn what_it_wrote_can_go_in_again() {
    let bench = bench();
    bench.good(&["deform", "arm.toml", "-o", "out", "-q", "--threads", "1"]);
    bench.good(&["deform", "arm.toml", "-o", "again", "-q", "--threads", "2"]);
    let bytes = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(bytes("out/pc2/arm.pc2") == bytes("again/pc2/arm.pc2"), "any number of threads gives the same");
    bench.write("cached.toml", "frame_rate = 8\n[input.cache]\nrest = \"out/arm.rest.obj\"\nfile = \"out/mdd/arm.mdd\"\n[[deformer]]\nrelax = { iterations = 0 }\n");
    bench.good(&["deform", "cached.toml", "-o", "third", "-q"]);
    assert!(bytes("out/pc2/arm.pc2") == bytes("third/pc2/cached.pc2"), "nothing asked is nothing done");
    bench.refused(&["deform", "arm.toml", "-o", "out"], &["already holds a run", "--force"]);
    bench.good(&["deform", "arm.toml", "-o", "out", "-q", "--force", "--frames", "2"]);
    assert!(!bench.exists("out/obj/arm/arm_0004.obj"), "the frames of the old run are gone");
}

#[test]
fn a_frame_that_cannot_be_had_leaves_the_ones_before() {
    let bench = bench();
    bench.good(&["deform", "arm.toml", "-o", "out", "-q"]);
    bench.write("out/obj/arm/arm_0003.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    bench.write("again.toml", "[input.sequence]\nfiles = \"out/obj/arm/arm_*.obj\"\n[[deformer]]\nrelax = {}\n[output]\nformats = [\"ply\"]\n");
    bench.ends_with_status(
        1,
        &["deform", "again.toml", "-o", "broken"],
        &["frame 3: ", "arm_0003.obj", "its 3 vertices (instead of 218)", "marked as unfinished"],
    );
    assert!(bench.exists("broken/run.unfinished") && !bench.exists("broken/run.json"));
    assert!(
        bench.exists("broken/ply/again/again_0002.ply") && !bench.exists("broken/ply/again/again_0003.ply")
    );
    for (text, parts) in [
        ("[input.character]\nfile = \"out/arm.rest.obj\"\n", ["bad.toml:2:8", "arm.rest.obj"]),
        (
            "[input.character]\nfile = \"out/glb/arm.glb\"\n",
            ["bad.toml:2:8", "none of its 1 meshes has a skin"],
        ),
        (
            "[input.cache]\nrest = \"out/arm.rest.obj\"\nfile = \"out/arm.rest.obj\"\n",
            ["bad.toml:3:8", "POINTCACHE2"],
        ),
    ] {
        bench.write("bad.toml", text);
        bench.refused(&["deform", "bad.toml", "-o", "none"], &parts);
        assert!(!bench.exists("none"), "nothing is begun");
    }
    bench
        .refused(&["deform", "missing.toml"], &["cannot read the stack missing.toml: there is no such file"]);
    bench.refused(&["deform", "small.toml"], &["small.toml is a scene"]);
}

#[test]
fn examples_of_stacks_are_written_with_their_schema() {
    let bench = Bench::new();
    let listed = bench.good(&["new"]).out;
    for template in pliant_scene::stack_templates() {
        assert!(listed.contains(template.about), "{listed}");
        let said = bench.good(&["new", template.name]).out;
        assert!(said.contains(&format!("pliant deform {}.toml", template.name)), "{said}");
        assert_eq!(bench.read(&format!("{}.toml", template.name)), template.text());
    }
    assert_eq!(bench.read("stack.schema.json"), pliant_scene::stack_schema());
    let checked = bench.good(&["check", "blob.toml"]).out;
    assert!(
        checked.contains("blob.toml is a good stack: 2562 vertices") && checked.contains("skinning → jiggle"),
        "{checked}"
    );
    bench.write("bad.toml", bench.read("blob.toml").replace("max_stretch = 0.4", "max_stretch = -1"));
    bench.refused(&["check", "bad.toml"], &["bad.toml:", "the largest stretch is -1.0"]);
    bench.good(&["deform", "blob.toml", "-q", "--frames", "4"]);
    assert!(bench.exists("runs/blob-1/run.json"));
}

#[test]
fn one_mesh_is_relaxed() {
    let bench = Bench::new();
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    bench.write("rest.obj", square);
    bench.write("bent.obj", square.replace("v 1 1 0", "v 1.5 1.5 0.2"));
    let ran = bench.good(&[
        "relax",
        "rest.obj",
        "bent.obj",
        "-o",
        "relaxed.obj",
        "--iterations",
        "50",
        "--push",
        "0.5",
    ]);
    assert!(
        ran.out.contains("4 vertices (4 points), 5 edges, 50 iterations")
            && ran.out.contains("edge strain, rms"),
        "{}",
        ran.out
    );
    let (mesh, _) = read_mesh(bench.path("relaxed.obj")).unwrap().into_tri().unwrap();
    for (a, b, rest) in [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 2.0_f64.sqrt())] {
        let length = (mesh.positions()[a] - mesh.positions()[b]).norm();
        assert!((length - rest).abs() < 1e-3, "{length} instead of {rest}");
    }
    bench.good(&["relax", "rest.obj", "bent.obj", "-o", "same.ply", "--iterations", "0"]);
    let (same, _) = read_mesh(bench.path("same.ply")).unwrap().into_tri().unwrap();
    assert!(
        (same.positions()[2] - read_mesh(bench.path("bent.obj")).unwrap().mesh.positions()[2]).norm() < 1e-6
    );

    bench.write("other.obj", format!("{square}v 2 2 2\n"));
    bench.refused(
        &["relax", "rest.obj", "other.obj", "-o", "x.obj"],
        &["other.obj has 5 vertices", "rest.obj has 4"],
    );
    bench.write("turned.obj", square.replace("f 1 2 3", "f 2 3 1"));
    bench.refused(
        &["relax", "rest.obj", "turned.obj", "-o", "x.obj"],
        &["triangle 0 has the corners [1, 2, 0] in turned.obj"],
    );
    bench.refused(
        &["relax", "rest.obj", "bent.obj", "-o", "x.obj", "--push", "2"],
        &["push is 2, but must be between 0 and 1"],
    );
    bench.refused(
        &["relax", "rest.obj", "bent.obj", "-o", "x.obj", "--volume", "1"],
        &["only inside a closed surface"],
    );
    assert!(!bench.exists("x.obj"));
}

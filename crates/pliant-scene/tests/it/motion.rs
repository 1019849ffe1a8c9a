//! Bodies and pins that move by samples: caches, sequences of meshes, animations of characters and their joints.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{Frame, FrameWriter, Pc2Options, Pc2Writer};
use tempfile::TempDir;

use crate::common::build;

/// A square in the x-y plane whose upper side is carried by a joint at (0, 1, 0), which makes a quarter turn
/// about z in a second, and back in the next.
fn write_arm(folder: &Path) {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views: Vec<String> = Vec::new();
    let mut add = |data: Vec<u8>| {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), data.len()));
        bytes.extend(data);
    };
    let floats = |list: &[f32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    add(floats(&[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]));
    add([0_u16, 1, 2, 1, 3, 2].iter().flat_map(|i| i.to_le_bytes()).collect());
    add(vec![0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    add(floats(&[1., 0., 0., 0.].repeat(4)));
    let back = |y: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -y, 0., 1.];
    add(floats(&[back(0.0), back(1.0)].concat()));
    add(floats(&[0., 1., 2.]));
    let half = 0.5_f32.sqrt();
    add(floats(&[0., 0., 0., 1., 0., 0., half, half, 0., 0., 0., 1.]));
    let accessor = |view: usize, of: &str, component: u32, count: usize, more: &str| {
        format!(r#"{{"bufferView":{view},"componentType":{component},"count":{count},"type":"{of}"{more}}}"#)
    };
    let accessors = [
        accessor(0, "VEC3", 5126, 4, r#","min":[0,0,0],"max":[1,1,0]"#),
        accessor(1, "SCALAR", 5123, 6, ""),
        accessor(2, "VEC4", 5121, 4, ""),
        accessor(3, "VEC4", 5126, 4, ""),
        accessor(4, "MAT4", 5126, 2, ""),
        accessor(5, "SCALAR", 5126, 3, r#","min":[0],"max":[2]"#),
        accessor(6, "VEC4", 5126, 3, ""),
    ];
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
        "nodes":[{{"mesh":0,"skin":0}},{{"name":"root","children":[2]}},{{"name":"tip","translation":[0,1,0]}}],
        "skins":[{{"joints":[1,2],"inverseBindMatrices":4}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3}},"indices":1}}]}}],
        "animations":[{{"name":"wave","channels":[{{"sampler":0,"target":{{"node":2,"path":"rotation"}}}}],"samplers":[{{"input":5,"output":6}}]}}],
        "accessors":[{}],"bufferViews":[{}],"buffers":[{{"uri":"arm.bin","byteLength":{}}}]}}"#,
        accessors.join(","),
        views.join(","),
        bytes.len()
    );
    fs::write(folder.join("arm.bin"), bytes).unwrap();
    fs::write(folder.join("arm.gltf"), text).unwrap();
}

/// The arm, twice as large and moved by 3 m, and a sheet of four vertices that follows its tip.
fn arm(motion: &str, pin: &str) -> String {
    format!(
        "frames = 300\nframe_rate = 10\nsolver.gravity = [0, 0, 0]\n[[body]]\nname = \"arm\"\nmesh = \"arm.gltf\"\nscale = 2\ntranslate = [3, 0, 0]\n\
         obstacle = true\ncontact_radius = 0.001\nmotion = {{ {motion} }}\n\
         [[body]]\nname = \"flag\"\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\ntranslate = [3.5, 2, 0.5]\n\
         edges = \"rigid\"\n[[body.pin]]\nall = true\nmotion = {{ {pin} }}\n"
    )
}

/// Places of vertices after some frames of a tenth of a second.
fn places(text: &str, folder: &TempDir, frames: usize) -> Vec<Vector3<f64>> {
    let mut built = build(text, folder).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for _ in 0..frames {
        built.simulation.step(0.1).unwrap();
    }
    built.simulation.positions()
}

fn near(found: Vector3<f64>, expected: [f64; 3], within: f64) {
    assert!((found - Vector3::from(expected)).norm() < within, "{found} is not {expected:?}");
}

#[test]
fn an_animation_moves_an_obstacle_and_a_joint_leads_pins() {
    let folder = tempfile::tempdir().unwrap();
    write_arm(folder.path());
    let joint = "joint = { body = \"arm\", name = \"tip\" }";
    let scene = arm("animation = \"wave\"", joint);
    // At the start: the corners of the arm, and of the flag, which lies above its upper side.
    let start = places(&scene, &folder, 0);
    near(start[3], [5.0, 2.0, 0.0], 1e-6);
    near(start[4], [3.0, 2.0, 1.0], 1e-6);
    // After a second the tip has made a quarter turn about (3, 2, 0).
    let turned = places(&scene, &folder, 10);
    near(turned[1], [5.0, 0.0, 0.0], 1e-6);
    near(turned[3], [3.0, 4.0, 0.0], 1e-5);
    near(turned[4], [3.0, 2.0, 1.0], 1e-5);
    near(turned[5], [3.0, 3.0, 1.0], 1e-5);
    // After two it is back, and stays; a motion that repeats goes on.
    near(places(&scene, &folder, 25)[3], [5.0, 2.0, 0.0], 1e-5);
    let again = arm("animation = 0, repeat = true", joint);
    near(places(&again, &folder, 30)[3], [3.0, 4.0, 0.0], 1e-5);
    near(places(&again, &folder, 30)[5], [3.0, 3.0, 1.0], 1e-5);
    // It begins later, and goes through the same poses along a cubic.
    let later = arm("animation = \"wave\", start = 0.5, rate = 7, interpolation = \"cubic\"", joint);
    near(places(&later, &folder, 4)[3], [5.0, 2.0, 0.0], 1e-6);
    near(places(&later, &folder, 15)[3], [3.0, 4.0, 0.0], 1e-5);
    // Half way the joint has turned by an eighth, and the chord between two samples is nearly the arc.
    let eighth = 2.0 * 0.5_f64.sqrt();
    near(places(&scene, &folder, 5)[3], [3.0 + eighth, 2.0 + eighth, 0.0], 1e-3);
}

#[test]
fn a_character_that_cannot_move_a_body_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write_arm(folder.path());
    let joint = "joint = { body = \"arm\", name = \"tip\" }";
    let wave = "animation = \"wave\"";
    for (motion, pin, expected) in [
        ("animation = \"wafe\"", joint, "there is no animation named \"wafe\"; expected one of \"wave\""),
        ("animation = 3", joint, "there is no animation 3"),
        (wave, "joint = { body = \"arm\", name = \"top\" }", "has no joint named \"top\""),
        (wave, "joint = { body = \"leg\", name = \"tip\" }", "there is no body named \"leg\""),
        (wave, "joint = { body = \"flag\", name = \"tip\" }", "no animation moves the body \"flag\""),
        (wave, wave, "pins follow a joint"),
        (joint, joint, "only pins follow the joint"),
        ("animation = \"wave\", lead_in = 1", joint, "`lead_in` applies to `cache`"),
        (
            "velocity = [0, 0, 0], repeat = true",
            "velocity = [0, 0, 0]",
            "`repeat` applies to `cache` and `animation`",
        ),
        ("animation = \"wave\", rate = 1e9", joint, "a lower `rate`"),
    ] {
        let scene = arm(motion, pin);
        let error = build(&scene, &folder).map(drop).unwrap_err();
        assert!(error.contains(expected), "{motion}, {pin}: {error}");
    }
    let grid = arm(wave, joint)
        .replace("mesh = \"arm.gltf\"", "mesh = { grid = { vertices = [2, 2], size = [1, 1] } }");
    let error = build(&grid, &folder).map(drop).unwrap_err();
    assert!(error.contains("the mesh of the body is not from a file"), "{error}");
}

/// A sheet of four vertices at y = 0, led by samples at y = 1, 2, 1.
fn led(motion: &str) -> String {
    format!(
        "frame_rate = 10\n[[body]]\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\nedges = \"rigid\"\n\
         [[body.pin]]\nall = true\nmotion = {{ {motion} }}\n"
    )
}

#[test]
fn samples_come_from_caches_and_meshes_with_a_lead_in_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = [[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [0.5, 0.0, 0.5]];
    let mut writer =
        Box::new(Pc2Writer::create(folder.path().join("lead.pc2"), 4, Pc2Options::default()).unwrap());
    for (k, y) in [1.0, 2.0, 1.0].into_iter().enumerate() {
        let at = sheet.map(|[x, _, z]| Vector3::new(x, y, z));
        writer.write_frame(&Frame::new(k as f64, &at)).unwrap();
        let lines: String = at.iter().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z)).collect();
        fs::write(folder.path().join(format!("lead_{k:02}.obj")), lines + "f 1 2 3\nf 2 4 3\n").unwrap();
    }
    writer.finish().unwrap();
    let height = |motion: &str, frames: usize| places(&led(motion), &folder, frames)[0].y;
    for cache in ["cache = \"lead.pc2\"", "cache = \"lead_##.obj\""] {
        let at = |more: &str, frames: usize| height(&format!("{cache}, rate = 5{more}"), frames);
        // Without a lead-in the sheet is at the first sample at once; one sample lasts two frames.
        for (frames, y) in [(1, 1.5), (2, 2.0), (4, 1.0), (9, 1.0)] {
            assert!((at("", frames) - y).abs() < 1e-6, "{cache} {frames}");
        }
        // A lead-in of two samples: half way after one of them.
        for (frames, y) in [(2, 0.5), (4, 1.0), (6, 2.0), (8, 1.0)] {
            assert!((at(", lead_in = 0.4", frames) - y).abs() < 1e-6, "{cache} {frames}");
        }
        // It is not repeated.
        for (frames, y) in [(8, 1.0), (10, 2.0), (12, 1.0), (14, 2.0)] {
            assert!((at(", lead_in = 0.4, repeat = true", frames) - y).abs() < 1e-6, "{cache} {frames}");
        }
    }
    fs::write(folder.path().join("lead_02.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").unwrap();
    let error = build(&led("cache = \"lead_##.obj\""), &folder).map(drop).unwrap_err();
    assert!(error.contains("lead_02.obj") && error.contains("its 3 vertices"), "{error}");
}

/// A ball as an obstacle, which starts thinner than it is.
fn thin(by: f64, more: &str) -> String {
    format!(
        "frames = 60\n[[body]]\nname = \"ball\"\nmesh = {{ icosphere = {{ radius = 0.3, frequency = 6 }} }}\nobstacle = true\n\
         contact_radius = 0.001\nshrink = {{ by = {by}, until = 0.5 }}\n{more}\n\
         [[body]]\nname = \"sheet\"\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\ntranslate = [0, 5, 0]\nedges = \"rigid\"\n"
    )
}

#[test]
fn an_obstacle_grows_to_its_size_while_it_moves() {
    let folder = TempDir::new().unwrap();
    let radius = |frames: usize, more: &str, centre: [f64; 3]| {
        let places = places(&thin(0.1, more), &folder, frames);
        let of_ball = &places[..places.len() - 4];
        let all = of_ball.iter().map(|x| (x - Vector3::from(centre)).norm());
        all.fold((f64::INFINITY, 0.0_f64), |(least, most), r| (least.min(r), most.max(r)))
    };
    for (more, speed) in [("", 0.0), ("motion = { velocity = [1, 0, 0] }", 1.0)] {
        for (frames, expected) in [(0, 0.2), (5, 0.3), (9, 0.3)] {
            let (least, most) = radius(frames, more, [0.1 * speed * frames as f64, 0.0, 0.0]);
            assert!(
                (least - expected).abs() < 2e-3 && (most - expected).abs() < 2e-3,
                "{frames}: {least} to {most}"
            );
        }
        let (least, most) = radius(2, more, [0.2 * speed, 0.0, 0.0]);
        assert!(least > 0.22 && most < 0.28, "it grows: {least} to {most}");
    }
    // A ring whose tube is thinner than that.
    let ring = thin(0.15, "").replace(
        "icosphere = { radius = 0.3, frequency = 6 }",
        "torus = { radius = 0.5, tube = 0.1, segments = 24, sides = 10 }",
    );
    let flat = build(&ring, &folder).unwrap();
    let notes = &flat.bodies[0].notes;
    assert!(notes.iter().any(|note| note.contains("triangles turn over")), "{notes:?}");
    let soft = thin(0.1, "").replace("obstacle = true\n", "edges = \"rigid\"\n");
    let answer = pliant_scene::Scene::parse(&soft, folder.path()).unwrap_err().to_string();
    assert!(answer.contains("`shrink` is for obstacles"), "{answer}");
}

//! Stack files: what they build, that inputs of every kind agree, and the errors of invalid ones, with their place.

use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{Frame, FrameWriter, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer, write_mesh};
use pliant_scene::{BuiltStack, StackFile, stack_templates};

/// A bending tube, with what the test adds: keys of the top before, tables after it.
fn tube(rest: &str) -> String {
    let (top, tables) = if rest.starts_with("deformer") { (rest, "") } else { ("", rest) };
    format!(
        r#"frame_rate = 10
{top}
[input.chain]
mesh = {{ cylinder = {{ radius = 0.1, height = 1.0, segments = 12, rings = 16, caps = "capped" }} }}
blend = 0.2
joint = [
    {{ name = "root", at = [0, -0.5, 0] }},
    {{ name = "tip", at = [0, 0, 0], key = [{{ time = 0 }}, {{ time = 0.4, rotate = {{ axis = [0, 0, 1], degrees = 100 }} }}] }},
]
{tables}"#
    )
}

fn build(text: &str, base: &Path) -> BuiltStack {
    StackFile::parse(text, base).and_then(|stack| stack.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str, base: &Path, parts: &[&str]) {
    let error = StackFile::parse(text, base).and_then(|stack| stack.build()).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{part:?} is missing in: {error}\n{text}");
    }
}

fn all_frames(built: &mut BuiltStack) -> Vec<Vec<Vector3<f64>>> {
    (0..built.frames).map(|frame| built.frame(frame).unwrap().0).collect()
}

#[test]
fn every_template_runs() {
    for template in stack_templates() {
        assert!(template.text().starts_with("#:schema stack.schema.json\n"), "{}", template.name);
        let stack = template.stack().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(stack.name(), template.name);
        if template.name == "character" {
            continue;
        }
        let mut built = stack.build().unwrap_or_else(|error| panic!("{error}"));
        // The first frames and a late one; the tests of the program cover the rest.
        for frame in [0, 1, 2, built.frames * 2 / 3] {
            let (positions, report) = built.frame(frame).unwrap();
            assert_eq!(positions.len(), built.mesh.positions().len());
            assert_eq!(report.len(), built.layers.len());
            assert!(report.iter().all(|layer| layer.after.rms.is_finite()));
        }
    }
}

#[test]
fn a_pose_is_a_frame_with_the_skin_beside_it() {
    let text = tube(
        "[[deformer]]\nskinning = {}\n[[deformer]]\nrelax = { iterations = 8 }\n[[deformer]]\njiggle = {}\n",
    );
    let only_skinned = tube("[[deformer]]\nskinning = {}\n");
    let base = Path::new(".");
    let (frames, skinned) =
        (all_frames(&mut build(&text, base)), all_frames(&mut build(&only_skinned, base)));
    let mut built = build(&text, base);
    let mut run = || -> Vec<_> { (0..5).map(|frame| built.pose(frame, |_| {}).unwrap()).collect() };
    let first = run();
    for (frame, posed) in first.iter().enumerate() {
        assert!(posed.deformed == frames[frame] && posed.skinned == skinned[frame], "{frame}");
    }
    assert_ne!(run()[0], first[0], "the jiggle remembers the last frame");
    built.reset();
    assert_eq!(built.pose(0, |_| {}).unwrap(), first[0]);
}

#[test]
fn a_pull_comes_before_the_deformers() {
    let mut built = build(&tube("[[deformer]]\nrelax = { iterations = 8 }\n"), Path::new("."));
    let still = built.pose(3, |_| {}).unwrap();
    let up = Vector3::y() * 0.05;
    let pulled = built.pose(3, |x| x[20] += up).unwrap();
    assert!((pulled.skinned[20] - still.skinned[20] - up).norm() < 1e-15);
    let moved = |vertex: usize| (pulled.deformed[vertex] - still.deformed[vertex]).norm();
    let neighbour = built.mesh.edges().into_iter().find(|edge| edge.contains(&20)).unwrap();
    let neighbour = neighbour.into_iter().find(|&v| v != 20).unwrap() as usize;
    assert!(moved(20) < up.norm() && moved(neighbour) > 1e-3, "{} {}", moved(20), moved(neighbour));
    assert_eq!(pulled.skinned[neighbour], still.skinned[neighbour]);
    let error = built.pose(3, |x| x[7].z = f64::NAN).unwrap_err().to_string();
    assert!(error.contains("frame 3") && error.contains("vertex 7"), "{error}");
}

#[test]
fn keys_of_a_stack_are_set_in_their_places() {
    let text = tube("[[deformer]]\nrelax = { iterations = 8, push = 0.1 } # soft\n");
    let stack = StackFile::parse(&text, ".").unwrap();
    assert_eq!(stack.edited_text(), text);
    let set = |key: &str, value: serde_json::Value| stack.with_value(key, &value);
    let more = set("deformer.0.relax.iterations", 12.into()).unwrap();
    assert_eq!(more.edited_text(), text.replace("iterations = 8", "iterations = 12"));
    let turned = set("input.chain.joint.1.key.1.rotate.degrees", (-90).into()).unwrap();
    assert_eq!(StackFile::parse(&turned.edited_text(), ".").unwrap().model, turned.model);
    // A key that has no place in the text is written with all that the stack has.
    let named = set("deformer.0.name", "soft".into()).unwrap();
    assert_eq!(StackFile::parse(&named.edited_text(), ".").unwrap().model, named.model);
    for (key, value) in [
        ("deformer.0.relax.push", serde_json::json!(2)),
        ("deformer.4.relax.push", serde_json::json!(0.5)),
        ("deformer.0.relax.magic", serde_json::json!(1)),
        ("input.chain.joint.1.key.1.rotate.degrees", serde_json::json!("much")),
    ] {
        let error = set(key, value).unwrap_err().to_string();
        assert!(error.contains(key.rsplit('.').next().unwrap()) || error.contains(key), "{key}: {error}");
    }
}

#[test]
fn dual_quaternions_keep_the_candy_wrapper_open() {
    let text = pliant_scene::StackTemplate::named("candy-wrapper").unwrap().text();
    let waist = |text: &str| {
        let mut built = build(text, Path::new(""));
        let rest = built.mesh.positions().to_vec();
        let (x, report) = built.frame(built.frames - 1).unwrap();
        let near = x.iter().zip(&rest).filter(|(_, rest)| rest.y.abs() < 0.01);
        (near.map(|(x, _)| x.x.hypot(x.z)).fold(f64::INFINITY, f64::min), report)
    };
    let (open, report) = waist(&text);
    let (closed, _) = waist(
        text.replace("\"dual-quaternion\" }", "\"linear\" }").split("[[deformer]]\nrelax").next().unwrap(),
    );
    assert!(closed < 0.02 && open > 0.08, "{closed} {open}");
    assert!(report[1].after.rms < report[1].before.rms);
}

#[test]
fn without_deformers_the_usual_ones_are_taken() {
    let built = build(&tube(""), Path::new(""));
    assert_eq!(built.layers, ["skinning", "relax", "smooth", "jiggle"]);
    assert_eq!((built.frames, built.frame_rate), (5, 10.0));
    // Skinning that is not listed comes first; if it is listed, it stays in its place.
    let built = build(&tube("deformer = [{ smooth = {} }]"), Path::new(""));
    assert_eq!(built.layers, ["skinning", "smooth"]);
    let built =
        build(&tube("deformer = [{ smooth = {}, name = \"soften\" }, { skinning = {} }]"), Path::new(""));
    assert_eq!(built.layers, ["soften", "skinning"]);
}

#[test]
fn a_skinned_cache_is_the_same_as_the_skeleton() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let deformers = "[[deformer]]\nrelax = { sweep = \"sequential\" }\n[[deformer]]\njiggle = {}\n";
    let mut whole = build(&tube(deformers), base);
    let expected = all_frames(&mut whole);

    // The same motion in the form that another program would export.
    let mut bare = build(&tube("deformer = [{ skinning = {} }]"), base);
    let mesh = Mesh::Tri(bare.mesh.clone());
    let vertices = bare.mesh.positions().len();
    write_mesh(base.join("rest.obj"), &mesh).unwrap();
    let mut writers: Vec<Box<dyn FrameWriter>> = vec![
        Box::new(Pc2Writer::create(base.join("skinned.pc2"), vertices, Pc2Options::default()).unwrap()),
        Box::new(MddWriter::create(base.join("skinned.mdd"), vertices).unwrap()),
        Box::new(MeshSequence::obj(base.join("frames"), "skinned", &mesh).unwrap()),
    ];
    for frame in 0..bare.frames {
        let positions = bare.frame(frame).unwrap().0;
        for writer in &mut writers {
            writer.write_frame(&Frame::new(bare.time(frame), &positions)).unwrap();
        }
    }
    writers.into_iter().for_each(|writer| drop(writer.finish().unwrap()));

    for (input, rate) in [
        ("[input.cache]\nrest = \"rest.obj\"\nfile = \"skinned.pc2\"\n", "frame_rate = 10\n"),
        // The cache has its own times.
        ("[input.cache]\nrest = \"rest.obj\"\nfile = \"skinned.mdd\"\n", ""),
        ("[input.sequence]\nfiles = \"frames/skinned_*.obj\"\nrest = \"rest.obj\"\n", "frame_rate = 10\n"),
    ] {
        let mut built = build(&format!("{rate}{input}{deformers}"), base);
        assert_eq!(built.frames, whole.frames, "{input}");
        assert!((built.frame_rate - 10.0).abs() < 1e-5, "{input}");
        for (found, expected) in all_frames(&mut built).iter().zip(&expected) {
            let apart = found.iter().zip(expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(apart < 1e-5, "{apart} {input}");
        }
        // With half the scale, everything is half as large.
        let halved = input.replace("[input.", "[input]\nscale = 0.5\n[input.");
        let mut half = build(&format!("{rate}{halved}{deformers}"), base);
        let (found, _) = half.frame(0).unwrap();
        assert!((found[7] - expected[0][7] * 0.5).norm() < 1e-6);
    }

    let cached = |change: &str| {
        format!("frames = {change}\n[input.cache]\nrest = \"rest.obj\"\nfile = \"skinned.pc2\"\n")
    };
    refused(
        &cached("9"),
        base,
        &["stack:1:10", "9 frames are asked for, but skinned.pc2 has 5", "at most 5"],
    );
    refused(
        &cached("5\nstart = 1.0"),
        base,
        &["stack:2:9", "`start` applies to the animation of a skeleton"],
    );
    refused(
        &format!("{}\ndeformer = [{{ skinning = {{}} }}]", cached("5")),
        base,
        &["unknown field `deformer`"],
    );
    refused(
        &format!("{}[[deformer]]\nskinning = {{}}", cached("5")),
        base,
        &["stack:6:12", "has no skeleton"],
    );
    write_mesh(base.join("other.obj"), &Mesh::Tri(pliant_mesh::TriMesh::grid([3, 3], [1.0, 1.0]).unwrap()))
        .unwrap();
    let other = cached("5").replace("rest.obj", "other.obj");
    refused(&other, base, &["stack:4:8", "skinned.pc2 has 218 points, but the mesh has 9 vertices"]);

    // Another mesh in the middle of a sequence, and a number that is not a number.
    let text = std::fs::read_to_string(base.join("frames/skinned_0003.obj")).unwrap();
    std::fs::write(base.join("frames/skinned_0003.obj"), text.clone() + "v 0 0 0\n").unwrap();
    let sequence = "[input.sequence]\nfiles = \"frames/skinned_*.obj\"\n";
    let mut built = build(sequence, base);
    assert!(built.frame(2).is_ok());
    let error = built.frame(3).unwrap_err().to_string();
    assert!(
        error.starts_with("frame 3: ") && error.contains("its 219 vertices (instead of 218) differ"),
        "{error}"
    );
    std::fs::write(base.join("frames/skinned_0003.obj"), text.replacen("v ", "v nan ", 1)).unwrap();
    assert!(built.frame(3).unwrap_err().to_string().contains("skinned_0003.obj, line"));
    std::fs::remove_file(base.join("frames/skinned_0003.obj")).unwrap();
    refused(sequence, base, &["stack:2:9", "frame 3 is missing"]);
    refused(&format!("{sequence}rest = \"other.obj\"\n").replace("*", "0*"), base, &["stack:2:9"]);
}

#[test]
fn weights_come_from_files_places_and_joints() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let with = |weights: &str| {
        tube(&format!(
            "[[deformer]]\nskinning = {{}}\n[[deformer]]\nsmooth = {{ iterations = 9 }}\nweights = {weights}\n"
        ))
    };
    let moved = |weights: &str| -> Vec<bool> {
        let mut skinned = build(&tube("deformer = [{ skinning = {} }]"), base);
        let mut built = build(&with(weights), base);
        let last = built.frames - 1;
        let (a, b) = (skinned.frame(last).unwrap().0, built.frame(last).unwrap().0);
        a.iter().zip(&b).map(|(a, b)| a != b).collect()
    };
    let rest = build(&tube(""), base).mesh;
    let heights: Vec<f64> = rest.positions().iter().map(|p| p.y).collect();
    let upper = |above: f64| heights.iter().map(|&y| y > above).collect::<Vec<_>>();

    let file: String = heights.iter().map(|&y| if y > 0.2 { "1.0, " } else { "0 \n" }).collect();
    std::fs::write(base.join("w.txt"), format!("# made by hand\n{file}")).unwrap();
    assert_eq!(moved("{ file = \"w.txt\" }"), upper(0.2));
    // Vertices hang on the tip from 0.1 below it on, by a smooth step.
    assert_eq!(moved("{ joints = [\"tip\"] }"), upper(-0.1));
    assert_eq!(moved("{ joints = [\"root\"], invert = true }"), upper(-0.1));
    assert_eq!(moved("{ ramp = { from = [0, 0.2, 0], to = [0, 0.4, 0] } }"), upper(0.2));
    let near = moved("{ near = { centre = [0, 0.5, 0], inner = 0.1, outer = 0.2 }, shape = \"linear\" }");
    for (v, p) in rest.positions().iter().enumerate() {
        assert_eq!(near[v], (p - Vector3::y() * 0.5).norm() < 0.2);
    }
    // Along the surface it is farther from the middle of the cap than in a straight line.
    let along =
        moved("{ along = { from = { sphere = { centre = [0, 0.5, 0], radius = 0.01 } }, outer = 0.2 } }");
    assert!(along.iter().zip(&near).all(|(along, near)| !along || *near) && along.iter().any(|&a| a));

    for (weights, parts) in [
        ("{ file = \"missing.txt\" }", &["stack:14:20", "cannot read the weights missing.txt"][..]),
        ("{ joints = [\"tipp\"] }", &["stack:14:23", "there is no joint \"tipp\"", "did you mean \"tip\"?"]),
        ("{ joints = [] }", &["stack:14:22", "no joint is named"]),
        ("{ attribute = \"_W\" }", &["stack:14:25", "attributes are those of a glTF character"]),
        ("{ }", &["stack:14:11", "where the weights come from is not given", "`joints`"]),
        ("{ joints = [\"tip\"], file = \"w.txt\" }", &["given twice, by `file` and `joints`"]),
        ("{ joints = [\"tip\"], shape = \"linear\" }", &["`shape` applies to `near`, `along` and `ramp`"]),
        (
            "{ near = { centre = [0, 0, 0], outer = 0 } }",
            &["the outer distance is 0.0; expected a positive number, m"],
        ),
        ("{ near = { centre = [0, 0, 0], inner = 2, outer = 1 } }", &["is beyond the outer"]),
        ("{ ramp = { from = [0, 1, 0], to = [0, 1, 0] } }", &["the ramp has no length"]),
        ("{ along = { from = { vertices = [999] }, outer = 1 } }", &["vertex 999", "218 vertices"]),
    ] {
        refused(&with(weights), base, parts);
    }
    std::fs::write(base.join("w.txt"), "0 1 0.5\n0 2\n").unwrap();
    refused(
        &with("{ file = \"w.txt\" }"),
        base,
        &["line 2 of w.txt has \"2\"; expected numbers from 0 to 1"],
    );
    std::fs::write(base.join("w.txt"), "0 1 0.5\n").unwrap();
    refused(&with("{ file = \"w.txt\" }"), base, &["w.txt has 3 weights, but the mesh has 218 vertices"]);
}

#[test]
fn colliders_stay_follow_joints_and_caches() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    // A ball inside the tip, larger than the tube, that moves with it; and one that stays where the tip was.
    let with = |more: &str| {
        tube(&format!(
            "[[deformer]]\nskinning = {{}}\n[[deformer]]\n[deformer.collide]\nreach = 0.2\n[[deformer.collide.collider]]\n\
             mesh = {{ icosphere = {{ radius = 0.15, frequency = 6 }} }}\ntranslate = [0, 0.4, 0]\n{more}\n"
        ))
    };
    let outside = |built: &mut BuiltStack, frame: u32, centre: Vector3<f64>| {
        let (x, report) = built.frame(frame).unwrap();
        assert_eq!(report[1].name, "collide");
        x.iter().map(|x| (x - centre).norm()).fold(f64::INFINITY, f64::min)
    };
    let tip = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vector3::new(-sin, cos, 0.0) * 0.4
    };
    let mut bare = build(&tube("deformer = [{ skinning = {} }]"), base);
    let (x, _) = bare.frame(4).unwrap();
    assert!(x.iter().any(|x| (x - tip(100.0)).norm() < 0.12));
    let mut carried = build(&with("joint = \"tip\""), base);
    for (frame, degrees) in [(0, 0.0), (4, 100.0)] {
        let least = outside(&mut carried, frame, tip(degrees));
        assert!(least > 0.14, "{frame}: {least}");
    }
    let mut stays = build(&with(""), base);
    assert!(outside(&mut stays, 0, tip(0.0)) > 0.14 && outside(&mut stays, 4, tip(100.0)) < 0.12);

    // The same by a cache of the collider before it is placed: it goes from 0 to the tip.
    let ball = pliant_mesh::TriMesh::icosphere(0.15, 6).unwrap();
    let write = |frames: u32| {
        let mut writer = Box::new(
            Pc2Writer::create(base.join("ball.pc2"), ball.positions().len(), Pc2Options::default()).unwrap(),
        );
        for frame in 0..frames {
            let moved: Vec<_> =
                ball.positions().iter().map(|p| p + tip(25.0 * f64::from(frame)) - tip(0.0)).collect();
            writer.write_frame(&Frame::new(f64::from(frame), &moved)).unwrap();
        }
        writer.finish().unwrap();
    };
    write(5);
    let mut cached = build(&with("cache = \"ball.pc2\""), base);
    assert!(outside(&mut cached, 4, tip(100.0)) > 0.14);
    let shorter = "has 3 frames, but the stack has 5";
    write(3);
    refused(&with("cache = \"ball.pc2\""), base, &["stack:18:9", shorter]);
    refused(&with("joint = \"hand\""), base, &["stack:18:9", "there is no joint \"hand\""]);
    refused(&with("joint = \"tip\"\ncache = \"ball.pc2\""), base, &["both `joint` and `cache`"]);
    refused(&with("pusher = true\ncandidates = { vertices = [] }"), base, &["its list of vertices is empty"]);
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let base = Path::new("");
    let deformer = |text: &str| tube(&format!("[[deformer]]\n{text}\n"));
    refused("frames = 3\n", base, &["missing field `input`"]);
    refused(
        "input = {}\n",
        base,
        &["stack:1:9", "what is deformed is not given", "`character`, `chain`, `cache`, `sequence`"],
    );
    refused(
        &tube("").replace("blend = 0.2", "blend = -1"),
        base,
        &["stack:5:9", "the length of the blend is -1.0"],
    );
    refused(
        &tube("").replace("[0, 0, 0], key", "[0, -0.5, 0], key"),
        base,
        &["joint[1].at", "the bone between them has no length"],
    );
    refused(&tube("").replace("\"tip\"", "\"root\""), base, &["joint[1].name", "has the name of joint 1"]);
    refused(&tube("").replace("time = 0.4", "time = nan"), base, &["key[1].time", "the time is NaN"]);
    refused(&tube("").replace("time = 0.4", "time = 0.0"), base, &["does not follow that at 0 s"]);
    refused(&tube("").replace("degrees = 100", "degrees = inf"), base, &["the angle is inf"]);
    refused(
        &tube("").replace("degrees = 100", "degrees = 200"),
        base,
        &["by 200 degrees, more than half a turn"],
    );
    refused(
        &tube("").replace("axis = [0, 0, 1]", "axis = [0, 0, 0]"),
        base,
        &["the axis is [0.0, 0.0, 0.0]"],
    );
    refused(&tube("").replace("radius = 0.1", "radius = -1"), base, &["cylinder"]);
    let solid = tube("").replace(
        "cylinder = { radius = 0.1, height = 1.0, segments = 12, rings = 16, caps = \"capped\" }",
        "ball = { radius = 1, shells = 2 }",
    );
    refused(&solid, base, &["it is a solid of tetrahedra", "a surface of triangles"]);
    // Keys that only bodies of scenes may have.
    for (key, value) in [
        ("surface", "\"a.obj\""),
        ("tetrahedralize", "{}"),
        ("unreferenced", "\"remove\""),
        ("reorient", "true"),
        ("repair", "true"),
    ] {
        let tube = tube("");
        let (start, end) = (tube.find("{ cylinder").expect("a mesh"), tube.find("blend").expect("a chain"));
        let mesh = match key {
            "surface" => "{ ".to_owned(),
            _ => tube[start..end].trim_end().strip_suffix('}').expect("a table").to_owned() + ", ",
        };
        let text = format!("{}{mesh}{key} = {value} }}\n{}", &tube[..start], &tube[end..]);
        refused(&text, base, &[&format!("`{key}` applies to bodies of scenes"), "input.chain.mesh"]);
    }
    refused(&deformer("relax = { push = 2 }"), base, &["stack:11:18", "the push is 2.0"]);
    refused(&deformer("relax = { itterations = 2 }"), base, &["stack:11:11", "did you mean `iterations`?"]);
    refused(
        &deformer("relax = {}\nsmooth = {}"),
        base,
        &["what the deformer does is given twice, by `relax` and `smooth`"],
    );
    refused(&deformer("envelope = 0.5"), base, &["what the deformer does is not given"]);
    refused(&deformer("relax = {}\nenvelope = 1.5"), base, &["stack:12:12", "the envelope is 1.5"]);
    refused(
        &deformer("relax = { restore_smoothing = 3 }"),
        base,
        &["applies to `restore`, which is not given"],
    );
    refused(&deformer("relax = { neighbours = 1 }"), base, &["is 1; expected a whole number from 2 to 16"]);
    refused(
        &deformer("jiggle = { frequency = 0 }"),
        base,
        &["the frequency is 0.0; expected a positive number, rad/s"],
    );
    refused(&deformer("jiggle = { damping = 1, published = {} }"), base, &["`damping` applies to springs"]);
    refused(
        &deformer("jiggle = { vary = { weights = { joints = [\"tip\"] } } }"),
        base,
        &["`vary` changes nothing"],
    );
    refused(&deformer("collide = { reach = 0.1, collider = [] }"), base, &["nothing to collide with"]);
    refused(&deformer("skinning = {}\n[[deformer]]\nskinning = {}"), base, &["the mesh is skinned twice"]);
    refused(&tube("[output]\nformats = [\"pc2\", \"pc2\"]"), base, &["the format \"pc2\" is named twice"]);
    let long = "[output]\nformats = [\"vtu\", \"glb\"]\n";
    refused(
        &format!("frames = 1202\n{}", tube(long)),
        base,
        &["output.formats[1]", "at most 600 frames, and 1202"],
    );
    build(&format!("frames = 1202\n{}every = 3\n", tube(long)), base);
    let open = tube("[[deformer]]\nrelax = { volume = 1.0 }\n").replace("capped", "open");
    refused(&open, base, &["stack:11:9", "a volume can be preserved only inside a closed surface"]);

    for scale in ["0", "-1", "nan", "1e-310", "inf"] {
        let scaled = format!("[input]\nscale = {scale}\n[input.character]\nfile = \"missing.glb\"\n");
        refused(&scaled, base, &["stack:2:9: the scale is ", "expected a number from 1e-9 to 1e9"]);
    }
    let missing = "[input.character]\nfile = \"missing.glb\"\n";
    refused(
        missing,
        base,
        &["stack:2:8", "missing.glb", "relative paths start from the folder of the stack file"],
    );
    let error = StackFile::load("missing.toml").unwrap_err().to_string();
    assert_eq!(error, "cannot read the stack missing.toml: there is no such file");
    let error = StackFile::load("Cargo.lock").unwrap_err().to_string();
    assert!(error.starts_with("cannot read the stack Cargo.lock:"), "{error}");
}

/// The folder of the fox, a character of the reference data.
fn fox_folder() -> Option<PathBuf> {
    pliant_testkit::shared("meshes/real/Fox.glb").and_then(|path| path.parent().map(Path::to_owned))
}

#[test]
fn the_template_of_a_character_lowers_the_strain() {
    let Some(base) = fox_folder() else { return };
    let template = pliant_scene::stack_templates().iter().find(|t| t.name == "character").unwrap();
    let text =
        template.text().replace("scale = 1.0 ", "scale = 0.01").replace("character.glb\"", "Fox.glb\"");
    let mut built = build(&text, &base);
    let mut sums: Vec<[f64; 2]> = Vec::new();
    for frame in 0..built.frames {
        let (_, report) = built.frame(frame).unwrap();
        sums.resize(report.len(), [0.0; 2]);
        for (sum, by) in sums.iter_mut().zip(&report) {
            sum[0] += by.before.rms;
            sum[1] += by.after.rms;
        }
    }
    // Skinning makes the strain; nothing after it makes more, except for a change of the second digit by the
    // jiggle.
    assert!(sums.len() > 2);
    for [before, after] in &sums[1..] {
        assert!(*after < 1.01 * before, "{sums:?}");
    }
    assert!(sums[sums.len() - 1][1] < 0.6 * sums[0][1], "{sums:?}");
}

#[test]
fn a_character_goes_through_the_whole_stack() {
    let Some(base) = fox_folder() else { return };
    let fox = |more: &str| {
        format!(
            "frame_rate = 24\nframes = 8\n[input]\nscale = 0.01\n[input.character]\nfile = \"Fox.glb\"\n{more}"
        )
    };
    let stack = fox(
        "animation = \"Run\"\n[[deformer]]\nskinning = {}\n[[deformer]]\nrelax = {}\n[[deformer]]\nsmooth = { iterations = 1, strength = 0.5 }\n[[deformer]]\njiggle = {}\n",
    );
    let mut built = build(&stack, &base);
    assert!(built.notes.iter().any(|note| note.contains("its 1728 vertices are")), "{:?}", built.notes);
    let loose = built.mesh.positions().to_vec();
    for frame in 0..built.frames {
        let (x, report) = built.frame(frame).unwrap();
        assert!(report[1].after.rms < report[1].before.rms, "relaxation lowers the strain");
        // Copies of a point remain together.
        for a in 0..loose.len() {
            for b in a + 1..loose.len().min(a + 40) {
                assert!(loose[a] != loose[b] || (x[a] - x[b]).norm() < 1e-12, "{a} and {b} came apart");
            }
        }
    }
    refused(
        &fox("animation = \"Trot\"\n"),
        &base,
        &["stack:7:13", "no animation named \"Trot\"", "\"Survey\", \"Walk\", \"Run\""],
    );
    refused(&fox("animation = \"Rum\"\n"), &base, &["did you mean \"Run\"?"]);
    refused(&fox("animation = 3\n"), &base, &["there is no animation 3"]);
    refused(&fox("animation = -1\n"), &base, &["stack:7:13"]);
    refused(&fox("sums = \"maybe\"\n"), &base, &["unknown variant `maybe`"]);
    refused(
        &fox("[[deformer]]\nrelax = {}\nweights = { attribute = \"_SOFT\" }\n"),
        &base,
        &["there is no attribute \"_SOFT\""],
    );
}

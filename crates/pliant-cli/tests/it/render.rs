//! `pliant render`: pictures of meshes and runs, through the built program.

use std::fs::File;
use std::io::BufReader;

use crate::common::Bench;

use crate::common;

/// Width and height of a PNG, the number of its animation frames, and the pixels of its first frame.
fn png(bench: &Bench, name: &str) -> ((u32, u32), Option<u32>, Vec<u8>) {
    let decoder = png::Decoder::new(BufReader::new(File::open(bench.path(name)).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let info = reader.info();
    ((info.width, info.height), info.animation_control.map(|control| control.num_frames), pixels)
}

/// Width, height and hundredths of a second of each frame of a GIF.
fn gif(bench: &Bench, name: &str) -> ((u16, u16), Vec<u16>) {
    let mut decoder = gif::DecodeOptions::new().read_info(File::open(bench.path(name)).unwrap()).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    ((decoder.width(), decoder.height()), delays)
}

fn colours(pixels: &[u8]) -> usize {
    pixels.chunks(3).collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn a_run_becomes_a_picture_an_animation_and_a_sheet() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    let ran = bench.good(&["render", "out", "-o", "last.png", "--size", "160x120"]);
    assert!(ran.out.starts_with("last.png: 1 frame, "), "{}", ran.out);
    let (size, animated, last) = png(&bench, "last.png");
    assert_eq!((size, animated), ((160, 120), None));
    assert!(colours(&last) > 100, "something is drawn");

    bench.good(&["render", "out", "-o", "first.png", "--size", "160x120", "--frame", "0", "-q"]);
    assert_ne!(png(&bench, "first.png").2, last, "frames differ");
    bench.good(&["render", "out", "-o", "aside.png", "--size", "160x120", "--azimuth", "-60"]);
    assert_ne!(png(&bench, "aside.png").2, last, "the camera can stand elsewhere");
    bench.good(&["render", "out", "-o", "four.png", "--size", "160x120", "--frame", "4"]);
    assert_eq!(png(&bench, "four.png").2, last, "the last frame is the default");

    // 60 frames a second are more than viewers of GIF can show: every other of five.
    bench.good(&["render", "out", "-o", "some.gif", "--size", "80x60"]);
    let (size, delays) = gif(&bench, "some.gif");
    assert_eq!((size, delays.len(), delays.iter().sum::<u16>()), ((80, 60), 3, 10));
    bench.good(&["render", "out", "-o", "all.gif", "--size", "80x60", "--every", "1", "--fps", "10"]);
    assert_eq!(gif(&bench, "all.gif").1, [10; 5]);
    bench.good(&["render", "out", "-o", "all.apng", "--size", "80x60"]);
    assert_eq!(png(&bench, "all.apng").1, Some(5));
    bench.good(&["render", "out", "-o", "sheet.png", "--size", "80x60", "--sheet"]);
    let (size, animated, _) = png(&bench, "sheet.png");
    assert!(
        size.0 > 240 && size.1 > 120 && size.1 < 240 && animated.is_none(),
        "three columns, two rows: {size:?}"
    );
}

#[test]
fn fields_are_coloured_and_an_unknown_one_is_refused_with_those_there_are() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    let mut seen = Vec::new();
    for field in ["none", "body", "strain", "velocity"] {
        bench.good(&["render", "out", "-o", "it.png", "--size", "160x120", "--color-by", field, "-q"]);
        seen.push(png(&bench, "it.png").2);
    }
    for (index, picture) in seen.iter().enumerate() {
        assert!(!seen[..index].contains(picture), "each colouring is another picture");
    }
    std::fs::remove_file(bench.path("it.png")).unwrap();
    bench.refused(
        &["render", "out", "-o", "it.png", "--color-by", "heat"],
        &["out has no field heat: there are strain, velocity"],
    );
    assert!(!bench.exists("it.png"));
}

#[test]
fn a_run_is_drawn_from_whichever_format_it_has() {
    let bench = Bench::new();
    let scene = |name: &str, formats: &str| {
        let output = format!("\n[output]\nformats = [{formats}]\nevery = 2\n");
        bench.write(&format!("{name}.toml"), common::SCENE.replace("small", "it") + &output);
        bench.good(&["run", &format!("{name}.toml"), "-q", "-o", name, "--html", "it.html"]);
    };
    let picture = |name: &str, more: &[&str]| {
        bench.good(&[&["render", name, "-q", "-o", "it.png", "--size", "160x120"], more].concat());
        png(&bench, "it.png").2
    };
    for format in ["ply", "obj", "mdd", "pc2"] {
        scene(format, &format!("{format:?}"));
    }
    for format in ["obj", "mdd", "pc2"] {
        for more in [&[][..], &["--frame", "1"], &["--color-by", "strain"]] {
            // Their digits differ, and caches have the time, which is shown at the bottom.
            let differ = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 3;
            let (one, other) = (picture(format, more), picture("ply", more));
            let count = one[..100 * 160 * 3].iter().zip(&other).filter(|&pair| differ(pair)).count();
            assert!(count < 60 && colours(&one) > 100, "{format} {more:?}: {count} numbers differ");
        }
    }
    // As fast as it was simulated: 30 samples a second.
    for format in ["mdd", "pc2"] {
        bench.good(&["render", format, "-o", "it.gif", "--size", "80x60"]);
        let delays = gif(&bench, "it.gif").1;
        assert_eq!((delays.len(), delays.iter().sum::<u16>()), (3, 10), "{format}");
        // Without the report the names of the files are those of the bodies.
        let above = |pixels: Vec<u8>| pixels[..100 * 160 * 3].to_vec();
        let before = above(picture(format, &["--color-by", "none"]));
        std::fs::remove_file(bench.path(format).join("run.json")).unwrap();
        assert!(above(picture(format, &["--color-by", "none"])) == before, "{format}");
        bench.refused(&["render", format, "-o", "it.png", "--color-by", "velocity"], &["no field velocity"]);
    }
    // A mesh that does not belong to the cache.
    bench.write("pc2/pc2/sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    bench.refused(&["render", "pc2", "-o", "it.png"], &["sheet.pc2 has positions of 36 vertices", "has 3"]);
    bench.write("glb.toml", common::SCENE.to_owned() + "[output]\nformats = [\"glb\"]\n");
    bench.good(&["run", "glb.toml", "-q", "-o", "glb"]);
    bench.refused(&["render", "glb", "-o", "it.png"], &["Files in glb/ can be written but not read back"]);
}

#[test]
fn a_mesh_file_is_drawn() {
    let bench = Bench::new();
    bench.write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    bench.good(&["render", "square.obj", "-o", "new/square.PNG", "--size", "90x70"]);
    let (size, _, pixels) = png(&bench, "new/square.PNG");
    assert_eq!(size, (90, 70));
    assert!(colours(&pixels) > 10);
    bench.refused(
        &["render", "square.obj", "-o", "it.png", "--color-by", "strain"],
        &["square.obj has no field strain: there are none"],
    );
    bench.refused(&["render", "square.obj", "-o", "it.gif"], &["square.obj is one mesh, without frames"]);
    bench.refused(&["render", "missing.obj", "-o", "it.png"], &["cannot read missing.obj"]);
    assert!(!bench.exists("it.png") && !bench.exists("it.gif"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out", "--frames", "1"]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    let refused = |args: &[&str], part: &str| {
        bench.refused(&[&["render"], args].concat(), &[part]);
    };
    for part in ["empty holds no frames", "vtu/BODY/BODY_0000.vtu", "pc2/BODY.pc2 with pc2/BODY.obj"] {
        refused(&["empty", "-o", "it.png"], part);
    }
    refused(&["out", "-o", "it.svg"], "it.svg: the extension decides what is drawn");
    refused(&["out", "-o", "it"], "the extension decides what is drawn");
    refused(&["out", "-o", "empty"], "empty is a directory");
    refused(&["out", "-o", "it.png", "--frame", "7"], "there is no frame 7 in out: its frames are 0 to 1");
    refused(&["out", "-o", "it.gif", "--frame", "1"], "--frame is for a single picture");
    refused(&["out", "-o", "it.gif", "--sheet"], "a contact sheet is a .png");
    refused(&["out", "-o", "it.png", "--every", "2"], "--every is for");
    refused(&["out", "-o", "it.png", "--fps", "2"], "--fps is for");
    refused(&["out", "-o", "it.png", "--size", "0x7"], "0 × 7 pixels cannot be drawn");
    refused(&["out", "-o", "it.png", "--size", "big"], "give width and height in pixels, such as 640x480");
    refused(
        &["out", "-o", "it.png", "--elevation", "-95"],
        "the value is -95.0, expected a number from -89 to 89, degrees",
    );
    refused(&["out", "-o", "it.gif", "--fps", "0"], "frames per second, 0.02 to 1000");
    assert_eq!(bench.files("empty"), [""; 0]);
    assert!(bench.files(".").iter().all(|file| !file.starts_with("it")));
}

#[test]
fn a_run_that_was_broken_off_shows_the_frames_it_has() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    std::fs::remove_file(bench.path("out/run.json")).unwrap();
    std::fs::remove_file(bench.path("out/vtu/sheet/sheet_0004.vtu")).unwrap();
    bench.good(&["render", "out", "-o", "all.gif", "--size", "40x30", "--every", "1"]);
    assert_eq!(gif(&bench, "all.gif").1.len(), 4);
}

#[test]
fn residuals_and_errors_of_volume_are_coloured_where_a_run_writes_them() {
    let bench = Bench::new();
    let fields = "\n[output]\nfields = [\"volume_error\", \"residual\"]\n";
    bench.write("told.toml", format!("{}{fields}", common::SCENE));
    bench.good(&["run", "told.toml", "-q", "-o", "out"]);
    // A group without constraints on the body is not among its data.
    let names = |file: &str| -> Vec<String> {
        let info = bench.good(&["mesh", "info", file, "--json"]);
        let info: serde_json::Value = serde_json::from_str(&info.out).unwrap();
        let named = info["attributes"].as_array().unwrap();
        named.iter().map(|field| field["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("out/vtu/sheet/sheet_0004.vtu"), ["residual.edges", "residual.bending"]);
    for file in ["out/vtu/ball/ball_0004.vtu", "out/tetrahedra/ball/ball_0004.vtu"] {
        assert_eq!(names(file), ["volume_error", "residual.edges", "residual.volumes"]);
    }
    let mut seen = Vec::new();
    for field in ["none", "strain", "volume_error", "residual.edges", "residual.bending"] {
        bench.good(&["render", "out", "-o", "it.png", "--size", "160x120", "--color-by", field, "-q"]);
        seen.push(png(&bench, "it.png").2);
    }
    for (index, picture) in seen.iter().enumerate() {
        assert!(!seen[..index].contains(picture), "each colouring is another picture");
    }
    bench.good(&["run", "small.toml", "-q", "-o", "plain"]);
    let refused = ["residual.edges", "A run writes it if its scene has fields = [\"residual\"]"];
    bench.refused(&["render", "plain", "-o", "it.png", "--color-by", refused[0]], &refused);
}

#[test]
fn a_scene_cannot_have_pictures_coloured_by_what_it_does_not_write() {
    let bench = Bench::new();
    let scene = |fields: &str, color_by: &str| {
        format!(
            "{}\n[output]\nfields = [{fields}]\n\n[output.pictures]\nsheet = false\ncolor_by = \"{color_by}\"\n",
            common::SCENE
        )
    };
    bench.write("a.toml", scene("\"velocity\"", "residual.edges"));
    bench.refused(&["check", "a.toml"], &["a.toml:", "no field \"residual.edges\"", "`strain`, `velocity`"]);
    bench.write("b.toml", scene("\"residual\"", "residual.edge"));
    bench.refused(&["run", "b.toml", "-o", "out"], &["residual.edge:", "residual.edges, residual.bending"]);
    assert!(!bench.exists("out"), "nothing was begun");
    bench.write("c.toml", scene("\"residual\"", "residual.edges"));
    bench.good(&["run", "c.toml", "-q", "-o", "out"]);
    assert!(bench.exists("out/animation.gif"));
}

#[test]
fn what_a_run_has_numbers_of_is_plotted() {
    let bench = Bench::new();
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    let ran = bench.good(&["render", "out", "--plot", "residual", "-o", "residual.svg"]);
    assert!(ran.out.starts_with("residual.svg: residual over time, "), "{}", ran.out);
    let svg = bench.read("residual.svg");
    for word in ["Largest residual", "edges (m)", "bending (rad)", "volumes (m³)", "time (s)"] {
        assert!(svg.contains(word), "{word}");
    }
    bench.good(&["render", "out", "--plot", "energy", "-o", "energy.png", "--size", "320x200", "-q"]);
    let (size, _, pixels) = png(&bench, "energy.png");
    assert!(size == (320, 200) && colours(&pixels) > 50);

    let refused = |args: &[&str], parts: &[&str]| drop(bench.refused(&[&["render"], args].concat(), parts));
    refused(&["out", "--plot", "energy", "-o", "a.gif"], &["a.gif", ".svg or .png"]);
    refused(&["out", "-o", "a.svg"], &["a.svg", "with --plot"]);
    refused(&["out/pc2/sheet.obj", "--plot", "energy", "-o", "a.svg"], &["run.json", "finished run"]);
    bench.write("cloth.toml", common::SCENE.split("[[body]]\nname = \"ball\"").next().unwrap());
    bench.good(&["run", "cloth.toml", "-q", "-o", "cloth"]);
    refused(&["cloth", "--plot", "volume", "-o", "a.svg"], &["nothing to plot for volume"]);
    assert_eq!(bench.pliant(&["render", "out", "--plot", "energy", "--frame", "3", "-o", "a.svg"]).status, 2);
}

#[test]
fn planes_and_containers_are_drawn_around_the_bodies_and_do_not_move_the_camera() {
    let bench = Bench::new();
    let plane = "[[obstacle]]\nplane = { point = [0, 0, -0.6], normal = [0, 0.3, 1] }\n";
    let others = [
        ("none", String::new()),
        ("slope", plane.to_owned()),
        ("moving", format!("{plane}motion = {{ velocity = [0, 0, 1] }}\n")),
        ("hall", "[[obstacle]]\ncontainer = { min = [-40, 0, -1], max = [40, 40, 40] }\n".to_owned()),
    ];
    let seen = others.map(|(name, obstacle)| {
        bench.write(&format!("{name}.toml"), format!("{}{obstacle}", common::SCENE));
        bench.good(&["run", &format!("{name}.toml"), "-q", "-o", name, "--html", "it.html"]);
        let ran = bench.good(&["render", name, "-o", "it.png", "--size", "160x120", "--frame", "4"]);
        assert!(!ran.err.contains("not drawn"), "{}", ran.err);
        bench.good(&["render", name, "-q", "-o", "it.gif", "--size", "80x60"]);
        let picture = png(&bench, "it.png").2;
        let bodies = picture.chunks(3).filter(|p| p[0].abs_diff(p[2]) > 60).count();
        (picture, bodies, bench.read("it.html"), std::fs::read(bench.path("it.gif")).unwrap())
    });
    let [none, with @ ..] = &seen;
    for (k, (picture, bodies, page, gif)) in with.iter().enumerate() {
        let changed =
            picture.chunks(3).zip(none.0.chunks(3)).filter(|(a, b)| a[0].abs_diff(b[0]) > 8).count();
        assert!(changed > 500, "{k}: {changed} pixels show it");
        assert!(bodies.abs_diff(none.1) < none.1 / 20, "{k}: {bodies} pixels of bodies, not {}", none.1);
        assert_ne!(gif, &none.3);
        assert!(page.contains(if k == 2 { r#""opacity":[0.5,0.125]"# } else { r#""opacity":[1.0,0.25]"# }));
        let camera = |page: &str| {
            let (_, rest) = page.split_once("\"centre\"").unwrap();
            rest.split_once("\"fields\"").unwrap().0.to_owned()
        };
        assert_eq!(camera(page), camera(&none.2), "the page's camera");
    }
}

#[test]
fn obstacles_that_move_are_seen_to_and_the_camera_stands_where_the_scene_says() {
    let bench = Bench::new();
    let ball = "[[obstacle]]\nsphere = { centre = [-0.4, 0.5, 0], radius = 0.2 }\n";
    let moving = format!("{}{ball}motion = {{ velocity = [0, 9, 0] }}\n", common::SCENE);
    let placed =
        format!("{moving}\n[output.camera]\neye = [0, 1, 2]\ntarget = [0.3, 0.8, 0]\nfield_of_view = 50\n");
    let mut seen = Vec::new();
    for (name, scene) in [("none", common::SCENE.to_owned()), ("moving", moving), ("placed", placed.clone())]
    {
        bench.write(&format!("{name}.toml"), &scene);
        let ran = bench.good(&["run", &format!("{name}.toml"), "-q", "-o", name, "--html", "it.html"]);
        assert!(!ran.err.contains("not drawn"), "{}", ran.err);
        bench.good(&["render", name, "-o", "it.png", "--size", "160x120", "--frame", "4"]);
        // The obstacle is grey: stone, or its shadow on the white ground.
        let picture = png(&bench, "it.png").2;
        let stone = picture.chunks(3).filter(|p| p[0].abs_diff(p[2]) < 12 && p[0] < 190).count();
        seen.push((picture, stone, bench.read("it.html")));
    }
    assert!(seen[1].1 > seen[0].1 + 200, "{} and {} grey pixels", seen[0].1, seen[1].1);
    assert_ne!(seen[1].0, seen[2].0, "another place");
    let page = &seen[2].2;
    assert!(page.contains(r#""eye":[0.0,1.0,2.0],"target":[0.3,0.8,0.0],"field_of_view":50.0"#));
    bench.good(&["render", "placed", "-o", "aside.png", "--size", "160x120", "--azimuth", "38"]);
    assert_ne!(png(&bench, "aside.png").2, seen[2].0, "the command line goes before the scene");

    for (wrong, said) in [
        ("eye = [0, 1, 2]\n", "but no `eye`"),
        ("field_of_view = 50\n", "placed"),
        ("target = [0.3, 0.8, 0]\n", "placed"),
    ] {
        let scene = placed.replace(wrong, "");
        bench.write("wrong.toml", &scene);
        if said == "placed" {
            bench.good(&["check", "wrong.toml"]);
        } else {
            bench.refused(&["check", "wrong.toml"], &[said, "target"]);
        }
    }
    bench.write("wrong.toml", placed.replace("[0.3, 0.8, 0]", "[0, 1, 2]"));
    bench.refused(&["check", "wrong.toml"], &["the `target` of the camera is its `eye`"]);
    bench.write("wrong.toml", placed.replace("= 50", "= 180"));
    bench.refused(&["check", "wrong.toml"], &["field_of_view", "1 to 150"]);
}

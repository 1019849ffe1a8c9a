//! Bad input: every case gives a clear paragraph and status 2, does not panic, and leaves nothing that looks
//! complete.

use crate::common::{Bench, SCENE};

/// A scene around a mesh file; with it, `out` must not appear.
fn scene_of(mesh: &str) -> String {
    format!("frames = 2\n[[body]]\nname = \"it\"\nmesh = {mesh:?}\nedges = {{ compliance = 1e-6 }}\n")
}

fn refuses_mesh(bench: &Bench, mesh: &str, parts: &[&str]) {
    bench.write("mesh.toml", scene_of(mesh));
    for command in [&["run", "mesh.toml", "-o", "out"][..], &["check", "mesh.toml"]] {
        // The place in the scene, then what is wrong with the mesh.
        let parts: Vec<&str> = [&["mesh.toml:4:8: "], parts].concat();
        bench.refused(command, &parts);
    }
    bench.refused(&["mesh", "info", mesh], &parts[..1]);
    assert!(!bench.exists("out"), "nothing is written for {mesh}");
}

#[test]
fn a_missing_scene_or_mesh() {
    let bench = Bench::new();
    bench.refused(&["run", "missing.toml"], &["cannot read the scene missing.toml: there is no such file"]);
    bench.refused(&["check", "missing.toml"], &["there is no such file"]);
    refuses_mesh(&bench, "missing.obj", &["missing.obj"]);
    assert!(!bench.exists("runs"));
}

#[test]
fn a_directory_given_as_file() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).unwrap();
    bench.refused(&["run", "folder"], &["folder", "is a directory"]);
    refuses_mesh(&bench, "folder", &["is a directory"]);
}

#[test]
fn a_wrong_extension() {
    let bench = Bench::new();
    bench.write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    bench.write("mesh.xyz", "hello\n");
    bench.refused(&["run", "mesh.obj"], &["does not end in .toml", "pliant new own-mesh"]);
    refuses_mesh(&bench, "mesh.xyz", &["OBJ, PLY, STL"]);
}

#[test]
fn damaged_meshes() {
    let bench = Bench::new();
    let msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
    bench.write("good.msh", msh);
    bench.write("truncated.msh", &msh[..msh.len() / 2]);
    bench.write("index.msh", msh.replace("1 2 3 4\n$End", "1 2 3 9\n$End"));
    bench.write("nan.msh", msh.replace("3 0 1 0", "3 0 nan 0"));
    bench.write("mutated.msh", msh.replace("1 4 2 0 1", "1 4 x 0 1"));
    bench.write("inverted.msh", msh.replace("1 2 3 4\n$End", "2 1 3 4\n$End"));
    bench.write("flat.msh", msh.replace("4 0 0 1", "4 1 1 0"));
    bench.write("empty.obj", "");
    bench.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    bench.write("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    bench.write("good.toml", scene_of("good.msh"));
    bench.good(&["check", "good.toml"]);
    refuses_mesh(&bench, "truncated.msh", &["truncated.msh"]);
    refuses_mesh(&bench, "index.msh", &["index.msh", "line 13", "numbered from 1 to 4"]);
    refuses_mesh(&bench, "nan.msh", &["nan.msh"]);
    refuses_mesh(&bench, "mutated.msh", &["mutated.msh"]);
    refuses_mesh(&bench, "empty.obj", &["empty.obj"]);
    refuses_mesh(&bench, "index.obj", &["index.obj", "line 4", "vertex 4"]);
    refuses_mesh(&bench, "nan.obj", &["nan.obj"]);
}

#[test]
fn inverted_and_flat_tetrahedra() {
    let bench = Bench::new();
    let mesh = |last: &str, tets: &str| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 {last}\n$EndNodes\n$Elements\n2\n{tets}\n$EndElements\n"
        )
    };
    bench.write("inverted.msh", mesh("1 1 1", "1 4 2 0 1 1 2 3 4\n2 4 2 0 1 3 2 4 5"));
    bench.write("flat.msh", mesh("1 1 0", "1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 2 3 5"));
    for (file, repair) in [("inverted.msh", "reorient = true"), ("flat.msh", "flat ones must be removed")] {
        bench.write("mesh.toml", scene_of(file));
        let parts = [
            "mesh.toml:4:8: ",
            "1 of 2 tetrahedra are inverted or flat",
            "the first is tetrahedron 1 ",
            repair,
        ];
        bench.refused(&["run", "mesh.toml", "-o", "out"], &parts);
        bench.refused(&["check", "mesh.toml"], &parts);
        assert!(!bench.exists("out"));
        let info = bench.good(&["mesh", "info", file]).out;
        assert!(info.contains("defect      1 tetrahedron is inverted or flat, number 1"), "{info}");
    }
    bench.write(
        "mesh.toml",
        scene_of("inverted.msh").replace("\"inverted.msh\"", "{ file = \"inverted.msh\", reorient = true }"),
    );
    let check = bench.good(&["check", "mesh.toml"]).out;
    assert!(check.contains("turned round: 1 tetrahedron inside out, the first is 1"), "{check}");
}

#[test]
fn scenes_that_make_no_sense() {
    let bench = Bench::new();
    let cases = [
        ("frames = 4", "framse = 4", "2:1: unknown field `framse`", "did you mean `frames`"),
        (
            "compliance = 1e-6",
            "compliance = -1e-6",
            "12:24: the compliance is -1e-6",
            "0 (rigid) or a positive number, m/N",
        ),
        (
            "vertices = [0, 5]",
            "box = { min = [7, 7, 7], max = [8, 8, 8] }",
            "16:7: the pin selects none of the 36 vertices",
            "reaches from [-0.25, 1, -0.25]",
        ),
        (
            "vertices = [0, 5]",
            "vertices = [0, 36]",
            "16:16: the pin holds vertex 36",
            "a number from 0 to 35",
        ),
        (
            "edges = { compliance = 1e-5 }",
            "",
            "18:1: the body has no constraints",
            "`edges = { compliance = 1e-6 }`",
        ),
        ("frames = 4", "frames = 4 4", "2:10: invalid TOML value", "a number, a text in quotes"),
    ];
    for (piece, by, place, expected) in cases {
        assert_eq!(SCENE.matches(piece).count(), 1, "{piece}");
        bench.write("wrong.toml", SCENE.replace(piece, by));
        let place = format!("error: wrong.toml:{place}");
        for command in [&["run", "wrong.toml", "-o", "out"][..], &["check", "wrong.toml"]] {
            bench.refused(command, &[&place, expected]);
        }
    }
    assert!(!bench.exists("out"));
}

#[test]
fn the_offending_line_is_shown() {
    let bench = Bench::new();
    bench.write("wrong.toml", SCENE.replace("compliance = 1e-6", "compliance = -1e-6"));
    let ran = bench.pliant(&["check", "wrong.toml"]);
    let picture = ran.err.split_once("\n\n").unwrap().1;
    assert!(
        picture.contains("wrong.toml:12:24") && picture.contains("edges = { compliance = -1e-6 }"),
        "{picture}"
    );
    assert!(picture.contains("expected 0 (rigid)") && !picture.contains('\x1b'), "{picture}");
}

#[test]
fn folders_that_cannot_be_had() {
    let bench = Bench::new();
    bench.write("file", "mine");
    bench.refused(&["run", "small.toml", "-o", ""], &["a value is required"]);
    bench.refused(&["run", "small.toml", "-o", "file"], &["file is not a directory"]);
    bench.refused(&["run", "small.toml", "-o", "file/inner"], &["cannot write to file/inner"]);
    bench.refused(&["run", "small.toml", "-o", "file/inner", "--force"], &["cannot write to file/inner"]);
    bench.write("mine/vtu/precious.vtu", "mine");
    bench.refused(
        &["run", "small.toml", "-o", "mine"],
        &["mine holds vtu/precious.vtu, which is not part of a run"],
    );
    bench.write("foreign/run.json", "{\"trains\": 3}");
    bench.refused(
        &["run", "small.toml", "-o", "foreign", "--force"],
        &["does not list the files that its run wrote"],
    );
    assert_eq!(bench.read("file"), "mine");
    assert_eq!(bench.files("mine"), ["vtu/precious.vtu"]);
    bench.write("runs", "mine");
    bench.refused(&["run", "small.toml"], &["cannot write to runs"]);
}

#[test]
fn reports_that_cannot_be_written() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("folder")).unwrap();
    bench.refused(&["run", "small.toml", "--report", "folder"], &["folder is a directory"]);
    bench.refused(
        &["run", "small.toml", "--report", "missing/report.json"],
        &["cannot write to missing/report.json: there is no such folder; choose another place"],
    );
    assert!(!bench.exists("runs"));
    assert!(bench.files("folder").is_empty());
}

#[test]
fn arguments_that_make_no_sense() {
    let bench = Bench::new();
    for args in [
        &["run", "small.toml", "--frames", "0"][..],
        &["run", "small.toml", "--frames", "many"],
        &["run", "small.toml", "--threads", "0"],
        &["run", "small.toml", "--plan", "random"],
        &["run", "small.toml", "--precision", "f16"],
        &["run", "small.toml", "extra"],
        &["run", "--unknown"],
        &["fly"],
        &["mesh", "info"],
        &["check"],
        &["new", "nothing"],
        &["new", "-o", "file.toml"],
    ] {
        bench.refused(args, &[]);
    }
    bench.refused(&["run", "small.toml", "--frames", "-3"], &["invalid value '-3' for '--frames <N>'"]);
    assert!(!bench.exists("runs"));
}

#[test]
fn what_was_probably_meant_is_told() {
    let bench = Bench::new();
    bench.refused(&["new", "clooth"], &["no example named \"clooth\"", "(did you mean `cloth`?)"]);
    bench.refused(
        &["run", "small.toml", "-o", "out", "--require", "residual.edgs<=1e-5"],
        &["`residual.edgs` is not among", "(did you mean `residual.edges`?)"],
    );
    bench.good(&["run", "small.toml", "-q", "-o", "out"]);
    bench.refused(
        &["render", "out", "-o", "a.png", "--color-by", "stran"],
        &["no field stran", "(did you mean `strain`?)"],
    );
    // A file of another kind.
    bench.good(&["new", "elbow"]);
    bench.refused(&["run", "elbow.toml"], &["is a stack of deformers", "`pliant deform elbow.toml`"]);
    bench.refused(&["deform", "small.toml"], &["is a scene", "`pliant run small.toml`"]);
    bench.refused(&["mesh", "info", "small.toml"], &["small.toml is not a mesh", "take scenes"]);
    bench.refused(&["certify", "small.toml"], &["there is no such folder"]);
}

#[test]
fn a_long_list_is_told_once() {
    let bench = Bench::new();
    bench.write("field.toml", SCENE.replace("rest_on", "rest_om"));
    bench.refused(&["check", "field.toml"], &["unknown field `rest_om`", "`area_density`"]);
    let told = bench.pliant(&["check", "field.toml"]).err;
    assert_eq!(told.matches("`area_density`").count(), 1, "{told}");
    assert_eq!(told.matches("did you mean `rest_on`?").count(), 2, "{told}");
}

#[test]
fn a_simulation_that_breaks_down() {
    let bench = Bench::new();
    // Numbers that are valid by themselves and overflow together.
    bench.write(
        "wild.toml",
        SCENE.replace("frame_rate = 60", "frame_rate = 1e-19").replace("frames = 4", "frames = 50"),
    );
    let args = ["run", "wild.toml", "-o", "out", "--report", "report.json"];
    bench.ends_with_status(1, &args, &["frame 1"]);
    assert!(
        bench.exists("out/run.unfinished") && !bench.exists("out/run.json") && !bench.exists("report.json")
    );
    assert!(bench.files("out").iter().all(|file| !file.ends_with(".pc2")));
}

#[cfg(unix)]
#[test]
fn a_file_takes_no_place_of_a_device_or_the_scene_and_follows_links() {
    let bench = Bench::new();
    bench.write("scene.toml", SCENE);
    let pipe = bench.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    bench.refused(&["run", "scene.toml", "--report", "pipe"], &["--report", "a device or a pipe"]);
    bench.refused(&["run", "scene.toml", "--html", "scene.toml"], &["scene.toml is the scene"]);
    bench.refused(&["run", "scene.toml", "--stop-after", "0"], &["--stop-after"]);
    assert_eq!(std::fs::read_to_string(bench.path("scene.toml")).unwrap(), SCENE);
    assert!(std::fs::symlink_metadata(&pipe).is_ok_and(|there| !there.is_file()));

    bench.write("report.json", "before");
    std::os::unix::fs::symlink(bench.path("report.json"), bench.path("link")).unwrap();
    bench.good(&["run", "scene.toml", "-o", "out", "--report", "link"]);
    assert!(bench.path("link").is_symlink());
    assert!(std::fs::read_to_string(bench.path("report.json")).unwrap().starts_with('{'));
}

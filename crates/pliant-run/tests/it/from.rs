//! Scenes that start where a run ended: many motions from one fitting.

use std::path::Path;

use pliant_run::{Intent, Options, Run, RunFolder};
use pliant_scene::{EndState, Scene};

/// Two panels that are sewn together without weight; then the pinned corner moves as the scene says.
fn scene(head: &str, motion: &str) -> String {
    let panel = |name: &str, x: f64, more: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ grid = {{ vertices = [7, 7], size = [0.3, 0.3] }} }}\ntranslate = [{x}, 0, 0]\n\
             edges = {{ compliance = 1e-5 }}\ncollide = true\n{more}"
        )
    };
    let left = panel("left", 0.0, &format!("pin = [{{ vertices = [0]{motion} }}]\n"));
    let right = panel("right", 0.33, "");
    format!(
        "{head}\n{left}{right}[[seam]]\nname = \"side\"\nbodies = [\"left\", \"right\"]\nclose_time = 0.05\n\
         borders = [\n  {{ half_space = {{ point = [1, 0, 0], normal = [1, 0, 0] }}, relative = true }},\n  \
         {{ half_space = {{ point = [0, 0, 0], normal = [-1, 0, 0] }}, relative = true }},\n]\n"
    )
}

/// The run of a scene in a folder; the hash at its end.
fn run(text: &str, folder: &Path) -> String {
    let scene = Scene::parse_named("cloth", text, folder.parent().unwrap()).unwrap();
    let run_folder = RunFolder::choose(Some(folder), scene.name(), Intent::Begin).unwrap();
    let built = scene.build::<f32>().unwrap_or_else(|error| panic!("{error}"));
    let mut run = Run::open(&scene, built, &run_folder, &Options::default()).unwrap();
    while run.step().unwrap().is_some() {}
    run.finish(&[]).unwrap().report.summary.state_hash
}

const SEW: &str = "frames = 10\n[solver]\nsubsteps = 8\ngravity = [0, 0, 0]\ndrag = 5\n";

#[test]
fn two_motions_start_from_one_fitting_with_its_bits_and_its_seams() {
    let base = tempfile::tempdir().unwrap();
    let at = |name: &str| base.path().join(name);
    run(&scene(SEW, ""), &at("fitting"));
    let end = EndState::from_bytes(&std::fs::read(at("fitting").join(EndState::FILE)).unwrap()).unwrap();
    assert_eq!((end.frame, end.bodies.len()), (10, 2));
    assert_eq!(end.seams[0].closed, vec![true; 7], "it is sewn");

    let dance = |motion: &str| {
        scene(
            "from = \"fitting\"\nframes = 8\n[solver]\nsubsteps = 8\n",
            &format!(", motion = {{ velocity = {motion} }}"),
        )
    };
    let text = dance("[0, 0, 1]");
    let built = Scene::parse(&text, base.path()).unwrap().build::<f32>().unwrap();
    for (body, there) in built.bodies.iter().zip(&end.bodies) {
        let x = built.simulation.positions_of(body.particles.clone());
        let v = built.simulation.velocities_of(body.particles.clone());
        assert!(x.iter().zip(&there.positions).all(|(a, b)| <[f64; 3]>::from(*a) == *b), "to the last bit");
        assert!(v.iter().zip(&there.velocities).all(|(a, b)| <[f64; 3]>::from(*a) == *b));
        assert!(
            body.notes.iter().any(|note| note.contains("it starts as it was after frame 10")),
            "{:?}",
            body.notes
        );
    }
    assert_eq!(built.simulation.closed_pairs(), [("side".to_owned(), vec![true; 7])]);
    assert!(built.simulation.report().seams[0].max.value < 1e-3);

    let hashes: Vec<String> = (0..3)
        .map(|i| run(&dance(if i == 1 { "[0, 0.5, 0]" } else { "[0, 0, 1]" }), &at(&format!("dance-{i}"))))
        .collect();
    assert_eq!(hashes[0], hashes[2], "the same motion has the same bits");
    assert_ne!(hashes[0], hashes[1]);
}

#[test]
fn a_scene_that_goes_on_alike_has_the_bits_of_one_run() {
    // Without anything that depends on the time or on the number of the frame: bodies at rest shapes of their own,
    // sweeps that always go forward in the order of the constraints.
    let head = |frames: u32, from: &str| {
        format!("{from}frames = {frames}\n[solver]\nsubsteps = 8\nplan = \"sequential\"\norder = \"fixed\"\n")
    };
    let base = tempfile::tempdir().unwrap();
    let at = |name: &str| base.path().join(name);
    let whole = run(&scene(&head(16, ""), ""), &at("whole"));
    run(&scene(&head(10, ""), ""), &at("first"));
    let rest = run(&scene(&head(6, "from = \"first\"\n"), ""), &at("rest"));
    assert_eq!(rest, whole);
}

#[test]
fn what_the_run_does_not_have_is_refused_by_name() {
    let base = tempfile::tempdir().unwrap();
    let at = |name: &str| base.path().join(name);
    let text = scene(SEW, "");
    let refused =
        |text: &str| Scene::parse(text, base.path()).unwrap().build::<f32>().unwrap_err().to_string();
    let from = |folder: &str| text.replace("frames = 10", &format!("from = \"{folder}\"\nframes = 10"));

    let answer = refused(&from("nowhere"));
    assert!(answer.contains("there is no folder") && answer.contains("scene:1:8"), "{answer}");
    std::fs::create_dir(at("empty")).unwrap();
    assert!(refused(&from("empty")).contains("holds no finished run"));
    run(&format!("{text}[output]\nend_state = false\n"), &at("kept-not"));
    assert!(refused(&from("kept-not")).contains("has not kept the state at its end"));

    run(&text, &at("fitting"));
    let finer = from("fitting").replacen("vertices = [7, 7]", "vertices = [7, 9]", 1);
    let answer = refused(&finer);
    assert!(answer.contains("body \"left\" has 63 vertices, but 49 in the run in"), "{answer}");
    let others = from("fitting").replace("\"left\"", "\"one\"").replace("\"right\"", "\"two\"");
    let answer = refused(&others);
    assert!(answer.contains("has no body of this scene, only \"left\", \"right\""), "{answer}");
    let fewer = from("fitting").replace(
        "{ half_space = { point = [1, 0, 0], normal = [1, 0, 0] }, relative = true }",
        "{ vertices = [6, 13] }",
    );
    let answer = refused(&fewer);
    assert!(answer.contains("the seam \"side\" has 2 pairs, but 7 in the run in"), "{answer}");
    let path = at("fitting").join(EndState::FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(60);
    std::fs::write(&path, bytes).unwrap();
    assert!(refused(&from("fitting")).contains("is cut off"), "{}", refused(&from("fitting")));
}

//! Stages: which settings a frame has, and what is refused.

use pliant_scene::Scene;

fn scene(stages: &str) -> Result<Scene, String> {
    let text = format!(
        "frames = 60\n[solver]\nsubsteps = 4\ndrag = 1\n{stages}\n[[body]]\nname = \"sheet\"\n\
         mesh = {{ grid = {{ vertices = [4, 4], size = [1, 1] }} }}\nedges = \"rigid\"\n"
    );
    Scene::parse(&text, ".").map_err(|error| error.to_string())
}

#[test]
fn every_frame_has_the_settings_of_its_stage() {
    let stages = "[[stage]]\nname = \"sew\"\ngravity = [0, 0, 0]\nsubsteps = 8\n[[stage]]\nname = \"run\"\nstart = 0.5\ndrag = 0\n";
    let scene = scene(stages).unwrap();
    let of = |frames| {
        let settings = scene.settings_after(frames);
        (settings.substeps, settings.gravity.y, settings.drag)
    };
    assert_eq!([of(0), of(29)], [(8, 0.0, 1.0); 2]);
    assert_eq!([of(30), of(59)], [(4, -9.81, 0.0); 2]);
    let built = scene.build::<f32>().unwrap();
    assert_eq!(built.simulation.settings().substeps, 8, "it is built for the first stage");
    assert_eq!(Scene::parse(&scene.to_toml(), ".").unwrap().model, scene.model);
}

#[test]
fn stages_come_in_order_and_begin_with_the_run() {
    let cases = [
        ("[[stage]]\nname = \"a\"\nstart = 0.5", "the first stage starts at 0.5 s; expected 0 s"),
        (
            "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"",
            "the stage \"b\" starts at 0 s, and the one before at 0 s",
        ),
        ("[[stage]]\nname = \"a\"\n[[stage]]\nname = \"a\"\nstart = 0.5", "two stages are called \"a\""),
        (
            "[[stage]]\nname = \"a\"\n[[stage]]\nname = \"b\"\nstart = 1",
            "starts at 1 s, when the run of 1 s is over",
        ),
        ("[[stage]]\nname = \"a b\"", "the name of the stage has the character ' '"),
        ("[[stage]]\nname = \"a\"\ndrag = -1", "the drag is -1"),
        ("[[stage]]\nname = \"a\"\niterations = 3", "unknown field `iterations`"),
        (
            "[[stage]]\nname = \"a\"\nuntil = { at_most = 1 }",
            "the stage \"a\" is the last one, which lasts until the run ends",
        ),
        (
            "[[stage]]\nname = \"a\"\nuntil = { at_most = 1 }\n[[stage]]\nname = \"b\"\nstart = 0.5",
            "the stage \"b\" has a `start`, but when \"a\" ends is not known beforehand",
        ),
        (
            "[[stage]]\nname = \"a\"\nuntil = { at_most = 1 }\n[[stage]]\nname = \"b\"\n[[stage]]\nname = \"c\"",
            "when the stage \"b\" ends is not said; expected `until = { at_most = … }` in \"b\"",
        ),
        ("[[stage]]\nname = \"a\"\nuntil = { speed = 1 }", "missing field `at_most`"),
        ("[[stage]]\nname = \"a\"\nuntil = { speed = -1, at_most = 1 }", "the speed is -1"),
    ];
    for (stages, answer) in cases {
        let found = scene(stages).unwrap_err();
        assert!(found.contains(answer), "{stages}: {found}");
    }
}

#[test]
fn motions_begin_with_stages_that_exist() {
    let with = |motion: &str| {
        let text = format!(
            "[[stage]]\nname = \"sew\"\n[[body]]\nname = \"sheet\"\nmesh = {{ grid = {{ vertices = [4, 4], size = [1, 1] }} }}\n\
             edges = \"rigid\"\npin = [{{ vertices = [0], motion = {motion} }}]\n"
        );
        Scene::parse(&text, ".").map_err(|error| error.to_string())
    };
    let scene = with("{ velocity = [1, 0, 0], start = \"sew\" }").unwrap();
    assert_eq!(scene.model.bodies[0].pins[0].motion.as_ref().unwrap().stage(), Some("sew"));
    assert_eq!(Scene::parse(&scene.to_toml(), ".").unwrap().model, scene.model);
    let refused = |motion: &str, answer: &str| {
        let found = with(motion).unwrap_err();
        assert!(found.contains(answer), "{motion}: {found}");
    };
    refused(
        "{ velocity = [1, 0, 0], start = \"sow\" }",
        "there is no stage \"sow\"; expected one of \"sew\"",
    );
    refused("{ velocity = [1, 0, 0], start = 1 }", "`start` applies to `cache` and `animation`");
    refused("{ velocity = [1, 0, 0], start = [1] }", "a time, s, or the name of a stage");
    let obstacle = "[[stage]]\nname = \"sew\"\n[[body]]\nmesh = { grid = { vertices = [4, 4], size = [1, 1] } }\nedges = \"rigid\"\n\
                    [[obstacle]]\nsphere = { centre = [0, 0, 0], radius = 1 }\nmotion = { velocity = [1, 0, 0], start = \"sew\" }\n";
    let found = Scene::parse(obstacle, ".").unwrap_err().to_string();
    assert!(
        found.contains("only pins and bodies with `obstacle = true` begin to move with a stage"),
        "{found}"
    );
}

/// How far the free end of a strip of cloth, held at the other end, is below it after so many frames, m.
fn sag(stages: &str, frames: u32) -> Result<f64, String> {
    let text = format!(
        "frames = 60\n[solver]\nsubsteps = 60\ndrag = 3\n{stages}\n[[body]]\nname = \"strip\"\n\
         mesh = {{ grid = {{ vertices = [13, 3], size = [0.24, 0.04] }} }}\nedges = \"rigid\"\narea_density = 0.2\n\
         bending = {{ modulus = 1e-5 }}\npin = [{{ half_space = {{ point = [-0.09, 0, 0], normal = [-1, 0, 0] }} }}]\n"
    );
    let scene = Scene::parse(&text, ".").map_err(|error| error.to_string())?;
    let mut sim = scene.build::<f32>().map_err(|error| error.to_string())?.simulation;
    for frame in 0..frames {
        scene.settle(frame, &mut sim).map_err(|error| error.to_string())?;
        sim.advance(1.0 / 60.0).map_err(|error| error.to_string())?;
    }
    Ok(-sim.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min))
}

#[test]
fn cloth_bends_as_stiffly_as_its_stage_says() {
    let stiff = "[[stage]]\nname = \"starched\"\nstiffer_bending = 1000\n";
    let soft = sag("", 30).unwrap();
    let (starched, washed) =
        (sag(stiff, 30).unwrap(), format!("{stiff}[[stage]]\nname = \"washed\"\nstart = 0.25\n"));
    assert!(soft > 0.1 && starched < 0.4 * soft, "{soft} {starched}");
    let later = sag(&washed, 60).unwrap();
    assert!(later > 0.1, "what one stage stiffens bends again in the next: {later}");
}

#[test]
fn what_does_not_bend_cannot_be_stiffer() {
    let scene = scene("[[stage]]\nname = \"a\"\nstiffer_bending = 10\n").unwrap();
    let mut sim = scene.build::<f32>().unwrap().simulation;
    let found = scene.settle(0, &mut sim).unwrap_err().to_string();
    assert!(found.contains("bending") && found.contains("edges"), "{found}");
}

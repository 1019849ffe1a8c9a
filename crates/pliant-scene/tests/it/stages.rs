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
    ];
    for (stages, answer) in cases {
        let found = scene(stages).unwrap_err();
        assert!(found.contains(answer), "{stages}: {found}");
    }
}

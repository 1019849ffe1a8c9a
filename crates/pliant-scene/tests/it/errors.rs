//! The errors of invalid scenes: line, column, problem, what was expected, and the offending text.

use pliant_scene::model::{NonNegative, unit};
use pliant_scene::{Scene, SceneError};

/// A good scene; `wrong` replaces one piece of it.
const GOOD: &str = r#"name = "test"
frames = 10
frame_rate = 60

[solver]
substeps = 5
gravity = [0.0, -9.81, 0.0]

[[body]]
name = "sheet"
mesh = { grid = { vertices = [4, 4], size = [1.0, 1.0] } }
edges = { compliance = 1e-6 }
bending = { stiffness = 0.1 }
translate = [0.0, 1.0, 0.0]

[[body.pin]]
box = { min = [-0.5, 0.0, -0.5], max = [-0.4, 2.0, 0.5] }

[[obstacle]]
floor = { height = 0.0 }
friction = 0.5

[output]
formats = ["vtu"]
"#;

fn answer(text: &str) -> String {
    let outcome = Scene::parse_named("test.toml", text, "/nowhere").and_then(|scene| scene.build::<f32>());
    match outcome {
        Ok(_) => "fine".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The cases of `golden/errors.txt`: a piece of the good scene, its replacement (`\\n` is a new line), and the answer.
///
/// To accept all answers as they are, run the test with `PLIANT_UPDATE_GOLDEN=1` and read the difference.
#[test]
fn answers_are_those_of_the_golden_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/errors.txt");
    let golden = std::fs::read_to_string(path).unwrap();
    let mut found = String::new();
    let mut piece = String::new();
    let mut cases = 0;
    for line in golden.lines() {
        if line.is_empty() || line.starts_with('#') {
            found += &format!("{line}\n");
        } else if let Some(replaced) = line.strip_prefix("instead of: ") {
            piece = replaced.replace("\\n", "\n");
            found += &format!("{line}\n");
        } else if let Some(by) = line.strip_prefix("says: ") {
            assert_eq!(GOOD.matches(&piece).count(), 1, "{piece} must stand once");
            let answer = answer(&GOOD.replace(&piece, &by.replace("\\n", "\n")));
            found += &format!("{line}\nanswer: {answer}\n");
            cases += 1;
        } else {
            assert!(line.starts_with("answer: "), "{line}");
        }
    }
    assert!(cases > 80, "{cases} cases");
    if std::env::var_os("PLIANT_UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &found).unwrap();
        return;
    }
    let differ = golden.lines().zip(found.lines()).filter(|(golden, found)| golden != found);
    let report: Vec<String> =
        differ.map(|(golden, found)| format!("golden {golden}\n found {found}")).collect();
    assert!(report.is_empty(), "{}", report.join("\n\n"));
}

#[test]
fn the_good_scene_is_fine() {
    assert_eq!(answer(GOOD), "fine");
}

#[test]
fn what_answers_quote_is_cut_and_escaped() {
    let long = "x".repeat(5000);
    let bodies: String = (0..200)
        .map(|i| {
            format!(
                "[[body]]\nname = \"{}{i}\"\nmesh = {{ grid = {{ vertices = [2, 2], size = [1, 1] }} }}\nedges = \"rigid\"\n",
                "b".repeat(70)
            )
        })
        .collect();
    for (text, quoted) in [
        // raw in the text, where they are not allowed
        ("frames = 0\u{1b}t\n".to_owned(), "(at `0\\u{1b}t`)"),
        ("\u{4}\0 = 1\n".to_owned(), "\\u{4}"),
        // by an escape
        ("\"fra\\u001b[2Jmes\" = 1\n".to_owned(), "`fra\\u{1b}[2Jmes`"),
        (GOOD.replace("\"vtu\"", "\"\\u0007\""), "`\\u{7}`"),
        (format!("{long} = 1\n"), "unknown field `xxx"),
        (GOOD.replace("\"vtu\"", &format!("\"{long}\"")), "unknown variant `xxx"),
        (
            GOOD.replace(
                "edges = { compliance = 1e-6 }\nbending = { stiffness = 0.1 }",
                &format!("material = {long:?}"),
            ),
            "there is no material \"xxx",
        ),
        (
            format!("{bodies}[[stitch]]\nbodies = [{long:?}, \"b\"]\nto = \"vertices\"\nradius = 1\n"),
            "180 more",
        ),
    ] {
        let answer = answer(&text);
        assert!(answer.contains(quoted), "{answer}");
        assert!(answer.len() < 2000, "{} bytes: {answer}", answer.len());
        assert!(!answer.contains(char::is_control), "{answer:?}");
    }
}

#[test]
fn a_scene_made_by_a_program_has_no_line() {
    let mut scene = Scene::parse(GOOD, ".").unwrap();
    let release = NonNegative::<unit::Second>::new(-1.0).unwrap_err();
    assert_eq!(release.to_string(), "the value is -1.0, expected a number of at least 0, s");
    scene.model.bodies[0].pins[0].damping_time = NonNegative::new(1.0).ok();
    let error = Scene::from_model(scene.model, ".").unwrap_err();
    assert_eq!(
        error.to_string(),
        "scene: the damping time is that of springs, but the pin holds its vertices exactly; expected \
         `compliance`, m/N, beside it (at body[0].pin[0].damping_time)"
    );
    let SceneError::Invalid(invalid) = error else { panic!("not about a field") };
    assert_eq!(invalid.place, None);
}

#[test]
fn files_that_are_no_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("mesh.obj"), "v 0 0 0\n").unwrap();
    std::fs::write(path("latin.toml"), b"# one\nname = \"caf\xe9\"\n").unwrap();
    std::fs::write(path("My scene.toml"), GOOD.replace("name = \"test\"\n", "")).unwrap();
    let answer = |name: &str| Scene::load(path(name)).unwrap_err().to_string();
    assert!(answer("missing.toml").ends_with("missing.toml: there is no such file"));
    assert!(Scene::load(folder.path()).unwrap_err().to_string().contains("it is a directory"));
    assert!(answer("mesh.obj").contains("does not end in .toml"));
    assert!(answer("latin.toml").ends_with("line 2 is not UTF-8 text; save the file as UTF-8"));
    assert_eq!(Scene::load(path("My scene.toml")).unwrap().name(), "My_scene");
}

#[test]
fn what_is_too_long_to_be_parsed_is_refused_unread() {
    let list = |bytes: usize| format!("{GOOD}# {}\n", "x".repeat(bytes - GOOD.len() - 3));
    let most = 16 << 20;
    assert_eq!(list(most).len(), most);
    Scene::parse(&list(most), ".").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.toml");
    std::fs::write(&path, list(most + 1)).unwrap();
    for error in [Scene::parse(&list(most + 1), ".").unwrap_err(), Scene::load(&path).unwrap_err()] {
        let said = error.to_string();
        let expected = "it has 16777217 bytes, and a scene may have at most 16777216: put meshes and long lists into files";
        assert!(said.contains(expected), "{said}");
    }
}

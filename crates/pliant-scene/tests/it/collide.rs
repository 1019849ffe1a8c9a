//! Bodies that collide, and obstacles of any mesh, by the keys of a scene.

use nalgebra::Vector3;
use pliant_scene::{Built, Scene};

/// A small sheet above another body.
fn scene(sheet: &str, other: &str) -> String {
    format!(
        r#"
        frames = 30
        [solver]
        substeps = 10
        [[body]]
        name = "sheet"
        mesh = {{ grid = {{ vertices = [6, 6], size = [0.1, 0.1] }} }}
        translate = [0.0, 0.02, 0.0]
        edges = "rigid"
        contact_radius = 0.002
        {sheet}
        [[body]]
        name = "other"
        mesh = {{ grid = {{ vertices = [3, 3], size = [0.3, 0.3] }} }}
        contact_radius = 0.002
        {other}
        "#
    )
}

/// The mean height of the sheet and of the other after half a second.
fn heights(sheet: &str, other: &str) -> [f64; 2] {
    let scene = Scene::parse(&scene(sheet, other), ".").unwrap();
    let Built { mut simulation, bodies, .. } = scene.build::<f64>().unwrap();
    for _ in 0..30 {
        simulation.advance(scene.time_step()).unwrap();
    }
    [0, 1].map(|body: usize| {
        let x: Vec<Vector3<f64>> = simulation.positions_of(bodies[body].particles.clone());
        x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64
    })
}

fn refused(sheet: &str, other: &str) -> String {
    match Scene::parse(&scene(sheet, other), ".") {
        Err(error) => error.to_string(),
        Ok(scene) => scene.build::<f64>().unwrap_err().to_string(),
    }
}

#[test]
fn a_sheet_lies_on_an_obstacle_and_falls_through_what_does_not_collide() {
    let [sheet, plate] = heights("collide = true", "obstacle = true");
    assert!((sheet - 0.004).abs() < 5e-4, "{sheet}");
    assert_eq!(plate, 0.0, "an obstacle is held");
    let [sheet, _] = heights("", "obstacle = true");
    assert!(sheet < -0.5, "{sheet}");
}

#[test]
fn obstacles_move_and_carry_what_lies_on_them() {
    let motion = "obstacle = true\nmotion = { velocity = [0.0, 0.5, 0.0] }";
    let [sheet, plate] = heights("collide = true", motion);
    assert!((plate - 0.25).abs() < 1e-9, "{plate}");
    assert!((sheet - plate - 0.004).abs() < 1e-3, "{sheet} on {plate}");
}

#[test]
fn a_start_that_crosses_is_an_error_where_it_is_refused() {
    // Upright through the other one, and beside it.
    let through = scene("rotate = { axis = [1, 0, 0], degrees = 90 }\ncollide = true", "obstacle = true");
    let start = |height: f64, start: &str| {
        let scene = through.replace("[0.0, 0.02, 0.0]", &format!("[0.007, {height}, 0.003]"));
        let scene = scene.replace("substeps = 10", &format!("substeps = 10\ncrossing_start = \"{start}\""));
        Scene::parse(&scene, ".").unwrap().build::<f64>().map(|_| ())
    };
    start(0.01, "release").unwrap();
    let error = start(0.01, "refuse").unwrap_err().to_string();
    for word in [
        "solver.crossing_start",
        "cross",
        "the first: edge",
        "\"sheet\"",
        "\"other\"",
        "move the bodies apart",
    ] {
        assert!(error.contains(word), "{word}: {error}");
    }
    start(0.2, "refuse").unwrap();
}

#[test]
fn a_scene_says_what_is_done_where_nothing_has_room() {
    // An upright plate comes down through another.
    let down = "rotate = { axis = [1, 0, 0], degrees = 90 }\nobstacle = true\nmotion = { velocity = [0.0, -1.0, 0.0] }";
    let through = scene(down, "obstacle = true").replace("[0.0, 0.02, 0.0]", "[0.007, 0.1, 0.003]");
    let run = |pinch: &str| {
        let scene = through.replace("substeps = 10", &format!("substeps = 10\npinch = \"{pinch}\""));
        let scene = Scene::parse(&scene, ".").unwrap();
        let mut simulation = scene.build::<f64>().unwrap().simulation;
        (0..10).try_for_each(|_| simulation.advance(scene.time_step())).map_err(|error| error.to_string())
    };
    assert_eq!([run("report"), run("substep")], [Ok(()), Ok(())]);
    let error = run("stop").unwrap_err();
    for word in ["no room", "frame", "\"sheet\"", "\"other\""] {
        assert!(error.contains(word), "{word}: {error}");
    }
}

#[test]
fn groups_say_who_meets_whom() {
    let obstacle = |groups: &str| format!("obstacle = true\ncollide = {{ groups = [{groups}] }}");
    let [sheet, _] = heights("collide = { hits = [\"floor\"] }", &obstacle("\"floor\""));
    assert!(sheet > 0.0, "{sheet}");
    let [sheet, _] = heights("collide = { hits = [\"wall\"], groups = [\"wall\"] }", &obstacle("\"floor\""));
    assert!(sheet < -0.5, "{sheet}");
}

#[test]
fn friction_may_be_one_number_or_two() {
    for friction in ["0.4", "{ static = 0.5, kinetic = 0.3 }"] {
        let [sheet, _] = heights(&format!("collide = {{ friction = {friction} }}"), "obstacle = true");
        assert!(sheet > 0.0);
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    for (sheet, other, expected) in [
        ("collide = { friction = -1 }", "obstacle = true", "friction"),
        (
            "collide = { friction = { static = 0.1, kinetic = 0.2 } }",
            "obstacle = true",
            "less than the kinetic",
        ),
        ("collide = 3", "obstacle = true", "true, false or a table"),
        (
            "collide = { hits = [\"flor\"] }",
            "obstacle = true\ncollide = { groups = [\"floor\"] }",
            "one of \"floor\"",
        ),
        ("collide = { hits = [\"floor\"] }", "obstacle = true", "no body has any"),
        ("collide = true", "obstacle = true\ncollide = false", "nothing would ever meet it"),
        ("collide = true", "obstacle = true\npin = [{ vertices = [0] }]", "needs no pins"),
        ("motion = { velocity = [0, 1, 0] }", "obstacle = true", "the body is not an obstacle"),
        ("collide = true", "", "no constraints"),
    ] {
        let error = refused(sheet, other);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_pair_of_bodies_meets_as_is_said_of_it() {
    let on = |pair: &str| heights("collide = true", &format!("obstacle = true\n{pair}"))[0];
    let hard = on("");
    assert!((hard - 0.004).abs() < 1e-4, "{hard}");
    // 36 vertices rest on padding.
    let soft = on("[[contact]]\nbodies = [\"other\", \"sheet\"]\ncompliance = 2.0");
    assert!(soft < hard - 2e-4 && soft > 0.0, "{soft}");
    for (pair, expected) in [
        ("bodies = [\"sheet\", \"shet\"]\nfriction = 1", "no body \"shet\""),
        ("bodies = [\"sheet\", \"other\"]", "no contact setting"),
        ("bodies = [\"sheet\", \"other\"]\nrestitution = 2", "restitution"),
        ("bodies = [\"sheet\", \"other\"]\ncompliance = -1", "compliance"),
    ] {
        let error = refused("collide = true", &format!("obstacle = true\n[[contact]]\n{pair}"));
        assert!(error.contains(expected), "{error}");
    }
    let error = refused("", "obstacle = true\n[[contact]]\nbodies = [\"sheet\", \"other\"]\nfriction = 1");
    assert!(error.contains("does not collide"), "{error}");
}

#[test]
fn a_thickness_that_nothing_resolves_is_refused_or_solved_in_double_precision() {
    let far = |text: &str| Scene::parse(&scene("collide = true", text), ".").unwrap();
    let far = far("obstacle = true\ntranslate = [900, 0, 0]");
    let error = far.build::<f32>().unwrap_err().to_string();
    assert!(error.contains("from the origin") && error.contains("other"), "{error}");
    assert!(far.build::<f64>().is_ok());
    assert!(matches!(far.build_precise().unwrap(), pliant_scene::Precise::Double(_)));
    let thick = scene("collide = true", "obstacle = true").replacen(
        "contact_radius = 0.002",
        "contact_radius = 0.06",
        1,
    );
    let error = Scene::parse(&thick, ".").unwrap().build::<f64>().unwrap_err().to_string();
    assert!(error.contains("smaller contact radius"), "{error}");
}

#[test]
fn a_mesh_that_has_a_triangle_twice_cannot_collide() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.obj");
    std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 2 4 3\nf 3 1 2\n").unwrap();
    let text = format!(
        "[[body]]\nmesh = {{ file = {:?}, repair = \"report\" }}\nedges = \"rigid\"\ncollide = true\n",
        path.display().to_string()
    );
    match Scene::parse(&text, ".").unwrap().build::<f32>() {
        Ok(_) => panic!("both would be at distance zero"),
        Err(error) => assert!(error.to_string().contains("triangle 2"), "{error}"),
    }
}

#[test]
fn a_solid_lies_on_its_fine_surface_while_its_tetrahedra_reach_through_the_plate() {
    let text = |collide: &str, visual: &str| {
        format!(
            r#"
            [solver]
            substeps = 10
            [[body]]
            name = "ball"
            mesh = {{ ball = {{ radius = 0.1, shells = 2 }} }}
            {visual}
            material = {{ young = 1e5, poisson = 0.4 }}
            density = 200
            translate = [0.0, 0.11, 0.0]
            contact_radius = 0.002
            {collide}
            [[body]]
            obstacle = true
            mesh = {{ grid = {{ vertices = [3, 3], size = [0.5, 0.5] }} }}
            contact_radius = 0.002
            "#
        )
    };
    let fine = "visual = { icosphere = { radius = 0.08, frequency = 6 } }";
    let lowest = |collide: &str| {
        let Built { mut simulation, bodies, .. } =
            Scene::parse(&text(collide, fine), ".").unwrap().build::<f32>().unwrap();
        for _ in 0..60 {
            simulation.advance(1.0 / 60.0).unwrap();
        }
        assert_eq!(simulation.report().collisions.unwrap().intersections, 0);
        let x = simulation.positions_of(bodies[0].particles.clone());
        let skin = bodies[0].visual.as_ref().unwrap().binding.apply(&x);
        [x, skin].map(|x| x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min))
    };
    let [solid, _] = lowest("collide = true");
    assert!((solid - 0.004).abs() < 5e-4, "{solid}");
    let [solid, skin] = lowest("collide = { skin = true }");
    assert!((skin - 0.004).abs() < 5e-4 && solid < -0.01, "{skin}, {solid}");

    let error =
        Scene::parse(&text("collide = { skin = true }", ""), ".").unwrap().build::<f32>().unwrap_err();
    assert!(error.to_string().contains("carries no fine surface"), "{error}");
}

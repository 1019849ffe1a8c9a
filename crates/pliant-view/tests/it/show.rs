//! Shows by their commands, without a server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;
use pliant_scene::{Scene, Template, templates};
use pliant_solver::{Body, Simulation};
use pliant_view::{Command, Drawn, FrameMessage, Show};
use serde_json::json;

fn frame(show: &Show<'_>) -> FrameMessage {
    FrameMessage::read(&show.frame()).unwrap()
}

#[test]
fn every_template_can_be_shown() {
    for template in templates().iter().filter(|template| template.name != "own-mesh") {
        let mut show = Show::of_scene(template.scene().unwrap()).unwrap();
        show.step().unwrap();
        let (stage, frame) = (show.stage(), frame(&show));
        let moving = stage["bodies"].as_array().unwrap().iter().filter(|body| body["moves"] == true);
        let vertices: u64 = moving.map(|body| body["vertices"].as_u64().unwrap()).sum();
        assert_eq!(frame.numbers.len() as u64, 3 * vertices, "{}", template.name);
        assert!(stage["radius"].as_f64() > Some(0.0) && frame.numbers.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn no_speed_is_too_slow_for_a_frame() {
    let mut show = Show::of_scene(Template::named("cloth").unwrap().scene().unwrap()).unwrap();
    show.act(&Command::Speed { value: 1e-300 }).unwrap();
    show.step().unwrap();
    assert_eq!(show.pace(), 3600.0);
}

#[test]
fn a_page_changes_nothing_that_it_does_not_say() {
    let scene = Template::named("cloth").unwrap().scene().unwrap();
    let mut alone = scene.build::<f32>().unwrap().simulation;
    let mut show = Show::of_scene(scene).unwrap();
    for _ in 0..5 {
        alone.advance(1.0 / 60.0).unwrap();
        show.step().unwrap();
        show.act(&Command::Field { name: Some("strain".into()) }).unwrap();
        let _ = show.frame();
    }
    assert_eq!(show.state_hash(), alone.state_hash());
    show.act(&Command::Restart).unwrap();
    (0..5).for_each(|_| show.step().unwrap());
    assert_eq!(show.state_hash(), alone.state_hash(), "from the start again");
}

#[test]
fn a_restart_judges_the_start_as_it_was() {
    let mut show = Show::of_scene(Template::named("drape").unwrap().scene().unwrap()).unwrap();
    for _ in 0..2 {
        (0..45).for_each(|_| show.step().unwrap());
        show.act(&Command::Restart).unwrap();
        let head = frame(&show).head;
        assert_eq!(head["report"]["grade"], "good", "{}", head["report"]["findings"]);
    }
}

#[test]
fn walls_reach_the_ground_below_what_falls() {
    let show = Show::of_scene(Template::named("obstacles").unwrap().scene().unwrap()).unwrap();
    let stage = show.stage();
    let ground = stage["ground"].as_f64().unwrap();
    let mut panes = 0;
    for body in stage["bodies"].as_array().unwrap() {
        if body["moves"] == true || body["opacity"][1].as_f64() == Some(1.0) {
            continue;
        }
        let bytes = STANDARD.decode(body["positions"].as_str().unwrap()).unwrap();
        let heights = bytes.as_chunks().0.chunks(3).map(|x| f64::from(f32::from_le_bytes(x[1])));
        let lowest = heights.fold(f64::INFINITY, f64::min);
        assert!((lowest - ground).abs() < 0.02, "{} ends {lowest} m high", body["name"]);
        panes += 1;
    }
    assert!(panes > 0, "the container has walls");
}

#[test]
fn a_verdict_does_not_depend_on_how_often_it_is_asked_for() {
    // So fast that particles would overtake their body in a substep twenty times as long.
    let text = "[solver]\nsubsteps = 30\ngravity = [0, -60, 0]\n[[body]]\nmesh = { grid = { vertices = [21, 21], size = [1, 1] } }\n\
        edges = { compliance = 1e-6 }\narea_density = 0.2\npin = [{ vertices = [0, 20] }]\n";
    let scene = Scene::parse(text, ".").unwrap();
    let verdict = |every: u64| {
        let mut simulation = scene.build::<f32>().unwrap().simulation;
        simulation.set_certificate(true);
        let mut certificate = pliant_solver::Certificate::begin(&simulation);
        for _ in 0..40 {
            let report = simulation.step(1.0 / 60.0).unwrap();
            if report.frame.is_multiple_of(every) {
                certificate.take(&report);
            }
        }
        certificate.judgement().findings
    };
    for every in [1, 20] {
        let findings = verdict(every);
        let fast = findings.iter().find(|finding| finding.concern == pliant_solver::Concern::Speed);
        assert_eq!(fast, None, "certified every {every} frames");
    }
}

#[test]
fn fields_come_behind_the_positions() {
    let mut show = Show::of_scene(Template::named("cloth").unwrap().scene().unwrap()).unwrap();
    (0..5).for_each(|_| show.step().unwrap());
    let bare = frame(&show);
    show.act(&Command::Field { name: Some("speed".into()) }).unwrap();
    let coloured = frame(&show);
    assert_eq!(coloured.numbers.len(), bare.numbers.len() / 3 * 4);
    let largest = coloured.numbers[bare.numbers.len()..].iter().copied().fold(0.0, f32::max);
    assert!((f64::from(largest) - coloured.head["largest"].as_f64().unwrap()).abs() < 1e-6 && largest > 0.0);
    assert!(show.act(&Command::Field { name: Some("taste".into()) }).is_err());
}

#[test]
fn keys_change_a_simulation_that_goes_on() {
    let mut show = Show::of_scene(Template::named("cloth").unwrap().scene().unwrap()).unwrap();
    (0..10).for_each(|_| show.step().unwrap());
    let before = frame(&show);
    let set = |show: &mut Show<'_>, key: &str, value: serde_json::Value| {
        show.act(&Command::Set { key: key.into(), value })
    };
    // A setting that the solver takes while it runs.
    set(&mut show, "solver.gravity.1", json!(9.81)).unwrap();
    set(&mut show, "wind", json!(0.0)).unwrap();
    assert_eq!(frame(&show).head["frame"], 10);
    let gravity = show.scene().unwrap().model.solver.gravity.map(pliant_scene::model::Vector::get);
    assert_eq!(gravity, Some([0.0, 9.81, 0.0]));
    (0..60).for_each(|_| show.step().unwrap());
    let risen = frame(&show);
    let mean = |frame: &FrameMessage| {
        frame.numbers.chunks(3).map(|x| x[1]).sum::<f32>() / (frame.numbers.len() / 3) as f32
    };
    assert!(mean(&risen) > mean(&before) + 0.1, "it falls upwards");
    // A material, for which it is built anew: the bodies stay where they are.
    set(&mut show, "body.0.edges.stiffness", json!(1e3)).unwrap();
    assert_eq!(frame(&show).numbers, risen.numbers);
    assert!(set(&mut show, "solver.substeps", json!(-1)).is_err());
    assert!(set(&mut show, "body.9.edges.stiffness", json!(1e3)).is_err());
    assert!(set(&mut show, "wind", json!("much")).is_err());
    assert!(set(&mut show, &"a.".repeat(100_000), json!(1)).is_err());
    show.act(&Command::Undo).unwrap();
    assert_eq!(show.scene().unwrap().model, Template::named("cloth").unwrap().scene().unwrap().model);
}

#[test]
fn the_picture_is_that_of_the_start_wherever_bodies_have_gone() {
    let text = "[[body]]\nname = \"sheet\"\nmesh = { grid = { vertices = [5, 5], size = [1, 1] } }\nedges = { stiffness = 1e4 }\n";
    let mut show = Show::of_scene(Scene::parse(text, ".").unwrap()).unwrap();
    let seat = |show: &Show<'_>| ["centre", "radius"].map(|key| show.stage()[key].clone());
    let begins = seat(&show);
    (0..120).for_each(|_| show.step().unwrap());
    let fallen = frame(&show).numbers;
    assert!(fallen[1] < -15.0, "{}", fallen[1]);
    show.act(&Command::Set { key: "body.0.edges.stiffness".into(), value: json!(2e4) }).unwrap();
    assert_eq!(frame(&show).numbers, fallen, "bodies stay where they are");
    assert_eq!(seat(&show), begins);
}

#[test]
fn an_obstacle_that_is_pushed_stays_where_it_is_put() {
    let scene = "[[body]]\nmesh = { grid = { vertices = [9, 9], size = [1, 1] } }\nedges = \"rigid\"\narea_density = 0.2\n\
        pin = [{ vertices = [0, 8, 72, 80] }]\n[[obstacle]]\nsphere = { centre = [0, -0.4, 0], radius = 0.2 }\n";
    let mut show = Show::of_scene(Scene::parse(scene, ".").unwrap()).unwrap();
    let bodies = show.stage()["bodies"].clone();
    assert_eq!(bodies[1]["pushable"], true);
    for _ in 0..30 {
        show.act(&Command::Push { body: 1, by: [0.0, 0.015, 0.0] }).unwrap();
        show.step().unwrap();
    }
    let pushed = frame(&show);
    let pose = &pushed.head["poses"][0];
    assert_eq!(pose[0], 1);
    assert!((pose[1][13].as_f64().unwrap() - 0.45).abs() < 1e-9, "{pose}");
    assert!(pushed.numbers[3 * 40 + 1] > 0.2, "it has lifted the sheet");
    assert!(show.act(&Command::Push { body: 0, by: [0.0; 3] }).is_err(), "a sheet is no obstacle");
}

#[test]
fn a_simulation_of_a_program_is_shown_and_stays_its_own() {
    let mesh = TriMesh::grid([6, 6], [0.5, 0.5]).unwrap();
    let cloth = Body::cloth(mesh.clone()).name("cloth").pin_vertices([0, 5]);
    let mut simulation: Simulation = Simulation::builder().body(cloth).build().unwrap();
    let drawn = Drawn::new("cloth", 0..36, Mesh::Tri(mesh));
    let mut show = Show::of(&mut simulation, vec![drawn], 1.0 / 60.0);
    show.act(&Command::Step { frames: 3 }).unwrap();
    assert!(show.act(&Command::Set { key: "solver.substeps".into(), value: json!(3) }).is_err());
    let last = frame(&show);
    drop(show);
    assert!(!simulation.settings().certificate, "it measures no more than before");
    assert_eq!(simulation.frame(), 3);
    assert!((f64::from(last.numbers[3 * 35 + 1]) - simulation.position(35).y).abs() < 1e-6);
}

#[test]
fn hands_that_let_go_leave_the_simulation_as_it_was() {
    let mesh = TriMesh::grid([6, 6], [0.5, 0.5]).unwrap();
    let cloth = Body::cloth(mesh.clone()).name("cloth").pin_vertices([0, 5]);
    let build = || Simulation::builder().body(cloth.clone()).build().unwrap();
    let [mut held, mut free]: [Simulation; 2] = [build(), build()];
    let mut show = Show::of(&mut held, vec![Drawn::new("cloth", 0..36, Mesh::Tri(mesh))], 1.0 / 60.0);
    show.act(&Command::Grab { hand: 1, body: 0, vertex: 35, stiffness: None }).unwrap();
    show.act(&Command::Move { hand: 1, to: [0.0, 2.0, 0.0] }).unwrap();
    assert_eq!(frame(&show).head["hands"].as_array().unwrap().len(), 1);
    show.let_go();
    assert!(frame(&show).head["hands"].as_array().unwrap().is_empty());
    drop(show);
    for simulation in [&mut held, &mut free] {
        simulation.advance(1.0 / 60.0).unwrap();
    }
    assert_eq!(held.state_hash(), free.state_hash());
}

#[test]
fn a_simulation_that_fails_is_paused_and_says_why() {
    let text = "[solver]\nsubsteps = 1\ngravity = [0, -1e38, 0]\n[[body]]\nmesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n";
    let Ok(scene) = Scene::parse(text, ".") else { return };
    let mut show = Show::of_scene(scene).unwrap();
    let failed = (0..20).any(|_| show.step().is_err());
    assert!(failed && !show.is_playing());
    assert!(show.stage()["problem"]["what"].as_str().unwrap().contains("frame"));
}

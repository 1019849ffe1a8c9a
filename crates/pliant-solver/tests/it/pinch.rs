//! Pins and obstacles that leave surfaces no room.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, Certificate, Collide, Compliance, Concern, Motion, Pin, PinchResponse, Settings, Simulation,
    SimulationBuilder, StepError, Tally,
};

const DT: f64 = 1.0 / 60.0;
/// Half of the thickness, m.
const RADIUS: f64 = 0.0015;

fn settings(substeps: u32, pinch: PinchResponse) -> Settings {
    Settings { substeps, pinch, certificate: true, gravity: Vector3::zeros(), ..Settings::default() }
}

fn sheet(vertices: usize, side: f64, at: Vector3<f64>) -> Body {
    let mesh = TriMesh::grid([vertices; 2], [side; 2]).unwrap().translated(at).unwrap();
    let body = Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(RADIUS);
    body.collide(Collide::new().friction(0.3))
}

/// A plate that moves by `speed`, m/s.
fn plate(name: &str, height: f64, speed: Vector3<f64>) -> Body {
    let motion = Motion::Velocity { linear: speed, angular: Vector3::zeros(), pivot: Vector3::zeros() };
    sheet(6, 0.3, Vector3::y() * height).name(name).pin_with(Pin::select(|_| true).motion(motion))
}

/// A sheet between two plates 0.04 m apart, of which the upper one comes down at 1 m/s.
fn press(substeps: u32, pinch: PinchResponse) -> SimulationBuilder {
    press_by(1.0, substeps, pinch)
}

/// The same at another speed, m/s.
fn press_by(speed: f64, substeps: u32, pinch: PinchResponse) -> SimulationBuilder {
    Simulation::builder()
        .settings(settings(substeps, pinch))
        .body(plate("below", 0.0, Vector3::zeros()))
        .body(sheet(9, 0.2, Vector3::new(0.003, 0.02, 0.007)).name("between"))
        .body(plate("above", 0.04, Vector3::y() * -speed))
}

/// A sheet between two plates that turn together by 172° in a frame: in one substep they go through each other.
fn flip(pinch: PinchResponse) -> SimulationBuilder {
    let motion = || {
        let angular = Vector3::z() * (3.0 / DT);
        Motion::Velocity { linear: Vector3::zeros(), angular, pivot: Vector3::zeros() }
    };
    let plate = |name: &str, height: f64| {
        let plate = sheet(6, 0.1, Vector3::y() * height).name(name);
        plate.pin_with(Pin::select(|_| true).motion(motion()))
    };
    Simulation::builder()
        .settings(settings(1, pinch))
        .body(plate("below", -0.01))
        .body(sheet(9, 0.06, Vector3::new(0.003, 0.0, 0.007)).name("between"))
        .body(plate("above", 0.01))
}

fn tally(sim: &Simulation) -> Tally {
    sim.report().collisions.unwrap()
}

#[test]
fn what_is_pinched_is_named() {
    // After two frames 0.05 mm are left, half of the least distance of a sheet from either plate.
    let speed = (0.04 - 5e-5) / (2.0 * DT);
    let mut sim: Simulation = press_by(speed, 1, PinchResponse::Report).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    let mut pinched = 0;
    for frame in 0..2 {
        let report = sim.step(DT).unwrap();
        let tally = report.collisions.as_ref().unwrap();
        assert_eq!(tally.pinched > 0, tally.first_pinched.is_some());
        assert!(tally.intersections == 0 && (frame == 1 || tally.pinched == 0), "{frame}: {tally:?}");
        pinched += tally.pinched;
        certificate.take(&report);
    }
    assert!(pinched > 0);
    let judgement = certificate.judgement();
    let named = |what: &str| what.contains("no room between held particles (the first: ");
    let found = judgement.findings.iter().any(|f| f.concern == Concern::Contact && named(&f.what));
    assert!(found, "{judgement}");
}

#[test]
fn a_pinch_can_stop_the_simulation_at_the_start_of_its_frame() {
    let mut sim: Simulation = press(4, PinchResponse::Stop).build().unwrap();
    let (mut last, mut frame) = (sim.state_hash(), 0);
    let error = loop {
        match sim.advance(DT) {
            Ok(()) => (last, frame) = (sim.state_hash(), sim.frame()),
            Err(error) => break error,
        }
        assert!(frame < 4, "the plates have met");
    };
    let StepError::Pinched { frame: at, time, first } = &error else { panic!("{error}") };
    assert_eq!((*at, sim.frame(), sim.state_hash()), (frame + 1, frame, last));
    assert!((time - DT * *at as f64).abs() < 1e-9);
    assert!(
        first.bodies.iter().all(|name| ["below", "between", "above"].contains(&name.as_str())),
        "{first}"
    );
    assert!(error.to_string().contains(&first.to_string()), "{error}");
    // As long as nothing is pinched the bits are those of a simulation that only reports.
    let mut other: Simulation = press(4, PinchResponse::Report).build().unwrap();
    (0..frame).for_each(|_| other.advance(DT).unwrap());
    assert_eq!(other.state_hash(), last);
    assert_eq!(tally(&other).pinched, 0);
}

#[test]
fn a_pinch_can_divide_its_frame() {
    // Substeps of every frame, and what was pinched in it.
    let run = |scene: SimulationBuilder, frames: usize| -> Vec<(u32, usize)> {
        let mut sim: Simulation = scene.build().unwrap();
        let frame = |_| {
            let report = sim.step(DT).unwrap();
            (report.substeps, report.collisions.unwrap().pinched)
        };
        let frames = (0..frames).map(frame).collect();
        assert_eq!(sim.settings().substeps, 1, "the setting stays");
        frames
    };
    let reported = run(flip(PinchResponse::Report), 1);
    assert!(reported[0].0 == 1 && reported[0].1 > 0, "{reported:?}");
    let divided = run(flip(PinchResponse::Substep), 1);
    assert!(divided[0].1 == 0 && [2, 4, 8, 16].contains(&divided[0].0), "{divided:?}");
    // Where plates meet there is no room, however small the substeps are.
    let divided = run(press(1, PinchResponse::Substep), 3);
    assert_eq!(divided[..2], [(1, 0), (1, 0)]);
    assert!(divided[2].0 == 32 && divided[2].1 > 0, "{divided:?}");
}

#[test]
fn a_divided_frame_starts_from_the_same_state() {
    let mut whole: Simulation = flip(PinchResponse::Substep).build().unwrap();
    whole.advance(DT).unwrap();
    let substeps = whole.report().substeps;
    let mut parts: Simulation = flip(PinchResponse::Report).build().unwrap();
    parts.set_substeps(substeps);
    parts.advance(DT).unwrap();
    assert!(substeps > 1 && whole.state_hash() == parts.state_hash());
}

#[test]
fn what_is_held_entirely_is_pinched_where_it_crosses() {
    // A vertical plate comes down through a horizontal one.
    let scene = |pinch| {
        let mesh = TriMesh::grid([3, 3], [0.05, 0.05]).unwrap();
        let x = mesh.positions().iter().map(|x| Vector3::new(x.x + 0.004, x.z + 0.045, 0.003)).collect();
        let mesh = TriMesh::new(x, mesh.triangles().to_vec()).unwrap();
        let down = Vector3::y() * -1.5;
        let motion = Motion::Velocity { linear: down, angular: Vector3::zeros(), pivot: Vector3::zeros() };
        let body = Body::cloth(mesh).name("upright").contact_radius(RADIUS).collide(Collide::new());
        Simulation::builder()
            .settings(settings(4, pinch))
            .body(plate("below", 0.0, Vector3::zeros()))
            .body(body.pin_with(Pin::select(|_| true).motion(motion)))
    };
    let mut sim: Simulation = scene(PinchResponse::Report).build().unwrap();
    let before = tally(&sim);
    assert_eq!((before.intersections, before.pinched), (0, 0));
    sim.advance(DT).unwrap();
    let after = tally(&sim);
    assert!(after.intersections > 0 && after.pinched == after.intersections, "{after:?}");
    let first = after.first_pinched.unwrap();
    assert_eq!([first.elements[0].len(), first.elements[1].len()], [2, 3]);
    let mut sim: Simulation = scene(PinchResponse::Stop).build().unwrap();
    let error = sim.advance(DT).unwrap_err();
    assert!(matches!(&error, StepError::Pinched { first: named, .. } if **named == first), "{error}");
    assert_eq!(sim.frame(), 0);
}

#[test]
fn what_is_pushed_does_not_go_through_the_next_layer() {
    for substeps in [1, 2, 4] {
        let mut scene = Simulation::builder()
            .settings(settings(substeps, PinchResponse::Report))
            .body(plate("plate", 0.0, Vector3::new(2.0, 10.0, 0.0)));
        for k in 0..5 {
            let at = Vector3::new(0.011 * f64::from(k), 0.01 + 0.0035 * f64::from(k), 0.003);
            scene = scene.body(sheet(9, 0.2, at));
        }
        let mut sim: Simulation = scene.build().unwrap();
        for frame in 0..6 {
            sim.advance(DT).unwrap();
            let tally = tally(&sim);
            assert_eq!((tally.intersections, tally.pinched), (0, 0), "{substeps} substeps, frame {frame}");
        }
    }
}

/// Five sheets between two plates that slide by each other while they close, each at its own speed.
fn sheared(substeps: u32, lower: Vector3<f64>, upper: Vector3<f64>) -> SimulationBuilder {
    let mut scene = Simulation::builder()
        .settings(settings(substeps, PinchResponse::Report))
        .body(plate("below", 0.0, lower))
        .body(plate("above", 0.034, upper));
    for k in 0..5 {
        let at = Vector3::new(0.011 * f64::from(k), 0.005 + 0.0055 * f64::from(k), 0.003);
        scene = scene.body(sheet(9, 0.2, at));
    }
    scene
}

#[test]
fn what_lies_between_parts_that_move_on_their_own_is_taken_along() {
    // In a substep they go up to ten thicknesses, and in the end they are six apart.
    for substeps in [1, 2, 4, 16] {
        let (lower, upper) = (Vector3::new(-1.0, 2.0, 0.5), Vector3::new(0.8, 1.7, -0.2));
        let mut sim: Simulation = sheared(substeps, lower, upper).build().unwrap();
        for frame in 0..3 {
            sim.advance(DT).unwrap();
            let tally = tally(&sim);
            assert_eq!((tally.intersections, tally.pinched), (0, 0), "{substeps} substeps, frame {frame}");
        }
    }
}

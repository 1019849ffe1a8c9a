use nalgebra::Vector3;
use pliant_mesh::{ConvexHull, DistanceGrid, Split, TetMesh, TriMesh};
use proptest::prelude::*;

use crate::{
    Body, Certificate, Compliance, Concern, Grade, Keyframe, Motion, Obstacle, Settings, Simulation,
};

const DT: f64 = 1.0 / 60.0;

/// A cube of 20 cm that flies, with ten substeps a frame and no gravity.
fn flying(velocity: Vector3<f64>, obstacle: Obstacle) -> Simulation<f64> {
    let mesh = TetMesh::block([1, 1, 1], [0.2; 3], Split::Kuhn).unwrap();
    let settings =
        Settings { certificate: true, gravity: Vector3::zeros(), substeps: 10, ..Settings::default() };
    let cube = Body::solid(mesh).stretch(Compliance::new(1e-6)).velocity(velocity);
    Simulation::builder().settings(settings).body(cube).obstacle(obstacle).build_as().unwrap()
}

/// How often a vertex goes through in some frames.
fn passed(mut sim: Simulation<f64>, frames: usize) -> usize {
    (0..frames).map(|_| sim.step(DT).unwrap().impacts.unwrap().passed).sum()
}

/// A plate around y = −0.5.
fn plate(thickness: f64) -> Obstacle {
    Obstacle::solid_box(Vector3::new(0.0, -0.5, 0.0), Vector3::new(1.0, 0.5 * thickness, 1.0))
}

fn down(speed: f64) -> Vector3<f64> {
    Vector3::new(0.0, -speed, 0.0)
}

#[test]
fn what_flies_through_a_plate_is_counted() {
    // 5 cm in a substep.
    assert_eq!(passed(flying(down(30.0), plate(1e-3)), 4), 8, "eight vertices");
    assert_eq!(passed(flying(down(30.0), plate(0.3)), 4), 0, "it is thick enough");
    assert_eq!(passed(flying(down(0.1), plate(1e-3)), 120), 0, "slow enough");
    assert_eq!(passed(flying(Vector3::zeros(), plate(1e-3)), 4), 0, "it stays");
}

#[test]
fn every_shape_counts() {
    let [low, high] = [Vector3::new(-1.0, -0.501, -1.0), Vector3::new(1.0, -0.499, 1.0)];
    let corner = |c: usize| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { high[k] } else { low[k] });
    let corners: Vec<_> = (0..8).map(corner).collect();
    let hull = ConvexHull::new(&corners).unwrap();
    let slab = ConvexHull::new(
        &corners.iter().map(|x| Vector3::new(x.x, 10.0 * x.y + 4.5, x.z)).collect::<Vec<_>>(),
    );
    let slab = DistanceGrid::new(slab.unwrap().surface(), 5e-3, 0.02).unwrap();
    assert_eq!(passed(flying(down(30.0), Obstacle::hull(hull)), 4), 8);
    assert_eq!(passed(flying(down(60.0), Obstacle::distance_grid(slab)), 2), 8);
    // Four vertices of the cube above a rod, and two above a ball, none of which ends a substep there.
    let corner = flying(down(30.0), Obstacle::floor(-9.0)).positions()[0];
    let at = Vector3::new(corner.x, -0.52, corner.z);
    let rod = Obstacle::capsule(at - Vector3::x(), at + Vector3::x(), 2e-3);
    assert_eq!(passed(flying(down(30.0), rod), 4), 4);
    assert_eq!(passed(flying(down(30.0), Obstacle::sphere(at, 2e-3)), 4), 2);
    assert_eq!(passed(flying(down(30.0), Obstacle::floor(-0.5)), 4), 0, "nothing is behind a floor");
}

#[test]
fn an_obstacle_that_comes_counts_like_a_body_that_does() {
    let still = || flying(Vector3::zeros(), plate(1e-3).motion(Motion::linear(-down(30.0))));
    assert_eq!(passed(still(), 4), 8);
    let key = |time, y| {
        let translation = Vector3::new(0.0, y, 0.0);
        Keyframe { time, translation, rotation: Vector3::zeros() }
    };
    let keys = vec![key(0.0, 0.0), key(0.01, 0.0), key(0.010_001, 2.0)];
    let jump = plate(1e-3).motion(Motion::Keyframes { pivot: Vector3::zeros(), keys });
    assert_eq!(passed(flying(Vector3::zeros(), jump), 2), 8);
    // Both move alike.
    let along = plate(1e-3).motion(Motion::linear(down(30.0)));
    assert_eq!(passed(flying(down(30.0), along), 4), 0);
}

#[test]
fn a_blade_that_turns_by_half_a_turn_in_a_substep_is_followed() {
    // Every vertex is passed in every substep by one half of the blade.
    let angular = Vector3::new(0.0, std::f64::consts::PI * 600.0, 0.0);
    let blade = Obstacle::solid_box(Vector3::zeros(), Vector3::new(1.0, 1.0, 1e-3));
    let spin = Motion::Velocity { linear: Vector3::zeros(), angular, pivot: Vector3::zeros() };
    assert!(passed(flying(Vector3::zeros(), blade.motion(spin)), 1) >= 8);
}

#[test]
fn what_is_pushed_out_on_the_other_side_has_gone_through() {
    // After a substep the lower vertices are in the lower half of the plate.
    let thick = 0.02;
    let frames = |speed: f64| passed(flying(down(speed), plate(thick)), 60);
    assert_eq!(frames(2.0), 0, "3 mm in a substep");
    assert!(frames(11.0) > 0, "18 mm in a substep");
}

#[test]
fn the_verdict_says_so() {
    let mut sim = flying(down(30.0), plate(1e-3));
    let mut certificate = Certificate::begin(&sim);
    for _ in 0..4 {
        certificate.take(&sim.step(DT).unwrap());
    }
    let judgement = certificate.judgement();
    assert_eq!(judgement.grade(), Grade::Untrusted, "{judgement}");
    let finding = judgement.findings.iter().find(|finding| finding.concern == Concern::Contact).unwrap();
    assert_eq!(finding.measure, "obstacles.passed");
    assert!(finding.what.contains("went through an obstacle"), "{finding}");
    assert!(finding.worst.at.is_some());
}

#[test]
fn a_sheet_that_lies_on_a_thin_plate_has_not_gone_through() {
    let sheet = TriMesh::grid([9, 9], [0.5, 0.5]).unwrap().translated([0.0, -0.45, 0.0]).unwrap();
    let sheet = Body::cloth(sheet).stretch(Compliance::new(1e-6));
    let settings = Settings { certificate: true, substeps: 20, ..Settings::default() };
    let mut sim: Simulation<f32> = Simulation::builder()
        .settings(settings)
        .body(sheet)
        .obstacle(plate(0.01).friction(0.5))
        .build_as()
        .unwrap();
    for _ in 0..60 {
        let impacts = sim.step(DT).unwrap().impacts.unwrap();
        assert_eq!(impacts.passed, 0);
        assert!(impacts.way.value < 0.01, "{impacts:?}");
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(48))]

    /// A cube in straight flight ends beyond the plate exactly if its vertices were counted, whatever the
    /// direction and the velocity of the frame of reference.
    #[test]
    fn vertices_beyond_a_plate_were_counted(
        speed in 5.0..200.0_f64,
        thickness in 1e-4..0.02_f64,
        drift in -50.0..50.0_f64,
    ) {
        let obstacle = plate(thickness).motion(Motion::linear(Vector3::new(0.0, drift, 0.0)));
        let mut sim = flying(down(speed - drift), obstacle);
        let mut counted = 0;
        let mut plate_at = -0.5;
        for _ in 0..3 {
            counted += sim.step(DT).unwrap().impacts.unwrap().passed;
            plate_at += drift * DT;
        }
        let beyond = sim.positions().iter().filter(|x| x.y < plate_at).count();
        prop_assert!(counted >= beyond, "{counted} were counted, {beyond} are beyond");
        prop_assert!(beyond > 0 || counted == 0 || sim.positions().iter().any(|x| x.y < plate_at + 0.3));
    }
}

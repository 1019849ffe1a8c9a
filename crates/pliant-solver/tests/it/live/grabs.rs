//! Springs that drag.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{
    Assembly, Certificate, Compliance, Constraints, Grade, LiveError, Method, Settings, Simulation, Stiffness,
};

use super::{DT, run, sheet, watched};

/// A particle of 2 kg, and one from which it hangs.
fn weight() -> Simulation<f64> {
    let mut assembly = Assembly::new(vec![Vector3::zeros(), Vector3::y()], vec![0.5, 0.5]).unwrap();
    assembly.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0]).unwrap());
    assembly.build().unwrap()
}

#[test]
fn a_weight_hangs_by_its_force_over_the_stiffness() {
    for stiffness in [400.0, 1e4] {
        let mut sim = weight();
        sim.set_drag(5.0).unwrap();
        let hand = sim.grab(1, Stiffness::new(stiffness)).unwrap();
        run(&mut sim, 600);
        let force = 4.0 * 9.81;
        let sag = 1.0 - sim.position(1).y;
        assert!((sag - force / stiffness).abs() < 1e-3 * force / stiffness, "{sag} m");
        let felt = sim.grab_force(hand).unwrap();
        assert!((felt - Vector3::new(0.0, force, 0.0)).norm() < 1e-2 * force, "{felt}");
    }
}

#[test]
fn no_stiffness_is_too_large() {
    for stiffness in [1e-3, 1.0, 1e6, 1e15] {
        let mut sim: Simulation = Simulation::builder().body(sheet().pin_vertices([0, 8])).build().unwrap();
        let hand = sim.grab(80, Stiffness::new(stiffness)).unwrap();
        let start = sim.position(80);
        for frame in 0..60 {
            let angle = 0.2 * f64::from(frame);
            let target = start + Vector3::new(0.0, 0.1 * angle.sin(), 0.1 * angle.cos() - 0.1);
            sim.move_to(hand, target).unwrap();
            sim.advance(DT).unwrap();
            assert!(sim.positions().iter().all(|x| x.norm() < 2.0), "{stiffness} N/m, frame {frame}");
            if stiffness > 1e5 {
                assert!((sim.position(80) - target).norm() < 0.01, "{stiffness} N/m, frame {frame}");
            }
        }
    }
}

#[test]
fn a_grab_that_lets_go_before_a_frame_changes_no_bit() {
    let build = || Simulation::builder().body(sheet().pin_vertices([0, 8])).build().unwrap();
    let (mut plain, mut held) = (build(), build());
    let hand = held.grab(80, Stiffness::new(1e3)).unwrap();
    held.let_go(hand).unwrap();
    assert_eq!(run(&mut plain, 20), run(&mut held, 20));
    assert_eq!(held.let_go(hand), Err(LiveError::Gone { what: "grab" }));
    assert!(held.move_to(hand, Vector3::zeros()).is_err() && held.grab_force(hand).is_none());
}

#[test]
fn targets_move_evenly_within_a_frame() {
    // Rigid, so that the particle is where the target is at the end of every substep: its velocity is that of
    // the target.
    let mut sim = weight();
    let hand = sim.grab(1, Stiffness::new(1e12)).unwrap();
    sim.move_to(hand, Vector3::new(0.0, 1.06, 0.0)).unwrap();
    sim.advance(0.1).unwrap();
    assert!((sim.velocity(1).y - 0.6).abs() < 1e-3, "{}", sim.velocity(1));
    assert!((sim.position(1).y - 1.06).abs() < 1e-6);
}

#[test]
fn what_is_dragged_is_trusted_and_its_energy_balances() {
    for method in [Method::Sweeps, Method::Newton] {
        let mut sim = watched(sheet().stretch(Compliance::new(1e-2)).pin_vertices([0, 8]))
            .method(method)
            .substeps(20)
            .build()
            .unwrap();
        let mut certificate = Certificate::begin(&sim);
        let hand = sim.grab(80, Stiffness::new(200.0)).unwrap();
        let start = sim.position(80);
        let mut work = 0.0;
        for frame in 0..90 {
            let s = f64::from(frame) / 60.0;
            sim.move_to(hand, start + Vector3::new(0.0, 0.3 * s, -0.1 * s)).unwrap();
            if frame == 75 {
                sim.let_go(hand).unwrap_or_default();
            }
            let taken = certificate.take(&sim.step(DT).unwrap());
            work += taken.get("work.pins").unwrap().value;
            let loss = taken.get("energy.loss").unwrap().value;
            assert!(loss > -1e-4, "{method:?}, frame {frame}: {loss} J came from nowhere");
            if frame == 74 {
                break;
            }
        }
        assert!(work > 0.1, "{work} J");
        let judgement = certificate.judgement();
        assert!(judgement.grade() <= Grade::Rough, "{judgement}");
    }
}

#[test]
fn a_weight_that_is_lifted_takes_the_work_of_its_height() {
    let mut assembly = Assembly::new(vec![Vector3::zeros(), Vector3::y()], vec![0.5, 0.5]).unwrap();
    assembly.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0]).unwrap());
    assembly.settings(Settings { certificate: true, substeps: 40, iterations: 10, ..Settings::default() });
    let mut sim: Simulation<f64> = assembly.build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    let hand = sim.grab(1, Stiffness::new(1e4)).unwrap();
    let (mut work, mut loss) = (0.0, 0.0);
    for frame in 1..=120 {
        // Slowly, so that it hardly swings.
        let share = 0.5 - 0.5 * libm::cos(std::f64::consts::PI * f64::from(frame.min(60)) / 60.0);
        sim.move_to(hand, Vector3::new(0.0, 1.0 + share, 0.0)).unwrap();
        let taken = certificate.take(&sim.step(DT).unwrap());
        work += taken.get("work.pins").unwrap().value;
        loss += taken.get("energy.loss").unwrap().value;
    }
    let expected = 4.0 * 9.81;
    assert!((work - expected).abs() < 0.02 * expected, "{work} J instead of {expected} J");
    assert!(loss > -1e-6 && loss < 0.02 * expected, "{loss} J");
}

#[test]
fn a_grab_is_reported_and_held_bodies_are_not_called_free() {
    let mut sim = watched(sheet()).build().unwrap();
    assert!(sim.report().bodies[0].free && sim.report().residual("grabs").is_none());
    sim.grab(40, Stiffness::new(1e3)).unwrap();
    let report = sim.step(DT).unwrap();
    assert!(!report.bodies[0].free);
    assert!(report.residual("grabs").is_some_and(|r| r.max.value < 1e-4 && r.constraints == 1));
    assert!(sim.substep().contains(&"sweep grabs".to_owned()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut sim = weight();
    assert_eq!(sim.grab(2, Stiffness::new(1.0)), Err(LiveError::NoParticle { particle: 2, particles: 2 }));
    assert!(sim.grab(0, Stiffness::new(0.0)).is_err() && sim.grab(0, Stiffness::new(f64::NAN)).is_err());
    let hand = sim.grab(0, Stiffness::new(1.0)).unwrap();
    assert!(sim.move_to(hand, Vector3::repeat(f64::NAN)).is_err());
}

//! Pins: they move before the solve, hold exactly or softly, and are released.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Assembly, Body, Compliance, Constraints, Keyframe, Motion, Pin, Plan, Samples, Settings, Simulation,
};

const FRAME: f64 = 1.0 / 60.0;

/// A rod of 1 m with a pin at its upper end; no gravity.
fn rod(pin: Pin) -> Simulation<f64> {
    let mut a = Assembly::new(vec![Vector3::zeros(), -Vector3::y()], vec![1.0, 1.0]).unwrap();
    a.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0]).unwrap());
    a.pin(pin);
    a.settings(Settings { gravity: Vector3::zeros(), ..Settings::default() });
    a.build().unwrap()
}

#[test]
fn a_pin_moves_before_the_solve() {
    // Pulled upwards along the rod, the other end follows in the same substep, without lag.
    let speed = Vector3::new(0.0, 3.0, 0.0);
    let mut sim = rod(Pin::vertices([0]).motion(Motion::linear(speed)));
    for frame in 1..=10 {
        let report = sim.step(FRAME).unwrap();
        let x = sim.positions();
        let expected = speed * (f64::from(frame) * FRAME);
        assert!((x[0] - expected).norm() < 1e-14);
        assert!((x[1] - x[0] + Vector3::y()).norm() < 1e-12, "frame {frame}: {:?}", x[1]);
        assert!((sim.velocities()[0] - speed).norm() < 1e-12, "a pin knows its velocity");
        assert!(report.residual("rod").unwrap().max.value < 1e-12);
    }
}

#[test]
fn the_last_of_several_pins_holds_a_particle_and_knows_its_velocity() {
    let speed = Vector3::new(0.0, 3.0, 0.0);
    let mut a = Assembly::new(vec![Vector3::zeros(), -Vector3::y()], vec![1.0, 1.0]).unwrap();
    a.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0]).unwrap());
    a.pin(Pin::vertices([0]));
    a.pin(Pin::vertices([0]).motion(Motion::linear(speed)));
    a.settings(Settings { gravity: Vector3::zeros(), ..Settings::default() });
    let (mut twice, mut once) =
        (a.build::<f64>().unwrap(), rod(Pin::vertices([0]).motion(Motion::linear(speed))));
    for _ in 0..10 {
        twice.advance(FRAME).unwrap();
        once.advance(FRAME).unwrap();
        assert_eq!((twice.positions(), twice.velocities()), (once.positions(), once.velocities()));
    }
}

#[test]
fn keyframes_and_samples_are_met_at_their_times() {
    let key = |time, x, angle| Keyframe {
        time,
        translation: Vector3::new(x, 0.0, 0.0),
        rotation: Vector3::new(0.0, 0.0, angle),
    };
    let keys = vec![key(0.0, 0.0, 0.0), key(0.1, 0.2, 0.0), key(0.2, 0.2, 1.0)];
    let pivot = Vector3::new(0.0, 1.0, 0.0);
    let mut sim = rod(Pin::vertices([0]).motion(Motion::Keyframes { pivot, keys }));
    for _ in 0..6 {
        sim.advance(FRAME).unwrap();
    }
    assert!((sim.positions()[0] - Vector3::new(0.2, 0.0, 0.0)).norm() < 1e-12);
    for _ in 0..9 {
        sim.advance(FRAME).unwrap();
    }
    // Turned by one radian about the pivot, which has moved along; the last key holds.
    let turned = Vector3::new(0.2 + 1.0_f64.sin(), 1.0 - 1.0_f64.cos(), 0.0);
    assert!((sim.positions()[0] - turned).norm() < 1e-12, "{:?}", sim.positions()[0]);

    let path: Vec<_> = (0..=6).map(|n| vec![Vector3::new(0.0, 0.01 * f64::from(n * n), 0.0)]).collect();
    let samples = Samples::new(0.0, 60.0, path.clone());
    let mut sim = rod(Pin::vertices([0]).motion(Motion::Samples(samples)));
    for at in path.iter().skip(1) {
        sim.advance(FRAME).unwrap();
        assert!((sim.positions()[0] - at[0]).norm() < 1e-12);
    }
}

#[test]
fn a_released_pin_flies_on_with_the_motion_it_had() {
    let speed = Vector3::new(0.5, 0.0, 0.0);
    let mut sim = rod(Pin::select(|_| true).motion(Motion::linear(speed)).release_at(0.5));
    assert_eq!(sim.inverse_masses(), [0.0, 0.0]);
    let version = sim.pin_version();
    for _ in 0..60 {
        sim.advance(FRAME).unwrap();
    }
    assert_eq!(sim.inverse_masses(), [1.0, 1.0]);
    assert!(sim.pin_version() > version);
    assert!((sim.positions()[0] - speed).norm() < 1e-9, "{:?}", sim.positions()[0]);
    assert!((sim.velocities()[1] - speed).norm() < 1e-9);
}

#[test]
fn release_brings_back_the_constraints_that_were_dropped() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        let sheet = TriMesh::grid([6, 6], [0.5, 0.5]).unwrap();
        let body = Body::cloth(sheet)
            .bend(Compliance::new(1e-3))
            .pin_with(Pin::vertices([0]))
            .pin_with(Pin::vertices(1..18).release_at(0.25));
        let mut sim = Simulation::builder().plan(plan).substeps(20).body(body).build_as::<f64>().unwrap();
        let active =
            |sim: &Simulation<f64>| sim.plan().iter().map(|g| (g.active, g.constraints)).collect::<Vec<_>>();
        let held = active(&sim);
        assert!(held.iter().all(|(active, all)| active < all), "constraints between pins are dropped");
        (0..45).for_each(|_| sim.advance(FRAME).unwrap());
        let free = active(&sim);
        assert!(free.iter().all(|(active, all)| active == all), "{plan:?}: {free:?}");
        // Hanging by one corner, the sheet holds together: the constraints that were planned again work.
        let report = sim.report();
        assert!(report.stretch.unwrap().max.value < 0.1, "{plan:?}: {report}");
        assert!(sim.positions()[17].y < -0.05, "{plan:?}: it has fallen");
    }
}

#[test]
fn release_by_hand_is_release() {
    let mut sim = rod(Pin::vertices([0]));
    sim.release(0);
    sim.release(0);
    assert_eq!(sim.inverse_masses(), [1.0, 1.0]);
}

#[test]
fn a_soft_pin_is_a_spring() {
    let alpha = 1e-2;
    let mut a = Assembly::new(vec![Vector3::zeros()], vec![2.0]).unwrap();
    a.pin(Pin::vertices([0]).compliance(alpha));
    a.settings(Settings { drag: 5.0, gravity: Vector3::new(0.0, -9.8, 0.0), ..Settings::default() });
    let mut sim = a.build::<f64>().unwrap();
    (0..600).for_each(|_| sim.advance(FRAME).unwrap());
    let expected = -alpha * 0.5 * 9.8;
    assert!((sim.positions()[0].y / expected - 1.0).abs() < 1e-6, "{}", sim.positions()[0].y);
}

#[test]
fn a_damped_soft_pin_is_an_implicit_spring_and_dashpot() {
    // Three weights on springs of one stiffness, damped differently: each takes the steps of implicit Euler
    // of m ẍ = −m g − k x − τk ẋ.
    let (alpha, mass, g, substeps) = (1e-3, 2.0, 9.8, 10);
    let relaxations = [0.0, 0.004, 0.1];
    let mut a =
        Assembly::new((0..3).map(|i| Vector3::x() * f64::from(i)).collect(), vec![1.0 / mass; 3]).unwrap();
    for (i, tau) in (0..).zip(relaxations) {
        a.pin(Pin::vertices([i]).compliance(alpha).damping(tau));
    }
    a.settings(Settings { gravity: Vector3::new(0.0, -g, 0.0), substeps, ..Settings::default() });
    let mut sim = a.build::<f64>().unwrap();
    assert_eq!(sim.plan().iter().filter(|group| group.name.starts_with("targets")).count(), 3);
    let h = FRAME / f64::from(substeps);
    let mut expected = [(0.0, 0.0); 3];
    for frame in 0..60 {
        sim.advance(FRAME).unwrap();
        for ((x, v), tau) in expected.iter_mut().zip(relaxations) {
            for _ in 0..substeps {
                let k_by_m = 1.0 / (alpha * mass);
                *v = (*v - h * g - h * k_by_m * *x) / (1.0 + h * h * k_by_m + h * tau * k_by_m);
                *x += h * *v;
            }
        }
        for (found, (x, _)) in sim.positions().iter().zip(expected) {
            assert!((found.y - x).abs() < 1e-12, "frame {frame}: {} and {x}", found.y);
        }
    }
    // The dashpot damps the swing, in addition to the damping of the integrator.
    let sag = -alpha * mass * g;
    let off = expected.map(|(x, _)| (x - sag).abs());
    assert!(off[0] > 2.0 * off[1] && off[2] < 1e-4 * sag.abs(), "{off:?}");
}

#[test]
fn a_damped_soft_pin_follows_a_moving_target_by_the_relaxation_time() {
    let (speed, tau) = (Vector3::new(0.0, 0.0, 2.0), 0.03);
    let mut a = Assembly::new(vec![Vector3::zeros(); 2], vec![1.0; 2]).unwrap();
    for (i, tau) in [(0, 0.0), (1, tau)] {
        a.pin(Pin::vertices([i]).motion(Motion::linear(speed)).compliance(1e-3).damping(tau));
    }
    a.settings(Settings { gravity: Vector3::zeros(), ..Settings::default() });
    let mut sim = a.build::<f64>().unwrap();
    (0..120).for_each(|_| sim.advance(FRAME).unwrap());
    let (x, there) = (sim.positions(), speed * sim.time());
    assert!((x[1] - there + speed * tau).norm() < 1e-6, "{:?}", x[1] - there);
    // Without damping it still swings about its target, as it did when the target started to move: by at most v √(α m).
    assert!((1e-3..0.07).contains(&(x[0] - there).norm()), "{:?}", x[0] - there);
    // Each pin is released by itself, and the particle keeps its velocity.
    sim.release(1);
    (0..60).for_each(|_| sim.advance(FRAME).unwrap());
    let active: Vec<_> = sim.plan().iter().map(|group| group.active).collect();
    assert_eq!(active, [1, 0]);
    assert!((sim.positions()[1] - x[1] - speed).norm() < 1e-6);
}

#[test]
fn damping_that_makes_no_sense_is_refused() {
    for tau in [-1.0, f64::NAN, f64::INFINITY] {
        let mut a = Assembly::new(vec![Vector3::zeros()], vec![1.0]).unwrap();
        a.pin(Pin::vertices([0]).compliance(1e-3).damping(tau));
        let error = a.build::<f64>().unwrap_err().to_string();
        assert!(error.starts_with("pin 0 ") && error.contains("relaxation time"), "{error}");
    }
}

#[test]
fn a_soft_pin_lets_go_of_its_own_point_only() {
    // Two points on two soft pins; the first is released by its time, later the second by a call: no spring
    // is left, and none returns.
    let mut a = Assembly::new(vec![Vector3::zeros(), Vector3::x()], vec![1.0, 1.0]).unwrap();
    a.pin(Pin::vertices([0]).compliance(1e-6).release_at(0.1));
    a.pin(Pin::vertices([1]).compliance(1e-6));
    let mut sim = a.build::<f64>().unwrap();
    (0..30).for_each(|_| sim.advance(FRAME).unwrap());
    let x = sim.positions();
    assert!(x[0].y < -0.5 && x[1].y > -1e-3, "{x:?}");
    assert_eq!(sim.plan()[0].active, 1);
    sim.release(1);
    assert_eq!((sim.plan()[0].active, sim.plan()[0].constraints), (0, 2));
    (0..30).for_each(|_| sim.advance(FRAME).unwrap());
    assert!(sim.positions()[1].y < -0.5);
}

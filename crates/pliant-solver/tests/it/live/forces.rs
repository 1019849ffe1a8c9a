//! Forces, impulses, velocities and positions.

use nalgebra::Vector3;
use pliant_solver::{Certificate, Compliance, Grade, LiveError, Simulation};

use super::{DT, run, sheet, watched};

fn free() -> Simulation<f64> {
    Simulation::builder().gravity(Vector3::zeros()).body(sheet()).build_as().unwrap()
}

fn momentum(sim: &Simulation<f64>) -> Vector3<f64> {
    sim.masses_of(0..81).iter().zip(sim.velocities()).map(|(m, v)| v * *m).sum()
}

#[test]
fn momentum_is_force_times_time_until_it_is_cleared() {
    let mut sim = free();
    sim.set_force(3, Vector3::new(0.0, 0.1, 0.0)).unwrap();
    sim.set_force(40, Vector3::new(0.2, 0.0, 0.0)).unwrap();
    sim.set_force(40, Vector3::new(0.3, 0.0, 0.0)).unwrap();
    run(&mut sim, 6);
    assert!((momentum(&sim) - Vector3::new(0.03, 0.01, 0.0)).norm() < 1e-12);
    sim.set_force(40, Vector3::zeros()).unwrap();
    run(&mut sim, 6);
    assert!((momentum(&sim) - Vector3::new(0.03, 0.02, 0.0)).norm() < 1e-12);
    sim.clear_forces();
    run(&mut sim, 6);
    assert!((momentum(&sim) - Vector3::new(0.03, 0.02, 0.0)).norm() < 1e-12);
}

#[test]
fn impulses_and_velocities_take_effect_at_once_but_not_on_what_is_held() {
    let mut sim = free();
    sim.apply_impulse(40, Vector3::new(0.0, 0.5, 0.0)).unwrap();
    assert!((momentum(&sim) - Vector3::new(0.0, 0.5, 0.0)).norm() < 1e-12);
    sim.set_velocities(0..81, &[[1.0_f32, 0.0, 0.0]; 81]).unwrap();
    assert!(sim.velocities().iter().all(|v| *v == Vector3::x()));
    let mut held: Simulation = Simulation::builder().body(sheet().pin_vertices([0])).build().unwrap();
    held.apply_impulse(0, Vector3::x()).unwrap();
    held.set_force(0, Vector3::x()).unwrap();
    held.set_positions(0..1, &[[1.0, 1.0, 1.0]]).unwrap();
    let before = held.position(0);
    assert_eq!(held.velocity(0), Vector3::zeros());
    run(&mut held, 1);
    assert_eq!(held.position(0), before);
}

#[test]
fn a_body_can_be_put_back() {
    let mut sim = free();
    let (start, still) = (sim.positions(), [[0.0; 3]; 81]);
    sim.set_force(3, Vector3::y()).unwrap();
    run(&mut sim, 10);
    sim.clear_forces();
    let body = sim.body("sheet").unwrap();
    sim.set_positions(body, &start.iter().map(|x| [x.x, x.y, x.z]).collect::<Vec<_>>()).unwrap();
    sim.set_velocities(body, &still).unwrap();
    assert_eq!(sim.positions(), start);
    let mut fresh = free();
    // The numbers of frames count, where sweeps draw directions; those of this sheet have one.
    assert_eq!(run(&mut sim, 10), run(&mut fresh, 10));
}

#[test]
fn what_is_pushed_is_trusted_and_its_energy_balances() {
    let mut sim =
        watched(sheet().stretch(Compliance::new(1e-2)).pin_vertices([0, 8])).substeps(20).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    for frame in 0..60 {
        match frame {
            5 => sim.set_force(80, Vector3::new(0.0, 1.0, 0.0)).unwrap(),
            25 => sim.clear_forces(),
            30 => sim.apply_impulse(40, Vector3::new(0.0, 0.02, 0.0)).unwrap(),
            40 => sim.set_velocities(0..81, &[[0.0, 0.5, 0.0]; 81]).unwrap(),
            _ => {}
        }
        let taken = certificate.take(&sim.step(DT).unwrap());
        let loss = taken.get("energy.loss").unwrap().value;
        assert!(loss > -1e-4, "frame {frame}: {loss} J came from nowhere");
        if frame == 24 {
            assert!(certificate.worst("work.wind").unwrap().value > 1e-3);
        }
    }
    assert!(certificate.judgement().grade() <= Grade::Rough, "{}", certificate.judgement());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut sim = free();
    assert_eq!(sim.set_force(81, Vector3::x()), Err(LiveError::NoParticle { particle: 81, particles: 81 }));
    assert!(sim.set_force(0, Vector3::repeat(f64::NAN)).is_err());
    assert!(sim.apply_impulse(0, Vector3::repeat(f64::INFINITY)).is_err());
    assert!(sim.set_velocities(0..2, &[[0.0; 3]]).is_err());
    assert!(sim.set_positions(0..1, &[[f64::NAN; 3]]).is_err());
}

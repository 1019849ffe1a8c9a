//! Gravity, wind, damping and drag.

use nalgebra::Vector3;
use pliant_solver::{Certificate, Compliance, Grade, Simulation, SimulationBuilder, Wind};

use super::{DT, run, sheet, watched};

fn scene() -> SimulationBuilder {
    Simulation::builder().body(sheet().pin_vertices([0, 8]))
}

fn breeze() -> Wind {
    Wind { velocity: Vector3::new(3.0, 0.0, 1.0), ..Wind::default() }
}

#[test]
fn what_is_set_at_the_start_is_what_was_built() {
    let mut built = scene().gravity([0.0, -1.6, 0.0]).build().unwrap();
    let mut live = scene().build().unwrap();
    live.set_gravity([0.0, -1.6, 0.0]).unwrap();
    assert_eq!(run(&mut built, 20), run(&mut live, 20));

    let mut built = scene().wind(breeze()).build().unwrap();
    let mut live = scene().build().unwrap();
    live.set_wind(Some(breeze())).unwrap();
    assert_eq!(run(&mut built, 20), run(&mut live, 20));

    let mut built = scene().damping(3.0).drag(0.5).build().unwrap();
    let mut live = scene().build().unwrap();
    live.set_damping(3.0).unwrap();
    live.set_drag(0.5).unwrap();
    assert_eq!(run(&mut built, 20), run(&mut live, 20));
}

#[test]
fn what_is_taken_away_at_the_start_was_never_there() {
    let mut plain = scene().build().unwrap();
    let mut live = scene().wind(breeze()).damping(3.0).drag(0.5).build().unwrap();
    live.set_wind(None).unwrap();
    live.set_damping(0.0).unwrap();
    live.set_drag(0.0).unwrap();
    assert_eq!(run(&mut plain, 20), run(&mut live, 20));
}

#[test]
fn what_falls_up_is_trusted_and_its_energy_balances() {
    let mut sim =
        watched(sheet().stretch(Compliance::new(1e-2)).pin_vertices([0, 8])).substeps(20).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    for frame in 0..60 {
        match frame {
            10 => sim.set_gravity([0.0, 9.81, 0.0]).unwrap(),
            30 => sim.set_gravity([5.0, 0.0, 0.0]).unwrap(),
            40 => sim.set_wind(Some(breeze())).unwrap(),
            _ => {}
        }
        let taken = certificate.take(&sim.step(DT).unwrap());
        let loss = taken.get("energy.loss").unwrap().value;
        assert!(loss > -1e-4, "frame {frame}: {loss} J came from nowhere");
    }
    assert!(certificate.judgement().grade() <= Grade::Rough, "{}", certificate.judgement());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut sim = scene().build().unwrap();
    assert!(sim.set_gravity([f64::NAN, 0.0, 0.0]).is_err());
    assert!(sim.set_damping(-1.0).is_err() && sim.set_drag(f64::INFINITY).is_err());
    assert!(sim.set_wind(Some(Wind { density: -1.0, ..Wind::default() })).is_err());
    let mut plain = scene().build().unwrap();
    assert_eq!(run(&mut sim, 3), run(&mut plain, 3), "and nothing has changed");
}

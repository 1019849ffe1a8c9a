//! Pins that are added, moved and removed.

use nalgebra::Vector3;
use pliant_solver::{Body, Certificate, Compliance, Grade, LiveError, Method, Simulation};

use super::{DT, run, sheet, watched};

fn build(body: Body) -> Simulation {
    Simulation::builder().body(body).build().unwrap()
}

#[test]
fn a_pin_that_comes_at_the_start_is_one_that_was_built() {
    let mut built = build(sheet().pin_vertices([0, 1, 9, 10, 8]));
    let mut live = build(sheet().pin_vertices([8]));
    live.pin([10, 0, 1, 9]).unwrap();
    assert_eq!(run(&mut built, 30), run(&mut live, 30));
}

#[test]
fn a_pin_that_goes_is_one_that_was_never_there() {
    let mut plain = build(sheet().pin_vertices([8]));
    let mut live = build(sheet().pin_vertices([8]));
    let pin = live.pin([0, 1, 9, 10]).unwrap();
    assert_eq!(live.pinned(pin).unwrap(), [0, 1, 9, 10]);
    assert_eq!(live.pins().count(), 2);
    live.unpin(pin).unwrap();
    assert_eq!(run(&mut plain, 30), run(&mut live, 30));
    assert_eq!(live.unpin(pin), Err(LiveError::Gone { what: "pin" }));
}

#[test]
fn pins_that_were_built_can_be_led_and_let_go_and_held_again() {
    let mut sim = build(sheet().pin_vertices([0, 8]));
    let pin = sim.pins().next().unwrap();
    let mut places = sim.positions();
    let mut places = [places.swap_remove(0), places.swap_remove(8)];
    for _ in 0..10 {
        places.iter_mut().for_each(|x| x.y += 0.02);
        sim.lead(pin, &places).unwrap();
        sim.advance(DT).unwrap();
        assert!((sim.position(0) - places[0]).norm() < 1e-6);
        assert!((sim.velocity(0).y - 0.02 / DT).abs() < 1e-3, "evenly");
    }
    run(&mut sim, 1);
    assert_eq!(sim.velocity(0).norm(), 0.0, "there it stays");
    sim.unpin(pin).unwrap();
    run(&mut sim, 5);
    assert!(sim.position(0).y < places[0].y - 0.02);
    let here = sim.position(0);
    sim.pin([0, 8]).unwrap();
    run(&mut sim, 5);
    assert_eq!(sim.position(0), here);
}

#[test]
fn what_is_led_is_trusted_and_its_energy_balances() {
    for method in [Method::Sweeps, Method::Newton] {
        let mut sim = watched(sheet().stretch(Compliance::new(1e-2)).pin_vertices([0, 8]))
            .method(method)
            .substeps(20)
            .build()
            .unwrap();
        let mut certificate = Certificate::begin(&sim);
        let pin = sim.pin([80]).unwrap();
        let start = sim.position(80);
        for frame in 0..60 {
            if frame == 30 {
                sim.unpin(pin).unwrap();
            } else if frame < 30 {
                sim.lead(pin, &[start + Vector3::new(0.0, 0.01 * f64::from(frame), 0.0)]).unwrap();
            }
            let taken = certificate.take(&sim.step(DT).unwrap());
            match taken.get("energy.loss") {
                Some(loss) => assert!(loss.value > -1e-4, "{method:?}, frame {frame}: {} J", loss.value),
                None => assert!(frame == 0 || frame == 30, "frame {frame}"),
            }
        }
        assert!(certificate.judgement().grade() <= Grade::Rough, "{}", certificate.judgement());
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut sim = build(sheet().pin_vertices([0]));
    assert_eq!(sim.pin([0]), Err(LiveError::Held { particle: 0 }));
    assert_eq!(sim.pin([3, 3]), Err(LiveError::Twice { particle: 3 }));
    assert_eq!(sim.pin([81]), Err(LiveError::NoParticle { particle: 81, particles: 81 }));
    assert!(sim.pin([]).is_err());
    let pin = sim.pin([3, 4]).unwrap();
    assert!(matches!(sim.lead(pin, &[Vector3::zeros()]), Err(LiveError::Length { .. })));
    assert!(sim.lead(pin, &[Vector3::zeros(), Vector3::repeat(f64::NAN)]).is_err());
}

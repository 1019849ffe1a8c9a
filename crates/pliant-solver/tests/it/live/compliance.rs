//! Changes of compliances.

use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Certificate, Compliance, Continuum, Grade, LiveError, Simulation};

use super::{DT, run, sheet, watched};

#[test]
fn what_is_set_at_the_start_is_what_was_built() {
    for compliance in [0.0, 1e-3] {
        let build = |compliance: f64| {
            let body = sheet().stretch(Compliance::new(compliance)).pin_vertices([0, 1, 8]);
            Simulation::builder().body(body).build().unwrap()
        };
        let (mut built, mut live) = (build(compliance), build(1e-5));
        live.set_compliance("edges", compliance).unwrap();
        assert_eq!(run(&mut built, 20), run(&mut live, 20));
    }
}

#[test]
fn a_material_can_be_made_stiffer_and_back() {
    let build = |modulus: f64| {
        let block = TetMesh::block([3, 3, 3], [0.2; 3], Split::Kuhn).unwrap();
        let body = Body::solid(block).continuum(Continuum::neo_hookean(modulus, 0.4)).pin(|x| x.y > 0.199);
        Simulation::builder().body(body).build().unwrap()
    };
    let group = build(1e5).plan()[0].name.clone();
    let (mut built, mut live) = (build(4e5), build(1e5));
    live.scale_stiffness(&group, 3.0).unwrap();
    assert_eq!(live.stiffness_scale(&group), Some(3.0));
    live.scale_stiffness(&group, 4.0).unwrap();
    assert_eq!((live.stiffness_scale(&group), live.stiffness_scale("ropes")), (Some(4.0), None));
    assert_eq!(run(&mut built, 20), run(&mut live, 20));
    let energies = [built.report().energy.elastic, live.report().energy.elastic];
    assert!((energies[0] - energies[1]).abs() < 1e-9 * energies[0], "{energies:?}");
    assert!(matches!(live.set_compliance(&group, 1e-3), Err(LiveError::Compliance { .. })));
}

#[test]
fn what_is_stiffened_is_trusted_and_its_energy_balances() {
    let mut sim =
        watched(sheet().stretch(Compliance::new(1e-2)).pin_vertices([0, 8])).substeps(20).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    for frame in 0..60 {
        match frame {
            20 => sim.scale_stiffness("edges", 4.0).unwrap(),
            40 => sim.set_compliance("edges", 2e-2).unwrap(),
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
    let mut sim: Simulation = Simulation::builder().body(sheet().stretch(Compliance::RIGID)).build().unwrap();
    assert!(matches!(sim.set_compliance("ropes", 0.0), Err(LiveError::NoGroup { .. })));
    assert!(sim.set_compliance("edges", -1.0).is_err());
    assert!(matches!(sim.scale_stiffness("edges", 2.0), Err(LiveError::Compliance { .. })), "it is rigid");
    assert!(sim.scale_stiffness("bending", 0.0).is_err());
}

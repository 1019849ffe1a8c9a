//! Constraints on a body as a whole: pressure, shape matching, tethers.

use nalgebra::Vector3;
use pliant_mesh::{STEINER_POINTS, Split, TetMesh, TriMesh};
use pliant_solver::{Body, Compliance, Continuum, Motion, Pin, Pressure, ShapeMatch, Simulation};

use super::{FRAME, run, standing};

#[test]
fn an_inflated_ball_holds_its_factor() {
    let skin = TriMesh::icosphere(0.2, 5).unwrap();
    for (pressure, expected) in [(Pressure::factor(1.3), 1.3), (Pressure::factor(0.8), 0.8)] {
        let body = Body::cloth(skin.clone()).stretch(Compliance::new(1e-3)).pressure(pressure);
        let builder = Simulation::builder().gravity([0.0; 3]).drag(2.0);
        let mut sim = builder.body(body).build_as::<f64>().unwrap();
        run(&mut sim, 60);
        let now = skin.with_positions(sim.positions()).unwrap();
        let factor = now.enclosed_volume() / skin.enclosed_volume();
        assert!((factor / expected - 1.0).abs() < 1e-3, "{factor}");
        let report = sim.report();
        let residual = report.residual("pressure").unwrap();
        assert_eq!((&*residual.unit, residual.constraints), ("m³", 1));
    }
}

#[test]
fn overpressure_stands_against_the_skin() {
    // The multiplier over h² is the overpressure, which falls with the volume according to the compliance.
    let skin = TriMesh::icosphere(0.2, 4).unwrap();
    let (pressure, compliance) = (200.0, 1e-5);
    let body = Body::cloth(skin.clone())
        .stretch(Compliance::new(1e-3))
        .pressure(Pressure::overpressure(pressure, compliance));
    let builder = Simulation::builder().gravity([0.0; 3]).drag(5.0).substeps(20);
    let mut sim = builder.body(body).build_as::<f64>().unwrap();
    run(&mut sim, 120);
    let grown = skin.with_positions(sim.positions()).unwrap().enclosed_volume() - skin.enclosed_volume();
    let h = FRAME / 20.0;
    let found = sim.multipliers("pressure").unwrap()[0] / (h * h);
    assert!(grown > 1e-5, "{grown}");
    assert!((found - (pressure - grown / compliance)).abs() < 0.01 * pressure, "{found}");
}

#[test]
fn the_boundary_of_a_solid_can_be_filled() {
    let mesh = TetMesh::block([2, 2, 2], [0.2; 3], Split::Five).unwrap();
    let body =
        Body::solid(mesh.clone()).continuum(Continuum::neo_hookean(1e4, 0.2)).pressure(Pressure::factor(1.2));
    let builder = Simulation::builder().gravity([0.0; 3]).drag(5.0);
    let mut sim = builder.body(body).build_as::<f64>().unwrap();
    run(&mut sim, 60);
    let factor = mesh.with_positions(sim.positions()).unwrap().volume() / mesh.volume();
    assert!((factor / 1.2 - 1.0).abs() < 1e-3, "{factor}");
}

#[test]
fn a_rigid_shape_stays_rigid_while_it_tumbles() {
    let mesh = standing([4, 4], [0.3, 0.3]);
    let wild = mesh.positions().iter().map(|x| Vector3::new(x.x, x.y, 0.1 * (x.x * 20.0).sin())).collect();
    let body = Body::cloth(mesh.clone())
        .stretch(Compliance::new(1.0))
        .keep_shape(ShapeMatch::all(Compliance::RIGID))
        .start(wild);
    let mut sim = Simulation::builder().body(body.pin_vertices([0])).build_as::<f64>().unwrap();
    run(&mut sim, 30);
    let (x, rest) = (sim.positions(), mesh.positions());
    assert!((x[15] - rest[15]).norm() > 0.1, "it has swung");
    for i in 0..16 {
        for j in 0..i {
            let change = (x[i] - x[j]).norm() - (rest[i] - rest[j]).norm();
            assert!(change.abs() < 1e-5, "{i} {j}: {change:e}");
        }
    }
    assert!(sim.report().residual("shapes").unwrap().max.value < 1e-5);
}

fn hanging(vertices: usize, tethers: bool) -> f64 {
    let sheet = standing([vertices, vertices], [1.0, 1.0]);
    let top = (vertices * (vertices - 1)) as u32;
    let mut body = Body::cloth(sheet).pin_vertices([top, top + vertices as u32 - 1]);
    if tethers {
        body = body.tethers(0.0);
    }
    let mut sim = Simulation::builder().substeps(10).body(body).build().unwrap();
    run(&mut sim, 29);
    let report = sim.step(FRAME).unwrap();
    report.stretch.unwrap().mean
}

#[test]
fn tethers_keep_a_hanging_sheet_from_stretching() {
    let (with, without) = (hanging(50, true), hanging(50, false));
    eprintln!("mean change of length after half a second: {without} without tethers, {with} with them");
    assert!(with < 0.7 * without, "{with} {without}");
}

#[test]
fn tethers_follow_their_pins_and_go_when_these_let_go() {
    let sheet = standing([8, 8], [0.7, 0.7]);
    let mesh = sheet.clone();
    let corner = |v: u32| Pin::vertices([v]).motion(Motion::linear(Vector3::new(1.0, 0.0, 0.0)));
    let body = Body::cloth(sheet)
        .stretch(Compliance::new(1e-2))
        .tethers(0.0)
        .pin_with(corner(56).release_at(0.3))
        .pin_with(corner(63).release_at(0.6));
    let mut sim = Simulation::builder().body(body).build_as::<f64>().unwrap();
    let tethered = |sim: &Simulation<f64>| sim.plan().iter().find(|g| g.name == "tethers").unwrap().active;
    let within_reach = |sim: &Simulation<f64>, pins: &[u32]| {
        let (ways, x) = (mesh.geodesics(pins, STEINER_POINTS), sim.positions());
        let slack = |v: usize| {
            let anchor = ways.source(v).unwrap() as usize;
            (x[v] - x[anchor]).norm() - ways.distance(v)
        };
        (0..x.len()).map(slack).fold(f64::NEG_INFINITY, f64::max)
    };
    run(&mut sim, 15);
    assert_eq!(tethered(&sim), 62);
    let reach = within_reach(&sim, &[56, 63]);
    assert!((-1e-4..1e-9).contains(&reach), "at least one is taut: {reach}");
    run(&mut sim, 15);
    assert_eq!(tethered(&sim), 63, "the corner that was let go is tethered too");
    assert!(within_reach(&sim, &[63]) < 1e-9);
    let old = mesh.positions()[56] + Vector3::x() * sim.time();
    assert!((sim.positions()[56] - old).norm() > 0.05, "it has left the place of its pin");
    run(&mut sim, 15);
    assert_eq!(tethered(&sim), 0);
}

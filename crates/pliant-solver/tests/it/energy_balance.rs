//! The work of pins and wind in the balance of energy.

use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Assembly, Body, Certificate, Compliance, Constraints, Float, Lanes, Motion, Pin, Plan, Pressure, Samples,
    Settings, ShapeMatch, Simulation, Snapshot, Wind,
};

const H: f64 = 1.0 / 60.0;

fn watched(substeps: u32) -> Settings {
    Settings { substeps, certificate: true, ..Settings::default() }
}

/// Substeps that are solved, so that the loss is only that of implicit steps.
fn solved(substeps: u32) -> Settings {
    Settings { iterations: 40, ..watched(substeps) }
}

/// From `from`, m, by `by`, m, within a second, starting and stopping gently.
fn gently(from: &[Vector3<f64>], by: Vector3<f64>) -> Motion {
    let at = |i: i32| by * (0.5 - 0.5 * libm::cos(PI * f64::from(i.min(1000)) / 1000.0));
    let frames = (0..=1001).map(|i| from.iter().map(|x| x + at(i)).collect()).collect();
    Motion::Samples(Samples::new(0.0, 1000.0, frames))
}

/// Eight links of 0.1 m, each with 0.25 kg at its end, which hang from a pin that moves by `by` within a second.
fn chain<T: Float>(by: Vector3<f64>, compliance: f64, pin: Option<f64>, settings: Settings) -> Simulation<T> {
    let x: Vec<Vector3<f64>> = (0..9).map(|i| Vector3::new(0.0, -0.1 * f64::from(i), 0.0)).collect();
    let w: Vec<f64> = (0..9).map(|i| if i == 0 && pin.is_none() { 0.0 } else { 4.0 }).collect();
    let mut assembly = Assembly::new(x.clone(), w).unwrap();
    let links: Vec<[u32; 2]> = (0..8).map(|i| [i, i + 1]).collect();
    let kinds = vec![Distance { rest: 0.1 }; 8];
    assembly.add(Constraints::new("links", links, kinds, vec![compliance]).unwrap());
    let held = Pin::vertices([0]).motion(gently(&x[..1], by));
    assembly.pin(match pin {
        Some(compliance) => held.compliance(compliance),
        None => held,
    });
    assembly.settings(settings);
    assembly.build().unwrap()
}

/// The sums of the certificates of some frames: work of pins, work of wind, loss; and the change of the energy.
fn balance<T: Float>(sim: &mut Simulation<T>, frames: usize) -> [f64; 4] {
    let before = sim.report().energy.total();
    let mut certificate = Certificate::begin(sim);
    let mut sums = [0.0; 4];
    for _ in 0..frames {
        let frame = certificate.take(&sim.step(H).unwrap());
        for (sum, name) in sums.iter_mut().zip(["work.pins", "work.wind", "energy.loss"]) {
            *sum += frame.get(name).map_or(0.0, |measure| measure.value);
        }
        assert!(frame.get("energy.loss").is_some());
    }
    sums[3] = sim.report().energy.total() - before;
    sums
}

#[test]
fn a_pin_that_lifts_a_chain_does_the_work_of_its_weight() {
    for compliance in [0.0, 1e-6] {
        let errors: Vec<f64> = [10, 20]
            .into_iter()
            .map(|substeps| {
                let up = Vector3::new(0.0, 1.0, 0.0);
                let [work, _, loss, gained] =
                    balance(&mut chain::<f64>(up, compliance, None, solved(substeps)), 75);
                let weight = 8.0 * 0.25 * 9.81;
                assert!((gained - weight).abs() < 0.01 * weight, "it has been lifted: {gained} {weight}");
                assert!((work - gained - loss).abs() < 1e-9 * weight, "the balance is what it says");
                assert!(loss.abs() < 0.02 * weight, "little is lost: {loss} of {work}");
                loss
            })
            .collect();
        assert!(errors[1] < 0.6 * errors[0], "and less in shorter substeps: {errors:?}");
    }
}

#[test]
fn what_a_moving_pin_loses_is_of_first_order() {
    let aside = Vector3::new(0.7, 0.3, -0.4);
    for pin in [None, Some(1e-5)] {
        let [coarse, fine] = [20, 40].map(|substeps| {
            let [work, _, loss, gained] = balance(&mut chain::<f64>(aside, 1e-7, pin, solved(substeps)), 60);
            assert!(work > 1.0 && gained > 1.0, "the chain swings: {work} {gained}");
            assert!(loss > 0.0, "implicit steps lose energy: {loss}");
            assert!(loss < 0.15 * work, "{loss} of {work}");
            loss
        });
        let slope = (coarse / fine).log2();
        assert!((slope - 1.0).abs() < 0.35, "{pin:?}: {coarse} {fine}");
    }
}

#[test]
fn the_work_of_pins_is_that_of_the_constraint_whatever_the_plan() {
    let cloth = || {
        let mesh = TriMesh::grid([30, 30], [0.5, 0.5]).unwrap();
        let edge: Vec<Vector3<f64>> = mesh.positions()[..30].to_vec();
        let motion = gently(&edge, Vector3::new(0.2, 0.4, 0.0));
        Body::cloth(mesh)
            .area_density(0.3)
            .stretch(Compliance::new(1e-5))
            .pin_with(Pin::vertices(0..30).motion(motion))
    };
    let run = |settings: Settings| {
        let mut sim: Simulation = Simulation::builder().settings(settings).body(cloth()).build().unwrap();
        for _ in 0..30 {
            sim.advance(H).unwrap();
        }
        (sim.report().pin_work.unwrap(), sim.state_hash())
    };
    let (work, hash) = run(watched(10));
    assert!(work > 0.05, "{work}");
    let (portable, same) = run(Settings { lanes: Lanes::Portable, ..watched(10) });
    assert_eq!((work.to_bits(), hash), (portable.to_bits(), same), "whatever the instructions");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (threads, same) = pool.install(|| run(watched(10)));
    assert_eq!((work.to_bits(), hash), (threads.to_bits(), same), "whatever the threads");
    let (sequential, _) = run(Settings { plan: Plan::Sequential, ..watched(10) });
    assert!((sequential - work).abs() < 0.02 * work, "{sequential} {work}");

    // Measuring changes nothing.
    let settings = Settings { certificate: false, ..watched(10) };
    let mut unwatched: Simulation = Simulation::builder().settings(settings).body(cloth()).build().unwrap();
    for _ in 0..30 {
        unwatched.advance(H).unwrap();
    }
    assert_eq!(unwatched.state_hash(), hash);
    assert_eq!(unwatched.report().pin_work, None);
    assert!(unwatched.report().driven, "it was not measured");
}

#[test]
fn tethers_pull_at_their_pins() {
    // The edges give way, so the sheet hangs by the tethers.
    let mesh = TriMesh::grid([8, 2], [0.7, 0.1]).unwrap();
    let held: Vec<u32> = (0..).zip(mesh.positions()).filter(|(_, x)| x.x < 1e-9).map(|(v, _)| v).collect();
    let places: Vec<Vector3<f64>> = held.iter().map(|&v| mesh.positions()[v as usize]).collect();
    let pin = Pin::vertices(held).motion(gently(&places, Vector3::new(0.0, 1.5, 0.0)));
    let body = Body::cloth(mesh).area_density(1.0).stretch(Compliance::new(1e3)).pin_with(pin).tethers(0.0);
    let mut sim = Simulation::builder().settings(watched(30)).body(body).build_as::<f64>().unwrap();
    let [work, _, loss, gained] = balance(&mut sim, 60);
    assert!(work > 0.3, "{work}");
    assert!(gained > 0.0 && loss > -0.01 * work && loss < 0.5 * work, "{work} {loss} {gained}");
}

#[test]
fn wind_does_the_work_that_moves_a_free_sheet() {
    let body = || {
        Body::cloth(TriMesh::grid([9, 9], [1.0, 1.0]).unwrap())
            .area_density(0.5)
            .stretch(Compliance::new(1e-4))
    };
    let wind = Wind { velocity: Vector3::new(0.0, 3.0, 0.0), ..Wind::default() };
    let still = Settings { gravity: Vector3::zeros(), ..watched(10) };
    let mut sim = Simulation::builder().settings(still).wind(wind).body(body()).build_as::<f64>().unwrap();
    let [pins, work, _, gained] = balance(&mut sim, 30);
    assert_eq!(pins, 0.0);
    assert!(work > 0.1, "{work}");
    assert!((gained - work).abs() < 0.01 * work, "it flies as a whole: {gained} {work}");

    // A held sheet flutters, and its loss is that of implicit steps.
    let blow = Wind { velocity: Vector3::new(4.0, 0.0, 1.0), ..Wind::default() };
    let [coarse, fine] = [20, 40].map(|substeps| {
        let body = body().pin_vertices([0, 8]);
        let builder = Simulation::builder().settings(solved(substeps)).wind(blow).body(body);
        let [pins, work, loss, _] = balance(&mut builder.build_as::<f64>().unwrap(), 40);
        assert_eq!(pins, 0.0, "what stays does no work");
        assert!(work.abs() > 0.05 && loss > 0.0, "{work} {loss}");
        loss
    });
    assert!(fine < 0.75 * coarse, "{coarse} {fine}");
}

#[test]
fn what_is_not_there_or_not_known_is_not_told() {
    // A pin that stays.
    let sheet = || Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5]).unwrap());
    let sim: Simulation =
        Simulation::builder().settings(watched(4)).body(sheet().pin_vertices([0])).build().unwrap();
    let certificate = Certificate::begin(&sim);
    assert!(!certificate.quantities().iter().any(|name| name == "work.pins" || name == "work.wind"));
    assert_eq!((sim.report().pin_work, sim.report().wind_work), (None, None));

    // The pull of a matched shape on a pin is not known.
    let up = Motion::linear(Vector3::new(0.0, 0.5, 0.0));
    let body = sheet()
        .keep_shape(ShapeMatch::all(Compliance::new(1e-4)))
        .pin_with(Pin::vertices([0]).motion(up.clone()));
    let mut sim: Simulation = Simulation::builder().settings(watched(4)).body(body).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    let report = sim.step(H).unwrap();
    assert!(report.driven && certificate.take(&report).get("energy.loss").is_none());

    // That of enclosed air is known; in the frame in which a pin is released, the energies belong to other
    // particles.
    let ball = TriMesh::icosphere(0.3, 2).unwrap();
    let pin = Pin::vertices([0]).motion(up).release_at(2.5 * H);
    let body = Body::cloth(ball).stretch(Compliance::new(1e-4)).pressure(Pressure::factor(1.2)).pin_with(pin);
    let mut sim: Simulation = Simulation::builder().settings(watched(8)).body(body).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    let told: Vec<bool> =
        (0..5).map(|_| certificate.take(&sim.step(H).unwrap()).get("energy.loss").is_some()).collect();
    assert_eq!(told, [true, true, false, true, true]);
}

#[test]
fn work_is_part_of_the_state() {
    let up = Vector3::new(0.0, 1.0, 0.0);
    let build = || chain::<f32>(up, 0.0, None, watched(6));
    let (mut sim, mut other) = (build(), build());
    for _ in 0..10 {
        sim.advance(H).unwrap();
    }
    other.restore(&Snapshot::from_bytes(&sim.snapshot().to_bytes(), &other).unwrap());
    let (a, b) = (sim.step(H).unwrap(), other.step(H).unwrap());
    assert!(a.pin_work.unwrap() > 0.0);
    assert_eq!(a, b);
}

//! Bodies that are added and removed.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{
    Body, Certificate, Collide, Compliance, ContactPair, Grade, LiveError, Method, NonFinite, Now, Obstacle,
    Pairs, Pass, Pin, Simulation, SimulationBuilder, Stiffness, Stitch, Work, World,
};

use super::{DT, run, sheet, watched};

fn block(name: &str, height: f64) -> Body {
    let mesh =
        TetMesh::block([2, 2, 2], [0.1; 3], Split::Kuhn).unwrap().translated([0.0, height, 0.0]).unwrap();
    Body::solid(mesh).name(name).stretch(Compliance::new(1e-5)).velocity(Vector3::new(0.0, -1.0, 0.0))
}

fn scene() -> SimulationBuilder {
    watched(sheet().pin_vertices([0, 8])).obstacle(Obstacle::floor(-0.5))
}

#[test]
fn a_body_that_comes_at_the_start_is_one_that_was_built() {
    let mut built = scene().body(block("a", 0.3)).body(block("b", 0.6).pin_vertices([0])).build().unwrap();
    let mut live = scene().body(block("a", 0.3)).build().unwrap();
    live.add_body(block("b", 0.6).pin_vertices([0])).unwrap();
    assert_eq!(run(&mut built, 30), run(&mut live, 30));
}

#[test]
fn a_body_that_goes_at_the_start_was_never_there() {
    let mut plain = scene().body(block("b", 0.6).pin_vertices([3])).build().unwrap();
    let mut live = scene()
        .body(block("a", 0.3).pin_vertices([1, 2]))
        .body(block("b", 0.6).pin_vertices([3]))
        .build()
        .unwrap();
    let body = live.body("a").unwrap();
    live.remove_body(body).unwrap();
    assert_eq!(live.remove_body(body).map(drop), Err(LiveError::Gone { what: "body" }));
    assert_eq!(live.pins().count(), 2);
    assert_eq!(run(&mut plain, 30), run(&mut live, 30));
}

#[test]
fn the_others_keep_their_state_and_their_handles() {
    let mut sim = scene().body(block("a", 0.3)).body(block("b", 0.6)).build().unwrap();
    let [cloth, a, b] = [0, 1, 2].map(|i| sim.bodies().nth(i).unwrap());
    let first_b = sim.body_range(b).unwrap().particles.start;
    let pin = sim.pin([first_b, first_b + 1, 81]).unwrap();
    let (hand, lost) =
        (sim.grab(first_b + 5, Stiffness::new(100.0)).unwrap(), sim.grab(81, Stiffness::new(100.0)).unwrap());
    sim.set_force(80, Vector3::new(0.0, 0.1, 0.0)).unwrap();
    sim.scale_stiffness("edges", 0.5).unwrap();
    run(&mut sim, 10);
    let report = sim.report();
    let states =
        [sim.positions_of(b), sim.velocities_of(b), sim.positions_of(cloth), sim.velocities_of(cloth)];
    sim.remove_body(a).unwrap();
    assert_eq!(
        [sim.positions_of(b), sim.velocities_of(b), sim.positions_of(cloth), sim.velocities_of(cloth)],
        states
    );
    assert_eq!(sim.body_range(b).unwrap().particles, 81..108);
    assert_eq!(sim.pinned(pin).unwrap(), [81, 82]);
    assert!(sim.grab_force(hand).is_some() && sim.grab_force(lost).is_none());
    // Residuals of the remaining bodies are unchanged, because multipliers are kept.
    let after = sim.report();
    for name in ["edges", "bending"] {
        let [before, after] = [&report, &after].map(|report| report.residual(name).unwrap().max.value);
        assert!(after <= before && after > 0.0, "{name}: {after} after {before}");
    }
    let bending = [&report, &after].map(|report| report.residual("bending").unwrap().clone());
    assert_eq!(bending[0], bending[1], "only the sheet has hinges");
    let there = sim.position(81);
    run(&mut sim, 5);
    assert_eq!(sim.position(81), there, "it is held");
    sim.unpin(pin).unwrap();
    sim.let_go(hand).unwrap();
    run(&mut sim, 5);
    assert!(sim.position(81).y < there.y);
}

#[test]
fn what_comes_and_goes_is_trusted() {
    let mut sim = scene().substeps(20).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    let mut guest = None;
    for frame in 0..60 {
        match frame {
            10 => guest = Some(sim.add_body(block("guest", 0.4)).unwrap()),
            40 => drop(sim.remove_body(guest.unwrap()).unwrap()),
            _ => {}
        }
        let taken = certificate.take(&sim.step(DT).unwrap());
        assert_eq!(taken.get("energy.loss").is_none(), frame == 10 || frame == 40, "frame {frame}");
    }
    assert!(certificate.judgement().grade() <= Grade::Rough, "{}", certificate.judgement());
}

#[test]
fn the_same_calls_give_the_same_bits_from_a_checkpoint_on() {
    let go_on = |sim: &mut Simulation| {
        let guest = sim.add_body(block("guest", 0.4)).unwrap();
        run(sim, 5);
        sim.remove_body(guest).unwrap();
        let a = sim.body("a").unwrap();
        sim.remove_body(a).unwrap();
        run(sim, 5)
    };
    let mut sim = scene().body(block("a", 0.3)).build().unwrap();
    run(&mut sim, 5);
    let corner = sim.pin([80]).unwrap();
    let taken = sim.snapshot();
    let once = go_on(&mut sim);
    sim.restore(&taken);
    assert_eq!(sim.body_ranges().len(), 2);
    assert_eq!(sim.pinned(corner).unwrap(), [80]);
    assert_eq!(go_on(&mut sim), once);
    // Another simulation gets the bodies of the state.
    let mut other = scene().body(block("x", 0.8)).body(block("y", 1.0)).build().unwrap();
    let x = other.body("x").unwrap();
    other.remove_body(x).unwrap();
    other.restore(&taken);
    assert_eq!(go_on(&mut other), once);
}

#[test]
fn coarse_levels_newtons_method_contact_pairs_and_soft_pins_come_along() {
    for method in [Method::Coarse, Method::Newton] {
        let soft = Pin::vertices([0, 8]).compliance(1e-4);
        let cloth = sheet().stretch(Compliance::RIGID).pin_with(soft).collide(Collide::new());
        let build = |with: bool| {
            let scene = Simulation::builder().method(method).body(cloth.clone());
            let guest = block("guest", 0.1).stretch(Compliance::RIGID).collide(Collide::new());
            let pair = ContactPair::new("sheet", "guest").friction(0.9);
            let scene = if with { scene.body(guest.clone()).contact_pair(pair) } else { scene };
            (scene.build().unwrap(), guest)
        };
        let (mut built, guest) = build(true);
        let (mut live, _) = build(true);
        let body = live.body("guest").unwrap();
        live.remove_body(body).unwrap();
        let (mut alone, _) = build(false);
        let start = alone.snapshot();
        assert_eq!(run(&mut alone, 5), run(&mut live, 5));
        live.restore(&start);
        live.add_body(guest).unwrap();
        assert_eq!(run(&mut built, 10), run(&mut live, 10), "{method:?}");
    }
}

struct Idle;

impl Pass<f32> for Idle {
    fn name(&self, _: &World<f32>) -> String {
        "idle".into()
    }

    fn run(&mut self, _: &mut World<f32>, _: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(Work::Known)
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let stitch = Stitch::vertices(
        "sheet",
        1,
        Pairs::listed([[80, 0]]),
        [pliant_constraints::stitch::VertexVertexStitch::default()],
    );
    let mut sim = scene().body(block("a", 0.0)).body(block("b", 1.0)).stitch(stitch).build().unwrap();
    let hash = sim.state_hash();
    for name in ["sheet", "a"] {
        let body = sim.body(name).unwrap();
        assert_eq!(sim.remove_body(body).map(drop), Err(LiveError::Tied { body: name.into() }));
    }
    assert!(sim.add_body(block("c", 0.0).density(-1.0)).is_err());
    assert_eq!((sim.state_hash(), sim.body_ranges().len()), (hash, 3));
    let free = sim.body("b").unwrap();
    sim.remove_body(free).unwrap();
    let mut alone = watched(sheet()).build().unwrap();
    let body = alone.body("sheet").unwrap();
    assert!(matches!(alone.remove_body(body).map(drop), Err(LiveError::Description(_))));
    alone.insert("predict", Box::new(Idle)).unwrap();
    assert_eq!(alone.add_body(block("c", 0.0)), Err(LiveError::OwnPasses));
}

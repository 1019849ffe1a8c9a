//! One answer: the same bits for any number of threads, and nearly the same for any order and precision.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Compliance, Float, Masses, Obstacle, Pin, Plan, Simulation};

const FRAME: f64 = 1.0 / 60.0;

/// A soft block that falls on a floor beside a hanging sheet.
fn scene<T: Float>(plan: Plan, iterations: u32) -> Simulation<T> {
    let block = TetMesh::block([6, 5, 5], [0.6, 0.5, 0.5], Split::Five).unwrap();
    let raised = block.positions().iter().map(|x| x + Vector3::y() * 0.05).collect();
    let block = block.with_positions(raised).unwrap();
    let sheet = TriMesh::grid([21, 21], [1.0, 1.0]).unwrap();
    let place = sheet.positions().iter().map(|x| x + Vector3::new(2.0, 1.5, 0.0)).collect();
    let sheet = sheet.with_positions(place).unwrap();
    Simulation::builder()
        .plan(plan)
        .iterations(iterations)
        .body(Body::solid(block).name("block").stretch(Compliance::new(1e-5)).volume(Compliance::new(1e-8)))
        .body(
            Body::cloth(sheet)
                .name("sheet")
                .stretch(Compliance::new(1e-6))
                .bend(Compliance::new(1e-2))
                .pin_with(Pin::vertices([0, 20])),
        )
        .obstacle(Obstacle::floor(0.0).friction(0.4))
        .build_as()
        .unwrap()
}

fn hashes<T: Float>(plan: Plan, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = scene::<T>(plan, 2);
        (0..12).map(|_| sim.step(FRAME).unwrap().state_hash).collect()
    })
}

#[test]
fn threads_do_not_change_a_bit() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        let one = hashes::<f32>(plan, 1);
        assert!(one.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
        assert_eq!(one, hashes::<f32>(plan, 2), "{plan:?}");
        assert_eq!(one, hashes::<f32>(plan, 3), "{plan:?}");
    }
    assert_eq!(hashes::<f64>(Plan::Auto, 1), hashes::<f64>(Plan::Auto, 3));
}

#[test]
fn many_elements_in_parallel_do_not_change_a_bit() {
    // Enough of them that every pass is divided among the threads.
    let run = |plan, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let block = TetMesh::block([16, 16, 16], [1.0, 1.0, 1.0], Split::Kuhn).unwrap();
            let body =
                Body::solid(block).stretch(Compliance::new(1e-6)).velocity(Vector3::new(0.1, -3.0, 0.0));
            let floor = Obstacle::floor(-0.01).friction(0.3).restitution(0.2);
            let builder = Simulation::builder().plan(plan).substeps(3).damping(0.5);
            let mut sim = builder.body(body).obstacle(floor).build().unwrap();
            (0..2).for_each(|_| sim.advance(FRAME).unwrap());
            sim.step(FRAME).unwrap()
        })
    };
    for plan in [Plan::Ordered, Plan::Clustered] {
        let one = run(plan, 1);
        assert!(one.contacts > 0);
        // The report too: its sums are taken in a fixed order.
        assert_eq!(one, run(plan, 2), "{plan:?}");
        assert_eq!(one, run(plan, 3), "{plan:?}");
    }
}

#[test]
fn a_run_can_be_repeated() {
    assert_eq!(hashes::<f32>(Plan::Auto, 2), hashes::<f32>(Plan::Auto, 2));
}

/// A sheet that sags between two corners until it is at rest, and the residual of its equations, m.
fn at_rest<T: Float>(plan: Plan) -> (Vec<Vector3<f64>>, f64) {
    let sheet = TriMesh::grid([9, 9], [0.8, 0.8]).unwrap();
    let corners = Pin::vertices([0, 8, 72, 80]);
    let body = Body::cloth(sheet)
        .masses(Masses::Lumped)
        .stretch(Compliance::new(1e-4))
        .bend(Compliance::new(1e-1))
        .pin_with(corners);
    let builder = Simulation::builder().plan(plan).substeps(10).iterations(20).drag(4.0);
    let mut sim = builder.body(body).build_as::<T>().unwrap();
    (0..299).for_each(|_| sim.advance(FRAME).unwrap());
    let report = sim.step(FRAME).unwrap();
    assert!(report.energy.kinetic < 1e-8, "at rest: {report}");
    (sim.positions(), report.residual("edges").unwrap().max.value)
}

fn difference(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn every_order_finds_the_same_rest_within_the_residual() {
    let (sequential, residual) = at_rest::<f64>(Plan::Sequential);
    for plan in [Plan::Ordered, Plan::Clustered] {
        let (other, its_own) = at_rest::<f64>(plan);
        // Eight edges to the middle, each with an error of at most the residual; the excess length of a path
        // changes the sag two or three times as much.
        let allowed = 24.0 * (residual + its_own) + 1e-6;
        let found = difference(&sequential, &other);
        assert!(found < allowed, "{plan:?}: {found:e} apart, residuals {residual:e} and {its_own:e}");
    }
}

#[test]
fn single_precision_finds_the_same_rest() {
    for plan in [Plan::Sequential, Plan::Clustered] {
        let (double, _) = at_rest::<f64>(plan);
        let (single, _) = at_rest::<f32>(plan);
        let found = difference(&double, &single);
        assert!(found < 2e-3, "{plan:?}: {found:e}");
    }
}

#[test]
fn single_and_double_precision_start_out_together() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        let (mut single, mut double) = (scene::<f32>(plan, 2), scene::<f64>(plan, 2));
        for _ in 0..10 {
            single.advance(FRAME).unwrap();
            double.advance(FRAME).unwrap();
        }
        let found = difference(&single.positions(), &double.positions());
        assert!(found < 1e-3, "{plan:?}: {found:e}");
    }
}

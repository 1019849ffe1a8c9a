//! The clustered plan: the same bits for any number of threads and any lanes, and the caller's numbering outside.

use nalgebra::Vector3;
use pliant_constraints::{Distance, TetVolume};
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Assembly, Body, Compliance, Constraints, Float, Lanes, Motion, Obstacle, Pin, Plan, Settings, Simulation,
    SweepOrder,
};
use rayon::prelude::*;

/// A block that falls beside a sheet, with pins that move and are released: every kind of constraint, in many
/// clusters. There are enough of them that every pass runs in parallel.
fn scene<T: Float>(plan: Plan, lanes: Lanes) -> Simulation<T> {
    let block = TetMesh::block([14, 16, 16], [0.7, 0.8, 0.8], Split::Kuhn).unwrap();
    let sheet = TriMesh::grid([31, 299], [0.1, 1.0]).unwrap();
    let swing = Motion::linear(Vector3::new(0.0, 0.3, 0.1));
    Simulation::builder()
        .plan(plan)
        .lanes(lanes)
        .substeps(4)
        .iterations(2)
        .body(
            Body::solid(block)
                .name("block")
                .stretch(Compliance::new(1e-6))
                .volume(Compliance::new(1e-9))
                .velocity(Vector3::new(0.3, -2.0, 0.0)),
        )
        .body(
            Body::cloth(sheet)
                .name("sheet")
                .bend(Compliance::new(0.01))
                .pin_with(Pin::vertices([0]).motion(swing.clone()).release_at(0.02))
                .pin_with(Pin::vertices([30]).motion(swing).compliance(1e-4)),
        )
        .obstacle(Obstacle::floor(-0.1).friction(0.4))
        .build_as()
        .unwrap()
}

const FRAMES: usize = 4;

fn run<T: Float>(plan: Plan, lanes: Lanes, threads: usize) -> (u64, Vec<Vector3<f64>>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = scene::<T>(plan, lanes);
        for _ in 0..FRAMES {
            sim.advance(1.0 / 60.0).unwrap();
        }
        (sim.state_hash(), sim.positions())
    })
}

#[test]
fn threads_and_lanes_do_not_change_a_bit() {
    let (single, _) = run::<f32>(Plan::Clustered, Lanes::Auto, 1);
    let (double, _) = run::<f64>(Plan::Clustered, Lanes::Auto, 1);
    assert_ne!(single, double);
    for threads in [1, 2, 3, 4, 8] {
        for lanes in [Lanes::Auto, Lanes::Portable] {
            assert_eq!(
                run::<f32>(Plan::Clustered, lanes, threads).0,
                single,
                "f32, {threads} threads, {lanes:?}"
            );
            assert_eq!(
                run::<f64>(Plan::Clustered, lanes, threads).0,
                double,
                "f64, {threads} threads, {lanes:?}"
            );
        }
    }
}

#[test]
fn the_state_is_that_of_this_version() {
    // Debug and release, one process and another, one machine and another: the bits are part of the
    // interface. A change of the order of operations changes this number, and belongs in the changelog.
    assert_eq!(format!("{:016x}", run::<f32>(Plan::Clustered, Lanes::Auto, 2).0), EXPECTED);
}

#[test]
fn triangles_of_a_large_sheet_do_not_change_a_bit() {
    // Enough particles that edges are projected as the sides of triangles.
    let sheet = TriMesh::grid([201, 200], [2.0, 2.0]).unwrap();
    let hash = |lanes: Lanes, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let body =
                Body::cloth(sheet.clone()).pin_with(Pin::vertices([0]).release_at(0.02)).pin_vertices([200]);
            let builder = Simulation::builder().plan(Plan::Clustered).lanes(lanes).substeps(4).body(body);
            let mut sim = builder.build_as::<f32>().unwrap();
            let layout = &sim.plan()[0].layout;
            assert!(2 * layout.triangle_packs > layout.packs, "{layout:?}");
            let before = sim.snapshot();
            (0..3).for_each(|_| sim.advance(1.0 / 60.0).unwrap());
            let first = sim.state_hash();
            // The released pin holds again, and constraints are planned again.
            sim.restore(&before);
            (0..3).for_each(|_| sim.advance(1.0 / 60.0).unwrap());
            assert_eq!(sim.state_hash(), first);
            first
        })
    };
    let one = hash(Lanes::Auto, 1);
    assert_eq!(one, hash(Lanes::Portable, 2));
    assert_eq!(one, hash(Lanes::Auto, 3));
}

const EXPECTED: &str = "68f0213e4cbeaf88";

#[test]
fn results_are_in_the_callers_numbering() {
    let (_, clustered) = run::<f64>(Plan::Clustered, Lanes::Auto, 1);
    let (_, sequential) = run::<f64>(Plan::Sequential, Lanes::Auto, 1);
    let start = scene::<f64>(Plan::Clustered, Lanes::Auto).positions();
    assert_eq!(start, scene::<f64>(Plan::Sequential, Lanes::Auto).positions());
    // The sheet is too stiff for different orders to agree with so few substeps; the block is not.
    let block = scene::<f64>(Plan::Clustered, Lanes::Auto).body_ranges()[0].particles.clone();
    let n = block.len() as f64;
    let apart =
        clustered[block.clone()].iter().zip(&sequential[block]).map(|(a, b)| (a - b).norm()).sum::<f64>() / n;
    assert!(apart < 0.01, "the plans differ by {apart} m on average: more than their order explains");
}

#[test]
fn the_ordered_plan_is_the_sequential_one() {
    for lanes in [Lanes::Auto, Lanes::Portable] {
        assert_eq!(
            run::<f32>(Plan::Ordered, lanes, 2).1,
            run::<f32>(Plan::Sequential, lanes, 1).1,
            "f32, {lanes:?}"
        );
        assert_eq!(run::<f64>(Plan::Ordered, lanes, 1).1, run::<f64>(Plan::Sequential, lanes, 1).1);
    }
}

#[test]
fn clusters_give_what_their_order_gives_one_by_one() {
    // A net of springs and a block's volumes, in the order of the clustered plan, given to a sequential
    // simulation: not a bit differs.
    let block = TetMesh::block([9, 8, 7], [0.9, 0.8, 0.7], Split::Kuhn).unwrap();
    let x = block.positions().to_vec();
    let edges = block.edges();
    let assemble = |plan: Plan, order: Option<(&[u32], &[u32])>, sweeps: SweepOrder| {
        let mut assembly = Assembly::new(x.clone(), vec![1.0; x.len()]).unwrap();
        let all = |n: usize| (0..n as u32).collect::<Vec<u32>>();
        let (e, v) = order
            .map_or_else(|| (all(edges.len()), all(block.tets().len())), |(e, v)| (e.to_vec(), v.to_vec()));
        let pairs: Vec<[u32; 2]> = e.iter().map(|&i| edges[i as usize]).collect();
        let lengths = pairs.iter().map(|p| Distance::at_rest(&p.map(|v| x[v as usize]))).collect();
        let tets: Vec<[u32; 4]> = v.iter().map(|&i| block.tets()[i as usize]).collect();
        let volumes = tets.iter().map(|t| TetVolume::at_rest(&t.map(|v| x[v as usize]))).collect();
        assembly.add(Constraints::new("edges", pairs, lengths, vec![1e-5]).unwrap());
        assembly.add(Constraints::new("volumes", tets, volumes, vec![0.0]).unwrap());
        assembly.pin(Pin::vertices([0, 5, 9]));
        assembly.settings(Settings { plan, order: sweeps, iterations: 2, ..Settings::default() });
        let mut sim = assembly.build::<f64>().unwrap();
        for _ in 0..5 {
            sim.advance(1.0 / 60.0).unwrap();
        }
        sim
    };
    for sweeps in [SweepOrder::Fixed, SweepOrder::Random, SweepOrder::Symmetric] {
        let clustered = assemble(Plan::Clustered, None, sweeps);
        let edge_order = clustered.projection_order("edges").unwrap();
        let volume_order = clustered.projection_order("volumes").unwrap();
        let sequential = assemble(Plan::Sequential, Some((&edge_order, &volume_order)), sweeps);
        assert_eq!(clustered.positions(), sequential.positions(), "{sweeps:?}");
        assert_ne!(clustered.positions(), assemble(Plan::Sequential, None, sweeps).positions());
    }

    let clustered = assemble(Plan::Clustered, None, SweepOrder::Fixed);
    let report = clustered.report();
    let worst = |group: &str| clustered.cluster_residuals(group).unwrap().into_iter().fold(0.0, f64::max);
    assert_eq!(worst("edges"), report.residuals[0].max.value);
    assert_eq!(worst("volumes"), report.residuals[1].max.value);
}

#[test]
fn simulations_step_side_by_side_in_a_small_pool() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let hashes: Vec<u64> = pool.install(|| {
            (0..8)
                .into_par_iter()
                .map(|_| {
                    let mut sim = scene::<f32>(Plan::Clustered, Lanes::Auto);
                    sim.advance(1.0 / 60.0).unwrap();
                    sim.state_hash()
                })
                .collect()
        });
        assert!(hashes.iter().all(|&h| h == hashes[0]));
    }
}

#[test]
fn the_layout_accounts_for_every_constraint() {
    let sim = scene::<f32>(Plan::Clustered, Lanes::Auto);
    for group in sim.plan() {
        let layout = &group.layout;
        assert_eq!(layout.colour_sizes.iter().sum::<usize>(), group.active, "{}", group.name);
        assert_eq!(layout.packs * 8, group.active + layout.empty_lanes, "{}", group.name);
        assert!(group.name == "targets" || layout.clusters > 1, "{}", group.name);
        assert!(group.active <= group.constraints);
    }
}

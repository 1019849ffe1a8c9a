//! The same bits for any threads, lanes and runs.

use nalgebra::Vector3;
use pliant_constraints::stitch::VertexEdgeStitch;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Compliance, Continuum, Float, Lanes, Obstacle, Pairs, Pin, Plan, Simulation, Stitch,
};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Table;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "determinism",
    title: "Determinism",
    what: "
A soft block falls on a floor with friction beside a neo-Hookean block and two sheets that are sewn together: contacts, edges, bending, volumes, solids and stitches. Every plan runs it on 1, 2, 3 and 8
threads, with the widest lanes of the processor and with portable ones, twice each. After every one of twelve frames a hash of all bits of positions and velocities is taken: over all these
runs of a plan there must be one sequence of hashes, each of another state.
",
    measure,
};

fn sheet(at: [f64; 3]) -> Result<TriMesh, Problem> {
    let grid = TriMesh::grid([17, 17], [0.8, 0.8])?;
    let x = grid.positions().iter().map(|x| Vector3::new(x.x, -x.z, 0.0) + Vector3::from(at)).collect();
    Ok(grid.with_positions(x)?)
}

fn scene<T: Float>(plan: Plan, lanes: Lanes) -> Result<Simulation<T>, Problem> {
    let block = TetMesh::block([6, 5, 5], [0.6, 0.5, 0.5], Split::Five)?;
    let raised = block.positions().iter().map(|x| x + Vector3::y() * 0.02).collect();
    let block = block.with_positions(raised)?;
    let rubber = TetMesh::block([4, 4, 4], [0.4; 3], Split::Kuhn)?;
    let aside = rubber.positions().iter().map(|x| x + Vector3::new(-1.0, 0.02, 0.0)).collect();
    let rubber = rubber.with_positions(aside)?;
    let seam = VertexEdgeStitch { min_separate_distance: 0.01, ..VertexEdgeStitch::elastic(1e5, 0.3)? };
    let upper = Body::cloth(sheet([2.0, 2.0, 0.0])?)
        .name("upper")
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1e-2));
    let lower = Body::cloth(sheet([2.0, 1.18, 0.0])?)
        .name("lower")
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1e-2));
    Ok(Simulation::builder()
        .plan(plan)
        .lanes(lanes)
        .iterations(2)
        .body(Body::solid(block).name("block").stretch(Compliance::new(1e-5)).volume(Compliance::new(1e-8)))
        .body(Body::solid(rubber).name("rubber").continuum(Continuum::neo_hookean(1e5, 0.3)))
        .body(upper.pin_with(Pin::select(|x| x.y > 2.4 - 1e-9)))
        .body(lower)
        .stitch(Stitch::edges("lower", "upper", Pairs::within(0.021), [seam]))
        .obstacle(Obstacle::floor(0.0).friction(0.4))
        .build_as()?)
}

fn hashes<T: Float>(plan: Plan, lanes: Lanes, threads: usize) -> Result<Vec<u64>, Problem> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| {
        let mut sim = scene::<T>(plan, lanes)?;
        (0..12).map(|_| Ok(sim.step(1.0 / 60.0)?.state_hash)).collect()
    })
}

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let columns = ["plan", "precision", "runs", "different results"];
    let mut table = Table::new("Hashes of the state", columns);
    for (name, plan) in
        [("sequential", Plan::Sequential), ("ordered", Plan::Ordered), ("clustered", Plan::Clustered)]
    {
        for (precision, all) in [("f32", of_all::<f32>(plan, scope)?), ("f64", of_all::<f64>(plan, scope)?)] {
            let mut different = all.clone();
            different.sort();
            different.dedup();
            let moves = all.first().is_some_and(|run| run.windows(2).all(|pair| pair[0] != pair[1]));
            let count = if moves { different.len() as f64 } else { f64::NAN };
            let check = Check::near(format!("{name} plan, {precision}, different results"), 1.0, count, 0.0);
            findings.check(check.from("the same bits").drifting(0.0));
            let cells = [name.to_owned(), precision.to_owned(), all.len().to_string()];
            table.row(cells.into_iter().chain([different.len().to_string()]));
        }
    }
    findings.tables.push(table);
    Ok(findings)
}

/// The sequences of hashes of all threads and lanes, twice.
fn of_all<T: Float>(plan: Plan, scope: Scope) -> Result<Vec<Vec<u64>>, Problem> {
    let mut all = Vec::new();
    for _ in 0..if scope.is_full() { 2 } else { 1 } {
        for &threads in scope.pick(&[1, 3], &[1, 2, 3, 8]) {
            for lanes in [Lanes::Auto, Lanes::Portable] {
                all.push(hashes::<T>(plan, lanes, threads)?);
            }
        }
    }
    Ok(all)
}

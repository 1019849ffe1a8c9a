//! Measures the sweeps over one group of constraints, without prediction and velocities.

use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use pliant_benches::scenes::{DT, SUBSTEPS};
use pliant_mesh::{TetMesh, lumped_mass_tets};
use pliant_solver::{Assembly, BuildError, Constraints, Float, Pin, Plan, Settings, Simulation};

/// Measures a group of constraints on a block that hangs by its top layer, in every order and precision, by
/// one thread. A throughput of one element is one projection.
///
/// # Panics
///
/// If the constraints cannot be simulated.
pub(crate) fn bench(
    c: &mut Criterion,
    name: &str,
    mesh: &TetMesh,
    constraints: impl Fn() -> Result<Constraints, BuildError>,
) {
    let mut group = c.benchmark_group(name);
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    // A pool of one: the calling thread would otherwise hand work to as many as there are.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        measure::<f32>(&mut group, &pool, plan, mesh, &constraints);
        measure::<f64>(&mut group, &pool, plan, mesh, &constraints);
    }
    group.finish();
}

fn measure<T: Float>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    pool: &rayon::ThreadPool,
    plan: Plan,
    mesh: &TetMesh,
    constraints: &impl Fn() -> Result<Constraints, BuildError>,
) {
    let mut sim = constraints()
        .and_then(|constraints| simulation::<T>(mesh, plan, constraints))
        .expect("the block can be simulated");
    let projections = sim.plan().iter().map(|group| group.active).sum::<usize>() as u64 * u64::from(SUBSTEPS);
    group.throughput(Throughput::Elements(projections));
    let swept = |sim: &Simulation<T>| sim.sweep_times().map(|(_, time)| time).sum::<Duration>();
    group.bench_function(format!("{plan:?}, {}", T::NAME), |b| {
        b.iter_custom(|frames| {
            let before = swept(&sim);
            for _ in 0..frames {
                pool.install(|| sim.advance(DT)).expect("the block does not break down");
            }
            swept(&sim) - before
        });
    });
}

fn simulation<T: Float>(
    mesh: &TetMesh,
    plan: Plan,
    constraints: Constraints,
) -> Result<Simulation<T>, BuildError> {
    let weights = lumped_mass_tets(mesh, 1000.0).into_iter().map(|mass| 1.0 / mass).collect();
    let mut assembly = Assembly::new(mesh.positions().to_vec(), weights)?;
    assembly.add(constraints).pin(Pin::select(|x| x.y > 1.0 - 1e-9));
    assembly.settings(Settings { substeps: SUBSTEPS, plan, ..Settings::default() });
    assembly.build()
}

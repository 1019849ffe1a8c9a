//! What do constraints cost that are found again in every substep? Twenty thousand pairs by chance among six thousand
//! particles, planned once and found again: a sweep, and a whole frame with the
//! finding. One thread.
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use std::error::Error;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::Vector3;
use pliant_benches::scenes::{DT, SUBSTEPS};
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints, Find, Found, Plan, Predicted, Settings, Simulation};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const PARTICLES: usize = 6000;
const PAIRS: u32 = 20_000;
/// m/N, so that nothing flies apart.
const COMPLIANCE: f64 = 1e-2;

/// Numbers by chance below [`PARTICLES`].
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % PARTICLES as u64) as u32
    }

    fn pair(&mut self) -> [u32; 2] {
        let a = self.next();
        std::iter::repeat_with(|| self.next()).find(|&b| b != a).map_or([0, 1], |b| [a, b])
    }
}

/// Other pairs in every substep.
struct Anew(Dice);

impl Find<Distance<f64>, 2, 1> for Anew {
    fn find(&mut self, _: &Predicted<'_>, found: &mut Found<'_, Distance<f64>, 2>) {
        for _ in 0..PAIRS {
            found.add(self.0.pair(), &Distance { rest: 0.5 }, COMPLIANCE);
        }
    }
}

fn simulation(pairs: Constraints) -> Result<Simulation> {
    let x = (0..PARTICLES).map(|i| i as f64).map(|i| Vector3::new(i.sin(), (1.7 * i).cos(), (2.3 * i).sin()));
    let mut assembly = Assembly::new(x.collect(), vec![1.0; PARTICLES])?;
    let settings = Settings { substeps: SUBSTEPS, plan: Plan::Clustered, ..Settings::default() };
    assembly.settings(Settings { gravity: Vector3::zeros(), ..settings }).add(pairs);
    Ok(assembly.build()?)
}

/// Frames, and the time of the sweeps alone or of all.
fn frames(sim: &mut Simulation, count: u64, sweeps: bool) -> Duration {
    let swept = |sim: &Simulation| sim.sweep_times().map(|(_, time)| time).sum::<Duration>();
    let (before, start) = (swept(sim), Instant::now());
    for _ in 0..count {
        sim.advance(DT).expect("springs that are soft");
    }
    if sweeps { swept(sim) - before } else { start.elapsed() }
}

fn all(c: &mut Criterion) -> Result<()> {
    let mut dice = Dice(1);
    let pairs: Vec<_> = (0..PAIRS).map(|_| dice.pair()).collect();
    let kinds = vec![Distance { rest: 0.5 }; pairs.len()];
    let planned = Constraints::new("pairs", pairs, kinds, vec![COMPLIANCE])?;
    let mut sims =
        [("planned", simulation(planned)?), ("found", simulation(Constraints::found("pairs", Anew(dice)))?)];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut group = c.benchmark_group("dynamic");
    group.throughput(Throughput::Elements(u64::from(PAIRS * SUBSTEPS)));
    for (what, sweeps) in [("sweep", true), ("frame", false)] {
        for (name, sim) in &mut sims {
            group.bench_function(format!("{what}/{name}"), |b| {
                b.iter_custom(|count| pool.install(|| frames(sim, count, sweeps)));
            });
        }
    }
    group.finish();
    Ok(())
}

fn dynamic(c: &mut Criterion) {
    all(c).expect("pairs can be simulated");
}

criterion_group!(benches, dynamic);
criterion_main!(benches);

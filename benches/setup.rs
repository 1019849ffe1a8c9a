//! How long does it take to make a simulation: edges, masses, colours, plan?
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::scenes::{block, hung_block};
use pliant_mesh::{Colouring, lumped_mass_tets};
use pliant_solver::Plan;

fn setup(c: &mut Criterion) {
    let mesh = block(20);
    let mut group = c.benchmark_group("setup, 48 000 tets");
    group.sample_size(20);
    group.bench_function("edges", |b| b.iter(|| mesh.edges()));
    group.bench_function("masses", |b| b.iter(|| lumped_mass_tets(&mesh, 1000.0)));
    group.bench_function("greedy colouring of the tets", |b| {
        b.iter(|| Colouring::greedy(mesh.positions().len(), mesh.tets()));
    });
    group.bench_function("whole simulation", |b| b.iter(|| hung_block::<f32>(mesh.clone(), Plan::Clustered)));
    group.finish();
}

criterion_group!(benches, setup);
criterion_main!(benches);

//! How long does a whole frame take, compared with the textbook loop?
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::scenes::{
    DT, SUBSTEPS, block, hung_block, hung_sheet, sheet, textbook_block, textbook_sheet,
};
use pliant_solver::Plan;

fn frames(c: &mut Criterion) {
    let mesh = block(20);
    let mut group = c.benchmark_group("frame, 48 000 tets");
    group.sample_size(20);
    let mut book = textbook_block(&mesh);
    group.bench_function("textbook", |b| b.iter(|| book.frame(DT as f32, SUBSTEPS)));
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        let mut sim = hung_block::<f32>(mesh.clone(), plan).expect("the block can be simulated");
        group.bench_function(format!("{plan:?}"), |b| b.iter(|| sim.advance(DT)));
    }
    group.finish();

    let mesh = sheet(101);
    let mut group = c.benchmark_group("frame, cloth of 101²");
    group.sample_size(20);
    let mut book = textbook_sheet(&mesh, 101);
    group.bench_function("textbook", |b| b.iter(|| book.frame(DT as f32, SUBSTEPS)));
    for plan in [Plan::Ordered, Plan::Clustered] {
        let mut sim = hung_sheet::<f32>(mesh.clone(), 101, plan).expect("the sheet can be simulated");
        group.bench_function(format!("{plan:?}"), |b| b.iter(|| sim.advance(DT)));
    }
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);

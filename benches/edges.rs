//! How long does the projection of an edge take, by order and precision? One thread, sweeps only.
#![allow(missing_docs, reason = "criterion's macros write the functions")]

mod sweeps;

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::scenes::block;
use pliant_constraints::Distance;
use pliant_solver::Constraints;

fn edges(c: &mut Criterion) {
    for cells in [9, 20] {
        let mesh = block(cells);
        let (x, stencils) = (mesh.positions(), mesh.edges());
        let name = format!("edges, block of {} tets", mesh.tets().len());
        sweeps::bench(c, &name, &mesh, || {
            let kinds = stencils.iter().map(|e| Distance::at_rest(&e.map(|v| x[v as usize]))).collect();
            Constraints::new("edges", stencils.clone(), kinds, vec![0.0])
        });
    }
}

criterion_group!(benches, edges);
criterion_main!(benches);

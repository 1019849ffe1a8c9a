//! How long does the projection of a tetrahedron's volume take, by order and precision? One thread, sweeps only.
#![allow(missing_docs, reason = "criterion's macros write the functions")]

mod sweeps;

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::scenes::block;
use pliant_constraints::TetVolume;
use pliant_solver::Constraints;

fn tets(c: &mut Criterion) {
    for cells in [9, 20] {
        let mesh = block(cells);
        let (x, stencils) = (mesh.positions(), mesh.tets());
        let name = format!("volumes, block of {} tets", stencils.len());
        sweeps::bench(c, &name, &mesh, || {
            let kinds = stencils.iter().map(|t| TetVolume::at_rest(&t.map(|v| x[v as usize]))).collect();
            Constraints::new("volumes", stencils.to_vec(), kinds, vec![0.0])
        });
    }
}

criterion_group!(benches, tets);
criterion_main!(benches);

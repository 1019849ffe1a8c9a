//! How long does it take to read a large mesh file, and to fill a surface with tetrahedra?
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::files::{binary_msh, binary_ply, bumpy_ball};
use pliant_io::{Format, read_mesh_bytes};
use pliant_mesh::{
    Resolution, SignedDistance, Split, TetMesh, TetrahedralizeOptions, TriMesh, WindingNumbers,
};

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    group.sample_size(10);
    let ply = binary_ply(&TriMesh::grid([708, 708], [1.0; 2]).expect("a sheet"));
    group.bench_function("binary PLY, 1 M triangles", |b| {
        b.iter(|| read_mesh_bytes(Format::Ply, &ply, "sheet.ply"));
    });
    let msh = binary_msh(&TetMesh::block([55, 55, 56], [1.0; 3], Split::Kuhn).expect("a block"));
    group.bench_function("binary MSH, 1 M tets", |b| {
        b.iter(|| read_mesh_bytes(Format::Msh, &msh, "block.msh"));
    });
    group.finish();
}

fn fill(c: &mut Criterion) {
    let mut group = c.benchmark_group("tetrahedralize, 50 000 triangles");
    group.sample_size(10);
    let surface = bumpy_ball(50);
    for cells in [16, 32, 64] {
        for graded in [false, true] {
            let options =
                TetrahedralizeOptions { resolution: Resolution::Cells(cells), graded, ..Default::default() };
            let name = format!("{cells} cells{}", if graded { ", graded" } else { "" });
            group.bench_function(name, |b| b.iter(|| surface.tetrahedralize(&options)));
        }
    }
    group.finish();
    let mut group = c.benchmark_group("one point, 50 000 triangles");
    let (winding, distance) = (WindingNumbers::new(&surface), SignedDistance::new(&surface));
    let points: Vec<_> = surface.positions().iter().map(|p| p * 0.97).collect();
    let mut next = points.iter().cycle();
    let mut point = || next.next().expect("there are points");
    group.bench_function("winding number", |b| b.iter(|| winding.at(point())));
    group.bench_function("distance", |b| b.iter(|| distance.distance(point())));
    group.finish();
}

criterion_group!(benches, read, fill);
criterion_main!(benches);

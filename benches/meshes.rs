//! How long does it take to read a large mesh file, to look for what is wrong with it, and to fill a surface
//! with tetrahedra?
#![allow(missing_docs, reason = "criterion's macros write the functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use pliant_benches::files::{binary_msh, binary_ply, bumpy_ball};
use pliant_io::{Format, read_mesh, read_mesh_bytes};
use pliant_mesh::{
    CheckOptions, Resolution, SignedDistance, Split, TetMesh, TetrahedralizeOptions, TriMesh, WindingNumbers,
};
use pliant_scene::Scene;

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

fn check(c: &mut Criterion) {
    let block = TetMesh::block([44; 3], [1.0; 3], Split::Kuhn).expect("a block");
    let mut group = c.benchmark_group("511 104 tets");
    group.sample_size(10);
    group.bench_function("errors", |b| b.iter(|| block.errors()));
    group.bench_function("check-up", |b| b.iter(|| block.check_up(&CheckOptions::default())));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("block.msh");
    std::fs::write(&path, binary_msh(&block)).expect("a file");
    group.bench_function("read the file", |b| b.iter(|| read_mesh(&path)));
    let text = "[[body]]\nmesh = \"block.msh\"\nedges = { compliance = 1e-6 }\npin = [{ vertices = [0] }]\n";
    let scene = Scene::parse(text, folder.path()).expect("a scene");
    group.bench_function("build the scene", |b| b.iter(|| scene.build::<f32>()));
    group.finish();
    let sheet = TriMesh::grid([708, 708], [1.0; 2]).expect("a sheet");
    let mut group = c.benchmark_group("1 M triangles");
    group.sample_size(10);
    group.bench_function("errors", |b| b.iter(|| sheet.errors()));
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

criterion_group!(benches, read, check, fill);
criterion_main!(benches);

//! `cargo xtask peers`: times reading large files and filling surfaces here and in other programs, in one run.
//!
//! A sheet of 1 M triangles as binary PLY, a block of 1 M tetrahedra as binary MSH, and a closed surface of
//! 50 000 triangles are written to a folder. A Python script times meshio, gmsh and tetgen on them, as far as
//! those are installed.

use std::fs;
use std::time::Instant;

use clap::Parser;
use pliant_benches::files::{binary_msh, binary_ply, bumpy_ball};
use pliant_io::read_mesh;
use pliant_mesh::{Resolution, Split, TetMesh, TetrahedralizeOptions, TriMesh};

use crate::Outcome;
use crate::python::Shared;

const SCRIPT: &str = include_str!("../assets/peers.py");

/// Time reading and filling here and in meshio, gmsh and tetgen; these are skipped if Python is missing.
#[derive(Parser)]
pub(crate) struct Args {
    #[command(flatten)]
    shared: Shared,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let folder = args.shared.folder("peers")?;
    let surface = bumpy_ball(50);
    fs::write(folder.join("sheet.ply"), binary_ply(&TriMesh::grid([708, 708], [1.0, 1.0])?))?;
    fs::write(folder.join("block.msh"), binary_msh(&TetMesh::block([55, 55, 56], [1.0; 3], Split::Kuhn)?))?;
    fs::write(folder.join("surface.ply"), binary_ply(&surface))?;

    println!("| what | who | s | |\n|---|---|---|---|");
    for file in ["sheet.ply", "block.msh"] {
        let path = folder.join(file);
        let (seconds, imported) = best(3, || read_mesh(&path));
        println!("| read {file} | pliant | {seconds:.3} | {} cells |", imported?.mesh.element_count());
    }
    for (cells, graded) in [(32, false), (64, false), (64, true)] {
        let options =
            TetrahedralizeOptions { resolution: Resolution::Cells(cells), graded, ..Default::default() };
        let (seconds, filled) = best(1, || surface.tetrahedralize(&options));
        let (mesh, report) = filled?;
        println!(
            "| fill surface.ply | pliant, {cells} cells{} | {seconds:.3} | {} tetrahedra, angles from {:.1}° |",
            if graded { ", graded" } else { "" },
            mesh.tets().len(),
            report.dihedral[0].to_degrees()
        );
    }
    args.shared.run(&folder, "peers.py", SCRIPT, "the script did not run to its end")
}

/// The least time of some runs, and the result of the last one.
fn best<T>(times: usize, run: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed().as_secs_f64(), result)
    };
    let mut least = timed();
    for _ in 1..times {
        let (seconds, result) = timed();
        least = (least.0.min(seconds), result);
    }
    least
}

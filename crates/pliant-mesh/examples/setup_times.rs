//! Times the one-time setup of a simulation: edges, colours and the check for errors, for a block of two
//! million tetrahedra.
//!
//! Run with `cargo run --release -p pliant-mesh --example setup_times`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use pliant_mesh::{Colouring, Split, TetMesh};

fn main() -> Result<(), pliant_mesh::GenerateError> {
    let block = timed("block", || TetMesh::block([70, 70, 69], [1.0; 3], Split::Kuhn))?;
    let edges = timed("unique edges", || block.edges());
    let of_edges =
        timed("greedy colouring of the edges", || Colouring::greedy(block.positions().len(), &edges));
    let of_tets = timed("greedy colouring of the tetrahedra", || {
        Colouring::greedy(block.positions().len(), block.tets())
    });
    timed("errors", || block.errors());
    let surface = timed("boundary surface", || block.surface());
    let hinges = timed("hinges of the surface", || surface.mesh.hinges());
    println!("{} tetrahedra, {} edges, {} hinges", block.tets().len(), edges.len(), hinges.interior.len());
    println!("edges: {:?}", of_edges.statistics());
    println!("tetrahedra: {:?}", of_tets.statistics());
    Ok(())
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

//! Carries a fine surface by a coarse solid: a ball of tetrahedra is squeezed, and a smooth sphere around it follows.
//!
//! Run with `cargo run --release -p pliant-mesh --example embed_surface`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use nalgebra::Vector3;
use pliant_mesh::{Embedding, TetMesh, TriMesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let coarse = TetMesh::ball(0.5, 12)?;
    // A tenth of a percent larger than the ball: most of its vertices are outside of every tetrahedron.
    let fine = TriMesh::icosphere(0.5005, 140)?;

    let start = Instant::now();
    let embedding = Embedding::new(&coarse, fine.positions())?;
    let took = start.elapsed();
    let fit = embedding.fit();
    println!("{} points bound to {} tetrahedra in {took:.2?}", embedding.len(), coarse.tets().len());
    println!("{} inside, {} outside by up to {:.1} mm", fit.inside, fit.outside, 1e3 * fit.largest_distance);
    println!(
        "lowest barycentric coordinate {:.3}, error at rest {:.1e} m",
        fit.lowest_weight, fit.rest_error
    );

    let squeezed: Vec<Vector3<f64>> =
        coarse.positions().iter().map(|p| Vector3::new(1.2 * p.x, 0.7 * p.y, 1.2 * p.z)).collect();
    let fine = fine.with_positions(embedding.apply(&squeezed))?;
    println!("volume within the fine surface: {:.4} m³ of {:.4} m³", fine.enclosed_volume(), coarse.volume());
    Ok(())
}

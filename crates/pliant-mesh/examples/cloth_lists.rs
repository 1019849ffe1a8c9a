//! The lists from which a cloth simulation starts, and the report on a mesh that was cut.
//!
//! Run with `cargo run -p pliant-mesh --example cloth_lists`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use pliant_mesh::{Colouring, Diagonals, TriMesh, lumped_mass_triangles};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sheet = TriMesh::grid_with([41, 41], [1.0, 1.0], Diagonals::Alternating)?;
    let edges = sheet.edges();
    let hinges = sheet.hinges();
    let masses = lumped_mass_triangles(&sheet, 0.15);
    println!("{} vertices weigh {:.3} kg", masses.len(), masses.iter().sum::<f64>());
    println!("{} edges keep their lengths, {} hinges their angles", edges.len(), hinges.interior.len());

    let vertices = sheet.positions().len();
    for (what, colouring) in [
        ("edges, greedy", Colouring::greedy(vertices, &edges)),
        ("edges, dsatur", Colouring::dsatur(vertices, &edges)?),
        ("hinges, greedy", Colouring::greedy(vertices, &hinges.stencils())),
    ] {
        let s = colouring.statistics();
        println!("{what}: {} colours of {} to {} (mean {:.1})", s.colours, s.smallest, s.largest, s.mean);
    }

    // One triangle turned over, and another one taken out.
    let (positions, mut triangles) = sheet.into_parts();
    triangles[100].swap(0, 1);
    triangles.swap_remove(2000);
    let report = TriMesh::new(positions, triangles)?.report();
    println!("{} boundary edges, {} inconsistent ones", report.boundary.len(), report.inconsistent.len());
    Ok(())
}

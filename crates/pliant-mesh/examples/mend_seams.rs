//! Two panels of different fineness, a little apart and one of them turned over, become one sheet.
//!
//! Run with `cargo run --release -p pliant-mesh --example mend_seams`.
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use nalgebra::Vector3;
use pliant_mesh::{CheckOptions, Keep, RepairOptions, TriMesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut positions, mut triangles) = TriMesh::grid([31, 31], [1.0, 1.0])?.into_parts();
    let other = TriMesh::grid([41, 41], [1.0, 1.0])?;
    let first = positions.len() as u32;
    positions.extend(other.positions().iter().map(|p| p + Vector3::new(1.0002, 0.0, 0.0)));
    triangles.extend(other.triangles().iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
    let panels = TriMesh::new(positions, triangles)?;
    println!("{}\n", panels.check_up(&CheckOptions::default()));

    let options = RepairOptions { unite: Some(1e-3), keep: Some(Keep::Largest), ..RepairOptions::default() };
    let (sheet, report) = panels.repair(&options);
    println!("{report}\n\n{}", sheet.check_up(&CheckOptions::default()));
    println!("vertex {first} of the panels is vertex {:?} of the sheet", report.became[first as usize]);
    Ok(())
}

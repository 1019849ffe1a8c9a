//! A curtain in the wind, written as an OBJ file every half second.
//!
//! `cargo run --release -p pliant --example curtain`

use pliant::io::{Mesh, write_mesh};
use pliant::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The grid lies in the xz plane; hang it by turning z into height.
    let flat = TriMesh::grid([41, 41], [1.5, 1.5])?;
    let upright = flat.positions().iter().map(|p| Vector3::new(p.x, -p.z, 0.0)).collect();
    let curtain = flat.with_positions(upright)?;
    let top = curtain.positions().iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);

    let mut sim = Simulation::builder()
        .substeps(20)
        .damping(1.0)
        .wind(Wind { velocity: Vector3::new(0.0, 0.0, 4.0), ..Wind::default() })
        .body(
            Body::cloth(curtain.clone())
                .name("curtain")
                .area_density(0.2)
                .stretch(Compliance::new(1e-6))
                .bend(Compliance::new(1.0))
                .pin(move |x| x.y > top - 1e-9),
        )
        .build()?;

    let folder = std::env::temp_dir().join("pliant-curtain");
    std::fs::create_dir_all(&folder)?;
    for frame in 1..=180 {
        let report = sim.step(1.0 / 60.0)?;
        if frame % 30 == 0 {
            let path = folder.join(format!("curtain_{frame:04}.obj"));
            write_mesh(&path, &Mesh::Tri(curtain.with_positions(sim.positions())?))?;
            eprintln!("{report}\n  -> {}", path.display());
        }
    }
    Ok(())
}

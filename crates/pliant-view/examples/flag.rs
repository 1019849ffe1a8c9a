//! A simulation that a program has built, in a browser: `cargo run --release -p pliant-view --example flag`,
//! and open the address.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Compliance, Simulation, Wind};
use pliant_view::{Drawn, Stop, serve};

fn show(open: impl FnOnce(&str, Stop)) -> Result<(), Box<dyn std::error::Error>> {
    let flat = TriMesh::grid([31, 21], [1.5, 1.0])?;
    let upright = flat.positions().iter().map(|p| Vector3::new(p.x, 2.0 - p.z, 0.0)).collect();
    let mesh = flat.with_positions(upright)?;
    let flag = Body::cloth(mesh.clone())
        .name("flag")
        .area_density(0.15)
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1.0))
        .pin(|x| x.x < -0.7499);
    let mut sim = Simulation::builder().body(flag).build()?;
    sim.set_wind(Some(Wind { velocity: Vector3::new(6.0, 0.0, 1.0), ..Wind::default() }))?;
    let flag = Drawn::new("flag", 0..sim.len(), Mesh::Tri(mesh));
    Ok(serve(&mut sim, vec![flag], 1.0 / 60.0, open)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    show(|address, _| println!("{address}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::show(|address, stop| {
            assert!(address.starts_with("http://127.0.0.1:"));
            stop.stop();
        })
        .unwrap();
    }
}

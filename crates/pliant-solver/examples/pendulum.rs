//! A pendulum from particles and one constraint, without a mesh: its period against the formula.
//!
//! `cargo run --release -p pliant-solver --example pendulum`

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints, Pin, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let angle = 5.0_f64.to_radians();
    let bob = Vector3::new(angle.sin(), -angle.cos(), 0.0);
    let mut assembly = Assembly::new(vec![Vector3::zeros(), bob], vec![1.0, 1.0])?;
    assembly.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0])?);
    assembly.pin(Pin::vertices([0]));
    assembly.settings(Settings { substeps: 20, ..Settings::default() });
    let mut sim = assembly.build::<f64>()?;

    // The bob passes the lowest point twice per period.
    let dt = 1.0 / 600.0;
    let mut crossings = Vec::new();
    let mut before = sim.positions()[1].x;
    while crossings.len() < 5 {
        sim.advance(dt)?;
        let x = sim.positions()[1].x;
        if x.signum() != before.signum() {
            crossings.push(sim.time() - dt * x / (x - before));
        }
        before = x;
    }
    let period = (crossings[4] - crossings[0]) / 2.0;
    let formula = std::f64::consts::TAU * (1.0_f64 / 9.81).sqrt() * (1.0 + angle * angle / 16.0);
    eprintln!("period {period:.5} s, formula {formula:.5} s");
    Ok(())
}

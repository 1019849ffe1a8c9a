//! Runs a scene file, or without one an example, and prints the height of each body while it falls.
//!
//! `cargo run -p pliant-scene --example drop -- [SCENE.toml]`
#![allow(clippy::print_stdout, reason = "an example speaks on standard output")]

use pliant_scene::{Scene, Template};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = match std::env::args().nth(1) {
        Some(path) => Scene::load(path)?,
        None => Template::named("soft-body").ok_or("no such template")?.scene()?,
    };
    let mut built = scene.build::<f32>()?;
    for body in &built.bodies {
        println!("{}: {} vertices", body.name, body.particles.len());
        body.notes.iter().for_each(|note| println!("  {note}"));
    }
    for frame in 1..=scene.model.frames.get() {
        let report = built.simulation.step(scene.time_step())?;
        if frame % 30 == 0 {
            println!("{report}");
            for body in &built.bodies {
                let positions = built.simulation.positions_of(body.particles.clone());
                let lowest = positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
                println!("  lowest point of {}: {lowest:.4} m", body.name);
            }
        }
    }
    Ok(())
}

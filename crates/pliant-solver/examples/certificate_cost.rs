//! What a certificate costs, as a share of the frames that it certifies: `cargo run --release --example certificate_cost`.
//!
//! Two simulations of the same scene take turns, one that is watched and reported on and one that only steps. Whatever else the machine does hits both.
//! An argument chooses the scenes whose names contain it.
#![allow(clippy::print_stdout, reason = "an example talks")]

use std::time::Instant;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Settings, Simulation};

/// Frames measured of each scene.
const FRAMES: usize = 40;

fn scene(name: &str, certificate: bool) -> Result<Simulation, Box<dyn std::error::Error>> {
    let settings = Settings { certificate, ..Settings::default() };
    let body = match name {
        "block, 48 000 tetrahedra" => {
            Body::solid(TetMesh::block([20; 3], [1.0; 3], Split::Kuhn)?).density(1000.0).pin(|x| x.y > 0.999)
        }
        "block, 511 000 tetrahedra" => {
            Body::solid(TetMesh::block([44; 3], [1.0; 3], Split::Kuhn)?).density(1000.0).pin(|x| x.y > 0.999)
        }
        _ => Body::cloth(TriMesh::grid([316, 316], [1.0, 1.0])?).area_density(0.2).pin_vertices([0, 315]),
    };
    Ok(Simulation::builder().settings(settings).body(body).build()?)
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("10 substeps of one iteration, medians of {FRAMES} frames\n");
    println!(
        "{:28}{:>12}{:>14}{:>10}{:>12}{:>12}",
        "", "frame", "certificate", "share", "every 5th", "state hash"
    );
    let only = std::env::args().nth(1).unwrap_or_default();
    let scenes = ["block, 48 000 tetrahedra", "block, 511 000 tetrahedra", "cloth, 316 x 316 vertices"];
    for name in scenes.into_iter().filter(|name| name.contains(&only)) {
        let (mut bare, mut watched) = (scene(name, false)?, scene(name, true)?);
        let (mut frames, mut costs, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        let mut unused = Vector3::zeros();
        for frame in 0..FRAMES + 3 {
            let start = Instant::now();
            bare.advance(1.0 / 60.0)?;
            let plain = milliseconds(start);
            let start = Instant::now();
            watched.advance(1.0 / 60.0)?;
            let watching = milliseconds(start) - plain;
            let start = Instant::now();
            let report = watched.report();
            let reporting = milliseconds(start);
            let start = Instant::now();
            assert_eq!(watched.state_hash(), report.state_hash, "the report does not change the state");
            let hash = milliseconds(start);
            unused += report.linear_momentum;
            // The first frames fill the caches.
            if frame >= 3 {
                frames.push(plain);
                costs.push(watching + reporting - hash);
                hashes.push(hash);
            }
        }
        assert_eq!(bare.state_hash(), watched.state_hash(), "watching changes nothing");
        let (frame, cost, hash) = (median(frames), median(costs), median(hashes));
        let share = 100.0 * cost / frame;
        println!(
            "{name:28}{frame:>9.2} ms{cost:>11.3} ms{share:>8.1} %{:>10.1} %{:>10.1} %",
            share / 5.0,
            100.0 * hash / frame
        );
    }
    Ok(())
}

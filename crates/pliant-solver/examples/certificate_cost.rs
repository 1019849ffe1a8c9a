//! The cost of a certificate, as a share of the time of the frames that it certifies: `cargo run --release
//! --example certificate_cost`.
//!
//! Three simulations of the same scene take turns: one that only steps, one that is watched and reported on,
//! and one that is reported on in every fifth frame. Other load of the machine then affects all of them. An
//! argument chooses the scenes whose names contain it.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Instant;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Settings, Simulation};

/// Number of measured frames of each scene, a multiple of [`EVERY`].
const FRAMES: usize = 60;

/// The third simulation is reported on once in this many frames.
const EVERY: usize = 5;

/// Frames that fill the caches.
const WARM: usize = 5;

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
        let (mut bare, mut watched, mut sometimes) =
            (scene(name, false)?, scene(name, true)?, scene(name, true)?);
        let (mut frames, mut costs, mut hashes, mut rare) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut unused = Vector3::zeros();
        for frame in 0..FRAMES + WARM {
            let start = Instant::now();
            bare.advance(1.0 / 60.0)?;
            let plain = milliseconds(start);
            let start = Instant::now();
            watched.advance(1.0 / 60.0)?;
            let report = watched.report();
            let reported = milliseconds(start);
            let start = Instant::now();
            sometimes.advance(1.0 / 60.0)?;
            let wanted = (frame + 1).is_multiple_of(EVERY);
            if wanted {
                unused += sometimes.report().linear_momentum;
            }
            let mut seldom = milliseconds(start);
            let start = Instant::now();
            assert_eq!(watched.state_hash(), report.state_hash, "the report does not change the state");
            let hash = milliseconds(start);
            if wanted {
                seldom -= hash;
            }
            unused += report.linear_momentum;
            if frame >= WARM {
                frames.push(plain);
                costs.push(reported - plain - hash);
                hashes.push(hash);
                rare.push([seldom - plain, plain]);
            }
        }
        // One share for every five frames, because a single frame is not meaningful.
        let shares = rare.chunks(EVERY).map(|frames| {
            let [more, plain] = frames.iter().fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
            100.0 * more / plain
        });
        let seldom = median(shares.collect());
        assert_eq!(bare.state_hash(), watched.state_hash(), "watching changes nothing");
        let (frame, cost, hash) = (median(frames), median(costs), median(hashes));
        let share = 100.0 * cost / frame;
        println!(
            "{name:28}{frame:>9.2} ms{cost:>11.3} ms{share:>8.1} %{seldom:>10.1} %{:>10.1} %",
            100.0 * hash / frame
        );
    }
    Ok(())
}

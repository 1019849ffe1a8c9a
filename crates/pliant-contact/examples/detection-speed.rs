//! Times the queries of a surface that run many times a second.
//!
//! Run with `cargo run --release -p pliant-contact --example detection-speed`. One thread; each line is the
//! least of many runs.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use nalgebra::Vector3;
use pliant_contact::{CrossingCounter, Detector, Paths, Rules, Surface, Ties};
use pliant_mesh::TriMesh;

type Point = Vector3<f32>;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let flat = sheets(1, 100, 1.0, 0.0)?;
        let mut hung = flat.clone();
        for x in &mut hung.1 {
            // Folds of a hanging cloth, parallel to no axis.
            let fold = 0.03 * (18.0 * x.x + 4.0 * x.z).sin();
            *x = Vector3::new(0.8 * x.x - 0.6 * x.z, fold + 0.3 * x.x, 0.6 * x.x + 0.8 * x.z + 0.5 * fold);
        }
        let stack = sheets(10, 40, 0.4, 0.003)?;
        for (name, (surface, x)) in [("flat sheet", flat), ("hung sheet", hung), ("ten sheets", stack)] {
            let mut counter = CrossingCounter::default();
            let mut found = 0;
            let time =
                least(200, || found = counter.find(&surface, &x).map_or(usize::MAX, |found| found.len()));
            report(name, "crossings", &surface, time, found);

            // Cloth 3 mm thick that moves at some 0.1 m/s, in substeps of 1/1200 s, for ten of them.
            let steps: Vec<Point> = x.iter().map(|x| Vector3::new(x.z, x.x, x.y) * 1e-4).collect();
            let (radii, ties) = (vec![0.0015; surface.bodies()], Ties::default());
            let (slack, horizon, edge_share) = (0.001, 10, 0.8);
            let rules = Rules {
                radii: &radii,
                slack,
                horizon,
                edge_share,
                edge_leeway: 0.0,
                masks: &[],
                held: &[],
                ties: &ties,
            };
            let paths = Paths { positions: &x, steps: &steps, rest: None, halts: None, may_turn: false };
            let mut detector = Detector::default();
            let mut done = Ok(());
            let time = least(100, || done = detector.detect(&surface, &paths, &rules));
            done?;
            report(
                name,
                "near pairs",
                &surface,
                time,
                detector.vertex_triangle().len() + detector.edge_edge().len(),
            );
        }
        Ok(())
    })
}

fn report(scene: &str, what: &str, surface: &Surface, time: f64, found: usize) {
    let triangles = surface.triangles().len();
    let each = time * 1e9 / triangles as f64;
    println!(
        "{scene}: {what}: {:.2} ms, {each:.0} ns for each of {triangles} triangles, {found} found",
        time * 1e3
    );
}

fn least(runs: usize, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(time).fold(f64::INFINITY, f64::min)
}

/// Square sheets above each other, each turned against the one below.
fn sheets(
    layers: usize,
    cells: usize,
    side: f64,
    gap: f64,
) -> Result<(Surface, Vec<Point>), Box<dyn std::error::Error + Send + Sync>> {
    let sheet = TriMesh::grid([cells + 1, cells + 1], [side, side])?;
    let (mut points, mut bodies) = (Vec::new(), Vec::new());
    for layer in 0..layers {
        let first = points.len() as u32;
        let (sin, cos) = (0.1222 * layer as f64).sin_cos();
        let place =
            |x: &Vector3<f64>| Vector3::new(cos * x.x - sin * x.z, gap * layer as f64, sin * x.x + cos * x.z);
        points.extend(sheet.positions().iter().map(|x| place(x).cast::<f32>()));
        bodies.push(sheet.triangles().iter().map(|t| t.map(|v| v + first)).collect::<Vec<_>>());
    }
    let bodies: Vec<&[[u32; 3]]> = bodies.iter().map(Vec::as_slice).collect();
    Ok((Surface::new(points.len(), &bodies)?, points))
}

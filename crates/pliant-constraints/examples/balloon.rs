//! A rubber balloon from three constraints: edges that stretch, the volume inside, and the time that a
//! projection takes.
//!
//! ```text
//! cargo run --release -p pliant-constraints --example balloon
//! ```

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use std::collections::BTreeMap;
use std::time::Instant;

use nalgebra::Vector3;
use pliant_constraints::{
    ClosedSurface, Distance, GlobalVolume, PointSlices, Update, VolumeState, overpressure, pressure_factor,
    project,
};

/// Fewer leave the balloon too large: the residual of the edges shows it.
const ITERATIONS: u32 = 20;

/// An octahedron divided `levels` times, on the unit sphere.
fn sphere(levels: u32) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let (a, b, c) = (Vector3::x(), Vector3::y(), Vector3::z());
    let mut x: Vec<Vector3<f64>> = vec![a, b, c, -a, -b, -c];
    let mut triangles =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..levels {
        let mut middles = BTreeMap::new();
        let mut finer = vec![];
        for [a, b, c] in triangles {
            let mut middle = |p: u32, q: u32| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    x.push((x[p as usize] + x[q as usize]).normalize());
                    x.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (x, triangles)
}

fn main() -> Result<(), pliant_constraints::OpenEdge> {
    let (mut x, triangles) = sphere(4);
    let surface = ClosedSurface::new(&triangles)?;
    let w = vec![x.len() as f64; x.len()]; // one kilogram of rubber
    let rest = surface.volume(&PointSlices { x: &x, w: &w });

    let edges: Vec<([usize; 2], Distance<f64>)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[a, b]| a < b)
        .map(|edge| edge.map(|v| v as usize))
        .map(|[a, b]| ([a, b], Distance::at_rest(&[x[a], x[b]])))
        .collect();

    // Edges of 2 kN/m, blown up by 100 Pa; the gas is so soft that the pressure hardly falls.
    let (h, soft, gas) = (1e-3, 5e-4, 1.0);
    let volume = GlobalVolume { rest, factor: pressure_factor(100.0, gas, rest) };
    // A sheet of equilateral triangles of springs k is elastic with E = 2k/√3 (N/m) and ν = 1/3; the thin
    // sphere stretches by p r (1 − ν)/(2E).
    let stretch = 100.0 * (1.0 - 1.0 / 3.0) / (2.0 * 2.0 / soft / 3.0_f64.sqrt());
    println!("thin sphere, small strains: V/V₀ = {:.4}", (1.0 + stretch).powi(3));
    let mut velocity = vec![Vector3::zeros(); x.len()];
    let mut state = VolumeState::new(&surface);
    let mut spent = std::time::Duration::ZERO;
    println!("{:>6} {:>8} {:>9}", "t, s", "V/V₀", "p, Pa");
    for step in 0..=2000 {
        if step % 200 == 0 {
            let now = surface.volume(&PointSlices { x: &x, w: &w });
            println!("{:6.2} {:8.4} {:9.2}", f64::from(step) * h, now / rest, overpressure(state.lambda, h));
        }
        let before = x.clone();
        for (x, v) in x.iter_mut().zip(&velocity) {
            *x += v * h;
        }
        state.lambda = 0.0;
        let mut lambdas = vec![[0.0]; edges.len()];
        for _ in 0..ITERATIONS {
            for (([a, b], edge), lambda) in edges.iter().zip(&mut lambdas) {
                let stencil = [x[*a], x[*b]];
                let dx = project(edge, &stencil, &[w[*a], w[*b]], soft / (h * h), Update::xpbd(), lambda);
                x[*a] += dx[0];
                x[*b] += dx[1];
            }
            let start = Instant::now();
            let points = PointSlices { x: &x, w: &w };
            let delta = volume.step(&surface, &points, gas / (h * h), None, Update::xpbd(), &mut state);
            for (&v, g) in surface.vertices().iter().zip(&state.gradients) {
                x[v as usize] += g * (w[v as usize] * delta);
            }
            spent += start.elapsed();
        }
        for ((v, x), before) in velocity.iter_mut().zip(&x).zip(&before) {
            *v = (x - before) / h * (1.0 - 5.0 * h);
        }
    }
    println!(
        "{:.0} ns per triangle and projection",
        spent.as_secs_f64() * 1e9 / f64::from(2001 * ITERATIONS) / triangles.len() as f64
    );
    Ok(())
}

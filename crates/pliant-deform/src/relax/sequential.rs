//! Relaxation in double precision: one edge after the other, and all at once.
//!
//! With the inverse masses w and n = (x_a − x_b)/|x_a − x_b| the step of an edge is
//!
//! ```text
//! c = k (L₀ − |x_a − x_b|)        k = push where the edge is too short, pull where it is too long
//! Δx_a = c w_a/(w_a + w_b) n      Δx_b = −c w_b/(w_a + w_b) n
//! ```
//!
//! The sequential sweep applies it at once (Jakobsen 2001). The *Jacobi mean* takes all steps from the same
//! positions and moves every vertex by their mean, which depends on no order and converges more slowly.

use nalgebra::Vector3;

use super::constraints::EdgeConstraints;

/// The step of an edge, (Δx_a, Δx_b); none where both ends are fixed or coincide.
fn step(
    a: &Vector3<f64>,
    b: &Vector3<f64>,
    rest: f64,
    w: [f64; 2],
    [push, pull]: [f64; 2],
) -> Option<[Vector3<f64>; 2]> {
    let sum = w[0] + w[1];
    let d = a - b;
    let length = d.norm();
    if sum == 0.0 || length == 0.0 {
        return None;
    }
    let strength = if rest > length { push } else { pull };
    let correction = d * (strength * (rest - length) / length);
    Some([correction * (w[0] / sum), correction * -(w[1] / sum)])
}

/// One sweep in the order of the list; `w` are inverse masses, one per vertex.
pub(super) fn sweep(x: &mut [Vector3<f64>], edges: &EdgeConstraints, w: &[f64], strength: [f64; 2]) {
    for (&[a, b], &rest) in edges.pairs().iter().zip(edges.rest_lengths()) {
        let (a, b) = (a as usize, b as usize);
        if let Some([to_a, to_b]) = step(&x[a], &x[b], rest, [w[a], w[b]], strength) {
            x[a] += to_a;
            x[b] += to_b;
        }
    }
}

/// One iteration of the Jacobi mean. `count` holds the number of edges at each vertex, `sum` is scratch.
pub(super) fn jacobi_mean(
    x: &mut [Vector3<f64>],
    edges: &EdgeConstraints,
    w: &[f64],
    strength: [f64; 2],
    count: &[u32],
    sum: &mut Vec<Vector3<f64>>,
) {
    sum.clear();
    sum.resize(x.len(), Vector3::zeros());
    for (&[a, b], &rest) in edges.pairs().iter().zip(edges.rest_lengths()) {
        let (a, b) = (a as usize, b as usize);
        if let Some([to_a, to_b]) = step(&x[a], &x[b], rest, [w[a], w[b]], strength) {
            sum[a] += to_a;
            sum[b] += to_b;
        }
    }
    for ((x, sum), &count) in x.iter_mut().zip(sum).zip(count) {
        // An empty sum is skipped, so that fixed vertices keep even the sign of a zero.
        if count > 0 && *sum != Vector3::zeros() {
            *x += *sum / f64::from(count);
        }
    }
}

/// Number of edges at each vertex.
pub(super) fn valence(edges: &EdgeConstraints) -> Vec<u32> {
    let mut count = vec![0; edges.vertex_count()];
    edges.pairs().iter().flatten().for_each(|&v| count[v as usize] += 1);
    count
}

//! How far a particle may lag behind its way before lists no longer hold.
//!
//! Pairs that are not listed are as far apart, on the ways that lists expect, as they keep: d, or of edges
//! its share; less where two parts of one body that meets itself rest nearer to each other. A particle that the net cuts back
//! may use up half of that, as its partner may the other half:
//!
//! ```text
//! (1 − t) |way|  ≤  (keep − g)/2
//! ```

use nalgebra::Vector3;
use pliant_contact::{Detector, Mask, Paths, Rules, Surface, Ties};
use pliant_kernel::{Scalar, Simd};

use super::elements::Elements;

/// For every particle the length, m, by which it may lag. `usual` is what unlisted pairs of different bodies
/// keep, `least` the distance g that is never given up; both in m.
pub(super) fn allowances<T: Scalar>(
    surface: &Surface,
    (radii, masks): (&[f64], &[Mask]),
    rest: &[Vector3<T>],
    (edge_share, edge_leeway): (f64, f64),
    (usual, least): (f64, f64),
    simd: Simd,
) -> Vec<f32> {
    let mut kept = vec![usual; surface.particles()];
    // At rest all are farther apart than they keep, by a twentieth.
    let slack = 0.06 * 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let alone = |mask: &Mask| Mask { groups: 0, hits: 0, itself: mask.itself };
    let (masks, still) = (masks.iter().map(alone).collect::<Vec<_>>(), vec![Vector3::zeros(); rest.len()]);
    let rules = Rules {
        radii,
        slack,
        horizon: 0,
        edge_share,
        edge_leeway: 0.0,
        masks: &masks,
        held: &[],
        ties: &Ties::default(),
    };
    let paths = Paths { positions: rest, steps: &still, rest: Some(rest), halts: None, may_turn: false };
    let mut detector = Detector::new(simd);
    // What is not finite is found where the simulation starts.
    if detector.detect(surface, &paths, &rules).is_ok() {
        for (elements, pairs) in Elements::lists(&detector) {
            let share = if elements == Elements::EdgeEdge { 1.0 - edge_leeway } else { 1.0 };
            for pair in pairs {
                for &v in &pair.points {
                    kept[v as usize] = kept[v as usize].min(share * pair.keep.to_f64());
                }
            }
        }
    }
    // Rounded down.
    kept.into_iter().map(|keep| (0.5 * (keep - least).max(0.0)) as f32 * (1.0 - 1e-6)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::TriMesh;

    #[test]
    fn what_rests_near_itself_may_lag_less() {
        // Two strips of one body, 1 mm apart, and one far away.
        let strip = TriMesh::grid([5, 2], [0.1, 0.02]).unwrap();
        let (mut x, mut triangles) = (Vec::new(), Vec::new());
        for height in [0.0, 0.001, 0.2] {
            let first = x.len() as u32;
            x.extend(strip.positions().iter().map(|p| p + Vector3::y() * height));
            triangles.extend(strip.triangles().iter().map(|t| t.map(|v| v + first)));
        }
        let surface = Surface::new(x.len(), &[&triangles]).unwrap();
        let (near, far) = (0.5 * (0.95e-3 - 1e-4), 0.5 * (2.4e-3 - 1e-4));
        for itself in [true, false] {
            let bodies = (&[0.0015][..], &[Mask { itself, ..Mask::default() }][..]);
            let of = allowances(&surface, bodies, &x, (0.8, 0.0), (0.0024, 0.0001), Simd::detect());
            for (v, &allowance) in of.iter().enumerate() {
                let expected = if v < 20 && itself { near } else { far };
                assert!((f64::from(allowance) - expected).abs() < 1e-8, "{v}: {allowance}");
            }
        }
    }
}

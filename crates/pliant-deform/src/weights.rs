//! Weights of vertices by any distance: from a point, from a line along the skin.

use nalgebra::Vector3;

/// How a weight falls from 1 to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Falloff {
    /// In a straight line.
    Linear,
    /// Without a kink at either end: 3t² − 2t³.
    #[default]
    Smooth,
}

/// A weight for every distance, m: 1 up to `inner`, 0 from `outer` on, and a falloff between them. Infinite
/// distances have the weight 0; where `outer` is not above `inner` the weight jumps there.
///
/// Distances along the skin come from [`TriMesh::geodesics`](pliant_mesh::TriMesh::geodesics).
///
/// ```
/// use pliant_deform::{Falloff, falloff};
///
/// assert_eq!(falloff(&[0.1, 1.5, 2.5], 1.0, 2.0, Falloff::Smooth), [1.0, 0.5, 0.0]);
/// ```
#[must_use]
pub fn falloff(distances: &[f64], inner: f64, outer: f64, shape: Falloff) -> Vec<f64> {
    let weight = |&distance: &f64| {
        if distance <= inner {
            return 1.0;
        }
        if distance >= outer || distance.is_nan() {
            return 0.0;
        }
        let t = ((outer - distance) / (outer - inner)).clamp(0.0, 1.0);
        match shape {
            Falloff::Linear => t,
            Falloff::Smooth => t * t * (3.0 - 2.0 * t),
        }
    };
    distances.iter().map(weight).collect()
}

/// Weights around a point, m, as [`falloff`] of the straight distance.
#[must_use]
pub fn weights_around(
    positions: &[Vector3<f64>],
    centre: &Vector3<f64>,
    inner: f64,
    outer: f64,
    shape: Falloff,
) -> Vec<f64> {
    let distances: Vec<f64> = positions.iter().map(|p| (p - centre).norm()).collect();
    falloff(&distances, inner, outer, shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn weights_fall_and_stay_in_range(
            mut distances in prop::collection::vec(0.0..2.0_f64, 2..20), inner in 0.0..1.0_f64, outer in 0.0..2.0_f64, smooth in any::<bool>(),
        ) {
            distances.sort_by(f64::total_cmp);
            let shape = if smooth { Falloff::Smooth } else { Falloff::Linear };
            let weights = falloff(&distances, inner, outer, shape);
            prop_assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)));
            prop_assert!(weights.windows(2).all(|w| w[0] >= w[1]));
        }
    }

    #[test]
    fn nowhere_is_far_away() {
        let weights = falloff(&[f64::INFINITY, f64::NAN, 1.0], 1.0, 1.0, Falloff::Linear);
        assert_eq!(weights, [0.0, 0.0, 1.0]);
        let around = weights_around(&[Vector3::x() * 3.0], &Vector3::x(), 1.0, 3.0, Falloff::Linear);
        assert_eq!(around, [0.5]);
    }
}

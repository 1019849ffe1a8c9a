//! Barycentric coordinates in a tetrahedron, and the distance from it.

use nalgebra::Vector3;

use crate::closest::nearest_on_triangle;

/// A tetrahedron with the data that its barycentric coordinates need.
///
/// b = D⁻¹ (p − x3) with D = [x0 − x3, x1 − x3, x2 − x3], and b3 = 1 − b0 − b1 − b2.
pub(super) struct BarycentricFrame {
    corners: [Vector3<f64>; 4],
    /// Rows of D⁻¹ times the determinant.
    cofactors: [Vector3<f64>; 3],
    determinant: f64,
}

impl BarycentricFrame {
    pub(super) fn new(corners: &[Vector3<f64>; 4]) -> Self {
        let [a, b, c] = [0, 1, 2].map(|k| corners[k] - corners[3]);
        let cofactors = [b.cross(&c), c.cross(&a), a.cross(&b)];
        Self { corners: *corners, cofactors, determinant: a.dot(&cofactors[0]) }
    }

    /// Barycentric coordinates of a point.
    pub(super) fn weights(&self, point: &Vector3<f64>) -> [f64; 4] {
        let [a, b, c] = self.solve(&(point - self.corners[3]));
        [a, b, c, 1.0 - a - b - c]
    }

    /// Barycentric coordinates that reproduce the point to rounding in badly shaped elements too, by one step of
    /// iterative refinement.
    pub(super) fn refined_weights(&self, point: &Vector3<f64>) -> [f64; 4] {
        let mut weights = self.weights(point);
        for _ in 0..2 {
            let rest = self.solve(&(point - self.point(&weights)));
            for k in 0..3 {
                weights[k] += rest[k];
            }
            weights[3] = 1.0 - weights[0] - weights[1] - weights[2];
        }
        weights
    }

    /// The point with the given coordinates.
    pub(super) fn point(&self, weights: &[f64; 4]) -> Vector3<f64> {
        combine(&self.corners, weights)
    }

    /// Squared distance of a point from the tetrahedron, m²; zero inside.
    pub(super) fn distance_squared(&self, point: &Vector3<f64>) -> f64 {
        let weights = self.weights(point);
        if weights.iter().all(|&b| b >= 0.0) {
            return 0.0;
        }
        // The nearest point lies on a face beyond which the point lies.
        (0..4)
            .filter(|&k| weights[k] < 0.0)
            .map(|k| {
                let face = [1, 2, 3].map(|i| self.corners[(k + i) % 4]);
                nearest_on_triangle(point, &face).distance_squared
            })
            .fold(f64::INFINITY, f64::min)
    }

    fn solve(&self, offset: &Vector3<f64>) -> [f64; 3] {
        self.cofactors.map(|row| row.dot(offset) / self.determinant)
    }
}

/// Σ b_i x_i, as offsets from the last corner: the rounding error is then relative to the element's size, not
/// to its coordinates.
pub(super) fn combine(corners: &[Vector3<f64>; 4], weights: &[f64; 4]) -> Vector3<f64> {
    let last = corners[3];
    last + ((corners[0] - last) * weights[0]
        + (corners[1] - last) * weights[1]
        + (corners[2] - last) * weights[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vector3<f64>> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(Vector3::from)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn the_distance_is_that_of_the_nearest_point(corners in prop::array::uniform4(vector()), point in vector()) {
            let frame = BarycentricFrame::new(&corners);
            prop_assume!(frame.determinant.abs() > 1e-3);
            let distance = frame.distance_squared(&point).sqrt();
            // No point of a lattice in the tetrahedron is nearer, and one is nearly as near.
            const N: usize = 24;
            let mut least = f64::INFINITY;
            for i in 0..=N {
                for j in 0..=N - i {
                    for k in 0..=N - i - j {
                        let weights = [i, j, k, N - i - j - k].map(|s| s as f64 / N as f64);
                        least = least.min((frame.point(&weights) - point).norm());
                    }
                }
            }
            prop_assert!(distance <= least + 1e-12);
            let size = corners.iter().map(|p| (p - corners[0]).norm()).fold(0.0, f64::max);
            prop_assert!(least <= distance + 2.0 * size / N as f64);
        }
    }
}

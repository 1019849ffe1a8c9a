//! [`best_rotation`]: the rotation in a matrix, for every matrix.
//!
//! ```text
//! R = argmax tr(Rᵀ A) over the rotations        Rᵀ A = S symmetric
//! ```
//!
//! For an invertible A of positive determinant this is the orthogonal factor of its polar decomposition A = R
//! S. Where the determinant is negative, the nearest orthogonal matrix is a reflection; R is the best
//! *rotation* then, which still makes Rᵀ A symmetric.
//!
//! It is found as a unit quaternion: tr(Rᵀ A) = qᵀ K q for a symmetric 4×4 matrix K, so q is its eigenvector
//! of the largest eigenvalue. Jacobi's method finds it for every K with only arithmetic and square roots.
//!
//! Source: Horn, "Closed-form solution of absolute orientation using unit quaternions" (1987), section 4;
//! Müller, Bender, Chentanez & Macklin, "A robust method to extract the rotational part of deformations"
//! (2016) discuss the cases below.
//!
//! *Hazard.* When points have collapsed to a line or to a point, and for some reflections, many rotations are
//! equally good. Of those the one that turns least is taken, so that nothing spins and a start at rest stays
//! there.

#![allow(clippy::needless_range_loop, reason = "rows and columns are counted as in the equation")]

use nalgebra::Matrix3;

/// Eigenvalues closer to the largest than this share of the matrix's size count as equal to it.
const EQUAL: f64 = 1e-12;

/// Rotation with the largest tr(Rᵀ A), the one that turns least where several are equally good; the identity
/// for zero and for a matrix that is not finite.
///
/// ```
/// use nalgebra::{Matrix3, Rotation3, Vector3};
/// use pliant_constraints::best_rotation;
///
/// let turn = Rotation3::new(Vector3::new(0.3, -0.2, 0.9)).into_inner();
/// let stretch = Matrix3::new(2.0, 0.1, 0.0, 0.1, 1.0, 0.3, 0.0, 0.3, 0.5);
/// assert!((best_rotation(&(turn * stretch)) - turn).norm() < 1e-14);
/// // A rod along x: the turn that lays it along y, and none about its own axis.
/// let rod = Vector3::y() * Vector3::x().transpose();
/// assert!((best_rotation(&rod) - Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)).norm() < 1e-14);
/// ```
#[must_use]
pub fn best_rotation(a: &Matrix3<f64>) -> Matrix3<f64> {
    let size = a.amax();
    if size == 0.0 || !a.iter().all(|c| c.is_finite()) {
        return Matrix3::identity();
    }
    // Entries of ordinary size: no product under- or overflows. In two steps, because the inverse of a tiny
    // number may not exist.
    let half = size.sqrt();
    let m = |i: usize, j: usize| a[(i, j)] / half / half;
    // qᵀ K q = tr(Rᵀ A) for q = (w, x, y, z).
    let k = [
        [m(0, 0) + m(1, 1) + m(2, 2), m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)],
        [m(2, 1) - m(1, 2), m(0, 0) - m(1, 1) - m(2, 2), m(0, 1) + m(1, 0), m(0, 2) + m(2, 0)],
        [m(0, 2) - m(2, 0), m(0, 1) + m(1, 0), m(1, 1) - m(0, 0) - m(2, 2), m(1, 2) + m(2, 1)],
        [m(1, 0) - m(0, 1), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1), m(2, 2) - m(0, 0) - m(1, 1)],
    ];
    let (values, vectors) = eigen(k);
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The identity's part in the space of the largest eigenvalue is the least turn in it.
    let mut least = [0.0; 4];
    let mut first = None;
    for (value, vector) in values.iter().zip(&vectors) {
        if largest - value <= EQUAL {
            first = first.or(Some(*vector));
            for (sum, component) in least.iter_mut().zip(vector) {
                *sum += vector[0] * component;
            }
        }
    }
    let length = |q: &[f64; 4]| q.iter().map(|c| c * c).sum::<f64>().sqrt();
    // Where every best rotation is a half turn, one of them.
    let q = if length(&least) > 1e-9 { least } else { first.unwrap_or([1.0, 0.0, 0.0, 0.0]) };
    to_matrix(q.map(|c| c / length(&q)))
}

/// The rotation of a unit quaternion (w, x, y, z).
fn to_matrix([w, x, y, z]: [f64; 4]) -> Matrix3<f64> {
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

/// Eigenvalues and orthonormal eigenvectors (`vectors[k]`) of a symmetric matrix, in no particular order, by
/// cyclic Jacobi rotations.
///
/// Source: Golub & Van Loan, "Matrix computations", section 8.5.
pub(crate) fn eigen<const N: usize>(mut a: [[f64; N]; N]) -> ([f64; N], [[f64; N]; N]) {
    let mut vectors: [[f64; N]; N] =
        std::array::from_fn(|k| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 }));
    // Convergence is quadratic: five sweeps are usual for four rows, until what is left is below rounding.
    for _ in 0..20 {
        let mut off = 0.0;
        let mut size = 0.0;
        for (i, row) in a.iter().enumerate() {
            for (j, c) in row.iter().enumerate() {
                size += c * c;
                off += if i == j { 0.0 } else { c * c };
            }
        }
        if off <= 1e-33 * size {
            break;
        }
        for p in 0..N {
            for q in p + 1..N {
                if a[p][q] == 0.0 {
                    continue;
                }
                // The smaller of the two angles that make a_pq zero.
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let sign = if theta < 0.0 { -1.0 } else { 1.0 };
                let t = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                for k in 0..N {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                }
                for k in 0..N {
                    let (u, v) = (vectors[p][k], vectors[q][k]);
                    (vectors[p][k], vectors[q][k]) = (c * u - s * v, s * u + c * v);
                }
            }
        }
    }
    (std::array::from_fn(|k| a[k][k]), vectors)
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use proptest::prelude::*;

    use super::*;

    fn matrix() -> impl Strategy<Value = Matrix3<f64>> {
        prop::array::uniform9(-1.0..1.0_f64).prop_map(|c| Matrix3::from_row_slice(&c))
    }

    fn asymmetry(r: &Matrix3<f64>, a: &Matrix3<f64>) -> f64 {
        let s = r.transpose() * a;
        (s - s.transpose()).norm()
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(400))]

        #[test]
        fn it_is_a_rotation_and_leaves_a_symmetric_factor(a in matrix(), size in -250.0..250.0_f64) {
            let r = best_rotation(&a);
            prop_assert!((r.transpose() * r - Matrix3::identity()).norm() < 1e-14);
            prop_assert!((r.determinant() - 1.0).abs() < 1e-14);
            prop_assert!(asymmetry(&r, &a) < 1e-14 * a.norm());
            // It has no length.
            let scale = 10.0_f64.powi(size as i32);
            prop_assert!((best_rotation(&(a * scale)) - r).norm() < 1e-8);
        }

        #[test]
        fn no_rotation_is_better(a in matrix(), other in pliant_testkit::rotation()) {
            let r = best_rotation(&a);
            let best = (r.transpose() * a).trace();
            prop_assert!((other.into_inner().transpose() * a).trace() <= best + 1e-14);
            // Nor is one nearby.
            let near = nalgebra::Rotation3::new(other * Vector3::new(1e-3, 0.0, 0.0)).into_inner() * r;
            prop_assert!((near.transpose() * a).trace() <= best + 1e-14);
        }

        #[test]
        fn it_is_the_polar_factor(turn in pliant_testkit::rotation(), b in matrix(), tiny in -8.0..0.0_f64) {
            // S = bᵀb + something, of condition up to 10⁸.
            let s = b.transpose() * b + Matrix3::identity() * 10.0_f64.powf(tiny);
            let r = best_rotation(&(turn.into_inner() * s));
            let eigenvalues = s.symmetric_eigen().eigenvalues;
            let mut sorted: Vec<f64> = eigenvalues.iter().copied().collect();
            sorted.sort_by(f64::total_cmp);
            let gap = (sorted[0] + sorted[1]) / sorted[2];
            prop_assert!((r - turn.into_inner()).norm() <= 1e-14 / gap, "{gap:e}");
        }

        #[test]
        fn flat_and_straight_and_mirrored_points_have_one_too(a in matrix(), u in pliant_testkit::point(1.0), v in pliant_testkit::point(1.0), turn in pliant_testkit::rotation()) {
            let turn = turn.into_inner();
            for a in [u * v.transpose(), u * v.transpose() + v * u.transpose(), -Matrix3::identity(), -turn, a.transpose() * -a, turn * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0))] {
                let r = best_rotation(&a);
                prop_assert!((r.transpose() * r - Matrix3::identity()).norm() < 1e-14, "{r}");
                prop_assert!((r.determinant() - 1.0).abs() < 1e-14);
                prop_assert!(asymmetry(&r, &a) < 1e-11 * (1.0 + a.norm()), "{r} for {a}");
            }
        }

        #[test]
        fn a_rod_turns_about_no_axis_of_its_own(u in pliant_testkit::point(1.0), v in pliant_testkit::point(1.0)) {
            prop_assume!(u.norm() > 0.1 && v.norm() > 0.1);
            let (u, v) = (u.normalize(), v.normalize());
            prop_assume!(u.dot(&v) > -0.99);
            let r = best_rotation(&(u * v.transpose()));
            prop_assert!((r * v - u).norm() < 1e-12);
            // The axis of the least turn is normal to both.
            let axis = Vector3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
            prop_assert!(axis.dot(&u).abs() < 1e-12 && axis.dot(&v).abs() < 1e-12);
        }
    }

    #[test]
    fn without_a_matrix_there_is_no_turn() {
        for a in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(best_rotation(&Matrix3::repeat(a)), Matrix3::identity());
        }
        assert_eq!(best_rotation(&Matrix3::from_diagonal(&Vector3::new(3.0, 2.0, 1.0))), Matrix3::identity());
        assert_eq!(best_rotation(&(Matrix3::identity() * 1e-310)), Matrix3::identity());
    }
}

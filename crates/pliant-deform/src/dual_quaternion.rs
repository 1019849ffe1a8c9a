//! [`DualQuaternion`]: a rotation and a translation that can be blended.
//!
//! A unit dual quaternion q + εd moves rigidly: q rotates and 2 d q* translates. A weighted sum of some,
//! divided by the length of its q, is a rigid motion again, where a sum of matrices shrinks what it turns.
//! Source: Kavan, Collins, Žára & O'Sullivan, "Skinning with dual quaternions" (2007).

use nalgebra::{Matrix3, Matrix4, Quaternion, Vector3};

/// A rigid motion, if of unit length; a sum of weighted ones otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DualQuaternion {
    real: Quaternion<f64>,
    dual: Quaternion<f64>,
}

/// Length of a blended rotation below which it has no direction: exact opposites have cancelled.
const CANCELLED: f64 = 1e-9;

impl DualQuaternion {
    pub(crate) fn new(rotation: &Matrix3<f64>, translation: &Vector3<f64>) -> Self {
        let real = quaternion(rotation);
        let t = Quaternion::new(0.0, translation.x, translation.y, translation.z);
        Self { real, dual: t * real * 0.5 }
    }

    /// The weighted sum of some motions; `all[i]` counts by `weights` (i, w). Rotations are taken on the side
    /// of the one that counts most, since q and −q are the same.
    pub(crate) fn blend(all: &[Self], weights: impl Iterator<Item = (usize, f64)> + Clone) -> Self {
        let most = weights.clone().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let pivot = most.map_or_else(Quaternion::identity, |(i, _)| all[i].real);
        let mut sum = Self { real: Quaternion::from([0.0; 4]), dual: Quaternion::from([0.0; 4]) };
        for (i, weight) in weights {
            let weight = if all[i].real.coords.dot(&pivot.coords) < 0.0 { -weight } else { weight };
            sum.real += all[i].real * weight;
            sum.dual += all[i].dual * weight;
        }
        let length = sum.real.coords.norm();
        if length > CANCELLED {
            Self { real: sum.real / length, dual: sum.dual / length }
        } else {
            most.map_or(sum, |(i, _)| all[i])
        }
    }

    /// Moves a point.
    pub(crate) fn apply(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let (w, v) = (self.real.w, self.real.imag());
        let turned = x + v.cross(&(v.cross(x) + x * w)) * 2.0;
        let (dw, dv) = (self.dual.w, self.dual.imag());
        turned + (dv * w - v * dw + v.cross(&dv)) * 2.0
    }
}

/// The quaternion of a rotation matrix (Shepperd 1978): from its largest entry, so that nothing cancels.
fn quaternion(r: &Matrix3<f64>) -> Quaternion<f64> {
    let trace = r.trace();
    let diagonal = [r[(0, 0)], r[(1, 1)], r[(2, 2)]];
    let k = (1..3).fold(0, |best, k| if diagonal[k] > diagonal[best] { k } else { best });
    let mut q = if trace >= diagonal[k] {
        Quaternion::new(1.0 + trace, r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)])
    } else {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let mut v = Vector3::zeros();
        v[k] = 1.0 + diagonal[k] - diagonal[i] - diagonal[j];
        v[i] = r[(i, k)] + r[(k, i)];
        v[j] = r[(j, k)] + r[(k, j)];
        Quaternion::from_parts(r[(j, i)] - r[(i, j)], v)
    };
    q /= q.coords.norm();
    q
}

/// Takes an affine matrix apart into a rotation, a stretch and a translation, x ↦ R S x + t; none where it
/// squashes space flat. A mirror image is part of the stretch.
///
/// R by Newton's iteration R ← ½ (R + R⁻ᵀ) (Higham 1986), which converges quadratically to the polar factor.
pub(crate) fn polar(matrix: &Matrix4<f64>) -> Option<(Matrix3<f64>, Matrix3<f64>, Vector3<f64>)> {
    let linear: Matrix3<f64> = matrix.fixed_view::<3, 3>(0, 0).into_owned();
    let translation = matrix.fixed_view::<3, 1>(0, 3).into_owned();
    let size: f64 = linear.column_iter().map(|c| c.norm()).product();
    let determinant = linear.determinant();
    if determinant.abs() <= 1e-12 * size {
        return None;
    }
    // Brought to volume 1 first, from which few iterations are left whatever the unit.
    let mut r = linear / libm::cbrt(determinant);
    for _ in 0..60 {
        let next = (r + r.try_inverse()?.transpose()) * 0.5;
        let change = (next - r).amax();
        r = next;
        if change < 1e-15 {
            break;
        }
    }
    Some((r, r.tr_mul(&linear), translation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn one_alone_is_its_motion(motion in pliant_testkit::rigid_motion(3.0), x in pliant_testkit::point(2.0)) {
            let dual = DualQuaternion::new(motion.rotation.matrix(), &motion.translation);
            prop_assert!((dual.apply(&x) - motion.apply(&x)).norm() < 1e-13);
            let blended = DualQuaternion::blend(&[dual, dual], [(0, 0.25), (1, 0.75)].into_iter());
            prop_assert!((blended.apply(&x) - motion.apply(&x)).norm() < 1e-13);
        }

        #[test]
        fn a_blend_is_rigid_and_moves_with_the_frame(
            a in pliant_testkit::rigid_motion(2.0), b in pliant_testkit::rigid_motion(2.0), frame in pliant_testkit::rigid_motion(2.0),
            w in 0.0..1.0_f64, x in pliant_testkit::point(1.0), y in pliant_testkit::point(1.0),
        ) {
            let dual = |r: &Matrix3<f64>, t: &Vector3<f64>| DualQuaternion::new(r, t);
            let [da, db] = [a, b].map(|m| dual(m.rotation.matrix(), &m.translation));
            let weights = [(0, w), (1, 1.0 - w)];
            let blended = DualQuaternion::blend(&[da, db], weights.into_iter());
            let distance = (blended.apply(&x) - blended.apply(&y)).norm();
            prop_assert!((distance - (x - y).norm()).abs() < 1e-12);
            // The whole scene moved: the blend moves along.
            let moved = [a, b].map(|m| {
                dual(&(frame.rotation.matrix() * m.rotation.matrix()), &frame.apply(&m.translation))
            });
            let after = DualQuaternion::blend(&moved, weights.into_iter());
            // Nearly opposite rotations have no steady middle.
            let steady = (da.real.coords.dot(&db.real.coords)).abs() > 1e-3;
            prop_assert!(!steady || (after.apply(&x) - frame.apply(&blended.apply(&x))).norm() < 1e-9);
        }

        #[test]
        fn a_matrix_is_its_rotation_times_its_stretch(motion in pliant_testkit::rigid_motion(1.0), entries in prop::array::uniform9(-1.0..1.0_f64)) {
            let linear = motion.rotation.matrix() * (Matrix3::from_row_slice(&entries) + Matrix3::identity() * 2.0);
            prop_assume!(linear.determinant().abs() > 1e-2);
            let mut matrix = Matrix4::identity();
            matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
            let (r, s, _) = polar(&matrix).unwrap();
            prop_assert!((r * s - linear).amax() < 1e-12);
            prop_assert!((r.tr_mul(&r) - Matrix3::identity()).amax() < 1e-12 && r.determinant() > 0.0);
            prop_assert!((s - s.transpose()).amax() < 1e-11);
        }
    }

    #[test]
    fn flat_matrices_have_no_rotation() {
        assert!(polar(&Matrix4::new_scaling(0.0)).is_none());
        assert!(polar(&Matrix4::new_nonuniform_scaling(&Vector3::new(1.0, 1.0, 0.0))).is_none());
        assert!(polar(&Matrix4::new_scaling(1e-8)).is_some());
    }
}

//! Invariance of constraints that are not tied to a fixed frame, under translations and rotations.
//!
//! ```text
//! Σ g_j = 0        Σ x_j × g_j = 0        C(R x + t) = C(x)
//! ```
//!
//! The first two are linear and angular momentum of its forces; a constraint tied to a fixed frame, such as a
//! point target, has none of these properties. Tolerances are relative: to the sum of the lengths, and for
//! the value to the effect of a relative change of all coordinates by the tolerance.

use nalgebra::Vector3;
use pliant_constraints::BlockConstraint;

use crate::error::{CheckError, within};
use crate::strategies::RigidMotion;

/// Checks Σ g_j = 0 in every row.
///
/// # Errors
///
/// The first row whose gradients do not cancel to `tolerance` of the sum of their lengths.
pub fn check_translation<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (_, gradients) = constraint.values_and_gradients(x);
    for (row, g) in gradients.iter().enumerate() {
        let sum: Vector3<f64> = g.iter().sum();
        let scale: f64 = g.iter().map(Vector3::norm).sum();
        within("sum of the gradients (translation)", sum.norm(), tolerance * scale, || {
            format!("Σ g = {:?}, gradients {g:?} at x = {x:?}", sum.as_slice())
        })
        .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// Checks Σ (x_j − c) × g_j = 0 in every row, c the centroid.
///
/// # Errors
///
/// The first row whose torques do not cancel to `tolerance` of the sum of |x_j − c||g_j|.
pub fn check_rotation<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (_, gradients) = constraint.values_and_gradients(x);
    let centre = centroid(x);
    for (row, g) in gradients.iter().enumerate() {
        let mut sum = Vector3::zeros();
        let mut scale = 0.0;
        for (x, g) in x.iter().zip(g) {
            sum += (x - centre).cross(g);
            scale += (x - centre).norm() * g.norm();
        }
        within("sum of the torques (rotation)", sum.norm(), tolerance * scale, || {
            format!("Σ x × g = {:?}, gradients {g:?} at x = {x:?}", sum.as_slice())
        })
        .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// Checks that the values do not change when all points are moved together.
///
/// # Errors
///
/// The first row whose value changes by more than `tolerance` · (|C| + Σ |g_j| (|x_j| + |t|)).
pub fn check_rigid_motion<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    motion: &RigidMotion,
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (before, gradients) = constraint.values_and_gradients(x);
    let after = constraint.values(&x.map(|p| motion.apply(&p)));
    for row in 0..M {
        let sensitivity: f64 = gradients[row]
            .iter()
            .zip(x)
            .map(|(g, x)| g.norm() * (x.norm() + motion.translation.norm()))
            .sum();
        let allowed = tolerance * (before[row].abs() + sensitivity);
        within("value under a rigid motion", (after[row] - before[row]).abs(), allowed, || {
            format!("{} became {} at x = {x:?} under {motion:?}", before[row], after[row])
        })
        .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// The mean of the points, m.
pub(crate) fn centroid<const N: usize>(x: &[Vector3<f64>; N]) -> Vector3<f64> {
    x.iter().sum::<Vector3<f64>>() / N.max(1) as f64
}

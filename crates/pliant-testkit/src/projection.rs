//! What one projection achieves: it solves the linearised constraint, and repeated it solves the constraint.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Update, project};

use crate::error::{CheckError, within};
use crate::invariance::centroid;

/// Checks that one projection solves the linearised equation C + J Δx + α̃ (λ + Δλ) = 0 in every row.
///
/// Not for stencils without a gradient or with all points fixed (such a row is left alone), nor for blocks whose rows depend on each other at zero compliance.
///
/// # Errors
///
/// The first row where more than `tolerance` of the sum of the terms is left.
pub fn check_linearised<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
    lambda: [f64; M],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (values, gradients) = constraint.values_and_gradients(x);
    let mut after = lambda;
    let dx = project(constraint, x, w, alpha_tilde, Update::xpbd(), &mut after);
    for row in 0..M {
        let moved: f64 = gradients[row].iter().zip(&dx).map(|(g, dx)| g.dot(dx)).sum();
        let lengths: f64 = gradients[row].iter().zip(&dx).map(|(g, dx)| g.norm() * dx.norm()).sum();
        let pull = alpha_tilde * after[row];
        let scale = values[row].abs() + lengths + pull.abs() + alpha_tilde * lambda[row].abs();
        let left = values[row] + moved + pull;
        within("linearised equation after a projection", left.abs(), tolerance * scale, || {
            format!(
                "C = {}, J Δx = {moved}, λ {} → {}, α̃ = {alpha_tilde} at x = {x:?}, w = {w:?}",
                values[row], lambda[row], after[row]
            )
        })
        .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// Checks that at most `projections` projections at zero compliance satisfy the constraint: |C| ≤ `tolerance` · Σ |g_j||x_j − c|,
/// the larger of that sum before and after.
///
/// A constraint that is linear along its own gradient, like a distance, needs one; others converge quadratically once they are near.
///
/// # Errors
///
/// The row that is left over, with the history of its residuals.
pub fn check_converges<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    projections: usize,
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let start = *x;
    let mut x = start;
    let mut history = vec![constraint.values(&x)];
    for _ in 0..projections {
        let dx = project(constraint, &x, w, 0.0, Update::xpbd(), &mut [0.0; M]);
        for (x, dx) in x.iter_mut().zip(&dx) {
            *x += dx;
        }
        history.push(constraint.values(&x));
    }
    let sizes = |x: &[Vector3<f64>; N]| -> ([f64; M], [f64; M]) {
        let (values, gradients) = constraint.values_and_gradients(x);
        let centre = centroid(x);
        let size = |g: &[Vector3<f64>; N]| g.iter().zip(x).map(|(g, x)| g.norm() * (x - centre).norm()).sum();
        (values, gradients.each_ref().map(size))
    };
    let (_, before) = sizes(&start);
    let (values, after) = sizes(&x);
    for row in 0..M {
        let scale = before[row].max(after[row]);
        within("constraint after repeated projection", values[row].abs(), tolerance * scale, || {
            format!("values {:?}, ending at x = {x:?}", history.iter().map(|v| v[row]).collect::<Vec<_>>())
        })
        .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// Checks that values, gradients and one projection are finite, whatever the stencil is.
///
/// # Errors
///
/// What is infinite or not a number.
pub fn check_finite<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let finite = |property, ok: bool, detail: &dyn Fn() -> String| {
        if ok { Ok(()) } else { Err(CheckError::new(property, f64::INFINITY, 0.0, detail())) }
    };
    let (values, gradients) = constraint.values_and_gradients(x);
    finite("a value is not finite", values.iter().all(|v| v.is_finite()), &|| {
        format!("values {values:?} at x = {x:?}")
    })?;
    let all = |g: &[Vector3<f64>]| g.iter().all(|g| g.iter().all(|c| c.is_finite()));
    finite("a gradient is not finite", gradients.iter().all(|g| all(g)), &|| {
        format!("gradients {gradients:?} at x = {x:?}")
    })?;
    let mut lambda = [0.0; M];
    let dx = project(constraint, x, w, alpha_tilde, Update::xpbd(), &mut lambda);
    finite("a projection is not finite", all(&dx) && lambda.iter().all(|l| l.is_finite()), &|| {
        format!("Δx {dx:?}, λ {lambda:?} at x = {x:?}, w = {w:?}, α̃ = {alpha_tilde}")
    })
}

//! One projection solves the linearised constraint, and repeated projections solve the constraint.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Bound, Damping, Update, project, project_damped};

use crate::error::{CheckError, within};
use crate::invariance::centroid;

/// Checks that one projection solves the linearised equation C + J Δx + α̃ (λ + Δλ) = 0 in every row.
///
/// For an inequality ([`Bound::AtLeastZero`], with `lambda` ≥ 0) it checks that the new multiplier is not
/// negative, that the left side is not negative, and that one of the two is zero.
///
/// Not for stencils without a gradient or with all points fixed (such a row is not projected), nor for blocks
/// whose rows depend on each other at zero compliance.
///
/// # Errors
///
/// The first row whose residual exceeds `tolerance` times the sum of the terms.
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
    let mut after = lambda;
    let dx = project(constraint, x, w, alpha_tilde, Update::xpbd(), &mut after);
    solves_linearised(constraint, x, &dx, alpha_tilde, [lambda, after], None, tolerance)
}

/// Checks that one projection with damping solves its linearised equation C + J Δx + α̃ (λ + Δλ) + γ J (x +
/// Δx − x_prev) = 0 in every row, with γ = 0 at zero compliance, and that it conserves the momentum of free
/// points, Σ m Δx = 0 and Σ x × m Δx = 0, exactly as without damping.
///
/// All `w` are positive. Inequalities are checked as by [`check_linearised`], with the same exceptions. Rows
/// that rotate with the body do not conserve angular momentum one by one: see [`check_damped_rows`].
///
/// # Errors
///
/// The first row whose residual exceeds `tolerance` times the sum of the terms, or the momentum.
pub fn check_damped<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
    damping: Damping<'_, f64, N>,
    lambda: [f64; M],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let dx = check_damped_rows(constraint, x, w, alpha_tilde, damping, lambda, tolerance)?;
    let centre = centroid(x);
    let impulse = |j: usize| dx[j] / w[j];
    let torque: Vector3<f64> = (0..N).map(|j| (x[j] - centre).cross(&impulse(j))).sum();
    let scale: f64 = (0..N).map(|j| (x[j] - centre).norm() * impulse(j).norm()).sum();
    within("angular momentum of a damped projection", torque.norm(), tolerance * scale, || {
        format!("sum {:?}, Δx {dx:?} at x = {x:?}, w = {w:?}", torque.as_slice())
    })
}

/// The checks of [`check_damped`] without that of angular momentum; returns Δx. For kinds whose rows rotate
/// with the body, such as [`IsometricBending`](pliant_constraints::IsometricBending) and
/// [`Coincidence`](pliant_constraints::Coincidence). Their forces have no torque, but their damping forces,
/// along the change of C and not along C, do.
///
/// # Errors
///
/// The first row whose residual exceeds `tolerance` times the sum of the terms, or the linear momentum.
pub fn check_damped_rows<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
    damping: Damping<'_, f64, N>,
    lambda: [f64; M],
    tolerance: f64,
) -> Result<[Vector3<f64>; N], CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let mut after = lambda;
    let dx = project_damped(constraint, x, w, alpha_tilde, damping, Update::xpbd(), &mut after);
    let active = (alpha_tilde > 0.0).then_some(damping);
    solves_linearised(constraint, x, &dx, alpha_tilde, [lambda, after], active, tolerance)?;
    let impulse = |j: usize| dx[j] / w[j];
    let sum: Vector3<f64> = (0..N).map(impulse).sum();
    let scale: f64 = (0..N).map(|j| impulse(j).norm()).sum();
    within("linear momentum of a damped projection", sum.norm(), tolerance * scale, || {
        format!("sum {:?}, Δx {dx:?} at x = {x:?}, w = {w:?}", sum.as_slice())
    })?;
    Ok(dx)
}

/// The check of the rows for the functions above; `lambda` before and after.
fn solves_linearised<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    dx: &[Vector3<f64>; N],
    alpha_tilde: f64,
    [before, after]: [[f64; M]; 2],
    damping: Option<Damping<'_, f64, N>>,
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (values, gradients) = constraint.values_and_gradients(x);
    for row in 0..M {
        let along = |by: &[Vector3<f64>]| -> (f64, f64) {
            let terms = gradients[row].iter().zip(by);
            (terms.clone().map(|(g, d)| g.dot(d)).sum(), terms.map(|(g, d)| g.norm() * d.norm()).sum())
        };
        let (moved, lengths) = along(dx);
        let pull = alpha_tilde * after[row];
        let mut left = values[row] + moved + pull;
        let mut scale = values[row].abs() + lengths + pull.abs() + alpha_tilde * before[row].abs();
        if let Some(Damping { previous, gamma }) = damping {
            let since: [Vector3<f64>; N] = std::array::from_fn(|j| x[j] + dx[j] - previous[j]);
            let (change, lengths) = along(&since);
            left += gamma * change;
            scale += gamma * lengths;
        }
        let detail = || {
            format!(
                "C = {}, J Δx = {moved}, λ {} → {}, α̃ = {alpha_tilde} at x = {x:?}, Δx = {dx:?}",
                values[row], before[row], after[row]
            )
        };
        if C::BOUND == Bound::AtLeastZero {
            within("multiplier of an inequality below zero", -after[row], 0.0, detail)
                .map_err(|e| e.at_row(row))?;
            if after[row] == 0.0 {
                left = left.min(0.0);
            }
        }
        within("linearised equation after a projection", left.abs(), tolerance * scale, detail)
            .map_err(|e| e.at_row(row))?;
    }
    Ok(())
}

/// Checks that at most `projections` projections at zero compliance satisfy the constraint: |C| ≤ `tolerance`
/// · Σ |g_j||x_j − c|, the larger of that sum before and after. For an inequality only min(0, C) counts.
///
/// A constraint that is linear along its own gradient, such as a distance, needs one projection; others
/// converge quadratically near the solution.
///
/// # Errors
///
/// The row that has not converged, with the history of its residuals.
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
        let violation = C::BOUND.violation(values[row]).abs();
        within("constraint after repeated projection", violation, tolerance * scale, || {
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
/// The quantity that is infinite or NaN.
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

//! [`potential`]: the energy of a constraint, with its gradient and the Gauss–Newton part of its Hessian.
//!
//! ```text
//! E = ½ Σ_m v_m²/α          ∂E/∂x_j = Σ_m v_m ∇_j C_m/α          K_jk = Σ_m ∇_j C_m ∇_k C_mᵀ/α
//! ```
//!
//! with the rows C_m, the violation v_m (C_m of an equation, min(0, C_m) of an inequality) and the compliance
//! α. Rows that are not violated are left out of K. The Hessian is K + Σ_m v_m ∂²C_m/α: what is left out
//! vanishes where the constraint is satisfied, and may be indefinite elsewhere; K never is. So a Newton step
//! on an implicit step may take K for the Hessian of any kind.
//!
//! Source: Nocedal & Wright, "Numerical optimization" (2006), section 10.3; as the projection of Hessians in
//! Tournier, Nesme, Gilles & Faure, "Stable constrained dynamics" (2015), section 3.

use nalgebra::{Matrix3, Vector3};

use crate::bound::Bound;
use crate::constraint::BlockConstraint;
use crate::real::Real;

/// Energy, gradient and stiffness of a constraint on `N` points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Potential<const N: usize> {
    /// E, J.
    pub energy: f64,
    /// ∂E/∂x of every point, N: minus the force.
    pub gradient: [Vector3<f64>; N],
    /// K, N/m: `stiffness[j][k]` is the derivative of the gradient at point j with respect to point k.
    /// Symmetric and positive semi-definite.
    pub stiffness: [[Matrix3<f64>; N]; N],
}

/// Squares over a compliance, and zero without one. Of violations, Σ v²/α, it is twice the elastic energy; of
/// residuals, Σ r²/(α̃(1 + γ)), it bounds the error of a step.
///
/// Multiply numbers that are so small that their squares vanish by a power of two first, and divide the
/// result by its square.
///
/// ```
/// // A spring of 200 N/m that is 0.1 m too long.
/// assert!((0.5 * pliant_constraints::over_compliance(0.1 * 0.1, 1.0 / 200.0) - 1.0_f64).abs() < 1e-12);
/// ```
#[inline(always)]
pub fn over_compliance<T: Real>(squares: T, compliance: T) -> T {
    T::select(compliance.le(T::zero()), T::zero(), squares / compliance)
}

/// The energy of a constraint, J; zero for one without compliance, which has none.
pub fn potential_energy<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    compliance: f64,
) -> f64 {
    let squares: f64 = constraint.violations(constraint.values(x)).iter().map(|v| v * v).sum();
    0.5 * over_compliance(squares, compliance)
}

/// Energy, gradient and Gauss–Newton stiffness of a constraint with a compliance, in the unit of the kind;
/// none without compliance: a rigid constraint has no energy.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Distance, potential};
///
/// // A spring of 200 N/m that is 0.1 m too long.
/// let spring = Distance { rest: 1.0 };
/// let x = [Vector3::zeros(), Vector3::new(1.1, 0.0, 0.0)];
/// let found = potential(&spring, &x, 1.0 / 200.0).unwrap();
/// assert!((found.energy - 1.0).abs() < 1e-12);
/// assert!((found.gradient[1] - Vector3::new(20.0, 0.0, 0.0)).norm() < 1e-11);
/// assert!((found.stiffness[0][0].m11 - 200.0).abs() < 1e-9 && found.stiffness[0][0].m22 == 0.0);
/// assert_eq!(potential(&spring, &x, 0.0), None);
/// ```
pub fn potential<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    compliance: f64,
) -> Option<Potential<N>> {
    if compliance.is_nan() || compliance <= 0.0 {
        return None;
    }
    let (values, rows) = constraint.values_and_gradients(x);
    let mut gradient = [Vector3::zeros(); N];
    let mut stiffness = [[Matrix3::zeros(); N]; N];
    let violations = constraint.violations(values);
    let mut add = |violation: f64, row: &[Vector3<f64>; N]| {
        for j in 0..N {
            gradient[j] += row[j] * (violation / compliance);
            for k in 0..N {
                stiffness[j][k] += row[j] * row[k].transpose() / compliance;
            }
        }
    };
    let length = violations.iter().map(|v| v * v).sum::<f64>().sqrt();
    if matches!(C::BOUND, Bound::Cone) && length > 0.0 {
        // Only one direction of the rows is violated.
        let along = |j: usize| rows.iter().zip(&violations).map(|(row, v)| row[j] * (v / length)).sum();
        add(length, &std::array::from_fn(along));
    }
    for ((&value, &violation), row) in values.iter().zip(&violations).zip(&rows) {
        // An inequality that is satisfied has no stiffness.
        if !matches!(C::BOUND, Bound::Cone) && violation == value {
            add(violation, row);
        }
    }
    Some(Potential { energy: potential_energy(constraint, x, compliance), gradient, stiffness })
}

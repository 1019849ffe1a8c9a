//! Damping within a constraint: [`project_damped`].
//!
//! ```text
//! C + α̃λ + γ J (x − x_prev) = 0        γ = τ/h
//! ((1 + γ) J W Jᵀ + α̃ I) Δλ = −(C + α̃λ + γ J (x − x_prev))        λ ← λ + Δλ        Δx_j = w_j J_jᵀ Δλ
//! ```
//!
//! A compliant constraint is a spring of stiffness 1/α; this puts a dashpot beside it that resists the *rate*
//! of C, Ċ ≈ J (x − x_prev)/h. It takes energy out of stretching, shearing or bending and out of nothing
//! else: the forces are along ∂C/∂x, so linear and angular momentum are kept and a body that moves as a whole
//! is not slowed (air drag does that).
//!
//! One parameter sets the amount, the relaxation time τ in seconds: the spring pulls with C/α and the dashpot
//! with τĊ/α, so an unloaded spring without mass creeps back as exp(−t/τ). In the terms of the source β = τ/α
//! is the dashpot's constant (N·s/m for a length) and γ = α̃β̃/h with β̃ = h²β; in those of structural
//! mechanics this is stiffness-proportional Rayleigh damping, c = τk, and a mode of angular frequency ω has
//! the damping ratio ζ = τω/2. One τ therefore serves a whole material, however its stiffness varies from
//! element to element. A rigid constraint (α = 0) has no rate to resist: γ counts as zero there.
//!
//! One projection of a linear constraint is one step of implicit Euler of m ẍ = −k x − τk ẋ, stable for every
//! τ. x_prev are the positions at the start of the *substep*.
//!
//! Source: Macklin, Müller & Chentanez 2016, section 5.2, eq. 26; for several rows their eqs. 24 and 25.

#![allow(clippy::needless_range_loop, reason = "rows and columns are counted as in the equation")]

use nalgebra::Vector3;

use crate::constraint::{BlockConstraint, ScaledRows};
use crate::project::{Update, apply, solve, total_weight};
use crate::real::Real;
use crate::vector::coefficient;

/// What the damping of a constraint needs in addition to the constraint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damping<'a, T: Real, const N: usize> {
    /// Positions of the points at the start of the substep, m.
    pub previous: &'a [Vector3<T>; N],
    /// γ = τ/h: the relaxation time over the substep, both in s; at least zero.
    pub gamma: T,
}

impl<T: Real, const N: usize> Damping<'_, T, N> {
    /// γ of a constraint with the given scaled compliance.
    #[inline(always)]
    pub(crate) fn gamma_at(&self, alpha_tilde: T) -> T {
        T::select(alpha_tilde.le(T::zero()), T::zero(), self.gamma)
    }
}

/// α̃(1 + γ): the residual of a damped constraint divided by this is the change of its multiplier that would
/// cancel the residual.
///
/// The squares of residuals over this bound the error of a step: Σ r²/(α̃(1 + γ)), see
/// [`over_compliance`](crate::over_compliance).
#[inline(always)]
pub fn damped_compliance<T: Real>(alpha_tilde: T, gamma: T) -> T {
    alpha_tilde * (T::one() + gamma)
}

/// J (x − x_prev): by how much every row has changed over the substep, to first order. Those of
/// [one vector](BlockConstraint::IS_VECTOR) change with one axis each.
#[inline(always)]
fn changes<T: Real, const N: usize, const M: usize>(
    are_a_vector: bool,
    gradients: &[[Vector3<T>; N]; M],
    x: &[Vector3<T>; N],
    previous: &[Vector3<T>; N],
) -> [T; M] {
    let mut changes = [T::zero(); M];
    for row in 0..M {
        for j in 0..N {
            let moved = x[j] - previous[j];
            changes[row] += if are_a_vector {
                coefficient(gradients, j) * moved[row]
            } else {
                gradients[row][j].dot(&moved)
            };
        }
    }
    changes
}

/// Projects one constraint with damping: updates `lambda` and returns the displacement of every point.
///
/// Everything is as for [`project`](crate::project); for γ = 0 or a compliance of zero the two agree.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Damping, Distance, Update, project, project_damped};
///
/// let (edge, w) = (Distance { rest: 1.0 }, [1.0, 1.0]);
/// // Two points fly apart at 2 m/s from the rest length.
/// let (h, compliance, relaxation) = (0.01, 1e-3, 0.1);
/// let before = [Vector3::zeros(), Vector3::x()];
/// let x = [Vector3::x() * -h, Vector3::x() * (1.0 + h)];
/// let alpha_tilde = compliance / (h * h);
///
/// let damping = Damping { previous: &before, gamma: relaxation / h };
/// let spring = project(&edge, &x, &w, alpha_tilde, Update::xpbd(), &mut [0.0]);
/// let damped = project_damped(&edge, &x, &w, alpha_tilde, damping, Update::xpbd(), &mut [0.0]);
/// assert!(damped[0].x > spring[0].x && damped[0] == -damped[1]);
/// ```
#[inline(always)]
pub fn project_damped<T, C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<T>; N],
    w: &[T; N],
    alpha_tilde: T,
    damping: Damping<'_, T, N>,
    update: Update<T>,
    lambda: &mut [T; M],
) -> [Vector3<T>; N]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    let gamma = damping.gamma_at(alpha_tilde);
    let grown = T::one() + gamma;
    let ScaledRows { factor, values, gradients, inverse_mass: mut matrix } = constraint.scaled_rows(x, w);
    let changes = changes(C::IS_VECTOR, &gradients, x, damping.previous);
    let gamma_of_change = gamma / factor;
    let mut rhs = values;
    for row in 0..M {
        rhs[row] = -(update.scale * values[row]
            + update.memory * alpha_tilde * lambda[row]
            + gamma_of_change * changes[row]);
        for column in 0..=row {
            matrix[row][column] *= grown;
        }
    }
    // The floor grows by the same factor, so that damping does not change which rows count as having no gradient.
    let floor = update.gradient_floor * total_weight(w) * factor * grown;
    let delta = solve::<T, C, N, M>(matrix, rhs, constraint.diagonal(w, alpha_tilde) * factor, floor);
    apply(constraint, delta, factor, &gradients, w, lambda)
}

/// C + γ J (x − x_prev) of every row, in the unit of C: it replaces the values in the residual of a damped constraint.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Bound, Damping, Distance, damped_values};
///
/// let (before, x) = ([Vector3::zeros(), Vector3::x()], [Vector3::zeros(), Vector3::x() * 1.5]);
/// let damping = Damping { previous: &before, gamma: 2.0 };
/// let values = damped_values(&Distance { rest: 1.0 }, &x, 0.25, damping);
/// assert_eq!(values, [0.5 + 2.0 * 0.5]);
/// assert_eq!(Bound::Equality.residual(&values, 0.25, &[-6.0]), [0.0]);
/// ```
#[inline(always)]
pub fn damped_values<T, C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<T>; N],
    alpha_tilde: T,
    damping: Damping<'_, T, N>,
) -> [T; M]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    let (values, gradients) = constraint.values_and_gradients(x);
    damped_values_of(C::IS_VECTOR, &values, &gradients, T::one(), x, alpha_tilde, damping)
}

/// The same, where values, and gradients times a factor, are known.
#[inline(always)]
pub(crate) fn damped_values_of<T: Real, const N: usize, const M: usize>(
    are_a_vector: bool,
    values: &[T; M],
    gradients: &[[Vector3<T>; N]; M],
    factor: T,
    x: &[Vector3<T>; N],
    alpha_tilde: T,
    damping: Damping<'_, T, N>,
) -> [T; M] {
    let gamma_of_change = damping.gamma_at(alpha_tilde) / factor;
    let (mut values, changes) = (*values, changes(are_a_vector, gradients, x, damping.previous));
    for row in 0..M {
        values[row] += gamma_of_change * changes[row];
    }
    values
}

impl<T: Real, const N: usize, const M: usize> ScaledRows<T, N, M> {
    /// C + γ J (x − x_prev) of every row at the positions that the rows are of: see [`damped_values`].
    #[inline(always)]
    pub fn damped_values(&self, x: &[Vector3<T>; N], alpha_tilde: T, damping: Damping<'_, T, N>) -> [T; M] {
        damped_values_of(false, &self.values, &self.gradients, self.factor, x, alpha_tilde, damping)
    }
}

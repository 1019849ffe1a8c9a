//! One XPBD update of one constraint: [`project`].
//!
//! For m rows with values C, Jacobian J, weights W = diag(w_j), multipliers λ and scaled compliance α̃ = α/h²:
//!
//! ```text
//! (J W Jᵀ + α̃ I) Δλ = −(C + α̃ λ)        λ ← λ + Δλ        Δx_j = w_j J_jᵀ Δλ
//! ```
//!
//! Source: Macklin, Müller & Chentanez, "XPBD: position-based simulation of compliant constrained dynamics"
//! (2016), eqs. 17 and 18; for several rows solved together their eq. 15. The multiplier must be set to zero
//! at the start of every *substep*, not of every iteration.
//!
//! An inequality C ≥ 0 ([`Bound::AtLeastZero`]) has λ ≥ 0. Its Δλ is always computed and then cut off, λ_new
//! = max(0, λ + Δλ), so that a later iteration takes back what an earlier one pushed too far, at α = 0 too.
//!
//! *Hazard.* Where the gradient vanishes there is no direction to move in, and dividing by a gradient that is
//! only rounding noise throws particles across the scene. A row whose pivot J W Jᵀ does not exceed the given
//! floor · Σw is left alone: its Δλ is zero, for zero compliance and otherwise. The floor is
//! [`Kind::gradient_floor`](crate::Kind::gradient_floor).

#![allow(clippy::needless_range_loop, reason = "rows and columns are counted as in the equation")]

use nalgebra::Vector3;

use crate::bound::Bound;
use crate::constraint::{BlockConstraint, ScaledRows};
use crate::real::Real;
use crate::solve::{solve_multiple_of_identity, solve_symmetric};
use crate::vector::coefficient;

/// How a value and an earlier multiplier become a correction: Δλ ∝ −(`scale`·C + `memory`·α̃·λ).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Update<T> {
    /// Share of the error that one projection removes, in [0, 1].
    pub scale: T,
    /// 1 where the accumulated multiplier counts, 0 where it does not.
    pub memory: T,
    /// Squared gradient length at and below which a row is left alone; see
    /// [`Kind::gradient_floor`](crate::Kind::gradient_floor).
    pub gradient_floor: T,
}

impl<T: Real> Update<T> {
    /// XPBD: the multiplier is accumulated and the stiffness does not depend on the number of iterations.
    #[inline]
    #[must_use]
    pub fn xpbd() -> Self {
        Self { scale: T::one(), memory: T::one(), gradient_floor: T::zero() }
    }

    /// The step of *phys-sim-book*'s listings, −C/(Σw|∇C|² + α̃), which forgets the multiplier: with more than one
    /// iteration a compliant constraint gets stiffer with every iteration. For comparison with the book.
    #[inline]
    #[must_use]
    pub fn without_multiplier() -> Self {
        Self { scale: T::one(), memory: T::zero(), gradient_floor: T::zero() }
    }

    /// Whether this is [`xpbd`](Update::xpbd), whatever the floor under the gradient.
    #[inline]
    #[must_use]
    pub fn is_xpbd(&self) -> bool
    where
        T: PartialEq,
    {
        self.scale == T::one() && self.memory == T::one()
    }

    /// The same update with a floor under the gradient.
    #[inline]
    #[must_use]
    pub fn with_gradient_floor(self, gradient_floor: T) -> Self {
        Self { gradient_floor, ..self }
    }

    /// Position based dynamics with a stiffness k in [0, 1] (Müller et al. 2007, section 3.3). Use with zero
    /// compliance.
    #[inline]
    #[must_use]
    pub fn pbd(stiffness: T) -> Self {
        Self { scale: stiffness, memory: T::zero(), gradient_floor: T::zero() }
    }
}

/// The stiffness k' = 1 − (1 − k)^(1/n) that removes the share k of an error in n iterations together (Müller et al.
/// 2007, section 3.3). Any `stiffness` below 0 counts as 0 and any above 1 as 1; zero iterations count as one.
///
/// ```
/// let k = pliant_constraints::iteration_independent_stiffness(0.9, 5);
/// assert!(((1.0 - k).powi(5) - 0.1).abs() < 1e-12);
/// ```
#[must_use]
pub fn iteration_independent_stiffness(stiffness: f64, iterations: u32) -> f64 {
    1.0 - libm::pow(1.0 - stiffness.clamp(0.0, 1.0), 1.0 / f64::from(iterations.max(1)))
}

/// Projects one constraint: updates `lambda` and returns the displacement of every point.
///
/// `w` are inverse masses, 1/kg; `alpha_tilde` is the compliance divided by the square of the substep, α/h². Points
/// with zero weight do not move.
///
/// Solves (J W Jᵀ + α̃ I) Δλ = −(C + α̃ λ), then λ ← λ + Δλ and Δx_j = w_j J_jᵀ Δλ (Macklin et al. 2016, eqs.
/// 15, 17 and 18). A row whose pivot J W Jᵀ does not exceed the gradient floor of `update` times Σw is left
/// alone: there is no direction to move in.
///
/// An inequality C ≥ 0 ([`Bound::AtLeastZero`]) takes the same step and then λ_new = max(0, λ + Δλ), Δλ =
/// λ_new − λ; rows with [`Bound::Cone`] take the point of the cone that is nearest to λ + Δλ.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{project, Distance, Update};
///
/// let x = [Vector3::zeros(), Vector3::x() * 3.0];
/// let mut lambda = [0.0];
/// let dx = project(&Distance { rest: 1.0 }, &x, &[1.0, 1.0], 0.0, Update::xpbd(), &mut lambda);
/// assert_eq!(x[0] + dx[0], Vector3::x());
/// assert_eq!(x[1] + dx[1], Vector3::x() * 2.0);
/// ```
#[inline(always)]
pub fn project<T, C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<T>; N],
    w: &[T; N],
    alpha_tilde: T,
    update: Update<T>,
    lambda: &mut [T; M],
) -> [Vector3<T>; N]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    let rows = constraint.scaled_rows(x, w);
    let mut rhs = rows.values;
    for row in 0..M {
        rhs[row] = -(update.scale * rows.values[row] + update.memory * alpha_tilde * lambda[row]);
    }
    let diagonal = constraint.diagonal(w, alpha_tilde) * rows.factor;
    step(constraint, &rows, rhs, diagonal, Some(update.gradient_floor), w, lambda)
}

/// Projects one equation of zero compliance: as [`project`] with α̃ = 0 and [`Update::xpbd`], without the
/// operations that have no effect.
///
/// A kind whose gradient cannot vanish needs no floor: see [`Kind::GRADIENT_VANISHES`](crate::Kind::GRADIENT_VANISHES).
///
/// [`BlockConstraint::diagonal`] is not called: what a kind adds there to α̃ comes from the forces C/α, which
/// are not defined for α = 0. The only kind that adds something,
/// [`StabilisedNeoHookeanTet`](crate::StabilisedNeoHookeanTet), is built from moduli and never rigid.
#[inline(always)]
pub fn project_rigid<T, C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<T>; N],
    w: &[T; N],
    gradient_floor: Option<T>,
    lambda: &mut [T; M],
) -> [Vector3<T>; N]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    let rows = constraint.scaled_rows(x, w);
    let mut rhs = rows.values;
    for row in 0..M {
        rhs[row] = -rows.values[row];
    }
    // The compiler may drop an added −0 but not an added 0.
    step(constraint, &rows, rhs, -T::zero(), gradient_floor, w, lambda)
}

/// Solves for the change of the multipliers and applies it; `alpha` is s times what is added to the diagonal of J W Jᵀ.
#[inline(always)]
fn step<T, C, const N: usize, const M: usize>(
    constraint: &C,
    rows: &ScaledRows<T, N, M>,
    rhs: [T; M],
    alpha: T,
    gradient_floor: Option<T>,
    w: &[T; N],
    lambda: &mut [T; M],
) -> [Vector3<T>; N]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    let floor = match gradient_floor {
        Some(floor) => floor * total_weight(w) * rows.factor,
        None => T::zero(),
    };
    let delta = solve::<T, C, N, M>(rows.inverse_mass, rhs, alpha, floor);
    apply(constraint, delta, rows.factor, &rows.gradients, w, lambda)
}

/// Solves (A + α̃ I) y = b for the rows of a constraint, where A is J W Jᵀ or a multiple of it.
#[inline(always)]
pub(crate) fn solve<T, C, const N: usize, const M: usize>(
    a: [[T; M]; M],
    b: [T; M],
    alpha_tilde: T,
    floor: T,
) -> [T; M]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    if const { C::IS_VECTOR } {
        solve_multiple_of_identity(a[0][0], b, alpha_tilde, floor)
    } else {
        solve_symmetric(a, b, alpha_tilde, floor)
    }
}

/// Σ w_j.
#[inline(always)]
pub(crate) fn total_weight<T: Real, const N: usize>(w: &[T; N]) -> T {
    let mut weight = w[0];
    for wj in &w[1..] {
        weight += *wj;
    }
    weight
}

/// Takes a change of the multipliers, within their bound, and returns the displacements w_j J_jᵀ Δλ that
/// belong to it. Gradients are those of the constraint times `factor`, the change is that of the multipliers
/// divided by it: see [`ScaledRows`].
#[inline(always)]
pub(crate) fn apply<T, C, const N: usize, const M: usize>(
    constraint: &C,
    mut delta: [T; M],
    factor: T,
    gradients: &[[Vector3<T>; N]; M],
    w: &[T; N],
    lambda: &mut [T; M],
) -> [Vector3<T>; N]
where
    T: Real,
    C: BlockConstraint<T, N, M>,
{
    const { assert!(M == 1 || !matches!(C::BOUND, Bound::AtLeastZero), "an inequality has one row") }
    const { assert!(M == 3 || !C::IS_VECTOR, "a vector has three rows") }
    let before = *lambda;
    for row in 0..M {
        lambda[row] += delta[row] * factor;
    }
    if !matches!(C::BOUND, Bound::Equality) {
        // An earlier push that went too far is taken back by as much as it went too far.
        *lambda = constraint.admissible(*lambda);
        for row in 0..M {
            delta[row] = (lambda[row] - before[row]) / factor;
        }
    }
    let mut displacement = gradients[0];
    for j in 0..N {
        if M == 1 {
            displacement[j] = gradients[0][j] * (delta[0] * w[j]);
            continue;
        }
        if C::IS_VECTOR {
            let b = coefficient(gradients, j);
            displacement[j] = Vector3::new(delta[0] * b, delta[1] * b, delta[2] * b) * w[j];
            continue;
        }
        let mut sum = gradients[0][j] * delta[0];
        for row in 1..M {
            sum += gradients[row][j] * delta[row];
        }
        displacement[j] = sum * w[j];
    }
    displacement
}

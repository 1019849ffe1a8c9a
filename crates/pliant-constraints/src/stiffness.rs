//! What a Newton step needs of a constraint: [`linearise`], its multipliers, impulses and stiffness at given positions.
//!
//! An implicit step of length h makes the gradient of ½ (x − x̃)ᵀ M (x − x̃) + h² Σ E(x) vanish. A constraint
//! of compliance α has E = ½ C²/α; with α̃ = α/h² its part of the gradient is −∇Cᵀλ with λ = −C/α̃, and its
//! part of the Hessian
//!
//! ```text
//! K = ∇Cᵀ∇C/α̃ + Σ_m τ_m ∂²C_m        τ = −λ: the tension
//! ```
//!
//! The first term is never indefinite, the second may be: kinds whose second derivatives matter return as
//! much of it as leaves K positive semi-definite ([`BlockConstraint::stiffness`]). A rigid constraint has no
//! energy. It gets the compliance α̃' = max(α̃, ε J W Jᵀ) instead, and keeps its tension by the method of
//! multipliers:
//!
//! ```text
//! λ' = λ − (C + α̃λ)/α̃'
//! ```
//!
//! which is −C/α̃ where α̃' = α̃, and for which C + α̃λ' vanishes with C + α̃λ.
//!
//! Source: Nocedal & Wright, "Numerical Optimization" (2006), sections 10.3 and 17.3; the projection of
//! Hessians: Teran, Sifakis, Irving & Fedkiw, "Robust quasistatic finite elements and flesh simulation"
//! (2005).

#![allow(clippy::needless_range_loop, reason = "points, rows and columns are counted as in the equations")]

use nalgebra::Vector3;

use crate::blocks::Blocks;
use crate::bound::Bound;
use crate::constraint::{BlockConstraint, ScaledRows};
use crate::damped::{Damping, damped_values_of};
use crate::real::Real;

/// A constraint as a Newton step sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linear<T: Real, const N: usize, const M: usize> {
    /// λ', kg·m over the unit of C.
    pub lambda: [T; M],
    /// ∇Cᵀλ' at every point, kg·m.
    pub impulses: [Vector3<T>; N],
    /// K, kg.
    pub blocks: Blocks<T, N>,
    /// One where it is treated as rigid, so that λ' depends on λ; else zero.
    pub rigid: T,
}

/// Where and how a constraint is linearised.
#[derive(Debug, Clone, Copy)]
pub struct LinearisationPoint<'a, T: Real, const N: usize> {
    /// The points.
    pub x: &'a [Vector3<T>; N],
    /// Their inverse masses, 1/kg.
    pub w: &'a [T; N],
    /// α̃ = α/h².
    pub alpha_tilde: T,
    /// ε: constraints that are stiffer than this share of their inverse mass are treated as rigid.
    pub rigid: T,
    /// Damping, where γ is not zero.
    pub damping: Damping<'a, T, N>,
}

/// λ' of a constraint, the stiffness 1/α̃' that goes with it, zero where an inequality is slack, and one
/// where it is treated as rigid.
#[inline(always)]
fn multipliers<T: Real, C: BlockConstraint<T, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    at: &LinearisationPoint<'_, T, N>,
    lambda: &[T; M],
    values: &[T; M],
    gradients: &[[Vector3<T>; N]; M],
) -> ([T; M], T, T) {
    let matrix = constraint.inverse_mass_matrix(at.w, gradients);
    let mut trace = T::zero();
    for row in 0..M {
        trace += matrix[row][row];
    }
    let least = at.rigid * trace * T::splat(1.0 / M as f64);
    let alpha = at.alpha_tilde.max(least);
    let none = alpha.le(T::zero());
    let inverse = T::select(none, T::zero(), T::one() / T::select(none, T::one(), alpha));
    let damping = at.damping;
    let values = damped_values_of(C::IS_VECTOR, values, gradients, T::one(), at.x, at.alpha_tilde, damping);
    let mut wanted = *lambda;
    for row in 0..M {
        wanted[row] -= (values[row] + at.alpha_tilde * lambda[row]) * inverse;
    }
    let allowed = constraint.admissible(wanted);
    let grown = T::one() + at.damping.gamma_at(at.alpha_tilde);
    let mut slack = T::one().le(T::zero());
    if C::BOUND != Bound::Equality {
        let mut size = T::zero();
        for row in 0..M {
            size += allowed[row].abs();
        }
        slack = size.le(T::zero());
    }
    let rigid = T::select(least.le(at.alpha_tilde), T::zero(), T::one());
    (allowed, T::select(slack, T::zero(), inverse * grown), rigid)
}

/// λ' and the impulses ∇Cᵀλ': half of [`linearise`], at a third of its cost.
#[inline(always)]
pub fn impulses_of<T: Real, C: BlockConstraint<T, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    at: &LinearisationPoint<'_, T, N>,
    lambda: &[T; M],
) -> ([T; M], [Vector3<T>; N]) {
    let (values, gradients) = constraint.values_and_gradients(at.x);
    let (lambda, ..) = multipliers(constraint, at, lambda, &values, &gradients);
    (lambda, impulses_of_rows(&gradients, &lambda))
}

/// A constraint with the multipliers `lambda` as a Newton step sees it.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Damping, Distance, LinearisationPoint, linearise};
///
/// // A spring of 200 N/m, 0.1 m too long, in steps of 1/10 s: α̃ = 1/2 kg⁻¹.
/// let x = [Vector3::new(1.1_f64, 0.0, 0.0), Vector3::zeros()];
/// let damping = Damping { previous: &x, gamma: 0.0 };
/// let place = LinearisationPoint { x: &x, w: &[1.0, 1.0], alpha_tilde: 0.5, rigid: 0.0, damping };
/// let spring = linearise(&Distance { rest: 1.0 }, &place, &[0.0]);
/// assert!((spring.lambda[0] + 0.2).abs() < 1e-12);
/// assert!((spring.impulses[0].x + 0.2).abs() < 1e-12);
/// // Along itself it has its stiffness, across the tension over its length.
/// assert!((spring.blocks[0][0][0][0] - 2.0).abs() < 1e-12);
/// assert!((spring.blocks[0][0][1][1] - 0.2 / 1.1).abs() < 1e-12);
/// ```
#[inline(always)]
pub fn linearise<T: Real, C: BlockConstraint<T, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    at: &LinearisationPoint<'_, T, N>,
    lambda: &[T; M],
) -> Linear<T, N, M> {
    let (values, gradients) = constraint.values_and_gradients(at.x);
    let (lambda, stiffness, rigid) = multipliers(constraint, at, lambda, &values, &gradients);
    let mut tension = lambda;
    for tension in &mut tension {
        *tension = -*tension;
    }
    Linear {
        lambda,
        impulses: impulses_of_rows(&gradients, &lambda),
        blocks: constraint.stiffness(at.x, &gradients, &tension, stiffness),
        rigid,
    }
}

/// ∇Cᵀλ: the positional impulses of rows with the multipliers `lambda` at every point, kg·m: over the mass
/// they are displacements.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::impulses_of_rows;
///
/// let rows = [[Vector3::x(), -Vector3::x()], [Vector3::y(), Vector3::zeros()]];
/// assert_eq!(impulses_of_rows(&rows, &[2.0, 3.0]), [Vector3::new(2.0, 3.0, 0.0), Vector3::new(-2.0, 0.0, 0.0)]);
/// ```
#[inline(always)]
pub fn impulses_of_rows<T: Real, const N: usize, const M: usize>(
    gradients: &[[Vector3<T>; N]; M],
    lambda: &[T; M],
) -> [Vector3<T>; N] {
    let mut impulses = gradients[0];
    for j in 0..N {
        impulses[j] = gradients[0][j] * lambda[0];
        for row in 1..M {
            impulses[j] += gradients[row][j] * lambda[row];
        }
    }
    impulses
}

impl<T: Real, const N: usize, const M: usize> ScaledRows<T, N, M> {
    /// ∇Cᵀλ at every point, kg·m: see [`impulses_of_rows`].
    #[inline(always)]
    pub fn impulses(&self, lambda: &[T; M]) -> [Vector3<T>; N] {
        let mut scaled = *lambda;
        for row in 0..M {
            scaled[row] /= self.factor;
        }
        impulses_of_rows(&self.gradients, &scaled)
    }
}

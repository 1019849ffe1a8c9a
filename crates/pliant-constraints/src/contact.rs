//! Contact of a point with a surface, as an inequality: [`contact_step`] and [`friction_step`].
//!
//! ```text
//! C = gap ≥ 0,  λ ≥ 0,  α = 0:        λ_new = max(0, λ − C/w)        Δx = w (λ_new − λ) n
//! ```
//!
//! The step is always computed and then clamped, so that a later iteration takes back what an earlier one
//! pushed too far.
//!
//! Friction (Coulomb, on positions): δ = wλ is the normal correction that the substep has gathered and Δ_t
//! the tangential displacement over the substep relative to the surface, earlier friction included. The point
//! sticks while |Δ_t| ≤ μ_s δ and is otherwise slowed by μ_k δ.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff 2007, section 3.4; Macklin, Müller, Chentanez & Kim,
//! "Unified particle physics" (2014), eqs. 23–24.

use nalgebra::Vector3;

use crate::real::{Real, norm, select_vector};

/// One projection of a contact: displacement along the normal, m, and the multiplier after it, kg·m.
///
/// `gap` is the signed distance to the surface, m (negative inside); `w` the point's inverse mass, 1/kg;
/// `lambda` the multiplier gathered in this substep, which starts at zero and never gets negative.
///
/// ```
/// use pliant_constraints::contact_step;
///
/// let (push, lambda) = contact_step(-0.25, 2.0, 0.0);
/// assert_eq!((push, lambda), (0.25, 0.125));
/// // Pushed too far by other constraints: half of the push is taken back, never more than was applied.
/// assert_eq!(contact_step(0.125, 2.0, lambda), (-0.125, 0.0625));
/// assert_eq!(contact_step(9.0, 2.0, lambda), (-0.25, 0.0));
/// ```
#[inline(always)]
pub fn contact_step<T: Real>(gap: T, w: T, lambda: T) -> (T, T) {
    let movable = T::zero().lt(w);
    let target = (lambda - gap / w).max(T::zero());
    let after = T::select(movable, target, lambda);
    (w * (after - lambda), after)
}

/// The displacement of a point by friction.
///
/// `slip` is the tangential displacement Δ_t over the substep relative to the surface, m; `pressure` the
/// gathered normal correction δ = wλ, m; `statics` and `kinetics` the coefficients μ_s ≥ μ_k ≥ 0.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::friction_step;
///
/// let slip = Vector3::new(0.5, 0.0, 0.0);
/// assert_eq!(friction_step(&slip, 1.0, 0.5, 0.25), -slip);
/// assert_eq!(friction_step(&slip, 0.5, 0.5, 0.25), Vector3::new(-0.125, 0.0, 0.0));
/// ```
#[inline(always)]
pub fn friction_step<T: Real>(slip: &Vector3<T>, pressure: T, statics: T, kinetics: T) -> Vector3<T> {
    let length = norm(slip);
    let sticks = length.le(statics * pressure);
    let share = (kinetics * pressure / length).min(T::one());
    let slowed = *slip * (-share);
    select_vector(sticks, -*slip, select_vector(length.le(T::zero()), Vector3::zeros(), slowed))
}

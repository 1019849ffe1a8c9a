//! [`LengthLimit`], [`StretchLimit`]: no resistance within a range of strain, and none of the strain beyond it.
//!
//! ```text
//! edge:       L = |x0 − x1|                      C = max(0, L − L_max) + min(0, L − L_min)
//! triangle:   F = [x1−x0, x2−x0] D̄⁻¹ = Σ σ_k u_k v_kᵀ    C_k = max(0, σ_k − σ_max) + min(0, σ_k − σ_min)
//!             ∂σ_k/∂F = u_k v_kᵀ                 [g1 g2] = (∂C/∂F) D̄⁻ᵀ,  g0 = −g1 − g2
//! ```
//!
//! Within the range value *and gradient* are zero and a solver leaves the points alone; outside, the
//! constraint is an equation that brings them back to the nearest end of the range. Unit of C: m for an edge,
//! 1 for a triangle. Unit of the compliance: m/N, or 1/J. Meant for compliance zero, beside a soft constraint
//! that acts within the range.
//!
//! The singular values σ₁ ≥ σ₂ of F are the principal stretches of the triangle. v_k are the eigenvectors of
//! FᵀF, in closed form, and σ_k = |F v_k|, which keeps the digits of a small one.
//!
//! *Hazard.* Where both singular values are equal every pair of directions is right, and a fixed one is
//! taken; where one is zero its u_k has no direction, and one at right angles to the other is taken:
//! cross(u₁, X), with X the x axis, or the y axis where |u₁.x| ≥ 0.9. Singular values do not distinguish a
//! triangle turned over from one that is not. A correction is not taken back when other constraints bring the
//! points into the range; it is forgotten at the next substep.
//!
//! Source: Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior" (1995),
//! for edges; Wang, O'Brien & Ramamoorthi, "Multi-resolution isotropic strain limiting" (2010), for singular
//! values.

use nalgebra::Vector3;
use thiserror::Error;

use crate::blocks::{Blocks, stiffness_of_line};
use crate::constraint::{BlockConstraint, BuiltIn, Constraint, Kind};
use crate::real::{Real, cross, norm, select_vector};
use crate::rest_shape::RestTriangle;
use crate::triangle_deformation::{deformation_gradient, shortest_row};

/// A range of strains that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "strain limits must be a compression between 0 and 1 and a stretch of at least 0, but are {compression} and {stretch}"
)]
pub struct StrainLimitError {
    /// Largest compression that was given.
    pub compression: f64,
    /// Largest stretch that was given.
    pub stretch: f64,
}

/// The range [1 − `compression`, 1 + `stretch`].
fn range(compression: f64, stretch: f64) -> Result<(f64, f64), StrainLimitError> {
    if (0.0..=1.0).contains(&compression) && (0.0..f64::INFINITY).contains(&stretch) {
        Ok((1.0 - compression, 1.0 + stretch))
    } else {
        Err(StrainLimitError { compression, stretch })
    }
}

/// How far `value` is outside of [`least`, `most`], with its sign, and the derivative: 1 outside, 0 inside.
#[inline(always)]
fn outside<T: Real>(value: T, least: T, most: T) -> (T, T) {
    let (zero, one) = (T::zero(), T::one());
    let violation = (value - most).max(zero) + (value - least).min(zero);
    (violation, T::select(most.lt(value), one, T::select(value.lt(least), one, zero)))
}

/// Keeps the distance of two points within a range.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Constraint, LengthLimit};
///
/// // At most a tenth longer and half as long as a rest length of 2 m.
/// let limit = LengthLimit::within(2.0, 0.5, 0.1)?;
/// let at = |length: f64| limit.value(&[Vector3::x() * length, Vector3::zeros()]);
/// assert_eq!((at(1.5), at(0.25)), (0.0, -0.75));
/// assert!((at(2.5) - 0.3).abs() < 1e-15);
/// # Ok::<(), pliant_constraints::StrainLimitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthLimit<T> {
    /// The shortest allowed length, m.
    pub shortest: T,
    /// The longest allowed length, m.
    pub longest: T,
}

impl LengthLimit<f64> {
    /// From (1 − `compression`) to (1 + `stretch`) times the rest length, m.
    ///
    /// # Errors
    ///
    /// If the compression is not in [0, 1] or the stretch negative or not finite.
    pub fn within(rest: f64, compression: f64, stretch: f64) -> Result<Self, StrainLimitError> {
        let (least, most) = range(compression, stretch)?;
        Ok(Self { shortest: rest * least, longest: rest * most })
    }
}

impl<T: Real> Constraint<T, 2> for LengthLimit<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        outside(norm(&(x[0] - x[1])), self.shortest, self.longest).0
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let d = x[0] - x[1];
        let length = norm(&d);
        let (value, active) = outside(length, self.shortest, self.longest);
        // Coincident points are pushed apart along the x axis, as a distance does.
        let axis = Vector3::new(T::one(), T::zero(), T::zero());
        let n = select_vector(length.le(T::zero()), axis, d * (T::one() / length)) * active;
        (value, [n, -n])
    }

    #[inline(always)]
    fn stiffness(
        &self,
        x: &[Vector3<T>; 2],
        unit: &[Vector3<T>; 2],
        tension: T,
        stiffness: T,
    ) -> Blocks<T, 2> {
        stiffness_of_line(x, unit, tension, stiffness)
    }
}

impl Kind<2, 1> for LengthLimit<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = LengthLimit<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 2;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        (rest[0], rest[1]) = (constraint.shortest, constraint.longest);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> LengthLimit<T> {
        LengthLimit { shortest: rest[0], longest: rest[1] }
    }
}

/// Keeps the principal stretches of a triangle within a range: two rows, the larger stretch first.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, RestTriangle, StretchLimit};
///
/// let rest = RestTriangle::new(&[Vector3::zeros(), Vector3::x(), Vector3::y()])?;
/// let limit = StretchLimit::within(&rest, 0.25, 0.5)?;
/// // Twice as long one way, half as long the other.
/// let c = limit.values(&[Vector3::zeros(), Vector3::x() * 2.0, Vector3::y() * 0.5]);
/// assert!((c[0] - 0.5).abs() < 1e-15 && (c[1] + 0.25).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StretchLimit<T> {
    /// D̄⁻¹ of the rest shape, 1/m: `inverse[j][a]` belongs to the edge x_{j+1} − x0 and the axis a.
    pub inverse: [[T; 2]; 2],
    /// The least allowed stretch σ_min; 1 at rest.
    pub least: T,
    /// The largest allowed stretch σ_max.
    pub most: T,
}

impl StretchLimit<f64> {
    /// Stretches from 1 − `compression` to 1 + `stretch` of a triangle at rest.
    ///
    /// # Errors
    ///
    /// If the compression is not in [0, 1] or the stretch negative or not finite.
    pub fn within(rest: &RestTriangle, compression: f64, stretch: f64) -> Result<Self, StrainLimitError> {
        let (least, most) = range(compression, stretch)?;
        let i = &rest.inverse;
        Ok(Self { inverse: [[i[(0, 0)], i[(0, 1)]], [i[(1, 0)], i[(1, 1)]]], least, most })
    }
}

/// Stretch σ and directions u (in space) and v (in the material) of a principal axis.
struct Principal<T> {
    sigma: T,
    u: Vector3<T>,
    v: [T; 2],
}

/// The singular value decomposition of a 3×2 matrix given by its columns, the larger singular value first.
#[inline(always)]
fn principal<T: Real>(f: &[Vector3<T>; 2]) -> [Principal<T>; 2] {
    let (zero, one) = (T::zero(), T::one());
    // FᵀF = mean·I + [[d, b], [b, −d]], whose larger eigenvector is at half the angle of (d, b).
    let d = (f[0].dot(&f[0]) - f[1].dot(&f[1])) * T::splat(0.5);
    let b = f[0].dot(&f[1]);
    let r = (d * d + b * b).sqrt();
    // The form of the two that adds and does not cancel.
    let forward = zero.le(d);
    let (p, q) = (T::select(forward, r + d, b), T::select(forward, b, r - d));
    let length = (p * p + q * q).sqrt();
    let round = length.le(zero);
    let (c, s) = (T::select(round, one, p / length), T::select(round, zero, q / length));

    let first = f[0] * c + f[1] * s;
    let second = f[1] * c - f[0] * s;
    let (sigma1, sigma2) = (norm(&first), norm(&second));
    let x_axis = Vector3::new(one, zero, zero);
    let y_axis = Vector3::new(zero, one, zero);
    let u1 = select_vector(sigma1.le(zero), x_axis, first * (one / sigma1));
    // The rest of a singular value of zero is rounding error, and has no direction.
    let flat = sigma2.le(T::splat(8.0 * T::EPSILON) * sigma1);
    let aside = cross(&u1, &select_vector(u1.x.abs().lt(T::splat(0.9)), x_axis, y_axis));
    let u2 = select_vector(flat, aside * (one / norm(&aside)), second * (one / sigma2));
    [Principal { sigma: sigma1, u: u1, v: [c, s] }, Principal { sigma: sigma2, u: u2, v: [-s, c] }]
}

impl<T: Real> StretchLimit<T> {
    /// Value and gradients of the row of a principal axis.
    #[inline(always)]
    fn row(&self, axis: &Principal<T>) -> (T, [Vector3<T>; 3]) {
        let (value, active) = outside(axis.sigma, self.least, self.most);
        let [r1, r2] = &self.inverse;
        let u = axis.u * active;
        let g1 = u * (axis.v[0] * r1[0] + axis.v[1] * r1[1]);
        let g2 = u * (axis.v[0] * r2[0] + axis.v[1] * r2[1]);
        (value, [-(g1 + g2), g1, g2])
    }
}

impl<T: Real> BlockConstraint<T, 3, 2> for StretchLimit<T> {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 3]) -> [T; 2] {
        let [long, short] = principal(&deformation_gradient(&self.inverse, x));
        [outside(long.sigma, self.least, self.most).0, outside(short.sigma, self.least, self.most).0]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 3]) -> ([T; 2], [[Vector3<T>; 3]; 2]) {
        let [long, short] = principal(&deformation_gradient(&self.inverse, x));
        let (c1, g1) = self.row(&long);
        let (c2, g2) = self.row(&short);
        ([c1, c2], [g1, g2])
    }
}

impl Kind<3, 2> for StretchLimit<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = StretchLimit<T>;
    const UNIT: &'static str = "1";
    const REST: usize = 6;

    /// That of a row that hardly feels the only points that can move: 1e-7 of the shortest gradient of a free triangle.
    fn gradient_floor(&self) -> f64 {
        let shortest = 1e-7 * shortest_row(&self.inverse);
        shortest * shortest
    }

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let [[a, b], [c, d]] = constraint.inverse;
        (rest[0], rest[1], rest[2], rest[3]) = (a, b, c, d);
        (rest[4], rest[5]) = (constraint.least, constraint.most);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> StretchLimit<T> {
        StretchLimit { inverse: [[rest[0], rest[1]], [rest[2], rest[3]]], least: rest[4], most: rest[5] }
    }
}

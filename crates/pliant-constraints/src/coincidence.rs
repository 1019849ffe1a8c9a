//! [`Coincidence`]: two points drawn to the same place.
//!
//! ```text
//! C = x0 − x1  (three rows, one per axis)        ∂C_a/∂x0 = e_a,  ∂C_a/∂x1 = −e_a
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N, the inverse of the stiffness κ of a spring of rest length zero.
//! Energy ½|C|²/α = ½κ|x0 − x1|².
//!
//! Unlike a distance of zero, the three rows have a gradient everywhere, where the points coincide too.
//!
//! *Hazard.* The rows have the directions of the world and turn with the pair: a single row is not invariant
//! under rotation and has a torque C × e_a. The energy and its gradient are invariant, and a projection,
//! whose Δλ is parallel to C, keeps the angular momentum.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff 2007, section 3.3; libuipc, constitution 22, "Soft Vertex Stitch".

use nalgebra::Vector3;

use crate::constraint::{BlockConstraint, BuiltIn, Kind, Rigidity};
use crate::real::Real;

/// Draws two points together.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, Coincidence};
///
/// let apart = [Vector3::new(0.5, 1.0, 0.0), Vector3::y()];
/// assert_eq!(Coincidence.values(&apart), [0.5, 0.0, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Coincidence;

/// The Jacobian of C = Σ b_j x_j: `gradients[row][point]`.
#[inline(always)]
pub(crate) fn axis_rows<T: Real, const N: usize>(b: &[T; N]) -> [[Vector3<T>; N]; 3] {
    let zero = T::zero();
    let mut rows = [[Vector3::new(zero, zero, zero); N]; 3];
    for j in 0..N {
        rows[0][j] = Vector3::new(b[j], zero, zero);
        rows[1][j] = Vector3::new(zero, b[j], zero);
        rows[2][j] = Vector3::new(zero, zero, b[j]);
    }
    rows
}

/// J W Jᵀ of [`axis_rows`]: Σ w_j b_j² in the diagonal.
#[inline(always)]
pub(crate) fn axis_inverse_mass<T: Real, const N: usize>(w: &[T; N], b: &[T; N]) -> [[T; 3]; 3] {
    let mut sum = w[0] * (b[0] * b[0]);
    for j in 1..N {
        sum += w[j] * (b[j] * b[j]);
    }
    let zero = T::zero();
    [[sum, zero, zero], [zero, sum, zero], [zero, zero, sum]]
}

impl<T: Real> BlockConstraint<T, 2, 3> for Coincidence {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 2]) -> [T; 3] {
        let d = x[0] - x[1];
        [d.x, d.y, d.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 2]) -> ([T; 3], [[Vector3<T>; 2]; 3]) {
        (self.values(x), axis_rows(&[T::one(), -T::one()]))
    }

    #[inline(always)]
    fn inverse_mass_matrix(&self, w: &[T; 2], _unit: &[[Vector3<T>; 2]; 3]) -> [[T; 3]; 3] {
        axis_inverse_mass(w, &[T::one(), -T::one()])
    }
}

impl Kind<2, 3> for Coincidence {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = Self;
    const UNIT: &'static str = "m";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 0;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(_constraint: &Self, _rest: &mut [T]) {}

    #[inline(always)]
    fn from_rest<T: Real>(_rest: &[T]) -> Self {
        Self
    }
}

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
use crate::vector::axis_rows;

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

impl<T: Real> BlockConstraint<T, 2, 3> for Coincidence {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 2]) -> [T; 3] {
        let d = x[0] - x[1];
        [d.x, d.y, d.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 2]) -> ([T; 3], [[Vector3<T>; 2]; 3]) {
        (self.values(x), axis_rows(&[T::one(), -T::one()]))
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

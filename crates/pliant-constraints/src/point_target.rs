//! [`PointTarget`]: a point drawn to a place.
//!
//! ```text
//! C = x − target  (three rows, one per axis)        ∂C_a/∂x = e_a
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N, the inverse of the stiffness of a spring of zero length that
//! pulls alike in every direction. Energy ½|C|²/α.
//!
//! Unlike a distance of zero, the three rows have a gradient everywhere, at the target too.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff 2007, section 3.3 (attachments); written as a block after
//! Macklin et al. 2016, eq. 15.

use nalgebra::Vector3;

use crate::constraint::{BlockConstraint, BuiltIn, Kind, Rigidity};
use crate::real::Real;
use crate::vector::axis_rows;

/// Draws one point to `target`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, PointTarget};
///
/// let pull = PointTarget { target: Vector3::new(0.0, 1.0, 0.0) };
/// assert_eq!(pull.values(&[Vector3::new(0.5, 1.0, 0.0)]), [0.5, 0.0, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointTarget<T> {
    /// Where the point should be, m.
    pub target: Vector3<T>,
}

impl<T: Real> BlockConstraint<T, 1, 3> for PointTarget<T> {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 1]) -> [T; 3] {
        let d = x[0] - self.target;
        [d.x, d.y, d.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 1]) -> ([T; 3], [[Vector3<T>; 1]; 3]) {
        (self.values(x), axis_rows(&[T::one()]))
    }
}

impl Kind<1, 3> for PointTarget<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = PointTarget<T>;
    const UNIT: &'static str = "m";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 3;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        rest.copy_from_slice(constraint.target.as_slice());
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> PointTarget<T> {
        PointTarget { target: Vector3::new(rest[0], rest[1], rest[2]) }
    }
}

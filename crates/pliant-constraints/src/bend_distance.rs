//! [`BendDistance`]: the book's bending, a distance across a hinge.
//!
//! ```text
//! C = |x2 − x3| − L₀        x2, x3: the two vertices opposite to an interior edge
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N. The formula is that of [`Distance`]; the type exists so that a
//! scene, a report and a plan can separate bending from stretching.
//!
//! Source: *phys-sim-book*, cloth chapter; Müller et al. 2007 call it the simplest bending.
//!
//! *Hazard.* The distance is largest when the hinge is flat, so its gradient lies *in* the plane there: a
//! flat hinge resists bending only to second order, and it couples bending with stretching.
//! [`Dihedral`](crate::Dihedral) has neither fault.

use nalgebra::Vector3;

use crate::blocks::{Blocks, stiffness_of_line};
use crate::constraint::{BuiltIn, Constraint, Kind, rest_is_one_number};
use crate::distance::Distance;
use crate::real::Real;

/// Keeps the two vertices opposite to an interior edge at the distance `rest`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BendDistance<T> {
    /// Rest distance L₀, m.
    pub rest: T,
}

impl<T: Real> BendDistance<T> {
    /// The constraint that is satisfied at the given positions of the opposite vertices.
    #[must_use]
    pub fn at_rest(x: &[Vector3<T>; 2]) -> Self {
        Self { rest: Distance::at_rest(x).rest }
    }
}

impl<T: Real> Constraint<T, 2> for BendDistance<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        Distance { rest: self.rest }.value(x)
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        Distance { rest: self.rest }.value_and_gradient(x)
    }

    #[inline(always)]
    fn inverse_mass(&self, w: &[T; 2], unit: &[Vector3<T>; 2]) -> T {
        Distance { rest: self.rest }.inverse_mass(w, unit)
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

impl Kind<2, 1> for BendDistance<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = BendDistance<T>;
    const UNIT: &'static str = "m";
    rest_is_one_number!(BendDistance);
}

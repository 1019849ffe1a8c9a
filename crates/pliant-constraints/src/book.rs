//! What *phys-sim-book*'s programs do differently, so that their figures can be reproduced. Nothing here is a
//! default, and nothing else in this crate follows them.
//!
//! Hazard: where the points of a [`BookDistance`] coincide it has no gradient, so nothing takes them apart; take
//! [`Distance`](crate::Distance) for all but comparisons.

use nalgebra::Vector3;

use crate::constraint::{BuiltIn, Constraint, Deformation, Kind, rest_is_one_number};
use crate::distance::Along;
use crate::real::{Real, norm, opposite, times};

/// [`Distance`](crate::Distance) as *phys-sim-book*'s programs have it: coincident points are skipped for as
/// long as they coincide.
///
/// It exists so that the book's figures can be reproduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookDistance<T> {
    /// Rest length L₀, m.
    pub rest: T,
}

impl<T: Real> Constraint<T, 2> for BookDistance<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        norm(&(x[0] - x[1])) - self.rest
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let Along { difference, length, coincide, .. } = Along::new(x, 0.0);
        let n = times(&difference, T::one() / (length + coincide));
        (length - self.rest, [n, opposite(&n)])
    }
}

impl Kind<2, 1> for BookDistance<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = BookDistance<T>;
    const UNIT: &'static str = "m";
    const SYMMETRIC: bool = true;
    rest_is_one_number!(BookDistance);

    #[inline(always)]
    fn deformation<T: Real>(edge: &Self::At<T>, values: &[T; 1]) -> Deformation<T> {
        Deformation::Stretch(values[0] / edge.rest)
    }
}

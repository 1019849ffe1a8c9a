//! [`Distance`]: two points at a given distance.
//!
//! ```text
//! C = |x0 − x1| − L₀        ∂C/∂x0 = n,  ∂C/∂x1 = −n,  n = (x0 − x1)/|x0 − x1|
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N, the inverse of a spring's stiffness. Energy ½C²/α.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff, "Position based dynamics" (2007), eq. 9; *phys-sim-book*, "Stretching
//! resistance via distance constraints".
//!
//! *Hazard.* Coincident points have no direction. They are pushed apart along the x axis, so that the constraint recovers
//! and every run does the same; the book's programs skip them instead, see [`BookDistance`].

use nalgebra::Vector3;

use crate::constraint::{Constraint, Kind, Measure, ScaledRows, rest_is_one_number};
use crate::real::{Real, norm};

/// Keeps two points at the distance `rest`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Constraint, Distance};
///
/// let edge = Distance { rest: 1.0 };
/// let (c, g) = edge.value_and_gradient(&[Vector3::x() * 3.0, Vector3::zeros()]);
/// assert_eq!((c, g), (2.0, [Vector3::x(), -Vector3::x()]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance<T> {
    /// Rest length L₀, m.
    pub rest: T,
}

impl<T: Real> Distance<T> {
    /// The constraint that is satisfied at the given positions.
    #[must_use]
    pub fn at_rest(x: &[Vector3<T>; 2]) -> Self {
        Self { rest: norm(&(x[0] - x[1])) }
    }
}

/// x0 − x1, its length, and one where that is at most `least`, zero elsewhere: what makes a length of nothing a number to divide by.
#[inline(always)]
fn along<T: Real>(x: &[Vector3<T>; 2], least: f64) -> (Vector3<T>, T, T) {
    let d = x[0] - x[1];
    let length = norm(&d);
    (d, length, T::select(length.le(T::splat(least)), T::one(), T::zero()))
}

impl<T: Real> Distance<T> {
    /// The length; a vector along the gradient at x0; and the length of that vector.
    ///
    /// Points coincide below ε² metres (1e-14 m in `f32`), because the square of such a length may be nothing to divide by.
    #[inline(always)]
    fn along(x: &[Vector3<T>; 2]) -> (T, Vector3<T>, T) {
        let (d, length, coincide) = along(x, T::EPSILON * T::EPSILON);
        (length, Vector3::new(d.x + coincide, d.y, d.z), length + coincide)
    }
}

impl<T: Real> Constraint<T, 2> for Distance<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        norm(&(x[0] - x[1])) - self.rest
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let (length, d, factor) = Self::along(x);
        let n = d * (T::one() / factor);
        (length - self.rest, [n, -n])
    }

    /// The direction is left as long as the edge, which saves a division.
    #[inline(always)]
    fn scaled_row(&self, x: &[Vector3<T>; 2], w: &[T; 2]) -> ScaledRows<T, 2, 1> {
        let (length, d, factor) = Self::along(x);
        ScaledRows {
            factor,
            values: [length - self.rest],
            gradients: [[d, -d]],
            inverse_mass: [[(w[0] + w[1]) * factor]],
        }
    }

    #[inline(always)]
    fn inverse_mass(&self, w: &[T; 2], _unit: &[Vector3<T>; 2]) -> T {
        w[0] + w[1]
    }
}

impl Kind<2, 1> for Distance<f64> {
    type At<T: Real> = Distance<T>;
    const UNIT: &'static str = "m";
    const GRADIENT_VANISHES: bool = false;
    rest_is_one_number!(Distance);

    #[inline(always)]
    fn measure<T: Real>(edge: &Self::At<T>, values: &[T; 1]) -> Measure<T> {
        Measure::Stretch(values[0] / edge.rest)
    }
}

/// [`Distance`] as *phys-sim-book*'s programs have it: coincident points are skipped for as long as they coincide.
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
        let (d, length, coincide) = along(x, 0.0);
        let n = d * (T::one() / (length + coincide));
        (length - self.rest, [n, -n])
    }
}

impl Kind<2, 1> for BookDistance<f64> {
    type At<T: Real> = BookDistance<T>;
    const UNIT: &'static str = "m";
    rest_is_one_number!(BookDistance);

    #[inline(always)]
    fn measure<T: Real>(edge: &Self::At<T>, values: &[T; 1]) -> Measure<T> {
        Measure::Stretch(values[0] / edge.rest)
    }
}

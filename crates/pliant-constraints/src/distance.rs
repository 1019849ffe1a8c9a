//! [`Distance`]: two points at a given distance.
//!
//! ```text
//! C = |x0 − x1| − L₀        ∂C/∂x0 = n,  ∂C/∂x1 = −n,  n = (x0 − x1)/|x0 − x1|
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N, the inverse of a spring's stiffness. Energy ½C²/α.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff, "Position based dynamics" (2007), eq. 9; *phys-sim-book*,
//! "Stretching resistance via distance constraints".
//!
//! *Hazard.* Coincident points have no direction. They are pushed apart along the x axis, so that the
//! constraint recovers and every run does the same; the book's programs skip them instead, see
//! [`book`](crate::book).

use nalgebra::Vector3;

use crate::blocks::{Blocks, stiffness_of_line};
use crate::constraint::{BuiltIn, Constraint, Deformation, Kind, ScaledRows, rest_is_one_number};
use crate::real::{Real, difference, norm, opposite, times};

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

/// Two points as seen from one another.
pub(crate) struct Along<T: Real> {
    /// x0 − x1.
    pub(crate) difference: Vector3<T>,
    /// Its squared length.
    pub(crate) squared: T,
    /// Its length.
    pub(crate) length: T,
    /// One where the length is at most a given one, zero elsewhere: what makes a length of nothing a number
    /// to divide by.
    pub(crate) coincide: T,
}

impl<T: Real> Along<T> {
    /// Points coincide at a distance of `least` and below.
    #[inline(always)]
    pub(crate) fn new(x: &[Vector3<T>; 2], least: f64) -> Self {
        let difference = difference(&x[0], &x[1]);
        let squared = difference.dot(&difference);
        // Of the square, so that it need not wait for the root.
        let coincide = T::select(squared.le(T::splat(least * least)), T::one(), T::zero());
        Self { difference, squared, length: squared.sqrt(), coincide }
    }
}

impl<T: Real> Distance<T> {
    /// Points coincide below ε² metres (1e-14 m in `f32`), because the square of such a length may underflow to zero.
    #[inline(always)]
    fn along(x: &[Vector3<T>; 2]) -> Along<T> {
        Along::new(x, T::EPSILON * T::EPSILON)
    }
}

impl<T: Real> Constraint<T, 2> for Distance<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        norm(&(x[0] - x[1])) - self.rest
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let Along { difference: d, length, coincide, .. } = Self::along(x);
        let n = times(&Vector3::new(d.x + coincide, d.y, d.z), T::one() / (length + coincide));
        (length - self.rest, [n, opposite(&n)])
    }

    /// Times the squared length: what is divided by is known before the root is, and the division need not wait for it.
    #[inline(always)]
    fn scaled_row(&self, x: &[Vector3<T>; 2], w: &[T; 2]) -> ScaledRows<T, 2, 1> {
        let Along { difference, squared, length, coincide } = Self::along(x);
        let factor = squared + coincide;
        let d = times(&difference, length);
        let d = Vector3::new(d.x + coincide, d.y, d.z);
        ScaledRows {
            factor,
            values: [length - self.rest],
            gradients: [[d, opposite(&d)]],
            inverse_mass: [[(w[0] + w[1]) * factor]],
        }
    }

    #[inline(always)]
    fn inverse_mass(&self, w: &[T; 2], _unit: &[Vector3<T>; 2]) -> T {
        w[0] + w[1]
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

impl Kind<2, 1> for Distance<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = Distance<T>;
    const UNIT: &'static str = "m";
    const GRADIENT_VANISHES: bool = false;
    const SYMMETRIC: bool = true;
    rest_is_one_number!(Distance);

    #[inline(always)]
    fn deformation<T: Real>(edge: &Self::At<T>, values: &[T; 1]) -> Deformation<T> {
        Deformation::Stretch(values[0] / edge.rest)
    }
}

//! [`Tether`]: a point kept within reach of an anchor (long-range attachment).
//!
//! ```text
//! C = L_max − |x − a| ≥ 0,  λ ≥ 0        ∂C/∂x = −n,  n = (x − a)/|x − a|
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N. Energy ½C²/α where C < 0.
//!
//! A few iterations carry a pull only a few edges far, so that cloth under its own weight stretches where it
//! hangs. A tether from every point to the nearest pin carries it all the way at once; it does nothing as
//! long as the point is within reach.
//!
//! *Hazard.* A tether that is shorter than the way along the cloth pulls the cloth together. Take for L_max a
//! length that is never less than that way, and recompute the tethers when pins change. The anchor is a
//! place, not a point of the simulation: the code that moves the pin moves it too, and no momentum comes back
//! through it.
//!
//! Source: Kim, Chentanez & Müller-Fischer, "Long range attachments: a method to simulate inextensible
//! clothing in computer games" (2012).

use nalgebra::Vector3;

use crate::bound::Bound;
use crate::constraint::{BuiltIn, Constraint, Kind};
use crate::real::{Real, norm, select_vector};

/// Keeps a point within `length` of `anchor`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Constraint, Tether, Update, project};
///
/// let tether = Tether { anchor: Vector3::zeros(), length: 2.0 };
/// assert_eq!(tether.value(&[Vector3::x() * 1.5]), 0.5);
///
/// let pull = |x: f64| project(&tether, &[Vector3::x() * x], &[1.0], 0.0, Update::xpbd(), &mut [0.0])[0];
/// assert_eq!(pull(1.5), Vector3::zeros());
/// assert_eq!(pull(3.0), -Vector3::x());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tether<T> {
    /// Where the tether is tied to, m.
    pub anchor: Vector3<T>,
    /// Its length L_max, m. Not negative.
    pub length: T,
}

impl<T: Real> Constraint<T, 1> for Tether<T> {
    const BOUND: Bound = Bound::AtLeastZero;

    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 1]) -> T {
        self.length - norm(&(x[0] - self.anchor))
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 1]) -> (T, [Vector3<T>; 1]) {
        let d = x[0] - self.anchor;
        let distance = norm(&d);
        // At the anchor every direction is right, for nothing pulls there.
        let axis = Vector3::new(T::one(), T::zero(), T::zero());
        let n = select_vector(distance.le(T::zero()), axis, d * (T::one() / distance));
        (self.length - distance, [-n])
    }

    #[inline(always)]
    fn inverse_mass(&self, w: &[T; 1], _unit: &[Vector3<T>; 1]) -> T {
        w[0]
    }
}

impl Kind<1, 1> for Tether<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = Tether<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 4;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let a = constraint.anchor;
        (rest[0], rest[1], rest[2], rest[3]) = (a.x, a.y, a.z, constraint.length);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> Tether<T> {
        Tether { anchor: Vector3::new(rest[0], rest[1], rest[2]), length: rest[3] }
    }
}

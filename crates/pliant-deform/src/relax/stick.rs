//! [`Stick`]: an edge with one strength when it is too short and another when it is too long.
//!
//! ```text
//! C = k (|x_a − x_b| − L₀)        k = push where the edge is too short, pull where it is too long
//! ```
//!
//! with the direction of the edge, and not k times it, for a gradient: a projection then removes the share k
//! of the error. *Hazard*: where the ends coincide there is no direction; the length counts as 10⁻¹⁵ m, and
//! the edge moves nothing.

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Kind, Real, ScaledRows};

/// Below this square of a length, m², an edge has no reliable direction.
const TINY: f64 = 1e-30;

/// An edge with its rest length, m, and its strengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stick<T> {
    pub(super) rest: T,
    pub(super) push: T,
    pub(super) pull: T,
}

impl<T: Real> Stick<T> {
    /// C, the vector from the second end to the first, and its length.
    #[inline(always)]
    fn look(&self, x: &[Vector3<T>; 2]) -> (T, Vector3<T>, T) {
        let along = x[0] - x[1];
        let length = along.dot(&along).max(T::splat(TINY)).sqrt();
        let error = length - self.rest;
        (self.push * error.min(T::zero()) + self.pull * error.max(T::zero()), along, length)
    }
}

impl<T: Real> Constraint<T, 2> for Stick<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        self.look(x).0
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let (value, along, length) = self.look(x);
        let n = along / length;
        (value, [n, -n])
    }

    #[inline(always)]
    fn inverse_mass(&self, w: &[T; 2], _gradient: &[Vector3<T>; 2]) -> T {
        w[0] + w[1]
    }

    #[inline(always)]
    fn scaled_row(&self, x: &[Vector3<T>; 2], w: &[T; 2]) -> ScaledRows<T, 2, 1> {
        let (value, along, length) = self.look(x);
        let inverse_mass = [[length * (w[0] + w[1])]];
        ScaledRows { factor: length, values: [value], gradients: [[along, -along]], inverse_mass }
    }
}

impl Kind<2, 1> for Stick<f64> {
    type At<T: Real> = Stick<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 3;
    const GRADIENT_VANISHES: bool = false;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Stick<T>, rest: &mut [T]) {
        rest[..3].copy_from_slice(&[constraint.rest, constraint.push, constraint.pull]);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> Stick<T> {
        Stick { rest: rest[0], push: rest[1], pull: rest[2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_constraints::project_rigid;

    #[test]
    fn a_projection_removes_its_share_of_the_error() {
        let stick = Stick { rest: 1.0, push: 0.1, pull: 0.5 };
        for (length, left) in [(2.0, 1.5), (0.5, 0.55), (1.0, 1.0)] {
            let x = [Vector3::zeros(), Vector3::y() * length];
            for w in [[1.0, 1.0], [0.25, 0.75], [0.0, 1.0]] {
                let d = project_rigid(&stick, &x, &w, None, &mut [0.0]);
                let found: f64 = (x[1] + d[1] - x[0] - d[0]).norm();
                assert!((found - left).abs() < 1e-15, "{length} {w:?} {found}");
                assert!((d[0] * w[1] + d[1] * w[0]).norm() < 1e-15);
            }
        }
    }

    #[test]
    fn ends_in_one_place_stay_there() {
        let x = [Vector3::new(0.1_f32, 0.2, 0.3); 2];
        let stick = Stick { rest: 1.0, push: 1.0, pull: 1.0 };
        let d = project_rigid(&stick, &x, &[1.0, 1.0], None, &mut [0.0]);
        assert_eq!(d, [Vector3::zeros(); 2]);
    }
}

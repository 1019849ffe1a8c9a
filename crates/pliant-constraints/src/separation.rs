//! [`Separation`]: two elements of surfaces kept apart along a direction: a vertex and a triangle, or two edges.
//!
//! ```text
//! C = n·Σ b_i x_i − d ≥ 0,  λ ≥ 0        ∂C/∂x_i = b_i n
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N. Energy ½C²/α where C < 0.
//!
//! Σ b_i x_i leads from the closest point of one element to that of the other: b = (1, −u, −v, −w) for a vertex over a triangle, (1 − s, s, t − 1, −t) for two edges. n and b are those of the
//! start of a substep, where nothing crosses, and stay for all of it: so n points from the second element to the first on the right side, for cloth that has no inside as well, and for edges that are parallel.
//!
//! The impulses of a row sum to zero because the b_i do. Their moment is zero where n runs along Σ b_i x_i, as it does at the start of the substep.
//!
//! *Hazard.* A normal that is found anew at predicted positions points through the sheet after a crossing, and makes tangles. *Hazard.* A frozen one is of first order: what slides further than d within a substep
//! needs more substeps.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff, "Position based dynamics" (2007), section 3.4; Macklin, Müller & Chentanez (2016), eq. 18.

use nalgebra::Vector3;

use crate::constraint::{Bound, BuiltIn, Constraint, Kind};
use crate::real::Real;

/// Keeps the closest points of two elements `distance` apart along `normal`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Separation, Update, project};
///
/// // A vertex 1 cm below the plane of a triangle that it was above.
/// let over = Separation { normal: Vector3::y(), weights: [1.0, -0.5, -0.25, -0.25], distance: 0.003 };
/// let x = [Vector3::new(0.25, -0.01, 0.25), Vector3::zeros(), Vector3::x(), Vector3::z()];
/// let mut lambda = [0.0];
/// let dx = project(&over, &x, &[1.0; 4], 0.0, Update::xpbd(), &mut lambda);
/// assert!(dx[0].y > 0.0 && dx[1].y < 0.0 && lambda[0] > 0.0);
/// assert!(dx.iter().sum::<Vector3<f64>>().norm() < 1e-15, "equal masses: nothing is pushed on the whole");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation<T> {
    /// Unit vector n from the second element to the first.
    pub normal: Vector3<T>,
    /// Signed barycentric weights b of the points. Their sum is zero.
    pub weights: [T; 4],
    /// The distance d to keep, m. Not negative.
    pub distance: T,
}

impl<T: Real> Constraint<T, 4> for Separation<T> {
    const BOUND: Bound = Bound::AtLeastZero;

    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 4]) -> T {
        let [a, b, c, d] = self.weights;
        self.normal.dot(&(x[0] * a + x[1] * b + x[2] * c + x[3] * d)) - self.distance
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 4]) -> (T, [Vector3<T>; 4]) {
        let [a, b, c, d] = self.weights;
        let n = self.normal;
        (self.value(x), [n * a, n * b, n * c, n * d])
    }
}

impl Kind<4, 1> for Separation<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = Separation<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 8;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let (n, [a, b, c, d]) = (constraint.normal, constraint.weights);
        rest[..8].copy_from_slice(&[n.x, n.y, n.z, a, b, c, d, constraint.distance]);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> Separation<T> {
        Separation {
            normal: Vector3::new(rest[0], rest[1], rest[2]),
            weights: [rest[3], rest[4], rest[5], rest[6]],
            distance: rest[7],
        }
    }
}

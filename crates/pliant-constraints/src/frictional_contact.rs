//! [`FrictionalContact`]: two elements of surfaces kept apart, with friction: a vertex and a triangle, or two edges.
//!
//! ```text
//! C = Σ b_i x_i − d n + s      λ in the cone  λ·n ≥ 0,  |λ_t| ≤ μ_s λ·n          ∂C/∂x_i = b_i I
//! ```
//!
//! Unit of C: m. Unit of the compliance: m/N. Energy ½ min(0, n·C)²/α.
//!
//! Σ b_i x_i leads from the closest point of one element to that of the other: b = (1, −u, −v, −w) for a
//! vertex over a triangle, (1 − s, s, t − 1, −t) for two edges. n and b are those of the start of a substep,
//! where nothing crosses, and stay for all of it: so n points from the second element to the first on the
//! right side, for cloth that has no inside as well, and for edges that are parallel.
//!
//! One vector equation says both that the points keep the distance d along n, and that they do not slide: at
//! the start Σ b_i x_i runs along n, so that the part of Σ b_i x_i across n is the distance that one has slid
//! on the other since then. s is how far it had slid before, as far as that is to be undone: what one substep
//! leaves unsolved would add up if the next one did not know of it. A multiplier must not pull, and friction
//! must not exceed what the pressure allows. So a projection solves the equation and projects λ onto the cone:
//! λ·n to zero if it is less, and a tangential part beyond μ_s λ·n to μ_k λ·n.
//!
//! The impulses sum to zero because the b_i do. Their moment is that of an impulse between two points d
//! apart: zero where C = 0, as at rest.
//!
//! *Hazard.* A normal that is recomputed at predicted positions points through the sheet after a crossing and
//! causes tangles. *Hazard.* A fixed one is accurate to first order: use more substeps if bodies slide
//! farther than d within one. *Hazard.* With one projection in a substep, friction uses the pressure of that
//! projection only; the cones are met to within some per cent.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff, "Position based dynamics" (2007), section 3.4; Macklin,
//! Müller, Chentanez & Kim, "Unified particle physics" (2014), eqs. 23–24; the multiplier of XPBD as in
//! Macklin, Müller & Chentanez (2016), eq. 18.

use nalgebra::Vector3;

use crate::bound::Bound;
use crate::constraint::{BlockConstraint, Kind};
use crate::real::{Real, norm, select_vector};
use crate::vector::axis_rows;

/// Keeps the closest points of two elements `distance` apart along `normal`, and rubs them against each other.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{FrictionalContact, Update, project};
///
/// // A vertex 1 cm below the plane of a triangle that it was above.
/// let over = FrictionalContact {
///     normal: Vector3::y(),
///     weights: [1.0, -0.5, -0.25, -0.25],
///     distance: 0.003,
///     friction: [0.3, 0.3],
///     slip: Vector3::zeros(),
/// };
/// let x = [Vector3::new(0.25, -0.01, 0.25), Vector3::zeros(), Vector3::x(), Vector3::z()];
/// let mut lambda = [0.0; 3];
/// let dx = project(&over, &x, &[1.0; 4], 0.0, Update::xpbd(), &mut lambda);
/// assert!(dx[0].y > 0.0 && dx[1].y < 0.0 && lambda[1] > 0.0);
/// assert!(dx.iter().sum::<Vector3<f64>>().norm() < 1e-15, "equal masses: nothing is pushed on the whole");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionalContact<T> {
    /// Unit vector n from the second element to the first.
    pub normal: Vector3<T>,
    /// Signed barycentric weights b of the points. Their sum is zero.
    pub weights: [T; 4],
    /// The distance d to keep, m. Not negative.
    pub distance: T,
    /// Coefficients of friction μ_s and μ_k ≤ μ_s.
    pub friction: [T; 2],
    /// How far the first element has slid on the second before, as far as that is to be undone, m. Across the normal.
    pub slip: Vector3<T>,
}

impl<T: Real> FrictionalContact<T> {
    /// How far the first element has slid on the second by the time its points are at `x`, as far as the next contact of
    /// the two, along `normal`, has to undo it, m.
    ///
    /// That is the part of C across the normal, but no more than `most` beyond what an elastic contact gives way at the
    /// limit of friction: what slides leaves behind the rest. It is nothing where the points are more than `most` above
    /// their distance: what is lifted has left the place where it stuck.
    #[inline(always)]
    pub fn slip_left(&self, x: &[Vector3<T>; 4], normal: &Vector3<T>, most: T) -> Vector3<T> {
        let (zero, one) = (T::zero(), T::one());
        let [x, y, z] = self.values(x);
        let left = Vector3::new(x, y, z);
        let gap = self.normal.dot(&left);
        let across = left - *normal * normal.dot(&left);
        let (size, most) = (norm(&across), most + self.friction[0] * (-gap).max(zero));
        let share = T::select(size.le(most), one, most / size);
        let share = T::select(gap.le(most), share, zero);
        // What has no friction does not stick.
        across * T::select(zero.lt(self.friction[0]), share, zero)
    }

    /// The parts of a vector along the normal, as a number, and across it.
    #[inline(always)]
    fn split(&self, v: &[T; 3]) -> (T, Vector3<T>) {
        let v = Vector3::new(v[0], v[1], v[2]);
        let along = self.normal.dot(&v);
        (along, v - self.normal * along)
    }
}

#[inline(always)]
fn numbers<T: Real>(v: Vector3<T>) -> [T; 3] {
    [v.x, v.y, v.z]
}

impl<T: Real> BlockConstraint<T, 4, 3> for FrictionalContact<T> {
    const BOUND: Bound = Bound::Cone;
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 3] {
        let [a, b, c, d] = self.weights;
        numbers(x[0] * a + x[1] * b + x[2] * c + x[3] * d - self.normal * self.distance + self.slip)
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 3], [[Vector3<T>; 4]; 3]) {
        (self.values(x), axis_rows(&self.weights))
    }

    #[inline(always)]
    fn admissible(&self, lambda: [T; 3]) -> [T; 3] {
        let (pressure, across) = self.split(&lambda);
        let pressure = pressure.max(T::zero());
        let rubbing = norm(&across);
        let slows = across * (self.friction[1] * pressure / rubbing);
        let across = select_vector(rubbing.le(self.friction[0] * pressure), across, slows);
        numbers(self.normal * pressure + across)
    }

    #[inline(always)]
    fn residuals(&self, values: &[T; 3], alpha_tilde: T, lambda: &[T; 3]) -> [T; 3] {
        let (gap, slip) = self.split(values);
        let (pressure, across) = self.split(lambda);
        let idle = (-gap).max(T::zero());
        let left = T::select(pressure.le(T::zero()), idle, gap + alpha_tilde * pressure);
        // A contact that sticks must not have slid; one that slides may, with the largest friction allowed,
        // up to rounding.
        let sticks = norm(&across).lt(T::splat(0.999) * self.friction[1] * pressure);
        let nothing = Vector3::new(T::zero(), T::zero(), T::zero());
        numbers(self.normal * left + select_vector(sticks, slip + across * alpha_tilde, nothing))
    }

    #[inline(always)]
    fn violations(&self, values: [T; 3]) -> [T; 3] {
        let (gap, _) = self.split(&values);
        numbers(self.normal * gap.min(T::zero()))
    }
}

impl Kind<4, 3> for FrictionalContact<f64> {
    type At<T: Real> = FrictionalContact<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 13;
    const GRADIENT_VANISHES: bool = false;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let (n, [a, b, c, d], [sticking, sliding], slip) =
            (constraint.normal, constraint.weights, constraint.friction, constraint.slip);
        rest[..13].copy_from_slice(&[
            n.x,
            n.y,
            n.z,
            a,
            b,
            c,
            d,
            constraint.distance,
            sticking,
            sliding,
            slip.x,
            slip.y,
            slip.z,
        ]);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> FrictionalContact<T> {
        FrictionalContact {
            normal: Vector3::new(rest[0], rest[1], rest[2]),
            weights: [rest[3], rest[4], rest[5], rest[6]],
            distance: rest[7],
            friction: [rest[8], rest[9]],
            slip: Vector3::new(rest[10], rest[11], rest[12]),
        }
    }
}

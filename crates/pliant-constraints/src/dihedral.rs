//! [`Dihedral`]: the angle between two triangles that share an edge.
//!
//! ```text
//! e = x1 − x0    N1 = e×(x2 − x0)    N2 = (x3 − x0)×e    θ = atan2((N1×N2)·ê, N1·N2)    C = θ − θ₀
//! g2 = −|e| N1/|N1|²        g3 = −|e| N2/|N2|²        s_k = (x_k − x0)·e/|e|²
//! g0 = −(1−s2) g2 − (1−s3) g3        g1 = −s2 g2 − s3 g3
//! ```
//!
//! The shared edge is x0x1, the wings are x2 and x3; a flat hinge has θ = 0, and the sign distinguishes valley from
//! mountain. Unit of C: rad.
//! Unit of the compliance: rad²/J.
//!
//! Source: Bridson, Marino & Fedkiw 2003 (the gradients); the signed atan2 form replaces the acos of Müller
//! et al. 2007, which is not differentiable at the flat rest state and loses the sign.
//!
//! *Hazard.* The angle of a hinge that is folded through ±π jumps by 2π, and with it the value: cloth that
//! has passed through itself is pushed on, not back. A wing whose normal is only rounding error, because its
//! height over the edge is below a few roundings of the edge or of the wing's own length, has no direction:
//! that wing's gradient, and with both of them the constraint, counts as zero.

use nalgebra::Vector3;

use crate::angle::angle;
use crate::constraint::{BuiltIn, Constraint, Kind, rest_is_one_number};
use crate::real::{Real, cross, norm, select_vector};

/// Keeps the signed dihedral angle of a hinge at `rest`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Constraint, Dihedral};
///
/// let (o, x, y) = (Vector3::zeros(), Vector3::<f64>::x(), Vector3::<f64>::y());
/// let flat = Dihedral { rest: 0.0 };
/// assert_eq!(flat.value(&[o, x, y, -y]), 0.0);
/// assert_eq!(flat.value(&[o, x, y, Vector3::z()]).abs(), std::f64::consts::FRAC_PI_2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dihedral<T> {
    /// Rest angle θ₀, rad, in (−π, π].
    pub rest: T,
}

impl<T: Real> Dihedral<T> {
    /// The constraint that is satisfied at the given positions (shared edge x0x1, wings x2, x3).
    #[must_use]
    pub fn at_rest(x: &[Vector3<T>; 4]) -> Self {
        Self { rest: angle_of(&Hinge::new(x)) }
    }
}

/// The quantities from which the angle and its gradient are computed.
struct Hinge<T: Real> {
    edge: Vector3<T>,
    wing2: Vector3<T>,
    wing3: Vector3<T>,
    normal1: Vector3<T>,
    normal2: Vector3<T>,
    length: T,
}

impl<T: Real> Hinge<T> {
    #[inline(always)]
    fn new(x: &[Vector3<T>; 4]) -> Self {
        let edge = x[1] - x[0];
        let (wing2, wing3) = (x[2] - x[0], x[3] - x[0]);
        Self {
            edge,
            wing2,
            wing3,
            normal1: cross(&edge, &wing2),
            normal2: cross(&wing3, &edge),
            length: norm(&edge),
        }
    }
}

#[inline(always)]
fn angle_of<T: Real>(h: &Hinge<T>) -> T {
    // (N1×N2)·ê = −|e| N1·(x3 − x0): one product less, and exact zero where the hinge is exactly flat.
    let sine = -(h.length * h.normal1.dot(&h.wing3));
    let cosine = h.normal1.dot(&h.normal2);
    angle(sine, cosine)
}

/// −|e| N/|N|², or zero for a wing without height.
///
/// |N| is |e| times the height. Rounding leaves about ε|e||wing| in it for a long wing, and for a short one the coordinates
/// themselves give the height only to within ε|e|: below four times the larger of both there is no direction left.
#[inline(always)]
fn wing_gradient<T: Real>(normal: &Vector3<T>, wing: &Vector3<T>, length: T, length2: T) -> Vector3<T> {
    let floor = T::splat(16.0 * T::EPSILON * T::EPSILON) * length2 * length2.max(wing.dot(wing));
    let square = normal.dot(normal);
    let gradient = *normal * (-length / square);
    select_vector(square.le(floor), Vector3::zeros(), gradient)
}

impl<T: Real> Constraint<T, 4> for Dihedral<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 4]) -> T {
        angle_of(&Hinge::new(x)) - self.rest
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 4]) -> (T, [Vector3<T>; 4]) {
        let h = Hinge::new(x);
        let length2 = h.edge.dot(&h.edge);
        let g2 = wing_gradient(&h.normal1, &h.wing2, h.length, length2);
        let g3 = wing_gradient(&h.normal2, &h.wing3, h.length, length2);
        let inverse = T::select(length2.le(T::zero()), T::zero(), T::one() / length2);
        let s2 = h.wing2.dot(&h.edge) * inverse;
        let s3 = h.wing3.dot(&h.edge) * inverse;
        let g0 = g2 * (s2 - T::one()) + g3 * (s3 - T::one());
        let g1 = g2 * (-s2) + g3 * (-s3);
        (angle_of(&h) - self.rest, [g0, g1, g2, g3])
    }
}

impl Kind<4, 1> for Dihedral<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = Dihedral<T>;
    const UNIT: &'static str = "rad";
    rest_is_one_number!(Dihedral);
}

//! [`PointOnEdge`], [`PointInTriangle`], [`PointInTet`]: a point tied to a place of an edge, a triangle or a
//! tetrahedron.
//!
//! ```text
//! C = q − Σ b_i x_i = (q − x_0) − Σ_{i>0} b_i (x_i − x_0)    (three rows, one per axis)    ∂C_a/∂q = e_a,  ∂C_a/∂x_i = −b_i e_a
//! ```
//!
//! with barycentric coordinates b, Σ b_i = 1. The tie is two-way: the corners are drawn to the point as the
//! point to them, each by its share and its mass. Unit of C: m. Unit of the compliance: m/N, the inverse of
//! the stiffness of a spring of rest length zero. Energy ½|C|²/α.
//!
//! The stencil is the point first, then the corners. A coordinate may be negative or above 1: the point is
//! then outside and carried by extrapolation.
//!
//! *Hazard.* A point above a triangle has its foot for a place, and is drawn there: to keep a distance, take
//! a [vertex–triangle stitch](crate::stitch::VertexTriangleStitch). The rows have the directions of the
//! world: a single one has a torque C × e_a. The energy is invariant under rotation, and a projection, whose
//! Δλ is parallel to C, keeps the angular momentum.
//!
//! Source: Sifakis, Shinar, Irving & Fedkiw, "Hybrid simulation of deformable solids" (2007), whose soft
//! bindings these are.

use nalgebra::Vector3;

use crate::constraint::{BlockConstraint, BuiltIn, Kind, Rigidity};
use crate::real::Real;
use crate::rest_shape::{FLATTEST, RestShapeError, RestTet};
use crate::vector::axis_rows;

/// Ties a point to a place of an edge. Stencil: the point, then the ends 1 and 2.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, PointOnEdge};
///
/// let seam = PointOnEdge { place: 0.25 };
/// let x = [Vector3::new(1.0, 0.5, 0.0), Vector3::zeros(), Vector3::x() * 4.0];
/// assert_eq!(seam.values(&x), [0.0, 0.5, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointOnEdge<T> {
    /// The share t of the way from the first end to the second.
    pub place: T,
}

/// Ties a point to a place of a triangle. Stencil: the point, then the corners 0, 1 and 2.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, PointInTriangle};
///
/// let tie = PointInTriangle::new([0.5, 0.25, 0.25]);
/// let corners = [Vector3::zeros(), Vector3::x() * 4.0, Vector3::y() * 4.0];
/// let q = Vector3::new(1.0, 1.0, 0.5);
/// assert_eq!(tie.values(&[q, corners[0], corners[1], corners[2]]), [0.0, 0.0, 0.5]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInTriangle<T> {
    /// Barycentric coordinates of the corners 1 and 2; that of corner 0 is what is left to 1.
    pub weights: [T; 2],
}

impl PointInTriangle<f64> {
    /// From the barycentric coordinates of the corners 0, 1 and 2, whose sum should be 1; the first is taken
    /// from the others.
    #[must_use]
    pub fn new(weights: [f64; 3]) -> Self {
        Self { weights: [weights[1], weights[2]] }
    }

    /// The place below the point: the foot of its perpendicular on the triangle's plane. `x` is the stencil at rest, m.
    ///
    /// # Errors
    ///
    /// If the triangle is flat (see [`FLATTEST`]) or a position not finite.
    pub fn at_foot(x: &[Vector3<f64>; 4]) -> Result<Self, RestShapeError> {
        let (d, a, b) = (x[0] - x[1], x[2] - x[1], x[3] - x[1]);
        if ![d, a, b].iter().all(|e| e.iter().all(|c| c.is_finite())) {
            return Err(RestShapeError::NonFinite);
        }
        let normal = a.cross(&b);
        let doubled_area = normal.norm();
        let side = a.norm().max(b.norm()).max((b - a).norm());
        let height = doubled_area / side;
        if height.is_nan() || height <= FLATTEST * side {
            return Err(RestShapeError::FlatTriangle { height, side });
        }
        let up = normal / doubled_area;
        Ok(Self { weights: [d.cross(&b).dot(&up) / doubled_area, a.cross(&d).dot(&up) / doubled_area] })
    }
}

/// Ties a point to a place of a tetrahedron. Stencil: the point, then the corners 0, 1, 2 and 3.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, PointInTet};
///
/// let q = Vector3::new(0.1, 0.2, 0.3);
/// let x = [q, Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let tie = PointInTet::at(&x)?;
/// assert_eq!(tie.weights, [0.1, 0.2, 0.3]);
/// assert_eq!(tie.values(&x), [0.0; 3]);
/// # Ok::<(), pliant_constraints::RestShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInTet<T> {
    /// Barycentric coordinates of the corners 1, 2 and 3; that of corner 0 is what is left to 1.
    pub weights: [T; 3],
}

impl PointInTet<f64> {
    /// From the barycentric coordinates of the corners 0 to 3, whose sum should be 1; the first is taken from
    /// the others.
    #[must_use]
    pub fn new(weights: [f64; 4]) -> Self {
        Self { weights: [weights[1], weights[2], weights[3]] }
    }

    /// Where the point is. `x` is the stencil at rest, m; the point may be outside.
    ///
    /// # Errors
    ///
    /// If the tetrahedron is flat (see [`FLATTEST`]) or inside out, or a position not finite.
    pub fn at(x: &[Vector3<f64>; 5]) -> Result<Self, RestShapeError> {
        if !x[0].iter().all(|c| c.is_finite()) {
            return Err(RestShapeError::NonFinite);
        }
        let shape = RestTet::new(&[x[1], x[2], x[3], x[4]])?;
        let b = shape.inverse * (x[0] - x[1]);
        Ok(Self { weights: [b.x, b.y, b.z] })
    }
}

impl<T: Real> PointOnEdge<T> {
    /// Coefficients of the positions in C.
    #[inline(always)]
    fn coefficients(&self) -> [T; 3] {
        [T::one(), self.place - T::one(), -self.place]
    }
}

impl<T: Real> PointInTriangle<T> {
    /// Coefficients of the positions in C.
    #[inline(always)]
    fn coefficients(&self) -> [T; 4] {
        let [b1, b2] = self.weights;
        [T::one(), b1 + b2 - T::one(), -b1, -b2]
    }
}

impl<T: Real> PointInTet<T> {
    /// Coefficients of the positions in C.
    #[inline(always)]
    fn coefficients(&self) -> [T; 5] {
        let [b1, b2, b3] = self.weights;
        [T::one(), b1 + b2 + b3 - T::one(), -b1, -b2, -b3]
    }
}

impl<T: Real> BlockConstraint<T, 3, 3> for PointOnEdge<T> {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 3]) -> [T; 3] {
        let c = (x[0] - x[1]) - (x[2] - x[1]) * self.place;
        [c.x, c.y, c.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 3]) -> ([T; 3], [[Vector3<T>; 3]; 3]) {
        (self.values(x), axis_rows(&self.coefficients()))
    }
}

impl<T: Real> BlockConstraint<T, 4, 3> for PointInTriangle<T> {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 3] {
        let [b1, b2] = self.weights;
        let c = (x[0] - x[1]) - ((x[2] - x[1]) * b1 + (x[3] - x[1]) * b2);
        [c.x, c.y, c.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 3], [[Vector3<T>; 4]; 3]) {
        (self.values(x), axis_rows(&self.coefficients()))
    }
}

impl<T: Real> BlockConstraint<T, 5, 3> for PointInTet<T> {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 5]) -> [T; 3] {
        let [b1, b2, b3] = self.weights;
        let c = (x[0] - x[1]) - ((x[2] - x[1]) * b1 + (x[3] - x[1]) * b2 + (x[4] - x[1]) * b3);
        [c.x, c.y, c.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 5]) -> ([T; 3], [[Vector3<T>; 5]; 3]) {
        (self.values(x), axis_rows(&self.coefficients()))
    }
}

impl Kind<3, 3> for PointOnEdge<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = PointOnEdge<T>;
    const UNIT: &'static str = "m";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 1;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        rest[0] = constraint.place;
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> PointOnEdge<T> {
        PointOnEdge { place: rest[0] }
    }
}

impl Kind<4, 3> for PointInTriangle<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = PointInTriangle<T>;
    const UNIT: &'static str = "m";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 2;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        (rest[0], rest[1]) = (constraint.weights[0], constraint.weights[1]);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> PointInTriangle<T> {
        PointInTriangle { weights: [rest[0], rest[1]] }
    }
}

impl Kind<5, 3> for PointInTet<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = PointInTet<T>;
    const UNIT: &'static str = "m";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 3;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let [b1, b2, b3] = constraint.weights;
        (rest[0], rest[1], rest[2]) = (b1, b2, b3);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> PointInTet<T> {
        PointInTet { weights: [rest[0], rest[1], rest[2]] }
    }
}

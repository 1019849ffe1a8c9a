//! [`Points`]: how constraints over many points read the state of a solver.
//!
//! A constraint over a whole surface or a group of vertices sums over thousands of points. It does so in
//! `f64`, whatever the state is kept in, and in an order that is part of its definition, so that every run
//! and every number of threads gives the same bits.

use nalgebra::Vector3;

use crate::real::Real;

/// Positions and inverse masses by number.
pub trait Points {
    /// Position of point `v`, m.
    fn position(&self, v: u32) -> Vector3<f64>;

    /// Inverse mass of point `v`, 1/kg; zero where it is fixed.
    fn inverse_mass(&self, v: u32) -> f64;
}

/// [`Points`] in two lists.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{PointSlices, Points};
///
/// let points = PointSlices { x: &[Vector3::<f32>::x(), Vector3::y()], w: &[0.5, 0.0] };
/// assert_eq!((points.position(0), points.inverse_mass(1)), (Vector3::x(), 0.0));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PointSlices<'a, T> {
    /// Positions, m.
    pub x: &'a [Vector3<T>],
    /// Inverse masses, 1/kg.
    pub w: &'a [T],
}

impl<T: Real + Into<f64>> Points for PointSlices<'_, T> {
    #[inline]
    fn position(&self, v: u32) -> Vector3<f64> {
        self.x[v as usize].map(Into::into)
    }

    #[inline]
    fn inverse_mass(&self, v: u32) -> f64 {
        self.w[v as usize].into()
    }
}

//! [`Crossing`]: an edge and a triangle.

use nalgebra::Vector3;
use pliant_constraints::Real;

use crate::{Element, Surface};

/// An edge and a triangle that cross or touch and share no particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossing {
    /// Number of the edge in [`Surface::edges`].
    pub edge: u32,
    /// Number of the triangle in [`Surface::triangles`].
    pub triangle: u32,
}

impl Crossing {
    /// Edge and triangle by body.
    #[must_use]
    pub fn elements(&self, surface: &Surface) -> [Element; 2] {
        [surface.edge_element(self.edge), surface.triangle_element(self.triangle)]
    }

    /// Where the edge goes through the plane of the triangle, m, for display. The middle of an edge that lies
    /// in that plane.
    ///
    /// # Panics
    ///
    /// If there is no such edge or triangle, or no position of one of its corners.
    #[must_use]
    pub fn place<T: Real + Into<f64>>(&self, surface: &Surface, positions: &[Vector3<T>]) -> Vector3<f64> {
        let at = |v: u32| wide(&positions[v as usize]);
        let [p, q] = surface.edges()[self.edge as usize].map(at);
        let [a, b, c] = surface.triangles()[self.triangle as usize].map(at);
        let normal = (b - a).cross(&(c - a));
        let [from, to] = [p, q].map(|end| normal.dot(&(end - a)));
        let share = from / (from - to);
        p + (q - p) * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// A position, exactly.
pub(super) fn wide<T: Real + Into<f64>>(x: &Vector3<T>) -> Vector3<f64> {
    Vector3::new(x.x.into(), x.y.into(), x.z.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_where_the_edge_goes_through() {
        let surface = Surface::new(6, &[&[[0, 1, 2]], &[[3, 4, 5]]]).unwrap();
        let corners = [
            [0.0, 0.0, 0.0],
            [4.0, 0.0, 0.0],
            [0.0, 4.0, 0.0],
            [1.0, 1.0, -1.0],
            [1.0, 2.0, 3.0],
            [-9.0, 1.0, 3.0],
        ];
        let mut x = corners.map(Vector3::<f64>::from);
        let found = crate::crossings(&surface, &x).unwrap();
        let through =
            found.iter().find(|crossing| surface.edges()[crossing.edge as usize] == [3, 4]).unwrap();
        assert!((through.place(&surface, &x) - Vector3::new(1.0, 1.25, 0.0)).norm() < 1e-12);
        // In the plane there is no single point.
        (x[3].z, x[4].z) = (0.0, 0.0);
        assert!((through.place(&surface, &x) - Vector3::new(1.0, 1.5, 0.0)).norm() < 1e-12);
    }
}

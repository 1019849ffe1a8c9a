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
}

/// A position, exactly.
pub(super) fn wide<T: Real + Into<f64>>(x: &Vector3<T>) -> Vector3<f64> {
    Vector3::new(x.x.into(), x.y.into(), x.z.into())
}

//! [`ShapeMatch`]: which vertices of a body keep their shape as a whole.

use crate::describe::elasticity::Elasticity;

/// Vertices that keep their shape as a whole; see [`Body::keep_shape`](crate::Body::keep_shape).
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeMatch {
    pub(crate) vertices: Option<Vec<u32>>,
    pub(crate) elasticity: Elasticity,
}

impl ShapeMatch {
    /// All vertices of the body. The compliance, m/N, is that of the group as a whole.
    #[must_use]
    pub fn all(elasticity: impl Into<Elasticity>) -> Self {
        Self { vertices: None, elasticity: elasticity.into() }
    }

    /// Some vertices of the body. The compliance, m/N, is that of the group as a whole.
    #[must_use]
    pub fn of(vertices: impl IntoIterator<Item = u32>, elasticity: impl Into<Elasticity>) -> Self {
        Self { vertices: Some(vertices.into_iter().collect()), elasticity: elasticity.into() }
    }
}

//! The signed distance from a surface.
//!
//! The distance is that of the nearest point of the nearest triangle. The sign is that of ½ − |w| with the
//! [winding number](crate::WindingNumbers) w, which is defined for surfaces with holes and overlaps, where
//! the side of the nearest triangle is meaningless. Across a hole the sign changes away from the surface, so
//! that the function jumps there.

use nalgebra::Vector3;

use crate::closest::{Nearest, nearest_on_triangle};
use crate::{TriMesh, WindingNumbers};

/// Signed distances from a surface, m: negative inside.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{SignedDistance, TriMesh};
///
/// let ball = SignedDistance::new(&TriMesh::icosphere(1.0, 20)?);
/// assert!((ball.at(&(Vector3::x() * 1.5)) - 0.5).abs() < 0.01);
/// assert!((ball.at(&(Vector3::x() * 0.8)) + 0.2).abs() < 0.01);
/// # Ok::<(), pliant_mesh::GenerateError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SignedDistance {
    winding: WindingNumbers,
}

impl SignedDistance {
    /// Prepares the surface.
    #[must_use]
    pub fn new(surface: &TriMesh) -> Self {
        Self { winding: WindingNumbers::new(surface) }
    }

    /// The signed distance of a point, m; infinite where there is no surface.
    #[must_use]
    pub fn at(&self, point: &Vector3<f64>) -> f64 {
        let distance = self.distance(point);
        if self.is_inside(point) { -distance } else { distance }
    }

    /// The distance of a point, m, whichever side it is on.
    #[must_use]
    pub fn distance(&self, point: &Vector3<f64>) -> f64 {
        self.distance_squared_below(point, f64::INFINITY).sqrt()
    }

    /// The squared distance of a point, m², if it is below a bound, and something not below it otherwise.
    pub(crate) fn distance_squared_below(&self, point: &Vector3<f64>, bound: f64) -> f64 {
        let (tree, corners) = self.winding.triangles();
        tree.nearest_squared(point, bound, |place| {
            nearest_on_triangle(point, &corners[place]).distance_squared
        })
    }

    /// The triangle that is nearest to a point; of equally near ones any, but always the same.
    pub(crate) fn nearest_triangle(&self, point: &Vector3<f64>) -> usize {
        self.nearest(point).map_or(0, |(triangle, _)| triangle)
    }

    /// The triangle that is nearest to a point, and its nearest point; of equally near ones any, but always
    /// the same. None where there is no surface.
    #[must_use]
    pub fn nearest(&self, point: &Vector3<f64>) -> Option<(usize, Nearest<3>)> {
        let (tree, corners) = self.winding.triangles();
        let mut nearest: Option<(usize, Nearest<3>)> = None;
        tree.nearest_squared(point, f64::INFINITY, |place| {
            let near = nearest_on_triangle(point, &corners[place]);
            if nearest.is_none_or(|(_, best)| near.distance_squared < best.distance_squared) {
                nearest = Some((tree.order()[place] as usize, near));
            }
            near.distance_squared
        });
        nearest
    }

    /// Whether the surface goes round a point, by more than half, in either direction.
    #[must_use]
    pub(crate) fn is_inside(&self, point: &Vector3<f64>) -> bool {
        self.winding.at(point).abs() > 0.5
    }

    pub(crate) fn winding(&self) -> &WindingNumbers {
        &self.winding
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn the_nearest_triangle_is_found(
            corners in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 3..30),
            raw in prop::collection::vec([0_u32..30, 0..30, 0..30], 1..60),
            p in [-2.0..2.0, -2.0..2.0, -2.0..2.0_f64],
        ) {
            let corners: Vec<_> = corners.into_iter().map(Vector3::from).collect();
            let n = corners.len() as u32;
            let triangles: Vec<_> = raw.iter().map(|t| t.map(|v| v % n))
                .filter(|[a, b, c]| a != b && b != c && c != a).collect();
            let mesh = TriMesh::new(corners, triangles).unwrap();
            let p = Vector3::from(p);
            let least = (0..mesh.triangles().len())
                .map(|t| nearest_on_triangle(&p, &mesh.corners(t)).distance_squared)
                .fold(f64::INFINITY, f64::min);
            let field = SignedDistance::new(&mesh);
            prop_assume!(!mesh.triangles().is_empty());
            prop_assert!((field.distance(&p) - least.sqrt()).abs() < 1e-12);
            prop_assert!((field.distance_squared_below(&p, least * 1.01) - least).abs() < 1e-14);
            prop_assert!(field.distance_squared_below(&p, least * 0.5) >= least * 0.5);
        }
    }
}

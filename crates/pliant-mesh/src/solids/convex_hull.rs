//! [`ConvexHull`]: a convex solid.

use super::quickhull::HullError;
use crate::{Aabb, SignedDistance, TriMesh};
use nalgebra::Vector3;

/// The convex hull of points, as a solid.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::ConvexHull;
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector3::from);
/// let hull = ConvexHull::new(&corners)?;
/// let (gap, normal) = hull.gap(&Vector3::new(0.1, 0.2, -0.5));
/// assert!((gap - 0.5).abs() < 1e-12 && (normal + Vector3::z()).norm() < 1e-12);
/// # Ok::<(), pliant_mesh::HullError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ConvexHull {
    surface: TriMesh,
    distance: SignedDistance,
    bounds: Aabb,
    /// A point inside, m.
    middle: Vector3<f64>,
    /// Nearer to the surface than this, m, differences have no direction.
    close: f64,
}

/// Hulls are equal if their surfaces are.
impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        self.surface == other.surface
    }
}

impl ConvexHull {
    /// The convex hull of points, m.
    ///
    /// # Errors
    ///
    /// If the points have no convex hull with a volume: fewer than four, all in one plane, or one not finite.
    pub fn new(points: &[Vector3<f64>]) -> Result<Self, HullError> {
        let surface = TriMesh::convex_hull(points)?;
        let corners = surface.positions();
        let middle = corners.iter().sum::<Vector3<f64>>() / corners.len() as f64;
        let bounds = Aabb::of_points(corners).expect("a hull has corners");
        let close = 1e-10 * bounds.diagonal();
        Ok(Self { distance: SignedDistance::new(&surface), surface, bounds, middle, close })
    }

    /// Its surface: closed, counter-clockwise seen from outside.
    #[must_use]
    pub fn surface(&self) -> &TriMesh {
        &self.surface
    }

    /// The box around it, m.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Its extent along the normal of the face along which that is least, m: how thick it is.
    #[must_use]
    pub fn width(&self) -> f64 {
        let corners = self.surface.positions();
        let along = |t: usize| {
            let normal = self.normal(t);
            let heights = corners.iter().map(|x| normal.dot(x));
            let (low, high) =
                heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        (0..self.surface.triangles().len()).map(along).fold(f64::INFINITY, f64::min)
    }

    /// The signed distance of a point, m, and the direction out: from the nearest point of the surface
    /// outside, through the face of least depth inside.
    #[must_use]
    pub fn gap(&self, x: &Vector3<f64>) -> (f64, Vector3<f64>) {
        // A point that is not finite counts as outside.
        let Some((triangle, near)) = self.distance.nearest(x) else { return (f64::INFINITY, Vector3::y()) };
        let (out, distance) = (x - near.point, near.distance());
        // A plane through the nearest point bounds the hull: what is on the side of the middle is inside.
        let is_inside = out.dot(&(self.middle - near.point)) > 0.0;
        let sign = if is_inside { -1.0 } else { 1.0 };
        let normal = if distance > self.close { out * (sign / distance) } else { self.normal(triangle) };
        (sign * distance, normal)
    }

    /// The normal of a face; of a face of negligible area, the direction from the middle.
    fn normal(&self, triangle: usize) -> Vector3<f64> {
        let [a, b, c] = self.surface.corners(triangle);
        let across = (b - a).cross(&(c - a));
        let longest = (b - a).norm_squared().max((c - a).norm_squared()).max((c - b).norm_squared());
        across.try_normalize(1e-9 * longest).unwrap_or_else(|| (a - self.middle).normalize())
    }
}

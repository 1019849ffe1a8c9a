//! Axis-aligned bounding boxes.

use nalgebra::Vector3;

use crate::{TetMesh, TriMesh};

/// An axis-aligned box that bounds some points.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::Aabb;
///
/// let bounds = Aabb::of_points(&[Vector3::zeros(), Vector3::new(3.0, 4.0, 0.0)]).expect("there are points");
/// assert_eq!(bounds.diagonal(), 5.0);
/// assert_eq!(Aabb::of_points(&[]), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Least coordinates, metres.
    pub min: Vector3<f64>,
    /// Greatest coordinates, metres.
    pub max: Vector3<f64>,
}

impl Aabb {
    /// The smallest box around some points; none around no points.
    #[must_use]
    pub fn of_points(points: &[Vector3<f64>]) -> Option<Self> {
        Self::around(points.iter().copied())
    }

    /// The smallest box around the points of an iterator; none around no points.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vector3<f64>>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(Self { min: first, max: first }, |bounds, p| Self {
            min: bounds.min.inf(&p),
            max: bounds.max.sup(&p),
        }))
    }

    /// The smallest box around two boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// Whether two boxes have a point in common; their borders belong to them.
    #[must_use]
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        // All comparisons are made: which one fails cannot be predicted.
        (0..3).fold(true, |meet, k| meet & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    /// Edge lengths, metres.
    #[must_use]
    pub fn size(&self) -> Vector3<f64> {
        self.max - self.min
    }

    /// The axis along which the box is longest, 0 to 2; the first of equal ones.
    #[must_use]
    pub fn longest_axis(&self) -> usize {
        let size = self.size();
        (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best })
    }

    /// The middle of the box.
    #[must_use]
    pub fn centre(&self) -> Vector3<f64> {
        // Half of each first, so that no finite box overflows.
        self.min * 0.5 + self.max * 0.5
    }

    /// Length of the diagonal, metres: the usual measure of how large a mesh is.
    #[must_use]
    pub fn diagonal(&self) -> f64 {
        self.size().norm()
    }

    /// The box with every side moved outwards by `margin` metres.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Whether the point is in the box or on its sides.
    #[must_use]
    pub fn contains(&self, point: &Vector3<f64>) -> bool {
        (0..3).all(|k| self.min[k] <= point[k] && point[k] <= self.max[k])
    }

    /// Squared distance of a point from the box, m²; zero inside.
    #[must_use]
    pub fn distance_squared(&self, point: &Vector3<f64>) -> f64 {
        (0..3).map(|k| (self.min[k] - point[k]).max(point[k] - self.max[k]).max(0.0)).map(|d| d * d).sum()
    }
}

impl TriMesh {
    /// The box around all vertices; none without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        Aabb::of_points(self.positions())
    }
}

impl TetMesh {
    /// The box around all vertices; none without vertices.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        Aabb::of_points(self.positions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Vector3<f64>>> {
        prop::collection::vec([-9.0..9.0, -9.0..9.0, -9.0..9.0_f64].prop_map(Vector3::from), size)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn a_box_holds_its_points(points in points(1..20), other in points(1)) {
            let bounds = Aabb::of_points(&points).unwrap();
            prop_assert!(points.iter().all(|p| bounds.contains(p) && bounds.distance_squared(p) == 0.0));
            prop_assert!(bounds.contains(&bounds.centre()));
            prop_assert_eq!(bounds.size()[bounds.longest_axis()], bounds.size().max());
            // No point of the box is nearer than the box.
            let distance = bounds.distance_squared(&other[0]);
            prop_assert!(points.iter().all(|p| (p - other[0]).norm_squared() >= distance * (1.0 - 1e-12)));
            prop_assert_eq!(bounds.contains(&other[0]), distance == 0.0);
        }
    }
}

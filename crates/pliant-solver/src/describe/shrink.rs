//! [`Shrink`]: a held body that starts thinner than it is, and grows.

use nalgebra::Vector3;

use crate::coarse::rigid::vertex_normals;
use crate::error::pin::PinProblem;

/// A body, all of whose vertices a pin holds, that starts thinner than it is, so that something can be put
/// round it, and has its size after a time.
///
/// Every vertex is moved inwards along the normal n of the surface as it is at that moment, so that limbs become
/// thin wherever they are; the motion of the pin goes on meanwhile:
///
/// ```text
/// x(t) = X(t) − d (1 − s²(3 − 2s)) n(X(t)),   s = t/T  between 0 and 1
/// ```
///
/// with the motion X, the depth d and the time T. Normals are weighted by the areas of the triangles around. What
/// is thinner than 2d turns inside out. Vertices without triangles stay where the motion has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrink {
    /// How far inwards vertices start, d, m.
    pub by: f64,
    /// When the body has its size, T, s.
    pub until: f64,
    /// The triangles of the surface, counter-clockwise as seen from outside, in the order of the vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The vertices of the body at its size where nothing moves it, m.
    pub rest: Vec<Vector3<f64>>,
}

impl Shrink {
    /// Where vertices are at a time, s, that the motion has at `places`, m.
    #[must_use]
    pub fn places_at(&self, time: f64, places: Vec<Vector3<f64>>) -> Vec<Vector3<f64>> {
        if !self.is_on_at(time) {
            return places;
        }
        let s = (time / self.until).clamp(0.0, 1.0);
        let depth = self.by * (1.0 - s * s * (3.0 - 2.0 * s));
        let normals = vertex_normals(&places, &self.triangles);
        places.into_iter().zip(normals).map(|(x, n)| x - n * depth).collect()
    }

    /// Whether the body is still growing at a time, s.
    pub(crate) fn is_on_at(&self, time: f64) -> bool {
        time < self.until
    }

    /// The error of one for so many vertices, if there is one.
    pub(crate) fn problem(&self, vertices: usize) -> Option<PinProblem> {
        let of_another =
            self.rest.len() != vertices || self.triangles.iter().flatten().any(|&v| v as usize >= vertices);
        let is_size = |value: f64| value >= 0.0 && value.is_finite();
        if of_another {
            return Some(PinProblem::ShrinkVertices { found: self.rest.len(), vertices });
        }
        let wrong = [self.by, self.until].into_iter().find(|&value| !is_size(value));
        wrong.map(PinProblem::Shrink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_a_smaller_ball_and_has_its_size_in_the_end() {
        let ball = pliant_mesh::TriMesh::icosphere(0.5, 8).unwrap();
        let rest = ball.positions().to_vec();
        let shrink = Shrink { by: 0.1, until: 2.0, triangles: ball.triangles().to_vec(), rest: rest.clone() };
        for (time, radius) in [(0.0, 0.4), (1.0, 0.45), (1.999_999, 0.5), (2.0, 0.5), (9.0, 0.5)] {
            for x in shrink.places_at(time, rest.clone()) {
                assert!((x.norm() - radius).abs() < 1e-3, "{time} s: {}", x.norm());
            }
        }
        assert_eq!(shrink.places_at(2.0, rest.clone()), rest, "to the last bit");
        // Moved elsewhere it is thinner there.
        let there: Vec<_> = rest.iter().map(|x| x + Vector3::x()).collect();
        let middle: Vector3<f64> =
            shrink.places_at(0.0, there).iter().sum::<Vector3<f64>>() / rest.len() as f64;
        assert!((middle - Vector3::x()).norm() < 1e-6);
        assert!(shrink.problem(rest.len()).is_none());
        assert!(shrink.problem(3).is_some());
        assert!(Shrink { until: f64::NAN, ..shrink }.problem(rest.len()).is_some());
    }
}

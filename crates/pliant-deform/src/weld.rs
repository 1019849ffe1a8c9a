//! [`Weld`]: vertices that are copies of the same point of the surface.
//!
//! Files often repeat a vertex for every corner of every triangle, or along seams of normals and texture
//! coordinates. To a deformer that uses neighbours such a mesh is a heap of loose triangles. Welding finds
//! the copies, the deformer works on the points, and every copy moves as its point does.

use std::cmp::Ordering;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

/// A numbering of points behind the vertices of a mesh.
///
/// Vertices are the same point if their positions are equal, to the last bit, and nothing else distinguishes them.
/// Points are numbered in the order of their first vertices.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_deform::Weld;
///
/// let x = [Vector3::zeros(), Vector3::x(), Vector3::x(), Vector3::y()];
/// let weld = Weld::by_position(&x);
/// assert_eq!((weld.point_count(), weld.point_of(2), weld.point_of(3)), (3, 1, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weld {
    /// Point by vertex.
    point_of: Vec<u32>,
    /// First vertex by point.
    first: Vec<u32>,
}

impl Weld {
    /// Every vertex is a point of its own.
    #[must_use]
    pub fn none(vertices: usize) -> Self {
        let all: Vec<u32> = (0..vertices as u32).collect();
        Self { point_of: all.clone(), first: all }
    }

    /// Welds vertices with the same position.
    #[must_use]
    pub fn by_position(positions: &[Vector3<f64>]) -> Self {
        Self::new(positions, |_, _| Ordering::Equal)
    }

    /// Welds vertices with the same position that `order` calls equal; it must be a total order of vertices.
    /// For a skin it is [`Skin::compare`](pliant_mesh::Skin::compare), for weights the order of their
    /// numbers.
    #[must_use]
    pub fn new(positions: &[Vector3<f64>], order: impl Fn(u32, u32) -> Ordering) -> Self {
        // −0 and 0 are the same place.
        let key = |v: u32| positions[v as usize].map(|x| x + 0.0);
        let compare = |a: u32, b: u32| {
            let (p, q) = (key(a), key(b));
            let place = (0..3).map(|k| p[k].total_cmp(&q[k])).fold(Ordering::Equal, Ordering::then);
            place.then_with(|| order(a, b))
        };
        let mut sorted: Vec<u32> = (0..positions.len() as u32).collect();
        sorted.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
        // The first vertex of every run of equal ones.
        let mut first_of = vec![0_u32; positions.len()];
        for run in sorted.chunk_by(|&a, &b| compare(a, b) == Ordering::Equal) {
            run.iter().for_each(|&v| first_of[v as usize] = run[0]);
        }
        let mut weld = Self { point_of: vec![0; positions.len()], first: Vec::new() };
        for (v, &first) in first_of.iter().enumerate() {
            weld.point_of[v] = if first as usize == v {
                weld.first.push(first);
                weld.first.len() as u32 - 1
            } else {
                weld.point_of[first as usize]
            };
        }
        weld
    }

    /// Splits points whose vertices have different weights.
    #[must_use]
    pub(crate) fn split_by(&self, weights: &[f64]) -> Self {
        let places: Vec<Vector3<f64>> =
            self.point_of.iter().map(|&p| Vector3::new(f64::from(p), 0.0, 0.0)).collect();
        Self::new(&places, |a, b| weights[a as usize].total_cmp(&weights[b as usize]))
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.point_of.len()
    }

    /// Number of points.
    #[must_use]
    pub fn point_count(&self) -> usize {
        self.first.len()
    }

    /// Whether every vertex is a point of its own.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.first.len() == self.point_of.len()
    }

    /// The point of vertex `v`.
    ///
    /// # Panics
    ///
    /// If there is no vertex `v`.
    #[must_use]
    pub fn point_of(&self, v: usize) -> u32 {
        self.point_of[v]
    }

    /// The first vertex of every point.
    #[must_use]
    pub(crate) fn first_vertices(&self) -> &[u32] {
        &self.first
    }

    /// The mesh of the points. Triangles that have two corners in one point are left out.
    ///
    /// # Panics
    ///
    /// If the mesh has another number of vertices.
    #[must_use]
    pub fn mesh(&self, mesh: &TriMesh) -> TriMesh {
        assert_eq!(mesh.positions().len(), self.point_of.len(), "the weld is for another mesh");
        if self.is_trivial() {
            return mesh.clone();
        }
        let triangles = mesh
            .triangles()
            .iter()
            .map(|t| t.map(|v| self.point_of[v as usize]))
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        let positions = self.take(mesh.positions());
        TriMesh::new(positions, triangles)
            .expect("points are vertices of a valid mesh and triangles have three of them")
    }

    /// A value for every point, from those of the vertices: that of its first vertex.
    pub(crate) fn take<T: Copy>(&self, of_vertices: &[T]) -> Vec<T> {
        self.first.iter().map(|&v| of_vertices[v as usize]).collect()
    }

    /// Lets `work` move the points, and every vertex by as much as its point. Vertices of a point need not be
    /// in the same place.
    pub(crate) fn with_points<R>(
        &self,
        positions: &mut [Vector3<f64>],
        work: impl FnOnce(&mut [Vector3<f64>]) -> R,
    ) -> R {
        if self.is_trivial() {
            return work(positions);
        }
        let before = self.take(positions);
        let mut after = before.clone();
        let result = work(&mut after);
        for (x, &point) in positions.iter_mut().zip(&self.point_of) {
            let (from, to) = (&before[point as usize], &after[point as usize]);
            // Exact for copies in one place, and for points that stay.
            if x == from {
                *x = *to;
            } else if from != to {
                *x += to - from;
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn vertices_are_welded_exactly_where_everything_is_equal(
            corners in prop::collection::vec((0..3_u8, 0..2_u8, 0..2_u8), 0..40),
        ) {
            let positions: Vec<_> =
                corners.iter().map(|&(x, y, _)| Vector3::new(f64::from(x), -f64::from(y), 0.0)).collect();
            let weights: Vec<_> = corners.iter().map(|c| f64::from(c.2)).collect();
            let order = |a: u32, b: u32| weights[a as usize].total_cmp(&weights[b as usize]);
            let weld = Weld::new(&positions, order);
            prop_assert_eq!(&Weld::by_position(&positions).split_by(&weights), &weld);
            for a in 0..corners.len() {
                let first = weld.first_vertices()[weld.point_of(a) as usize] as usize;
                prop_assert!(first <= a);
                for b in 0..corners.len() {
                    prop_assert_eq!(corners[a] == corners[b], weld.point_of(a) == weld.point_of(b));
                }
            }
            prop_assert!(weld.first_vertices().windows(2).all(|w| w[0] < w[1]));
        }
    }

    #[test]
    fn loose_triangles_become_a_surface() {
        let square = TriMesh::grid([5, 4], [1.0, 1.0]).unwrap();
        let loose: Vec<_> =
            square.triangles().iter().flatten().map(|&v| square.positions()[v as usize]).collect();
        let triangles = (0..square.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let loose = TriMesh::new(loose, triangles).unwrap();
        let weld = Weld::by_position(loose.positions());
        let welded = weld.mesh(&loose);
        assert_eq!((weld.vertex_count(), weld.point_count()), (72, 20));
        assert_eq!(welded.edges().len(), square.edges().len());

        // Copies that have come apart move alike.
        let mut x = loose.positions().to_vec();
        x[3] += Vector3::z();
        let before = x.clone();
        weld.with_points(&mut x, |points| points.iter_mut().for_each(|p| p.x += 1.0));
        for (a, b) in x.iter().zip(&before) {
            assert!((a - b - Vector3::x()).norm() < 1e-15);
        }
    }
}

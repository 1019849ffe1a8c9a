//! The convex hull of points, as a closed surface.
//!
//! Source: Barber, Dobkin and Huhdanpaa, *The Quickhull algorithm for convex hulls* (1996). Every point waits
//! with a face that it is above; the farthest of them becomes a vertex, the faces that it is above go, and
//! new ones lead from it to their rim.
//!
//! Whether a point is above a face is decided exactly (Shewchuk, *Adaptive precision floating-point
//! arithmetic and fast robust geometric predicates*, 1997, as in the crate `robust`), so that no rounding
//! makes a dent or a hole, however the points lie in planes and lines.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use robust::{Coord3D, orient3d};
use thiserror::Error;

use crate::{Aabb, TriMesh};

/// A hull thinner than this share of its size is flat: its faces would have no reliable normals.
const FLAT: f64 = 1e-9;

/// Points without a convex hull that has a volume.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull needs at least four points, not {count}")]
    TooFew {
        /// Number of points.
        count: usize,
    },
    /// A coordinate is infinite or NaN.
    #[error("point {point} (from 0) is not finite")]
    NotFinite {
        /// The first such point.
        point: usize,
    },
    /// All points are one.
    #[error("all {count} points are in one place; a convex hull needs four that are in no common plane")]
    Coincident {
        /// Number of points.
        count: usize,
    },
    /// All points are on a line.
    #[error("all {count} points are on one line; a convex hull needs four that are in no common plane")]
    Collinear {
        /// Number of points.
        count: usize,
    },
    /// All points are in a plane.
    #[error("all {count} points are in one plane; a convex hull needs four that are in no common plane")]
    Coplanar {
        /// Number of points.
        count: usize,
    },
}

impl TriMesh {
    /// The convex hull of points, m: a closed surface whose triangles are counter-clockwise seen from
    /// outside. Its vertices are the points on it that it needs, in their order; a flat side of many corners
    /// has several triangles.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    ///
    /// let corners: Vec<_> = (0..8).map(|c| Vector3::new(f64::from(c & 1), f64::from(c >> 1 & 1), f64::from(c >> 2))).collect();
    /// let cube = TriMesh::convex_hull(&corners)?;
    /// assert_eq!((cube.positions().len(), cube.triangles().len()), (8, 12));
    /// assert!((cube.enclosed_volume() - 1.0).abs() < 1e-12);
    /// # Ok::<(), pliant_mesh::HullError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are fewer than four points, or all are in one plane but for a billionth of their extent, or
    /// one is not finite.
    pub fn convex_hull(points: &[Vector3<f64>]) -> Result<Self, HullError> {
        let mut hull = Hull::of_four(points)?;
        while let Some(face) = hull.waiting.pop() {
            hull.extend(face);
        }
        Ok(hull.into_surface())
    }
}

/// A triangle of a hull that is being made.
struct Face {
    corners: [u32; 3],
    /// The points above it that are in no other list.
    above: Vec<u32>,
    gone: bool,
}

/// A hull that is being made: convex at all times.
struct Hull<'a> {
    points: &'a [Vector3<f64>],
    faces: Vec<Face>,
    /// The face to the left of every edge.
    left: BTreeMap<[u32; 2], usize>,
    /// Faces that may have points above them.
    waiting: Vec<usize>,
}

fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

impl<'a> Hull<'a> {
    /// The hull of four of the points, as far apart as is easily found.
    fn of_four(points: &'a [Vector3<f64>]) -> Result<Self, HullError> {
        let count = points.len();
        if let Some(point) = points.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(HullError::NotFinite { point });
        }
        if count < 4 {
            return Err(HullError::TooFew { count });
        }
        let size = Aabb::of_points(points).map_or(0.0, |bounds| bounds.diagonal());
        if size <= 0.0 {
            return Err(HullError::Coincident { count });
        }
        let farthest = |measure: &dyn Fn(&Vector3<f64>) -> f64| -> (usize, f64) {
            let each = points.iter().map(measure).enumerate();
            each.fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best })
        };
        let (a, _) = farthest(&|x| -x.x);
        let (b, _) = farthest(&|x| (x - points[a]).norm_squared());
        let along = (points[b] - points[a]).normalize();
        let (c, height) = farthest(&|x| (x - points[a]).cross(&along).norm());
        if height <= FLAT * size {
            return Err(HullError::Collinear { count });
        }
        let normal = along.cross(&(points[c] - points[a])).normalize();
        let (d, depth) = farthest(&|x| (x - points[a]).dot(&normal).abs());
        if depth <= FLAT * size {
            return Err(HullError::Coplanar { count });
        }
        let [a, b, c, d] = [a, b, c, d].map(|v| v as u32);
        let mut hull = Self { points, faces: Vec::new(), left: BTreeMap::new(), waiting: Vec::new() };
        // The fourth point must be below the first three.
        let (b, c) = if hull.is_above(d, [a, b, c]) { (c, b) } else { (b, c) };
        let all = (0..count as u32).collect();
        hull.add([[a, b, c], [b, a, d], [c, b, d], [a, c, d]].to_vec(), all);
        Ok(hull)
    }

    /// Whether a point is above a face, on the side from which it is counter-clockwise; decided exactly.
    fn is_above(&self, point: u32, corners: [u32; 3]) -> bool {
        let coord = |v: u32| {
            let x = &self.points[v as usize];
            Coord3D { x: x.x, y: x.y, z: x.z }
        };
        let [a, b, c] = corners.map(coord);
        orient3d(a, b, c, coord(point)) < 0.0
    }

    /// Adds faces, and gives each of the points to the first of them that it is above.
    fn add(&mut self, corners: Vec<[u32; 3]>, points: Vec<u32>) {
        let first = self.faces.len();
        for corners in corners {
            self.left.extend(edges(corners).map(|edge| (edge, self.faces.len())));
            self.faces.push(Face { corners, above: Vec::new(), gone: false });
        }
        for point in points {
            let found = (first..self.faces.len()).find(|&f| self.is_above(point, self.faces[f].corners));
            if let Some(face) = found {
                self.faces[face].above.push(point);
            }
        }
        self.waiting.extend((first..self.faces.len()).filter(|&f| !self.faces[f].above.is_empty()));
    }

    /// Extends the hull to the farthest of the points above a face.
    fn extend(&mut self, face: usize) {
        if self.faces[face].gone {
            return;
        }
        let [a, b, c] = self.faces[face].corners.map(|v| self.points[v as usize]);
        let normal = (b - a).cross(&(c - a));
        let height = |v: u32| (self.points[v as usize] - a).dot(&normal);
        let Some(apex) = self.faces[face]
            .above
            .iter()
            .copied()
            .reduce(|best, next| if height(next) > height(best) { next } else { best })
        else {
            return;
        };
        // The faces that it is above are connected, and their rim is one loop.
        let (mut seen, mut rim, mut orphans) = (vec![face], Vec::new(), Vec::new());
        self.faces[face].gone = true;
        while let Some(face) = seen.pop() {
            orphans.append(&mut self.faces[face].above);
            for [from, to] in edges(self.faces[face].corners) {
                let beyond = self.left[&[to, from]];
                if self.faces[beyond].gone {
                    continue;
                }
                if self.is_above(apex, self.faces[beyond].corners) {
                    self.faces[beyond].gone = true;
                    seen.push(beyond);
                } else {
                    rim.push([from, to, apex]);
                }
            }
        }
        orphans.retain(|&v| v != apex);
        self.add(rim, orphans);
    }

    fn into_surface(self) -> TriMesh {
        let kept: Vec<[u32; 3]> =
            self.faces.iter().filter(|face| !face.gone).map(|face| face.corners).collect();
        let mut used: Vec<u32> = kept.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |v: u32| used.partition_point(|&u| u < v) as u32;
        let triangles = kept.into_iter().map(|corners| corners.map(place)).collect();
        let positions = used.iter().map(|&v| self.points[v as usize]).collect();
        TriMesh::new(positions, triangles).expect("a hull names its own vertices")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn above(corners: &[Vector3<f64>; 3], x: &Vector3<f64>) -> bool {
        let [a, b, c, d] =
            [corners[0], corners[1], corners[2], *x].map(|x| Coord3D { x: x.x, y: x.y, z: x.z });
        orient3d(a, b, c, d) < 0.0
    }

    /// All properties of a hull.
    fn check(points: &[Vector3<f64>], hull: &TriMesh) -> Result<(), TestCaseError> {
        for t in 0..hull.triangles().len() {
            let outside = points.iter().find(|x| above(&hull.corners(t), x));
            prop_assert!(outside.is_none(), "{outside:?} is above triangle {t}");
        }
        // Every edge has two faces, which pass it in opposite directions.
        let mut sides: Vec<[u32; 2]> = hull.triangles().iter().flat_map(|&t| edges(t)).collect();
        sides.sort_unstable();
        prop_assert!(sides.windows(2).all(|pair| pair[0] != pair[1]));
        prop_assert!(sides.iter().all(|&[a, b]| sides.binary_search(&[b, a]).is_ok()));
        // Euler's formula: one closed surface without handles.
        let (v, e, f) = (hull.positions().len(), hull.edges().len(), hull.triangles().len());
        prop_assert_eq!(v + f, e + 2);
        prop_assert!(hull.enclosed_volume() > 0.0);
        prop_assert!(hull.positions().iter().all(|x| points.contains(x)));
        Ok(())
    }

    fn cloud(reach: f64, count: usize) -> impl Strategy<Value = Vec<Vector3<f64>>> {
        let point = [-reach..reach, -reach..reach, -reach..reach].prop_map(Vector3::from);
        prop::collection::vec(point, 4..count)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn points_are_within_their_hull(points in cloud(3.0, 60)) {
            let hull = TriMesh::convex_hull(&points).unwrap();
            check(&points, &hull)?;
        }

        #[test]
        fn points_in_common_planes_and_lines_make_a_hull(raw in prop::collection::vec([0..4_i32, 0..4, 0..4], 4..80)) {
            let points: Vec<_> = raw.iter().map(|x| Vector3::from(x.map(|c| f64::from(c) * 0.1))).collect();
            match TriMesh::convex_hull(&points) {
                Ok(hull) => check(&points, &hull)?,
                Err(error) => {
                    // Refused are just those in one plane.
                    let flat = points.iter().all(|a| points.iter().all(|b| points.iter().all(|c| {
                        (a - points[0]).cross(&(b - points[0])).dot(&(c - points[0])).abs() < 1e-9
                    })));
                    prop_assert!(flat, "{error}");
                }
            }
        }

        #[test]
        fn points_on_a_ball_are_all_corners(points in cloud(1.0, 100)) {
            let points: Vec<_> = points.iter().filter_map(|x| x.try_normalize(0.1)).collect();
            prop_assume!(points.len() >= 4);
            let hull = TriMesh::convex_hull(&points).unwrap();
            check(&points, &hull)?;
            prop_assert_eq!(hull.positions().len(), points.len());
        }
    }

    #[test]
    fn points_without_a_volume_are_refused() {
        let refused = |points: &[[f64; 3]]| {
            let points: Vec<_> = points.iter().map(|&x| Vector3::from(x)).collect();
            TriMesh::convex_hull(&points).unwrap_err()
        };
        let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(refused(&corner), HullError::TooFew { count: 3 });
        assert_eq!(refused(&[[0.5; 3]; 5]), HullError::Coincident { count: 5 });
        assert_eq!(
            refused(&[0.0, 1.0, 2.0, 7.0].map(|s| [s, 2.0 * s, 0.3 * s])),
            HullError::Collinear { count: 4 }
        );
        let [a, b, c] = corner;
        assert_eq!(refused(&[a, b, c, [0.3, 0.3, 1e-12]]), HullError::Coplanar { count: 4 });
        assert_eq!(refused(&[a, b, c, [0.0, f64::NAN, 0.0]]), HullError::NotFinite { point: 3 });
    }
}

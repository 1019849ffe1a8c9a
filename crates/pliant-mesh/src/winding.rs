//! Winding numbers: how often a surface goes round a point, also for surfaces with holes and self-intersections.
//!
//! The winding number of a point q is the solid angle under which it sees the surface, over 4π,
//!
//! ```text
//! w(q) = 1/4π ∫ n · (x − q) / |x − q|³ dA,
//! ```
//!
//! one inside a closed surface that faces outwards and zero outside, two where two such bodies overlap, and
//! something in between near a hole, so that w > ½ says *inside* of nearly closed surfaces too (Jacobson,
//! Kavan & Sorkine-Hornung 2013). A triangle's solid angle is that of van Oosterom & Strackee (1983).
//! Triangles that are far away count together, by the first three terms of the expansion of the integrand
//! about their centroid (Barill, Dickson, Schmidt, Levin & Jacobson 2018, section 3.1), so that one number
//! costs about the logarithm of the size of the mesh.
//!
//! *Determinism.* The sum of the angles of near triangles is the angle of a product of complex numbers, with
//! whole turns counted apart: one arc tangent for all of them, from `libm`.

use nalgebra::{Matrix3, Vector3};

use crate::TriMesh;
use crate::bounds::Aabb;
use crate::embed::{BoxTree, LEAF};

/// How many radii away a cluster of triangles has to be to count as a whole: with three terms of the
/// expansion the error is a few thousandths where whole numbers have to be distinguished.
const FAR: f64 = 2.0;

/// The winding numbers of a surface.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{TriMesh, WindingNumbers};
///
/// // A ball with a few triangles missing.
/// let (positions, triangles) = TriMesh::icosphere(1.0, 8)?.into_parts();
/// let open = TriMesh::new(positions, triangles[7..].to_vec())?;
/// let winding = WindingNumbers::new(&open);
/// assert!(winding.at(&Vector3::new(0.3, 0.0, 0.2)) > 0.97);
/// assert!(winding.at(&Vector3::new(0.3, 1.2, 0.2)).abs() < 0.03);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct WindingNumbers {
    tree: BoxTree,
    /// Corners of the triangles in the order of the tree.
    corners: Vec<[Vector3<f64>; 3]>,
    /// The approximations of the triangles of each box of the tree, level by level.
    clusters: Vec<Vec<Cluster>>,
}

/// Some triangles as one: the terms of the expansion about their centroid.
#[derive(Debug, Clone, Copy)]
struct Cluster {
    area: f64,
    /// Σ A c / Σ A.
    centroid: Vector3<f64>,
    /// Σ A n.
    normal: Vector3<f64>,
    /// ∫ (x − centroid) nᵀ dA.
    first: Matrix3<f64>,
    /// ½ ∫ (x − centroid)(x − centroid)ᵀ n_k dA for the three components of the normal.
    second: [Matrix3<f64>; 3],
    /// No triangle reaches farther from the centroid than this.
    radius: f64,
}

impl Cluster {
    fn of_triangle([a, b, c]: &[Vector3<f64>; 3]) -> Self {
        let normal = (b - a).cross(&(c - a)) * 0.5;
        let centroid = (a + b + c) / 3.0;
        let moment: Matrix3<f64> =
            [a, b, c].map(|p| (p - centroid) * (p - centroid).transpose()).iter().sum();
        Self {
            area: normal.norm(),
            centroid,
            normal,
            first: Matrix3::zeros(),
            second: [0, 1, 2].map(|k| moment * (normal[k] / 24.0)),
            radius: 0.0,
        }
    }

    fn join(parts: &[Self], bounds: &Aabb) -> Self {
        let area: f64 = parts.iter().map(|p| p.area).sum();
        let centroid = if area > 0.0 {
            parts.iter().map(|p| p.centroid * p.area).sum::<Vector3<f64>>() / area
        } else {
            bounds.centre()
        };
        let farthest = (bounds.max - centroid).sup(&(centroid - bounds.min));
        let mut joined = Self {
            area,
            centroid,
            normal: Vector3::zeros(),
            first: Matrix3::zeros(),
            second: [Matrix3::zeros(); 3],
            radius: farthest.norm(),
        };
        for part in parts {
            let shift = part.centroid - centroid;
            joined.normal += part.normal;
            joined.first += part.first + shift * part.normal.transpose();
            for k in 0..3 {
                let mixed = part.first.column(k) * shift.transpose();
                let whole = mixed + mixed.transpose() + shift * shift.transpose() * part.normal[k];
                joined.second[k] += part.second[k] + whole * 0.5;
            }
        }
        joined
    }

    /// 4π times its share of the winding number of a point; `r` leads from the point to the centroid.
    ///
    /// The terms are those of r / |r|³ and of its first and second derivatives.
    fn solid_angle(&self, r: &Vector3<f64>, squared: f64) -> f64 {
        let cubed = squared * squared.sqrt();
        let slope = self.first.trace() - 3.0 * r.dot(&(self.first * r)) / squared;
        let mut bend = 0.0;
        for k in 0..3 {
            let along = self.second[k] * r;
            bend += r[k] * (5.0 * r.dot(&along) / squared - self.second[k].trace()) - 2.0 * along[k];
        }
        (self.normal.dot(r) + slope + 3.0 * bend / squared) / cubed
    }
}

/// A sum of angles in (−π, π], as a complex number and whole turns.
struct Angles {
    re: f64,
    im: f64,
    turns: i64,
}

impl Angles {
    /// Adds the angle of (re, im); nothing for zero.
    fn add(&mut self, re: f64, im: f64) {
        let (x, y) = (self.re * re - self.im * im, self.re * im + self.im * re);
        let size = x.abs() + y.abs();
        if size == 0.0 || !size.is_finite() {
            return;
        }
        // Two angles of one sign whose sum has the other have gone past half a turn.
        let (before, by, after) = (self.im < 0.0, im < 0.0, y < 0.0);
        if before == by && after != before {
            self.turns += if before { -1 } else { 1 };
        }
        (self.re, self.im) = (x / size, y / size);
    }

    fn sum(&self) -> f64 {
        libm::atan2(self.im, self.re) + std::f64::consts::TAU * self.turns as f64
    }
}

impl WindingNumbers {
    /// Prepares the surface; about one microsecond for each triangle.
    #[must_use]
    pub fn new(surface: &TriMesh) -> Self {
        let boxes: Vec<Aabb> = (0..surface.triangles().len())
            .map(|t| Aabb::of_points(&surface.corners(t)).expect("a triangle has corners"))
            .collect();
        let tree = BoxTree::new(&boxes);
        let corners: Vec<_> = tree.order().iter().map(|&t| surface.corners(t as usize)).collect();
        let mut clusters: Vec<Vec<Cluster>> = Vec::with_capacity(tree.levels().len());
        for (level, boxes) in tree.levels().iter().enumerate() {
            let joined = |parts: &[Cluster], share: usize| -> Vec<Cluster> {
                parts.chunks(share).zip(boxes).map(|(parts, bounds)| Cluster::join(parts, bounds)).collect()
            };
            clusters.push(match level.checked_sub(1) {
                None => joined(&corners.iter().map(Cluster::of_triangle).collect::<Vec<_>>(), LEAF),
                Some(below) => joined(&clusters[below], 2),
            });
        }
        Self { tree, corners, clusters }
    }

    /// The winding number of a point. Within a few thousandths: far triangles count in clusters. On the
    /// surface itself it is somewhere between the numbers of the two sides.
    #[must_use]
    pub fn at(&self, point: &Vector3<f64>) -> f64 {
        let mut angles = Angles { re: 1.0, im: 0.0, turns: 0 };
        let mut far = 0.0;
        // One place for each level, and one more for the second child: trees of 2³² items have fewer than 64 levels.
        let mut stack = [(0_usize, 0_usize); 64];
        let mut height = 0;
        if let Some(top) = self.clusters.len().checked_sub(1) {
            stack[0] = (top, 0);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (level, index) = stack[height];
            let cluster = &self.clusters[level][index];
            let r = cluster.centroid - point;
            let squared = r.norm_squared();
            if squared > FAR * FAR * cluster.radius * cluster.radius {
                far += cluster.solid_angle(&r, squared);
            } else if level == 0 {
                let items = index * LEAF..self.corners.len().min((index + 1) * LEAF);
                for corners in &self.corners[items] {
                    let [re, im] = half_solid_angle(&corners.map(|p| p - point));
                    angles.add(re, im);
                }
            } else {
                for child in [2 * index + 1, 2 * index] {
                    if child < self.clusters[level - 1].len() {
                        stack[height] = (level - 1, child);
                        height += 1;
                    }
                }
            }
        }
        (far + 2.0 * angles.sum()) / (4.0 * std::f64::consts::PI)
    }

    /// The triangles, and a tree whose order they have.
    pub(crate) fn triangles(&self) -> (&BoxTree, &[[Vector3<f64>; 3]]) {
        (&self.tree, &self.corners)
    }
}

/// A complex number whose angle is half the solid angle of a triangle, seen from the origin.
fn half_solid_angle([a, b, c]: &[Vector3<f64>; 3]) -> [f64; 2] {
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    [la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb, a.dot(&b.cross(c))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same by its definition, triangle by triangle.
    fn exact(mesh: &TriMesh, point: &Vector3<f64>) -> f64 {
        (0..mesh.triangles().len())
            .map(|t| {
                let [re, im] = half_solid_angle(&mesh.corners(t).map(|p| p - point));
                libm::atan2(im, re) / std::f64::consts::TAU
            })
            .sum()
    }

    fn vector(reach: f64) -> impl Strategy<Value = Vector3<f64>> {
        [-reach..reach, -reach..reach, -reach..reach].prop_map(Vector3::from)
    }

    #[test]
    fn a_triangle_seen_from_nearby_fills_half_of_everything() {
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let winding = WindingNumbers::new(&mesh);
        let above = Vector3::new(0.2, 0.2, 1e-9);
        // Its normal points upwards, and the side below is inside.
        assert!((winding.at(&Vector3::new(0.2, 0.2, -1e-9)) - 0.5).abs() < 1e-6);
        assert!((winding.at(&above) + 0.5).abs() < 1e-6);
        assert_eq!(WindingNumbers::new(&TriMesh::default()).at(&above), 0.0);
    }

    #[test]
    fn a_closed_surface_counts_once_inside_and_not_outside() {
        let mesh = TriMesh::uv_sphere(1.0, 12, 6).unwrap();
        let winding = WindingNumbers::new(&mesh);
        assert!((winding.at(&Vector3::zeros()) - 1.0).abs() < 1e-12);
        assert!(winding.at(&Vector3::repeat(50.0)).abs() < 1e-6);
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn clusters_change_little(
            corners in prop::collection::vec(vector(1.0), 3..40),
            raw in prop::collection::vec([0_u32..40, 0..40, 0..40], 1..120),
            points in prop::collection::vec(vector(2.0), 20),
        ) {
            let n = corners.len() as u32;
            let triangles: Vec<_> = raw.iter().map(|t| t.map(|v| v % n))
                .filter(|[a, b, c]| a != b && b != c && c != a).collect();
            let mesh = TriMesh::new(corners, triangles).unwrap();
            let winding = WindingNumbers::new(&mesh);
            for p in &points {
                // Of so many large triangles several clusters err at once.
                prop_assert!((winding.at(p) - exact(&mesh, p)).abs() < 0.02 * (1.0 + mesh.area()), "{p}");
            }
        }

        #[test]
        fn overlapping_bodies_count_each(points in prop::collection::vec(vector(1.6), 30)) {
            let ball = TriMesh::icosphere(1.0, 6).unwrap();
            let (mut positions, mut triangles) = ball.clone().into_parts();
            let n = positions.len() as u32;
            positions.extend(ball.positions().iter().map(|p| p + Vector3::x() * 0.7));
            triangles.extend(ball.triangles().iter().map(|t| t.map(|v| v + n)));
            let winding = WindingNumbers::new(&TriMesh::new(positions, triangles).unwrap());
            for p in &points {
                let inside = |c: f64| -> Option<f64> {
                    let r = (p - Vector3::x() * c).norm();
                    // Points between the ball and its facets are not tested.
                    (!(0.97..=1.0).contains(&r)).then_some(if r < 1.0 { 1.0 } else { 0.0 })
                };
                if let (Some(a), Some(b)) = (inside(0.0), inside(0.7)) {
                    prop_assert!((winding.at(p) - a - b).abs() < 0.02, "{} {}", p, winding.at(p));
                }
            }
        }
    }
}

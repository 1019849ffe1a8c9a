//! [`Bvh`]: the triangles that a ray meets.
//!
//! A hierarchy of boxes, each halved at the median of its triangles along its longest side. When the
//! triangles move, the boxes are fitted again from the leaves up and the halves stay (refitting; van den
//! Bergen 1997), which is right for every motion and fast for those that do not shuffle the surface.
//!
//! The test of a triangle is that of Möller & Trumbore (1997), widened by a rounding error on all sides, so
//! that a ray through an edge between two triangles meets one or both, never neither.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;

/// Barycentric coordinates may be negative by this.
const WIDER: f64 = 1e-10;

/// A meeting of a ray and a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Distance from the start of the ray, m, if its direction is a unit vector.
    pub distance: f64,
    /// The triangle.
    pub triangle: u32,
    /// Whether the ray comes out of the surface there: whether it runs along the triangle's normal.
    pub exits: bool,
}

/// A box around some triangles; the first of its two halves follows it in the list.
#[derive(Debug, Clone, Copy)]
struct Node {
    min: Vector3<f64>,
    max: Vector3<f64>,
    /// Of a leaf the first of its triangles in the order, of others the second half.
    link: u32,
    /// Number of triangles of a leaf, 0 of others.
    count: u32,
}

/// Triangles in boxes.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_deform::Bvh;
/// use pliant_mesh::TriMesh;
///
/// let ball = TriMesh::icosphere(1.0, 8)?;
/// let bvh = Bvh::new(&ball);
/// let hits = bvh.hits(&Vector3::new(-5.0, 0.1, 0.2), &Vector3::x(), 100.0);
/// assert_eq!(hits.len(), 2);
/// assert!(!hits[0].exits && hits[1].exits);
/// assert!(bvh.hits(&Vector3::new(-5.0, 0.1, 0.2), &Vector3::x(), 3.0).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    order: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Corners in the order of the leaves: the first, and the edges from it to the others.
    corners: Vec<[Vector3<f64>; 3]>,
}

impl Bvh {
    /// Puts the triangles of a mesh into boxes.
    #[must_use]
    pub fn new(mesh: &TriMesh) -> Self {
        let count = mesh.triangles().len();
        let mut bvh = Self {
            nodes: Vec::new(),
            order: (0..count as u32).collect(),
            triangles: mesh.triangles().to_vec(),
            corners: Vec::new(),
        };
        if count > 0 {
            let centres: Vec<_> = (0..count).map(|t| mesh.corners(t).iter().sum::<Vector3<f64>>()).collect();
            let mut order = std::mem::take(&mut bvh.order);
            bvh.split(&mut order, 0, &centres);
            bvh.order = order;
        }
        bvh.refit(mesh.positions());
        bvh
    }

    /// Appends the boxes of some triangles, which stand in the order from `first` on. Halving keeps the depth
    /// at the logarithm of their number.
    fn split(&mut self, part: &mut [u32], first: u32, centres: &[Vector3<f64>]) {
        let here = self.nodes.len();
        let nothing = Vector3::zeros();
        self.nodes.push(Node { min: nothing, max: nothing, link: first, count: part.len() as u32 });
        if part.len() <= LEAF {
            return;
        }
        let mut low = centres[part[0] as usize];
        let mut high = low;
        for &t in &*part {
            low = low.inf(&centres[t as usize]);
            high = high.sup(&centres[t as usize]);
        }
        let size = high - low;
        let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let key = |t: &u32| centres[*t as usize][axis];
        let middle = part.len() / 2;
        part.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        let (low, high) = part.split_at_mut(middle);
        self.split(low, first, centres);
        self.nodes[here].link = self.nodes.len() as u32;
        self.nodes[here].count = 0;
        self.split(high, first + middle as u32, centres);
    }

    /// Fits the boxes to other positions of the same vertices, m.
    ///
    /// # Panics
    ///
    /// If there are fewer positions than the triangles name.
    pub fn refit(&mut self, positions: &[Vector3<f64>]) {
        let corners = |&t: &u32| {
            let [a, b, c] = self.triangles[t as usize].map(|v| positions[v as usize]);
            [a, b - a, c - a]
        };
        let corners: Vec<_> = self.order.iter().map(corners).collect();
        self.corners = corners;
        for n in (0..self.nodes.len()).rev() {
            let Node { link, count, .. } = self.nodes[n];
            let (min, max) = if count > 0 {
                let mut bounds = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
                for &t in &self.order[link as usize..(link + count) as usize] {
                    for v in self.triangles[t as usize] {
                        let x = &positions[v as usize];
                        bounds = (bounds.0.inf(x), bounds.1.sup(x));
                    }
                }
                // A triangle in a plane of the axes would have a box without thickness, which a rounding error misses.
                let margin = (bounds.0.amax().max(bounds.1.amax())) * 1e-12;
                (bounds.0.add_scalar(-margin), bounds.1.add_scalar(margin))
            } else {
                let [a, b] = [&self.nodes[n + 1], &self.nodes[link as usize]];
                (a.min.inf(&b.min), a.max.sup(&b.max))
            };
            (self.nodes[n].min, self.nodes[n].max) = (min, max);
        }
    }

    /// All meetings of a ray with the triangles, nearest first; `from` in metres, `direction` a unit vector,
    /// `length` in metres.
    #[must_use]
    pub fn hits(&self, from: &Vector3<f64>, direction: &Vector3<f64>, length: f64) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.visit(from, direction, length, |hit| hits.push(hit));
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
        hits
    }

    /// Calls `meet` with every meeting, in no particular order.
    pub(crate) fn visit(
        &self,
        from: &Vector3<f64>,
        direction: &Vector3<f64>,
        length: f64,
        mut meet: impl FnMut(Hit),
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let inverse = direction.map(|d| 1.0 / d);
        // Deeper than any tree of halves of 2³² triangles.
        let mut stack = [0_u32; 40];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let n = stack[depth] as usize;
            let node = &self.nodes[n];
            if !crosses(node, from, &inverse, length) {
                continue;
            }
            if node.count == 0 {
                stack[depth] = node.link;
                stack[depth + 1] = n as u32 + 1;
                depth += 2;
                continue;
            }
            for place in node.link..node.link + node.count {
                if let Some((distance, exits)) = meets(&self.corners[place as usize], from, direction)
                    && (0.0..=length).contains(&distance)
                {
                    meet(Hit { distance, triangle: self.order[place as usize], exits });
                }
            }
        }
    }
}

/// Whether a ray, given by the inverse of its direction, enters a box within its length (Kay & Kajiya 1986).
fn crosses(node: &Node, from: &Vector3<f64>, inverse: &Vector3<f64>, length: f64) -> bool {
    let (mut near, mut far) = (0.0_f64, length);
    for k in 0..3 {
        let (a, b) = ((node.min[k] - from[k]) * inverse[k], (node.max[k] - from[k]) * inverse[k]);
        // Within a slab that the ray runs along, 0·∞ is NaN, and `max` and `min` then take the other.
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

/// Where a line meets a triangle: distance, and whether it runs along the normal.
fn meets(
    [a, ab, ac]: &[Vector3<f64>; 3],
    from: &Vector3<f64>,
    direction: &Vector3<f64>,
) -> Option<(f64, bool)> {
    let p = direction.cross(ac);
    let det = ab.dot(&p);
    if det == 0.0 {
        return None;
    }
    let t = from - a;
    let u = t.dot(&p) / det;
    if !(-WIDER..=1.0 + WIDER).contains(&u) {
        return None;
    }
    let q = t.cross(ab);
    let v = direction.dot(&q) / det;
    if !(v >= -WIDER && u + v <= 1.0 + WIDER) {
        return None;
    }
    // The determinant is −direction · normal.
    Some((ac.dot(&q) / det, det < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vector3<f64>> {
        [-2.0..2.0, -2.0..2.0, -2.0..2.0_f64].prop_map(Vector3::from)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn boxes_hide_no_hit_before_and_after_a_refit(
            mesh in pliant_testkit::tri_mesh(), from in point(), direction in point(), length in 0.1..9.0_f64, shift in point(),
        ) {
            prop_assume!(direction.norm() > 1e-3);
            let direction = direction.normalize();
            let size = mesh.bounds().unwrap().diagonal();
            let from = mesh.bounds().unwrap().centre() + from * (0.3 * size);
            let mut bvh = Bvh::new(&mesh);
            for positions in [
                mesh.positions().to_vec(),
                mesh.positions().iter().map(|p| p.component_mul(&shift) + shift).collect(),
            ] {
                bvh.refit(&positions);
                let naive: Vec<_> = mesh
                    .triangles()
                    .iter()
                    .filter_map(|t| {
                        let [a, b, c] = t.map(|v| positions[v as usize]);
                        meets(&[a, b - a, c - a], &from, &direction)
                    })
                    .filter(|hit| hit.0 >= 0.0 && hit.0 <= length * size)
                    .collect();
                let found = bvh.hits(&from, &direction, length * size);
                prop_assert_eq!(found.len(), naive.len());
                prop_assert!(found.windows(2).all(|w| w[0].distance <= w[1].distance));
            }
        }

        #[test]
        fn through_a_closed_surface_no_ray_slips(direction in point(), from in point()) {
            prop_assume!(direction.norm() > 1e-3);
            let ball = TriMesh::icosphere(1.0, 3).unwrap();
            let bvh = Bvh::new(&ball);
            let hits = bvh.hits(&(from * 0.2), &direction.normalize(), 9.0);
            prop_assert!(!hits.is_empty() && hits.iter().all(|h| h.exits));
            // At a vertex, too.
            let to_vertex = ball.positions()[7].normalize();
            prop_assert!(!bvh.hits(&Vector3::zeros(), &to_vertex, 9.0).is_empty());
        }
    }

    #[test]
    fn along_the_axes_and_through_nothing() {
        let block = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
        let bvh = Bvh::new(&block);
        let hits = bvh.hits(&Vector3::new(0.1, -1.0, 0.2), &Vector3::y(), 9.0);
        assert_eq!(hits.len(), 1);
        assert!(hits[0].exits && (hits[0].distance - 1.0).abs() < 1e-15);
        assert!(bvh.hits(&Vector3::new(0.1, 1.0, 0.2), &Vector3::y(), 9.0).is_empty());
        let empty = Bvh::new(&TriMesh::default());
        assert!(empty.hits(&Vector3::zeros(), &Vector3::x(), 9.0).is_empty());
    }
}

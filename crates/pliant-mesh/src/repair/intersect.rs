//! Triangles of a surface that pass through one another.
//!
//! A triangle is passed through by those whose edges go through its inside; they are found in a tree of boxes. All triangles
//! around a vertex reach into each other's boxes there, but of one that shares the vertex only the side opposite to it can go
//! through another. So nodes of the tree whose triangles have a vertex in common keep a box around these sides.

use nalgebra::Vector3;

use crate::embed::{BoxTree, LEAF};
use crate::{Aabb, TriMesh};

/// No vertex.
const NONE: u32 = u32::MAX;

/// Pairs that are kept before all but the first are dropped.
const KEPT: usize = 1 << 16;

/// Pairs of triangles that cross, ascending; at most `most` of them, and the number of all pairs.
///
/// Triangles that share an edge are not compared, and those that lie in a common plane or only touch do not count.
pub(crate) fn crossing_pairs(mesh: &TriMesh, most: usize) -> (Vec<[u32; 2]>, usize) {
    let search = Search::new(mesh);
    let (mut pairs, mut count) = (Vec::new(), 0);
    let first = |pairs: &mut Vec<[u32; 2]>| {
        pairs.sort_unstable();
        pairs.truncate(most);
    };
    for s in 0..mesh.triangles().len() as u32 {
        search.through(s, |t| {
            // Where both pass through each other, the pair is found twice.
            if s < t || !search.passes(s, t) {
                count += 1;
                pairs.push([s.min(t), s.max(t)]);
            }
        });
        if pairs.len() > most.saturating_add(KEPT) {
            first(&mut pairs);
        }
    }
    first(&mut pairs);
    (pairs, count)
}

/// The triangles of a surface, to be found by their boxes.
struct Search<'a> {
    mesh: &'a TriMesh,
    boxes: Vec<Aabb>,
    tree: BoxTree,
    /// What the triangles of each node of the tree have in common.
    hubs: Vec<Vec<Hub>>,
}

/// A vertex that some triangles have in common, and the box around their sides opposite to it.
#[derive(Clone, Copy)]
struct Hub {
    vertex: u32,
    sides: Aabb,
}

impl Hub {
    const NOTHING: Self = Self {
        vertex: NONE,
        sides: Aabb { min: Vector3::new(0.0, 0.0, 0.0), max: Vector3::new(0.0, 0.0, 0.0) },
    };

    fn joined(nodes: &[Self]) -> Self {
        match nodes {
            [one] => *one,
            [one, other] if one.vertex == other.vertex => {
                Self { vertex: one.vertex, sides: one.sides.union(&other.sides) }
            }
            _ => Self::NOTHING,
        }
    }
}

impl<'a> Search<'a> {
    fn new(mesh: &'a TriMesh) -> Self {
        let boxes: Vec<Aabb> = (0..mesh.triangles().len()).map(|t| around(&mesh.corners(t))).collect();
        let tree = BoxTree::new(&boxes);
        let mut valence = vec![0_u32; mesh.positions().len()];
        mesh.triangles().iter().flatten().for_each(|&v| valence[v as usize] += 1);
        let hub_of = |leaf: &[u32]| {
            let corners = mesh.triangles()[leaf[0] as usize];
            let is_common = |v: &u32| leaf.iter().all(|&t| mesh.triangles()[t as usize].contains(v));
            let busiest = corners.into_iter().filter(is_common).max_by_key(|&v| valence[v as usize]);
            let Some(vertex) = busiest else { return Hub::NOTHING };
            let ends = leaf.iter().flat_map(|&t| mesh.triangles()[t as usize]).filter(|&v| v != vertex);
            let sides = Aabb::around(ends.map(|v| mesh.positions()[v as usize]));
            sides.map_or(Hub::NOTHING, |sides| Hub { vertex, sides })
        };
        let mut hubs: Vec<Vec<Hub>> = vec![tree.order().chunks(LEAF).map(hub_of).collect()];
        while let Some(below) = hubs.last().filter(|level| level.len() > 1) {
            let level = below.chunks(2).map(Hub::joined).collect();
            hubs.push(level);
        }
        Self { mesh, boxes, tree, hubs }
    }

    /// Calls `found` for every triangle with an edge that passes through triangle `s`.
    fn through(&self, s: u32, mut found: impl FnMut(u32)) {
        let (corners, bounds) = (self.mesh.triangles()[s as usize], &self.boxes[s as usize]);
        let levels = self.tree.levels();
        let may_pass = |level: usize, index: usize| {
            let hub = &self.hubs[level][index];
            levels[level][index].meets(bounds) && (!corners.contains(&hub.vertex) || hub.sides.meets(bounds))
        };
        // Trees of 2³² items have fewer than 64 levels.
        let mut stack = [(0_usize, 0_usize); 64];
        stack[0] = (levels.len() - 1, 0);
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (level, index) = stack[height];
            if level == 0 {
                let items = &self.tree.order()[index * LEAF..];
                for &t in items.iter().take(LEAF) {
                    if t != s && self.boxes[t as usize].meets(bounds) && self.passes(t, s) {
                        found(t);
                    }
                }
                continue;
            }
            for child in [2 * index, 2 * index + 1] {
                if child < levels[level - 1].len() && may_pass(level - 1, child) {
                    stack[height] = (level - 1, child);
                    height += 1;
                }
            }
        }
    }

    /// Whether an edge of triangle `t` passes through triangle `s`, with which it has no edge in common.
    fn passes(&self, t: u32, s: u32) -> bool {
        let [of, through] = [t, s].map(|t| self.mesh.triangles()[t as usize]);
        let common = of.map(|v| through.contains(&v));
        if common.iter().filter(|&&is| is).count() > 1 {
            return false;
        }
        let triangle = self.mesh.corners(s as usize);
        // An edge that ends in a common vertex can cross the triangle only there.
        [[0, 1], [1, 2], [2, 0]].into_iter().filter(|&[i, j]| !common[i] && !common[j]).any(|edge| {
            let [p, q] = edge.map(|k| self.mesh.positions()[of[k] as usize]);
            around(&[p, q]).meets(&self.boxes[s as usize]) && pierces(&p, &q, &triangle)
        })
    }
}

fn around(points: &[Vector3<f64>]) -> Aabb {
    Aabb::of_points(points).expect("elements have corners")
}

/// Whether a segment passes through the inside of a triangle.
fn pierces(p: &Vector3<f64>, q: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> bool {
    let volume = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>| {
        (b - a).cross(&(c - a)).dot(&(d - a))
    };
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0.0 {
        return false;
    }
    let [u, v, w] = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares all pairs, along no boxes.
    fn all_pairs(mesh: &TriMesh) -> Vec<[u32; 2]> {
        let count = mesh.triangles().len() as u32;
        let crosses = |s: u32, t: u32| {
            let [one, other] = [s, t].map(|t| mesh.triangles()[t as usize]);
            let [p, q] = [s, t].map(|t| mesh.corners(t as usize));
            let any = |edges: [u32; 3], corners: &[Vector3<f64>; 3], face: [u32; 3], triangle| {
                [[0, 1], [1, 2], [2, 0]].iter().any(|&[i, j]| {
                    [i, j].iter().all(|&k| !face.contains(&edges[k]))
                        && pierces(&corners[i], &corners[j], triangle)
                })
            };
            one.iter().filter(|v| other.contains(v)).count() < 2
                && (any(one, &p, other, &q) || any(other, &q, one, &p))
        };
        let pairs = (0..count).flat_map(|s| (s + 1..count).map(move |t| [s, t]));
        pairs.filter(|&[s, t]| crosses(s, t)).collect()
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(128))]

        #[test]
        fn what_crosses_is_found_by_boxes(
            x in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 12),
            triangles in prop::collection::vec([0..2_u32, 2..7_u32, 7..12_u32], 1..40),
        ) {
            let mesh = TriMesh::new(x.into_iter().map(Vector3::from).collect(), triangles).unwrap();
            let all = all_pairs(&mesh);
            prop_assert_eq!(crossing_pairs(&mesh, 5), (all.iter().copied().take(5).collect(), all.len()));
        }
    }
}

//! [`Geodesics`]: how far every vertex is from the nearest of some vertices, along a mesh.
//!
//! The distance is the length of the shortest path on the surface, and must never be less than that: a tether
//! that is shorter than the cloth from which it hangs would pull it together. Every distance here is
//! therefore the length of a path that exists. Along edges alone it may be up to 41 % too long on a grid
//! whose cells are cut one way; over points placed on the edges as well, joined straight across each triangle
//! (*Steiner points*), the excess falls quickly: with three on each edge it stays below 3 % on a square one.
//!
//! Source: Dijkstra, "A note on two problems in connexion with graphs" (1959); Lanthier, Maheshwari & Sack,
//! "Approximating weighted shortest paths on polyhedral surfaces" (1997). Fast marching (Kimmel & Sethian
//! 1998) is cheaper, but its distances are not lengths of paths: between two sources and where the surface is
//! curved they are too short.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::Vector3;

use crate::edges::numbered_edges;
use crate::{Adjacency, TetMesh, TriMesh};

/// Points placed on each edge by default.
pub const STEINER_POINTS: u32 = 3;

/// Distance and nearest source of every vertex.
///
/// ```
/// use pliant_mesh::{STEINER_POINTS, TriMesh};
///
/// let sheet = TriMesh::grid([10, 10], [1.0, 1.0])?;
/// let from_corner = sheet.geodesics(&[0], STEINER_POINTS);
/// let last = sheet.positions().len() - 1;
/// assert_eq!(from_corner.source(last), Some(0));
/// let exact = 2.0_f64.sqrt();
/// assert!(from_corner.distance(last) >= exact * (1.0 - 1e-12) && from_corner.distance(last) < 1.03 * exact);
/// # Ok::<(), pliant_mesh::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Geodesics {
    distance: Vec<f64>,
    source: Vec<u32>,
}

/// No source.
const NONE: u32 = u32::MAX;

impl Geodesics {
    /// Distances along the given edges between `positions` (m) from the vertices `sources`.
    ///
    /// # Panics
    ///
    /// If an edge or a source names a vertex that does not exist.
    #[must_use]
    pub(crate) fn along_edges(positions: &[Vector3<f64>], edges: &[[u32; 2]], sources: &[u32]) -> Self {
        let neighbours = Adjacency::of_edges(positions.len(), edges);
        dijkstra(positions.len(), sources, |v, reach| {
            for &other in neighbours.row(v) {
                reach(other, (positions[other as usize] - positions[v]).norm());
            }
        })
    }

    /// Distance of a vertex from its nearest source, m; infinite if no path leads there.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn distance(&self, vertex: usize) -> f64 {
        self.distance[vertex]
    }

    /// The nearest source of a vertex (of several at the same distance, the one of the lowest number), if a
    /// path leads to one.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn source(&self, vertex: usize) -> Option<u32> {
        Some(self.source[vertex]).filter(|&s| s != NONE)
    }

    /// Distances of all vertices, m.
    #[must_use]
    pub fn distances(&self) -> &[f64] {
        &self.distance
    }

    /// Keeps the first `count` nodes.
    fn truncated(mut self, count: usize) -> Self {
        self.distance.truncate(count);
        self.source.truncate(count);
        self
    }
}

impl TriMesh {
    /// Distances on the surface from the vertices `sources`, by paths over vertices and `steiner` evenly
    /// spaced points on every edge.
    ///
    /// Never less than the shortest path. With no such points the paths go along edges; [`STEINER_POINTS`] is
    /// a good choice. The work grows with the square of `steiner`.
    ///
    /// # Panics
    ///
    /// If a source names a vertex that does not exist, or if vertices and points on edges together are more
    /// than `u32` can number.
    #[must_use]
    pub fn geodesics(&self, sources: &[u32], steiner: u32) -> Geodesics {
        let vertices = self.positions().len();
        if steiner == 0 {
            return Geodesics::along_edges(self.positions(), &self.edges(), sources);
        }
        let net = Net::new(self, steiner as usize);
        dijkstra(net.positions.len(), sources, |node, reach| net.visit_neighbours(node, reach))
            .truncated(vertices)
    }
}

impl TetMesh {
    /// Distances along edges from the vertices `sources`; never less than the shortest path.
    ///
    /// # Panics
    ///
    /// If a source names a vertex that is not there.
    #[must_use]
    pub fn geodesics(&self, sources: &[u32]) -> Geodesics {
        Geodesics::along_edges(self.positions(), &self.edges(), sources)
    }
}

/// The vertices of a mesh and points on its edges. Two of them are joined when they lie on the same triangle.
struct Net<'a> {
    mesh: &'a TriMesh,
    /// Vertices, then the points of edge after edge, from its smaller vertex to its larger.
    positions: Vec<Vector3<f64>>,
    steiner: usize,
    /// Edge of every side of every triangle.
    edge_of_slot: Vec<u32>,
    /// The triangles at each vertex and at each edge.
    at_vertex: Adjacency,
    at_edge: Adjacency,
}

impl<'a> Net<'a> {
    fn new(mesh: &'a TriMesh, steiner: usize) -> Self {
        let numbered = numbered_edges(mesh.triangles());
        let total = mesh.positions().len() + numbered.edges.len() * steiner;
        assert!(total < NONE as usize, "{total} vertices and points on edges are more than u32 can number");
        let mut positions = mesh.positions().to_vec();
        positions.reserve(total - positions.len());
        for &[a, b] in &numbered.edges {
            let (a, b) = (mesh.positions()[a as usize], mesh.positions()[b as usize]);
            for i in 1..=steiner {
                positions.push(a + (b - a) * (i as f64 / (steiner + 1) as f64));
            }
        }
        let sides: Vec<[u32; 3]> =
            numbered.edge_of_slot.chunks_exact(3).map(|s| [s[0], s[1], s[2]]).collect();
        Self {
            mesh,
            positions,
            steiner,
            at_vertex: mesh.triangles_at_vertices(),
            at_edge: Adjacency::of_elements(numbered.edges.len(), &sides),
            edge_of_slot: numbered.edge_of_slot,
        }
    }

    /// Calls `reach` with every node that shares a triangle with `node`, perhaps more than once, and the distance.
    fn visit_neighbours(&self, node: usize, reach: &mut dyn FnMut(u32, f64)) {
        let vertices = self.mesh.positions().len();
        let triangles = match node.checked_sub(vertices) {
            None => self.at_vertex.row(node),
            Some(on_edge) => self.at_edge.row(on_edge / self.steiner),
        };
        let from = self.positions[node];
        let mut look = |other: u32| reach(other, (self.positions[other as usize] - from).norm());
        for &t in triangles {
            let t = t as usize;
            self.mesh.triangles()[t].iter().for_each(|&v| look(v));
            for &edge in &self.edge_of_slot[3 * t..3 * t + 3] {
                let first = (vertices + edge as usize * self.steiner) as u32;
                (first..first + self.steiner as u32).for_each(&mut look);
            }
        }
    }
}

/// Shortest paths from some nodes; `visit(node, reach)` calls `reach(neighbour, distance)`.
///
/// Nodes are settled in the order of (distance, source, node), so that the result does not depend on the
/// order of edges or sources.
fn dijkstra(nodes: usize, sources: &[u32], visit: impl Fn(usize, &mut dyn FnMut(u32, f64))) -> Geodesics {
    let mut best = vec![(f64::INFINITY, NONE); nodes];
    let mut settled = vec![false; nodes];
    // Distances are not negative, so their bits are in their order.
    let mut queue: BinaryHeap<Reverse<(u64, u32, u32)>> = BinaryHeap::new();
    for &source in sources {
        let first = &mut best[source as usize];
        *first = (0.0, source);
        queue.push(Reverse((0.0_f64.to_bits(), source, source)));
    }
    while let Some(Reverse((bits, source, node))) = queue.pop() {
        if std::mem::replace(&mut settled[node as usize], true) {
            continue;
        }
        let distance = f64::from_bits(bits);
        visit(node as usize, &mut |other, length| {
            let reached = (distance + length, source);
            let known = &mut best[other as usize];
            if reached.0 < known.0 || (reached.0 == known.0 && reached.1 < known.1) {
                *known = reached;
                if !settled[other as usize] {
                    queue.push(Reverse((reached.0.to_bits(), source, other)));
                }
            }
        });
    }
    let (distance, source) = best.into_iter().unzip();
    Geodesics { distance, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bellman and Ford: relax all edges until nothing changes.
    fn naive(positions: &[Vector3<f64>], edges: &[[u32; 2]], sources: &[u32]) -> Vec<f64> {
        let mut distance = vec![f64::INFINITY; positions.len()];
        sources.iter().for_each(|&s| distance[s as usize] = 0.0);
        for _ in 0..positions.len() {
            for &[a, b] in edges {
                let (a, b) = (a as usize, b as usize);
                let length = (positions[a] - positions[b]).norm();
                distance[a] = distance[a].min(distance[b] + length);
                distance[b] = distance[b].min(distance[a] + length);
            }
        }
        distance
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn along_edges_they_are_shortest(
            positions in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(Vector3::from), 15),
            edges in prop::collection::vec([0_u32..15, 0..15], 0..40),
            sources in prop::collection::vec(0_u32..15, 0..4),
        ) {
            let found = Geodesics::along_edges(&positions, &edges, &sources);
            let expected = naive(&positions, &edges, &sources);
            for v in 0..15 {
                let (is, should) = (found.distance(v), expected[v]);
                prop_assert!(is == should || (is - should).abs() < 1e-12, "{is} {should}");
                prop_assert_eq!(found.source(v).is_some(), is.is_finite());
                if let Some(s) = found.source(v) {
                    prop_assert!(sources.contains(&s));
                    prop_assert!(is >= (positions[v] - positions[s as usize]).norm() * (1.0 - 1e-12));
                    // The named source is really at that distance.
                    prop_assert!((naive(&positions, &edges, &[s])[v] - is).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn on_a_flat_sheet_they_are_never_too_short_and_finer_points_help(
            vertices in [4_usize..9, 4..9], aspect in 0.5..2.0_f64, source in 0_u32..16, steiner in 1_u32..4,
        ) {
            let sheet = TriMesh::grid(vertices, [1.0, aspect]).unwrap();
            let found = sheet.geodesics(&[source], steiner);
            let along_edges = sheet.geodesics(&[source], 0);
            // The same points and new ones between them.
            let finer = sheet.geodesics(&[source], 2 * steiner + 1);
            for (v, p) in sheet.positions().iter().enumerate() {
                let exact = (p - sheet.positions()[source as usize]).norm();
                prop_assert!(found.distance(v) >= exact * (1.0 - 1e-12));
                prop_assert!(found.distance(v) <= along_edges.distance(v) * (1.0 + 1e-12));
                prop_assert!(finer.distance(v) <= found.distance(v) * (1.0 + 1e-12));
                prop_assert!(finer.distance(v) >= exact * (1.0 - 1e-12));
            }
        }
    }

    /// The largest excess over the straight line on a square grid, relative.
    fn worst(steiner: u32) -> f64 {
        let sheet = TriMesh::grid([20, 20], [1.0, 1.0]).unwrap();
        let found = sheet.geodesics(&[0], steiner);
        let exact = |v: usize| (sheet.positions()[v] - sheet.positions()[0]).norm();
        (1..sheet.positions().len()).map(|v| found.distance(v) / exact(v) - 1.0).fold(0.0, f64::max)
    }

    #[test]
    fn the_excess_falls_with_the_points_on_edges() {
        let excess: Vec<f64> = [0, 1, 3, 7].into_iter().map(worst).collect();
        eprintln!("excess with 0, 1, 3 and 7 points on each edge: {excess:?}");
        assert!(excess[0] > 0.07 && excess[1] < 0.1, "{excess:?}");
        assert!(excess[2] < 0.03 && excess[3] < 0.01, "{excess:?}");
    }

    #[test]
    fn between_two_sources_the_middle_is_half_way() {
        // Where fast marching would interpolate the distance between two sources as zero.
        let mesh = TriMesh::new(
            vec![Vector3::zeros(), Vector3::x() * 2.0, Vector3::new(1.0, 0.1, 0.0)],
            vec![[0, 1, 2]],
        )
        .unwrap();
        let found = mesh.geodesics(&[1, 0], 5);
        assert!((found.distance(2) - 1.01_f64.sqrt()).abs() < 1e-15);
        assert_eq!(found.source(2), Some(0), "the lower of two at the same distance");
    }

    #[test]
    fn of_two_sources_at_the_same_distance_the_lower_counts() {
        // 0 is four and one from vertex 4, 1 three and two: vertex 3 is settled first, and passes source 1 to 4 first.
        let positions = [0.0, 10.0, 4.0, 7.0, 5.0].map(|x| Vector3::x() * x);
        let found = Geodesics::along_edges(&positions, &[[0, 2], [1, 3], [2, 4], [3, 4]], &[1, 0]);
        assert_eq!((found.distance(4), found.source(4)), (5.0, Some(0)));
        assert_eq!((found.source(2), found.source(3)), (Some(0), Some(1)));
    }

    #[test]
    fn round_a_sphere_it_is_half_the_circumference() {
        let sphere = TriMesh::icosphere(1.0, 16).unwrap();
        let found = sphere.geodesics(&[0], STEINER_POINTS);
        let opposite = (0..sphere.positions().len())
            .max_by(|&a, &b| found.distance(a).total_cmp(&found.distance(b)))
            .unwrap();
        assert!((sphere.positions()[opposite] + sphere.positions()[0]).norm() < 1e-9);
        let (found, half) = (found.distance(opposite), std::f64::consts::PI);
        assert!((0.99 * half..1.02 * half).contains(&found), "{found}");
    }

    #[test]
    fn what_no_way_leads_to_is_infinitely_far() {
        let sheet = TriMesh::new(
            vec![
                Vector3::zeros(),
                Vector3::x(),
                Vector3::y(),
                Vector3::z(),
                Vector3::z() * 2.0,
                Vector3::y() * 3.0,
            ],
            vec![[0, 1, 2], [3, 4, 5]],
        )
        .unwrap();
        for steiner in [0, 2] {
            let found = sheet.geodesics(&[0], steiner);
            assert_eq!(found.source(4), None);
            assert_eq!(found.distance(4), f64::INFINITY);
            assert_eq!(found.distances().len(), 6);
            assert_eq!(sheet.geodesics(&[], steiner).distance(0), f64::INFINITY);
        }
    }
}

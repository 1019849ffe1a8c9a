//! Hinges: the edges about which a surface bends.
//!
//! A hinge is an edge with exactly two triangles. Edges with one triangle are the boundary; edges with three or more
//! are non-manifold and have no single bending angle.

use crate::TriMesh;
use crate::edges::numbered_edges;

/// An edge with its two triangles and the vertices opposite to it.
///
/// ```text
///        x1
///       / | \
///    x2   |   x3      first triangle (x0, x1, x2), second triangle (x1, x0, x3)
///       \ | /
///        x0
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hinge {
    /// The edge [x0, x1] in the direction in which the first triangle runs along it, so that (x1 − x0) × (x2 − x0) is
    /// that triangle's normal.
    pub edge: [u32; 2],
    /// The vertices across the edge: x2 of the first triangle, x3 of the second.
    pub opposite: [u32; 2],
    /// The two triangles, in the order of the mesh.
    pub triangles: [u32; 2],
}

impl Hinge {
    /// The stencil [x0, x1, x2, x3] of a dihedral angle: the edge, then the opposite vertices.
    ///
    /// With e = x1 − x0 the normals of the triangles are e × (x2 − x0) and (x3 − x0) × e, if the two triangles are
    /// oriented alike.
    #[must_use]
    pub fn vertices(&self) -> [u32; 4] {
        [self.edge[0], self.edge[1], self.opposite[0], self.opposite[1]]
    }
}

/// An edge with more than two triangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonManifoldEdge {
    /// The edge, smaller vertex first.
    pub edge: [u32; 2],
    /// Its triangles, ascending.
    pub triangles: Vec<u32>,
}

/// Every edge of a surface, sorted by what it joins. Each list is in the order of
/// [`unique_edges`](crate::unique_edges).
///
/// `interior`, `coincident`, `boundary` and `non_manifold` together hold each edge once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hinges {
    /// Edges with two triangles.
    pub interior: Vec<Hinge>,
    /// Indices into `interior` of the hinges whose triangles run along the edge in the same direction: one of the two
    /// is turned over, and the normal of one points to the other side.
    pub inconsistent: Vec<u32>,
    /// Edges whose two triangles have the same three vertices: a doubled triangle, which cannot bend.
    pub coincident: Vec<Hinge>,
    /// Edges with one triangle, in the direction in which it runs along them.
    pub boundary: Vec<[u32; 2]>,
    /// Edges with three triangles or more.
    pub non_manifold: Vec<NonManifoldEdge>,
}

impl Hinges {
    /// Whether the surface has no boundary and no non-manifold edge.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.boundary.is_empty() && self.non_manifold.is_empty()
    }

    /// Stencils [x0, x1, x2, x3] of the hinges, for bending by dihedral angle.
    #[must_use]
    pub fn stencils(&self) -> Vec<[u32; 4]> {
        self.interior.iter().map(Hinge::vertices).collect()
    }

    /// The opposite vertices [x2, x3] of the hinges, for bending by the distance across the edge.
    #[must_use]
    pub fn opposite_pairs(&self) -> Vec<[u32; 2]> {
        self.interior.iter().map(|h| h.opposite).collect()
    }
}

impl TriMesh {
    /// Sorts the edges of the mesh into hinges, boundary and defects.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// # use nalgebra::Vector3;
    /// # let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::x() + Vector3::y(), Vector3::y()];
    /// let square = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])?;
    /// let hinges = square.hinges();
    /// assert_eq!(hinges.stencils(), [[2, 0, 1, 3]]);
    /// assert_eq!(hinges.boundary.len(), 4);
    /// # Ok::<(), pliant_mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn hinges(&self) -> Hinges {
        let triangles = self.triangles();
        let numbered = numbered_edges(triangles);
        // The slots of edge `e` are `slots[starts[e]..starts[e + 1]]`, ascending.
        let mut starts = vec![0_u32; numbered.edges.len() + 1];
        for &edge in &numbered.edge_of_slot {
            starts[edge as usize + 1] += 1;
        }
        for e in 0..numbered.edges.len() {
            starts[e + 1] += starts[e];
        }
        let mut next = starts.clone();
        let mut slots = vec![0_u32; numbered.edge_of_slot.len()];
        for (slot, &edge) in numbered.edge_of_slot.iter().enumerate() {
            slots[next[edge as usize] as usize] = slot as u32;
            next[edge as usize] += 1;
        }

        let mut hinges = Hinges::default();
        for (e, &edge) in numbered.edges.iter().enumerate() {
            match slots[starts[e] as usize..starts[e + 1] as usize] {
                [only] => hinges.boundary.push(side(triangles, only).along),
                [first, second] => {
                    let (a, b) = (side(triangles, first), side(triangles, second));
                    let hinge = Hinge {
                        edge: a.along,
                        opposite: [a.opposite, b.opposite],
                        triangles: [first / 3, second / 3],
                    };
                    if a.opposite == b.opposite {
                        hinges.coincident.push(hinge);
                        continue;
                    }
                    if a.along == b.along {
                        hinges.inconsistent.push(hinges.interior.len() as u32);
                    }
                    hinges.interior.push(hinge);
                }
                ref more => hinges
                    .non_manifold
                    .push(NonManifoldEdge { edge, triangles: more.iter().map(|slot| slot / 3).collect() }),
            }
        }
        hinges
    }
}

/// An edge as a side of one triangle.
struct Side {
    along: [u32; 2],
    opposite: u32,
}

fn side(triangles: &[[u32; 3]], slot: u32) -> Side {
    let corners = triangles[slot as usize / 3];
    let k = slot as usize % 3;
    Side { along: [corners[k], corners[(k + 1) % 3]], opposite: corners[(k + 2) % 3] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn mesh(vertices: usize, triangles: Vec<[u32; 3]>) -> TriMesh {
        let positions = (0..vertices).map(|i| Vector3::new(i as f64, (i * i) as f64, 0.5)).collect();
        TriMesh::new(positions, triangles).unwrap()
    }

    /// The loop of the cloth chapter: opposite vertices of each edge with two triangles, in the order of the edges.
    fn book_pairs(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let mut order = Vec::new();
        let mut of_edge: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for (i, t) in triangles.iter().enumerate() {
            for j in 0..3 {
                let edge = [t[j].min(t[(j + 1) % 3]), t[j].max(t[(j + 1) % 3])];
                let entry = of_edge.entry(edge).or_default();
                if entry.is_empty() {
                    order.push(edge);
                }
                entry.push(i);
            }
        }
        let other = |t: usize, e: [u32; 2]| triangles[t].into_iter().find(|v| !e.contains(v)).unwrap();
        order
            .into_iter()
            .filter(|e| of_edge[e].len() == 2)
            .map(|e| [other(of_edge[&e][0], e), other(of_edge[&e][1], e)])
            .filter(|[a, b]| a != b)
            .collect()
    }

    fn any_triangles() -> impl Strategy<Value = Vec<[u32; 3]>> {
        let distinct =
            [0_u32..9, 0..9, 0..9].prop_filter("distinct", |t| t[0] != t[1] && t[1] != t[2] && t[0] != t[2]);
        prop::collection::vec(distinct, 0..25)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_edge_is_in_one_list(triangles in any_triangles()) {
            let mesh = mesh(9, triangles);
            let hinges = mesh.hinges();
            let mut found: Vec<[u32; 2]> = hinges.interior.iter().chain(&hinges.coincident).map(|h| h.edge)
                .chain(hinges.boundary.iter().copied())
                .chain(hinges.non_manifold.iter().map(|n| n.edge))
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            found.sort_unstable();
            let mut edges = mesh.edges();
            edges.sort_unstable();
            prop_assert_eq!(found, edges);
        }

        #[test]
        fn pairs_are_those_of_the_book(triangles in any_triangles()) {
            let hinges = mesh(9, triangles.clone()).hinges();
            prop_assert_eq!(hinges.opposite_pairs(), book_pairs(&triangles));
        }

        #[test]
        fn a_hinge_is_two_triangles(triangles in any_triangles()) {
            let hinges = mesh(9, triangles.clone()).hinges();
            for (i, hinge) in hinges.interior.iter().enumerate() {
                let [x0, x1, x2, x3] = hinge.vertices();
                let turned = |t: [u32; 3], a: u32, b: u32, c: u32| [[a, b, c], [b, c, a], [c, a, b]].contains(&t);
                prop_assert!(turned(triangles[hinge.triangles[0] as usize], x0, x1, x2));
                let second = triangles[hinge.triangles[1] as usize];
                if hinges.inconsistent.contains(&(i as u32)) {
                    prop_assert!(turned(second, x0, x1, x3));
                } else {
                    prop_assert!(turned(second, x1, x0, x3));
                }
            }
        }
    }

    #[test]
    fn three_triangles_on_an_edge_are_named() {
        let hinges = mesh(5, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]).hinges();
        assert_eq!(hinges.non_manifold, [NonManifoldEdge { edge: [0, 1], triangles: vec![0, 1, 2] }]);
        assert!(hinges.interior.is_empty() && !hinges.is_closed());
        assert_eq!(hinges.boundary.len(), 6);
    }

    #[test]
    fn a_turned_triangle_is_named() {
        let hinges = mesh(4, vec![[0, 1, 2], [0, 1, 3]]).hinges();
        assert_eq!((hinges.interior.len(), hinges.inconsistent.as_slice()), (1, [0].as_slice()));
    }

    #[test]
    fn a_doubled_triangle_is_no_hinge() {
        let hinges = mesh(3, vec![[0, 1, 2], [0, 2, 1]]).hinges();
        assert_eq!((hinges.interior.len(), hinges.coincident.len()), (0, 3));
        assert!(hinges.is_closed());
    }
}

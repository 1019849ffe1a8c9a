//! Unique edges of triangles and tetrahedra, in the order in which they are first met.
//!
//! An edge shared by many elements is met once per element. Each meeting is a *slot*: element by element, and within
//! an element in the order of [`TRIANGLE_EDGES`] or [`TET_EDGES`]. An edge's place in the answer is the place of its
//! first slot, so that the order is the mesh's own and a program that sweeps over edges follows the elements.
//!
//! The edges with the same smaller vertex form a *chain*, the last found first, which is searched for the
//! edge of every slot. Chains of a mesh are short: a vertex of a tetrahedral mesh has some fourteen edges,
//! half of which belong to the chain of their other end, and those of one element are sought soon after one
//! another. Where many elements share a vertex, chains would take quadratic time, and where few of many
//! vertices are used, the list of chains would be longer than the mesh; slots are then sorted. Nothing is
//! hashed.

use crate::{TetMesh, TriMesh};

/// Corners of the edges of a triangle, in the order in which [`unique_edges`] meets them.
pub(crate) const TRIANGLE_EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// Corners of the edges of a tetrahedron, in the order in which [`unique_tet_edges`] meets them.
const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// Marks the slot of a pair of equal vertices, which is not an edge.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// The edges of some triangles, each once, as pairs with the smaller vertex first.
///
/// The order is part of the interface: edges stand in the order of their first occurrence when the triangles are read
/// one after the other and the edges of each as (0,1), (1,2), (2,0). A pair of equal vertices is not an edge.
///
/// ```
/// let square = [[0, 1, 2], [0, 2, 3]];
/// assert_eq!(pliant_mesh::unique_edges(&square), [[0, 1], [1, 2], [0, 2], [2, 3], [0, 3]]);
/// ```
///
/// # Panics
///
/// If there are more than 2³² − 2 element edges in all.
#[must_use]
pub fn unique_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    collect_edges(triangles, &TRIANGLE_EDGES)
}

/// The edges of some tetrahedra, each once, as pairs with the smaller vertex first.
///
/// The order is part of the interface: edges stand in the order of their first occurrence when the tetrahedra are
/// read one after the other and the edges of each as (0,1), (1,2), (2,0), (0,3), (1,3), (2,3). A pair of equal
/// vertices is not an edge.
///
/// ```
/// let tets = [[0, 1, 2, 3], [1, 2, 3, 4]];
/// let edges = pliant_mesh::unique_tet_edges(&tets);
/// assert_eq!(edges[..6], [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]]);
/// assert_eq!(edges[6..], [[1, 4], [2, 4], [3, 4]]);
/// ```
///
/// # Panics
///
/// If there are more than 2³² − 2 element edges in all.
#[must_use]
pub fn unique_tet_edges(tets: &[[u32; 4]]) -> Vec<[u32; 2]> {
    collect_edges(tets, &TET_EDGES)
}

impl TriMesh {
    /// The edges of the mesh in the order of [`unique_edges`].
    #[must_use]
    pub fn edges(&self) -> Vec<[u32; 2]> {
        unique_edges(self.triangles())
    }
}

impl TetMesh {
    /// The edges of the mesh in the order of [`unique_tet_edges`].
    #[must_use]
    pub fn edges(&self) -> Vec<[u32; 2]> {
        unique_tet_edges(self.tets())
    }
}

/// The edges of a mesh together with the edge that stands in each slot.
pub(crate) struct NumberedEdges {
    /// Edges in the order of first occurrence, smaller vertex first.
    pub(crate) edges: Vec<[u32; 2]>,
    /// Index into `edges` by slot, [`NO_EDGE`] for a pair of equal vertices.
    pub(crate) edge_of_slot: Vec<u32>,
}

/// Numbers the edges of triangles; the slot of edge `k` of triangle `t` is `3 t + k`.
pub(crate) fn numbered_edges(triangles: &[[u32; 3]]) -> NumberedEdges {
    let mut edge_of_slot = vec![NO_EDGE; 3 * triangles.len()];
    let edges = number_edges(triangles, &TRIANGLE_EDGES, |slot, edge| edge_of_slot[slot] = edge);
    NumberedEdges { edges, edge_of_slot }
}

fn collect_edges<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
) -> Vec<[u32; 2]> {
    number_edges(elements, pairs, |_, _| ())
}

/// The edges of some elements. Calls `visit` for each slot that holds an edge with the slot and the number of
/// the edge; slots may come more than once, with the same number.
fn number_edges<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    mut visit: impl FnMut(usize, u32),
) -> Vec<[u32; 2]> {
    let slots = elements.len() * P;
    assert!(slots < NO_EDGE as usize, "{} elements have more edges than u32 can number", elements.len());
    let vertices = elements.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    let chains =
        if vertices <= 8 * slots { number_by_chain(elements, pairs, vertices, &mut visit) } else { None };
    chains.unwrap_or_else(|| number_by_sort(elements, pairs, visit))
}

/// Steps through chains, per slot, beyond which sorting is quicker.
const STEPS: usize = 16;

/// See the [module](self). `None` if chains are long.
fn number_by_chain<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    vertices: usize,
    mut visit: impl FnMut(usize, u32),
) -> Option<Vec<[u32; 2]>> {
    // The last edge found of every smaller vertex; of every edge its larger vertex, and the one found before
    // it of the same smaller vertex.
    let mut last = vec![NO_EDGE; vertices];
    let mut edges: Vec<[u32; 2]> = Vec::new();
    let mut before: Vec<u32> = Vec::new();
    let mut steps_left = STEPS * (elements.len() * P + 1000);
    for (e, corners) in elements.iter().enumerate() {
        for (k, &[i, j]) in pairs.iter().enumerate() {
            let [low, high] = sorted(corners[i], corners[j]);
            if low == high {
                continue;
            }
            let newest = last[low as usize];
            let mut edge = newest;
            while edge != NO_EDGE && edges[edge as usize][1] != high {
                edge = before[edge as usize];
                steps_left = steps_left.checked_sub(1)?;
            }
            if edge == NO_EDGE {
                edge = edges.len() as u32;
                last[low as usize] = edge;
                edges.push([low, high]);
                before.push(newest);
            }
            visit(e * P + k, edge);
        }
    }
    Some(edges)
}

fn number_by_sort<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    mut visit: impl FnMut(usize, u32),
) -> Vec<[u32; 2]> {
    let mut slots: Vec<([u32; 2], u32)> =
        (0..elements.len() * P).map(|slot| (pair_of_slot(elements, pairs, slot), slot as u32)).collect();
    slots.retain(|([low, high], _)| low != high);
    slots.sort_unstable();
    // The first slot of an edge with the edge; after the next line in the order of the edges.
    let mut firsts: Vec<(u32, [u32; 2])> =
        slots.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].1, same[0].0)).collect();
    firsts.sort_unstable();
    for same in slots.chunk_by(|a, b| a.0 == b.0) {
        let edge = firsts.partition_point(|&(first, _)| first < same[0].1) as u32;
        same.iter().for_each(|&(_, slot)| visit(slot as usize, edge));
    }
    firsts.into_iter().map(|(_, edge)| edge).collect()
}

fn pair_of_slot<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    slot: usize,
) -> [u32; 2] {
    let corners = &elements[slot / P];
    let [i, j] = pairs[slot % P];
    sorted(corners[i], corners[j])
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, word for word.
    fn naive<const N: usize>(elements: &[[u32; N]], pairs: &[[usize; 2]]) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        for corners in elements {
            for &[i, j] in pairs {
                let edge = sorted(corners[i], corners[j]);
                if edge[0] != edge[1] && !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn triangle_edges_are_those_of_the_definition(triangles in prop::collection::vec([0_u32..12, 0..12, 0..12], 0..60)) {
            prop_assert_eq!(unique_edges(&triangles), naive(&triangles, &TRIANGLE_EDGES));
        }

        #[test]
        fn tet_edges_are_those_of_the_definition(tets in prop::collection::vec([0_u32..9, 0..9, 0..9, 0..9], 0..60)) {
            prop_assert_eq!(unique_tet_edges(&tets), naive(&tets, &TET_EDGES));
        }

        #[test]
        fn both_ways_number_the_same_edges(tets in prop::collection::vec([0_u32..9, 0..9, 0..9, 0..9], 0..60)) {
            let (mut by_chain, mut by_sort) = (vec![NO_EDGE; 6 * tets.len()], vec![NO_EDGE; 6 * tets.len()]);
            let chained = number_by_chain(&tets, &TET_EDGES, 9, |slot, edge| by_chain[slot] = edge);
            let sorted = number_by_sort(&tets, &TET_EDGES, |slot, edge| by_sort[slot] = edge);
            prop_assert_eq!(chained, Some(sorted));
            prop_assert_eq!(by_chain, by_sort);
        }

        #[test]
        fn numbered_slots_name_their_edges(triangles in prop::collection::vec([0_u32..12, 0..12, 0..12], 0..60)) {
            let numbered = numbered_edges(&triangles);
            prop_assert_eq!(&numbered.edges, &naive(&triangles, &TRIANGLE_EDGES));
            for (slot, &edge) in numbered.edge_of_slot.iter().enumerate() {
                let pair = pair_of_slot(&triangles, &TRIANGLE_EDGES, slot);
                if pair[0] == pair[1] {
                    prop_assert_eq!(edge, NO_EDGE);
                } else {
                    prop_assert_eq!(numbered.edges[edge as usize], pair);
                }
            }
        }
    }

    #[test]
    fn far_apart_indices_need_no_array_over_all_of_them() {
        let edges = unique_edges(&[[u32::MAX, 7, 4_000_000_000], [7, u32::MAX, 3]]);
        assert_eq!(
            edges,
            [[7, u32::MAX], [7, 4_000_000_000], [4_000_000_000, u32::MAX], [3, u32::MAX], [3, 7]]
        );
    }

    #[test]
    fn a_fan_of_many_triangles_takes_no_quadratic_time() {
        let fan: Vec<[u32; 3]> = (1..200_000).map(|i| [0, i, i + 1]).collect();
        // Triangles of a fan find their edges at the head of the chain, unless they come in another order.
        let stirred: Vec<[u32; 3]> = (0..fan.len()).map(|i| fan[i * 7919 % fan.len()]).collect();
        assert_eq!(number_by_chain(&stirred, &TRIANGLE_EDGES, 200_001, |_, _| ()), None);
        assert_eq!(unique_edges(&fan).len(), 2 * 199_999 + 1);
        assert_eq!(unique_edges(&stirred).len(), 2 * 199_999 + 1);
    }

    #[test]
    fn nothing_has_no_edges() {
        assert!(unique_edges(&[]).is_empty() && unique_tet_edges(&[]).is_empty());
    }
}

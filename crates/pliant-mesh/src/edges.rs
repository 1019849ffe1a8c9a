//! Unique edges of triangles and tetrahedra, in the order in which they are first met.
//!
//! An edge shared by many elements is met once per element. Each meeting is a *slot*: element by element, and within
//! an element in the order of [`TRIANGLE_EDGES`] or [`TET_EDGES`]. An edge's place in the answer is the place of its
//! first slot, so that the order is the mesh's own and a program that sweeps over edges follows the elements.
//!
//! Slots are scattered into one bucket per smaller vertex by counting; within a bucket an array over the vertices
//! remembers the first slot of each larger vertex. That is linear in the number of elements, however many of them
//! share a vertex, and hashes nothing.

use crate::{TetMesh, TriMesh};

/// Corners of the edges of a triangle, in the order in which [`unique_edges`] meets them.
pub const TRIANGLE_EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// Corners of the edges of a tetrahedron, in the order in which [`unique_tet_edges`] meets them.
pub const TET_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]];

/// Marks the slot of a pair of equal vertices, which is no edge.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// The edges of some triangles, each once, as pairs with the smaller vertex first.
///
/// The order is part of the interface: edges stand in the order of their first occurrence when the triangles are read
/// one after the other and the edges of each as (0,1), (1,2), (2,0). A pair of equal vertices is no edge.
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
/// vertices is no edge.
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
    visit_slots(triangles, &TRIANGLE_EDGES, |slot, first| edge_of_slot[slot as usize] = first);
    let mut edges = Vec::new();
    for slot in 0..edge_of_slot.len() {
        let first = edge_of_slot[slot];
        if first == slot as u32 {
            edge_of_slot[slot] = edges.len() as u32;
            edges.push(pair_of_slot(triangles, &TRIANGLE_EDGES, slot));
        } else if first != NO_EDGE {
            // The first slot comes earlier, so its entry holds the number of the edge by now.
            edge_of_slot[slot] = edge_of_slot[first as usize];
        }
    }
    NumberedEdges { edges, edge_of_slot }
}

fn collect_edges<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
) -> Vec<[u32; 2]> {
    let mut is_first = vec![false; elements.len() * P];
    let mut count = 0;
    visit_slots(elements, pairs, |slot, first| {
        if slot == first {
            is_first[slot as usize] = true;
            count += 1;
        }
    });
    let mut edges = Vec::with_capacity(count);
    for (corners, firsts) in elements.iter().zip(is_first.chunks_exact(P)) {
        for (&[i, j], &first) in pairs.iter().zip(firsts) {
            if first {
                edges.push(sorted(corners[i], corners[j]));
            }
        }
    }
    edges
}

/// Calls `visit` for each slot that holds an edge, in no particular order, with the slot and the first slot of the edge.
fn visit_slots<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    visit: impl FnMut(u32, u32),
) {
    let slots = elements.len() * P;
    assert!(slots < NO_EDGE as usize, "{} elements have more edges than u32 can number", elements.len());
    let vertices = elements.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    // Elements of a mesh name most of the vertices below the largest. Where they do not, arrays over the vertices
    // could be far larger than the input.
    if vertices <= 8 * slots {
        visit_by_bucket(elements, pairs, vertices, visit);
    } else {
        visit_by_sort(elements, pairs, visit);
    }
}

fn visit_by_bucket<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    vertices: usize,
    mut visit: impl FnMut(u32, u32),
) {
    let mut starts = vec![0_u32; vertices + 1];
    for corners in elements {
        for &[i, j] in pairs {
            starts[corners[i].min(corners[j]) as usize + 1] += 1;
        }
    }
    for v in 0..vertices {
        starts[v + 1] += starts[v];
    }

    // `starts[v]` runs through bucket `v` while it is filled, and ends where bucket `v + 1` begins.
    let mut bucket = vec![0_u32; elements.len() * P];
    for (e, corners) in elements.iter().enumerate() {
        for (k, &[i, j]) in pairs.iter().enumerate() {
            let next = &mut starts[corners[i].min(corners[j]) as usize];
            bucket[*next as usize] = (e * P + k) as u32;
            *next += 1;
        }
    }

    // The bucket in which a larger vertex was met last, and the slot where it was met first there.
    let mut met = vec![(u32::MAX, 0_u32); vertices];
    let mut begin = 0;
    for (low, &end) in (0_u32..).zip(&starts[..vertices]) {
        for &slot in &bucket[begin..end as usize] {
            let [_, high] = pair_of_slot(elements, pairs, slot as usize);
            if high == low {
                continue;
            }
            let seen = &mut met[high as usize];
            if seen.0 != low {
                *seen = (low, slot);
            }
            visit(slot, seen.1);
        }
        begin = end as usize;
    }
}

fn visit_by_sort<const N: usize, const P: usize>(
    elements: &[[u32; N]],
    pairs: &[[usize; 2]; P],
    mut visit: impl FnMut(u32, u32),
) {
    let mut slots: Vec<([u32; 2], u32)> =
        (0..elements.len() * P).map(|slot| (pair_of_slot(elements, pairs, slot), slot as u32)).collect();
    slots.sort_unstable();
    for same in slots.chunk_by(|a, b| a.0 == b.0) {
        let ([low, high], first) = same[0];
        if low != high {
            same.iter().for_each(|&(_, slot)| visit(slot, first));
        }
    }
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
        #[test]
        fn triangle_edges_are_those_of_the_definition(triangles in prop::collection::vec([0_u32..12, 0..12, 0..12], 0..60)) {
            prop_assert_eq!(unique_edges(&triangles), naive(&triangles, &TRIANGLE_EDGES));
        }

        #[test]
        fn tet_edges_are_those_of_the_definition(tets in prop::collection::vec([0_u32..9, 0..9, 0..9, 0..9], 0..60)) {
            prop_assert_eq!(unique_tet_edges(&tets), naive(&tets, &TET_EDGES));
        }

        #[test]
        fn both_ways_find_the_same_slots(tets in prop::collection::vec([0_u32..9, 0..9, 0..9, 0..9], 0..60)) {
            let mut by_bucket = vec![NO_EDGE; 6 * tets.len()];
            visit_by_bucket(&tets, &TET_EDGES, 9, |slot, first| by_bucket[slot as usize] = first);
            let mut by_sort = vec![NO_EDGE; 6 * tets.len()];
            visit_by_sort(&tets, &TET_EDGES, |slot, first| by_sort[slot as usize] = first);
            prop_assert_eq!(by_bucket, by_sort);
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
    fn a_fan_of_many_triangles_takes_linear_time() {
        let fan: Vec<[u32; 3]> = (1..200_000).map(|i| [0, i, i + 1]).collect();
        assert_eq!(unique_edges(&fan).len(), 2 * 199_999 + 1);
    }

    #[test]
    fn nothing_has_no_edges() {
        assert!(unique_edges(&[]).is_empty() && unique_tet_edges(&[]).is_empty());
    }
}

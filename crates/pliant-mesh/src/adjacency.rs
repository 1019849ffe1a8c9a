//! Adjacency: the elements at each vertex, and the neighbours of each vertex.

use std::ops::Range;

use crate::{TetMesh, TriMesh};

/// Lists of numbers, one list per vertex, in two flat arrays (compressed sparse rows).
///
/// ```
/// use pliant_mesh::Adjacency;
///
/// let triangles = [[0, 1, 2], [0, 2, 3]];
/// let at_vertex = Adjacency::of_elements(4, &triangles);
/// assert_eq!(at_vertex.row(2), [0, 1]);
/// assert_eq!(at_vertex.row(3), [1]);
/// assert_eq!(at_vertex.range(2), 3..5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacency {
    offsets: Vec<usize>,
    entries: Vec<u32>,
}

impl Adjacency {
    /// The elements at each vertex, ascending. An element that names a vertex twice is listed once.
    ///
    /// # Panics
    ///
    /// If an element names a vertex that is not below `vertex_count`.
    #[must_use]
    pub fn of_elements<const N: usize>(vertex_count: usize, elements: &[[u32; N]]) -> Self {
        let first_naming = |corners: &[u32; N], k: usize| !corners[..k].contains(&corners[k]);
        Self::from_pairs(vertex_count, || {
            (0_u32..).zip(elements).flat_map(move |(e, corners)| {
                (0..N).filter(move |&k| first_naming(corners, k)).map(move |k| (corners[k], e))
            })
        })
    }

    /// The vertices joined to each vertex by an edge, in the order of the edges.
    ///
    /// # Panics
    ///
    /// If an edge names a vertex that is not below `vertex_count`.
    #[must_use]
    pub fn of_edges(vertex_count: usize, edges: &[[u32; 2]]) -> Self {
        Self::from_pairs(vertex_count, || edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]))
    }

    /// Sorts pairs (row, entry) into rows, in the order in which they come; `pairs` gives the same pairs each
    /// time it is called.
    ///
    /// # Panics
    ///
    /// If a row is not below `rows`.
    #[must_use]
    pub fn from_pairs<I: Iterator<Item = (u32, u32)>>(rows: usize, pairs: impl Fn() -> I) -> Self {
        let mut offsets = vec![0_usize; rows + 1];
        for (row, _) in pairs() {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut entries = vec![0_u32; offsets[rows]];
        for (row, entry) in pairs() {
            entries[next[row as usize]] = entry;
            next[row as usize] += 1;
        }
        Self { offsets, entries }
    }

    /// Number of vertices.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of vertex `v`.
    ///
    /// # Panics
    ///
    /// If there is no vertex `v`.
    #[must_use]
    #[inline]
    pub fn row(&self, v: usize) -> &[u32] {
        &self.entries[self.range(v)]
    }

    /// Where the list of vertex `v` lies among all lists, one after the other: for values that go with the entries.
    ///
    /// # Panics
    ///
    /// If there is no vertex `v`.
    #[must_use]
    #[inline]
    pub fn range(&self, v: usize) -> Range<usize> {
        self.offsets[v]..self.offsets[v + 1]
    }

    /// The lists of the vertices, one after the other.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|v| self.row(v))
    }
}

impl TriMesh {
    /// The triangles at each vertex.
    #[must_use]
    pub fn triangles_at_vertices(&self) -> Adjacency {
        Adjacency::of_elements(self.positions().len(), self.triangles())
    }

    /// The neighbours of each vertex: those at the other end of its edges.
    #[must_use]
    pub fn neighbours(&self) -> Adjacency {
        Adjacency::of_edges(self.positions().len(), &self.edges())
    }
}

impl TetMesh {
    /// The tetrahedra at each vertex.
    #[must_use]
    pub fn tets_at_vertices(&self) -> Adjacency {
        Adjacency::of_elements(self.positions().len(), self.tets())
    }

    /// The neighbours of each vertex: those at the other end of its edges.
    #[must_use]
    pub fn neighbours(&self) -> Adjacency {
        Adjacency::of_edges(self.positions().len(), &self.edges())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn rows_hold_the_elements_that_name_the_vertex(elements in prop::collection::vec([0_u32..10, 0..10, 0..10], 0..40)) {
            let adjacency = Adjacency::of_elements(10, &elements);
            for v in 0..10_u32 {
                let expected: Vec<u32> = (0_u32..).zip(&elements).filter(|(_, e)| e.contains(&v)).map(|(i, _)| i).collect();
                prop_assert_eq!(adjacency.row(v as usize), expected);
            }
        }

        #[test]
        fn neighbours_are_mutual(triangles in prop::collection::vec([0_u32..10, 0..10, 0..10], 0..40)) {
            let edges = crate::unique_edges(&triangles);
            let neighbours = Adjacency::of_edges(10, &edges);
            prop_assert_eq!(neighbours.rows().map(<[u32]>::len).sum::<usize>(), 2 * edges.len());
            for &[a, b] in &edges {
                prop_assert!(neighbours.row(a as usize).contains(&b) && neighbours.row(b as usize).contains(&a));
            }
        }
    }
}

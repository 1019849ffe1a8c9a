//! Connected components: the pieces that a mesh falls into.

use petgraph::unionfind::UnionFind;

use crate::{TetMesh, TriMesh};

/// The connected pieces of a mesh. Two elements that share a vertex are in the same piece.
///
/// Pieces are numbered in the order of their first elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    of_element: Vec<u32>,
    of_vertex: Vec<Option<u32>>,
    count: usize,
}

impl Components {
    /// Finds the pieces of some elements.
    ///
    /// ```
    /// use pliant_mesh::Components;
    ///
    /// let pieces = Components::of_elements(8, &[[0, 1, 2], [4, 5, 6], [2, 3, 0]]);
    /// assert_eq!(pieces.count(), 2);
    /// assert_eq!(pieces.of_element(), [0, 1, 0]);
    /// assert_eq!(pieces.of_vertex()[3], Some(0));
    /// assert_eq!(pieces.of_vertex()[7], None);
    /// ```
    ///
    /// # Panics
    ///
    /// If an element names a vertex that is not below `vertex_count`.
    #[must_use]
    pub fn of_elements<const N: usize>(vertex_count: usize, elements: &[[u32; N]]) -> Self {
        let mut sets = UnionFind::<u32>::new(vertex_count);
        for corners in elements {
            for pair in corners.windows(2) {
                sets.union(pair[0], pair[1]);
            }
        }
        let set_of = sets.into_labeling();
        let mut number_of_set: Vec<Option<u32>> = vec![None; vertex_count];
        let mut count = 0;
        let mut of_element = Vec::with_capacity(elements.len());
        for corners in elements {
            let number = number_of_set[set_of[corners[0] as usize] as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
            of_element.push(*number);
        }
        // A vertex without elements is a set of its own, which has no number.
        let of_vertex = set_of.iter().map(|&set| number_of_set[set as usize]).collect();
        Self { of_element, of_vertex, count: count as usize }
    }

    /// Number of pieces.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The piece of each element.
    #[must_use]
    pub fn of_element(&self) -> &[u32] {
        &self.of_element
    }

    /// The piece of each vertex; none for a vertex without elements.
    #[must_use]
    pub fn of_vertex(&self) -> &[Option<u32>] {
        &self.of_vertex
    }
}

impl TriMesh {
    /// The connected pieces of the surface.
    #[must_use]
    pub fn components(&self) -> Components {
        Components::of_elements(self.positions().len(), self.triangles())
    }
}

impl TetMesh {
    /// The connected pieces of the solid.
    #[must_use]
    pub fn components(&self) -> Components {
        Components::of_elements(self.positions().len(), self.tets())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn pieces_are_what_can_be_reached(elements in prop::collection::vec([0_u32..30, 0..30, 0..30], 0..15)) {
            let pieces = Components::of_elements(30, &elements);
            // Spread the lowest element index until nothing changes.
            let mut lowest: Vec<usize> = (0..elements.len()).collect();
            let meet = |i: usize, j: usize| elements[i].iter().any(|v| elements[j].contains(v));
            for _ in 0..elements.len() {
                for i in 0..elements.len() {
                    lowest[i] = (0..elements.len()).filter(|&j| meet(i, j)).map(|j| lowest[j]).min().unwrap();
                }
            }
            for i in 0..elements.len() {
                for j in 0..elements.len() {
                    prop_assert_eq!(lowest[i] == lowest[j], pieces.of_element()[i] == pieces.of_element()[j]);
                }
            }
            let mut roots = lowest.clone();
            roots.sort_unstable();
            roots.dedup();
            prop_assert_eq!(roots.len(), pieces.count());
            for v in 0..30_u32 {
                let piece = elements.iter().position(|e| e.contains(&v)).map(|e| pieces.of_element()[e]);
                prop_assert_eq!(pieces.of_vertex()[v as usize], piece);
            }
        }
    }
}

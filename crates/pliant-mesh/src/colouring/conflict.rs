//! The conflict graph of constraints, and its colouring by petgraph.

use petgraph::algo::dsatur_coloring;
use petgraph::graph::{NodeIndex, UnGraph};
use thiserror::Error;

use crate::Adjacency;

/// Pairs of constraints at a vertex, summed over the vertices, that a conflict graph may have.
const MOST_PAIRS: u64 = 100_000_000;

/// A conflict graph that was not built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConflictGraphError {
    /// k constraints at one vertex are k (k − 1) / 2 pairs, and together there are too many.
    #[error(
        "the constraints meet in {pairs} pairs, more than the {most} a conflict graph may have \
         (vertex {busiest_vertex} alone is in {busiest} constraints); use the greedy colouring"
    )]
    TooManyPairs {
        /// Pairs of constraints at a vertex, summed over the vertices.
        pairs: u64,
        /// The most that are allowed.
        most: u64,
        /// The vertex with the most constraints.
        busiest_vertex: u32,
        /// The number of its constraints.
        busiest: u32,
    },
}

/// The conflict graph of some constraints: a node for each, with its index, and an edge between any two that share a
/// vertex.
///
/// ```
/// let edges = [[0, 1], [1, 2], [2, 3]];
/// let graph = pliant_mesh::conflict_graph(4, &edges)?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (3, 2));
/// # Ok::<(), pliant_mesh::ConflictGraphError>(())
/// ```
///
/// # Errors
///
/// If the constraints meet in more than 100 million pairs: the graph would take gigabytes.
///
/// # Panics
///
/// If a stencil names a vertex that is not below `vertex_count`.
pub fn conflict_graph<const N: usize>(
    vertex_count: usize,
    stencils: &[[u32; N]],
) -> Result<UnGraph<(), ()>, ConflictGraphError> {
    let at_vertex = Adjacency::of_elements(vertex_count, stencils);
    check_pairs(&at_vertex)?;
    let mut graph = UnGraph::with_capacity(stencils.len(), 0);
    for _ in stencils {
        graph.add_node(());
    }
    // The later constraint that was last joined to each earlier one: two constraints can share several vertices.
    let mut joined_to = vec![u32::MAX; stencils.len()];
    for (i, stencil) in (0_u32..).zip(stencils) {
        for &v in stencil {
            for &j in at_vertex.row(v as usize).iter().take_while(|&&j| j < i) {
                if joined_to[j as usize] != i {
                    joined_to[j as usize] = i;
                    graph.add_edge(NodeIndex::from(j), NodeIndex::from(i), ());
                }
            }
        }
    }
    Ok(graph)
}

fn check_pairs(at_vertex: &Adjacency) -> Result<(), ConflictGraphError> {
    let sizes = || (0_u32..).zip(at_vertex.rows()).map(|(v, row)| (v, row.len() as u64));
    let pairs: u64 = sizes().map(|(_, k)| k * k.saturating_sub(1) / 2).sum();
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    let (busiest_vertex, busiest) =
        sizes().fold((0, 0), |most, next| if next.1 > most.1 { next } else { most });
    Err(ConflictGraphError::TooManyPairs { pairs, most: MOST_PAIRS, busiest_vertex, busiest: busiest as u32 })
}

/// Colours of the constraints by petgraph, in the order of the constraints.
pub(super) fn dsatur_colours<const N: usize>(
    vertex_count: usize,
    stencils: &[[u32; N]],
) -> Result<Vec<u32>, ConflictGraphError> {
    let graph = conflict_graph(vertex_count, stencils)?;
    // The colours come in a hash map, whose order changes from run to run: it is looked up, never iterated over.
    let (colour_of, _) = dsatur_coloring(&graph);
    Ok(graph.node_indices().map(|node| colour_of[&node] as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colouring;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn edges_join_just_the_constraints_that_meet(stencils in prop::collection::vec([0_u32..15, 0..15, 0..15], 0..40)) {
            let graph = conflict_graph(15, &stencils).unwrap();
            let mut expected = 0;
            for i in 0..stencils.len() {
                for j in 0..i {
                    let meet = stencils[i].iter().any(|v| stencils[j].contains(v));
                    expected += usize::from(meet);
                    prop_assert_eq!(graph.contains_edge(NodeIndex::new(i), NodeIndex::new(j)), meet);
                }
            }
            prop_assert_eq!(graph.edge_count(), expected);
        }
    }

    #[test]
    fn a_hub_is_refused_before_it_fills_the_memory() {
        let spokes: Vec<[u32; 2]> = (1..=100_000).map(|i| [0, i]).collect();
        let error = Colouring::dsatur(100_001, &spokes).unwrap_err();
        let ConflictGraphError::TooManyPairs { busiest_vertex, busiest, .. } = error;
        assert_eq!((busiest_vertex, busiest), (0, 100_000));
    }
}

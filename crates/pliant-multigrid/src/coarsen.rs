//! Coarse nodes, and how their values are interpolated to the fine ones.

mod affine;
mod aggregates;
mod distance;
mod lattice;

use crate::graph::Graph;
use crate::weights::Weights;

/// How coarse nodes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coarsening {
    /// Corners of a lattice of tetrahedra (cubes cut into six) laid over the rest coordinates, at most four per fine
    /// node, with linear weights. Where nodes around a corner are not connected, the corner is there several times.
    /// Without rest coordinates it is [`Aggregates`](Self::Aggregates).
    #[default]
    Lattice,
    /// Patches of neighbours in the graph, with weights that are smoothed over the neighbours and, where there are rest
    /// coordinates, corrected to be linear.
    Aggregates,
}

/// The common data of the levels of a hierarchy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Method {
    /// The spacing of the next lattice, and where all of them have a corner.
    Lattice {
        spacing: f64,
        origin: [f64; 3],
    },
    Aggregates,
}

impl Method {
    /// The method for the finest level.
    pub(crate) fn choose(wish: Coarsening, graph: &Graph, rest: Option<&[[f64; 3]]>) -> Self {
        let first = rest.filter(|_| wish == Coarsening::Lattice).and_then(|rest| lattice::first(graph, rest));
        first.map_or(Self::Aggregates, |(spacing, origin)| Self::Lattice { spacing, origin })
    }

    /// The weights from one level to the next, and the method for the one after it. `None` where that would not be
    /// much coarser.
    pub(crate) fn coarsen(self, graph: &Graph, rest: Option<&[[f64; 3]]>) -> Option<(Weights, Self)> {
        let (weights, next) = match (self, rest) {
            (Self::Lattice { spacing, origin }, Some(rest)) => {
                let next = Self::Lattice { spacing: 3.0 * spacing, origin };
                (lattice::weights(graph, rest, spacing, origin), next)
            }
            _ => (aggregates::weights(graph, rest), Self::Aggregates),
        };
        (weights.coarse > 0 && weights.coarse * 10 <= graph.len() * 8).then_some((weights, next))
    }
}

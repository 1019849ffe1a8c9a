//! Coarse nodes, and how what happens at them is spread among the fine ones.

mod affine;
mod aggregates;
mod distance;
mod lattice;

use crate::graph::Graph;

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

/// The weights of coarse nodes at each fine one. They sum to 1, or there are none: at nodes without neighbours, which
/// need no help from a coarse level.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weights {
    /// Where the weights of each fine node start, and an end.
    pub(crate) starts: Vec<u32>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// Number of coarse nodes.
    pub(crate) coarse: usize,
    /// Rest coordinates of the coarse nodes.
    pub(crate) rest: Option<Vec<[f64; 3]>>,
}

impl Weights {
    pub(crate) fn row(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    pub(crate) fn columns_of(&self, node: usize) -> &[u32] {
        &self.columns[self.row(node)]
    }

    /// From the weights of each node.
    fn from_rows(rows: &[Vec<(u32, f64)>], coarse: usize, rest: Option<Vec<[f64; 3]>>) -> Self {
        let mut weights = Self { starts: vec![0], coarse, rest, ..Self::default() };
        for row in rows {
            weights.columns.extend(row.iter().map(|w| w.0));
            weights.values.extend(row.iter().map(|w| w.1));
            weights.starts.push(weights.columns.len() as u32);
        }
        weights
    }

    /// The weights after a renumbering of the coarse nodes, those of a node in the order of the new numbers.
    pub(crate) fn renumbered(mut self, place: &[u32]) -> Self {
        for node in 0..self.starts.len() - 1 {
            let range = self.row(node);
            let mut row: Vec<(u32, f64)> =
                range.clone().map(|k| (place[self.columns[k] as usize], self.values[k])).collect();
            row.sort_unstable_by_key(|w| w.0);
            for (k, (column, value)) in range.zip(row) {
                self.columns[k] = column;
                self.values[k] = value;
            }
        }
        self.rest = self.rest.map(|rest| {
            let mut moved = rest.clone();
            for (x, &to) in rest.iter().zip(place) {
                moved[to as usize] = *x;
            }
            moved
        });
        self
    }
}

/// What the levels of a hierarchy have in common.
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
        let lattice =
            rest.filter(|_| wish == Coarsening::Lattice).and_then(|rest| lattice::first(graph, rest));
        lattice.unwrap_or(Self::Aggregates)
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

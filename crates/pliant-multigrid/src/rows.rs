//! [`Rows`]: where the blocks of a matrix stand, in the order in which they are stored and smoothed.

use crate::graph::Graph;
use crate::order::Order;

/// Rows of a matrix, in clusters and colours.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Where the blocks of each row start, and an end.
    pub(crate) starts: Vec<u32>,
    /// The columns of the blocks, ascending in each row.
    pub(crate) columns: Vec<u32>,
    /// The block on the diagonal of each row.
    pub(crate) diagonal: Vec<u32>,
    /// The blocks of each row whose columns belong to its own cluster.
    pub(crate) own: Vec<[u32; 2]>,
    /// Where the rows of each cluster start, and an end.
    pub(crate) clusters: Vec<u32>,
    /// Where the clusters of each colour start, and an end.
    pub(crate) colours: Vec<u32>,
}

impl Rows {
    /// The rows of a graph in a new order.
    pub(crate) fn new(graph: &Graph, order: &Order) -> Self {
        let (starts, columns) = graph.renumbered(&order.place).into_parts();
        let mut rows = Self {
            starts,
            columns,
            diagonal: Vec::with_capacity(graph.len()),
            own: Vec::with_capacity(graph.len()),
            clusters: order.clusters.clone(),
            colours: order.colours.clone(),
        };
        for bounds in order.clusters.windows(2) {
            for row in bounds[0]..bounds[1] {
                let start = rows.starts[row as usize];
                let columns = &rows.columns[start as usize..rows.starts[row as usize + 1] as usize];
                let before = |bound: u32| start + columns.partition_point(|&column| column < bound) as u32;
                rows.diagonal.push(before(row));
                rows.own.push([before(bounds[0]), before(bounds[1])]);
            }
        }
        rows
    }

    pub(crate) fn len(&self) -> usize {
        self.diagonal.len()
    }

    pub(crate) fn blocks(&self) -> usize {
        self.columns.len()
    }

    /// The blocks of a row.
    pub(crate) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The block at a row and a column, if there is one.
    pub(crate) fn slot(&self, row: u32, column: u32) -> Option<u32> {
        let range = self.row(row as usize);
        let at = self.columns[range.clone()].binary_search(&column).ok()?;
        Some((range.start + at) as u32)
    }

    pub(crate) fn neighbours(&self, row: usize) -> &[u32] {
        &self.columns[self.row(row)]
    }

    /// The graph of these rows.
    pub(crate) fn graph(&self) -> Option<Graph> {
        Graph::from_rows((0..self.len()).map(|row| self.neighbours(row).to_vec()))
    }
}

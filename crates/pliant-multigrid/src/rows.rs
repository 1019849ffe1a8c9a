//! [`Rows`]: where the blocks of a matrix stand, in the order in which they are stored and smoothed.

use std::iter::Zip;
use std::ops::Range;
use std::slice::Iter;

use crate::block::Block;
use crate::graph::Graph;
use crate::order::Order;

/// Rows of a matrix, in clusters and colours.
///
/// The blocks below the diagonal are stored row after row, behind them those on the diagonal, and behind these
/// those above it. So a sweep that needs one triangle reads it without gaps.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The blocks below the diagonal.
    pub(crate) below: Triangle,
    /// The blocks above the diagonal.
    pub(crate) above: Triangle,
    /// For each block above the diagonal the number of its transpose below it.
    pub(crate) mirror: Vec<u32>,
    /// Where the rows of each cluster start, and an end.
    pub(crate) clusters: Vec<u32>,
    /// Where the clusters of each colour start, and an end.
    pub(crate) colours: Vec<u32>,
}

/// The blocks on one side of the diagonal.
#[derive(Debug)]
pub(crate) struct Triangle {
    /// Where the blocks of each row start, and an end.
    pub(crate) starts: Vec<u32>,
    /// The columns of the blocks, ascending in each row.
    pub(crate) columns: Vec<u32>,
}

impl Triangle {
    /// The blocks of a row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The columns of a row.
    pub(crate) fn columns_of(&self, row: usize) -> &[u32] {
        &self.columns[self.row(row)]
    }

    /// The blocks of a row, of all `blocks` on this side, with their columns.
    #[inline(always)]
    pub(crate) fn entries<'a, T>(
        &'a self,
        row: usize,
        blocks: &'a [Block<T>],
    ) -> Zip<Iter<'a, Block<T>>, Iter<'a, u32>> {
        let range = self.row(row);
        blocks[range.clone()].iter().zip(&self.columns[range])
    }

    fn len(&self) -> usize {
        self.columns.len()
    }

    /// The block at a row and a column, if there is one.
    pub(crate) fn find(&self, row: u32, column: u32) -> Option<usize> {
        let range = self.row(row as usize);
        Some(range.start + self.columns[range].binary_search(&column).ok()?)
    }
}

/// The blocks of a matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocks<'a, T> {
    pub(crate) below: &'a [Block<T>],
    pub(crate) diagonal: &'a [Block<T>],
    pub(crate) above: &'a [Block<T>],
}

impl Rows {
    /// The rows of a graph in a new order.
    pub(crate) fn new(graph: &Graph, order: &Order) -> Self {
        let graph = graph.renumbered(&order.place);
        let len = graph.len();
        let mut below = Triangle { starts: vec![0], columns: Vec::new() };
        for row in 0..len {
            below.columns.extend(graph.row(row).iter().filter(|&&column| (column as usize) < row));
            below.starts.push(below.columns.len() as u32);
        }
        let mut starts = vec![0u32; len + 1];
        for &column in &below.columns {
            starts[column as usize + 1] += 1;
        }
        for row in 0..len {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let (mut columns, mut mirror) = (vec![0u32; below.len()], vec![0u32; below.len()]);
        for row in 0..len {
            for block in below.row(row) {
                let at = &mut next[below.columns[block] as usize];
                columns[*at as usize] = row as u32;
                mirror[*at as usize] = block as u32;
                *at += 1;
            }
        }
        let above = Triangle { starts, columns };
        Self { below, above, mirror, clusters: order.clusters.clone(), colours: order.colours.clone() }
    }

    pub(crate) fn len(&self) -> usize {
        self.below.starts.len() - 1
    }

    pub(crate) fn blocks(&self) -> usize {
        self.halves() + self.above.len()
    }

    /// Number of blocks below and on the diagonal, of which all others are transposes.
    pub(crate) fn halves(&self) -> usize {
        self.below.len() + self.len()
    }

    /// The slot of the block on the diagonal of a row. Slots before that of row 0 are below the diagonal.
    pub(crate) fn diagonal(&self, row: usize) -> u32 {
        (self.below.len() + row) as u32
    }

    /// The slot of the block at a row and a column, if there is one.
    pub(crate) fn slot(&self, row: u32, column: u32) -> Option<u32> {
        let slot = match column.cmp(&row) {
            std::cmp::Ordering::Less => self.below.find(row, column)?,
            std::cmp::Ordering::Equal => return Some(self.diagonal(row as usize)),
            std::cmp::Ordering::Greater => self.halves() + self.above.find(row, column)?,
        };
        Some(slot as u32)
    }

    /// The slot below or on the diagonal of a block or of its transpose, and whether it is the transpose's.
    pub(crate) fn half(&self, slot: u32) -> (u32, bool) {
        match (slot as usize).checked_sub(self.halves()) {
            Some(above) => (self.mirror[above], true),
            None => (slot, false),
        }
    }

    /// The blocks of a matrix, apart.
    pub(crate) fn split<'a, T>(&self, values: &'a [Block<T>]) -> Blocks<'a, T> {
        let (below, rest) = values.split_at(self.below.len());
        let (diagonal, above) = rest.split_at(self.len());
        Blocks { below, diagonal, above }
    }

    /// The columns of a row, ascending, its own among them.
    pub(crate) fn neighbours(&self, row: usize) -> impl Iterator<Item = u32> {
        let (below, above) = (self.below.columns_of(row), self.above.columns_of(row));
        below.iter().copied().chain([row as u32]).chain(above.iter().copied())
    }

    /// The graph of these rows.
    pub(crate) fn graph(&self) -> Option<Graph> {
        Graph::from_rows((0..self.len()).map(|row| self.neighbours(row).collect()))
    }
}

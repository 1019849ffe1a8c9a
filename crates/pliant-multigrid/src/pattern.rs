//! [`BlockPattern`]: which blocks a matrix has, and where the blocks of an element go.

use std::sync::Arc;

use crate::error::{MatrixError, PatternError};
use crate::graph::Graph;
use crate::order::Order;
use crate::rows::Rows;

/// The slot of a block that no matrix has, because one of its nodes is fixed. What is added to it is dropped.
pub const NO_SLOT: u32 = u32::MAX;

/// The nodes of a system: how many, which do not move, and where they are at rest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nodes<'a> {
    /// Number of nodes.
    pub count: usize,
    /// Whether each node is fixed; empty if none is. A fixed node has no row and no column: solutions are zero there.
    pub fixed: &'a [bool],
    /// Coordinates of each node at rest, in any unit; empty if there are none. They decide the order of rows and the
    /// coarse levels: without them solids take several times as many iterations.
    pub rest: &'a [[f64; 3]],
}

/// The places of the blocks of a symmetric matrix over nodes: one block for every two nodes that share an element, both
/// ways round, and one on the diagonal of every node.
///
/// Rows are stored in an order of its own ([cluster by cluster](crate#order)); it is not visible, as blocks are named
/// by slots and vectors are in the order of the nodes. Copies share their memory.
///
/// ```
/// use pliant_multigrid::{BlockPattern, NO_SLOT, Nodes};
///
/// // A chain of three nodes, the last of which is fixed.
/// let nodes = Nodes { count: 3, fixed: &[false, false, true], rest: &[] };
/// let pattern = BlockPattern::new(&nodes, &[[0, 1], [1, 2]])?;
/// assert_eq!(pattern.blocks(), 4);
/// assert!(pattern.slots(&[1, 2]).eq([pattern.diagonal(1), NO_SLOT, NO_SLOT, NO_SLOT]));
/// # Ok::<(), pliant_multigrid::PatternError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BlockPattern(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) rows: Arc<Rows>,
    /// The row of each node, [`NO_SLOT`] for fixed ones.
    pub(crate) row_of: Vec<u32>,
    /// The node of each row.
    pub(crate) node_of: Vec<u32>,
    /// Rest coordinates in the order of rows.
    pub(crate) rest: Option<Vec<[f64; 3]>>,
}

impl BlockPattern {
    /// The pattern of elements, each a list of different nodes: two for an edge, four for a tet or a hinge.
    ///
    /// # Errors
    ///
    /// [`PatternError`] for nodes that do not exist or are named twice by an element, lists of the wrong length, rest
    /// coordinates that are not finite, and more blocks than 32 bits can count.
    pub fn new<E: AsRef<[u32]>>(nodes: &Nodes<'_>, elements: &[E]) -> Result<Self, PatternError> {
        check(nodes, elements)?;
        let too_large = || PatternError::TooLarge { nodes: nodes.count, elements: elements.len() };
        let is_fixed = |node: usize| nodes.fixed.get(node).copied().unwrap_or(false);
        let free: Vec<u32> =
            (0..nodes.count).filter(|&node| !is_fixed(node)).map(|node| node as u32).collect();
        let mut row_of = vec![NO_SLOT; nodes.count];
        for (row, &node) in (0..).zip(&free) {
            row_of[node as usize] = row;
        }

        let mut pairs = Vec::new();
        for element in elements {
            let element = element.as_ref();
            for (k, &a) in element.iter().enumerate() {
                let others = element[k + 1..].iter().map(|&b| (row_of[a as usize], row_of[b as usize]));
                pairs.extend(others.filter(|pair| pair.0 != NO_SLOT && pair.1 != NO_SLOT));
            }
        }
        let graph = Graph::from_pairs(free.len(), &pairs).ok_or_else(too_large)?;
        drop(pairs);
        let rest: Option<Vec<[f64; 3]>> =
            (!nodes.rest.is_empty()).then(|| free.iter().map(|&node| nodes.rest[node as usize]).collect());
        let order = Order::new(&graph, rest.as_deref());
        let rows = Rows::new(&graph, &order);

        let mut node_of = vec![0u32; free.len()];
        for (&node, &place) in free.iter().zip(&order.place) {
            row_of[node as usize] = place;
            node_of[place as usize] = node;
        }
        let rest = rest.map(|_| node_of.iter().map(|&node| nodes.rest[node as usize]).collect());

        if rows.halves() >= NO_SLOT as usize / 2 {
            return Err(too_large());
        }
        Ok(Self(Arc::new(Inner { rows: Arc::new(rows), row_of, node_of, rest })))
    }

    /// Whether this is a copy of the other.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether vectors have an entry per node.
    pub(crate) fn check_lengths(&self, vectors: &[(&'static str, usize)]) -> Result<(), MatrixError> {
        let nodes = self.nodes();
        match vectors.iter().find(|(_, len)| *len != nodes) {
            Some(&(what, len)) => Err(MatrixError::Length { what, len, nodes }),
            None => Ok(()),
        }
    }

    /// Number of nodes, fixed ones included.
    pub fn nodes(&self) -> usize {
        self.0.row_of.len()
    }

    /// Number of nodes that are not fixed.
    pub fn rows(&self) -> usize {
        self.0.rows.len()
    }

    /// Number of blocks of a matrix.
    pub fn blocks(&self) -> usize {
        self.0.rows.blocks()
    }

    /// The slot of the block of two nodes, found among those of the first one's row. [`NO_SLOT`] if one of them is fixed or does
    /// not exist, and if no element has both.
    pub fn slot(&self, a: u32, b: u32) -> u32 {
        let row = |node: u32| self.0.row_of.get(node as usize).copied().filter(|&row| row != NO_SLOT);
        let pair = row(a).zip(row(b));
        pair.and_then(|(a, b)| self.0.rows.slot(a, b)).unwrap_or(NO_SLOT)
    }

    /// The [slots](Self::slot) of an element of `k` nodes: that of its `i`-th and `j`-th node is the `k i + j`-th.
    pub fn slots(&self, element: &[u32]) -> impl Iterator<Item = u32> {
        element.iter().flat_map(move |&a| element.iter().map(move |&b| self.slot(a, b)))
    }

    /// Number of halves: blocks on the diagonal, and of every two beside it that are each other's transposes one.
    pub fn halves(&self) -> usize {
        self.0.rows.halves()
    }

    /// The half that stands for the block at a slot: twice its number, plus one if the half is the transpose
    /// of the block. [`NO_SLOT`] for [`NO_SLOT`] and slots that do not exist.
    pub fn half(&self, slot: u32) -> u32 {
        if slot as usize >= self.blocks() {
            return NO_SLOT;
        }
        let (half, other) = self.0.rows.half(slot);
        // Halves are stored as rows of what stands above the diagonal.
        2 * half + u32::from(!other && half < self.0.rows.diagonal(0))
    }

    /// The slot of the block on the diagonal of a node, [`NO_SLOT`] if it is fixed or does not exist.
    pub fn diagonal(&self, node: usize) -> u32 {
        match self.0.row_of.get(node) {
            Some(&row) if row != NO_SLOT => self.0.rows.diagonal(row as usize),
            _ => NO_SLOT,
        }
    }
}

fn check<E: AsRef<[u32]>>(nodes: &Nodes<'_>, elements: &[E]) -> Result<(), PatternError> {
    let count = nodes.count;
    if u32::try_from(count).is_err() {
        return Err(PatternError::TooLarge { nodes: count, elements: elements.len() });
    }
    for (what, len) in [("`fixed`", nodes.fixed.len()), ("`rest`", nodes.rest.len())] {
        if len != 0 && len != count {
            return Err(PatternError::Length { what, len, nodes: count });
        }
    }
    if let Some(node) = nodes.rest.iter().position(|x| !x.iter().all(|x| x.is_finite())) {
        return Err(PatternError::Rest { node });
    }
    for (index, element) in elements.iter().enumerate() {
        let element = element.as_ref();
        for (k, &node) in element.iter().enumerate() {
            if node as usize >= count {
                return Err(PatternError::Node { element: index, node, nodes: count });
            }
            if element[..k].contains(&node) {
                return Err(PatternError::Repeated { element: index, node });
            }
        }
    }
    Ok(())
}

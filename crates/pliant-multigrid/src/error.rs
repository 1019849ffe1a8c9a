//! Errors of the input.

/// Why a pattern cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// An element names a node that does not exist.
    #[error("element {element} names node {node}, but there are {nodes} nodes: check the element's indices")]
    Node {
        /// Index of the element.
        element: usize,
        /// The node that it names.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// An element names a node twice.
    #[error("element {element} names node {node} twice: leave the element out, it is degenerate")]
    Repeated {
        /// Index of the element.
        element: usize,
        /// The node that it names twice.
        node: u32,
    },
    /// A list with an entry per node has another length.
    #[error("{what} has {len} entries, but there are {nodes} nodes: give one per node, or none at all")]
    Length {
        /// Which list.
        what: &'static str,
        /// How many entries it has.
        len: usize,
        /// Number of nodes.
        nodes: usize,
    },
    /// A rest coordinate is not finite.
    #[error("the rest coordinates of node {node} are not finite: repair them, or give none at all")]
    Rest {
        /// Index of the node.
        node: usize,
    },
    /// There are more blocks, or more blocks of elements, than 32 bits can count.
    #[error(
        "{nodes} nodes and {elements} elements have too many blocks to be counted in 32 bits: split the system"
    )]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
        /// Number of elements.
        elements: usize,
    },
}

/// Why a matrix cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The matrix has another pattern than the hierarchy or the region.
    #[error("the matrix has another pattern than the hierarchy or region: make both from one pattern")]
    Pattern,
    /// The coarse levels are those of other numbers.
    #[error(
        "the matrix was cleared since the coarse levels were computed, or they never were: refresh the hierarchy"
    )]
    Stale,
    /// A vector has not one entry per node.
    #[error("{what} has {len} entries, but there are {nodes} nodes: give one per node, fixed ones included")]
    Length {
        /// Which vector.
        what: &'static str,
        /// How many entries it has.
        len: usize,
        /// Number of nodes.
        nodes: usize,
    },
}

//! [`Nodes`]: positions by the order of the file, and the way from a node's number to it.

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::source::Source;

use super::input::Input;
use super::numbering::Numbering;

/// The nodes of a file.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    /// Positions in the order of the file.
    pub(crate) positions: Vec<Vector3<f64>>,
    numbers: Numbering,
}

impl Nodes {
    /// Reserves memory for nodes whose number has been checked.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.positions.reserve(count);
        self.numbers.reserve(count);
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, tag: i64, position: Vector3<f64>) {
        self.numbers.push(tag);
        self.positions.push(position);
    }

    /// Prepares [`vertex`](Self::vertex) after nodes have been added.
    pub(crate) fn index(&mut self, source: &Source<'_>) -> Result<(), ImportError> {
        self.numbers.index(source, "nodes", false)
    }

    /// The vertex that the node numbered `tag` is.
    pub(crate) fn vertex(&self, tag: i64) -> Option<u32> {
        self.numbers.place(tag)
    }

    /// The number of the node that `vertex` is.
    pub(crate) fn tag(&self, vertex: u32) -> i64 {
        self.numbers.tag(vertex)
    }

    /// Returns the positions and keeps the numbers.
    pub(crate) fn into_numbers(self) -> Numbering {
        self.numbers
    }

    /// The vertex of node `tag`, which an element names at `at`.
    pub(super) fn resolve(&self, input: &Input<'_>, at: usize, tag: i64) -> Result<u32, ImportError> {
        self.vertex(tag).ok_or_else(|| {
            let expected = match self.numbers.range() {
                Some((least, most)) => {
                    format!(
                        "the number of a node (the {} nodes are numbered from {least} to {most})",
                        self.numbers.len()
                    )
                }
                None => "the number of a node, but the file has no nodes".to_owned(),
            };
            input.unexpected(at, tag, expected)
        })
    }
}

//! [`Stage`]: a file that is being read.

use super::lexer::{Ends, Lexer};
use crate::raw::RawMesh;

/// A file that is being read.
pub(super) struct Stage<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) raw: RawMesh,
    pub(super) meshes: usize,
    pub(super) left_out: usize,
    pub(super) sampled: usize,
    /// The mesh whose children are read.
    pub(super) above: Option<Extent>,
    /// The parts skipped within the current top-level prim.
    pub(super) ends: Ends,
}

/// The vertices and cells of a mesh.
#[derive(Debug, Clone)]
pub(super) struct Extent {
    pub(super) first_vertex: usize,
    pub(super) vertices: usize,
    pub(super) first_cell: usize,
    pub(super) cells: usize,
}

//! Sparse symmetric matrices of 3×3 blocks, and conjugate gradients with a multigrid W-cycle to solve with them: the
//! linear algebra of an implicit step of elastic bodies, `(M/h² + Σ stiffness) x = b`.
//!
//! The crate knows nodes, the elements that join them, and blocks. It does not know what the blocks mean.
//!
//! | for | use |
//! |---|---|
//! | where the blocks of elements go, once per topology | [`BlockPattern::new`] |
//! | the blocks, added up element by element | [`BlockMatrix`] |
//! | the coarse levels, once per topology | [`Hierarchy::new`] |
//! | the coarse matrices, once per matrix | [`Hierarchy::refresh`] |
//! | the solution | [`System::solve`] |
//! | the solution for a few nodes, while all others stay | [`Region`] |
//!
//! # Order
//!
//! Rows are stored in clusters of up to 128 nodes that lie together, clusters in colours of which no two share a block.
//! Threads smooth the clusters of a colour side by side; within one, rows follow each other. Sums go over fixed pieces
//! that are combined in order. So results have the same bits for any number of threads. Threads are those of the rayon
//! pool that the caller is in; small systems use none.
//!
//! # Memory
//!
//! Building a pattern and a hierarchy allocates memory; [`Hierarchy::refresh`] and [`System::solve`] do not.
#![forbid(unsafe_code)]

mod block;
mod coarsen;
mod dense;
mod error;
mod galerkin;
mod graph;
mod hierarchy;
mod level;
mod matrix;
mod number;
mod order;
mod parts;
mod pattern;
mod pieces;
mod region;
mod rows;
mod smoother;
mod solve;
#[cfg(test)]
mod tests;
mod transfer;
mod weights;

pub use coarsen::Coarsening;
pub use error::{MatrixError, PatternError};
pub use hierarchy::{Hierarchy, LevelSizes, Settings, System};
pub use matrix::BlockMatrix;
pub use number::Number;
pub use pattern::{BlockPattern, NO_SLOT, Nodes};
pub use region::Region;
pub use solve::{Outcome, Status, Tolerance};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

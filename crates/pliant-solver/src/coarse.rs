//! Coarse levels: rigid bodies are corrected as a whole before they are corrected edge by edge.
//!
//! A sweep propagates a correction by one ring of elements. Coarse nodes are the centroids of overlapping
//! patches of a body; constraints that keep their distances are implied by those of the edges if these are
//! rigid, and a sweep over them carries a correction across a patch at once. The theory is in the book, on
//! the page about coarse levels.
//!
//! | file | what it is |
//! |---|---|
//! | `rigid.rs` | the bodies whose edges keep their lengths |
//! | `graph.rs` | particles and edges, and paths along them |
//! | `patches.rs` | overlapping patches of a graph, with weights that sum to one |
//! | `nodes.rs` | nodes with their masses, from the particles of bodies up to the coarsest |
//! | `transfer.rs` | centroids of patches, and displacements back to their members |
//! | `hierarchy.rs` | the levels, and a correction from the coarsest to the particles |

use pliant_kernel::Scalar;

use self::hierarchy::Hierarchy;
use self::rigid::RigidBody;

pub(crate) mod graph;
pub(crate) mod hierarchy;
pub(crate) mod nodes;
pub(crate) mod patches;
pub(crate) mod rigid;
pub(crate) mod transfer;

/// The rigid bodies of a simulation, and the levels over them.
pub(crate) struct Coarse<T: Scalar> {
    pub(crate) bodies: Vec<RigidBody>,
    /// The levels for the present pins; `None` if too few particles can move.
    pub(crate) levels: Option<Hierarchy<T>>,
    /// Whether the levels are those of the present pins.
    pub(crate) planned: bool,
}

impl<T: Scalar> Coarse<T> {
    /// Whether there are bodies to correct.
    pub(crate) fn is_asked_for(&self) -> bool {
        !self.bodies.is_empty()
    }
}

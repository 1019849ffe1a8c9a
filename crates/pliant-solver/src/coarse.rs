//! Coarse levels: what is rigid is corrected as a whole before it is corrected edge by edge.
//!
//! A sweep carries a correction one ring of elements far. Coarse nodes are the centroids of overlapping patches of a body; constraints that keep their distances are implied by those of the edges where these are rigid, and
//! a sweep over them carries a correction across a patch at once. The theory is in the book, on the page about coarse levels.
//!
//! | file | what it is |
//! |---|---|
//! | `rigid.rs` | the bodies whose edges keep their lengths |
//! | `graph.rs` | particles and edges, and the ways along them |
//! | `patches.rs` | overlapping patches of a graph, with weights that sum to one |
//! | `nodes.rs` | nodes with their masses, from the particles of bodies up to the coarsest |
//! | `transfer.rs` | centroids of patches, and displacements back to what they are made of |
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
    /// The levels, as the pins are now; none where too little can move.
    pub(crate) levels: Option<Hierarchy<T>>,
    /// Whether the levels are those of the pins as they are now.
    pub(crate) planned: bool,
}

impl<T: Scalar> Coarse<T> {
    /// Whether there are bodies to correct.
    pub(crate) fn is_asked_for(&self) -> bool {
        !self.bodies.is_empty()
    }
}

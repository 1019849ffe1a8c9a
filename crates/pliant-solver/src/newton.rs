//! Newton's method on the implicit step: what is elastic is solved as a whole.
//!
//! A substep of length h ends where the gradient of
//!
//! ```text
//! φ(x) = ½ (x − x̃)ᵀ M (x − x̃) + h² Σ E(x)
//! ```
//!
//! vanishes, x̃ being where the particles are predicted to be. Sweeps approach that one ring of elements at a time. A Newton step solves H Δx = −∇φ for all particles at once, with the Hessians of the energies made positive
//! semi-definite, by conjugate gradients with a multigrid V-cycle. The theory is in the book, on the page about Newton's method.
//!
//! | file | what it is |
//! |---|---|
//! | `system.rs` | H and ∇φ of the sets of constraints |
//! | `step.rs` | Newton steps with a line search |

use pliant_kernel::Scalar;

use self::system::System;

pub(crate) mod step;
pub(crate) mod system;

/// Newton's method for a simulation, if its settings ask for it.
pub(crate) struct Newton<T: Scalar> {
    /// Coordinates of the particles at the start, m, in the numbering of the simulation; none where the method is another.
    pub(crate) rest: Vec<[f64; 3]>,
    /// The system, as the pins are now; none where the method is another.
    pub(crate) system: Option<System<T>>,
    /// Whether a substep of the frame ended short of the accuracy that was asked for.
    pub(crate) missed: bool,
}

impl<T: Scalar> Newton<T> {
    /// Whether the settings ask for it.
    pub(crate) fn is_asked_for(&self) -> bool {
        !self.rest.is_empty()
    }
}

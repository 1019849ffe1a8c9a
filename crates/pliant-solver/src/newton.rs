//! Newton's method on the implicit step: all elastic constraints are solved together.
//!
//! A substep of length h ends where the gradient of
//!
//! ```text
//! φ(x) = ½ (x − x̃)ᵀ M (x − x̃) + h² Σ E(x)
//! ```
//!
//! vanishes, where x̃ are the predicted positions. Sweeps approach that state one ring of elements at a time.
//! A Newton step solves H Δx = −∇φ for all particles at once, with the Hessians of the energies made positive
//! semi-definite, by conjugate gradients with a multigrid W-cycle. The theory is in the book, on the page
//! about Newton's method.
//!
//! | file | what it is |
//! |---|---|
//! | `system.rs` | H and ∇φ of the sets of constraints |
//! | `step.rs` | Newton steps with a line search |
//! | `supports.rs` | what obstacles carry, with friction |
//! | `local.rs` | steps of the particles around strained constraints alone |
//! | `balance.rs` | no energy from what is left unsolved |
//! | `line.rs` | φ along the displacement of a part |
//! | `parts.rs` | what constraints connect, and how it moves |

use pliant_kernel::Scalar;

use self::system::System;

mod balance;
mod line;
mod local;
mod parts;
pub(crate) mod step;
mod supports;
pub(crate) mod system;

/// Newton's method for a simulation, if its settings ask for it.
pub(crate) struct Newton<T: Scalar> {
    /// Coordinates of the particles at the start, m, in the numbering of the simulation; empty with another method.
    pub(crate) rest: Vec<[f64; 3]>,
    /// The system for the present pins; `None` with another method.
    pub(crate) system: Option<System<T>>,
    /// Whether a substep of the frame ended without reaching the required accuracy.
    pub(crate) missed: bool,
}

impl<T: Scalar> Newton<T> {
    /// Whether the settings ask for it.
    pub(crate) fn is_asked_for(&self) -> bool {
        !self.rest.is_empty()
    }
}

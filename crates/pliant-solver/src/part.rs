//! [`Part`]: the particles of a body.

use std::ops::Range;

/// A named range of particles: a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name used in errors and outputs.
    pub name: String,
    /// Its particles.
    pub particles: Range<usize>,
}

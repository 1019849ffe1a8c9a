//! [`Driven`]: the constraints on which moving pins do work.

/// Moving pins and targets, and the constraints on which they do work.
pub(crate) struct Driven {
    /// Whether a particle is held by a pin that moves.
    pub(crate) moved: Vec<bool>,
    /// Groups with constraints on such particles, and the places of these.
    pub(crate) pulled: Vec<(usize, Vec<u32>)>,
    /// The groups that draw particles to targets, with the places of their constraints.
    pub(crate) targets: Vec<(usize, Vec<u32>)>,
    /// Indices of the tethers.
    pub(crate) tethers: Vec<u32>,
    /// Whether the impulses of all constraints on held particles are known.
    pub(crate) is_known: bool,
}

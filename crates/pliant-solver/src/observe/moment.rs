//! [`Moment`] and [`Work`]: the data of a pass for reports.

/// The part of a substep that a pass is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Held particles move: the substep before is over.
    Move,
    /// Constraints are projected: in the opposite order if sweeps go backward.
    Sweep,
    /// Velocities are derived: positions are final.
    Velocity,
    /// Anything else.
    Other,
}

/// The work that a pass has done on the particles, J, for the balance of energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Work {
    /// Only work that the balance finds by itself: of constraints, gravity and pins.
    #[default]
    Known,
    /// Work of contacts beyond that of their multipliers.
    Contacts(f64),
    /// Work of wind or other forces.
    Forces(f64),
}

//! [`Moment`] and [`Work`]: what those who look on know of a pass.

/// A part of a substep that others have to know of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// What is held moves on: the substep before is over.
    Move,
    /// Constraints are projected: in the opposite order where sweeps go backward.
    Sweep,
    /// Velocities are derived: positions are final.
    Velocity,
    /// Anything else.
    Other,
}

/// The work that a pass has done on the particles, J, for the balance of energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Work {
    /// None that the balance does not find by itself: constraints, gravity and pins.
    #[default]
    Known,
    /// By contacts, beyond what their multipliers say.
    Contacts(f64),
    /// By wind or other forces.
    Forces(f64),
}

//! [`ParticleError`]: lists of particles that cannot be simulated.

use std::fmt;

use thiserror::Error;

use crate::error::value::Value;

/// Lists of particles that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ParticleError {
    /// Positions and another list do not go together.
    #[error("there are {positions} positions but {found} {}", what.plural())]
    Counts {
        /// Number of positions.
        positions: usize,
        /// The quantity that has another number.
        what: ParticleQuantity,
        /// How many of them there are.
        found: usize,
    },
    /// A number is not finite, or negative where it cannot be.
    #[error("particle {particle} has the {what} {value}, which cannot be simulated")]
    Value {
        /// Number of the particle.
        particle: usize,
        /// The quantity that is invalid.
        what: ParticleQuantity,
        /// The value found.
        value: Value,
    },
    /// More particles than `u32` can number.
    #[error("{particles} particles are too many to be numbered; use fewer bodies or coarser meshes")]
    TooMany {
        /// Number of particles.
        particles: usize,
    },
}

/// A quantity of which every particle has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParticleQuantity {
    /// Its position, m.
    Position,
    /// Its velocity, m/s.
    Velocity,
    /// Its inverse mass, 1/kg.
    InverseMass,
    /// Its distance from obstacles, m.
    ContactRadius,
}

impl ParticleQuantity {
    fn plural(self) -> &'static str {
        match self {
            Self::Position => "positions",
            Self::Velocity => "velocities",
            Self::InverseMass => "inverse masses",
            Self::ContactRadius => "contact radii",
        }
    }
}

impl fmt::Display for ParticleQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::InverseMass => "inverse mass",
            Self::ContactRadius => "contact radius",
        })
    }
}

//! [`LiveError`]: the error of a call while a simulation runs.

use thiserror::Error;

use crate::error::BuildError;

/// A call that was refused. The simulation is as it was before.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// There is no such particle.
    #[error("there is no particle {particle}; the simulation has {particles}, numbered from 0")]
    NoParticle {
        /// The number that was given.
        particle: usize,
        /// Number of particles.
        particles: usize,
    },
    /// A handle of something that was removed, or of another simulation.
    #[error("this {what} does not exist or was removed; ask the simulation for its handles again")]
    Gone {
        /// The kind of the handle.
        what: &'static str,
    },
    /// A list has the wrong length.
    #[error("the list has {found} {what}; expected {expected}")]
    Length {
        /// What is listed.
        what: &'static str,
        /// Length of the list.
        found: usize,
        /// Length that it should have.
        expected: usize,
    },
    /// A particle cannot be pinned because it is held already.
    #[error("particle {particle} is fixed or held by a pin already; unpin it first")]
    Held {
        /// The particle.
        particle: usize,
    },
    /// A particle is listed twice.
    #[error("particle {particle} is listed twice; list every particle once")]
    Twice {
        /// The particle.
        particle: usize,
    },
    /// A number is out of range.
    #[error("the {what} is {value}; expected {expected}")]
    Number {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// There is no group of this name.
    #[error("there is no group of constraints \"{name}\"; the simulation has {}", known.join(", "))]
    NoGroup {
        /// The name that was given.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The compliances of a group cannot be changed in this way.
    #[error("the compliances of \"{group}\" cannot be changed: {problem}")]
    Compliance {
        /// Name of the group.
        group: String,
        /// Why.
        problem: &'static str,
    },
    /// A body cannot be removed because it is tied to another, or custom constraints act on it.
    #[error(
        "body \"{body}\" cannot be removed: it is stitched or attached to another body, or custom \
        constraints act on it"
    )]
    Tied {
        /// Name of the body.
        body: String,
    },
    /// The simulation was built without bodies.
    #[error("bodies can be added and removed only in simulations that are built from bodies")]
    NoBodies,
    /// The simulation has inserted passes, which refer to particles by number.
    #[error(
        "bodies cannot be added or removed while the simulation has inserted passes, which would then refer \
        to the wrong particles"
    )]
    OwnPasses,
    /// An added or changed part is invalid.
    #[error(transparent)]
    Description(#[from] BuildError),
}

/// The number, if it is one that can be used.
pub(crate) fn checked(
    what: &'static str,
    value: f64,
    expected: &'static str,
    is_good: bool,
) -> Result<f64, LiveError> {
    if is_good && value.is_finite() { Ok(value) } else { Err(LiveError::Number { what, value, expected }) }
}

/// A vector of finite numbers.
pub(crate) fn finite(
    what: &'static str,
    v: nalgebra::Vector3<f64>,
) -> Result<nalgebra::Vector3<f64>, LiveError> {
    match v.iter().find(|c| !c.is_finite()) {
        None => Ok(v),
        Some(&value) => Err(LiveError::Number { what, value, expected: "finite numbers" }),
    }
}

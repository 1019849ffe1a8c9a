//! [`LiveError`]: what is wrong with a call while a simulation runs.

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
    /// A handle is of something that is gone, or of another simulation.
    #[error("this {what} is not there (any more); ask the simulation for its handles again")]
    Gone {
        /// What it was a handle of.
        what: &'static str,
    },
    /// A list is not as long as what it is for.
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
        /// The names that there are.
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
    /// A body cannot be taken away because it is tied to another, or constraints of one's own act on it.
    #[error(
        "body \"{body}\" is stitched or attached to another, or constraints of one's own act on it, so it cannot be taken away"
    )]
    Tied {
        /// Name of the body.
        body: String,
    },
    /// The simulation was put together without bodies.
    #[error("bodies come and go only in simulations that are built of bodies")]
    NoBodies,
    /// The simulation has passes that number particles by themselves.
    #[error(
        "bodies cannot come and go beside passes of one's own: these would not know the particles any more"
    )]
    OwnPasses,
    /// What was added or changed makes no sense.
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

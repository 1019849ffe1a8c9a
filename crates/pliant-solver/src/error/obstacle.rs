//! [`ObstacleError`]: an invalid obstacle.

use std::fmt;

use thiserror::Error;

use crate::error::motion::MotionError;
use crate::error::value::Value;

/// An invalid obstacle.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("obstacle {obstacle}: {problem}")]
#[non_exhaustive]
pub struct ObstacleError {
    /// Number of the obstacle.
    pub obstacle: usize,
    /// What is wrong with it.
    pub problem: ObstacleProblem,
}

/// What is wrong with an obstacle.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ObstacleProblem {
    /// A parameter is invalid.
    #[error("{parameter} is {value}; expected {expected}")]
    Parameter {
        /// The parameter.
        parameter: ObstacleParameter,
        /// Its value.
        value: Value,
        /// What it should be.
        expected: &'static str,
    },
    /// Its motion cannot be evaluated.
    #[error("its motion is invalid: {0}")]
    Motion(#[from] MotionError),
}

/// A number of an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObstacleParameter {
    /// Normal of a plane.
    Normal,
    /// Offset of a plane.
    Offset,
    /// Centre of a ball or box.
    Centre,
    /// Radius of a ball or capsule.
    Radius,
    /// Half the extents of a box.
    HalfExtents,
    /// Corners of a container.
    Container,
    /// One end of a capsule.
    From,
    /// The other end of a capsule.
    To,
    /// Coefficient of friction for sliding.
    KineticFriction,
    /// Coefficient of friction for sticking.
    StaticFriction,
    /// Coefficient of restitution.
    Restitution,
}

impl fmt::Display for ObstacleParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Offset => "offset",
            Self::Centre => "centre",
            Self::Radius => "radius",
            Self::HalfExtents => "half extents",
            Self::Container => "container",
            Self::From => "from",
            Self::To => "to",
            Self::KineticFriction => "kinetic friction",
            Self::StaticFriction => "static friction",
            Self::Restitution => "restitution",
        })
    }
}

//! [`PinError`]: an invalid pin.

use nalgebra::Vector3;
use thiserror::Error;

use crate::error::motion::MotionError;
use crate::error::value::Value;

/// An invalid pin.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("pin {pin} of body \"{name}\" {problem}")]
#[non_exhaustive]
pub struct PinError {
    /// Number of the body; `None` for particles without a body.
    pub body: Option<usize>,
    /// Name of the body, or of the particles.
    pub name: String,
    /// Number of the pin among those of its body.
    pub pin: usize,
    /// What is wrong with it.
    pub problem: PinProblem,
}

/// What is wrong with a pin.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PinProblem {
    /// It selects no vertex.
    #[error("selects none of its {vertices} vertices{}", reaches(extent.as_ref()))]
    SelectsNothing {
        /// Number of vertices of the body.
        vertices: usize,
        /// The least and the greatest coordinates of the body, m.
        extent: Option<[Vector3<f64>; 2]>,
    },
    /// It refers to a vertex that does not exist.
    #[error("refers to vertex {vertex}, but the body has {vertices}")]
    OutOfRange {
        /// The vertex found.
        vertex: usize,
        /// Number of vertices of the body.
        vertices: usize,
    },
    /// Its motion cannot be evaluated.
    #[error("has an invalid motion: {0}")]
    Motion(#[from] MotionError),
    /// A body that shrinks has other vertices than the pin holds.
    #[error(
        "shrinks a body of {found} vertices, but holds {vertices}; it must hold all vertices of the body"
    )]
    ShrinkVertices {
        /// Number of vertices of the body that shrinks.
        found: usize,
        /// Number of vertices that the pin holds.
        vertices: usize,
    },
    /// The depth or the time of a body that shrinks is negative or not finite.
    #[error("shrinks its body by or until {0}; give a depth, m, and a time, s, of at least 0")]
    Shrink(f64),
    /// The time at which it releases its vertices is not finite.
    #[error("releases its vertices at {0} s; expected a finite time, s")]
    Release(f64),
    /// Its compliance is negative or not finite.
    #[error("has the compliance {0} m/N; give 0 (rigid) or a positive number")]
    Compliance(f64),
    /// The relaxation time of its damping is negative or not finite.
    #[error("has the relaxation time {0} s; give 0 (no damping) or a positive number")]
    Relaxation(f64),
}

fn reaches(extent: Option<&[Vector3<f64>; 2]>) -> String {
    extent.map_or_else(String::new, |&[low, high]| {
        format!(" (it reaches from {} to {})", Value::Vector(low), Value::Vector(high))
    })
}

//! [`Value`]: the value of a setting or parameter, in an error.

use std::fmt;

use nalgebra::Vector3;

/// An invalid value of a setting or parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(f64),
    /// A vector.
    Vector(Vector3<f64>),
    /// A range of vectors, from the least to the greatest coordinates.
    Range([Vector3<f64>; 2]),
    /// One of several choices, by its name in scenes.
    Choice(&'static str),
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Vector3<f64>> for Value {
    fn from(value: Vector3<f64>) -> Self {
        Self::Vector(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Vector(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
            Self::Range([low, high]) => write!(f, "{} to {}", Self::Vector(*low), Self::Vector(*high)),
            Self::Choice(name) => f.write_str(name),
        }
    }
}

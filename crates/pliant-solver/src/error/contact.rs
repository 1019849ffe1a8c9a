//! [`ContactError`]: invalid contact between surfaces.

use std::fmt;

use thiserror::Error;

use crate::collide::tally::Intersection;

/// Invalid contact between surfaces.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A number of a pair of bodies is invalid.
    #[error("contact of \"{}\" and \"{}\": its {parameter} is {value}; expected {expected}", bodies[0], bodies[1])]
    Parameter {
        /// Number of the [pair](crate::ContactPair).
        pair: usize,
        /// Names of the two bodies.
        bodies: [String; 2],
        /// The number.
        parameter: ContactParameter,
        /// Its value.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A pair with a body that does not collide.
    #[error(
        "contact of \"{}\" and \"{}\": no body that collides is called \"{unknown}\"; there are \"{}\"",
        bodies[0], bodies[1], known.join("\", \"")
    )]
    Unknown {
        /// Number of the [pair](crate::ContactPair).
        pair: usize,
        /// Names of the two bodies.
        bodies: [String; 2],
        /// The unknown name.
        unknown: String,
        /// Names of the bodies that collide.
        known: Vec<String>,
    },
    /// Surfaces that cross at the start, if that is [refused](crate::CrossingStart::Refuse).
    #[error(
        "{count} {} at the start, the first: {first}; move the bodies apart, or let the solver drive them \
        apart",
        if *count == 1 { "edge crosses a triangle" } else { "edges cross triangles" }
    )]
    Crosses {
        /// How many pairs there are.
        count: usize,
        /// The first of them.
        first: Intersection,
    },
}

/// A number of contact between surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContactParameter {
    /// Coefficient of friction for sticking.
    StaticFriction,
    /// Coefficient of friction for sliding.
    KineticFriction,
    /// Coefficient of restitution.
    Restitution,
    /// Compliance of a contact, m/N.
    Compliance,
}

impl fmt::Display for ContactParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StaticFriction => "static friction",
            Self::KineticFriction => "kinetic friction",
            Self::Restitution => "restitution",
            Self::Compliance => "contact compliance",
        })
    }
}

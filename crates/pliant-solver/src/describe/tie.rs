//! What stitches and attachments share: bodies by name or number, and the places of their vertices.

use std::fmt;

use nalgebra::Vector3;

use crate::build::placed::Placed;
use crate::error::BuildError;
use crate::error::tie::{TieError, TieNumber, TieProblem};

/// A body of a [`SimulationBuilder`](crate::SimulationBuilder): by its name, or by its number in the order in which bodies are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyRef {
    /// By number, from zero.
    Number(usize),
    /// By [name](crate::Body::name).
    Name(String),
}

impl BodyRef {
    /// The number of the body among all.
    pub(crate) fn among(&self, bodies: &[Placed<'_>]) -> Option<usize> {
        match self {
            Self::Number(i) => Some(*i).filter(|&i| i < bodies.len()),
            Self::Name(name) => bodies.iter().position(|at| at.name == *name),
        }
    }

    /// Keeps its meaning where the body of a number, and of a name if it is the one that is meant by that, is no longer there; says whether it is another one.
    pub(crate) fn without(&mut self, gone: usize, name: Option<&str>) -> bool {
        match self {
            Self::Number(number) if *number > gone => {
                *number -= 1;
                true
            }
            Self::Number(number) => *number != gone,
            Self::Name(of) => Some(of.as_str()) != name,
        }
    }
}

impl fmt::Display for BodyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => write!(f, "\"{name}\""),
        }
    }
}

impl From<usize> for BodyRef {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for BodyRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for BodyRef {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

/// What makes an error of a stitch or attachment.
pub(crate) struct Context<'a> {
    pub(crate) tie: TieNumber,
    pub(crate) name: Option<&'a String>,
    pub(crate) bodies: &'a [Placed<'a>],
}

impl<'a> Context<'a> {
    pub(crate) fn fault(&self, problem: impl Into<TieProblem>) -> BuildError {
        TieError { tie: self.tie, name: self.name.cloned(), problem: problem.into() }.into()
    }

    /// Refuses a relaxation time, s, that is negative or not finite.
    pub(crate) fn check_damping(&self, relaxation: f64) -> Result<(), BuildError> {
        if relaxation >= 0.0 && relaxation.is_finite() {
            Ok(())
        } else {
            Err(self.fault(TieProblem::Relaxation(relaxation)))
        }
    }

    /// The number of a body.
    pub(crate) fn find(&self, body: &BodyRef) -> Result<usize, BuildError> {
        body.among(self.bodies).ok_or_else(|| match body {
            BodyRef::Number(number) => {
                self.fault(TieProblem::NoBody { number: *number, bodies: self.bodies.len() })
            }
            BodyRef::Name(name) => {
                let known = self.bodies.iter().map(|at| at.name.clone()).collect();
                self.fault(TieProblem::NoBodyNamed { name: name.clone(), known })
            }
        })
    }

    pub(crate) fn body(&self, number: usize) -> &'a Placed<'a> {
        &self.bodies[number]
    }

    /// A vertex of a body as a particle.
    pub(crate) fn particle(&self, body: usize, vertex: u32) -> Result<u32, BuildError> {
        let at = self.body(body);
        if (vertex as usize) < at.particles.len() {
            Ok(at.first() + vertex)
        } else {
            let (body, vertices) = (at.name.clone(), at.particles.len());
            Err(self.fault(TieProblem::NoVertex { vertex, body, vertices }))
        }
    }
}

/// Picks from a list of positions.
pub(crate) fn pick(positions: &[Vector3<f64>], which: &[u32]) -> Vec<Vector3<f64>> {
    which.iter().map(|&v| positions[v as usize]).collect()
}

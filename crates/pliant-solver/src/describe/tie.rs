//! What stitches and attachments share: the bodies that they tie, and the places of their vertices.

use nalgebra::Vector3;

use crate::build::placed::Placed;
use crate::describe::body_ref::BodyRef;
use crate::error::BuildError;
use crate::error::tie::{TieError, TieNumber, TieProblem};

/// The data for errors of a stitch or attachment.
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
        body.among(self.bodies.iter().map(|at| at.name.as_str())).ok_or_else(|| match body {
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

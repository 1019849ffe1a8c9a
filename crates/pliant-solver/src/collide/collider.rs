//! [`Collider`]: a body that collides.

use pliant_contact::Mask;

use crate::describe::collide::Collide;
use crate::error::BuildError;
use crate::error::body::{BodyError, BodyPart, BodyProblem};

/// A body that collides.
#[derive(Debug, Clone)]
pub(crate) struct Collider {
    /// Its number among all bodies.
    pub(crate) number: usize,
    /// Its name.
    pub(crate) name: String,
    /// Number of its first particle, in the caller's numbering.
    pub(crate) first: usize,
    /// The triangles of its surface, in the caller's numbering.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Half of the thickness, m.
    pub(crate) radius: f64,
    /// How it meets others.
    pub(crate) collide: Collide,
}

impl Collider {
    /// An error about its surface.
    pub(super) fn fault(&self, problem: BodyProblem) -> BuildError {
        BodyError { body: self.number, name: self.name.clone(), part: BodyPart::Collision, problem }.into()
    }

    /// What it meets, in the words of a detector.
    pub(super) fn mask(&self) -> Mask {
        let Collide { groups, hits, itself, .. } = self.collide;
        Mask { groups, hits, itself }
    }
}

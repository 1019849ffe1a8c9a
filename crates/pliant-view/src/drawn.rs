//! [`Drawn`]: a body as it is drawn.

use std::ops::Range;

use pliant_io::Mesh;
use pliant_scene::{BuiltBody, Visual};

/// A body as it is drawn: its name, its mesh, and which particles are its vertices.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// Its particles, one for each vertex of the mesh.
    pub particles: Range<usize>,
    /// The simulated mesh.
    pub mesh: Mesh,
    /// The mesh without stress, if it is another.
    pub rest: Option<Mesh>,
    /// The fine surface that it carries, which is drawn in its place.
    pub visual: Option<Visual>,
    /// Whether it is an obstacle, which has no colour of its own.
    pub is_obstacle: bool,
}

impl Drawn {
    /// A body of a simulation whose vertices are these particles.
    #[must_use]
    pub fn new(name: impl Into<String>, particles: Range<usize>, mesh: Mesh) -> Self {
        Self { name: name.into(), particles, mesh, rest: None, visual: None, is_obstacle: false }
    }
}

impl From<&BuiltBody> for Drawn {
    fn from(body: &BuiltBody) -> Self {
        Self {
            name: body.name.clone(),
            particles: body.particles.clone(),
            mesh: body.mesh.clone(),
            rest: Some(body.rest_mesh().clone()),
            visual: body.visual.clone(),
            is_obstacle: false,
        }
    }
}

//! [`Tethers`]: every vertex of a body kept within reach of the nearest pin.
//!
//! A tether is as long as the path along the mesh at rest, and follows the pinned vertex that it is tied to.
//! Whenever a pin is released, the paths are found again from the remaining pins.

use nalgebra::Vector3;
use pliant_constraints::Tether;
use pliant_kernel::{Particles, widen};
use pliant_mesh::{Geodesics, STEINER_POINTS};

use crate::build::constraints::Constraints;
use crate::describe::body_shape::BodyShape;
use crate::error::BuildError;
use crate::level::RunningSet;
use pliant_kernel::Scalar;

/// A body that is tied to its pins.
#[derive(Debug, Clone)]
pub(crate) struct Tethered {
    /// Its first particle, in the caller's numbering.
    pub(crate) first: u32,
    /// The mesh at rest.
    pub(crate) shape: BodyShape,
    /// The share by which a tether is longer than the path.
    pub(crate) slack: f64,
}

/// The tethers of a running simulation: one constraint for every vertex of the bodies, in their order.
pub(crate) struct Tethers {
    /// Their group of constraints.
    pub(crate) group: usize,
    pub(crate) bodies: Vec<Tethered>,
    pub(crate) anchors: Vec<Anchor>,
}

/// A pinned vertex and the constraints that are tied to it.
pub(crate) struct Anchor {
    /// The vertex, in the numbering of the simulation.
    pub(crate) particle: usize,
    /// Its position when the constraints were last updated, m.
    pub(crate) at: Vector3<f64>,
    /// Constraints and their lengths, m.
    pub(crate) tied: Vec<(usize, f64)>,
}

impl Tethered {
    pub(crate) fn len(&self) -> usize {
        self.shape.positions().len()
    }

    /// Paths along the mesh from some of its vertices.
    pub(crate) fn ways(&self, sources: &[u32]) -> Geodesics {
        match &self.shape {
            BodyShape::Cloth(mesh, _) => mesh.geodesics(sources, STEINER_POINTS),
            BodyShape::Solid(mesh, _) => mesh.geodesics(sources),
        }
    }
}

impl Tethers {
    /// Tethers of the given bodies, if there are any, that are not tied yet.
    pub(crate) fn new(bodies: Vec<Tethered>, group: usize) -> Option<Self> {
        (!bodies.is_empty()).then_some(Self { group, bodies, anchors: Vec::new() })
    }

    /// A constraint for every vertex, not yet tied to a pin.
    pub(crate) fn constraints(&self) -> Result<Constraints, BuildError> {
        let vertices = self.bodies.iter().flat_map(|body| (body.first..).take(body.len()));
        let stencils: Vec<_> = vertices.map(|v| [v]).collect();
        let kinds = vec![Tether { anchor: Vector3::zeros(), length: 0.0 }; stencils.len()];
        Constraints::new("tethers", stencils, kinds, vec![0.0])
    }

    /// Constraints that are tied, each with its anchor, a particle in the numbering of the simulation.
    pub(crate) fn tied(&self) -> impl Iterator<Item = (usize, usize)> {
        self.anchors
            .iter()
            .flat_map(|anchor| anchor.tied.iter().map(|&(constraint, _)| (constraint, anchor.particle)))
    }

    /// Updates the constraints of the anchors that have moved.
    pub(crate) fn follow<T: Scalar>(&mut self, particles: &Particles<T>, sets: &mut [RunningSet<T>]) {
        let set = &mut sets[self.group].set;
        for anchor in &mut self.anchors {
            let at = widen(&particles.now[anchor.particle].x);
            if at != anchor.at {
                anchor.at = at;
                for &(constraint, length) in &anchor.tied {
                    set.set_rest(constraint, &[at.x, at.y, at.z, length]);
                }
            }
        }
    }
}

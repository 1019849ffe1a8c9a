//! [`Meeting`]: the surfaces that meet, as the scene gives them.

use nalgebra::Vector3;
use pliant_contact::{Surface, SurfaceError, Ties};
use pliant_kernel::Scalar;

use super::collider::Collider;
use super::set::CollisionSet;
use crate::build::constraints::Constraints;
use crate::build::typed::{GroupData, PlanContext};
use crate::error::BuildError;
use crate::set::constraint_set::ConstraintSet;

/// Surfaces that meet.
#[derive(Debug)]
pub(crate) struct Meeting {
    pub(crate) colliders: Vec<Collider>,
    /// Where every particle rests, m, in the caller's numbering.
    pub(crate) rest: Vec<Vector3<f64>>,
    /// Particles that are sewn or attached to each other.
    pub(crate) ties: Vec<[u32; 2]>,
}

impl Meeting {
    /// The group of contacts.
    pub(crate) fn into_constraints(self) -> Result<Constraints, BuildError> {
        surface(&self.colliders, self.rest.len(), |v| v).map_err(|error| {
            let body = match error {
                SurfaceError::OutOfRange { body, .. }
                | SurfaceError::RepeatedCorner { body, .. }
                | SurfaceError::Duplicate { body, .. }
                | SurfaceError::SharedParticle { body, .. } => self.colliders[body].name.clone(),
                SurfaceError::TooMany { .. } => String::new(),
            };
            BuildError::Material { body, of: "collision", problem: error.to_string() }
        })?;
        Ok(Constraints::of_data("collisions".into(), "m", Box::new(self)))
    }

    fn build<T: Scalar>(self, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<T>> {
        let internal = |v: u32| context.to_internal.map_or(v, |map| map[v as usize]);
        let surface = surface(&self.colliders, self.rest.len(), internal)
            .expect("it was one before the particles were given new numbers");
        let mut rest = vec![Vector3::zeros(); self.rest.len()];
        for (v, x) in (0_u32..).zip(&self.rest) {
            rest[internal(v) as usize] = pliant_constraints::splat_vector(x);
        }
        let ties: Vec<_> = self.ties.iter().map(|pair| pair.map(internal)).collect();
        Box::new(CollisionSet::<T>::new(surface, self.colliders, rest, Ties::new(&ties), context))
    }
}

/// The surface over particles in another numbering.
fn surface(
    colliders: &[Collider],
    particles: usize,
    number: impl Fn(u32) -> u32,
) -> Result<Surface, SurfaceError> {
    let lists: Vec<Vec<[u32; 3]>> =
        colliders.iter().map(|body| body.triangles.iter().map(|t| t.map(&number)).collect()).collect();
    let lists: Vec<&[[u32; 3]]> = lists.iter().map(Vec::as_slice).collect();
    Surface::new(particles, &lists)
}

impl GroupData for Meeting {
    fn len(&self) -> usize {
        0
    }

    fn points(&self) -> usize {
        4
    }

    fn is_dynamic(&self) -> bool {
        true
    }

    fn first_out_of_range(&self, _: usize) -> Option<(usize, u32)> {
        None
    }

    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f32>> {
        (*self).build(context)
    }

    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>> {
        (*self).build(context)
    }
}

//! [`Meeting`]: the surfaces that meet, as the scene gives them.

use std::borrow::Cow;

use nalgebra::Vector3;
use pliant_contact::{Surface, SurfaceError, Ties};
use pliant_kernel::Scalar;

use super::collider::Collider;
use super::law::Laws;
use super::set::{CollisionSet, LEAST};
use super::skin::Carried;
use crate::build::constraints::Constraints;
use crate::build::typed::{GroupData, PlanContext};
use crate::describe::contact_pair::ContactPair;
use crate::error::BuildError;
use crate::error::body::BodyProblem;
use crate::set::constraint_set::ConstraintSet;

/// Surfaces that meet.
#[derive(Debug)]
pub(crate) struct Meeting {
    pub(crate) colliders: Vec<Collider>,
    /// Where every particle rests, m, in the caller's numbering, and behind them every vertex of a skin.
    pub(crate) rest: Vec<Vector3<f64>>,
    /// The vertices of skins, body by body.
    pub(crate) skins: Vec<Carried>,
    /// Particles that are sewn or attached to each other.
    pub(crate) ties: Vec<[u32; 2]>,
    /// Pairs of bodies, by their places, that meet in a way of their own.
    pub(crate) pairs: Vec<([u32; 2], ContactPair)>,
}

/// What the net never gives up must be this many steps of the number type at the farthest coordinate.
const STEPS: f64 = 16.0;

impl Meeting {
    /// Refuses thicknesses that the number type cannot distinguish from zero at these positions, m, or that are larger
    /// than their body.
    pub(crate) fn check_resolution<T: Scalar>(&self, positions: &[Vector3<f64>]) -> Result<(), BuildError> {
        let positions = extended(positions, &self.skins);
        for body in &self.colliders {
            let corners = || body.triangles.iter().flatten().map(|&v| v as usize);
            let farthest = corners().map(|v| positions[v].amax()).fold(0.0, f64::max);
            let coarse = STEPS * T::EPSILON * farthest;
            let thickness = 2.0 * body.radius;
            if LEAST * thickness < coarse {
                let needed = coarse / LEAST;
                return Err(body.fault(BodyProblem::Thin { thickness, farthest, needed }));
            }
            let extent = (0..3)
                .map(|axis| {
                    let of = || corners().map(|v| self.rest[v][axis]);
                    of().fold(f64::NEG_INFINITY, f64::max) - of().fold(f64::INFINITY, f64::min)
                })
                .fold(0.0, f64::max);
            if thickness > extent {
                return Err(body.fault(BodyProblem::Thick { thickness, extent }));
            }
        }
        Ok(())
    }

    /// The surface of all of them, in the caller's numbering.
    pub(super) fn surface(&self) -> Result<Surface, BuildError> {
        surface(&self.colliders, self.rest.len(), |v| v).map_err(|error| {
            let body = match error {
                SurfaceError::OutOfRange { body, .. }
                | SurfaceError::RepeatedCorner { body, .. }
                | SurfaceError::Duplicate { body, .. }
                | SurfaceError::SharedParticle { body, .. } => body,
                // All of them together are too many.
                SurfaceError::TooMany { .. } => 0,
            };
            self.colliders[body].fault(error.into())
        })
    }

    /// The group of contacts.
    pub(crate) fn into_constraints(self) -> Result<Constraints, BuildError> {
        self.surface()?;
        Ok(Constraints::of_data("collisions".into(), "m", Box::new(self)))
    }

    fn build<T: Scalar>(self, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<T>> {
        // Vertices of skins keep their numbers.
        let internal = |v: u32| context.to_internal.and_then(|map| map.get(v as usize)).copied().unwrap_or(v);
        let surface = surface(&self.colliders, self.rest.len(), internal)
            .expect("it was one before the particles were given new numbers");
        let mut rest = vec![Vector3::zeros(); self.rest.len()];
        for (v, x) in (0_u32..).zip(&self.rest) {
            rest[internal(v) as usize] = pliant_constraints::splat_vector(x);
        }
        let ties: Vec<_> = self.ties.iter().map(|pair| pair.map(internal)).collect();
        let laws = Laws::new(&self.colliders, &self.pairs);
        let mut skins = self.skins;
        skins.iter_mut().for_each(|vertex| vertex.corners = vertex.corners.map(internal));
        let surfaces = (surface, skins);
        Box::new(CollisionSet::<T>::new(surfaces, self.colliders, laws, rest, Ties::new(&ties), context))
    }
}

/// The positions of all particles, m, and behind them those of the vertices of skins.
pub(super) fn extended<'a>(positions: &'a [Vector3<f64>], skins: &[Carried]) -> Cow<'a, [Vector3<f64>]> {
    if skins.is_empty() {
        return Cow::Borrowed(positions);
    }
    let places = skins.iter().map(|vertex| vertex.place(positions));
    Cow::Owned(positions.iter().copied().chain(places).collect())
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

    #[cfg(feature = "f64")]
    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>> {
        (*self).build(context)
    }
}

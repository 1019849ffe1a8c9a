//! [`ObstacleContact`]: what presses on obstacles of shapes, for programs that ask while they run.

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use super::World;
use crate::live::state::ObstacleId;

/// A particle that pressed on an [`Obstacle`](crate::Obstacle) in the last substep.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObstacleContact {
    /// The obstacle.
    pub obstacle: ObstacleId,
    /// The body of the particle, as a place in [`body_ranges`](crate::World::body_ranges).
    pub body: usize,
    /// The particle, in the numbering of the simulation.
    pub particle: usize,
    /// The point of the surface that is nearest to it, m.
    pub point: Vector3<f64>,
    /// Unit normal of the surface, out of the obstacle.
    pub normal: Vector3<f64>,
    /// How far the particle is from the surface along it, m.
    pub distance: f64,
    /// What the particle got from the obstacle in that substep, N·s: pressure and friction. Divided by the
    /// length of the substep it is a force.
    pub impulse: Vector3<f64>,
}

impl<T: Scalar> World<T> {
    pub(crate) fn obstacle_contacts_here(&self) -> Vec<ObstacleContact> {
        let (now, h) = (&self.fine.particles.now, self.last_h);
        let mut found = Vec::new();
        if h <= 0.0 {
            return found;
        }
        for (at, obstacle) in self.obstacles().enumerate() {
            found.extend(self.contacts.pressed(self.surfaces_of_obstacle(at), now).map(|pressed| {
                let particle = self.caller(pressed.particle);
                ObstacleContact {
                    obstacle,
                    body: self.body_ranges.partition_point(|part| part.particles.end <= particle),
                    particle,
                    point: pliant_kernel::widen(&now[pressed.particle].x) - pressed.normal * pressed.gap,
                    normal: pressed.normal,
                    distance: pressed.gap,
                    impulse: pressed.push / h,
                }
            }));
        }
        found
    }
}

//! Obstacles are added, removed and moved while a simulation runs.

use std::ops::Range;

use pliant_kernel::Scalar;

use crate::describe::motion::Motion;
use crate::describe::obstacle::Obstacle;

use super::geometry::geometries;
use super::thin::Thin;
use super::{Contact, Contacts, LocalFrame, Surface};

impl<T: Scalar> Contacts<T> {
    /// Adds an obstacle after the others, at the pose of `motion` at `time`, s.
    pub(crate) fn add(&mut self, obstacle: &Obstacle, motion: &Motion, time: f64) {
        let frame = LocalFrame::new(&motion.pose(time));
        for geometry in geometries(&obstacle.shape) {
            self.surfaces.push(Surface {
                geometry,
                thin: Thin::of(&obstacle.shape),
                static_friction: T::splat(obstacle.static_friction),
                kinetic_friction: T::splat(obstacle.kinetic_friction),
                restitution: T::splat(obstacle.restitution),
                motion: motion.clone(),
                now: frame,
                before: frame,
                contacts: vec![Contact::none(); self.radius.len()],
            });
        }
    }

    /// Removes surfaces.
    pub(crate) fn remove(&mut self, surfaces: Range<usize>) {
        self.surfaces.drain(surfaces);
    }

    /// Gives surfaces another motion.
    pub(crate) fn set_motion(&mut self, surfaces: Range<usize>, motion: &Motion) {
        for surface in &mut self.surfaces[surfaces] {
            surface.motion.clone_from(motion);
        }
    }
}

//! Queries of surfaces that meet.

use pliant_kernel::Scalar;

use super::World;
use crate::collide::query::SurfaceContact;
use crate::collide::tally::Tally;

impl<T: Scalar> World<T> {
    /// The tally of contact between surfaces in the present state, if there is any.
    pub(crate) fn collisions(&self) -> Option<Tally> {
        self.fine.sets.iter().find_map(|running| running.set.tally(&self.fine.particles.now))
    }

    /// Whether held particles left no room between surfaces in the last frame.
    pub(crate) fn is_pinched(&self) -> bool {
        self.fine.sets.iter().any(|running| running.set.is_pinched())
    }

    pub(crate) fn contacts_here(&self) -> Vec<SurfaceContact> {
        let part_of =
            |particle: usize| self.body_ranges.partition_point(|part| part.particles.end <= particle);
        let mut found = Vec::new();
        for running in &self.fine.sets {
            running.set.contacts(&self.fine.particles.now, self.last_h, &part_of, &mut found);
        }
        found
    }
}

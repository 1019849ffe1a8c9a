//! [`Places`]: positions and steps where lanes read them at once.

use nalgebra::Vector3;
use pliant_kernel::{Lanes, Particle, Spots, Team, Wide};

use super::rules::Paths;

/// Particles that are copied together.
const PIECE: usize = 4096;

/// Positions and steps of all particles, as particles without mass: eight are read side by side.
pub(super) struct Places<T: Wide> {
    pub(super) at: Vec<Particle<T>>,
    pub(super) by: Vec<Particle<T>>,
}

impl<T: Wide> Default for Places<T> {
    fn default() -> Self {
        Self { at: Vec::new(), by: Vec::new() }
    }
}

impl<T: Wide> Places<T> {
    /// Copies those of some paths.
    pub(super) fn take(&mut self, paths: &Paths<'_, T>, team: Team<'_>) {
        for (to, from) in [(&mut self.at, paths.positions), (&mut self.by, paths.steps)] {
            to.resize(from.len(), Particle::new(Vector3::zeros(), T::zero()));
            team.for_each(to.chunks_mut(PIECE).zip(from.chunks(PIECE)), |(to, from)| {
                for (to, from) in to.iter_mut().zip(from) {
                    to.x = *from;
                }
            });
        }
    }

    /// Positions and steps of particles in the lanes from `lane` on.
    #[inline(always)]
    pub(super) fn gather<L: Lanes<T>, const N: usize>(
        &self,
        spots: &[Spots<T>; N],
        lane: usize,
    ) -> ([Vector3<L>; N], [Vector3<L>; N]) {
        let nothing = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
        let (mut at, mut by) = (nothing, nothing);
        for ((at, by), spots) in at.iter_mut().zip(&mut by).zip(spots) {
            (*at, _) = spots.gather::<L>(&self.at, lane);
            (*by, _) = spots.gather::<L>(&self.by, lane);
        }
        (at, by)
    }
}

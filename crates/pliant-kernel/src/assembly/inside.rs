//! [`Inside`]: which points of constraints have sums that are wanted.

use crate::lanes::{PACK, particle_at};
use crate::linear::Eight;
use crate::number::Number;
use crate::packs::{Given, NONE};

/// Whether the sums of a particle are wanted; those of all are without a list.
#[inline]
pub(super) fn is_wanted(only: Option<&[bool]>, particle: u32) -> bool {
    only.is_none_or(|only| only.get(particle as usize).is_some_and(|wanted| *wanted))
}

/// Whether this is so for one at these offsets.
#[inline]
pub(super) fn has_wanted<T: Number>(only: Option<&[bool]>, offsets: &[u32; PACK]) -> bool {
    // All eight, without branches.
    offsets.iter().fold(false, |any, &offset| any | is_wanted(only, particle_at::<T>(offset)))
}

/// Which points of eight constraints are among the particles whose sums are wanted.
pub(super) struct Inside<const N: usize> {
    /// In the order of the pack.
    points: [[bool; PACK]; N],
    /// In the order of the caller.
    stencils: [[bool; PACK]; N],
}

impl<const N: usize> Inside<N> {
    /// Those of the constraints of a pack; `None` if there is none.
    pub(super) fn of<T: Number>(only: &[bool], given: &Given<'_, T, N>) -> Option<Self> {
        if given.points().iter().all(|row| !has_wanted::<T>(Some(only), row)) {
            return None;
        }
        let mut inside = Self { points: [[false; PACK]; N], stencils: [[false; PACK]; N] };
        for (row, offsets) in inside.points.iter_mut().zip(given.points()) {
            *row = offsets.map(|offset| is_wanted(Some(only), particle_at::<T>(offset)));
        }
        for lane in 0..PACK {
            for (row, particle) in inside.stencils.iter_mut().zip(given.stencil(lane)) {
                row[lane] = is_wanted(Some(only), particle);
            }
        }
        Some(inside)
    }

    /// Whether a constraint has such a point.
    pub(super) fn touches(&self, lane: usize) -> bool {
        self.points.iter().any(|row| row[lane])
    }

    /// The impulses at all other points become zero.
    pub(super) fn restrict<T: Number, const M: usize>(&self, eight: &mut Eight<T, N, M>) {
        for (row, impulses) in self.points.iter().zip(&mut eight.impulses) {
            for (lane, _) in row.iter().enumerate().filter(|(_, inside)| !**inside) {
                impulses.iter_mut().for_each(|axis| axis[lane] = T::zero());
            }
        }
    }

    /// The places of the blocks of two points; [`NONE`] where neither is inside.
    pub(super) fn places(&self, j: usize, k: usize, places: &[u32; PACK]) -> [u32; PACK] {
        let [j, k] = [&self.stencils[j], &self.stencils[k]];
        std::array::from_fn(|lane| if j[lane] || k[lane] { places[lane] } else { NONE })
    }
}

//! [`Inside`]: which points of constraints have sums that are wanted.

use super::{Rows, nowhere};
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
#[inline(never)]
pub(super) fn have_wanted<T: Number>(only: &[bool], rows: &[[u32; PACK]]) -> bool {
    let is_wanted = |&offset: &u32| is_wanted(Some(only), particle_at::<T>(offset));
    // All eight of a row, without branches.
    rows.iter().any(|row| row.iter().fold(false, |any, offset| any | is_wanted(offset)))
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
    #[inline(never)]
    pub(super) fn of<T: Number>(only: &[bool], given: &Given<'_, T, N>) -> Option<Self> {
        if !have_wanted::<T>(only, given.points()) {
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
    fn touches(&self, lane: usize) -> bool {
        self.points.iter().any(|row| row[lane])
    }

    /// The impulses at all other points become zero.
    pub(super) fn restrict<T: Number, const M: usize>(&self, eight: &mut Eight<T, N, M>) {
        restrict(&self.points, &mut eight.impulses);
    }

    /// Stores the multipliers of the constraints that have such a point.
    pub(super) fn keep<T: Number, const M: usize>(&self, lambda: &mut [[T; PACK]], found: &[[T; PACK]; M]) {
        keep(std::array::from_fn(|lane| self.touches(lane)), lambda, found);
    }

    /// Of the places of the blocks those of two points of which one is inside, others [`NONE`].
    #[inline(never)]
    pub(super) fn places(&self, places: &Rows<N>) -> Rows<N> {
        let mut those = nowhere();
        for (j, k) in (0..N).flat_map(|j| (j..N).map(move |k| (j, k))) {
            // Places on the diagonal are in the order of the pack.
            let of = if j == k { &self.points } else { &self.stencils };
            let place = |lane: usize| if of[j][lane] || of[k][lane] { places[j][k][lane] } else { NONE };
            those[j][k] = std::array::from_fn(place);
        }
        those
    }
}

// These are compiled once, and not for each kind of constraint.

#[inline(never)]
fn restrict<T: Number>(points: &[[bool; PACK]], impulses: &mut [[[T; PACK]; 3]]) {
    for (row, impulses) in points.iter().zip(impulses) {
        for (lane, _) in row.iter().enumerate().filter(|(_, inside)| !**inside) {
            impulses.iter_mut().for_each(|axis| axis[lane] = T::zero());
        }
    }
}

#[inline(never)]
fn keep<T: Number>(touches: [bool; PACK], lambda: &mut [[T; PACK]], found: &[[T; PACK]]) {
    for (lambda, found) in lambda.iter_mut().zip(found) {
        for lane in (0..PACK).filter(|&lane| touches[lane]) {
            lambda[lane] = found[lane];
        }
    }
}

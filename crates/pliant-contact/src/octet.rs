//! [`Octet`]: eight boxes side by side.

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_kernel::{Lanes, PACK};

/// Directions beside the axes along which triangles are compared: sums and differences of two axes.
pub(crate) const DIAGONALS: usize = 6;

/// The projections of a point on them.
#[inline(always)]
pub(crate) fn diagonals<R: Real>(x: &Vector3<R>) -> [R; DIAGONALS] {
    [x.x + x.y, x.x - x.y, x.y + x.z, x.y - x.z, x.z + x.x, x.z - x.x]
}

/// Eight ranges side by side along each of some directions; of boxes, along the three axes.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Octet<const N: usize> {
    pub(crate) low: [[f32; PACK]; N],
    pub(crate) high: [[f32; PACK]; N],
}

impl<const N: usize> Octet<N> {
    /// Ranges that nothing meets.
    pub(crate) const EMPTY: Self =
        Self { low: [[f32::INFINITY; PACK]; N], high: [[f32::NEG_INFINITY; PACK]; N] };

    /// The ranges in a lane, in every lane.
    #[inline(always)]
    pub(crate) fn ends<L: Lanes<f32>>(&self, lane: usize) -> [[L; N]; 2] {
        self.everywhere(lane, &[[L::zero(); N]; 2])
    }

    /// The ranges in a lane, displaced by anything between two displacements, in every lane.
    #[inline(always)]
    pub(crate) fn everywhere<L: Lanes<f32>>(&self, lane: usize, by: &[[L; N]; 2]) -> [[L; N]; 2] {
        let mut ends = *by;
        for (ends, rows) in ends.iter_mut().zip([&self.low, &self.high]) {
            for (end, row) in ends.iter_mut().zip(rows) {
                *end += L::splat(f64::from(row[lane]));
            }
        }
        ends
    }

    /// A bit for each whose ranges all meet these.
    #[inline(always)]
    pub(crate) fn meets<L: Lanes<f32>>(&self, ends: &[[L; N]; 2]) -> u32 {
        let mut bits = 0;
        for lane in (0..PACK).step_by(L::WIDTH) {
            bits |= L::bits(self.meets_from(lane, ends)) << lane;
        }
        bits
    }

    /// Which of those in the lanes from `lane` on meet these along all directions.
    #[inline(always)]
    pub(crate) fn meets_from<L: Lanes<f32>>(&self, lane: usize, [low, high]: &[[L; N]; 2]) -> L::Mask {
        // Comparisons do not wait for each other; the search goes on where they end.
        let mut all = L::load(&self.low[0][lane..]).le(high[0]);
        for k in 0..N {
            if k > 0 {
                all = L::both(all, L::load(&self.low[k][lane..]).le(high[k]));
            }
            all = L::both(all, low[k].le(L::load(&self.high[k][lane..])));
        }
        all
    }
}

//! [`Boxed`]: the boxes of the triangles of a patch, along the axes and along diagonals.
//!
//! Along an axis rounding to single precision keeps the order of points, so that boxes of what meets still meet. Along a
//! diagonal, the sum or the difference of two coordinates up to M, both roundings and that of the sum come to 2 ε M at most;
//! boxes are larger by twice that.

use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Spots};
use wide::f32x4;

use super::grid::{Bounds, LARGEST};
use crate::octet::{DIAGONALS, Octet, diagonals};
use crate::patches::{Patch, ROWS};

/// Boxes of a patch.
#[derive(Clone)]
pub(super) struct Boxed {
    /// Those of the triangles, row by row, and those around rows.
    pub(super) triangles: [Octet<3>; ROWS],
    pub(super) slabs: [Octet<DIAGONALS>; ROWS],
    pub(super) rows: Octet<3>,
    /// A bit for each triangle of a row.
    pub(super) lanes: [u8; ROWS],
    /// The box around all, along the axes.
    pub(super) bounds: Bounds,
}

impl Boxed {
    pub(super) const NEW: Self = Self {
        triangles: [Octet::EMPTY; ROWS],
        slabs: [Octet::EMPTY; ROWS],
        rows: Octet::EMPTY,
        lanes: [0; ROWS],
        bounds: Bounds { low: f32x4::ZERO, high: f32x4::ZERO },
    };

    /// The box around all, in every lane.
    #[inline(always)]
    pub(super) fn ends<L: Lanes<f32>>(&self) -> [[L; 3]; 2] {
        let mut ends = [[L::zero(); 3]; 2];
        for (to, from) in ends.iter_mut().zip([self.bounds.low, self.bounds.high]) {
            let from = from.to_array();
            for k in 0..3 {
                to[k] = L::splat(f64::from(from[k]));
            }
        }
        ends
    }
}

/// Finds the boxes of some patches.
pub(super) struct Fit<'a> {
    pub(super) points: &'a [Particle<f32>],
    pub(super) patches: &'a [Patch],
    pub(super) boxes: &'a mut [Boxed],
}

impl LaneJob<f32> for Fit<'_> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        let Self { points, patches, boxes } = self;
        for (patch, boxed) in patches.iter().zip(boxes) {
            let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
            for row in 0..patch.rows {
                let lanes = patch.lanes(row);
                let spots = Spots::of_rows(&patch.filled(row));
                let (octet, slabs) = (&mut boxed.triangles[row], &mut boxed.slabs[row]);
                for lane in (0..PACK).step_by(L::WIDTH) {
                    let (a, _) = spots[0].gather::<L>(points, lane);
                    let (b, _) = spots[1].gather::<L>(points, lane);
                    let (c, _) = spots[2].gather::<L>(points, lane);
                    let mut farthest = L::zero();
                    for k in 0..3 {
                        farthest = farthest.max(a[k].abs()).max(b[k].abs()).max(c[k].abs());
                    }
                    let mut noise = farthest * L::splat(4.0 * f64::from(f32::EPSILON));
                    // What has been brought nearer says nothing about diagonals.
                    noise =
                        L::select(farthest.lt(L::splat(f64::from(LARGEST))), noise, L::splat(f64::INFINITY));
                    for k in 0..3 {
                        a[k].min(b[k]).min(c[k]).store(&mut octet.low[k][lane..]);
                        a[k].max(b[k]).max(c[k]).store(&mut octet.high[k][lane..]);
                    }
                    let (a, b, c) = (diagonals(&a), diagonals(&b), diagonals(&c));
                    for k in 0..DIAGONALS {
                        (a[k].min(b[k]).min(c[k]) - noise).store(&mut slabs.low[k][lane..]);
                        (a[k].max(b[k]).max(c[k]) + noise).store(&mut slabs.high[k][lane..]);
                    }
                }
                for k in 0..3 {
                    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
                    for lane in 0..PACK {
                        least = if octet.low[k][lane] < least { octet.low[k][lane] } else { least };
                        most = if octet.high[k][lane] > most { octet.high[k][lane] } else { most };
                    }
                    (boxed.rows.low[k][row], boxed.rows.high[k][row]) = (least, most);
                    low[k] = if least < low[k] { least } else { low[k] };
                    high[k] = if most > high[k] { most } else { high[k] };
                }
                boxed.lanes[row] = lanes;
            }
            (low[3], high[3]) = (0.0, 0.0);
            boxed.bounds = Bounds { low: f32x4::new(low), high: f32x4::new(high) };
        }
    }
}

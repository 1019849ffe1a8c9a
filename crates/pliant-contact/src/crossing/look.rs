//! [`Look`]: pairs of triangles that share no particle and may have a point in common.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable};

use super::boxes::Boxed;
use super::sieve::{Candidate, Tray};
use crate::Surface;
use crate::patches::Patch;

/// Looks through pairs of patches.
pub(super) struct Look<'a, 'p> {
    pub(super) surface: &'a Surface,
    pub(super) patches: &'a [Patch],
    pub(super) boxes: &'a [Boxed],
    /// Patches whose boxes meet; one with itself, too.
    pub(super) near: &'a [[u32; 2]],
    /// Where pairs of triangles go.
    pub(super) tray: &'a mut Tray<'p>,
}

impl LaneJob<f32> for Look<'_, '_> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        let Self { surface, patches, boxes, near, tray } = self;
        for &[number, other] in near {
            let (patch, own) = (&patches[number as usize], &boxes[number as usize]);
            let (of, it) = (&patches[other as usize], &boxes[other as usize]);
            let (is_one, are_of_one) = (other == number, patch.body == of.body);
            let around = it.ends::<L>();
            for row in 0..patch.rows {
                let mut rows = it.rows.meets(&own.rows.ends::<L>(row));
                if is_one {
                    rows &= !0 << row;
                }
                if rows == 0 {
                    continue;
                }
                // Most of a row is nowhere near another patch.
                let mut lanes = u32::from(own.lanes[row]) & own.triangles[row].meets(&around);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let ends = own.triangles[row].ends::<L>(lane);
                    let mut rows = rows & it.rows.meets(&ends);
                    let mine = [0, 1, 2].map(|k| patch.corners[row][k][lane]);
                    while rows != 0 {
                        let there = rows.trailing_zeros() as usize;
                        rows &= rows - 1;
                        let mut bits = it.triangles[there].meets(&ends) & u32::from(it.lanes[there]);
                        if is_one && there == row {
                            bits &= !1 << lane;
                        }
                        if bits != 0 && are_of_one {
                            bits &= !L::having(&of.corners[there], &mine);
                        }
                        if bits != 0 {
                            bits &= it.slabs[there].meets(&own.slabs[row].ends::<L>(lane));
                        }
                        while bits != 0 {
                            let at = bits.trailing_zeros() as usize;
                            bits &= bits - 1;
                            let corners = [0, 1, 2].map(|k| of.corners[there][k][at]);
                            let triangles = [patch.members[row][lane], of.members[there][at]];
                            let sides = triangles.map(|of| surface.owned_sides(of as usize) as u8);
                            tray.put(Candidate { corners: [mine, corners], triangles, sides });
                        }
                    }
                    if tray.is_full() {
                        tray.sift::<L>();
                    }
                }
            }
        }
    }
}

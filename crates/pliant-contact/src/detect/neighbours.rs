//! [`Look`]: pairs of triangles whose boxes meet, patch by patch.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide};

use super::boxes::Hull;
use super::fit::Moving;
use super::question::Question;
use super::sizes::Sizes;
use crate::patches::{NOBODY, Patches, ROWS};

/// Triangles of a patch: a bit for each in its row.
#[derive(Clone, Copy)]
pub(super) struct Some64 {
    pub(super) patch: u32,
    pub(super) rows: [u8; ROWS],
}

/// Where others are looked for.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) patches: &'a Patches,
    pub(super) moving: &'a [Moving],
    /// The boxes of the patches in a frame for all, and sorted.
    pub(super) hulls: &'a [Hull],
    pub(super) sizes: &'a Sizes,
}

/// Intermediate lists, whose memory is kept, and what is found.
#[derive(Default)]
pub(super) struct Found {
    near: Vec<u32>,
    /// Pairs of triangles whose boxes meet.
    pub(super) pairs: Vec<[u32; 2]>,
}

/// Pairs after which no further patch is looked at: those of thousands of triangles around one particle would not fit into
/// memory.
const MANY: usize = 1 << 17;

/// Looks for the neighbours of some triangles, patch by patch, until very many are found. Returns of how many patches they
/// are.
pub(super) struct Look<'a, T: Wide> {
    pub(super) question: Question<'a, T>,
    pub(super) around: Around<'a>,
    pub(super) queries: &'a [Some64],
    /// For each triangle whether it is among the queries of any task: each pair of two of them is found once. None
    /// where all are.
    pub(super) asked: Option<&'a [bool]>,
    /// From when to when paths count, substeps since the last full detection.
    pub(super) times: [f32; 2],
    pub(super) found: &'a mut Found,
}

impl<T: Wide> LaneJob<f32> for Look<'_, T> {
    type Out = usize;
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) -> usize {
        let Self { question, around, queries, asked, times, found } = self;
        let Found { near, pairs } = found;
        let Around { patches, moving, hulls, sizes } = around;
        pairs.clear();
        for (seen, query) in queries.iter().enumerate() {
            if pairs.len() >= MANY {
                return seen;
            }
            let number = query.patch;
            let (patch, own) = (&patches.patches[number as usize], &moving[number as usize]);
            near.clear();
            for grid in sizes.grids() {
                grid.gather::<L>(&hulls[number as usize], near);
            }
            near.retain(|&other| {
                let (of, it) = (&patches.patches[other as usize], &moving[other as usize]);
                (asked.is_some() || other >= number)
                    && !(own.is_held && it.is_held)
                    && question.bodies(patch.body as usize, of.body as usize).is_some()
            });
            for &other in &*near {
                let (of, it) = (&patches.patches[other as usize], &moving[other as usize]);
                let shift = own.shift(&it.frame, times);
                if !shift.of(&own.hull).meets(&it.hull) {
                    continue;
                }
                let shift = shift.everywhere::<L>();
                let around = shift.before(&it.hull);
                let is_one = asked.is_none() && other == number;
                for row in (0..patch.rows).filter(|row| query.rows[*row] != 0) {
                    let mut rows = it.rows.meets(&own.rows.everywhere(row, &shift.along_axes));
                    if is_one {
                        rows &= !0 << row;
                    }
                    if rows == 0 {
                        continue;
                    }
                    // Most of a row is nowhere near another patch.
                    let mut lanes = u32::from(query.rows[row]) & own.boxes[row].meets(&around);
                    while lanes != 0 {
                        let lane = lanes.trailing_zeros() as usize;
                        lanes &= lanes - 1;
                        let triangle = patch.members[row][lane];
                        let corners = own.boxes[row].everywhere(lane, &shift.along_axes);
                        let mut rows = rows & it.rows.meets(&corners);
                        if rows == 0 {
                            continue;
                        }
                        let is_held = own.held[row] >> lane & 1 == 1;
                        let (mut without, mut is_known) = ([NOBODY; 3], false);
                        while rows != 0 {
                            let there = rows.trailing_zeros() as usize;
                            rows &= rows - 1;
                            let mut bits = it.boxes[there].meets(&corners);
                            if is_one && there == row {
                                bits &= !1 << lane;
                            }
                            if is_held {
                                bits &= !u32::from(it.held[there]);
                            }
                            if bits != 0 && patch.body == of.body {
                                if !is_known {
                                    (without, is_known) = (question.out_of_the_way(triangle), true);
                                }
                                bits &= !L::having(&of.corners[there], &without);
                            }
                            if bits != 0 {
                                let slabs = own.slabs[row].everywhere(lane, &shift.along_diagonals);
                                bits &= it.slabs[there].meets(&slabs);
                            }
                            while bits != 0 {
                                let found = of.members[there][bits.trailing_zeros() as usize];
                                bits &= bits - 1;
                                // If both are asked for, the first finds the pair.
                                if asked.is_none_or(|asked| !asked[found as usize] || triangle < found) {
                                    pairs.push([triangle, found]);
                                }
                            }
                        }
                    }
                }
            }
        }
        queries.len()
    }
}

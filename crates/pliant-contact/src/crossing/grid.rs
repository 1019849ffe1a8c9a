//! A grid of boxes of about the same size, in which those that meet a box are found eight at a time.
//!
//! Boxes are rounded to whole quanta, a fraction of a cell, by a map that never turns an order round: boxes
//! that meet still meet afterwards, and boxes that do not may only seem to, by a quantum. Eight boxes are
//! compared as sixteen-bit differences, which wrap round; boxes that meet are within a few cells of each
//! other, so that for them they do not.
//!
//! A box lies in the cell of its centre and a query reads the cells within half of the largest extent. Cells
//! are buckets of a table of a size that follows the number of boxes, not the space between them:
//! `bucket = hash(y, z) + x`, so that cells in a row along x are neighbours in memory. Two rows of one query
//! may share buckets; boxes therefore carry a tag of their row, so that none is met twice. Boxes are brought
//! into the order of buckets by counting: the order depends on positions alone.

use wide::{f32x4, i16x8};

/// Quanta per cell, as a power of two.
const QUANTA: i32 = 6;
/// Cells are this many times as large as the largest box in them: a trade of fewer rows to search against
/// more boxes in each.
const CELL: f32 = 1.5;
/// Largest number of quanta from the origin: sums of two do not overflow.
const FARTHEST: f32 = 536_870_912.0;
/// Largest magnitude of a coordinate: differences and products with a scale do not overflow.
pub(super) const LARGEST: f32 = 1e37;

/// A box in single precision: lower and upper corner, the fourth place unused.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) low: f32x4,
    pub(super) high: f32x4,
}

impl Bounds {
    /// The largest side.
    #[inline(always)]
    pub(super) fn extent(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        x.max(y).max(z)
    }
}

/// Eight boxes: what must not be negative when a query is added to it, and the tags of their rows.
#[derive(Clone, Copy)]
struct Block {
    sides: [[i16; 8]; 6],
    tag: [i16; 8],
}

const EMPTY: Block = Block { sides: [[0; 8]; 6], tag: [0; 8] };

/// A box in quanta.
struct Quantised {
    low: [i32; 4],
    high: [i32; 4],
}

/// Boxes with extents up to a given one.
#[derive(Default)]
pub(super) struct Grid {
    /// Quanta per metre.
    scale: f32,
    /// Half of the largest extent, in quanta, rounded up.
    reach: i32,
    /// Bits of the number of buckets.
    bits: u32,
    /// Where each bucket begins, and where the last one ends.
    start: Vec<u32>,
    blocks: Vec<Block>,
    /// The number of the box at each place.
    members: Vec<u32>,
    buckets: Vec<u32>,
}

impl Grid {
    /// The boxes with the given numbers, none of which has a side above `largest`.
    pub(super) fn build(&mut self, largest: f32, numbers: &[u32], bounds: &[Bounds]) {
        let quanta = (1 << QUANTA) as f32 / CELL;
        self.scale = (quanta / largest).clamp(f32::MIN_POSITIVE, 1e37);
        self.reach = (quanta / 2.0) as i32 + 3;
        self.bits = (numbers.len() / 2).next_power_of_two().trailing_zeros().clamp(6, 24);
        self.start.clear();
        self.start.resize((1 << self.bits) + 1, 0);
        self.buckets.clear();
        for &number in numbers {
            let bucket = self.bucket(&self.quantised(&bounds[number as usize]));
            self.start[bucket as usize] += 1;
            self.buckets.push(bucket);
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.blocks.clear();
        self.blocks.resize(numbers.len().div_ceil(8), EMPTY);
        self.members.resize(numbers.len(), 0);
        // Filled from the ends, so that `start` is where buckets begin in the end.
        for (&number, &bucket) in numbers.iter().zip(&self.buckets).rev() {
            let end = &mut self.start[bucket as usize];
            *end -= 1;
            let place = *end as usize;
            self.members[place] = number;
            let q = self.quantised(&bounds[number as usize]);
            let (block, lane) = (&mut self.blocks[place / 8], place % 8);
            for k in 0..3 {
                block.sides[k][lane] = (q.low[k].wrapping_neg()) as i16;
                block.sides[k + 3][lane] = q.high[k] as i16;
            }
            let (_, y, z) = centre(&q);
            block.tag[lane] = tag(y, z);
        }
    }

    /// The numbers of the boxes, by place.
    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Places from `after` on whose boxes meet this one, which has no side above the largest of the grid.
    #[inline(always)]
    pub(super) fn query(&self, bounds: &Bounds, after: u32, mut hit: impl FnMut(u32)) {
        let q = self.quantised(bounds);
        let from = [0, 1, 2].map(|k| (q.low[k] - self.reach) >> QUANTA);
        let to = [0, 1, 2].map(|k| (q.high[k] + self.reach) >> QUANTA);
        let sides: [i16x8; 6] = std::array::from_fn(|k| {
            i16x8::splat(if k < 3 { q.high[k] as i16 } else { q.low[k - 3].wrapping_neg() as i16 })
        });
        let last = (1 << self.bits) - 1;
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                let row = tag(y, z);
                let first = self.row(y, z).wrapping_add(from[0] as u32) & last;
                let end = first + (to[0] - from[0]) as u32;
                self.scan(first, end.min(last), after, &sides, row, &mut hit);
                if end > last {
                    self.scan(0, end - last - 1, after, &sides, row, &mut hit);
                }
            }
        }
    }

    /// Compares the boxes of the buckets from `first` to `last`.
    #[inline(always)]
    fn scan(
        &self,
        first: u32,
        last: u32,
        after: u32,
        sides: &[i16x8; 6],
        row: i16,
        hit: &mut impl FnMut(u32),
    ) {
        let from = self.start[first as usize].max(after);
        let to = self.start[last as usize + 1];
        if from >= to {
            return;
        }
        let row = i16x8::splat(row);
        for number in from / 8..=(to - 1) / 8 {
            let block = &self.blocks[number as usize];
            let differences =
                block.sides.iter().zip(sides).map(|(box_side, &side)| i16x8::new(*box_side) + side);
            let outside = differences.fold(i16x8::ZERO, |all, one| all | one);
            let mut bits = !outside.to_bitmask() & i16x8::new(block.tag).simd_eq(row).to_bitmask() & 0xff;
            let base = number * 8;
            bits &= !0 << from.saturating_sub(base);
            if to - base < 8 {
                bits &= (1 << (to - base)) - 1;
            }
            while bits != 0 {
                hit(base + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    #[inline(always)]
    fn quantised(&self, bounds: &Bounds) -> Quantised {
        let quantise = |x: f32x4| {
            let x = (x * self.scale).fast_min(f32x4::splat(FARTHEST)).fast_max(f32x4::splat(-FARTHEST));
            x.fast_trunc_int().to_array()
        };
        Quantised { low: quantise(bounds.low), high: quantise(bounds.high) }
    }

    fn bucket(&self, q: &Quantised) -> u32 {
        let (x, y, z) = centre(q);
        self.row(y, z).wrapping_add(x as u32) & ((1 << self.bits) - 1)
    }

    /// The bucket of the cell (0, y, z).
    #[inline(always)]
    fn row(&self, y: i32, z: i32) -> u32 {
        let key = (y as u32).wrapping_mul(0x9e37_79b1).wrapping_add((z as u32).wrapping_mul(0x85eb_ca77));
        key >> (32 - self.bits)
    }
}

/// The cell of the centre.
fn centre(q: &Quantised) -> (i32, i32, i32) {
    let cell = |k: usize| (q.low[k] + q.high[k]) >> (QUANTA + 1);
    (cell(0), cell(1), cell(2))
}

/// Differs between rows less than a hundred cells apart.
#[inline(always)]
fn tag(y: i32, z: i32) -> i16 {
    y.wrapping_add(z.wrapping_mul(251)) as i16
}

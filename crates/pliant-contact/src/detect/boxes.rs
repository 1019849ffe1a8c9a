//! Boxes of triangles of one order of size, sorted into a grid, and compared eight at a time.
//!
//! A box is in the cell of its centre. Cells are hashed, so that the table is as long as the list of boxes whatever the space between
//! them; a cell is three places from its row, `bucket = hash(y, z) + x`, so that a query reads the cells of a row in one go.

use wide::{f32x4, f32x8};

/// Lower and upper corner, the fourth place unused.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) low: f32x4,
    pub(super) high: f32x4,
}

impl Hull {
    /// The place of a hull that nobody asks for.
    pub(super) const NOTHING: Self = Self { low: f32x4::ZERO, high: f32x4::ZERO };

    /// The smallest box around both.
    #[inline(always)]
    pub(super) fn around(self, other: Self) -> Self {
        Self { low: self.low.fast_min(other.low), high: self.high.fast_max(other.high) }
    }

    #[inline(always)]
    pub(super) fn meets(&self, other: &Self) -> bool {
        let inside = self.low.simd_le(other.high) & other.low.simd_le(self.high);
        inside.to_bitmask() & 7 == 7
    }

    /// Both corners in every lane.
    #[inline(always)]
    fn eightfold(&self) -> [[f32x8; 3]; 2] {
        [self.low, self.high].map(|corner| {
            let corner = corner.to_array();
            [f32x8::splat(corner[0]), f32x8::splat(corner[1]), f32x8::splat(corner[2])]
        })
    }

    pub(super) fn extent(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        x.max(y).max(z)
    }
}

/// Eight boxes side by side, and the row of the cell of each.
#[derive(Clone, Copy)]
struct Eight {
    low: [f32x8; 3],
    high: [f32x8; 3],
    row: f32x8,
}

impl Eight {
    /// Which of them meet a box with these corners.
    #[inline(always)]
    fn meets(&self, low: &[f32x8; 3], high: &[f32x8; 3]) -> f32x8 {
        let mut inside = self.low[0].simd_le(high[0]) & self.high[0].simd_ge(low[0]);
        for k in 1..3 {
            inside &= self.low[k].simd_le(high[k]) & self.high[k].simd_ge(low[k]);
        }
        inside
    }
}

const NONE: Eight = Eight { low: [f32x8::ZERO; 3], high: [f32x8::ZERO; 3], row: f32x8::ZERO };

/// Boxes with sides up to a given length.
#[derive(Default)]
pub(super) struct Boxes {
    side: f32,
    inverse: f32,
    bits: u32,
    start: Vec<u32>,
    eights: Vec<Eight>,
    numbers: Vec<u32>,
}

impl Boxes {
    /// Takes in the boxes with these numbers, whose sides are at most `side`.
    pub(super) fn sort(&mut self, side: f32, numbers: impl Iterator<Item = u32> + Clone, hulls: &[Hull]) {
        let count = numbers.clone().count();
        self.side = side;
        // Cells of one and a half sides.
        self.inverse = 1.0 / (1.5 * side);
        self.bits = (count / 2).next_power_of_two().trailing_zeros().clamp(6, 24);
        self.start.clear();
        self.start.resize((1 << self.bits) + 1, 0);
        for number in numbers.clone() {
            let bucket = self.bucket(self.centre(&hulls[number as usize]));
            self.start[bucket as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            let count = *start;
            *start = sum;
            sum += count;
        }
        self.eights.clear();
        self.eights.resize(count.div_ceil(8), NONE);
        self.numbers.clear();
        self.numbers.resize(count, 0);
        for number in numbers {
            let hull = &hulls[number as usize];
            let centre = self.centre(hull);
            let bucket = self.bucket(centre);
            let next = &mut self.start[bucket as usize];
            let place = *next as usize;
            *next += 1;
            self.numbers[place] = number;
            let (eight, lane) = (&mut self.eights[place / 8], place % 8);
            let (low, high) = (hull.low.to_array(), hull.high.to_array());
            for k in 0..3 {
                eight.low[k].as_mut_array()[lane] = low[k];
                eight.high[k].as_mut_array()[lane] = high[k];
            }
            eight.row.as_mut_array()[lane] = row(centre[1], centre[2]);
        }
        // Each bucket now says where it ends: where the next one begins.
        self.start.rotate_right(1);
        self.start[0] = 0;
        let last = self.start.len() - 1;
        self.start[last] = count as u32;
    }

    /// The numbers of the boxes in their order.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The places from `after` on of boxes that this one meets, whose sides are no longer than those of the list.
    #[inline(always)]
    pub(super) fn meeting(&self, hull: &Hull, after: u32, mut found: impl FnMut(u32)) {
        let reach = f32x4::splat(0.51 * self.side);
        let (from, to) = (self.cell(hull.low - reach), self.cell(hull.high + reach));
        let [low, high] = hull.eightfold();
        let last = (1 << self.bits) - 1;
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                let key = f32x8::splat(row(y, z));
                let mut first = self.bucket([from[0], y, z]);
                let mut length = to[0] - from[0];
                loop {
                    let end = first.saturating_add(length as u32).min(last);
                    let (begin, stop) = (self.start[first as usize].max(after), self.start[end as usize + 1]);
                    let mut place = begin & !7;
                    while place < stop {
                        let eight = &self.eights[place as usize / 8];
                        let inside = eight.row.simd_eq(key) & eight.meets(&low, &high);
                        let mut bits = inside.to_bitmask() & (0xff << begin.saturating_sub(place));
                        bits &= 0xff_u32.checked_shr((place + 8).saturating_sub(stop)).unwrap_or(0);
                        while bits != 0 {
                            found(place + bits.trailing_zeros());
                            bits &= bits - 1;
                        }
                        place += 8;
                    }
                    // A row may go round the end of the table.
                    length -= (end - first + 1) as i32;
                    if length < 0 {
                        break;
                    }
                    first = 0;
                }
            }
        }
    }

    /// The places of all boxes that this one meets, however large it is.
    #[inline(always)]
    pub(super) fn meeting_any(&self, hull: &Hull, mut found: impl FnMut(u32)) {
        if hull.extent() <= 8.0 * self.side {
            return self.meeting(hull, 0, found);
        }
        let [low, high] = hull.eightfold();
        for (eight, first) in self.eights.iter().zip((0..self.numbers.len() as u32).step_by(8)) {
            let mut bits = eight.meets(&low, &high).to_bitmask();
            while bits != 0 {
                let place = first + bits.trailing_zeros();
                if place < self.numbers.len() as u32 {
                    found(place);
                }
                bits &= bits - 1;
            }
        }
    }

    /// The cell of a point: rounding towards zero keeps the order of points.
    #[inline(always)]
    fn cell(&self, x: f32x4) -> [i32; 3] {
        let bound = f32x4::splat(1e9);
        let cell = (x * self.inverse).fast_min(bound).fast_max(-bound).fast_trunc_int().to_array();
        [cell[0], cell[1], cell[2]]
    }

    fn centre(&self, hull: &Hull) -> [i32; 3] {
        self.cell((hull.low + hull.high) * 0.5)
    }

    #[inline(always)]
    fn bucket(&self, [x, y, z]: [i32; 3]) -> u32 {
        let key = (y as u32).wrapping_mul(0x9e37_79b1).wrapping_add((z as u32).wrapping_mul(0x85eb_ca6b));
        (key >> (32 - self.bits)).wrapping_add(x as u32) & ((1 << self.bits) - 1)
    }
}

/// Differs between rows of cells less than a thousand apart, so that no box is met in two rows that share buckets.
#[inline(always)]
fn row(y: i32, z: i32) -> f32 {
    ((y & 1023) + ((z & 1023) << 10)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowded_table_gives_each_box_that_meets_once() {
        // Few buckets for many cells: rows of one query share buckets all the time.
        let mut state = 1_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        };
        let hulls: Vec<Hull> = (0..400)
            .map(|_| {
                let low = f32x4::new([unit() * 12.0 - 6.0, unit() * 12.0 - 6.0, unit() * 12.0 - 6.0, 0.0]);
                Hull { low, high: low + f32x4::new([unit(), unit(), unit(), 0.0]) }
            })
            .collect();
        let mut boxes = Boxes::default();
        boxes.sort(1.0, 0..400, &hulls);
        for hull in &hulls {
            let mut found = Vec::new();
            boxes.meeting(hull, 0, |place| found.push(boxes.numbers()[place as usize]));
            found.sort_unstable();
            let all: Vec<u32> = (0..400).filter(|&i| hulls[i as usize].meets(hull)).collect();
            assert_eq!(found, all);
        }
    }
}

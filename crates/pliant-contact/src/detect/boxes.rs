//! Boxes, eight of them side by side, and a grid of boxes of one order of size.
//!
//! A box is in the cell of its centre. Cells are hashed, so that the table is as long as the list of boxes
//! whatever the space between them; a cell is three places from its row, `bucket = hash(y, z) + x`, so that a
//! query reads the cells of a row in one go.

use pliant_kernel::{Lanes, PACK};
use wide::f32x4;

use crate::octet::Octet;

/// Lower and upper corner, the fourth place unused.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) low: f32x4,
    pub(super) high: f32x4,
}

impl Hull {
    /// The place of a hull that is not used.
    pub(super) const NOTHING: Self = Self { low: f32x4::ZERO, high: f32x4::ZERO };

    #[inline(always)]
    pub(super) fn meets(&self, other: &Self) -> bool {
        let inside = self.low.simd_le(other.high) & other.low.simd_le(self.high);
        inside.to_bitmask() & 7 == 7
    }

    #[inline(always)]
    pub(super) fn extent(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        x.max(y).max(z)
    }

    /// Both corners in every lane.
    #[inline(always)]
    pub(super) fn everywhere<L: Lanes<f32>>(&self) -> [[L; 3]; 2] {
        let mut corners = [[L::zero(); 3]; 2];
        for (to, from) in corners.iter_mut().zip([self.low, self.high]) {
            let from = from.to_array();
            for k in 0..3 {
                to[k] = L::splat(f64::from(from[k]));
            }
        }
        corners
    }
}

impl Octet<3> {
    #[inline(always)]
    fn set(&mut self, lane: usize, hull: &Hull) {
        for (rows, corner) in [(&mut self.low, hull.low), (&mut self.high, hull.high)] {
            let corner = corner.to_array();
            for k in 0..3 {
                rows[k][lane] = corner[k];
            }
        }
    }

    /// The smallest box around all.
    #[inline(always)]
    pub(super) fn around(&self) -> Hull {
        let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
        for k in 0..3 {
            for lane in 0..PACK {
                low[k] = if self.low[k][lane] < low[k] { self.low[k][lane] } else { low[k] };
                high[k] = if self.high[k][lane] > high[k] { self.high[k][lane] } else { high[k] };
            }
        }
        (low[3], high[3]) = (0.0, 0.0);
        Hull { low: f32x4::new(low), high: f32x4::new(high) }
    }
}

/// Eight boxes of a grid, and the row of the cell of each.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Eight {
    boxes: Octet<3>,
    row: [f32; PACK],
}

/// A bit for each of the eight places from `first` on that is not before `begin` and is before `end`.
#[inline(always)]
fn within(first: u32, begin: u32, end: u32) -> u32 {
    let bits = 0xff << begin.saturating_sub(first).min(PACK as u32);
    bits & (0xff >> (first + PACK as u32).saturating_sub(end).min(PACK as u32))
}

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
        self.eights.resize(count.div_ceil(8), Eight { boxes: Octet::<3>::EMPTY, row: [0.0; PACK] });
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
            eight.boxes.set(lane, hull);
            eight.row[lane] = row(centre[1], centre[2]);
        }
        // Each bucket now says where it ends: where the next one begins.
        self.start.rotate_right(1);
        self.start[0] = 0;
        let last = self.start.len() - 1;
        self.start[last] = count as u32;
    }

    /// Appends the numbers of the boxes that this one meets, in the order of the grid.
    #[inline(always)]
    pub(super) fn gather<L: Lanes<f32>>(&self, hull: &Hull, found: &mut Vec<u32>) {
        let corners = hull.everywhere::<L>();
        let mut take = |number: u32, mut bits: u32| {
            while bits != 0 {
                found.push(self.numbers[(number * PACK as u32 + bits.trailing_zeros()) as usize]);
                bits &= bits - 1;
            }
        };
        // A box that is much longer than those of the grid: the list is searched.
        if hull.extent() > 8.0 * self.side {
            for (number, eight) in (0..).zip(&self.eights) {
                take(number, eight.boxes.meets(&corners));
            }
            return;
        }
        let reach = f32x4::splat(0.51 * self.side);
        let (from, to) = (self.cell(hull.low - reach), self.cell(hull.high + reach));
        let last = (1 << self.bits) - 1;
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                let key = L::splat(f64::from(row(y, z)));
                let mut first = self.bucket([from[0], y, z]);
                let mut length = to[0] - from[0];
                loop {
                    let end = first.saturating_add(length as u32).min(last);
                    let (begin, stop) = (self.start[first as usize], self.start[end as usize + 1]);
                    let mut place = begin & !7;
                    while place < stop {
                        let number = place / PACK as u32;
                        let Eight { boxes, row } = &self.eights[number as usize];
                        let mut bits = 0;
                        for lane in (0..PACK).step_by(L::WIDTH) {
                            let is_here = (L::load(&row[lane..]) - key).abs().le(L::zero());
                            bits |= L::bits(L::both(boxes.meets_from(lane, &corners), is_here)) << lane;
                        }
                        take(number, bits & within(place, begin, stop));
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

    /// The cell of a point: rounding towards zero keeps the order of points.
    #[inline(always)]
    fn cell(&self, x: f32x4) -> [i32; 3] {
        let bound = f32x4::splat(1e9);
        let cell = (x * self.inverse).fast_min(bound).fast_max(-bound).fast_trunc_int().to_array();
        [cell[0], cell[1], cell[2]]
    }

    #[inline(always)]
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
    use pliant_kernel::{LaneJob, Portable, Simd, Wide as _};

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
        for simd in [Simd::detect(), Simd::portable()] {
            for hull in &hulls {
                let mut found = Vec::new();
                f32::dispatch(Ask(&boxes, hull, &mut found), simd);
                found.sort_unstable();
                let all: Vec<u32> = (0..400).filter(|&i| hulls[i as usize].meets(hull)).collect();
                assert_eq!(found, all);
            }
        }
    }

    struct Ask<'a>(&'a Boxes, &'a Hull, &'a mut Vec<u32>);

    impl LaneJob<f32> for Ask<'_> {
        type Out = ();
        type Portable = Portable<f32, PACK>;

        #[inline(always)]
        fn run<L: Lanes<f32>>(self) {
            self.0.gather::<L>(self.1, self.2);
        }
    }
}

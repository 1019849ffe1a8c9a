//! Boxes of triangles of one order of size, sorted into a grid, and compared eight at a time.
//!
//! A box is in the cell of its centre. Cells are hashed, so that the table is as long as the list of boxes
//! whatever the space between them; a cell is three places from its row, `bucket = hash(y, z) + x`, so that a
//! query reads the cells of a row in one go.

use pliant_kernel::{Lanes, PACK};
use wide::f32x4;

/// No particle has this number.
pub(super) const NOBODY: u32 = u32::MAX;

/// Lower and upper corner, the fourth place unused.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) low: f32x4,
    pub(super) high: f32x4,
}

impl Hull {
    /// The place of a hull that is not used.
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

    #[inline(always)]
    pub(super) fn extent(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        x.max(y).max(z)
    }
}

/// A box to query with.
pub(super) struct Asked {
    pub(super) hull: Hull,
    /// Triangles with one of these particles at a corner are left out; [`NOBODY`] where none is left out.
    pub(super) without: [u32; 3],
    /// Triangles that are held are left out.
    pub(super) is_held: bool,
}

/// Triangles of which the boxes are: their corners, and whether all of these are held.
#[derive(Clone, Copy)]
pub(super) struct Boxed<'a> {
    pub(super) hulls: &'a [Hull],
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) are_held: &'a [bool],
}

/// Eight boxes side by side, the row of the cell of each, the corners of their triangles, and a bit for each that is
/// held.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Eight {
    low: [[f32; PACK]; 3],
    high: [[f32; PACK]; 3],
    row: [f32; PACK],
    corners: [[u32; PACK]; 3],
    held: u32,
}

const NONE: Eight = Eight {
    low: [[0.0; PACK]; 3],
    high: [[0.0; PACK]; 3],
    row: [0.0; PACK],
    corners: [[NOBODY; PACK]; 3],
    held: 0,
};

impl Eight {
    /// A bit for each of them that meets a box with these corners, in the row with this key if there is one.
    #[inline(always)]
    fn meets<L: Lanes<f32>>(&self, [low, high]: &[[L; 3]; 2], key: Option<L>) -> u32 {
        let mut bits = 0;
        for lane in (0..PACK).step_by(L::WIDTH) {
            // Along which axis the two are farthest apart, if they are: differences have the sign of the comparison.
            let mut gap = key.map_or(L::zero(), |key| (L::load(&self.row[lane..]) - key).abs());
            for k in 0..3 {
                gap = gap.max(L::load(&self.low[k][lane..]) - high[k]);
                gap = gap.max(low[k] - L::load(&self.high[k][lane..]));
            }
            bits |= L::bits(gap.le(L::zero())) << lane;
        }
        bits
    }
}

/// Eight boxes, and a bit for each that meets the query.
#[derive(Clone, Copy)]
pub(super) struct Met {
    eight: u32,
    live: u32,
}

/// A bit for each of the eight places from `first` on that is not before `begin` and is before `end`.
#[inline(always)]
fn within(first: u32, begin: u32, end: u32) -> u32 {
    let bits = 0xff << begin.saturating_sub(first).min(PACK as u32);
    bits & (0xff >> (first + PACK as u32).saturating_sub(end).min(PACK as u32))
}

/// Both corners of a box in every lane.
#[inline(always)]
fn everywhere<L: Lanes<f32>>(hull: &Hull) -> [[L; 3]; 2] {
    let mut corners = [[L::zero(); 3]; 2];
    for (to, from) in corners.iter_mut().zip([hull.low, hull.high]) {
        let from = from.to_array();
        for k in 0..3 {
            to[k] = L::splat(f64::from(from[k]));
        }
    }
    corners
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
    pub(super) fn sort(
        &mut self,
        side: f32,
        numbers: impl Iterator<Item = u32> + Clone,
        Boxed { hulls, triangles, are_held }: Boxed<'_>,
    ) {
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
                eight.low[k][lane] = low[k];
                eight.high[k][lane] = high[k];
                eight.corners[k][lane] = triangles[number as usize][k];
            }
            eight.row[lane] = row(centre[1], centre[2]);
            eight.held |= u32::from(are_held[number as usize]) << lane;
        }
        // Each bucket now says where it ends: where the next one begins.
        self.start.rotate_right(1);
        self.start[0] = 0;
        let last = self.start.len() - 1;
        self.start[last] = count as u32;
    }

    /// The numbers of the boxes in their order.
    #[inline(always)]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The longest box for which the grid is searched instead of the list.
    pub(super) fn walkable(&self) -> f32 {
        8.0 * self.side
    }

    /// Appends the eights of the boxes from the place `after` on that this one meets, in the order of the grid;
    /// `is_held` leaves out triangles that are held.
    #[inline(always)]
    pub(super) fn gather<L: Lanes<f32>>(
        &self,
        hull: &Hull,
        is_held: bool,
        after: u32,
        eights: &mut Vec<Met>,
    ) {
        let corners = everywhere::<L>(hull);
        let wanted = |eight: &Eight| if is_held { !eight.held } else { !0 };
        if hull.extent() > self.walkable() {
            for (place, eight) in self.eights.iter().enumerate() {
                let first = (place * PACK) as u32;
                let live = within(first, after, self.numbers.len() as u32) & wanted(eight);
                let live = if live == 0 { 0 } else { live & eight.meets(&corners, None) };
                if live != 0 {
                    eights.push(Met { eight: place as u32, live });
                }
            }
            return;
        }
        let reach = f32x4::splat(0.51 * self.side);
        let (from, to) = (self.cell(hull.low - reach), self.cell(hull.high + reach));
        let last = (1 << self.bits) - 1;
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                let key = Some(L::splat(f64::from(row(y, z))));
                let mut first = self.bucket([from[0], y, z]);
                let mut length = to[0] - from[0];
                loop {
                    let end = first.saturating_add(length as u32).min(last);
                    let (begin, stop) = (self.start[first as usize].max(after), self.start[end as usize + 1]);
                    let mut place = begin & !7;
                    while place < stop {
                        let number = place / PACK as u32;
                        let eight = &self.eights[number as usize];
                        let live = within(place, begin, stop) & wanted(eight);
                        let live = if live == 0 { 0 } else { live & eight.meets(&corners, key) };
                        if live != 0 {
                            eights.push(Met { eight: number, live });
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

    /// Appends those of some eights that have boxes, from the place `after` on, that this one meets.
    #[inline(always)]
    pub(super) fn narrow<L: Lanes<f32>>(
        &self,
        hull: &Hull,
        is_held: bool,
        after: u32,
        eights: &[Met],
        to: &mut Vec<Met>,
    ) {
        let corners = everywhere::<L>(hull);
        for met in eights {
            let live = self.live(met, &corners, is_held, after);
            if live != 0 {
                to.push(Met { eight: met.eight, live });
            }
        }
    }

    /// A bit for each of an eight that met a query, from the place `after` on, that meets a box with these corners.
    #[inline(always)]
    fn live<L: Lanes<f32>>(&self, met: &Met, corners: &[[L; 3]; 2], is_held: bool, after: u32) -> u32 {
        let eight = &self.eights[met.eight as usize];
        let wanted = if is_held { !eight.held } else { !0 };
        let live = met.live & within(met.eight * PACK as u32, after, u32::MAX) & wanted;
        if live == 0 { 0 } else { live & eight.meets(corners, None) }
    }

    /// Appends the numbers of those boxes in eights, from the place `after` on, that meet the query.
    #[inline(always)]
    pub(super) fn meeting<L: Lanes<f32>>(
        &self,
        asked: &Asked,
        after: u32,
        eights: &[Met],
        found: &mut Vec<u32>,
    ) {
        let corners = everywhere::<L>(&asked.hull);
        for met in eights {
            let (eight, first) = (&self.eights[met.eight as usize], met.eight * PACK as u32);
            let mut bits = self.live(met, &corners, asked.is_held, after);
            if bits != 0 {
                bits &= !L::having(&eight.corners, &asked.without);
            }
            while bits != 0 {
                found.push(self.numbers[(first + bits.trailing_zeros()) as usize]);
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
        let corners: Vec<[u32; 3]> = (0..400).map(|i| [i, i + 1, i + 2]).collect();
        let mut boxes = Boxes::default();
        let are_held: Vec<bool> = (0..400).map(|i| i % 3 == 0 || (128..192).contains(&i)).collect();
        boxes.sort(1.0, 0..400, Boxed { hulls: &hulls, triangles: &corners, are_held: &are_held });
        for simd in [Simd::detect(), Simd::portable()] {
            for (hull, i) in hulls.iter().zip(0..) {
                let ask = |without, is_held| {
                    let mut found = Vec::new();
                    f32::dispatch(Ask(&boxes, &Asked { hull: *hull, without, is_held }, &mut found), simd);
                    found.sort_unstable();
                    found
                };
                let all: Vec<u32> = (0..400).filter(|&i| hulls[i as usize].meets(hull)).collect();
                assert_eq!(ask([NOBODY; 3], false), all);
                let free: Vec<u32> = all.iter().copied().filter(|j| !are_held[*j as usize]).collect();
                assert_eq!(ask([NOBODY; 3], true), free);
                let others: Vec<u32> =
                    all.into_iter().filter(|j| !corners[*j as usize].contains(&(i + 1))).collect();
                assert_eq!(ask([NOBODY, NOBODY, i + 1], false), others);
            }
        }
    }

    struct Ask<'a>(&'a Boxes, &'a Asked, &'a mut Vec<u32>);

    impl LaneJob<f32> for Ask<'_> {
        type Out = ();
        type Portable = Portable<f32, PACK>;

        #[inline(always)]
        fn run<L: Lanes<f32>>(self) {
            let mut eights = Vec::new();
            self.0.gather::<L>(&self.1.hull, self.1.is_held, 0, &mut eights);
            self.0.meeting::<L>(self.1, 0, &eights, self.2);
        }
    }
}

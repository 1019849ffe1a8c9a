//! [`Hub`]: a particle with very many triangles around it.
//!
//! Of n triangles around one particle, n² pairs of a side opposite to it and a triangle share nothing else. Nearly all are
//! apart by their boxes: those of the sides are kept eight at a time, and around eight times eight.

use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable};

use super::sieve::{Candidate, Tray};
use crate::Surface;
use crate::octet::Octet;
use crate::surface::NEXT;

/// A particle with more triangles is a hub.
pub(super) const MANY: usize = 64;
/// How many triangles around a hub are a task.
const PART: usize = 64;

/// The side of a triangle opposite to a particle, which its triangle owns.
pub(super) struct Side {
    ends: [u32; 2],
    triangle: u32,
    /// Which side of its triangle it is, as a bit.
    bit: u8,
}

impl Side {
    /// The side of a triangle opposite to one of its corners, if the triangle owns it.
    #[inline(always)]
    pub(super) fn opposite(surface: &Surface, triangle: u32, corner: u32) -> Option<Self> {
        let corners = surface.triangles()[triangle as usize];
        let side = (0..3).find(|side| corners[NEXT[NEXT[*side]]] == corner)?;
        let bit = surface.owned_sides(triangle as usize) as u8 & 1 << side;
        (bit != 0).then_some(Self { ends: [corners[side], corners[NEXT[side]]], triangle, bit })
    }

    /// The pair of the side and a triangle with these corners, if they share no particle.
    #[inline(always)]
    pub(super) fn through(&self, triangle: u32, rim: [u32; 3]) -> Option<Candidate> {
        let [p, q] = self.ends;
        let (corners, triangles) = ([rim, [p, q, q]], [triangle, self.triangle]);
        (!rim.contains(&p) && !rim.contains(&q)).then_some(Candidate {
            corners,
            triangles,
            sides: [0, self.bit],
        })
    }
}

/// A particle with the triangles around it, and the boxes of the sides opposite to it.
pub(super) struct Hub {
    around: Vec<u32>,
    sides: Vec<Side>,
    boxes: Vec<Octet<3>>,
    /// Boxes around eight boxes each.
    rows: Vec<Octet<3>>,
}

/// Some of the triangles around a hub.
pub(super) struct Part {
    pub(super) hub: u32,
    first: usize,
}

impl Part {
    /// All triangles around some hubs.
    pub(super) fn of_all(hubs: &[Hub]) -> Vec<Self> {
        let parts =
            |(hub, of): (u32, &Hub)| (0..of.around.len()).step_by(PART).map(move |first| Self { hub, first });
        (0..).zip(hubs).flat_map(parts).collect()
    }
}

impl Hub {
    /// A particle and the triangles around it.
    pub(super) fn new(surface: &Surface, around: &[u32], middle: u32) -> Self {
        let side = |&triangle: &u32| Side::opposite(surface, triangle, middle);
        let sides: Vec<Side> = around.iter().filter_map(side).collect();
        let boxes = vec![Octet::EMPTY; sides.len().div_ceil(PACK)];
        let rows = vec![Octet::EMPTY; boxes.len().div_ceil(PACK)];
        Self { around: around.to_vec(), sides, boxes, rows }
    }

    /// Finds the boxes.
    pub(super) fn fit(&mut self, points: &[Particle<f32>]) {
        for (number, side) in self.sides.iter().enumerate() {
            let (low, high) = around(side.ends, points);
            let octet = &mut self.boxes[number / PACK];
            for k in 0..3 {
                (octet.low[k][number % PACK], octet.high[k][number % PACK]) = (low[k], high[k]);
            }
        }
        for (number, octet) in self.boxes.iter().enumerate() {
            let row = &mut self.rows[number / PACK];
            for k in 0..3 {
                row.low[k][number % PACK] = octet.low[k].into_iter().fold(f32::INFINITY, f32::min);
                row.high[k][number % PACK] = octet.high[k].into_iter().fold(f32::NEG_INFINITY, f32::max);
            }
        }
    }
}

/// The box around some particles.
fn around<const N: usize>(particles: [u32; N], points: &[Particle<f32>]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for particle in particles {
        let x = points[particle as usize].x;
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(x[k]), high[k].max(x[k]));
        }
    }
    (low, high)
}

/// Looks for the sides opposite to a hub that may have a point in common with some triangles around it.
pub(super) struct Around<'a, 'p> {
    pub(super) surface: &'a Surface,
    pub(super) hub: &'a Hub,
    pub(super) part: &'a Part,
    pub(super) points: &'a [Particle<f32>],
    /// Where pairs go.
    pub(super) tray: &'a mut Tray<'p>,
}

impl LaneJob<f32> for Around<'_, '_> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        let Self { surface, hub, part, points, tray } = self;
        for &through in hub.around.iter().skip(part.first).take(PART) {
            let rim = surface.triangles()[through as usize];
            let (low, high) = around(rim, points);
            let ends = [low, high].map(|end| end.map(|end| L::splat(f64::from(end))));
            for (row, boxes) in hub.rows.iter().zip(hub.boxes.chunks(PACK)).enumerate() {
                let mut octets = boxes.0.meets(&ends);
                while octets != 0 {
                    let octet = octets.trailing_zeros() as usize;
                    octets &= octets - 1;
                    let mut bits = boxes.1[octet].meets(&ends);
                    while bits != 0 {
                        let number = (row * PACK + octet) * PACK + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        if let Some(pair) = hub.sides[number].through(through, rim) {
                            tray.put(pair);
                        }
                    }
                    // Hubs are rare: the tests have no copy of their own here.
                    if tray.is_full() {
                        tray.empty();
                    }
                }
            }
        }
    }
}

//! [`Candidates`]: vertices and triangles, and edges, whose boxes meet, as parts of pairs of triangles.

use super::parts::{CORNERS, Parts, SIDES, corner_and_triangle, two_sides};
use super::question::Bodies;
use crate::Surface;

/// More than there are parts.
const STEP: usize = 16;

/// Two triangles with parts that may be near.
#[derive(Debug, Clone, Copy)]
struct Pair {
    triangles: [u32; 2],
    bodies: Bodies,
}

/// Candidates in the order in which they were found.
#[derive(Default)]
pub(super) struct Candidates {
    pairs: Vec<Pair>,
    vertex_triangle: Chosen,
    edge_edge: Chosen,
}

impl Candidates {
    pub(super) fn len(&self) -> usize {
        self.vertex_triangle.count + self.edge_edge.count
    }

    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        (self.vertex_triangle.count, self.edge_edge.count) = (0, 0);
    }

    /// Appends these parts of two triangles.
    #[inline(always)]
    pub(super) fn append(&mut self, triangles: [u32; 2], bodies: Bodies, parts: Parts) {
        let pair = self.pairs.len();
        self.pairs.push(Pair { triangles, bodies });
        self.vertex_triangle.append::<CORNERS>(pair, parts.corners);
        self.edge_edge.append::<SIDES>(pair, parts.sides);
    }

    /// Vertices and triangles.
    #[inline(always)]
    pub(super) fn vertex_triangle<'a>(&'a self, surface: &'a Surface) -> Sort<'a> {
        Sort { surface, pairs: &self.pairs, chosen: self.vertex_triangle.all(), split: 1 }
    }

    /// Edges.
    #[inline(always)]
    pub(super) fn edge_edge<'a>(&'a self, surface: &'a Surface) -> Sort<'a> {
        Sort { surface, pairs: &self.pairs, chosen: self.edge_edge.all(), split: 2 }
    }
}

/// Parts of pairs of triangles: the place of the pair times [`STEP`], and the number of the part.
#[derive(Default)]
struct Chosen {
    /// Those that are chosen, and room.
    numbers: Vec<u32>,
    count: usize,
}

impl Chosen {
    /// Appends those of the first `N` parts of a pair that have a bit.
    #[inline(always)]
    fn append<const N: usize>(&mut self, pair: usize, bits: u32) {
        if self.numbers.len() < self.count + STEP {
            self.numbers.resize(2 * (self.count + STEP), 0);
        }
        let room: &mut [u32; STEP] = self.numbers[self.count..].first_chunk_mut().expect("there is room");
        // All are written; what is not chosen is overwritten by the next.
        let mut next = 0;
        for part in 0..N {
            room[next % STEP] = (pair * STEP + part) as u32;
            next += (bits >> part & 1) as usize;
        }
        self.count += next;
    }

    fn all(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// Candidates of one sort: vertices and triangles, whose first side has one point, or edges, whose first side has two.
#[derive(Clone, Copy)]
pub(super) struct Sort<'a> {
    surface: &'a Surface,
    pairs: &'a [Pair],
    /// Their numbers.
    pub(super) chosen: &'a [u32],
    /// Number of points of the first side.
    pub(super) split: usize,
}

impl Sort<'_> {
    /// The relation of the bodies of a candidate.
    #[inline(always)]
    pub(super) fn bodies(&self, chosen: u32) -> Bodies {
        self.of(chosen).0.bodies
    }

    /// The pair of triangles of a candidate, and the number of its part.
    #[inline(always)]
    fn of(&self, chosen: u32) -> (&Pair, usize) {
        (&self.pairs[chosen as usize / STEP], chosen as usize % STEP)
    }

    /// The particles of a candidate.
    #[inline(always)]
    pub(super) fn points(&self, chosen: u32) -> [u32; 4] {
        let (pair, part) = self.of(chosen);
        let [a, b] = pair.triangles;
        let corners = [&self.surface.triangles()[a as usize], &self.surface.triangles()[b as usize]];
        if self.split == 1 { corner_and_triangle(corners, part) } else { two_sides(corners, part) }
    }

    /// The numbers of its elements.
    #[inline(always)]
    pub(super) fn elements(&self, chosen: u32, points: &[u32; 4]) -> [u32; 2] {
        let (pair, part) = self.of(chosen);
        let [a, b] = pair.triangles;
        if self.split == 1 {
            return [points[0], pair.triangles[1 - part / 3]];
        }
        [self.surface.owned_edge(a as usize, part / 3), self.surface.owned_edge(b as usize, part % 3)]
    }
}

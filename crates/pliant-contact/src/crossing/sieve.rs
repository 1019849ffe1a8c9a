//! From pairs of triangles whose boxes meet to crossings, in rounds that each leave few for the next.
//!
//! Which pairs pass cannot be predicted, not even by the branch predictor, and a misprediction costs more
//! than a test. So every round runs over a full tray and writes each result to the end of the next one, whose
//! end moves on only if the pair does.

use nalgebra::Vector3;
use pliant_constraints::Real;
use wide::{f32x4, u32x4};

use super::axes::Axes;
use super::exact::edge_crosses_triangle;
use super::pair::{Crossing, wide};
use crate::Surface;

/// Pairs of triangles in a full tray.
const TRAY: usize = 512;
/// The corner after each; the fourth is there so that two bits are an index.
const NEXT: [usize; 4] = [1, 2, 0, 0];

/// A side of one triangle, against another triangle.
#[derive(Clone, Copy, Default)]
struct Test {
    ends: [u32; 2],
    of: u32,
    side: u32,
    through: u32,
}

/// The trays of one task.
pub(super) struct Sieve<'a, T: Real> {
    /// Positions and axes of all triangles, in single precision.
    points: &'a [f32x4],
    axes: &'a [Axes],
    surface: &'a Surface,
    positions: &'a [Vector3<T>],
    pairs: Vec<[u32; 2]>,
    /// Pairs that share no corner, as many as the round counted.
    strangers: Vec<[u32; 2]>,
    tests: Vec<Test>,
    /// The largest slack of the pairs.
    slack: f32,
    found: Vec<Crossing>,
}

impl<'a, T: Real + Into<f64>> Sieve<'a, T> {
    pub(super) fn new(
        points: &'a [f32x4],
        axes: &'a [Axes],
        surface: &'a Surface,
        positions: &'a [Vector3<T>],
    ) -> Self {
        Self {
            points,
            axes,
            surface,
            positions,
            pairs: Vec::with_capacity(TRAY),
            strangers: vec![[0; 2]; TRAY],
            // Of every pair two sides and one spare place for a discarded result, or six sides.
            tests: vec![Test::default(); 6 * TRAY + 1],
            slack: 0.0,
            found: Vec::new(),
        }
    }

    /// A pair of triangles whose boxes meet.
    #[inline(always)]
    pub(super) fn put(&mut self, pair: [u32; 2], slack: f32) {
        self.slack = self.slack.max(slack);
        self.pairs.push(pair);
        if self.pairs.len() == TRAY {
            self.shake();
        }
    }

    pub(super) fn finish(mut self) -> Vec<Crossing> {
        self.shake();
        self.found
    }

    fn shake(&mut self) {
        let (strangers, tests) = self.sides_of_neighbours();
        let tests = self.sides_of_strangers(strangers, tests);
        let tests = self.not_separated(tests);
        for test in 0..tests {
            self.closely(self.tests[test]);
        }
        self.pairs.clear();
        self.slack = 0.0;
    }

    /// Of pairs with one corner in common the two sides opposite to it: how many pairs share nothing, and how
    /// many sides there are.
    fn sides_of_neighbours(&mut self) -> (usize, usize) {
        let (mut strangers, mut tests) = (0, 0);
        for &[a, b] in &self.pairs {
            let (of_a, of_b) = (self.surface.triangles()[a as usize], self.surface.triangles()[b as usize]);
            let lanes = u32x4::new([of_a[0], of_a[1], of_a[2], u32::MAX]);
            let shared = of_b.map(|corner| lanes.simd_eq(u32x4::splat(corner)).to_bitmask());
            let bits = [0, 1, 2].map(|k| u32::from(shared[k] != 0));
            let count = bits[0] + bits[1] + bits[2];
            self.strangers[strangers] = [a, b];
            strangers += usize::from(count == 0);
            // With two corners in common every side has one of them.
            let one = u32::from(count == 1);
            let corner_a = (shared[0] | shared[1] | shared[2]).trailing_zeros() & 3;
            let side_a = NEXT[corner_a as usize];
            let side_b = NEXT[(bits[1] + 2 * bits[2]) as usize & 3];
            for (of, corners, side, through) in [(a, of_a, side_a, b), (b, of_b, side_b, a)] {
                let ends = [corners[side], corners[NEXT[side]]];
                self.tests[tests] = Test { ends, of, side: side as u32, through };
                tests += (one & self.surface.owned_sides(of as usize) >> side) as usize;
            }
        }
        (strangers, tests)
    }

    /// All sides of pairs that share nothing, if no plane of one keeps the other on one side.
    fn sides_of_strangers(&mut self, strangers: usize, mut tests: usize) -> usize {
        let (all_points, axes) = (self.points, self.axes);
        let corners = |triangle: u32| self.surface.triangles()[triangle as usize];
        let apart = |a: u32, b: u32| {
            let points = corners(b).map(|v| all_points[v as usize]);
            axes[a as usize].all_on_one_side(points, self.slack)
        };
        let mut near = 0;
        for place in 0..strangers {
            let [a, b] = self.strangers[place];
            self.strangers[near] = [a, b];
            near += usize::from(!(apart(a, b) | apart(b, a)));
        }
        for &[a, b] in &self.strangers[..near] {
            for (of, through) in [(a, b), (b, a)] {
                let corners = corners(of);
                for side in 0..3 {
                    let ends = [corners[side], corners[NEXT[side]]];
                    self.tests[tests] = Test { ends, of, side: side as u32, through };
                    tests += (self.surface.owned_sides(of as usize) >> side & 1) as usize;
                }
            }
        }
        tests
    }

    /// Keeps the pairs that the axes of the triangles do not decide.
    fn not_separated(&mut self, tests: usize) -> usize {
        let mut left = 0;
        for place in 0..tests {
            let test = self.tests[place];
            let [p, q] = test.ends.map(|v| self.points[v as usize]);
            self.tests[left] = test;
            left += usize::from(!self.axes[test.through as usize].separate(p, q, self.slack));
        }
        left
    }

    /// The fifth axis, and the exact test.
    fn closely(&mut self, test: Test) {
        let point = |v: u32| self.points[v as usize];
        let rim = self.surface.triangles()[test.through as usize];
        let axes = &self.axes[test.through as usize];
        if axes.separate_beside(point(test.ends[0]), point(test.ends[1]), rim.map(point), self.slack) {
            return;
        }
        let at = |v: u32| wide(&self.positions[v as usize]);
        if edge_crosses_triangle(&test.ends.map(at), &rim.map(at)) {
            let edge = self.surface.owned_edge(test.of as usize, test.side as usize);
            self.found.push(Crossing { edge, triangle: test.through });
        }
    }
}

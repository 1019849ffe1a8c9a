//! [`Tangle`]: what crosses already, and is let go so that it can come apart.
//!
//! The distances of a crossed pair are positive too: planes would lock it as it is. So the vertices and edges
//! of a crossing are released from contacts and net. All other pairs stay held, and so the set of crossing
//! pairs can change through released ones only: a tangle shrinks or stays where it is, it does not spread.

use pliant_contact::{Crossing, Surface};

use super::elements::Elements;
use super::untangle::Knot;

/// The pairs that are let go.
#[derive(Debug)]
pub(super) struct Tangle {
    /// The crossings, sorted by edges and triangles.
    knots: Vec<Knot>,
    /// Corners of the triangle and ends of the edge of each, sorted.
    by_triangle: Vec<([u32; 3], [u32; 2])>,
    /// Whether there may be others.
    open: bool,
}

impl Default for Tangle {
    /// Nobody has looked.
    fn default() -> Self {
        Self { knots: Vec::new(), by_triangle: Vec::new(), open: true }
    }
}

impl Tangle {
    pub(super) fn is_empty(&self) -> bool {
        self.knots.is_empty()
    }

    /// Whether crossings are to be looked for.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// There may be new crossings.
    pub(super) fn open(&mut self) {
        self.open = true;
    }

    /// Nothing crosses.
    pub(super) fn close(&mut self) {
        self.knots.clear();
        self.by_triangle.clear();
        self.open = false;
    }

    /// Takes the crossings of a moment. Where there are none there will be none.
    pub(super) fn set(&mut self, surface: &Surface, found: &[Crossing]) {
        self.knots.clear();
        self.knots.extend(found.iter().map(|crossing| {
            let mut edge = surface.edges()[crossing.edge as usize];
            edge.sort_unstable();
            Knot { edge, triangle: surface.triangles()[crossing.triangle as usize], wings: Vec::new() }
        }));
        self.knots.sort_unstable_by_key(|knot| (knot.edge, knot.triangle));
        self.by_triangle.clear();
        self.by_triangle.extend(self.knots.iter().map(|knot| (knot.triangle, knot.edge)));
        self.by_triangle.sort_unstable();
        self.open = !found.is_empty();
        if found.is_empty() {
            return;
        }
        for corners in surface.triangles() {
            for k in 0..3 {
                let [a, b, wing] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
                let ends = [a.min(b), a.max(b)];
                let from = self.knots.partition_point(|knot| knot.edge < ends);
                let at_edge = self.knots[from..].iter_mut().take_while(|knot| knot.edge == ends);
                at_edge.for_each(|knot| knot.wings.push(wing));
            }
        }
    }

    /// What crosses, with what is around it.
    pub(super) fn knots(&self) -> &[Knot] {
        &self.knots
    }

    /// Whether a pair is let go: an end of the edge and the triangle of a crossing, or its edge and one of
    /// the triangle.
    pub(super) fn releases(&self, elements: Elements, points: &[u32; 4]) -> bool {
        if self.is_empty() {
            return false;
        }
        let [p, q, r, s] = *points;
        match elements {
            Elements::VertexTriangle => {
                let from = self.by_triangle.partition_point(|(known, _)| *known < [q, r, s]);
                let of = self.by_triangle[from..].iter().take_while(|(known, _)| *known == [q, r, s]);
                of.into_iter().any(|(_, ends)| ends.contains(&p))
            }
            Elements::EdgeEdge => self.crosses([p, q], [r, s]) || self.crosses([r, s], [p, q]),
        }
    }

    /// Whether the first edge crosses a triangle that has the second.
    fn crosses(&self, [p, q]: [u32; 2], other: [u32; 2]) -> bool {
        let ends = [p.min(q), p.max(q)];
        let from = self.knots.partition_point(|knot| knot.edge < ends);
        self.knots[from..]
            .iter()
            .take_while(|knot| knot.edge == ends)
            .any(|knot| other.iter().all(|v| knot.triangle.contains(v)))
    }
}

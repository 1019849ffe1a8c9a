//! [`Tangle`]: what crosses already, and is let go so that it can come apart.
//!
//! The distances of a crossed pair are positive too: planes would lock it as it is. So the vertices and edges of a crossing are released from contacts and net. All other pairs stay held, and so the set of crossing pairs can
//! change through released ones only: a tangle shrinks or stays where it is, it does not spread.

use pliant_contact::{Crossing, Surface};

use super::candidates::Elements;

/// The pairs that are let go.
#[derive(Debug)]
pub(super) struct Tangle {
    /// Ends of the edge, ascending, and corners of the triangle of every crossing, sorted.
    crossings: Vec<([u32; 2], [u32; 3])>,
    /// Whether there may be others.
    open: bool,
}

impl Default for Tangle {
    /// Nobody has looked.
    fn default() -> Self {
        Self { crossings: Vec::new(), open: true }
    }
}

impl Tangle {
    pub(super) fn is_empty(&self) -> bool {
        self.crossings.is_empty()
    }

    /// Whether crossings are to be looked for.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// There may be new crossings.
    pub(super) fn open(&mut self) {
        self.open = true;
    }

    /// Takes the crossings of a moment. Where there are none there will be none.
    pub(super) fn set(&mut self, surface: &Surface, found: &[Crossing]) {
        self.crossings.clear();
        self.crossings.extend(found.iter().map(|crossing| {
            let mut ends = surface.edges()[crossing.edge as usize];
            ends.sort_unstable();
            (ends, surface.triangles()[crossing.triangle as usize])
        }));
        self.crossings.sort_unstable();
        self.open = !found.is_empty();
    }

    /// Whether a pair is let go: an end of the edge and the triangle of a crossing, or its edge and one of the triangle.
    pub(super) fn releases(&self, elements: Elements, points: &[u32; 4]) -> bool {
        if self.is_empty() {
            return false;
        }
        let [p, q, r, s] = *points;
        match elements {
            Elements::VertexTriangle => {
                self.crossings.iter().any(|(ends, corners)| ends.contains(&p) && *corners == [q, r, s])
            }
            Elements::EdgeEdge => self.crosses([p, q], [r, s]) || self.crosses([r, s], [p, q]),
        }
    }

    /// Whether the first edge crosses a triangle that has the second.
    fn crosses(&self, [p, q]: [u32; 2], other: [u32; 2]) -> bool {
        let ends = [p.min(q), p.max(q)];
        let from = self.crossings.partition_point(|(known, _)| *known < ends);
        self.crossings[from..]
            .iter()
            .take_while(|(known, _)| *known == ends)
            .any(|(_, corners)| other.iter().all(|v| corners.contains(v)))
    }
}

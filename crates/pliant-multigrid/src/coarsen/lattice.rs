//! A lattice over the rest coordinates: cubes, each cut into six tetrahedra along its diagonal (Freudenthal, Kuhn).
//!
//! Within a tetrahedron weights are linear, so functions that are affine in the rest coordinates, rotations
//! among them, are reproduced exactly. Eight weights per node (trilinear ones) save no iterations and cost
//! twice the work. Lattices of coarser levels have every third corner of the finer one.

use super::distance::typical_edge;
use crate::graph::Graph;
use crate::weights::Weights;

/// Fine nodes per corner that the first lattice is made coarse enough for.
const NODES_PER_CORNER: usize = 10;

/// The spacing tried first, in typical edges; and how far a lattice may reach, in spacings.
const FIRST: f64 = 2.5;
const REACH: f64 = 1e6;

type Corner = [i32; 3];

/// The spacing of the first lattice and one of its corners, `None` if all nodes coincide.
pub(super) fn first(graph: &Graph, rest: &[[f64; 3]]) -> Option<(f64, [f64; 3])> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for x in rest {
        for k in 0..3 {
            low[k] = low[k].min(x[k]);
            high[k] = high[k].max(x[k]);
        }
    }
    let extent = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let mut spacing = (FIRST * typical_edge(graph, rest)?).max(extent / REACH);
    if !(spacing.is_finite() && extent.is_finite()) {
        return None;
    }
    let connected = (0..graph.len()).filter(|&node| !graph.is_alone(node)).count();
    for _ in 0..12 {
        let mut corners = Vec::with_capacity(4 * connected);
        for node in (0..graph.len()).filter(|&node| !graph.is_alone(node)) {
            corners.extend(
                corners_of(&rest[node], spacing, &low).into_iter().filter(|c| c.1 > 0.0).map(|c| c.0),
            );
        }
        corners.sort_unstable();
        corners.dedup();
        if corners.len() * NODES_PER_CORNER <= connected {
            break;
        }
        let excess = (corners.len() * NODES_PER_CORNER) as f64 / connected as f64;
        spacing *= (1.0 + 0.4 * (excess - 1.0)).clamp(1.1, 1.5);
    }
    Some((spacing, low))
}

/// The corners of the tetrahedron around a point, with their weights, some of which may be 0.
fn corners_of(x: &[f64; 3], spacing: f64, origin: &[f64; 3]) -> [(Corner, f64); 4] {
    let mut corner = [0; 3];
    let mut within = [0.0; 3];
    for k in 0..3 {
        let at = (x[k] - origin[k]) / spacing;
        // A point on a side of a cube, but for rounding, is on it.
        let near = (at + 0.5).floor();
        let floor = if (at - near).abs() < 1e-6 { near } else { at.floor() };
        #[allow(clippy::cast_possible_truncation, reason = "lattices reach a million corners at most")]
        {
            corner[k] = floor as i32;
        }
        within[k] = if floor == near && (at - near).abs() < 1e-6 { 0.0 } else { at - floor };
    }
    // From the cube's first corner along the axes, the longest way first.
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| within[b].total_cmp(&within[a]));
    let mut corners = [(corner, 0.0); 4];
    let mut left = 1.0;
    for (k, entry) in corners.iter_mut().enumerate() {
        let next = axes.get(k).map_or(0.0, |&axis| within[axis]);
        *entry = (corner, left - next);
        left = next;
        if let Some(&axis) = axes.get(k) {
            corner[axis] += 1;
        }
    }
    corners
}

/// The weights of a lattice's corners.
pub(super) fn weights(graph: &Graph, rest: &[[f64; 3]], spacing: f64, origin: [f64; 3]) -> Weights {
    let mut entries: Vec<(Corner, u32, f64)> = Vec::with_capacity(4 * rest.len());
    for node in (0..graph.len()).filter(|&node| !graph.is_alone(node)) {
        let corners = corners_of(&rest[node], spacing, &origin).into_iter().filter(|c| c.1 > 0.0);
        entries.extend(corners.map(|(corner, weight)| (corner, node as u32, weight)));
    }
    entries.sort_unstable_by_key(|entry| (entry.0, entry.1));

    let mut rows = vec![Vec::new(); graph.len()];
    let mut coarse_rest = Vec::new();
    let mut parts = Parts::new(graph.len());
    for around in entries.chunk_by(|a, b| a.0 == b.0) {
        let first = coarse_rest.len() as u32;
        let count = parts.find(graph, around.iter().map(|entry| entry.1));
        for (entry, part) in around.iter().zip(&parts.part) {
            rows[entry.1 as usize].push((first + part, entry.2));
        }
        let place = [0, 1, 2].map(|k| origin[k] + f64::from(around[0].0[k]) * spacing);
        coarse_rest.extend(std::iter::repeat_n(place, count));
    }
    Weights::from_rows(&rows, coarse_rest.len(), Some(coarse_rest))
}

/// The parts into which some nodes fall, where two of one part are joined by edges over at most one node outside.
struct Parts {
    /// The place in the list by which a node of the graph was last reached, and in which search.
    reached: Vec<(u32, u32)>,
    search: u32,
    leader: Vec<u32>,
    part: Vec<u32>,
}

impl Parts {
    fn new(nodes: usize) -> Self {
        Self { reached: vec![(0, 0); nodes], search: 0, leader: Vec::new(), part: Vec::new() }
    }

    /// Numbers the parts in `part`, and returns how many there are.
    fn find(&mut self, graph: &Graph, nodes: impl ExactSizeIterator<Item = u32>) -> usize {
        self.search += 1;
        self.leader.clear();
        self.leader.extend(0..nodes.len() as u32);
        for (k, node) in (0..).zip(nodes) {
            for &j in graph.row(node as usize) {
                let reached = &mut self.reached[j as usize];
                if reached.1 == self.search {
                    let (a, b) = (root(&mut self.leader, k), root(&mut self.leader, reached.0));
                    let (a, b) = (a.min(b), a.max(b));
                    self.leader[b as usize] = a;
                } else {
                    *reached = (k, self.search);
                }
            }
        }
        self.part.clear();
        let mut count = 0;
        for k in 0..self.leader.len() as u32 {
            let leader = root(&mut self.leader, k);
            let part = if leader == k { count } else { self.part[leader as usize] };
            count += u32::from(leader == k);
            self.part.push(part);
        }
        count as usize
    }
}

fn root(leader: &mut [u32], mut k: u32) -> u32 {
    while leader[k as usize] != k {
        leader[k as usize] = leader[leader[k as usize] as usize];
        k = leader[k as usize];
    }
    k
}

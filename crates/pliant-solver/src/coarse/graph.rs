//! [`Graph`]: nodes and edges of stated lengths, and the shortest paths along them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use nalgebra::Vector3;
use pliant_mesh::Adjacency;

/// Nodes and the edges between them. Lengths are measured in units of the mean length of nearby edges, so
/// that patches have as many nodes in fine parts of a mesh as in coarse ones.
pub(crate) struct Graph {
    neighbours: Adjacency,
    places: Vec<Vector3<f64>>,
    /// Mean length of the edges of every node, m; one if there are none or all have length zero.
    scale: Vec<f64>,
}

/// Distances from a node, in buffers that are reused.
pub(crate) struct Ways {
    /// Distance of every node, and the search that found it.
    found: Vec<(u32, f64)>,
    search: u32,
    heap: BinaryHeap<Reached>,
    /// The nodes reached, with their distances, in the order in which they were reached.
    pub(crate) reached: Vec<(u32, f64)>,
}

/// A node in the queue of a search.
#[derive(PartialEq)]
struct Reached {
    distance: f64,
    node: u32,
}

impl Eq for Reached {}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reached {
    /// The nearest is the greatest; of equally near ones, the one with the lower number.
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.node.cmp(&self.node))
    }
}

impl Graph {
    pub(crate) fn new(places: Vec<Vector3<f64>>, edges: &[[u32; 2]]) -> Self {
        let neighbours = Adjacency::of_edges(places.len(), edges);
        let mean = |node: usize| {
            let row = neighbours.row(node);
            let sum: f64 = row.iter().map(|&other| (places[other as usize] - places[node]).norm()).sum();
            if sum > 0.0 { sum / row.len() as f64 } else { 1.0 }
        };
        let scale = (0..places.len()).map(mean).collect();
        Self { neighbours, places, scale }
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    fn length(&self, a: usize, b: usize) -> f64 {
        2.0 * (self.places[a] - self.places[b]).norm() / (self.scale[a] + self.scale[b])
    }

    /// Buffers for searches.
    pub(crate) fn ways(&self) -> Ways {
        Ways { found: vec![(0, 0.0); self.len()], search: 0, heap: BinaryHeap::new(), reached: Vec::new() }
    }

    /// Finds all nodes that are nearer than `radius` to a node along the edges.
    pub(crate) fn within(&self, source: u32, radius: f64, ways: &mut Ways) {
        ways.search += 1;
        let search = ways.search;
        ways.reached.clear();
        ways.heap.clear();
        ways.found[source as usize] = (search, 0.0);
        ways.heap.push(Reached { distance: 0.0, node: source });
        while let Some(Reached { distance, node }) = ways.heap.pop() {
            if ways.found[node as usize].1 < distance {
                continue;
            }
            ways.reached.push((node, distance));
            for &next in self.neighbours.row(node as usize) {
                let there = distance + self.length(node as usize, next as usize);
                let (known, best) = ways.found[next as usize];
                if there < radius && (known != search || there < best) {
                    ways.found[next as usize] = (search, there);
                    ways.heap.push(Reached { distance: there, node: next });
                }
            }
        }
    }
}

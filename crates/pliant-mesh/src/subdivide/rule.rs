//! The rules of subdivision, for positions and for weights of positions.

use std::ops::{Add, Mul, Sub};

use crate::TriMesh;
use crate::edges::{NumberedEdges, numbered_edges};
use crate::generate::{GenerateError, check_elements};

/// Where [`TriMesh::subdivide`] puts the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subdivision {
    /// Old vertices stay, new ones stand in the middle of their edges: the same surface in more triangles.
    #[default]
    Midpoint,
    /// Loop's scheme (Loop 1987): the surface becomes smooth, and shrinks a little where it is round. Boundaries become
    /// smooth curves that depend on the boundary alone; so do edges of more than two triangles. A vertex where one or
    /// more than two such lines meet stays where it is.
    Loop,
}

/// Refuses more triangles than can be numbered.
pub(super) fn check_levels(mesh: &TriMesh, levels: usize) -> Result<(), GenerateError> {
    // Beyond 31 levels a single triangle is too much, and the product need not be computed.
    let factors: Vec<usize> =
        std::iter::once(mesh.triangles().len()).chain(std::iter::repeat_n(4, levels.min(31))).collect();
    check_elements("subdivided surface", &factors)
}

/// What the rules average: positions, or weights of positions.
pub(super) trait Average:
    Clone + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self>
{
}

impl<V: Clone + Default + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>> Average for V {}

/// One subdivision of some triangles.
pub(super) struct Cut {
    numbered: NumberedEdges,
    sides: EdgeSides,
}

impl Cut {
    pub(super) fn new(triangles: &[[u32; 3]]) -> Self {
        let numbered = numbered_edges(triangles);
        let sides = EdgeSides::new(triangles, numbered.edges.len(), &numbered.edge_of_slot);
        Self { numbered, sides }
    }

    /// The values at the old vertices, then those at the new ones.
    pub(super) fn values<V: Average>(&self, old: &[V], scheme: Subdivision) -> Vec<V> {
        let edges = &self.numbered.edges;
        let mut values;
        match scheme {
            Subdivision::Midpoint => {
                values = old.to_vec();
                values.extend(edges.iter().map(|&e| middle(old, e)));
            }
            Subdivision::Loop => {
                values = moved_vertices(old, edges, &self.sides);
                values.extend(edges.iter().zip(&self.sides.0).map(|(&edge, side)| match *side {
                    // 3/8 of the ends and 1/8 of the vertices across.
                    Side::Smooth(across) => middle(old, edge) * 0.75 + middle(old, across) * 0.25,
                    Side::Sharp => middle(old, edge),
                }));
            }
        }
        values
    }

    /// The four parts of each triangle, of vertices of which so many are old.
    pub(super) fn triangles(&self, old: &[[u32; 3]], vertices: usize) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(4 * old.len());
        for (&[a, b, c], edges) in old.iter().zip(self.numbered.edge_of_slot.chunks_exact(3)) {
            let [ab, bc, ca] = [0, 1, 2].map(|k| vertices as u32 + edges[k]);
            triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles
    }
}

fn middle<V: Average>(values: &[V], [a, b]: [u32; 2]) -> V {
    // Half of each first, so that no finite positions overflow.
    values[a as usize].clone() * 0.5 + values[b as usize].clone() * 0.5
}

/// The triangles at an edge.
#[derive(Clone, Copy)]
enum Side {
    /// Two triangles, with these vertices across the edge.
    Smooth([u32; 2]),
    /// One triangle, or more than two.
    Sharp,
}

struct EdgeSides(Vec<Side>);

impl EdgeSides {
    fn new(triangles: &[[u32; 3]], edges: usize, edge_of_slot: &[u32]) -> Self {
        let mut found = vec![(0_u32, [0_u32; 2]); edges];
        for (slot, &edge) in edge_of_slot.iter().enumerate() {
            let (count, across) = &mut found[edge as usize];
            if let Some(place) = across.get_mut(*count as usize) {
                *place = triangles[slot / 3][(slot + 2) % 3];
            }
            *count += 1;
        }
        Self(
            found
                .into_iter()
                .map(|(n, across)| if n == 2 { Side::Smooth(across) } else { Side::Sharp })
                .collect(),
        )
    }
}

/// The values at old vertices in their new places.
fn moved_vertices<V: Average>(old: &[V], edges: &[[u32; 2]], sides: &EdgeSides) -> Vec<V> {
    #[derive(Clone, Default)]
    struct Ring<V> {
        count: u32,
        sum: V,
    }
    impl<V: Average> Ring<V> {
        fn add(&mut self, step: V) {
            self.count += 1;
            self.sum = std::mem::take(&mut self.sum) + step;
        }
    }
    let mut all = vec![Ring::<V>::default(); old.len()];
    let mut sharp = vec![Ring::<V>::default(); old.len()];
    for (&[a, b], side) in edges.iter().zip(&sides.0) {
        for (v, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
            // Sums of differences, which are exact to the size of the ring and not of the coordinates.
            let step = old[other].clone() - old[v].clone();
            if matches!(side, Side::Sharp) {
                sharp[v].add(step.clone());
            }
            all[v].add(step);
        }
    }
    old.iter()
        .zip(all.into_iter().zip(sharp))
        .map(|(p, (all, sharp))| match (sharp.count, all.count) {
            (0, 0) => p.clone(),
            (0, n) => p.clone() + all.sum * loop_weight(n),
            (2, _) => p.clone() + sharp.sum * 0.125,
            _ => p.clone(),
        })
        .collect()
}

/// Loop's weight of each of `n` neighbours: (5/8 − (3/8 + cos(2π/n)/4)²) / n.
pub(super) fn loop_weight(n: u32) -> f64 {
    let n = f64::from(n);
    let root = 0.375 + 0.25 * libm::cos(std::f64::consts::TAU / n);
    (0.625 - root * root) / n
}

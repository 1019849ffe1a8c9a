//! The icosahedron with its faces divided into a lattice of triangles: the skeleton of the icosphere and of the ball.
//!
//! Frequency n divides each edge into n parts and each face into n² triangles. The 10 n² + 2 vertices are numbered
//! corners first, then the inner vertices of the 30 edges, then those of the 20 faces.

use nalgebra::Vector3;

use crate::edges::{NumberedEdges, numbered_edges};

/// Faces, counter-clockwise from outside. Corner 0 is below, 1 to 5 the lower ring, 6 to 10 the upper, 11 above.
pub(super) const FACES: [[u32; 3]; 20] = [
    [0, 2, 1],
    [0, 3, 2],
    [0, 4, 3],
    [0, 5, 4],
    [0, 1, 5],
    [1, 2, 6],
    [2, 3, 7],
    [3, 4, 8],
    [4, 5, 9],
    [5, 1, 10],
    [2, 7, 6],
    [3, 8, 7],
    [4, 9, 8],
    [5, 10, 9],
    [1, 6, 10],
    [6, 7, 11],
    [7, 8, 11],
    [8, 9, 11],
    [9, 10, 11],
    [10, 6, 11],
];

/// The icosahedron's corners on the unit sphere and its numbered edges.
pub(super) struct Icosahedron {
    corners: [Vector3<f64>; 12],
    edges: NumberedEdges,
}

impl Icosahedron {
    pub(super) fn new() -> Self {
        let mut corners = [-Vector3::y(); 12];
        // Both rings lie at a latitude of atan(1/2).
        let (height, radius) = (1.0 / 5.0_f64.sqrt(), 2.0 / 5.0_f64.sqrt());
        for i in 0..5 {
            let at = |tenths: usize, y: f64| {
                let [cos, sin] = super::turn::turn(tenths % 10, 10);
                Vector3::new(radius * cos, y, -radius * sin)
            };
            corners[1 + i] = at(2 * i, -height);
            corners[6 + i] = at(2 * i + 1, height);
        }
        corners[11] = Vector3::y();
        Self { corners, edges: numbered_edges(&FACES) }
    }

    /// Number of vertices at a frequency.
    pub(super) fn vertex_count(n: usize) -> usize {
        10 * n * n + 2
    }

    /// Number of the lattice point of a face that stands `steps[c]` steps towards its corner `c`; the steps
    /// add up to `n`.
    pub(super) fn vertex(&self, face: usize, steps: [usize; 3], n: usize) -> u32 {
        let number = match steps {
            [s, 0, 0] | [0, s, 0] | [0, 0, s] => {
                let corner = steps.iter().position(|&c| c == s).unwrap_or(0);
                return FACES[face][corner];
            }
            [a, b, 0] => self.on_edge(face, 0, a, b, n),
            [0, b, c] => self.on_edge(face, 1, b, c, n),
            [a, 0, c] => self.on_edge(face, 2, c, a, n),
            [a, b, _] => {
                let in_face = (a - 1) * (n - 1) - a * (a - 1) / 2 + b - 1;
                12 + 30 * (n - 1) + face * ((n - 1) * (n - 2) / 2) + in_face
            }
        };
        number as u32
    }

    /// A point of edge `k` of a face, `from` steps towards the edge's first corner and `to` towards its second.
    fn on_edge(&self, face: usize, k: usize, from: usize, to: usize, n: usize) -> usize {
        let edge = self.edges.edge_of_slot[3 * face + k];
        let second = FACES[face][(k + 1) % 3];
        // Points of an edge are numbered from its smaller corner to its larger.
        let place = if self.edges.edges[edge as usize][1] == second { to } else { from };
        12 + edge as usize * (n - 1) + place - 1
    }

    /// The vertices at a frequency, on the unit sphere.
    pub(super) fn points(&self, n: usize) -> Vec<Vector3<f64>> {
        let mut points = self.corners.to_vec();
        for &edge in &self.edges.edges {
            let [a, b] = edge.map(|v| self.corners[v as usize]);
            points.extend((1..n).map(|i| (a * (n - i) as f64 + b * i as f64).normalize()));
        }
        for face in FACES {
            let [a, b, c] = face.map(|v| self.corners[v as usize]);
            for i in 1..n {
                for j in 1..n - i {
                    let sum = a * i as f64 + b * j as f64 + c * (n - i - j) as f64;
                    points.push(sum.normalize());
                }
            }
        }
        points
    }
}

/// The ways to write `sum` as three steps.
pub(super) fn steps(sum: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..=sum).flat_map(move |a| (0..=sum - a).map(move |b| [a, b, sum - a - b]))
}

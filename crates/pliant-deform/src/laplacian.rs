//! [`Laplacian`]: the mean of a vertex's neighbours, on every vertex at once.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use rayon::prelude::*;

use crate::deformer::GRAIN;

/// How the neighbours of a vertex count in their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LaplacianWeights {
    /// All alike. Pulls vertices towards an even spacing too.
    #[default]
    Uniform,
    /// By the cotangents of the two angles across the edge in the rest mesh (Pinkall & Polthier 1993), which
    /// leaves flat regions in place however they are triangulated. Sums below zero, across an edge between
    /// two obtuse angles, count as zero; a vertex without any weight falls back to uniform ones.
    Cotangent,
}

/// Relative weight below which an edge counts as absent when the mesh is checked for two colours: the
/// diagonals of right-angled cells have cotangents that are zero up to rounding.
const ABSENT: f64 = 1e-9;

/// Neighbours with weights that sum to 1, a row per vertex.
#[derive(Debug, Clone)]
pub(crate) struct Laplacian {
    offsets: Vec<usize>,
    neighbours: Vec<u32>,
    weights: Vec<f64>,
    /// Whether the neighbours of every vertex count alike; the weights need not be read then.
    uniform: bool,
}

impl Laplacian {
    pub(crate) fn of_mesh(mesh: &TriMesh, kind: LaplacianWeights) -> Self {
        let mut laplacian = Self::of_edges(mesh.positions().len(), &mesh.edges());
        if kind == LaplacianWeights::Cotangent {
            laplacian.weigh(mesh);
        }
        laplacian
    }

    /// Uniform weights on the neighbours by some edges.
    pub(crate) fn of_edges(vertices: usize, edges: &[[u32; 2]]) -> Self {
        let adjacency = pliant_mesh::Adjacency::of_edges(vertices, edges);
        let mut laplacian =
            Self { offsets: vec![0], neighbours: Vec::new(), weights: Vec::new(), uniform: true };
        for row in adjacency.rows() {
            let start = laplacian.neighbours.len();
            laplacian.neighbours.extend(row);
            laplacian.neighbours[start..].sort_unstable();
            laplacian.weights.extend(std::iter::repeat_n(1.0 / row.len() as f64, row.len()));
            laplacian.offsets.push(laplacian.neighbours.len());
        }
        laplacian
    }

    fn weigh(&mut self, mesh: &TriMesh) {
        self.uniform = false;
        let uniform = std::mem::replace(&mut self.weights, vec![0.0; self.neighbours.len()]);
        for t in 0..mesh.triangles().len() {
            let (corners, x) = (mesh.triangles()[t], mesh.corners(t));
            for k in 0..3 {
                let [i, j] = [(k + 1) % 3, (k + 2) % 3];
                let (u, v) = (x[i] - x[k], x[j] - x[k]);
                let doubled_area = u.cross(&v).norm();
                if doubled_area > 0.0 {
                    let cotangent = u.dot(&v) / doubled_area;
                    for [from, to] in [[corners[i], corners[j]], [corners[j], corners[i]]] {
                        let row = self.offsets[from as usize]..self.offsets[from as usize + 1];
                        let place = self.neighbours[row.clone()]
                            .binary_search(&to)
                            .expect("the corners of a triangle are neighbours");
                        self.weights[row.start + place] += cotangent;
                    }
                }
            }
        }
        for v in 0..self.offsets.len() - 1 {
            let row = self.offsets[v]..self.offsets[v + 1];
            self.weights[row.clone()].iter_mut().for_each(|w| *w = w.max(0.0));
            let sum: f64 = self.weights[row.clone()].iter().sum();
            if sum > 0.0 && sum.is_finite() {
                self.weights[row].iter_mut().for_each(|w| *w /= sum);
            } else {
                self.weights[row.clone()].copy_from_slice(&uniform[row]);
            }
        }
    }

    fn row(&self, v: usize) -> impl Iterator<Item = (u32, f64)> {
        let row = self.offsets[v]..self.offsets[v + 1];
        self.neighbours[row.clone()].iter().copied().zip(self.weights[row].iter().copied())
    }

    /// How much vertex `other` counts at vertex `v`.
    fn weight(&self, v: usize, other: usize) -> f64 {
        let row = self.offsets[v]..self.offsets[v + 1];
        let place = self.neighbours[row.clone()].binary_search(&(other as u32));
        place.map_or(0.0, |place| self.weights[row.start + place])
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// `to` ← x + share (mean of the neighbours − x), every vertex from the same positions. Vertices with the
    /// share 0 or without neighbours stay, bit for bit.
    pub(crate) fn step(
        &self,
        x: &[Vector3<f64>],
        to: &mut [Vector3<f64>],
        share: impl Fn(usize) -> f64 + Sync,
    ) {
        to.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(v, to)| {
            let share = share(v);
            *to = x[v];
            if share != 0.0 && self.offsets[v] < self.offsets[v + 1] {
                // Differences first: the mean of equal positions is then exactly the position.
                let at = x[v];
                if self.uniform {
                    let row = &self.neighbours[self.offsets[v]..self.offsets[v + 1]];
                    let pull: Vector3<f64> =
                        row.iter().fold(Vector3::zeros(), |sum, &n| sum + (x[n as usize] - at));
                    *to += pull * (share / row.len() as f64);
                } else {
                    let pull: Vector3<f64> =
                        self.row(v).fold(Vector3::zeros(), |sum, (n, w)| sum + (x[n as usize] - at) * w);
                    *to += pull * share;
                }
            }
        });
    }

    /// The vertices that would oscillate for ever: those of bipartite pieces all of whose vertices have the
    /// share 1. There the step has the eigenvalue −1.
    pub(crate) fn swinging(&self, share: impl Fn(usize) -> f64) -> Vec<bool> {
        let mut swinging = vec![false; self.len()];
        let mut colour: Vec<Option<bool>> = vec![None; self.len()];
        let largest: Vec<f64> =
            (0..self.len()).map(|v| self.row(v).map(|e| e.1).fold(0.0, f64::max)).collect();
        for start in 0..self.len() {
            if colour[start].is_some() {
                continue;
            }
            colour[start] = Some(false);
            let mut piece = vec![start];
            let mut swings = true;
            let mut next = 0;
            while next < piece.len() {
                let v = piece[next];
                next += 1;
                swings &= share(v) == 1.0 && self.offsets[v] < self.offsets[v + 1];
                for (n, weight) in self.row(v) {
                    let n = n as usize;
                    let back = self.weight(n, v);
                    if weight <= ABSENT * largest[v] && back <= ABSENT * largest[n] {
                        continue;
                    }
                    match colour[n] {
                        None => {
                            colour[n] = colour[v].map(|c| !c);
                            piece.push(n);
                        }
                        Some(_) => swings &= colour[n] != colour[v],
                    }
                }
            }
            if swings {
                piece.into_iter().for_each(|v| swinging[v] = true);
            }
        }
        swinging
    }
}

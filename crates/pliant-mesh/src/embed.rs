//! Embedding: a fine surface carried by a coarse solid.
//!
//! Each point of the fine surface is written once, at rest, as x = Σ b_i x_i in the corners of one
//! tetrahedron (b are its barycentric coordinates, Σ b_i = 1). Wherever the solid goes, the same sum gives
//! the point. Points in a tetrahedron have all b_i ≥ 0; points outside of all are bound to the nearest one by
//! extrapolation, so that every point moves.
//!
//! *Hazard.* Extrapolation magnifies: a point that stands outside by the height of its tetrahedron moves
//! twice as far as the corners do. [`EmbeddingFit`] reports how far outside the surface is, and which of its
//! points is the worst. Flat tetrahedra have no barycentric coordinates and carry nothing.

mod barycentric;
mod tree;

use nalgebra::Vector3;
use thiserror::Error;

use crate::quality::is_flat;
use crate::{Aabb, TetMesh};
use barycentric::BarycentricFrame;
pub(crate) use tree::{BoxTree, LEAF};

/// How negative a barycentric coordinate may be in a point that counts as inside: rounding, no more.
const INSIDE: f64 = -1e-9;

/// Relative difference of distances that count as equal. Points outside are often nearest to a vertex or an edge, which
/// several tetrahedra share.
const EQUAL: f64 = 1e-9;

/// Points bound to the tetrahedra of a solid.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{Embedding, TetMesh, TriMesh};
///
/// let ball = TetMesh::ball(0.5, 4)?;
/// let sphere = TriMesh::icosphere(0.45, 16)?;
/// let embedding = Embedding::new(&ball, sphere.positions())?;
/// assert_eq!(embedding.fit().outside, 0);
///
/// let lifted: Vec<_> = ball.positions().iter().map(|p| p + Vector3::y()).collect();
/// let fine = embedding.apply(&lifted);
/// assert!((fine[0] - sphere.positions()[0] - Vector3::y()).norm() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    solid_vertices: usize,
    tet_of: Vec<u32>,
    vertices: Vec<[u32; 4]>,
    weights: Vec<[f64; 4]>,
    fit: EmbeddingFit,
}

/// How well an [`Embedding`] fits, at rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EmbeddingFit {
    /// Points in a tetrahedron, or on its surface.
    pub inside: usize,
    /// Points in none, bound to the nearest.
    pub outside: usize,
    /// The largest distance of a point from its tetrahedron, m; zero when all are inside.
    pub largest_distance: f64,
    /// The point at that distance, if any is outside.
    pub farthest_point: Option<u32>,
    /// The lowest barycentric coordinate: above −1e-9 when all points are inside; −1 means that a point is as far
    /// beyond a face as the opposite corner is before it.
    pub lowest_weight: f64,
    /// The point with that coordinate.
    pub lowest_weight_point: Option<u32>,
    /// The largest distance between a point and its sum of corners, m, which is rounding error.
    pub rest_error: f64,
    /// Tetrahedra too flat to carry points.
    pub flat_tets: usize,
}

/// Points that cannot be bound to a solid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EmbedError {
    /// No tetrahedron has a volume.
    #[error("none of the {tets} tetrahedra has a volume, so no point can be bound to them")]
    NoTets {
        /// Number of tetrahedra in the mesh.
        tets: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {point} of the fine surface has the position ({}, {}, {}), which is not finite", position[0], position[1], position[2])]
    NonFinitePoint {
        /// Index of the point.
        point: usize,
        /// The position found there.
        position: [f64; 3],
    },
    /// The coordinates of a point in its tetrahedron overflow.
    #[error("point {point} of the fine surface, at ({}, {}, {}), is too far from the solid", position[0], position[1], position[2])]
    TooFar {
        /// Index of the point.
        point: usize,
        /// Its position.
        position: [f64; 3],
    },
}

impl Embedding {
    /// Binds each point to a tetrahedron of the solid at rest.
    ///
    /// Of several tetrahedra that hold a point, or are equally near to it, the one with the highest lowest coordinate
    /// is taken, and of equal ones the first: the answer does not depend on the order of the points.
    ///
    /// # Errors
    ///
    /// If there are points but no tetrahedron with a volume, or a point is not finite or absurdly far away.
    pub fn new(solid: &TetMesh, points: &[Vector3<f64>]) -> Result<Self, EmbedError> {
        if let Some(point) = points.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
            return Err(EmbedError::NonFinitePoint { point, position: points[point].into() });
        }
        let carriers: Vec<u32> = (0_u32..)
            .zip(solid.tets())
            .map(|(t, _)| t)
            .filter(|&t| !is_flat(&solid.corners(t as usize)))
            .collect();
        if carriers.is_empty() && !points.is_empty() {
            return Err(EmbedError::NoTets { tets: solid.tets().len() });
        }

        let mut search = Search::new(solid, carriers);
        let mut embedding = Self {
            solid_vertices: solid.positions().len(),
            tet_of: Vec::with_capacity(points.len()),
            vertices: Vec::with_capacity(points.len()),
            weights: Vec::with_capacity(points.len()),
            fit: EmbeddingFit {
                lowest_weight: f64::INFINITY,
                flat_tets: solid.tets().len() - search.carriers.len(),
                ..EmbeddingFit::default()
            },
        };
        for (i, point) in (0_u32..).zip(points) {
            let binding = search.bind(point);
            let frame = BarycentricFrame::new(&solid.corners(binding.tet as usize));
            let weights = frame.refined_weights(point);
            if !binding.distance.is_finite() || !weights.iter().all(|b| b.is_finite()) {
                return Err(EmbedError::TooFar { point: i as usize, position: (*point).into() });
            }
            embedding.fit.add(i, &binding, &weights, (frame.point(&weights) - point).norm());
            embedding.tet_of.push(binding.tet);
            embedding.vertices.push(solid.tets()[binding.tet as usize]);
            embedding.weights.push(weights);
        }
        if points.is_empty() {
            embedding.fit.lowest_weight = 0.0;
        }
        Ok(embedding)
    }

    /// The points where the solid's vertices are at `coarse`, m.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the solid's vertices.
    #[must_use]
    pub fn apply(&self, coarse: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let mut fine = vec![Vector3::zeros(); self.len()];
        self.apply_into(coarse, &mut fine);
        fine
    }

    /// As [`apply`](Self::apply), into an existing array.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the solid's vertices, or `fine` not as long as the points.
    pub(crate) fn apply_into(&self, coarse: &[Vector3<f64>], fine: &mut [Vector3<f64>]) {
        assert_eq!(coarse.len(), self.solid_vertices, "positions given, vertices of the embedding's solid");
        assert_eq!(fine.len(), self.len(), "places given, points of the embedding");
        for ((place, vertices), weights) in fine.iter_mut().zip(&self.vertices).zip(&self.weights) {
            *place = barycentric::combine(&vertices.map(|v| coarse[v as usize]), weights);
        }
    }

    /// Interpolates a quantity from its values `coarse` at the solid's vertices to the points, in any unit: Σ
    /// b_i q_i. Outside of the solid it is extrapolated, so that it may exceed its range inside.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the solid's vertices.
    #[must_use]
    pub fn interpolate(&self, coarse: &[f64]) -> Vec<f64> {
        assert_eq!(coarse.len(), self.solid_vertices, "numbers given, vertices of the embedding's solid");
        let carried = self.vertices.iter().zip(&self.weights);
        let sum = |(vertices, weights): (&[u32; 4], &[f64; 4])| {
            vertices.iter().zip(weights).map(|(&v, weight)| weight * coarse[v as usize]).sum()
        };
        carried.map(sum).collect()
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tet_of.len()
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tet_of.is_empty()
    }

    /// The tetrahedron of each point.
    #[must_use]
    pub fn tet_of(&self) -> &[u32] {
        &self.tet_of
    }

    /// The solid's vertices that carry each point.
    #[must_use]
    pub fn vertices(&self) -> &[[u32; 4]] {
        &self.vertices
    }

    /// The barycentric coordinates of each point; they add up to one.
    #[must_use]
    pub fn weights(&self) -> &[[f64; 4]] {
        &self.weights
    }

    /// How well the points fit.
    #[must_use]
    pub fn fit(&self) -> &EmbeddingFit {
        &self.fit
    }
}

impl EmbeddingFit {
    fn add(&mut self, point: u32, binding: &Binding, weights: &[f64; 4], error: f64) {
        if binding.distance > 0.0 {
            self.outside += 1;
        } else {
            self.inside += 1;
        }
        if binding.distance > self.largest_distance {
            self.largest_distance = binding.distance;
            self.farthest_point = Some(point);
        }
        let lowest = lowest(weights);
        if lowest < self.lowest_weight {
            self.lowest_weight = lowest;
            self.lowest_weight_point = Some(point);
        }
        self.rest_error = self.rest_error.max(error);
    }
}

/// The tetrahedron found for a point.
#[derive(Clone, Copy)]
struct Binding {
    tet: u32,
    /// Distance of the point from the tetrahedron, m; zero inside.
    distance: f64,
    /// The lowest barycentric coordinate.
    lowest: f64,
}

fn lowest(weights: &[f64; 4]) -> f64 {
    // Adding zero makes the two zeros one, so that they tie.
    weights.iter().copied().fold(f64::INFINITY, f64::min) + 0.0
}

/// The tetrahedra that can carry points, arranged for search.
struct Search<'a> {
    solid: &'a TetMesh,
    carriers: Vec<u32>,
    tree: BoxTree,
    /// Distances below this are rounding, m.
    rounding: f64,
    /// Tetrahedra that were as near as any when they were tested.
    candidates: Vec<Binding>,
}

impl<'a> Search<'a> {
    fn new(solid: &'a TetMesh, carriers: Vec<u32>) -> Self {
        let boxes: Vec<_> = carriers.iter().map(|&t| tree::bounds_of(&solid.corners(t as usize))).collect();
        let tree = BoxTree::new(&boxes);
        let rounding = EQUAL * tree.bounds().map_or(0.0, Aabb::diagonal);
        Self { solid, carriers, tree, rounding, candidates: Vec::new() }
    }

    /// The tetrahedron that holds the point best, or else the best of the nearest.
    fn bind(&mut self, point: &Vector3<f64>) -> Binding {
        let mut least = f64::INFINITY;
        let reach = |least: f64| least * (1.0 + EQUAL) + self.rounding * EQUAL;
        self.candidates.clear();
        self.tree.visit(point, |item| {
            let tet = self.carriers[item as usize];
            let frame = BarycentricFrame::new(&self.solid.corners(tet as usize));
            let lowest = lowest(&frame.weights(point));
            let distance = if lowest >= INSIDE { 0.0 } else { frame.distance_squared(point).sqrt() };
            if distance <= reach(least) {
                self.candidates.push(Binding { tet, distance, lowest });
                least = least.min(distance);
            }
            // A point just outside, by rounding, is just outside of the box too.
            reach(least) + self.rounding
        });
        // Which of nearly equal distances is least is an accident of rounding, so that it does not decide.
        let near = self.candidates.iter().filter(|c| c.distance <= reach(least));
        *near
            .max_by(|a, b| a.lowest.total_cmp(&b.lowest).then(b.tet.cmp(&a.tet)))
            .expect("the nearest of all tetrahedra is a candidate")
    }
}

#[cfg(test)]
mod tests;

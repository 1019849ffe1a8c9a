//! [`DistanceGrid`]: a solid of any shape, by distances at the nodes of a grid.
//!
//! *Hazard.* Between nodes the distance is interpolated, so that edges are rounded by about a cell, and parts
//! thinner than a cell may be missed altogether. There is no guarantee for features below one cell.

use nalgebra::Vector3;
use thiserror::Error;

use crate::{Aabb, Hinges, SignedDistance, TriMesh};

/// The largest number of nodes: a distance takes four bytes, so that a grid takes at most 256 MiB.
const MOST_NODES: f64 = (1_u64 << 26) as f64;

/// A grid that cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistanceGridError {
    /// The surface has no triangles.
    #[error("the surface has no triangles, so it has no inside")]
    Empty,
    /// The surface does not enclose a volume.
    #[error(
        "the surface is open: {boundary} of its edges have one triangle, and {branching} have three or more, the first between vertices {first} and \
         {second} (from 0); give a closed surface, or close it with `pliant mesh repair`"
    )]
    Open {
        /// Number of edges with one triangle.
        boundary: usize,
        /// Number of edges with three triangles or more.
        branching: usize,
        /// A vertex of the first such edge.
        first: u32,
        /// Its other vertex.
        second: u32,
    },
    /// Neighbouring triangles face different sides.
    #[error(
        "{count} pairs of neighbouring triangles face different sides, the first at the edge between vertices {first} and {second} (from 0); turn them with `pliant mesh repair`"
    )]
    Turned {
        /// Number of pairs.
        count: usize,
        /// A vertex of the edge between the first pair.
        first: u32,
        /// Its other vertex.
        second: u32,
    },
    /// A length is not positive and finite.
    #[error("the {what} is {value} m; give a positive number")]
    Length {
        /// The length.
        what: &'static str,
        /// What was found, m.
        value: f64,
    },
    /// No node is inside the solid.
    #[error("no node of the grid is inside the solid: cells of {cell} m are too large for it; make them smaller than {} m", 0.5 * size.min())]
    Lost {
        /// Side of a cell, m.
        cell: f64,
        /// Size of the solid, m.
        size: Vector3<f64>,
    },
    /// Too many nodes.
    #[error(
        "cells of {cell} m make a grid of {} × {} × {} nodes, {:.0} million; at most {:.0} million (256 MiB) are taken: make the cells larger than {least:.3e} m",
        counts[0], counts[1], counts[2], counts[0] * counts[1] * counts[2] / 1e6, MOST_NODES / 1e6
    )]
    TooLarge {
        /// Side of a cell, m.
        cell: f64,
        /// Nodes along the axes.
        counts: [f64; 3],
        /// Side of the cells of a grid that would do, m.
        least: f64,
    },
}

/// A solid by its signed distances at the nodes of a regular grid, with a straight line between neighbours.
///
/// The grid reaches some way beyond the surface; farther out the distance is that of the surface point under
/// the nearest place of the grid.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{DistanceGrid, TriMesh};
///
/// let ball = TriMesh::icosphere(0.5, 8)?;
/// let grid = DistanceGrid::new(&ball, 0.05, 0.2)?;
/// let (gap, normal) = grid.gap(&Vector3::new(0.6, 0.0, 0.0));
/// assert!((gap - 0.1).abs() < 0.02 && normal.x > 0.99);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceGrid {
    /// The node with the least coordinates, m.
    origin: Vector3<f64>,
    /// Side of a cell, m.
    cell: f64,
    /// Nodes along the axes.
    counts: [usize; 3],
    /// By x first, then y, then z, m.
    distances: Vec<f32>,
    /// The box around the surface, m.
    bounds: Aabb,
}

impl DistanceGrid {
    /// The solid within a closed surface, by cells with sides of `cell`, m, in a grid that reaches `band`, m,
    /// beyond the surface, two cells at least.
    ///
    /// The winding number decides what is inside, so that parts may overlap.
    ///
    /// # Errors
    ///
    /// If the surface is empty or open, a length is not positive, there would be more than 2²⁶ nodes, or none of
    /// them is inside the solid.
    pub fn new(surface: &TriMesh, cell: f64, band: f64) -> Result<Self, DistanceGridError> {
        for (what, value) in [("side of a cell", cell), ("band", band)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(DistanceGridError::Length { what, value });
            }
        }
        let used = surface.triangles().iter().flatten().map(|&v| surface.positions()[v as usize]);
        let bounds = Aabb::around(used).ok_or(DistanceGridError::Empty)?;
        closed(surface)?;
        let margin = band.max(2.0 * cell);
        let (min, size) = (bounds.min.add_scalar(-margin), bounds.size().add_scalar(2.0 * margin));
        let nodes = |cell: f64| [0, 1, 2].map(|k| (size[k] / cell).ceil() + 1.0);
        let total = |counts: [f64; 3]| counts.iter().product::<f64>();
        if total(nodes(cell)) > MOST_NODES {
            let mut least = cell * libm::cbrt(total(nodes(cell)) / MOST_NODES);
            while total(nodes(least)) > MOST_NODES {
                least *= 1.01;
            }
            return Err(DistanceGridError::TooLarge { cell, counts: nodes(cell), least });
        }
        let counts = nodes(cell).map(|n| n as usize);
        // The last node is as far beyond the surface as the first.
        let slack = Vector3::from_fn(|k, _| (counts[k] - 1) as f64 * cell - size[k]);
        let mut grid = Self { origin: min - slack * 0.5, cell, counts, distances: Vec::new(), bounds };
        grid.distances = grid.measure(&SignedDistance::new(surface));
        if grid.depth() <= 0.0 {
            return Err(DistanceGridError::Lost { cell, size: bounds.size() });
        }
        Ok(grid)
    }

    /// The distances of all nodes.
    fn measure(&self, surface: &SignedDistance) -> Vec<f32> {
        let [nx, ny, nz] = self.counts;
        let mut distances = Vec::with_capacity(nx * ny * nz);
        for k in 0..nz {
            for j in 0..ny {
                let mut before: Option<f64> = None;
                for i in 0..nx {
                    let x = self.origin + Vector3::new(i as f64, j as f64, k as f64) * self.cell;
                    // From a node to the next the distance changes by a cell at most, and its sign only where
                    // the surface is between them.
                    let bound = before.map_or(f64::INFINITY, |d| (d.abs() + self.cell) * (1.0 + 1e-9));
                    let distance = surface.distance_squared_below(&x, bound * bound).sqrt();
                    let is_inside = match before {
                        Some(d) if d.abs() > self.cell * (1.0 + 1e-6) => d < 0.0,
                        _ => surface.is_inside(&x),
                    };
                    let signed = if is_inside { -distance } else { distance };
                    distances.push(signed as f32);
                    before = Some(signed);
                }
            }
        }
        distances
    }

    /// Number of nodes along the axes.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Side of a cell, m.
    #[must_use]
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// The largest depth of a node, m: half of the thickness of the solid where it is thickest.
    #[must_use]
    pub fn depth(&self) -> f64 {
        f64::from(self.distances.iter().fold(0.0, |most: f32, distance| most.max(-distance)))
    }

    /// The box around the surface, m.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The signed distance of a point, m, and the direction out. Where the distance has no direction, in the
    /// middle of the solid, that is y.
    #[must_use]
    pub fn gap(&self, x: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let last = Vector3::from_fn(|k, _| (self.counts[k] - 1) as f64 * self.cell);
        let place = x - self.origin;
        let within = place.sup(&Vector3::zeros()).inf(&last);
        let (distance, gradient) = self.interpolate(&within);
        let normal = gradient.try_normalize(1e-6).unwrap_or_else(Vector3::y);
        if within == place {
            return (distance, normal);
        }
        // Beyond the grid: from the point of the surface that belongs to the nearest place of the grid.
        let out = place - (within - normal * distance);
        let length = out.norm();
        (length, out / length)
    }

    /// The distance at a place of the grid, seen from the first node, m, and its gradient.
    fn interpolate(&self, place: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let place = place / self.cell;
        let node = [0, 1, 2].map(|k| (place[k].max(0.0) as usize).min(self.counts[k] - 2));
        let share = [0, 1, 2].map(|k| place[k] - node[k] as f64);
        let [nx, ny, _] = self.counts;
        let first = (node[2] * ny + node[1]) * nx + node[0];
        let corner =
            |c: usize| f64::from(self.distances[first + (c & 1) + (c >> 1 & 1) * nx + (c >> 2) * nx * ny]);
        let mut distance = 0.0;
        let mut gradient = Vector3::zeros();
        for c in 0..8 {
            let value = corner(c);
            let weights = [0, 1, 2].map(|k| if c >> k & 1 == 1 { share[k] } else { 1.0 - share[k] });
            distance += value * weights[0] * weights[1] * weights[2];
            for k in 0..3 {
                let sign = if c >> k & 1 == 1 { 1.0 } else { -1.0 };
                gradient[k] += sign * value * weights[(k + 1) % 3] * weights[(k + 2) % 3];
            }
        }
        (distance, gradient / self.cell)
    }
}

/// Refuses a surface with a rim, or with sheets that meet in an edge.
fn closed(surface: &TriMesh) -> Result<(), DistanceGridError> {
    let hinges: Hinges = surface.hinges();
    if hinges.is_closed() {
        let Some(&turned) = hinges.inconsistent.first() else { return Ok(()) };
        let [first, second, ..] = hinges.interior[turned as usize].vertices();
        return Err(DistanceGridError::Turned { count: hinges.inconsistent.len(), first, second });
    }
    let rim = hinges.boundary.first().copied();
    let [first, second] =
        rim.or_else(|| hinges.non_manifold.first().map(|edge| edge.edge)).unwrap_or_default();
    let (boundary, branching) = (hinges.boundary.len(), hinges.non_manifold.len());
    Err(DistanceGridError::Open { boundary, branching, first, second })
}

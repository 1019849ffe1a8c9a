//! [`Smooth`]: every vertex towards the mean of its neighbours.
//!
//! ```text
//! x_i ← x_i + w_i (Σ_j a_ij x_j − x_i)        Σ_j a_ij = 1, all from the same positions
//! ```
//!
//! three to five times; with vertices held fixed it converges to the harmonic shape, in which every other
//! vertex is the mean of its neighbours. Source: *Game Physics Pearls* (2010), ch. 13; Taubin, "A signal
//! processing approach to fair surface design" (1995), for the spectrum.
//!
//! *Hazard.* With w = 1 the step has the eigenvalue −1 wherever the graph of neighbours is bipartite: quad
//! grids, or right-angled grids with cotangent weights, whose diagonals have no weight. The shape then
//! oscillates between two states for ever. Such pieces of a mesh are found beforehand, and their last
//! iteration goes half of the way, which is the mean of the two states and removes exactly the oscillation.
//! Any fixed vertex, or any w below 1, damps the oscillation by itself. Isolated vertices have no neighbours
//! and stay.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

use crate::deformer::{Deformer, FrameTime, check_positions};
use crate::error::{BindError, DeformError, check_count, check_share, check_weights};
use crate::laplacian::{Laplacian, LaplacianWeights};
use crate::weld::Weld;

/// How to smooth.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothSettings {
    /// Number of iterations.
    pub iterations: u32,
    /// Share of the way to the mean that a vertex goes in an iteration, in [0, 1].
    pub strength: f64,
    /// A factor of that for every vertex, in [0, 1]; 0 is fixed.
    pub weights: Option<Vec<f64>>,
    /// How neighbours count.
    pub neighbours: LaplacianWeights,
    /// Whether vertices on the border of the mesh stay.
    pub pin_borders: bool,
    /// Whether pieces that would oscillate for ever end half-way between their two states.
    pub damp_swing: bool,
}

impl Default for SmoothSettings {
    /// Four iterations in full, uniform neighbours, nothing fixed.
    fn default() -> Self {
        Self {
            iterations: 4,
            strength: 1.0,
            weights: None,
            neighbours: LaplacianWeights::default(),
            pin_borders: false,
            damp_swing: true,
        }
    }
}

/// The smoothing deformer.
///
/// ```
/// use pliant_deform::{Deformer, FrameTime, Smooth, SmoothSettings};
/// use pliant_mesh::TriMesh;
///
/// let sheet = TriMesh::grid([11, 11], [1.0, 1.0])?;
/// let settings = SmoothSettings { pin_borders: true, iterations: 200, ..SmoothSettings::default() };
/// let mut smooth = Smooth::new(&sheet, settings)?;
/// let mut bumpy: Vec<_> = sheet.positions().to_vec();
/// bumpy[60].y += 0.5;
/// smooth.deform(&FrameTime::default(), &mut bumpy)?;
/// assert!(bumpy.iter().all(|p| p.y.abs() < 1e-3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Smooth {
    settings: SmoothSettings,
    weld: Weld,
    smoothing: Smoothing,
}

impl Smooth {
    /// Smooths a mesh; vertices in one place, and with the same weight, are welded.
    ///
    /// # Errors
    ///
    /// If the strength or a weight is not in [0, 1], or there is not one weight per vertex.
    pub fn new(rest: &TriMesh, settings: SmoothSettings) -> Result<Self, BindError> {
        Self::welded(rest, &Weld::by_position(rest.positions()), settings)
    }

    /// Smooths a mesh with a welding of your own; vertices with different weights are split.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), or if the weld is for another number of vertices.
    pub fn welded(rest: &TriMesh, weld: &Weld, settings: SmoothSettings) -> Result<Self, BindError> {
        check_count("vertices of the weld", weld.vertex_count(), rest.positions().len())?;
        check(&settings, rest.positions().len())?;
        let weld = settings.weights.as_ref().map_or_else(|| weld.clone(), |w| weld.split_by(w));
        let points = weld.mesh(rest);
        let mut shares = shares(&settings, weld.point_count(), &weld);
        if settings.pin_borders {
            points.hinges().boundary.iter().flatten().for_each(|&v| shares[v as usize] = 0.0);
        }
        let laplacian = Laplacian::of_mesh(&points, settings.neighbours);
        Ok(Self { smoothing: Smoothing::new(laplacian, shares, &settings), weld, settings })
    }

    /// Smooths along edges of your own, such as those of quads without their diagonals. Neighbours count
    /// equally, and there is no border to pin.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), if an edge names a missing vertex, or if the settings ask for cotangents or borders.
    pub fn of_edges(
        vertices: usize,
        edges: &[[u32; 2]],
        settings: SmoothSettings,
    ) -> Result<Self, BindError> {
        check(&settings, vertices)?;
        for (index, edge) in edges.iter().enumerate() {
            if let Some(&vertex) = edge.iter().find(|&&v| v as usize >= vertices) {
                return Err(BindError::NoVertex { what: "edge", index, vertex, vertices });
            }
        }
        if settings.pin_borders {
            return Err(BindError::NeedsTriangles { what: "a border" });
        }
        if settings.neighbours == LaplacianWeights::Cotangent {
            return Err(BindError::NeedsTriangles { what: "weighing by cotangents" });
        }
        let weld = Weld::none(vertices);
        let shares = shares(&settings, vertices, &weld);
        let laplacian = Laplacian::of_edges(vertices, edges);
        Ok(Self { smoothing: Smoothing::new(laplacian, shares, &settings), weld, settings })
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &SmoothSettings {
        &self.settings
    }
}

fn check(settings: &SmoothSettings, vertices: usize) -> Result<(), BindError> {
    check_share("the strength of smoothing", settings.strength)?;
    settings.weights.as_ref().map_or(Ok(()), |w| check_weights("weights of the smoothing", w, vertices))
}

fn shares(settings: &SmoothSettings, points: usize, weld: &Weld) -> Vec<f64> {
    match &settings.weights {
        Some(weights) => weld.take(weights).iter().map(|w| w * settings.strength).collect(),
        None => vec![settings.strength; points],
    }
}

impl Deformer for Smooth {
    fn kind(&self) -> &'static str {
        "smooth"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.weld.vertex_count())
    }

    fn deform(&mut self, _frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        check_positions(positions, self.weld.vertex_count())?;
        let smoothing = &mut self.smoothing;
        self.weld.with_points(positions, |points| smoothing.run(points));
        Ok(())
    }
}

/// Some iterations of a Laplacian.
#[derive(Debug, Clone)]
pub(crate) struct Smoothing {
    laplacian: Laplacian,
    shares: Vec<f64>,
    iterations: u32,
    swinging: Vec<bool>,
    other: Vec<Vector3<f64>>,
}

impl Smoothing {
    pub(crate) fn new(laplacian: Laplacian, shares: Vec<f64>, settings: &SmoothSettings) -> Self {
        let swinging = if settings.damp_swing && settings.iterations > 0 {
            laplacian.swinging(|v| shares[v])
        } else {
            vec![false; shares.len()]
        };
        Self { laplacian, shares, iterations: settings.iterations, swinging, other: Vec::new() }
    }

    pub(crate) fn run(&mut self, x: &mut [Vector3<f64>]) {
        self.other.resize(x.len(), Vector3::zeros());
        for iteration in 1..=self.iterations {
            let last = iteration == self.iterations;
            let (shares, swinging) = (&self.shares, &self.swinging);
            let share = |v: usize| if last && swinging[v] { 0.5 * shares[v] } else { shares[v] };
            // In pairs of iterations, so that nothing has to be copied in between.
            if iteration % 2 == 1 {
                self.laplacian.step(x, &mut self.other, share);
            } else {
                self.laplacian.step(&self.other, x, share);
            }
        }
        if self.iterations % 2 == 1 {
            x.copy_from_slice(&self.other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges of the cells of a grid, without diagonals.
    fn quads(side: u32) -> Vec<[u32; 2]> {
        let mut edges = Vec::new();
        for j in 0..side {
            for i in 0..side {
                let v = j * side + i;
                edges.extend((i + 1 < side).then_some([v, v + 1]));
                edges.extend((j + 1 < side).then_some([v, v + side]));
            }
        }
        edges
    }

    /// The checkerboard part of a height, which swings.
    fn swing(x: &[Vector3<f64>], side: usize) -> f64 {
        let sign = |v: usize| if (v % side + v / side).is_multiple_of(2) { 1.0 } else { -1.0 };
        let valence = |v: usize| {
            let inner = |k: usize| if k == 0 || k + 1 == side { 1.0 } else { 2.0 };
            inner(v % side) + inner(v / side)
        };
        x.iter().enumerate().map(|(v, x)| sign(v) * valence(v) * x.y).sum::<f64>()
    }

    fn bumps(count: usize) -> Vec<Vector3<f64>> {
        (0..count).map(|v| Vector3::new(0.0, ((v * 7919) % 13) as f64, 0.0)).collect()
    }

    #[test]
    fn a_grid_of_quads_swings_only_if_it_is_let() {
        let side = 8;
        let run = |damp_swing, iterations| {
            let settings = SmoothSettings { iterations, damp_swing, ..SmoothSettings::default() };
            let mut smooth = Smooth::of_edges(64, &quads(side), settings).unwrap();
            let mut x = bumps(64);
            smooth.deform(&FrameTime::default(), &mut x).unwrap();
            x
        };
        let start = swing(&bumps(64), 8).abs();
        assert!(start > 1.0);
        for iterations in [200, 201] {
            let (free, damped) =
                (swing(&run(false, iterations), 8).abs(), swing(&run(true, iterations), 8).abs());
            assert!((free / start - 1.0).abs() < 1e-9, "as published it swings for ever: {free} of {start}");
            assert!(damped < 1e-9 * start, "{damped}");
        }
        let (three, four, damped) = (run(false, 3), run(false, 4), run(true, 4));
        for v in 0..64 {
            assert!(
                (damped[v] - (three[v] + four[v]) / 2.0).norm() < 1e-12,
                "half-way between the two states"
            );
        }
        let far = |n| (run(true, n)[20] - run(true, n + 1)[20]).norm();
        assert!(far(2000) < 1e-9, "and damped it converges");
    }

    #[test]
    fn right_angled_grids_with_cotangents_are_grids_of_quads() {
        let grid = TriMesh::grid([8, 8], [1.0, 1.0]).unwrap();
        let swings = |kind, strength| {
            let laplacian = Laplacian::of_mesh(&grid, kind);
            laplacian.swinging(|_| strength).iter().filter(|&&s| s).count()
        };
        assert_eq!(swings(LaplacianWeights::Cotangent, 1.0), 64);
        assert_eq!(swings(LaplacianWeights::Cotangent, 0.9), 0);
        assert_eq!(swings(LaplacianWeights::Uniform, 1.0), 0, "triangles have three camps");
        let mut one_fixed = Laplacian::of_mesh(&grid, LaplacianWeights::Cotangent)
            .swinging(|v| if v == 9 { 0.0 } else { 1.0 });
        one_fixed.dedup();
        assert_eq!(one_fixed, [false]);
    }

    #[test]
    fn with_a_fixed_border_it_becomes_harmonic() {
        // x + 2z is harmonic for cotangents on any flat triangulation; heights on the border follow it.
        let mesh = TriMesh::grid([9, 7], [1.0, 1.3]).unwrap();
        for neighbours in [LaplacianWeights::Uniform, LaplacianWeights::Cotangent] {
            let settings = SmoothSettings {
                iterations: 1500,
                pin_borders: true,
                neighbours,
                ..SmoothSettings::default()
            };
            let mut smooth = Smooth::new(&mesh, settings).unwrap();
            let border: Vec<u32> = mesh.hinges().boundary.iter().flatten().copied().collect();
            let mut x: Vec<_> = (0_u32..)
                .zip(mesh.positions())
                .map(|(v, p)| {
                    let y = if border.contains(&v) { p.x + 2.0 * p.z } else { 9.0 };
                    Vector3::new(p.x, y, p.z)
                })
                .collect();
            smooth.deform(&FrameTime::default(), &mut x).unwrap();
            assert!(x.iter().all(|x| (x.y - x.x - 2.0 * x.z).abs() < 1e-9), "{neighbours:?}");
        }
    }

    #[test]
    fn flat_regions_stay_in_place_under_cotangents() {
        // Uneven cells: uniform weights slide the vertices, cotangents do not.
        let mut mesh = TriMesh::grid([7, 7], [1.0, 1.0]).unwrap();
        let uneven: Vec<_> =
            mesh.positions().iter().map(|p| Vector3::new(p.x + 0.2 * p.x * p.x, 0.0, p.z)).collect();
        mesh = mesh.with_positions(uneven).unwrap();
        let slides = |neighbours| {
            let settings = SmoothSettings { pin_borders: true, neighbours, ..SmoothSettings::default() };
            let mut x = mesh.positions().to_vec();
            Smooth::new(&mesh, settings).unwrap().deform(&FrameTime::default(), &mut x).unwrap();
            x.iter().zip(mesh.positions()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        };
        assert!(slides(LaplacianWeights::Cotangent) < 1e-14);
        assert!(slides(LaplacianWeights::Uniform) > 1e-3);
    }

    #[test]
    fn isolated_vertices_stay() {
        let mut smooth = Smooth::of_edges(3, &[[0, 1]], SmoothSettings::default()).unwrap();
        let mut x = vec![Vector3::zeros(), Vector3::x(), Vector3::y()];
        smooth.deform(&FrameTime::default(), &mut x).unwrap();
        assert_eq!(x, [Vector3::x() * 0.5, Vector3::x() * 0.5, Vector3::y()]);
    }
}

//! [`crossings`]: which edges of a surface cross which of its triangles, counted exactly.
//!
//! The count checks the work of contact, so it shares only the surface with the detection of near pairs:
//! grid, boxes and tests are its own. Pairs of triangles whose boxes meet come from a grid per size of
//! triangle ([`grid`]); of such a pair the edges of each are tested against the other, each edge at the first
//! triangle that has it. Pairs without a separating axis ([`axes`]) are decided by exact signs of
//! determinants ([`exact`]).

mod axes;
mod exact;
mod grid;
mod levels;
mod pair;
mod sieve;

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::Real;
use rayon::prelude::*;
use thiserror::Error;
use wide::f32x4;

pub use exact::edge_crosses_triangle;
pub use pair::Crossing;

use crate::Surface;
use axes::{Axes, slack};
use grid::{Bounds, LARGEST};
use levels::Levels;
use pair::wide;
use sieve::Sieve;

/// Largest magnitude of a coordinate for which no product of the exact test overflows.
const FARTHEST: f64 = 1e60;
/// Triangles per task.
const TASK: usize = 2048;

/// Positions of which no crossings can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CrossingError {
    /// There are not as many positions as the surface has particles.
    #[error("{positions} positions for a surface over {particles} particles; give one for each")]
    WrongCount {
        /// How many positions there are.
        positions: usize,
        /// How many particles the surface was made for.
        particles: usize,
    },
    /// A corner is NaN, infinite, or too far away for exact products.
    #[error("particle {particle} is at ({}, {}, {}), which is not finite or beyond 1e60; its triangles cannot be tested", position[0], position[1], position[2])]
    NotFinite {
        /// The first such particle.
        particle: u32,
        /// Where it is.
        position: [f64; 3],
    },
}

/// All edge–triangle pairs of a surface that cross or touch, within a body and between bodies.
///
/// Pairs that share a particle do not count, pairs in one plane do if they have a point in common. The answer
/// is exact for the positions as they are given; it is sorted by edge, then triangle, and the same for any
/// number of threads.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::{Surface, crossings};
///
/// // A needle's eye: the second triangle goes through the first.
/// let surface = Surface::new(6, &[&[[0, 1, 2]], &[[3, 4, 5]]])?;
/// let mut x = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-2.0, 1.0, 1.0]]
///     .map(Vector3::from);
/// let found = crossings(&surface, &x)?;
/// assert_eq!(found.len(), 2); // an edge of each goes through the other
/// assert_eq!(found[0].elements(&surface).map(|element| element.body), [0, 1]);
///
/// x[3..].iter_mut().for_each(|x| x.z += 2.0);
/// assert_eq!(crossings(&surface, &x)?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`CrossingError`] for a wrong number of positions and for corners that are not finite.
pub fn crossings<T: Real + Into<f64>>(
    surface: &Surface,
    positions: &[Vector3<T>],
) -> Result<Vec<Crossing>, CrossingError> {
    CrossingCounter::default().find(surface, positions)
}

/// [`crossings`] with its buffers kept from one call to the next.
///
/// A sheet of 20 000 triangles takes some four milliseconds on one core
/// (`cargo run --release -p pliant-contact --example detection-speed`).
#[derive(Default)]
pub struct CrossingCounter {
    points: Vec<f32x4>,
    bounds: Vec<Bounds>,
    axes: Vec<Axes>,
    levels: Levels,
}

impl CrossingCounter {
    /// As [`crossings`].
    ///
    /// # Errors
    ///
    /// As [`crossings`].
    pub fn find<T: Real + Into<f64>>(
        &mut self,
        surface: &Surface,
        positions: &[Vector3<T>],
    ) -> Result<Vec<Crossing>, CrossingError> {
        self.prepare(surface, positions)?;
        let tasks = self.levels.tasks(TASK);
        let this = &*self;
        let found: Vec<Vec<Crossing>> = tasks
            .into_par_iter()
            .map(|(level, places)| this.search(surface, positions, level, places))
            .collect();
        let mut found = found.concat();
        found.sort_unstable();
        Ok(found)
    }

    /// Boxes, axes and grids.
    fn prepare<T: Real + Into<f64>>(
        &mut self,
        surface: &Surface,
        positions: &[Vector3<T>],
    ) -> Result<(), CrossingError> {
        let particles = surface.particles();
        if positions.len() != particles {
            return Err(CrossingError::WrongCount { positions: positions.len(), particles });
        }
        let is_off = |particle: &&u32| {
            let x = wide(&positions[**particle as usize]);
            !x.iter().all(|c| c.abs() <= FARTHEST)
        };
        if let Some(&particle) = surface.vertices().par_iter().with_min_len(TASK).find_first(is_off) {
            let position = wide(&positions[particle as usize]).into();
            return Err(CrossingError::NotFinite { particle, position });
        }
        let point = |x: &Vector3<T>| {
            let x = wide(x).map(|x| (x as f32).clamp(-LARGEST, LARGEST));
            f32x4::new([x.x, x.y, x.z, 0.0])
        };
        positions.par_iter().with_min_len(TASK).map(point).collect_into_vec(&mut self.points);
        let points = &self.points;
        let triangles = || {
            surface
                .triangles()
                .par_iter()
                .with_min_len(TASK)
                .map(|corners| corners.map(|v| points[v as usize]))
        };
        let bounds = |[a, b, c]: [f32x4; 3]| Bounds {
            low: a.fast_min(b).fast_min(c),
            high: a.fast_max(b).fast_max(c),
        };
        triangles().map(bounds).collect_into_vec(&mut self.bounds);
        self.levels.build(&self.bounds);
        let scale = 1.0 / self.levels.typical();
        triangles().map(|corners| Axes::new(corners, scale)).collect_into_vec(&mut self.axes);
        Ok(())
    }

    /// The crossings of the triangles at some places of a level with those behind them there, and with all of
    /// the levels above.
    fn search<T: Real + Into<f64>>(
        &self,
        surface: &Surface,
        positions: &[Vector3<T>],
        level: usize,
        places: Range<u32>,
    ) -> Vec<Crossing> {
        let mut sieve = Sieve::new(&self.points, &self.axes, surface, positions);
        let own = &self.levels.grids()[level];
        for place in places {
            let a = own.members()[place as usize];
            let bounds = &self.bounds[a as usize];
            let magnitude = bounds.magnitude();
            for (above, grid) in self.levels.grids().iter().enumerate().skip(level) {
                let after = if above == level { place + 1 } else { 0 };
                // Both boxes are within three of the largest of each other.
                let slack = slack(magnitude + 3.0 * grid.largest(), 3.0 * grid.largest());
                grid.query(bounds, after, |other| sieve.put([a, grid.members()[other as usize]], slack));
            }
        }
        sieve.finish()
    }
}

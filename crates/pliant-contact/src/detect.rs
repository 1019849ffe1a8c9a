//! [`Detector`]: which vertices and triangles, and which edges, may come near each other while substeps go on.
//!
//! Detection is dear and substeps are many, so a list serves for K of them. Every particle gets a box that moves with it: its centre
//! is c(k) = p + k h v after k substeps, its sides are m. As long as all particles stay in their boxes, whatever comes within
//! its distance d is on the list:
//!
//! ```text
//! listed where      hulls of c(0)…c(K), grown by m/2 and by half of the thickness, meet
//! and               distance now  ≤  d + K max|h v_a − h v_b| + √3 m
//! ```
//!
//! Only relative motion counts. A motion that all have in common, [`Paths::frame`], is taken off the boxes as well: a sheet that falls
//! has hulls no larger than one that hangs.
//!
//! Candidates come from pairs of triangles (*representative triangles*: Curtis, Tamstorf and Manocha, 2008). Every vertex and every edge
//! is represented by the first triangle that has it, so that each pair is found once, with one grid instead of three.
//!
//! Lists grow as they must and keep their room, so that in a steady state nothing is allocated. Their order follows from positions
//! alone: tasks are ranges of triangles in the order of the grid, and their lists are joined in that order.

mod boxes;
mod near;
mod rules;
mod sizes;

use pliant_constraints::Real;
use rayon::prelude::*;
use wide::f32x4;

pub use near::NearPair;
pub use rules::{DetectError, Mask, Paths, Rules, Ties};

use crate::Surface;
use boxes::Hull;
use near::{Lists, Search};
use sizes::Sizes;

/// Largest magnitude of a coordinate, m.
const FARTHEST: f64 = 1e30;
/// Triangles per task.
const TASK: usize = 1024;

/// Detects near pairs, and keeps its lists and their room.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::{Detector, Paths, Rules, Surface, Ties};
///
/// // A triangle that falls by 2 mm a substep on another one, 9 mm below.
/// let surface = Surface::new(6, &[&[[0, 1, 2]], &[[3, 4, 5]]])?;
/// let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1]].map(Vector3::<f64>::from);
/// let positions: Vec<_> = corners.into_iter().chain(corners.map(|x| x + Vector3::y() * 0.009)).collect();
/// let steps: Vec<_> = (0..6).map(|i| Vector3::y() * if i < 3 { 0.0 } else { -0.002 }).collect();
/// let paths = Paths { positions: &positions, steps: &steps, frame: Vector3::zeros(), rest: None };
/// let ties = Ties::default();
/// let mut rules =
///     Rules { radii: &[0.0015; 2], slack: 0.001, horizon: 1, edge_share: 1.0, masks: &[], held: &[], ties: &ties };
///
/// let mut detector = Detector::default();
/// detector.detect(&surface, &paths, &rules)?;
/// assert!(detector.vertex_triangle().is_empty());
/// rules.horizon = 4;
/// detector.detect(&surface, &paths, &rules)?;
/// assert_eq!(detector.vertex_triangle().len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Detector<T: Real> {
    /// The box of each particle, grown.
    points: Vec<Hull>,
    /// The box of each triangle.
    hulls: Vec<Hull>,
    sizes: Sizes,
    tasks: Vec<Task<T>>,
    lists: Lists<T>,
}

/// A range of places of one grid, and what is found from there.
struct Task<T: Real> {
    grid: usize,
    places: std::ops::Range<u32>,
    lists: Lists<T>,
}

impl<T: Real> Default for Detector<T> {
    fn default() -> Self {
        let (points, hulls, tasks) = (Vec::new(), Vec::new(), Vec::new());
        Self { points, hulls, sizes: Sizes::default(), tasks, lists: Lists::default() }
    }
}

impl<T: Real + Into<f64>> Detector<T> {
    /// Makes the lists anew.
    ///
    /// # Errors
    ///
    /// [`DetectError`] for lists of wrong lengths, negative distances, and corners that are not finite; the lists are empty then.
    pub fn detect(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
    ) -> Result<(), DetectError> {
        self.lists.clear();
        check(surface, paths, rules)?;
        self.points.clear();
        self.points.resize(surface.particles(), Hull { low: f32x4::ZERO, high: f32x4::ZERO });
        for &particle in surface.vertices() {
            self.points[particle as usize] = hull(surface, paths, rules, particle)?;
        }
        self.hulls.clear();
        self.hulls.extend(surface.triangles().iter().map(|corners| {
            let [a, b, c] = corners.map(|v| self.points[v as usize]);
            a.around(b).around(c)
        }));
        self.sizes.sort(&self.hulls);
        let tasks = self.plan();
        let (points, hulls, sizes) = (&self.points, &self.hulls, &self.sizes);
        self.tasks[..tasks].par_iter_mut().for_each(|task| {
            task.lists.clear();
            let lists = &mut task.lists;
            let mut search = Search { surface, paths, rules, points, lists, sum: 0.0, one_body: true };
            let grids = sizes.grids();
            for place in task.places.clone() {
                let triangle = grids[task.grid].numbers()[place as usize];
                let hull = &hulls[triangle as usize];
                for (number, grid) in grids.iter().enumerate().skip(task.grid) {
                    let after = if number == task.grid { place + 1 } else { 0 };
                    grid.meeting(hull, after, |other| search.pair(triangle, grid.numbers()[other as usize]));
                }
            }
        });
        for task in &self.tasks[..tasks] {
            self.lists.append(&task.lists);
        }
        Ok(())
    }

    /// Cuts the grids into tasks, whose lists are kept, and says how many there are.
    fn plan(&mut self) -> usize {
        let mut count = 0;
        for (grid, boxes) in self.sizes.grids().iter().enumerate() {
            let end = boxes.numbers().len();
            for from in (0..end).step_by(TASK) {
                let places = from as u32..(from + TASK).min(end) as u32;
                if count == self.tasks.len() {
                    self.tasks.push(Task { grid, places, lists: Lists::default() });
                } else {
                    (self.tasks[count].grid, self.tasks[count].places) = (grid, places);
                }
                count += 1;
            }
        }
        count
    }

    /// Vertices near triangles: particle, then the three corners.
    #[must_use]
    pub fn vertex_triangle(&self) -> &[NearPair<T>] {
        &self.lists.vertex_triangle
    }

    /// Edges near edges: the two ends of one, then those of the other.
    #[must_use]
    pub fn edge_edge(&self) -> &[NearPair<T>] {
        &self.lists.edge_edge
    }
}

fn check<T: Real + Into<f64>>(
    surface: &Surface,
    paths: &Paths<'_, T>,
    rules: &Rules<'_>,
) -> Result<(), DetectError> {
    let count = |what, given, wanted| {
        if given == wanted { Ok(()) } else { Err(DetectError::WrongCount { what, given, wanted }) }
    };
    count("positions", paths.positions.len(), surface.particles())?;
    count("steps", paths.steps.len(), surface.particles())?;
    if let Some(rest) = paths.rest {
        count("rest", rest.len(), surface.particles())?;
    }
    count("radii", rules.radii.len(), surface.bodies())?;
    if !rules.masks.is_empty() {
        count("masks", rules.masks.len(), surface.bodies())?;
    }
    if !rules.held.is_empty() {
        count("held", rules.held.len(), surface.particles())?;
    }
    let numbers = [("slack", rules.slack), ("edge_share", rules.edge_share)];
    let radii = rules.radii.iter().map(|&radius| ("a radius", radius));
    for (what, value) in radii.chain(numbers) {
        if !(0.0..=FARTHEST).contains(&value) {
            return Err(DetectError::Negative { what, value });
        }
    }
    Ok(())
}

/// The box of a particle: around its path, grown by half of the slack and by the radius of its body.
fn hull<T: Real + Into<f64>>(
    surface: &Surface,
    paths: &Paths<'_, T>,
    rules: &Rules<'_>,
    particle: u32,
) -> Result<Hull, DetectError> {
    let (x, step) = (&paths.positions[particle as usize], &paths.steps[particle as usize]);
    let body = surface.body_of(particle).map_or(0, |body| body as usize);
    let grow = 0.5 * rules.slack + rules.radii[body];
    let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
    for k in 0..3 {
        let from: f64 = x[k].into();
        let way: f64 = f64::from(rules.horizon) * (step[k].into() - paths.frame[k].into());
        let to = from + way;
        if !(from.abs() <= FARTHEST && to.abs() <= FARTHEST) {
            return Err(DetectError::NotFinite { particle });
        }
        // What is rounded on the way is made up for: here, in the growth, and to single precision.
        let least = grow + 1e-12 * (from.abs() + way.abs());
        low[k] = ((from.min(to) - least) as f32).next_down();
        high[k] = ((from.max(to) + least) as f32).next_up();
    }
    Ok(Hull { low: f32x4::new(low), high: f32x4::new(high) })
}

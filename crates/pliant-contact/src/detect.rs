//! [`Detector`]: which vertices and triangles, and which edges, may come near each other in the next substeps.
//!
//! Detection is expensive and there are many substeps, so a list serves for K of them. Every particle gets a
//! box that moves with it: its centre is c(k) = p + k h v after k substeps, its sides are m. As long as all
//! particles stay in the balls inside of their boxes, whatever comes within its distance d is on the list:
//!
//! ```text
//! listed where      hulls of c(0)…c(K), grown by m/2 and by half of the thickness, meet
//! and               distance now  ≤  d + K max|h v_a − h v_b| + m
//! ```
//!
//! Only relative motion counts. A motion that all have in common, [`Paths::frame`], is taken off the boxes as
//! well: a sheet that falls has hulls no larger than one that hangs.
//!
//! Candidates come from pairs of triangles (*representative triangles*: Curtis, Tamstorf and Manocha, 2008).
//! Every vertex and every edge is represented by the first triangle that has it, so that each pair is found
//! once, with one grid instead of three.
//!
//! Pairs that are held on both sides do not count: triangles of which all corners are held do not look for each other.
//!
//! Lists grow as needed and keep their memory, so that in a steady state nothing is allocated. Their order
//! follows from positions alone: tasks are ranges of triangles in the order of the grid, and their lists are
//! joined in that order.

mod boxes;
mod calm;
mod judge;
mod lanes;
mod near;
mod neighbours;
mod places;
mod question;
mod rules;
mod search;
mod sieve;
mod sizes;

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use nalgebra::Vector3;
use pliant_kernel::{Simd, Team, Wide};
use pliant_mesh::Adjacency;
use wide::f32x4;

pub use near::NearPair;
pub use rules::{DetectError, Mask, Paths, Rules, Strays, Ties};

use crate::Surface;
use boxes::{Boxed, Hull};
use calm::Calm;
use near::Lists;
use neighbours::{Look, Neighbours};
use places::Places;
use question::Question;
use search::{Scratch, Search};
use sizes::Sizes;

/// Largest magnitude of a coordinate, m.
const FARTHEST: f64 = 1e30;
/// Triangles per task, and triangles with strays.
const TASK: usize = 1024;
const STRAYS: usize = 128;
/// Particles or triangles whose boxes are made at a time.
const PIECE: usize = 2048;

/// Detects near pairs, and keeps its lists and their memory.
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
/// let paths = Paths { positions: &positions, steps: &steps, frame: Vector3::zeros(), rest: None, halts: None };
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
pub struct Detector<T: Wide> {
    /// The box of each particle, grown, as seen in the common frame of the last full detection.
    points: Vec<Hull>,
    /// The box of each triangle.
    hulls: Vec<Hull>,
    /// The triangles of which all corners are held, and the particles at a corner of any other.
    are_held: Vec<bool>,
    can_move: Vec<bool>,
    sizes: Sizes,
    /// Triangles whose boxes are no longer those in `sizes`, as flags and as a list; and where they are now.
    has_moved: Vec<bool>,
    moved: Vec<u32>,
    fresh: Sizes,
    /// Triangles with particles that have left their paths, as flags and as a list.
    stray: Vec<bool>,
    queries: Vec<u32>,
    calm: Calm,
    places: Places<T>,
    /// The triangles for which fans, and lists of triangles around particles, were made.
    known: Vec<[u32; 3]>,
    /// The triangles of every particle.
    around: Option<Adjacency>,
    tasks: Vec<Mutex<Task<T>>>,
    lists: Lists<T>,
    simd: Simd,
}

/// A range of places of one grid, and what is found from there.
struct Task<T> {
    grid: usize,
    places: Range<u32>,
    /// The triangles that the boxes meet: those that have not moved, and those that have.
    still: Neighbours,
    moved: Neighbours,
    neighbours: Neighbours,
    bunched: Bunched,
    scratch: Scratch<T>,
    lists: Lists<T>,
}

/// Queries in another order, in which those that follow one another are close to each other.
#[derive(Default)]
struct Bunched {
    order: Vec<u32>,
    queries: Vec<u32>,
    /// For each query its place in that order.
    places: Vec<u32>,
}

impl Bunched {
    /// Takes queries in the order of the grids.
    fn take(&mut self, queries: &[u32], sizes: &Sizes) {
        let Self { order, queries: bunched, places } = self;
        order.clear();
        order.extend((0..).take(queries.len()));
        order.sort_unstable_by_key(|&at| sizes.place(queries[at as usize]));
        bunched.clear();
        bunched.extend(order.iter().map(|&at| queries[at as usize]));
        places.resize(queries.len(), 0);
        for (place, &at) in (0..).zip(&*order) {
            places[at as usize] = place;
        }
    }
}

impl<T> Default for Task<T> {
    fn default() -> Self {
        let [still, moved, neighbours] = Default::default();
        let (bunched, scratch, lists) = Default::default();
        Self { grid: 0, places: 0..0, still, moved, neighbours, bunched, scratch, lists }
    }
}

impl<T: Wide> Default for Detector<T> {
    fn default() -> Self {
        Self::new(Simd::detect())
    }
}

impl<T: Wide> Detector<T> {
    /// A detector that uses these instructions; the lists are the same with any.
    #[must_use]
    pub fn new(simd: Simd) -> Self {
        Self {
            points: Vec::new(),
            hulls: Vec::new(),
            are_held: Vec::new(),
            can_move: Vec::new(),
            sizes: Sizes::default(),
            has_moved: Vec::new(),
            moved: Vec::new(),
            fresh: Sizes::default(),
            stray: Vec::new(),
            queries: Vec::new(),
            calm: Calm::default(),
            places: Places::default(),
            known: Vec::new(),
            around: None,
            tasks: Vec::new(),
            lists: Lists::default(),
            simd,
        }
    }

    /// Makes the lists again.
    ///
    /// # Errors
    ///
    /// [`DetectError`] for lists of wrong lengths, negative distances, and corners that are not finite; the
    /// lists are empty then.
    pub fn detect(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
    ) -> Result<(), DetectError> {
        let threads = rayon::current_num_threads();
        Team::form(threads, |team| self.detect_on(surface, paths, rules, team))
    }

    /// The same with a team of threads.
    ///
    /// # Errors
    ///
    /// As [`detect`](Self::detect).
    pub fn detect_on(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
        team: Team<'_>,
    ) -> Result<(), DetectError> {
        self.lists.clear();
        self.moved.clear();
        self.has_moved.clear();
        self.has_moved.resize(surface.triangles().len(), false);
        check(surface, paths, rules)?;
        self.points.resize(surface.particles(), Hull::NOTHING);
        let astray = AtomicU32::new(u32::MAX);
        let pieces = self.points.chunks_mut(PIECE).zip((0..).step_by(PIECE));
        team.for_each(pieces, |(points, first)| {
            for (point, particle) in points.iter_mut().zip(first..) {
                if surface.body_of(particle).is_some() {
                    match hull(surface, paths, rules, &Vector3::zeros(), particle) {
                        Ok(hull) => *point = hull,
                        Err(_) => _ = astray.fetch_min(particle, Ordering::Relaxed),
                    }
                }
            }
        });
        let particle = astray.into_inner();
        if particle != u32::MAX {
            return Err(DetectError::NotFinite { particle });
        }
        self.hulls.resize(surface.triangles().len(), Hull::NOTHING);
        let points = &self.points;
        let pieces = self.hulls.chunks_mut(PIECE).zip(surface.triangles().chunks(PIECE));
        team.for_each(pieces, |(hulls, triangles)| {
            for (hull, corners) in hulls.iter_mut().zip(triangles) {
                *hull = hull_of(points, corners);
            }
        });
        self.part(surface, rules.held);
        let of = Boxed { hulls: &self.hulls, triangles: surface.triangles(), are_held: &self.are_held };
        self.sizes.sort(of, &(0..of.hulls.len() as u32));
        self.sizes.note_places();
        if self.known != surface.triangles() {
            self.known.clear();
            self.known.extend_from_slice(surface.triangles());
            self.calm.prepare(surface);
            self.around = None;
        }
        self.places.take(paths, team);
        self.calm.look(surface, &self.can_move, paths, rules.horizon, self.simd, team);
        let tasks = self.plan();
        let of = Boxed { hulls: &self.hulls, triangles: surface.triangles(), are_held: &self.are_held };
        let (sizes, all) = (&self.sizes, &self.tasks);
        let (points, calm, simd) = (&self.points[..], &self.calm, self.simd);
        let question = Question { surface, paths, rules, points, calm, places: &self.places, only: None };
        team.run(tasks, |number| {
            let mut task = all[number].lock().unwrap_or_else(PoisonError::into_inner);
            let Task { grid, places, neighbours, scratch, lists, .. } = &mut *task;
            lists.clear();
            let grids = sizes.grids();
            let queries = &grids[*grid].numbers()[places.start as usize..places.end as usize];
            let along = Some((*grid, places.start));
            f32::dispatch(Look { question, of, grids, queries, along, found: neighbours }, simd);
            T::dispatch(Search { question, queries, neighbours, scratch, lists }, simd);
        });
        self.join(tasks);
        Ok(())
    }

    /// Joins what the tasks have found, in their order.
    fn join(&mut self, tasks: usize) {
        for task in &mut self.tasks[..tasks] {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            self.lists.append(&task.lists);
        }
    }

    /// Updates, with a team of threads, the pairs of some particles that have left their paths: afterwards
    /// the lists hold those of their pairs that count now, and no others. All other pairs listed since the
    /// last full detection stay valid.
    ///
    /// `paths` are those of all particles from now on, `rules` has the substeps that are left; `drift`, m, is
    /// how far [`Paths::frame`] has moved since the last full detection, and with it every particle that kept
    /// to its path. The surface is that of the last full detection.
    ///
    /// # Errors
    ///
    /// As [`detect`](Self::detect).
    pub fn update(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        rules: &Rules<'_>,
        drift: &Vector3<f64>,
        strays: Strays<'_>,
        team: Team<'_>,
    ) -> Result<(), DetectError> {
        let Strays { particles: strays, flags: is_stray } = strays;
        self.lists.clear();
        check(surface, paths, rules)?;
        let around = self
            .around
            .take()
            .unwrap_or_else(|| Adjacency::of_elements(surface.particles(), surface.triangles()));
        for &particle in strays {
            self.points[particle as usize] = hull(surface, paths, rules, drift, particle)?;
        }
        self.stray.clear();
        self.stray.resize(surface.triangles().len(), false);
        let mut queries = std::mem::take(&mut self.queries);
        queries.clear();
        for &particle in strays {
            for &triangle in around.row(particle as usize) {
                let t = triangle as usize;
                if !std::mem::replace(&mut self.stray[t], true) {
                    queries.push(triangle);
                    self.hulls[t] = hull_of(&self.points, &surface.triangles()[t]);
                    if !std::mem::replace(&mut self.has_moved[t], true) {
                        self.moved.push(triangle);
                    }
                }
            }
        }
        self.around = Some(around);
        // In the order of the surface, whatever the order in which particles strayed.
        queries.sort_unstable();
        self.moved.sort_unstable();
        let of = Boxed { hulls: &self.hulls, triangles: surface.triangles(), are_held: &self.are_held };
        self.fresh.sort(of, &self.moved.iter().copied());
        self.places.take(paths, team);
        self.calm.look_around(surface, &queries, paths, rules.horizon, self.simd, team);
        let (points, calm, simd) = (&self.points[..], &self.calm, self.simd);
        let question =
            Question { surface, paths, rules, points, calm, places: &self.places, only: Some(is_stray) };
        let tasks = queries.len().div_ceil(STRAYS);
        while self.tasks.len() < tasks {
            self.tasks.push(Mutex::default());
        }
        let (all, sizes, fresh) = (&self.tasks, &self.sizes, &self.fresh);
        let (has_moved, stray) = (&self.has_moved, &self.stray);
        let queries_of = |number: usize| queries.chunks(STRAYS).nth(number).unwrap_or_default();
        team.run(tasks, |number| {
            let mut task = all[number].lock().unwrap_or_else(PoisonError::into_inner);
            let Task { still, moved, neighbours, bunched, scratch, lists, .. } = &mut *task;
            lists.clear();
            let queries = queries_of(number);
            bunched.take(queries, sizes);
            for (grids, found) in [(sizes.grids(), &mut *still), (fresh.grids(), &mut *moved)] {
                let queries = &bunched.queries;
                f32::dispatch(Look { question, of, grids, queries, along: None, found }, simd);
            }
            neighbours.clear();
            for (&place, &triangle) in bunched.places.iter().zip(queries) {
                let place = place as usize;
                let still = still.of(place).iter().filter(|other| !has_moved[**other as usize]);
                // If both triangles stray, the first finds the pair.
                let moved = moved.of(place).iter();
                let moved = moved.filter(|other| !stray[**other as usize] || triangle < **other);
                neighbours.push(still.chain(moved).copied());
            }
            T::dispatch(Search { question, queries, neighbours, scratch, lists }, simd);
        });
        self.join(tasks);
        self.queries = queries;
        Ok(())
    }

    /// The share of the triangles that have moved since the last full detection: if it is large, another full
    /// detection is cheaper.
    #[must_use]
    pub fn moved_share(&self) -> f64 {
        self.moved.len() as f64 / self.hulls.len().max(1) as f64
    }

    /// Finds the triangles that are held, and the particles of the others.
    fn part(&mut self, surface: &Surface, held: &[bool]) {
        let Self { are_held, can_move, .. } = self;
        are_held.clear();
        can_move.clear();
        can_move.resize(surface.particles(), false);
        for corners in surface.triangles() {
            let is_held = !held.is_empty() && corners.iter().all(|&v| held[v as usize]);
            are_held.push(is_held);
            if !is_held {
                corners.iter().for_each(|&v| can_move[v as usize] = true);
            }
        }
    }

    /// Cuts the grids into tasks, whose lists are kept, and says how many there are.
    fn plan(&mut self) -> usize {
        let mut count = 0;
        for (grid, boxes) in self.sizes.grids().iter().enumerate() {
            let end = boxes.numbers().len();
            for from in (0..end).step_by(TASK) {
                let places = from as u32..(from + TASK).min(end) as u32;
                if count == self.tasks.len() {
                    self.tasks.push(Mutex::default());
                }
                let task = self.tasks[count].get_mut().unwrap_or_else(PoisonError::into_inner);
                (task.grid, task.places) = (grid, places);
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

fn check<T: Wide>(surface: &Surface, paths: &Paths<'_, T>, rules: &Rules<'_>) -> Result<(), DetectError> {
    let count = |what, given, wanted| {
        if given == wanted { Ok(()) } else { Err(DetectError::WrongCount { what, given, wanted }) }
    };
    count("positions", paths.positions.len(), surface.particles())?;
    count("steps", paths.steps.len(), surface.particles())?;
    if let Some(rest) = paths.rest {
        count("rest", rest.len(), surface.particles())?;
    }
    if let Some(halts) = paths.halts {
        count("halts", halts.len(), surface.bodies())?;
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

/// The box around those of three particles.
fn hull_of(points: &[Hull], corners: &[u32; 3]) -> Hull {
    let [a, b, c] = corners.map(|v| points[v as usize]);
    a.around(b).around(c)
}

/// The box of a particle: around its path, grown by half of the slack and by the radius of its body. Seen in
/// a frame that has moved by `drift`, m.
fn hull<T: Wide>(
    surface: &Surface,
    paths: &Paths<'_, T>,
    rules: &Rules<'_>,
    drift: &Vector3<f64>,
    particle: u32,
) -> Result<Hull, DetectError> {
    let (x, step) = (&paths.positions[particle as usize], &paths.steps[particle as usize]);
    let body = surface.body_of(particle).map_or(0, |body| body as usize);
    let grow = 0.5 * rules.slack + rules.radii[body];
    let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
    for k in 0..3 {
        let from: f64 = x[k].into() - drift[k];
        let way = |step: T| f64::from(rules.horizon) * (step.into() - paths.frame[k].into());
        let whole = way(step[k]);
        let none = paths.halts.map_or(whole, |frames| way(frames[body][k]));
        let (to, halt) = (from + whole, from + none);
        if !(from.abs() <= FARTHEST && to.abs() <= FARTHEST && halt.abs() <= FARTHEST) {
            return Err(DetectError::NotFinite { particle });
        }
        // Rounding on the way is compensated for: here, in the growth, and in the conversion to single precision.
        let least = grow + 1e-12 * (from.abs() + whole.abs().max(none.abs()));
        low[k] = ((from.min(to).min(halt) - least) as f32).next_down();
        high[k] = ((from.max(to).max(halt) + least) as f32).next_up();
    }
    Ok(Hull { low: f32x4::new(low), high: f32x4::new(high) })
}

//! [`crossings`]: which edges of a surface cross which of its triangles, counted exactly.
//!
//! The count checks the work of contact, so it shares the surface and how it is divided with the detection of near pairs;
//! boxes and tests are its own. Triangles are in [patches](crate::patches) of up to 64; those whose [boxes] meet come from
//! a [grid] per size. Triangles that share no particle are compared eight at a time, first by boxes ([`look`]), then
//! along separating axes ([`sieve`]). Those that share one are [smooth] around it as a rule, or compared by boxes where very
//! many do ([`hub`]). What is left is decided by exact signs of determinants ([`exact`]): the edges of each triangle are
//! tested against the other, each edge at the first triangle that has it.

mod boxes;
mod exact;
mod grid;
mod hub;
mod levels;
mod look;
mod pair;
mod sieve;
mod smooth;

use std::fmt;

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_kernel::{Particle, Simd, Wide as _};
use pliant_mesh::Adjacency;
use rayon::prelude::*;
use thiserror::Error;

pub use exact::edge_crosses_triangle;
pub use pair::Crossing;

use crate::Surface;
use crate::fans::Fans;
use crate::patches::Patches;
use crate::surface::NEXT;
use boxes::{Boxed, Fit};
use grid::{Bounds, LARGEST};
use hub::{Hub, Part, Side};
use levels::Levels;
use look::Look;
use pair::wide;
use sieve::{Candidate, Tray};
use smooth::{Overlapping, Smooth};

/// Largest magnitude of a coordinate for which no product of the exact test overflows.
const FARTHEST: f64 = 1e60;
/// Particles, patches, fans and pairs of patches per task.
const TASK: usize = 2048;
const PATCHES: usize = 32;
const FANS: usize = 128;
const PAIRS: usize = 128;
/// Tasks after which it is seen whether there are enough crossings, where not all of them are asked for. What so many find
/// fits into memory.
const ROUND: usize = 16;

/// Where each particle is.
type Positions<'a> = &'a (dyn Fn(u32) -> Vector3<f64> + Sync);

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

/// [`crossings`] with its buffers kept from one call to the next, and what depends on the surface alone.
///
/// A sheet of 20 000 triangles takes little more than a millisecond on one core
/// (`cargo run --release -p pliant-contact --example detection-speed`).
#[derive(Default)]
pub struct CrossingCounter {
    /// The triangles for which patches, fans, and lists of triangles around particles, were made.
    known: Vec<[u32; 3]>,
    patches: Patches,
    smooth: Smooth,
    /// The particles whose triangles are compared each with each, with few and with very many of them.
    others: Vec<u32>,
    hubs: Vec<Hub>,
    parts: Vec<Part>,
    around: Option<Adjacency>,
    points: Vec<Particle<f32>>,
    boxes: Vec<Boxed>,
    bounds: Vec<Bounds>,
    levels: Levels,
    /// Patches whose boxes meet.
    near: Vec<[u32; 2]>,
}

impl fmt::Debug for CrossingCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrossingCounter").field("triangles", &self.known.len()).finish_non_exhaustive()
    }
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
        self.find_up_to(usize::MAX, surface, positions)
    }

    /// The same, but no more than are asked for, if there are more: then any of them. The time and the memory do not grow
    /// with how many there are. The answer is the same for any number of threads.
    ///
    /// # Errors
    ///
    /// As [`crossings`].
    pub fn find_up_to<T: Real + Into<f64>>(
        &mut self,
        most: usize,
        surface: &Surface,
        positions: &[Vector3<T>],
    ) -> Result<Vec<Crossing>, CrossingError> {
        let particles = surface.particles();
        if positions.len() != particles {
            return Err(CrossingError::WrongCount { positions: positions.len(), particles });
        }
        self.find_at(most, surface, &|v| wide(&positions[v as usize]))
    }

    /// The same for particles that are where a function says: compiled once for all kinds of numbers.
    fn find_at(
        &mut self,
        most: usize,
        surface: &Surface,
        positions: Positions<'_>,
    ) -> Result<Vec<Crossing>, CrossingError> {
        self.take(surface, positions)?;
        self.know(surface);
        self.fit();
        let this = &*self;
        let decide = |candidates: Vec<Candidate>| {
            let mut found = Vec::new();
            for candidate in &candidates {
                exactly(surface, positions, candidate, &mut found);
            }
            found
        };
        let of_fans = this.smooth.eights.chunks(FANS).map(Task::Fans);
        let of_others = this.others.chunks(TASK / 8).map(Task::Others);
        let of_hubs = this.parts.iter().map(Task::Hub);
        let between = this.near.chunks(PAIRS).map(Task::Between);
        let tasks: Vec<Task<'_>> = of_fans.chain(of_others).chain(of_hubs).chain(between).collect();
        let round = if most == usize::MAX { tasks.len().max(1) } else { ROUND };
        let mut found = Vec::new();
        for tasks in tasks.chunks(round) {
            let of_tasks: Vec<Vec<Crossing>> =
                tasks.par_iter().map(|task| decide(this.candidates(surface, task))).collect();
            found.extend(of_tasks.into_iter().flatten());
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        found.sort_unstable();
        Ok(found)
    }

    /// The pairs of triangles of a task that are not certainly apart.
    fn candidates(&self, surface: &Surface, task: &Task<'_>) -> Vec<Candidate> {
        match task {
            Task::Fans(eights) => self.of_fans(surface, eights),
            Task::Others(particles) => self.around_particles(surface, particles),
            Task::Hub(part) => self.around_hub(surface, part),
            Task::Between(near) => self.between(surface, near),
        }
    }

    /// Checks positions, and rounds them.
    fn take(&mut self, surface: &Surface, positions: Positions<'_>) -> Result<(), CrossingError> {
        let is_off = |particle: &&u32| !positions(**particle).iter().all(|c| c.abs() <= FARTHEST);
        if let Some(&particle) = surface.vertices().par_iter().with_min_len(TASK).find_first(is_off) {
            return Err(CrossingError::NotFinite { particle, position: positions(particle).into() });
        }
        let point = |v: u32| Particle::new(positions(v).map(|x| (x as f32).clamp(-LARGEST, LARGEST)), 0.0);
        let particles = surface.particles() as u32;
        (0..particles).into_par_iter().with_min_len(TASK).map(point).collect_into_vec(&mut self.points);
        Ok(())
    }

    /// Makes what depends on the surface, if it is another one than last time. Any patches and any fans give the same
    /// answer.
    fn know(&mut self, surface: &Surface) {
        if self.known == surface.triangles() && self.around.is_some() {
            return;
        }
        self.known = surface.triangles().to_vec();
        self.patches = Patches::new(surface, |v| self.points[v as usize].x.cast());
        self.smooth = Smooth::new(surface.vertices(), &Fans::new(surface));
        let around = Adjacency::of_elements(surface.particles(), surface.triangles());
        let is_hub = |&w: &u32| around.row(w as usize).len() > hub::MANY;
        let (hubs, others): (Vec<u32>, Vec<u32>) =
            std::mem::take(&mut self.smooth.others).iter().partition(|w| is_hub(w));
        self.others = others;
        self.hubs = hubs.into_iter().map(|w| Hub::new(surface, around.row(w as usize), w)).collect();
        self.parts = Part::of_all(&self.hubs);
        self.around = Some(around);
        self.boxes.clear();
        self.boxes.resize(self.patches.patches.len(), Boxed::NEW);
    }

    /// Finds the boxes, and the pairs of patches that meet.
    fn fit(&mut self) {
        let Self { patches, hubs, points, boxes, bounds, levels, near, .. } = self;
        let pieces = patches.patches.par_chunks(PATCHES).zip(boxes.par_chunks_mut(PATCHES));
        pieces.for_each(|(patches, boxes)| f32::dispatch(Fit { points, patches, boxes }, Simd::detect()));
        bounds.clear();
        bounds.extend(boxes.iter().map(|boxed| boxed.bounds));
        hubs.par_iter_mut().for_each(|hub| hub.fit(points));
        levels.build(bounds);
        near.clear();
        levels.pairs(bounds, near);
    }

    /// The pairs of triangles of some pairs of patches that share no particle and are not certainly apart.
    fn between(&self, surface: &Surface, near: &[[u32; 2]]) -> Vec<Candidate> {
        let mut tray = Tray::new(&self.points);
        let (patches, boxes) = (&self.patches.patches, &self.boxes);
        f32::dispatch(Look { surface, patches, boxes, near, tray: &mut tray }, Simd::detect());
        tray.finish()
    }

    /// The pairs of triangles that share the particle in the middle of some fans and are not certainly apart.
    fn of_fans(&self, surface: &Surface, eights: &[smooth::Eight]) -> Vec<Candidate> {
        let mut found = Vec::new();
        f32::dispatch(Overlapping { points: &self.points, eights, found: &mut found }, Simd::detect());
        self.around_particles(surface, &found)
    }

    /// The sides opposite to some particles, and the triangles around each that share nothing else with the side's; those
    /// that are not certainly apart.
    fn around_particles(&self, surface: &Surface, particles: &[u32]) -> Vec<Candidate> {
        let Some(around) = &self.around else { return Vec::new() };
        let mut tray = Tray::new(&self.points);
        for &w in particles {
            let triangles = around.row(w as usize);
            for &of in triangles {
                let Some(side) = Side::opposite(surface, of, w) else { continue };
                for &through in triangles {
                    if let Some(pair) = side.through(through, surface.triangles()[through as usize]) {
                        tray.put(pair);
                        if tray.is_full() {
                            tray.empty();
                        }
                    }
                }
            }
        }
        tray.finish()
    }

    /// The same for some of the triangles around a particle with very many.
    fn around_hub(&self, surface: &Surface, part: &Part) -> Vec<Candidate> {
        let mut tray = Tray::new(&self.points);
        let hub = &self.hubs[part.hub as usize];
        f32::dispatch(
            hub::Around { surface, hub, part, points: &self.points, tray: &mut tray },
            Simd::detect(),
        );
        tray.finish()
    }
}

/// What is looked through at once.
enum Task<'a> {
    /// Fans, eight side by side.
    Fans(&'a [smooth::Eight]),
    /// Particles whose triangles are no fan.
    Others(&'a [u32]),
    /// Triangles around a particle with very many.
    Hub(&'a Part),
    /// Pairs of patches that meet.
    Between(&'a [[u32; 2]]),
}

/// Appends the crossings of the sides of two triangles with the other one.
fn exactly(surface: &Surface, positions: Positions<'_>, candidate: &Candidate, found: &mut Vec<Crossing>) {
    let corners = candidate.triangles.map(|triangle| surface.triangles()[triangle as usize].map(positions));
    for (of, through) in [(0, 1), (1, 0)] {
        let triangle = candidate.triangles[of] as usize;
        for side in (0..3).filter(|side| candidate.sides[of] >> side & 1 == 1) {
            let ends = [corners[of][side], corners[of][NEXT[side]]];
            if edge_crosses_triangle(&ends, &corners[through]) {
                let edge = surface.owned_edge(triangle, side);
                found.push(Crossing { edge, triangle: candidate.triangles[through] });
            }
        }
    }
}

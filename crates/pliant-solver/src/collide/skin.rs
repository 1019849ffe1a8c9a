//! [`Skins`]: fine surfaces that solids carry, and that meet others in place of the boundaries of the solids.
//!
//! A vertex of a skin is s = Σ β_k x_k over the corners of one tetrahedron. It is not a particle, but has a
//! number behind those of the particles, and lists of particles go on with the vertices of skins. Closest
//! points, paths, lists and planes take it for a particle. What acts on it acts on its corners. For a contact
//! with weights b that is
//!
//! ```text
//! Σ b_i s_i = Σ c_k x_k          c_k = Σ_i b_i β_ik          W = Σ w_k c_k²
//! ```
//!
//! The net cuts back the corners, each by its own share t_k. Towards a plane a vertex then gets at most,
//! whatever these shares are,
//!
//! ```text
//! Σ (β_k n·Δ_k)⁺  ≤  (n·δ)⁺ + N |δ| + Σ |β_k| |Δ_k − δ|
//! ```
//!
//! with the displacements Δ of the corners and δ = Σ β_k Δ_k of the vertex, and N the sum of what is negative
//! in β, nothing within the tetrahedron. The last two terms are the *spread* of a vertex.

use std::borrow::Cow;

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_contact::Surface;
use pliant_kernel::{Particle, Scalar, Team, widen};

use super::reach::Reach;

/// Vertices that are looked at together.
const PIECE: usize = 1024;
/// No body.
const NOBODY: u32 = u32::MAX;

/// A vertex of a skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Carried {
    /// The particles that carry it, and its barycentric coordinates.
    pub(crate) corners: [u32; 4],
    pub(crate) weights: [f64; 4],
}

impl Carried {
    /// Where it is, m, where the particles are at these positions.
    pub(crate) fn place(&self, positions: &[Vector3<f64>]) -> Vector3<f64> {
        let corners = self.corners.iter().zip(self.weights);
        corners.map(|(&v, weight)| positions[v as usize] * weight).sum()
    }
}

/// A vertex at work.
#[derive(Debug, Clone, Copy)]
struct Vertex<T> {
    corners: [u32; 4],
    weights: [T; 4],
    /// The share of the mass of each corner that counts as its own.
    shares: [T; 4],
}

/// The skins of all bodies that meet others by them.
pub(super) struct Skins<T: Scalar> {
    /// Number of particles: the first vertex has this number.
    count: usize,
    vertices: Vec<Vertex<T>>,
    exact: Vec<Carried>,
    /// For every particle where its vertices begin, and these.
    starts: Vec<u32>,
    carried: Vec<u32>,
    /// The body of every particle that carries a vertex.
    bodies: Vec<u32>,
    /// Particles and vertices at the start of a substep, and at its end.
    ends: [Vec<Particle<T>>; 2],
    /// Of every particle, where it is nothing, and of every vertex, m; empty where there are no skins.
    spreads: Vec<T>,
}

/// Particles with weights c: Σ c_k x_k is what the points of a contact come to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stencil {
    particles: [u32; 16],
    weights: [f64; 16],
    len: usize,
}

impl Stencil {
    fn new() -> Self {
        Self { particles: [0; 16], weights: [0.0; 16], len: 0 }
    }

    fn add(&mut self, particle: u32, weight: f64) {
        let known = self.particles[..self.len].iter().position(|&v| v == particle);
        let place = known.unwrap_or_else(|| {
            self.particles[self.len] = particle;
            self.len += 1;
            self.len - 1
        });
        self.weights[place] += weight;
    }

    /// The particles with their weights.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.particles[..self.len].iter().copied().zip(self.weights)
    }
}

impl<T: Scalar> Skins<T> {
    /// The vertices behind `count` particles, in the numbering of the simulation.
    pub(super) fn new(count: usize, exact: Vec<Carried>, surface: &Surface) -> Self {
        let (mut starts, mut bodies) = (vec![0_u32; count + 1], vec![NOBODY; count]);
        let mut sums = vec![0.0; count];
        for (vertex, number) in exact.iter().zip((0_u32..).skip(count)) {
            // A vertex without a triangle meets nothing.
            let body = surface.body_of(number);
            for (&corner, weight) in vertex.corners.iter().zip(vertex.weights) {
                let corner = corner as usize;
                starts[corner + 1] += 1;
                sums[corner] += weight.max(0.0);
                bodies[corner] = body.unwrap_or(bodies[corner]);
            }
        }
        for k in 0..count {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut carried = vec![0; 4 * exact.len()];
        for (vertex, number) in exact.iter().zip((0..).skip(count)) {
            for &corner in &vertex.corners {
                let next = &mut next[corner as usize];
                carried[*next as usize] = number;
                *next += 1;
            }
        }
        let vertices = exact.iter().map(|&Carried { corners, weights }| {
            let share = |k: usize| {
                let sum = sums[corners[k] as usize];
                T::splat(if sum > 0.0 { weights[k].max(0.0) / sum } else { 0.0 })
            };
            Vertex { corners, weights: weights.map(T::splat), shares: std::array::from_fn(share) }
        });
        let vertices: Vec<_> = vertices.collect();
        let spreads = if exact.is_empty() { Vec::new() } else { vec![T::zero(); count + exact.len()] };
        Self { count, vertices, exact, starts, carried, bodies, ends: Default::default(), spreads }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// The number from which on points are vertices of skins.
    #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
    pub(super) fn first(&self) -> u32 {
        self.count as u32
    }

    /// The particle itself, or of a vertex of a skin the one that carries most of it.
    pub(super) fn real(&self, point: u32) -> u32 {
        let Some(vertex) = self.of(point) else { return point };
        let most = (1..4).fold(0, |most, k| if vertex.weights[k] > vertex.weights[most] { k } else { most });
        vertex.corners[most]
    }

    /// Whether `is` holds for a particle, or for one of those that carry a vertex of a skin.
    pub(super) fn any(&self, point: u32, is: impl Fn(u32) -> bool) -> bool {
        self.of(point).map_or_else(|| is(point), |vertex| vertex.corners.iter().any(|&corner| is(corner)))
    }

    /// The particles that carry a vertex of a skin, with its weights; none for a particle.
    pub(super) fn of(&self, point: u32) -> Option<&Carried> {
        self.exact.get((point as usize).checked_sub(self.count)?)
    }

    /// The vertices that a particle carries.
    pub(super) fn carried_by(&self, particle: u32) -> &[u32] {
        if self.is_empty() {
            return &[];
        }
        let [from, to] = [particle as usize, particle as usize + 1].map(|v| self.starts[v] as usize);
        &self.carried[from..to]
    }

    /// The body of a point of the surface, or of a particle that carries one.
    pub(super) fn body(&self, surface: &Surface, point: u32) -> u32 {
        match self.bodies.get(point as usize) {
            Some(&body) if body != NOBODY => body,
            _ => surface.body_at(point),
        }
    }

    /// What the points of a contact with these weights come to.
    pub(super) fn stencil(&self, points: &[u32; 4], weights: &[f64; 4]) -> Stencil {
        let mut stencil = Stencil::new();
        for (&point, &weight) in points.iter().zip(weights) {
            match self.of(point) {
                Some(vertex) => {
                    for (&corner, share) in vertex.corners.iter().zip(vertex.weights) {
                        stencil.add(corner, weight * share);
                    }
                }
                None => stencil.add(point, weight),
            }
        }
        stencil
    }

    /// Takes the lists for both ends of a substep, which are to be given back.
    pub(super) fn take(&mut self) -> [Vec<Particle<T>>; 2] {
        std::mem::take(&mut self.ends)
    }

    pub(super) fn give_back(&mut self, ends: [Vec<Particle<T>>; 2]) {
        self.ends = ends;
    }

    /// Writes the particles, and behind them the vertices, to a list.
    pub(super) fn extend(&self, particles: &[Particle<T>], to: &mut Vec<Particle<T>>, team: Team<'_>) {
        let nothing = Particle::new(Vector3::zeros(), T::zero());
        to.clear();
        to.extend_from_slice(&particles[..self.count]);
        to.resize(self.count + self.vertices.len(), nothing);
        self.follow(to, team);
    }

    /// Puts the vertices where the particles of a list carry them.
    pub(super) fn follow(&self, all: &mut [Particle<T>], team: Team<'_>) {
        let (particles, points) = all.split_at_mut(self.count);
        let pieces = self.vertices.chunks(PIECE).zip(points.chunks_mut(PIECE));
        team.for_each(pieces, |(vertices, points)| {
            for (vertex, point) in vertices.iter().zip(points) {
                *point = vertex.at(particles);
            }
        });
    }

    /// The particles with the vertices behind them.
    pub(super) fn extended<'a>(&self, particles: &'a [Particle<T>]) -> Cow<'a, [Particle<T>]> {
        if self.is_empty() {
            return Cow::Borrowed(particles);
        }
        let mut all = particles[..self.count].to_vec();
        all.extend(self.vertices.iter().map(|vertex| vertex.at(particles)));
        Cow::Owned(all)
    }

    /// Gives what pulls on vertices, in a list of particles and vertices, to the particles.
    pub(super) fn hand_down(&self, all: &[Particle<T>], to: &mut [Particle<T>]) {
        for (to, from) in to.iter_mut().zip(&all[..self.count]) {
            to.x += from.x;
        }
        for (vertex, from) in self.vertices.iter().zip(&all[self.count..]) {
            for (&corner, &weight) in vertex.corners.iter().zip(&vertex.weights) {
                to[corner as usize].x += from.x * weight;
            }
        }
    }

    /// Finds the spread of every vertex in a substep, and adds it to what the points reach.
    /// The lists have particles and vertices; `frame` is the displacement of the island of a body, m.
    pub(super) fn spread(
        &mut self,
        surface: &Surface,
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        frames: &[Vector3<T>],
        reach: &mut Reach<T>,
    ) {
        for (vertex, point) in self.vertices.iter().zip((0_u32..).skip(self.count)) {
            let Some(body) = surface.body_of(point) else { continue };
            let (number, frame) = (point as usize, frames[body as usize]);
            let way = |v: usize| now[v].x - previous[v].x - frame;
            let own = way(number);
            let mut spread = T::zero();
            for (&corner, &weight) in vertex.corners.iter().zip(&vertex.weights) {
                spread += weight.abs() * norm(&(way(corner as usize) - own));
                spread += (-weight).max(T::zero()) * norm(&own);
            }
            self.spreads[number] = spread;
            reach.raise(number, spread);
        }
    }

    /// The spread of every particle and vertex, m; empty where there are no skins.
    pub(super) fn spreads(&self) -> &[T] {
        &self.spreads
    }

    /// By how much a vertex lags behind its way at most where its corners go the shares `share` of theirs, m.
    /// `way` is the displacement of a particle beside its island, m.
    pub(super) fn lag(vertex: &Carried, share: impl Fn(u32) -> f64, way: impl Fn(u32) -> Vector3<T>) -> f64 {
        let corners = vertex.corners.iter().zip(vertex.weights);
        corners.map(|(&v, weight)| weight.abs() * (1.0 - share(v)) * widen(&way(v)).norm()).sum()
    }
}

impl<T: Scalar> Vertex<T> {
    /// Where it is, and with which share of the masses of its free corners.
    fn at(&self, particles: &[Particle<T>]) -> Particle<T> {
        let (mut x, mut mass) = (Vector3::zeros(), T::zero());
        for k in 0..4 {
            let p = &particles[self.corners[k] as usize];
            x += p.x * self.weights[k];
            if p.w > T::zero() {
                mass += self.shares[k].max(T::splat(1e-6)) / p.w;
            }
        }
        Particle::new(x, if mass > T::zero() { T::one() / mass } else { T::zero() })
    }
}

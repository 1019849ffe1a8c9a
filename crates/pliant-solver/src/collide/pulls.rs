//! [`Pulls`]: contacts and edges that even out the displacements of their particles, as the
//! [fallback](super::fallback) has it.
//!
//! Every sweep starts from the displacements of the one before, so particles are looked at by all threads; what pulls on
//! one of them is added up in the order of the pulls, so that the bits do not depend on how many there are.

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_contact::Surface;
use pliant_kernel::{Particle, Scalar, Team};

/// Particles, edges or contacts that are looked at together.
const PIECE: usize = 2048;

/// What pulls particles together in a substep.
pub(super) struct Pulls<T> {
    /// Contacts that count in the next substep.
    links: Vec<Link<T, 4>>,
    edges: Vec<Pull<T, 2>>,
    contacts: Vec<Pull<T, 4>>,
    /// How much pulls on every particle, Σ |b|/d.
    totals: Vec<T>,
    /// Σ b u/(Σ w b²) of edges and contacts, m per inverse mass.
    apart: Vec<Vector3<T>>,
    shares: Shares<T>,
}

/// A contact or an edge that takes its particles along with each other: the weights add up to zero.
struct Link<T, const N: usize> {
    points: [u32; N],
    weights: [T; N],
    /// How far apart its closest points are, or its length, m.
    length: T,
}

/// What evens out displacements: a link with a free particle.
struct Pull<T, const N: usize> {
    points: [u32; N],
    weights: [T; N],
    /// Σ w b², and of every particle w b |b|/d.
    sum: T,
    parts: [T; N],
}

impl<T: Scalar> Pulls<T> {
    /// Nothing pulls on any of so many particles.
    pub(super) fn new(particles: usize) -> Self {
        Self {
            links: Vec::new(),
            edges: Vec::new(),
            contacts: Vec::new(),
            totals: vec![T::zero(); particles],
            apart: Vec::new(),
            shares: Shares::default(),
        }
    }

    /// Notes a contact of these points, whose weights add up to zero.
    pub(super) fn link(&mut self, points: [u32; 4], weights: [T; 4], previous: &[Particle<T>]) {
        self.links.push(Link::new(points, weights, previous));
    }

    /// Finds what pulls: the edges of a surface, and the contacts that were noted, which are forgotten.
    pub(super) fn find(&mut self, surface: &Surface, previous: &[Particle<T>], now: &[Particle<T>]) {
        let Self { links, edges, contacts, totals, apart, shares } = self;
        for &v in surface.vertices() {
            totals[v as usize] = T::zero();
        }
        edges.clear();
        for &edge in surface.edges() {
            // Most edges of what is held are held.
            if edge.iter().any(|&v| now[v as usize].w > T::zero()) {
                edges.extend(Link::new(edge, [T::one(), -T::one()], previous).pull(now, totals));
            }
        }
        contacts.clear();
        contacts.extend(links.drain(..).filter_map(|link| link.pull(now, totals)));
        shares.sort(edges, contacts, totals.len());
        apart.resize(edges.len() + contacts.len(), Vector3::zeros());
    }

    /// Evens out displacements, m, once.
    pub(super) fn even_out(&mut self, ways: &mut [Vector3<T>], team: Team<'_>) {
        let Self { edges, contacts, totals, apart, shares, .. } = self;
        let (of_edges, of_contacts) = apart.split_at_mut(edges.len());
        {
            let ways = &*ways;
            team.for_each(edges.chunks(PIECE).zip(of_edges.chunks_mut(PIECE)), |(edges, apart)| {
                apart.iter_mut().zip(edges).for_each(|(apart, edge)| *apart = edge.apart(ways));
            });
            team.for_each(contacts.chunks(PIECE).zip(of_contacts.chunks_mut(PIECE)), |(contacts, apart)| {
                apart.iter_mut().zip(contacts).for_each(|(apart, contact)| *apart = contact.apart(ways));
            });
        }
        let apart = [&*of_edges, of_contacts];
        team.for_each(ways.chunks_mut(PIECE).zip((0..).step_by(PIECE)), |(ways, first)| {
            for (way, v) in ways.iter_mut().zip(first..) {
                if totals[v] > T::zero() {
                    *way += shares.sum(v, apart) / totals[v];
                }
            }
        });
    }
}

impl<T: Scalar, const N: usize> Link<T, N> {
    fn new(points: [u32; N], weights: [T; N], at: &[Particle<T>]) -> Self {
        let mut between = Vector3::zeros();
        for (&v, &weight) in points.iter().zip(&weights) {
            between += at[v as usize].x * weight;
        }
        Self { points, weights, length: norm(&between) }
    }

    /// How it evens out displacements, if one of its particles is free: it counts in the `totals` of all by its length.
    fn pull(&self, particles: &[Particle<T>], totals: &mut [T]) -> Option<Pull<T, N>> {
        let Self { points, weights, length } = *self;
        let mut sum = T::zero();
        for (&v, &weight) in points.iter().zip(&weights) {
            sum += particles[v as usize].w * weight * weight;
        }
        if sum <= T::zero() {
            return None;
        }
        let (pull, mut parts) = (T::one() / (length + T::splat(1e-9)), weights);
        for (&v, part) in points.iter().zip(&mut parts) {
            let pull = pull * part.abs();
            totals[v as usize] += pull;
            *part = particles[v as usize].w * *part * pull;
        }
        Some(Pull { points, weights, sum, parts })
    }
}

impl<T: Scalar, const N: usize> Pull<T, N> {
    /// By how much its particles are to be brought together, Σ b u/(Σ w b²), m per inverse mass.
    #[inline(always)]
    fn apart(&self, ways: &[Vector3<T>]) -> Vector3<T> {
        let mut apart = Vector3::zeros();
        for (&v, &weight) in self.points.iter().zip(&self.weights) {
            apart += ways[v as usize] * weight;
        }
        apart / self.sum
    }
}

/// What every particle takes of the pulls that it is part of, in the order of these.
struct Shares<T> {
    /// Where the pulls of every particle begin, and where those of the last one end.
    starts: Vec<u32>,
    /// The number of a pull, edges before contacts, and the part that the particle takes of it.
    parts: Vec<(u32, T)>,
}

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Self { starts: Vec::new(), parts: Vec::new() }
    }
}

impl<T: Scalar> Shares<T> {
    /// Sorts the pulls by particles, of which there are `count`.
    fn sort(&mut self, edges: &[Pull<T, 2>], contacts: &[Pull<T, 4>], count: usize) {
        let Self { starts, parts } = self;
        let of_edges = || edges.iter().map(|edge| (&edge.points[..], &edge.parts[..]));
        let of_contacts = contacts.iter().map(|contact| (&contact.points[..], &contact.parts[..]));
        let pulls = || (0..).zip(of_edges().chain(of_contacts.clone()));
        // Beginnings one place later, so that they are where they belong when every list is filled.
        starts.clear();
        starts.resize(count + 2, 0);
        for (_, (points, _)) in pulls() {
            points.iter().for_each(|&v| starts[v as usize + 2] += 1);
        }
        for v in 2..starts.len() {
            starts[v] += starts[v - 1];
        }
        parts.clear();
        parts.resize(2 * edges.len() + 4 * contacts.len(), (0, T::zero()));
        for (pull, (points, shares)) in pulls() {
            for (&v, &share) in points.iter().zip(shares) {
                let next = &mut starts[v as usize + 1];
                parts[*next as usize] = (pull, share);
                *next += 1;
            }
        }
    }

    /// What brings a particle together with others, m times what pulls on it.
    #[inline(always)]
    fn sum(&self, v: usize, [edges, contacts]: [&[Vector3<T>]; 2]) -> Vector3<T> {
        let mut sum = Vector3::zeros();
        for &(pull, part) in &self.parts[self.starts[v] as usize..self.starts[v + 1] as usize] {
            let pull = pull as usize;
            let apart = edges.get(pull).unwrap_or_else(|| &contacts[pull - edges.len()]);
            sum -= apart * part;
        }
        sum
    }
}

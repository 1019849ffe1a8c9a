//! [`Pulls`]: contacts and edges that even out the displacements of their particles, as the
//! [fallback](super::fallback) has it.
//!
//! Every sweep starts from the displacements of the one before, so particles are looked at by all threads; what pulls on
//! one of them is added up in the order of its contacts and then of its neighbours, so that the bits do not depend on how
//! many threads there are.

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_kernel::{Particle, Scalar, Team};
use pliant_mesh::Adjacency;

/// Particles or contacts that are looked at together.
const PIECE: usize = 2048;

/// What pulls particles together in a substep.
pub(super) struct Pulls<T> {
    /// Contacts that count in the next substep.
    links: Vec<Link<T>>,
    contacts: Vec<Pull<T>>,
    /// w b²/(d Σ w b²) of every particle along each of its edges, in the order of its neighbours.
    along_edges: Vec<T>,
    /// How much pulls on every particle that is free, Σ |b|/d.
    totals: Vec<T>,
    /// Σ b u/(Σ w b²) of contacts, m per inverse mass.
    apart: Vec<Vector3<T>>,
    shares: Shares<T>,
    /// Room for displacements.
    evened: Vec<Vector3<T>>,
}

/// A contact that takes its particles along with each other: the weights add up to zero.
struct Link<T> {
    points: [u32; 4],
    weights: [T; 4],
    /// How far apart its closest points are, m.
    length: T,
}

/// A link with a free particle.
struct Pull<T> {
    points: [u32; 4],
    weights: [T; 4],
    /// Σ w b², and of every particle w b |b|/d.
    sum: T,
    parts: [T; 4],
}

/// How much a link of this length, m, pulls, 1/m: the shorter, the more.
#[inline(always)]
fn strength<T: Scalar>(length: T) -> T {
    T::one() / (length + T::splat(1e-9))
}

impl<T: Scalar> Pulls<T> {
    /// Nothing pulls on any of so many particles.
    pub(super) fn new(particles: usize) -> Self {
        Self {
            links: Vec::new(),
            contacts: Vec::new(),
            along_edges: Vec::new(),
            totals: vec![T::zero(); particles],
            apart: Vec::new(),
            shares: Shares::default(),
            evened: vec![Vector3::zeros(); particles],
        }
    }

    /// Notes a contact of these points, whose weights add up to zero.
    pub(super) fn link(&mut self, points: [u32; 4], weights: [T; 4], previous: &[Particle<T>]) {
        let mut between = Vector3::zeros();
        for (&v, &weight) in points.iter().zip(&weights) {
            between += previous[v as usize].x * weight;
        }
        self.links.push(Link { points, weights, length: norm(&between) });
    }

    /// Finds what pulls: the edges, by the neighbours of every particle, and the contacts that were noted, which are
    /// forgotten.
    pub(super) fn find(
        &mut self,
        around: &Adjacency,
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        team: Team<'_>,
    ) {
        let Self { links, contacts, along_edges, totals, apart, shares, .. } = self;
        let last = around.len().checked_sub(1);
        along_edges.resize(last.map_or(0, |last| around.range(last).end), T::zero());
        let mut rest = &mut along_edges[..];
        let pieces = totals.chunks_mut(PIECE).zip((0..).step_by(PIECE)).map(|(totals, first)| {
            let count = around.range(first + totals.len() - 1).end - around.range(first).start;
            let (own, after) = std::mem::take(&mut rest).split_at_mut(count);
            rest = after;
            (totals, own, first)
        });
        team.for_each(pieces, |(totals, mut parts, first)| {
            for (total, v) in totals.iter_mut().zip(first..) {
                let neighbours = around.row(v);
                let (own, after) = std::mem::take(&mut parts).split_at_mut(neighbours.len());
                parts = after;
                *total = T::zero();
                let w = now[v].w;
                if w <= T::zero() {
                    continue;
                }
                for (part, &neighbour) in own.iter_mut().zip(neighbours) {
                    let other = neighbour as usize;
                    let pull = strength(norm(&(previous[other].x - previous[v].x)));
                    *part = w * pull / (w + now[other].w);
                    *total += pull;
                }
            }
        });
        contacts.clear();
        contacts.extend(links.drain(..).filter_map(|link| link.pull(now, totals)));
        shares.sort(contacts, totals.len());
        apart.resize(contacts.len(), Vector3::zeros());
    }

    /// Evens out displacements, m, once.
    pub(super) fn even_out(&mut self, around: &Adjacency, ways: &mut Vec<Vector3<T>>, team: Team<'_>) {
        let Self { contacts, along_edges, totals, apart, shares, evened, .. } = self;
        let before = &ways[..];
        team.for_each(contacts.chunks(PIECE).zip(apart.chunks_mut(PIECE)), |(contacts, apart)| {
            apart.iter_mut().zip(contacts).for_each(|(apart, contact)| *apart = contact.apart(before));
        });
        let (apart, along_edges) = (&apart[..], &along_edges[..]);
        team.for_each(evened.chunks_mut(PIECE).zip((0..).step_by(PIECE)), |(evened, first)| {
            for (evened, v) in evened.iter_mut().zip(first..) {
                let way = before[v];
                *evened = way;
                if totals[v] > T::zero() {
                    let mut sum = shares.sum(v, apart);
                    for (&neighbour, &part) in around.row(v).iter().zip(&along_edges[around.range(v)]) {
                        sum += (before[neighbour as usize] - way) * part;
                    }
                    *evened += sum / totals[v];
                }
            }
        });
        std::mem::swap(ways, evened);
    }
}

impl<T: Scalar> Link<T> {
    /// How it evens out displacements, if one of its particles is free: it counts in the `totals` of those that are.
    fn pull(&self, particles: &[Particle<T>], totals: &mut [T]) -> Option<Pull<T>> {
        let Self { points, weights, length } = *self;
        let mut sum = T::zero();
        for (&v, &weight) in points.iter().zip(&weights) {
            sum += particles[v as usize].w * weight * weight;
        }
        if sum <= T::zero() {
            return None;
        }
        let (strength, mut parts) = (strength(length), weights);
        for (&v, part) in points.iter().zip(&mut parts) {
            let (pull, w) = (strength * part.abs(), particles[v as usize].w);
            if w > T::zero() {
                totals[v as usize] += pull;
            }
            *part = w * *part * pull;
        }
        Some(Pull { points, weights, sum, parts })
    }
}

impl<T: Scalar> Pull<T> {
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

/// What every particle takes of the contacts that it is part of, in the order of these.
struct Shares<T> {
    /// Where the contacts of every particle begin, and where those of the last one end.
    starts: Vec<u32>,
    /// The number of a contact, and the part that the particle takes of it.
    parts: Vec<(u32, T)>,
}

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Self { starts: Vec::new(), parts: Vec::new() }
    }
}

impl<T: Scalar> Shares<T> {
    /// Sorts contacts by particles, of which there are `count`.
    fn sort(&mut self, contacts: &[Pull<T>], count: usize) {
        let Self { starts, parts } = self;
        // Beginnings one place later, so that they are where they belong when every list is filled.
        starts.clear();
        starts.resize(count + 2, 0);
        for v in contacts.iter().flat_map(|contact| contact.points) {
            starts[v as usize + 2] += 1;
        }
        for v in 2..starts.len() {
            starts[v] += starts[v - 1];
        }
        parts.clear();
        parts.resize(4 * contacts.len(), (0, T::zero()));
        for (number, contact) in (0..).zip(contacts) {
            for (&v, &part) in contact.points.iter().zip(&contact.parts) {
                let next = &mut starts[v as usize + 1];
                parts[*next as usize] = (number, part);
                *next += 1;
            }
        }
    }

    /// What brings a particle together with others, m times what pulls on it.
    #[inline(always)]
    fn sum(&self, v: usize, apart: &[Vector3<T>]) -> Vector3<T> {
        let mut sum = Vector3::zeros();
        for &(contact, part) in &self.parts[self.starts[v] as usize..self.starts[v + 1] as usize] {
            sum -= apart[contact as usize] * part;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particles(x: &[[f64; 3]], w: &[f64]) -> Vec<Particle<f64>> {
        x.iter().zip(w).map(|(&x, &w)| Particle::new(Vector3::from(x), w)).collect()
    }

    /// A triangle with a held corner, above a vertex that touches its middle.
    fn touched() -> (Adjacency, Vec<Particle<f64>>, Pulls<f64>) {
        let at = particles(
            &[[0.0, 0.0, 0.0], [0.03, 0.0, 0.0], [0.0, 0.0, 0.03], [0.01, -0.001, 0.01]],
            &[0.0, 2.0, 1.0, 3.0],
        );
        let around = Adjacency::of_edges(4, &[[0, 1], [1, 2], [2, 0]]);
        let mut pulls = Pulls::new(4);
        let third = 1.0 / 3.0;
        pulls.link([3, 0, 1, 2], [1.0, -third, -third, -third], &at);
        pulls.find(&around, (&at, &at), Team::alone());
        (around, at, pulls)
    }

    #[test]
    fn what_goes_together_stays_together() {
        let (around, _, mut pulls) = touched();
        let way = Vector3::new(0.1, -0.2, 0.3);
        let mut ways = vec![way; 4];
        pulls.even_out(&around, &mut ways, Team::alone());
        assert!(ways.iter().all(|w| (w - way).norm() < 1e-15), "{ways:?}");
    }

    #[test]
    fn displacements_are_averaged_as_the_book_says() {
        let (around, at, mut pulls) = touched();
        let before: Vec<_> = (0..4).map(|v| Vector3::new(f64::from(v), 1.0, f64::from(v * v))).collect();
        let mut ways = before.clone();
        pulls.even_out(&around, &mut ways, Team::alone());
        // (9a), link by link: points, weights, length.
        let edge = |a: usize, b: usize| (vec![(a, 1.0), (b, -1.0)], (at[a].x - at[b].x).norm());
        let contact = (vec![(3, 1.0), (0, -1.0 / 3.0), (1, -1.0 / 3.0), (2, -1.0 / 3.0)], 0.001);
        let links = [edge(0, 1), edge(1, 2), edge(2, 0), contact];
        for v in 0..4 {
            let (mut sum, mut total) = (Vector3::zeros(), 0.0);
            for (points, length) in &links {
                let apart: Vector3<f64> = points.iter().map(|&(k, b)| before[k] * b).sum();
                let squares: f64 = points.iter().map(|&(k, b)| at[k].w * b * b).sum();
                for &(_, b) in points.iter().filter(|(k, _)| *k == v) {
                    let pull = f64::abs(b) / (length + 1e-9);
                    sum -= apart * (at[v].w * b / squares * pull);
                    total += pull;
                }
            }
            let expected = before[v] + sum / total;
            assert!((ways[v] - expected).norm() < 1e-12, "{v}: {} and {expected}", ways[v]);
        }
        assert_eq!(ways[0], before[0], "it is held");
    }
}

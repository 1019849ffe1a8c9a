//! [`Islands`]: bodies that have near pairs in common, and how each group of them moves as a whole.
//!
//! A translation that all of an island have in common keeps every distance in it. What matters to contact is
//! the rest: a stack that falls is no different from one that stands.

use nalgebra::Vector3;
use pliant_contact::Surface;
use pliant_kernel::{Particle, Scalar, Team, widen};

/// Particles that are looked at together.
const PIECE: usize = 2048;

/// The island of every body, and the displacement that each has in common in the substep at hand.
pub(super) struct Islands<T: Scalar> {
    of: Vec<u32>,
    /// Displacement that the island of every body has in common, m.
    frames: Vec<Vector3<T>>,
    /// Sums of every island, by pieces of the list of vertices.
    pieces: Vec<Vec<Sums>>,
    /// Whether displacements are those of the substep at hand: where nothing is near anything nobody asks for them.
    are_known: bool,
}

/// Sums of displacements, m, and of weights: of what can move, and of what is held.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    free: (Vector3<f64>, f64),
    held: (Vector3<f64>, f64),
}

impl<T: Scalar> Islands<T> {
    pub(super) fn new(bodies: usize) -> Self {
        Self {
            of: (0..).take(bodies).collect(),
            frames: vec![Vector3::zeros(); bodies],
            pieces: Vec::new(),
            are_known: false,
        }
    }

    /// Every body is by itself.
    pub(super) fn part(&mut self) {
        for (body, island) in (0..).zip(&mut self.of) {
            *island = body;
        }
    }

    /// The island of every body.
    pub(super) fn of_bodies(&self) -> &[u32] {
        &self.of
    }

    /// Takes the island of every body.
    pub(super) fn set(&mut self, of: &[u32]) {
        self.of.copy_from_slice(of);
    }

    /// Two bodies have a pair in common. Returns whether that brings two islands together.
    pub(super) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.of[a as usize], self.of[b as usize]);
        if a != b {
            let (low, high) = (a.min(b), a.max(b));
            self.of.iter_mut().filter(|island| **island == high).for_each(|island| *island = low);
        }
        a != b
    }

    /// Finds the displacement that the particles of each island have in common, m: where something is held,
    /// the mean of what is held, so that what stands in its way can move along with it; elsewhere the mean of
    /// all, weighted by mass.
    pub(super) fn look(
        &mut self,
        surface: &Surface,
        previous: &[Particle<T>],
        now: &[Particle<T>],
        team: Team<'_>,
    ) {
        self.are_known = true;
        let Self { of, frames, pieces, .. } = self;
        let vertices = surface.vertices();
        pieces.resize_with(vertices.len().div_ceil(PIECE), || vec![Sums::default(); of.len()]);
        team.for_each(vertices.chunks(PIECE).zip(&mut *pieces), |(vertices, sums)| {
            sums.fill(Sums::default());
            for vertices in vertices.chunk_by(|&a, &b| surface.body_at(a) == surface.body_at(b)) {
                let island = of[surface.body_at(vertices[0]) as usize] as usize;
                // A body at a time, whose sums stay at hand.
                let Sums { mut free, mut held } = sums[island];
                for &v in vertices {
                    let p = &now[v as usize];
                    let way = widen(&(p.x - previous[v as usize].x));
                    if p.w > T::zero() {
                        let mass = 1.0 / p.w.to_f64();
                        free = (free.0 + way * mass, free.1 + mass);
                    } else {
                        held = (held.0 + way, held.1 + 1.0);
                    }
                }
                sums[island] = Sums { free, held };
            }
        });
        for (frame, &island) in frames.iter_mut().zip(&*of) {
            let (mut free, mut held) = ((Vector3::zeros(), 0.0), (Vector3::zeros(), 0.0));
            for sums in pieces.iter().map(|sums| &sums[island as usize]) {
                free = (free.0 + sums.free.0, free.1 + sums.free.1);
                held = (held.0 + sums.held.0, held.1 + sums.held.1);
            }
            let (way, weight) = if held.1 > 0.0 { held } else { free };
            let mean = if weight > 0.0 { way / weight } else { Vector3::zeros() };
            *frame = pliant_constraints::splat_vector(&mean);
        }
    }

    /// Has nobody find them in the substep at hand.
    pub(super) fn leave_unknown(&mut self) {
        self.are_known = false;
    }

    /// Whether they were found in the substep at hand.
    pub(super) fn are_known(&self) -> bool {
        self.are_known
    }

    /// The displacements of the islands of all bodies, m.
    pub(super) fn frames(&self) -> &[Vector3<T>] {
        &self.frames
    }

    /// The displacement that the island of a body has in common, m.
    #[inline(always)]
    pub(super) fn frame(&self, body: u32) -> Vector3<T> {
        self.frames[body as usize]
    }
}

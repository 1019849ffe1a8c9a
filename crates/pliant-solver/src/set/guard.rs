//! [`Guard`]: tetrahedra that would turn inside out are kept open.
//!
//! One sweep over stiff elements does not restore all elements that a floor has flattened, and material laws
//! have a second rest state inside out. So in every iteration, after the contacts, the elements that are in
//! danger get a constraint of their own, one-sided and rigid:
//!
//! ```text
//! J = det F ≥ J₀      Δλ = min(J₀ − J, 1) / (Σ w_j |∂J/∂x_j|² + ε Σ w_j b²)      x_j ← x_j + w_j Δλ ∂J/∂x_j
//! ```
//!
//! with b² the mean of the squared inverse altitudes at rest, which keeps the step finite if an element has
//! collapsed to a line or a point. Floor and elements take turns, see [`ROUNDS`]: opening an element may push
//! a point into the floor, and pushing the point out may close the next element. Gradients of J keep linear
//! and angular momentum.
//!
//! Which elements are in danger is found every few substeps, in the order of the list; they are opened one
//! after the other in that order. So the bits do not depend on the threads.

mod held_tet;
mod kinds;

use pliant_kernel::{Particle, Team};

use crate::observe::report::Suspects;
use crate::set::contact::Contacts;
use crate::set::guard::held_tet::HeldTet;
pub(crate) use crate::set::guard::kinds::GuardedTet;
use crate::set::guard::kinds::Kinds;
use crate::set::many_points::displace;
use pliant_kernel::Scalar;

/// The guard looks for the elements in danger in the first of this many substeps, and in the first substep of
/// a frame.
pub(crate) const LOOK_EVERY: u32 = 4;

/// How often elements and contacts take turns in an iteration at most; they end as soon as no element has to be opened.
const ROUNDS: usize = 32;

/// Elements tested by one task.
const CHUNK: usize = 2048;

/// An element in danger, and its multiplier in this substep, kg·m².
#[derive(Debug, Clone, Copy)]
struct Endangered {
    tet: HeldTet,
    lambda: f64,
}

/// The tetrahedra that are kept open. It has no state beyond a frame.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    tets: Vec<HeldTet>,
    /// Whether each tetrahedron is in danger; written by many threads.
    is_low: Vec<bool>,
    endangered: Vec<Endangered>,
    /// The points of the elements in danger, ascending.
    points: Vec<u32>,
    kinds: Kinds,
}

impl Guard {
    pub(crate) fn new(tets: Vec<GuardedTet>) -> Self {
        Self {
            is_low: vec![false; tets.len()],
            kinds: Kinds::of(&tets),
            tets: tets.into_iter().map(|tet| tet.held).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tets.is_empty()
    }

    /// Looks for the elements in danger.
    pub(crate) fn look<T: Scalar>(&mut self, now: &[Particle<T>], team: Team<'_>) {
        let chunks = self.tets.chunks(CHUNK).zip(self.is_low.chunks_mut(CHUNK));
        team.for_each(chunks, |(tets, is_low)| {
            for (tet, is_low) in tets.iter().zip(is_low) {
                *is_low = tet.is_low(now);
            }
        });
        self.endangered.clear();
        let low = self.tets.iter().zip(&self.is_low).filter(|(_, is_low)| **is_low);
        self.endangered.extend(low.map(|(tet, _)| Endangered { tet: *tet, lambda: 0.0 }));
        self.points.clear();
        self.points.extend(self.endangered.iter().flat_map(|one| one.tet.vertices));
        self.points.sort_unstable();
        self.points.dedup();
    }

    /// Forgets the elements in danger, because the state was replaced.
    pub(crate) fn forget(&mut self) {
        self.endangered.clear();
        self.points.clear();
    }

    /// Starts a substep.
    pub(crate) fn begin(&mut self) {
        self.endangered.iter_mut().for_each(|one| one.lambda = 0.0);
    }

    /// Whether an element had to be opened in the last substep.
    pub(crate) fn has_acted(&self) -> bool {
        self.endangered.iter().any(|one| one.lambda > 0.0)
    }

    /// Opens the elements in danger, and lets the obstacles push out their points, in turns.
    pub(crate) fn solve<T: Scalar>(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        contacts: &mut Contacts<T>,
    ) {
        for _ in 0..ROUNDS {
            let mut opened = false;
            for one in &mut self.endangered {
                let vertices = one.tet.vertices;
                let w = vertices.map(|v| now[v as usize].w.to_f64());
                if let Some((moves, lambda)) = one.tet.open(&one.tet.places(now), &w) {
                    vertices.iter().zip(&moves).for_each(|(&v, dx)| displace(&mut now[v as usize], dx));
                    one.lambda += lambda;
                    opened = true;
                }
            }
            if !opened {
                return;
            }
            contacts.solve_some(&self.points, now, previous);
        }
    }

    /// Elements whose kind is the cause of a problem.
    pub(crate) fn suspects<T: Scalar>(&self, now: &[Particle<T>]) -> Suspects {
        self.kinds.suspects(now)
    }

    /// Adds the impulses of the opened elements on their points in the last substep, ∇Jᵀλ, kg·m.
    pub(crate) fn add_impulses<T: Scalar>(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]) {
        for one in self.endangered.iter().filter(|one| one.lambda > 0.0) {
            let (_, gradients) = one.tet.ratio(&one.tet.places(now));
            for (&v, g) in one.tet.vertices.iter().zip(&gradients) {
                displace(&mut impulses[v as usize], &(g * one.lambda));
            }
        }
    }
}

#[cfg(test)]
mod tests;

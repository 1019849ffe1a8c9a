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
//! Which elements are in danger is found every few substeps, in the order of the list, and again at the end of a
//! frame until none has to be opened; they are opened one after the other, in that order and back. So the bits
//! do not depend on the threads.

mod held_tet;
mod kinds;

use pliant_kernel::{Particle, Team};

use crate::observe::report::Suspects;
use crate::set::contact::Contacts;
use crate::set::guard::held_tet::{DANGER, HeldTet, LEAST, OPENED};
pub(crate) use crate::set::guard::kinds::GuardedTet;
use crate::set::guard::kinds::Kinds;
use crate::set::many_points::displace;
use pliant_kernel::Scalar;

/// The guard looks for the elements in danger in the first of this many substeps, and in the first substep of
/// a frame.
pub(crate) const LOOK_EVERY: u32 = 4;

/// How often it looks at the end of a frame at most: to open elements can close others, which are looked for again.
pub(crate) const LAST_LOOKS: usize = 32;

/// Substeps from this length on, s, are long: elements are opened a little more than has to be, and it looks again at the
/// end of a frame. In shorter ones what that moves would be so fast that soft bodies gain energy.
pub(crate) const LONG: f64 = 1e-3;

/// It stops earlier if so many looks in a row have left no fewer to be opened.
const STALLS: usize = 16;

/// How often elements and contacts take turns in an iteration at most; they end as soon as no element has to be opened.
const ROUNDS: usize = 32;

/// An element with less of its volume is flat or inside out.
const FLAT: f64 = 1e-3;

/// Elements tested by one task.
const CHUNK: usize = 2048;

/// An element in danger, and its multiplier in this substep, kg·m².
#[derive(Debug, Clone, Copy)]
struct Endangered {
    /// Its place among all.
    place: usize,
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
    /// Those of the look before.
    before: Vec<Endangered>,
    /// Elements that were turned inside out last.
    turned: Vec<[u32; 4]>,
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

    /// Opens the elements in danger, and looks for them up to `looks` times, as long as some have to be opened. Without
    /// a look they are those of the look before.
    pub(crate) fn hold<T: Scalar>(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        contacts: &mut Contacts<T>,
        looks: usize,
        is_long: bool,
        team: Team<'_>,
    ) {
        if looks == 0 {
            self.solve(now, previous, contacts, is_long);
        }
        let (mut fewest, mut stalls) = (usize::MAX, 0);
        for _ in 0..looks {
            self.look(now, team);
            let Some(left) = self.solve(now, previous, contacts, is_long) else { return };
            stalls = if left < fewest { 0 } else { stalls + 1 };
            fewest = fewest.min(left);
            if stalls == STALLS {
                return;
            }
        }
    }

    /// Looks for the elements in danger. Those that were so before keep their multipliers.
    fn look<T: Scalar>(&mut self, now: &[Particle<T>], team: Team<'_>) {
        self.test(now, DANGER, team);
        std::mem::swap(&mut self.endangered, &mut self.before);
        let mut before = self.before.iter().peekable();
        let mut lambda_of = |place: usize| {
            while before.next_if(|one| one.place < place).is_some() {}
            before.next_if(|one| one.place == place).map_or(0.0, |one| one.lambda)
        };
        self.endangered.clear();
        let low = self.tets.iter().zip(&self.is_low).enumerate().filter(|(_, (_, is_low))| **is_low);
        self.endangered.extend(low.map(|(place, (tet, _))| Endangered {
            place,
            tet: *tet,
            lambda: lambda_of(place),
        }));
        self.points.clear();
        self.points.extend(self.endangered.iter().flat_map(|one| one.tet.vertices));
        self.points.sort_unstable();
        self.points.dedup();
    }

    /// The elements that are flat or inside out, and were less so at the start of the substep.
    pub(crate) fn turned<T: Scalar>(
        &mut self,
        now: &[Particle<T>],
        previous: &[Particle<T>],
        team: Team<'_>,
    ) -> &[[u32; 4]] {
        self.test(now, FLAT, team);
        self.turned.clear();
        let ratio = |tet: &HeldTet, x: &[Particle<T>]| tet.ratio(&tet.places(x)).0;
        let turned = self
            .tets
            .iter()
            .zip(&self.is_low)
            .filter(|&(tet, &is_low)| is_low && ratio(tet, now) < ratio(tet, previous));
        self.turned.extend(turned.map(|(tet, _)| tet.vertices));
        &self.turned
    }

    /// Tests which elements have less than this share of their volume.
    fn test<T: Scalar>(&mut self, now: &[Particle<T>], share: f64, team: Team<'_>) {
        let chunks = self.tets.chunks(CHUNK).zip(self.is_low.chunks_mut(CHUNK));
        team.for_each(chunks, |(tets, is_low)| {
            for (tet, is_low) in tets.iter().zip(is_low) {
                *is_low = tet.is_below(now, share);
            }
        });
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

    /// Opens the elements in danger, and lets the obstacles push out their points, in turns. Returns how many had to be
    /// opened in the last round, and nothing if none had to be in any.
    fn solve<T: Scalar>(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        contacts: &mut Contacts<T>,
        is_long: bool,
    ) -> Option<usize> {
        let to = if is_long { OPENED } else { LEAST };
        let mut opened = 0;
        for round in 0..ROUNDS {
            opened = 0;
            let mut open = |one: &mut Endangered| {
                let vertices = one.tet.vertices;
                let w = vertices.map(|v| now[v as usize].w.to_f64());
                if let Some((moves, lambda)) = one.tet.open(&one.tet.places(now), &w, to) {
                    vertices.iter().zip(&moves).for_each(|(&v, dx)| displace(&mut now[v as usize], dx));
                    one.lambda += lambda;
                    opened += 1;
                }
            };
            // In turns forward and backward: an element closes neighbours on either side of the list.
            if round.is_multiple_of(2) || !is_long {
                self.endangered.iter_mut().for_each(&mut open);
            } else {
                self.endangered.iter_mut().rev().for_each(&mut open);
            }
            if opened == 0 {
                return (round > 0).then_some(0);
            }
            contacts.solve_some(&self.points, now, previous);
        }
        Some(opened)
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

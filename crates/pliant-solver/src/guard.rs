//! [`Guard`]: tetrahedra that would turn inside out are held open.
//!
//! One sweep over stiff elements does not undo all that a floor has flattened, and laws of E and ν have second places of rest inside out. So in every iteration, after the contacts, the elements that are
//! in danger get a constraint of their own, one-sided and rigid:
//!
//! ```text
//! J = det F ≥ J₀      Δλ = min(J₀ − J, 1) / (Σ w_j |∂J/∂x_j|² + ε Σ w_j b²)      x_j ← x_j + w_j Δλ ∂J/∂x_j
//! ```
//!
//! with b² the mean of the squared inverse altitudes at rest, which keeps an element finite that is drawn together to a line or a point. Floor and elements take turns, see [`ROUNDS`]: what opens an element
//! may push a point into the floor, and what pushes it out may close the next. Gradients of J keep linear and angular momentum.
//!
//! Which elements are in danger is found every few substeps, in the order of the list; what is done about them is done one after the other in that order. So the bits do not depend on the threads.

mod kinds;

use nalgebra::Vector3;
use pliant_kernel::{Particle, Team, widen};

use crate::contact::Contacts;
pub(crate) use crate::guard::kinds::GuardedTet;
use crate::guard::kinds::Kinds;
use crate::many_points::displace;
use crate::report::Suspects;
use pliant_kernel::Scalar;

/// J₀: no element of the guard is left with less of its volume, as far as the rounds suffice.
const LEAST: f64 = 0.05;

/// An element with less of its volume is in danger until the guard looks again.
const DANGER: f64 = 0.3;

/// The guard looks for the elements in danger in the first of so many substeps, and in the first of a frame.
pub(crate) const LOOK_EVERY: u32 = 4;

/// How often elements and contacts take turns in an iteration at most; they end as soon as no element has to be opened.
const ROUNDS: usize = 32;

/// The most that J is raised at once.
const LONGEST_STEP: f64 = 1.0;

/// ε of the regularisation.
const FLOOR: f64 = 1e-3;

/// Elements looked at by one task.
const CHUNK: usize = 2048;

/// A tetrahedron and what it is at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HeldTet {
    vertices: [u32; 4],
    /// One over the determinant of the edges at rest, 1/m³.
    inverse: f64,
    /// Mean of the squared inverse altitudes at rest, 1/m².
    altitude: f64,
}

impl HeldTet {
    /// A tetrahedron with the positions `rest`, m, at rest; none if it is flat.
    fn new(vertices: [u32; 4], rest: &[Vector3<f64>; 4]) -> Option<Self> {
        let (det, gradients) = volume(rest);
        let inverse = 1.0 / det;
        let altitude = 0.25 * gradients.iter().map(|g| (g * inverse).norm_squared()).sum::<f64>();
        (inverse.is_finite() && altitude.is_finite()).then_some(Self { vertices, inverse, altitude })
    }

    /// The same tetrahedron in another numbering.
    fn renumbered(self, map: impl Fn(u32) -> u32) -> Self {
        Self { vertices: self.vertices.map(map), ..self }
    }

    /// J, and its gradients, 1/m.
    fn ratio(&self, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        let (det, gradients) = volume(x);
        (det * self.inverse, gradients.map(|g| g * self.inverse))
    }

    /// How far the points move, and the multiplier, so that J comes to [`LEAST`]; none where it is not below, or no point can move.
    fn open(&self, x: &[Vector3<f64>; 4], w: &[f64; 4]) -> Option<([Vector3<f64>; 4], f64)> {
        let (ratio, gradients) = self.ratio(x);
        let below = LEAST - ratio;
        if below.is_nan() || below <= 0.0 {
            return None;
        }
        let squares: f64 = gradients.iter().zip(w).map(|(g, w)| w * g.norm_squared()).sum();
        let lambda = below.min(LONGEST_STEP) / (squares + FLOOR * self.altitude * w.iter().sum::<f64>());
        lambda.is_finite().then(|| (std::array::from_fn(|j| gradients[j] * (w[j] * lambda)), lambda))
    }

    /// Whether J is below [`DANGER`]. Most are not, so it is computed without gradients and in the numbers of the state.
    fn is_low<T: Scalar>(&self, particles: &[Particle<T>]) -> bool {
        let [o, a, b, c] = self.vertices.map(|v| particles[v as usize].x);
        let det = (a - o).dot(&(b - o).cross(&(c - o)));
        det.to_f64() * self.inverse < DANGER
    }

    fn places<T: Scalar>(&self, particles: &[Particle<T>]) -> [Vector3<f64>; 4] {
        self.vertices.map(|v| widen(&particles[v as usize].x))
    }
}

/// The determinant of the edges, m³, which is six volumes, and its gradients, m².
fn volume(x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
    let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let gradients = [b.cross(&c), c.cross(&a), a.cross(&b)];
    (
        a.dot(&gradients[0]),
        [-(gradients[0] + gradients[1] + gradients[2]), gradients[0], gradients[1], gradients[2]],
    )
}

/// An element in danger, and its multiplier in this substep, kg·m².
#[derive(Debug, Clone, Copy)]
struct Endangered {
    tet: HeldTet,
    lambda: f64,
}

/// The tetrahedra that are held open. It has no state that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    tets: Vec<HeldTet>,
    /// Of every tetrahedron, whether it is in danger: written by many threads.
    is_low: Vec<bool>,
    endangered: Vec<Endangered>,
    /// The points of those, ascending.
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

    /// No element is in danger, for all that is known: the state is another one.
    pub(crate) fn forget(&mut self) {
        self.endangered.clear();
        self.points.clear();
    }

    /// A substep begins.
    pub(crate) fn begin(&mut self) {
        self.endangered.iter_mut().for_each(|one| one.lambda = 0.0);
    }

    /// Whether an element had to be opened in the last substep.
    pub(crate) fn has_acted(&self) -> bool {
        self.endangered.iter().any(|one| one.lambda > 0.0)
    }

    /// Opens the elements in danger, and has the obstacles push out their points, in turns.
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

    /// Elements whose kind is to blame for what happens to them.
    pub(crate) fn suspects<T: Scalar>(&self, now: &[Particle<T>]) -> Suspects {
        self.kinds.suspects(now)
    }

    /// Adds what the opened elements pulled at their points in the last substep, ∇Jᵀλ, kg·m.
    pub(crate) fn pull<T: Scalar>(&self, now: &[Particle<T>], pull: &mut [Particle<T>]) {
        for one in self.endangered.iter().filter(|one| one.lambda > 0.0) {
            let (_, gradients) = one.tet.ratio(&one.tet.places(now));
            for (&v, g) in one.tet.vertices.iter().zip(&gradients) {
                displace(&mut pull[v as usize], &(g * one.lambda));
            }
        }
    }
}

#[cfg(test)]
mod tests;

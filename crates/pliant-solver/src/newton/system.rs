//! [`System`]: the Hessian and the gradient of an implicit step.

use nalgebra::Vector3;
use pliant_kernel::{Linearise, Linearised, Particle, Particles, Scalar, Simd, State, Team, widen};
use pliant_multigrid::{
    BlockMatrix, BlockPattern, Hierarchy, Nodes, Number as _, PatternError, Settings, Status,
};

use crate::level::RunningSet;
use crate::set::contact::Contacts;

/// ε: a constraint whose scaled compliance is below this share of its inverse mass is treated as rigid.
const RIGID: f64 = 1e-3;

/// The factor of the mass of a particle in a Newton step, along the direction in which something outside the
/// system presses on it.
const HELD: f64 = 1e2;

/// The most points of a constraint.
const POINTS: usize = 8;

/// The particles of a constraint.
struct Element {
    points: [u32; POINTS],
    len: usize,
}

impl AsRef<[u32]> for Element {
    fn as_ref(&self) -> &[u32] {
        &self.points[..self.len]
    }
}

/// The Hessian and the gradient of an implicit step, and the levels to solve with them.
pub(crate) struct System<T: Scalar> {
    pattern: BlockPattern,
    matrix: BlockMatrix<f32>,
    hierarchy: Hierarchy<f32>,
    /// For every set the number of its first element, if it is linearised.
    first: Vec<Option<usize>>,
    /// The predicted positions.
    pub(super) predicted: Vec<Vector3<T>>,
    /// −∇φ, kg·m.
    pub(super) residual: Vec<Vector3<T>>,
    /// For every set whether a constraint of it was treated as rigid when the Hessian was assembled.
    rigid: Vec<bool>,
    /// The pull of the sets that are not linearised.
    pulls: Vec<Particle<T>>,
    /// For every particle that contacts press on, the direction of the contact; zero for the others.
    pressed: Vec<Vector3<T>>,
    rhs: Vec<[f32; 3]>,
    pub(super) step: Vec<[f32; 3]>,
    pub(super) start: Vec<Vector3<T>>,
}

/// A substep, for Newton steps.
pub(crate) struct Substep<'a, T: Scalar> {
    pub(crate) sets: &'a mut [RunningSet<T>],
    pub(crate) contacts: &'a Contacts<T>,
    pub(crate) particles: &'a mut Particles<T>,
    /// Length, s.
    pub(crate) h: f64,
    pub(crate) accuracy: f64,
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
}

/// How constraints with the damping γ are linearised at the present positions.
fn linearisation<T: Scalar>(particles: &Particles<T>, h: f64, gamma: T, simd: Simd) -> Linearise<'_, T> {
    Linearise {
        now: &particles.now,
        previous: &particles.previous,
        inverse_h2: T::splat(1.0 / (h * h)),
        gamma,
        rigid: T::splat(RIGID),
        stiffness: false,
        simd,
    }
}

impl<T: Scalar> System<T> {
    /// The system of sets of constraints on particles which are at `rest` without load.
    pub(crate) fn new(
        sets: &[RunningSet<T>],
        particles: &Particles<T>,
        rest: &[[f64; 3]],
    ) -> Result<Self, PatternError> {
        let count = particles.len();
        let (mut first, mut elements) = (Vec::with_capacity(sets.len()), Vec::new());
        for running in sets {
            let start = elements.len();
            let mut all = running.has_energy;
            let known = running.has_energy
                && running.set.for_each_element(&mut |stencil| {
                    let mut points = [0; POINTS];
                    match points.get_mut(..stencil.len()) {
                        Some(places) => places.copy_from_slice(stencil),
                        None => all = false,
                    }
                    elements.push(Element { points, len: stencil.len().min(POINTS) });
                });
            first.push((known && all).then_some(start));
            if !(known && all) {
                elements.truncate(start);
            }
        }
        let fixed: Vec<bool> = particles.now[..count].iter().map(|p| p.w <= T::zero()).collect();
        let pattern = BlockPattern::new(&Nodes { count, fixed: &fixed, rest }, &elements)?;
        let zero = Vector3::zeros();
        Ok(Self {
            matrix: BlockMatrix::new(&pattern),
            hierarchy: Hierarchy::new(&pattern, Settings::default()),
            pattern,
            rigid: vec![false; first.len()],
            first,
            predicted: vec![zero; count],
            residual: vec![zero; count],
            pulls: vec![Particle::new(zero, T::zero()); particles.now.len()],
            pressed: vec![zero; count],
            rhs: vec![[0.0; 3]; count],
            step: vec![[0.0; 3]; count],
            start: vec![zero; count],
        })
    }

    /// Stores the predicted positions.
    pub(crate) fn remember(&mut self, particles: &Particles<T>) {
        for (predicted, p) in self.predicted.iter_mut().zip(&particles.now) {
            *predicted = p.x;
        }
    }

    /// Gives the constraints the multipliers that belong to the present positions: those of the sets whose
    /// pull depends on multipliers, once after every step, or those of the others, once at the end.
    pub(super) fn relax(&self, substep: &mut Substep<'_, T>, rigid: bool) {
        let Substep { sets, particles, h, simd, .. } = substep;
        for ((running, first), is_rigid) in sets.iter_mut().zip(&self.first).zip(&self.rigid) {
            if first.is_some() && *is_rigid == rigid {
                let gamma = running.gamma(*h);
                running.set.relax(&linearisation(particles, *h, gamma, *simd));
            }
        }
    }

    /// Whether the gradient depends on multipliers.
    pub(super) fn has_rigid(&self) -> bool {
        self.rigid.contains(&true)
    }

    /// Takes the pull of the constraints that are found again in every substep or have no energy, as it is
    /// after the sweeps.
    pub(super) fn take_pulls(&mut self, substep: &Substep<'_, T>) {
        let none = Particle::new(Vector3::zeros(), T::zero());
        self.pulls.fill(none);
        substep.contacts.pull(&substep.particles.now, &mut self.pulls);
        let unknown = || substep.sets.iter().zip(&self.first).filter(|(_, first)| first.is_none());
        let pull_of = |running: &RunningSet<T>, pulls: &mut [Particle<T>]| {
            let state = State {
                count: substep.particles.len(),
                now: &substep.particles.now,
                previous: &substep.particles.previous,
                inverse_h2: T::splat(1.0 / (substep.h * substep.h)),
                gamma: running.gamma(substep.h),
                rest_energies: &[],
            };
            running.set.survey(&state, Some(pulls), substep.simd, substep.team);
        };
        for (running, _) in unknown().filter(|(running, _)| running.set.is_dynamic()) {
            pull_of(running, &mut self.pulls);
        }
        for (pressed, pull) in self.pressed.iter_mut().zip(&self.pulls) {
            let length = pull.x.dot(&pull.x).sqrt();
            *pressed = if length > T::zero() { pull.x / length } else { Vector3::zeros() };
        }
        for (running, _) in unknown().filter(|(running, _)| !running.set.is_dynamic()) {
            pull_of(running, &mut self.pulls);
        }
    }

    /// Computes −∇φ at the present positions, and the Hessian if it is needed.
    pub(super) fn assemble(&mut self, substep: &Substep<'_, T>, stiffness: bool) {
        let now = &substep.particles.now;
        let Self { pattern, matrix, residual, predicted, pulls, pressed, rigid, .. } = self;
        for ((residual, predicted), (p, pull)) in
            residual.iter_mut().zip(&*predicted).zip(now.iter().zip(&*pulls))
        {
            let mass = if p.w > T::zero() { T::one() / p.w } else { T::zero() };
            *residual = pull.x - (p.x - predicted) * mass;
        }
        if stiffness {
            matrix.clear();
            for ((node, p), pressed) in now.iter().enumerate().zip(&*pressed) {
                if p.w > T::zero() {
                    let mass = 1.0 / p.w.to_f64();
                    matrix.add_scalar(node, f32::of(mass));
                    let normal = widen(pressed);
                    let held = normal * normal.transpose() * (HELD * mass);
                    let block = std::array::from_fn(|r| std::array::from_fn(|c| f32::of(held[(r, c)])));
                    matrix.add(pattern.diagonal(node), block);
                }
            }
        }
        for ((running, first), rigid) in substep.sets.iter().zip(&self.first).zip(rigid) {
            let Some(first) = *first else { continue };
            *rigid &= !stiffness;
            let at = linearisation(substep.particles, substep.h, running.gamma(substep.h), substep.simd);
            running.set.linearise(&Linearise { stiffness, ..at }, &mut |found| {
                for (&v, pull) in found.stencil.iter().zip(found.pull) {
                    residual[v as usize] += *pull;
                }
                if stiffness {
                    *rigid |= found.rigid;
                    add(matrix, pattern.slots(first + found.source), found);
                }
            });
        }
        for (residual, p) in residual.iter_mut().zip(now) {
            if p.w <= T::zero() {
                *residual = Vector3::zeros();
            }
        }
    }

    /// Solves for the step from the last [`assemble`](Self::assemble), until the share `left` of the
    /// right-hand side is left, with a `new` Hessian or with that of the step before; returns whether there
    /// is a step.
    pub(super) fn find_step(&mut self, new: bool, left: f64, iterations: usize) -> bool {
        let Self { matrix, hierarchy, rhs, step, residual, .. } = self;
        for (rhs, residual) in rhs.iter_mut().zip(residual) {
            *rhs = [residual.x, residual.y, residual.z].map(|value| f32::of(value.to_f64()));
        }
        step.fill([0.0; 3]);
        let system = if new { hierarchy.refresh(matrix) } else { hierarchy.again(matrix) };
        let solved = system.and_then(|mut system| system.solve(rhs, step, left, iterations));
        solved.is_ok_and(|outcome| outcome.iterations > 0 && outcome.status != Status::NotFinite)
    }
}

/// Adds the blocks of a constraint at the slots of its element.
#[inline]
fn add<T: Scalar>(matrix: &mut BlockMatrix<f32>, slots: &[u32], found: &Linearised<'_, T>) {
    let points = found.stencil.len();
    let mut blocks = found.blocks.iter();
    for j in 0..points {
        for (k, block) in (j..points).zip(&mut blocks) {
            let [a, b, c, d, e, f, g, h, i] = block.map(|value| f32::of(value.to_f64()));
            matrix.add(slots[points * j + k], [[a, b, c], [d, e, f], [g, h, i]]);
            if j != k {
                matrix.add(slots[points * k + j], [[a, d, g], [b, e, h], [c, f, i]]);
            }
        }
    }
}

//! [`System`]: the Hessian and the gradient of an implicit step.

use std::sync::atomic::AtomicBool;

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::Rigidity;
use pliant_kernel::{
    Assembly, BlockSums, Linearise, Particle, Particles, Scalar, Simd, Springs, State, Strained, Team, widen,
};
use pliant_multigrid::{
    BlockMatrix, BlockPattern, Hierarchy, Nodes, Number as _, PatternError, Region, Settings, Status,
    Tolerance,
};

use super::line::Line;
use super::parts::Parts;
use super::supports::Supports;
use crate::level::RunningSet;
use crate::set::contact::Contacts;

/// ε of multipliers: a constraint whose scaled compliance is below this share of its inverse mass is treated as rigid.
const MULTIPLIERS: f64 = 1e-6;

/// The stiffness of springs that stand for rigid constraints, times h², over the mass of the heaviest body: by far
/// enough to carry it, and not so much that the iterations leave its motion unsolved.
const SPRINGS: f64 = 50.0;

/// The least and the largest ε of springs.
const SPRING_RANGE: [f64; 2] = [5e-9, 1e-5];

/// The least ε of springs for rigid volumes. In a substep neighbours move past each other by a small share d of the size of an
/// element, which changes volumes in the order of d². A step gets through if that costs less than what it gains: if ε > d².
const FLOWING: f64 = 1e-3;

/// The share of the usual length of edges from which on they are short: those of meshes of one size are not.
const SHORT: f64 = 0.9;

/// The least accuracy with which rigid constraints are springs.
const EXACT: f64 = 1e-3;

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
    pub(super) pattern: BlockPattern,
    pub(super) matrix: BlockMatrix<f32>,
    hierarchy: Hierarchy<f32>,
    /// For every set whether it is linearised.
    linearised: Vec<bool>,
    /// The predicted positions.
    pub(super) predicted: Vec<Vector3<T>>,
    /// −∇φ, kg·m, and behind it the impulses on dummies.
    pub(super) residual: Vec<Particle<T>>,
    /// For every set whether a constraint of it was treated as rigid when the Hessian was assembled.
    rigid: Vec<bool>,
    /// The impulses of the sets that are not linearised.
    impulses: Vec<Particle<T>>,
    /// For every particle that contacts press on, the direction of the contact; zero for the others.
    pressed: Vec<Vector3<T>>,
    pub(super) rhs: Vec<[f32; 3]>,
    pub(super) step: Vec<[f32; 3]>,
    pub(super) start: Vec<Vector3<T>>,
    /// ε of springs that stand for rigid constraints, and what they are like.
    epsilon: f64,
    springs: Springs<T>,
    pub(super) parts: Parts,
    /// Memory for one of each part.
    pub(super) lines: Vec<Line>,
    /// Whether springs with which bodies fold stood for rigid constraints in the last substep, whose steps end early then.
    pub(super) is_rough: bool,
    /// For every particle whether it has a rigid constraint that is far from zero, as far as was looked for.
    pub(super) strained: Vec<AtomicBool>,
    /// The particles around those.
    pub(super) region: Region<f32>,
    /// Whether steps find what obstacles carry, and the particles that they do.
    pub(super) carries: bool,
    pub(super) supports: Supports,
    /// The positions after the sweeps where they do.
    pub(super) swept: Vec<Vector3<T>>,
    /// Where the steps from there ended, if others were made.
    pub(super) ended: Vec<Vector3<T>>,
    /// Whether steps of a substep of this frame were rough.
    pub(super) has_been_rough: bool,
}

/// A substep, for Newton steps.
pub(crate) struct Substep<'a, T: Scalar> {
    pub(crate) sets: &'a mut [RunningSet<T>],
    pub(crate) contacts: &'a mut Contacts<T>,
    pub(crate) particles: &'a mut Particles<T>,
    /// Length, s.
    pub(crate) h: f64,
    pub(crate) accuracy: f64,
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
}

/// What is computed besides the gradient.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted {
    /// The Hessian.
    pub(super) stiffness: bool,
    /// The multipliers of elastic constraints at the present positions, which they keep.
    pub(super) keep: bool,
    /// For which particles.
    pub(super) over: Over,
    /// The share of their size from which on displacements of rigid constraints that are springs are noted, if they are.
    pub(super) strained: Option<f64>,
}

/// Particles that take part in a step.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Over {
    /// All of them.
    #[default]
    All,
    /// Those of the region, while all others stay.
    Region,
}

impl Over {
    /// The first `count` particles, or `some` of them.
    pub(super) fn particles(self, some: &[u32], count: usize) -> impl Iterator<Item = usize> + Clone {
        let (all, some) = match self {
            Self::All => (count, &[][..]),
            Self::Region => (0, some),
        };
        (0..all).chain(some.iter().map(|&node| node as usize))
    }
}

/// How constraints with the damping γ are linearised at the present positions.
fn linearisation<T: Scalar>(
    particles: &Particles<T>,
    h: f64,
    gamma: T,
    rigid: Rigid<T>,
    simd: Simd,
) -> Linearise<'_, T> {
    Linearise {
        now: &particles.now,
        previous: &particles.previous,
        inverse_h2: T::splat(1.0 / (h * h)),
        gamma,
        rigid: T::splat(rigid.epsilon),
        springs: rigid.springs,
        keep: false,
        simd,
    }
}

/// How rigid constraints take part.
#[derive(Clone, Copy)]
struct Rigid<T> {
    /// If they are springs, what these are like.
    springs: Option<Springs<T>>,
    /// ε.
    epsilon: f64,
}

/// ε of springs, from the masses of the particles (zero for those that are held) and that of the heaviest body.
fn epsilon_of_springs(masses: &[f64], heaviest: f64) -> f64 {
    let Some(typical) = median(masses.iter().copied().filter(|&mass| mass > 0.0)) else { return MULTIPLIERS };
    // A spring between two particles of the mass m has the stiffness m / (2ε h²).
    let [least, most] = SPRING_RANGE;
    (typical / (2.0 * SPRINGS * heaviest)).clamp(least, most)
}

/// The median, over the particles, of the distance at rest to the nearest one with which they share an element of two points, m.
/// Bends by distance are longer, but edges are among them.
fn usual_length(elements: &[Element], rest: &[[f64; 3]]) -> Option<f64> {
    let mut nearest = vec![f64::INFINITY; rest.len()];
    for edge in elements.iter().filter(|element| element.len == 2) {
        let ends = [0, 1].map(|end| edge.points[end] as usize);
        let [a, b] = ends.map(|end| Vector3::from(rest[end]));
        for end in ends {
            nearest[end] = nearest[end].min((b - a).norm());
        }
    }
    median(nearest.into_iter().filter(|distance| distance.is_finite()))
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

impl<T: Scalar> Rigid<T> {
    /// How those of a set do. Volumes are softer springs, with a close accuracy only those without any compliance. They never keep
    /// multipliers: where a body has no shape in which all volumes are right, as between plates, these would grow without end.
    fn of(self, running: &RunningSet<T>) -> Self {
        if running.set.rigidity() != Rigidity::Flows {
            return self;
        }
        let flowing = FLOWING.max(self.epsilon);
        let (epsilon, softer) =
            if self.springs.is_some() { (flowing, 1.0) } else { (self.epsilon, flowing / self.epsilon) };
        Self { springs: Some(Springs { long: T::zero(), softer: T::splat(softer) }), epsilon }
    }
}

impl<T: Scalar> Substep<'_, T> {
    /// Whether rigid constraints are springs, because no more is required.
    pub(super) fn has_springs(&self) -> bool {
        self.accuracy >= EXACT
    }
}

impl<T: Scalar> System<T> {
    /// The system of sets of constraints on particles which are at `rest` without load.
    pub(crate) fn new(
        sets: &mut [RunningSet<T>],
        particles: &Particles<T>,
        rest: &[[f64; 3]],
    ) -> Result<Self, PatternError> {
        let count = particles.len();
        let (mut linearised, mut elements) = (Vec::with_capacity(sets.len()), Vec::new());
        for running in sets {
            running.set.forget_places();
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
            linearised.push(known && all);
            if !(known && all) {
                elements.truncate(start);
            }
        }
        let fixed: Vec<bool> = particles.now[..count].iter().map(|p| p.w <= T::zero()).collect();
        let pattern = BlockPattern::new(&Nodes { count, fixed: &fixed, rest }, &elements)?;
        let zero = Vector3::zeros();
        let none = vec![Particle::new(zero, T::zero()); particles.now.len()];
        let hierarchy = Hierarchy::new(&pattern, Settings::default());
        let mass = |p: &Particle<T>| if p.w > T::zero() { 1.0 / p.w.to_f64() } else { 0.0 };
        let masses: Vec<f64> = particles.now[..count].iter().map(mass).collect();
        let parts = Parts::new(&hierarchy.parts(), &elements);
        Ok(Self {
            matrix: BlockMatrix::new(&pattern),
            epsilon: epsilon_of_springs(&masses, parts.heaviest(&masses)),
            springs: Springs {
                long: T::splat(usual_length(&elements, rest).map_or(1e-15, |length| SHORT * length)),
                softer: T::one(),
            },
            parts,
            lines: Vec::new(),
            is_rough: false,
            strained: (0..count).map(|_| AtomicBool::new(false)).collect(),
            region: Region::default(),
            hierarchy,
            pattern,
            rigid: vec![false; linearised.len()],
            linearised,
            predicted: vec![zero; count],
            residual: none.clone(),
            impulses: none,
            pressed: vec![zero; count],
            rhs: vec![[0.0; 3]; count],
            step: vec![[0.0; 3]; count],
            start: vec![zero; count],
            carries: false,
            supports: Supports::default(),
            swept: vec![zero; count],
            ended: vec![zero; count],
            has_been_rough: false,
        })
    }

    /// How rigid constraints take part in a substep.
    fn rigid(&self, substep: &Substep<'_, T>) -> Rigid<T> {
        let springs = substep.has_springs();
        Rigid {
            springs: springs.then_some(self.springs),
            epsilon: if springs { self.epsilon } else { MULTIPLIERS },
        }
    }

    /// Stores the predicted positions of a substep, which may be the first of a frame.
    pub(crate) fn remember(&mut self, particles: &Particles<T>, first: bool) {
        self.has_been_rough &= !first;
        for (predicted, p) in self.predicted.iter_mut().zip(&particles.now) {
            *predicted = p.x;
        }
    }

    /// Gives the constraints the multipliers that belong to the present positions: those of the sets whose
    /// impulses depend on multipliers, once after every step, or those of the others, once at the end.
    pub(super) fn relax(&self, substep: &mut Substep<'_, T>, rigid: bool) {
        let manner = self.rigid(substep);
        let Substep { sets, particles, h, simd, team, .. } = substep;
        for ((running, linearised), is_rigid) in sets.iter_mut().zip(&self.linearised).zip(&self.rigid) {
            let manner = manner.of(running);
            if *linearised && (*is_rigid && manner.springs.is_none()) == rigid {
                let at = linearisation(particles, *h, running.gamma(*h), manner, *simd);
                running.set.assemble(&Linearise { keep: true, ..at }, &mut Assembly::default(), *team);
            }
        }
    }

    /// Whether multipliers of rigid constraints change with every step.
    pub(super) fn keeps_multipliers(&self, substep: &Substep<'_, T>) -> bool {
        !substep.has_springs() && self.has_rigid(substep, |rigidity| rigidity != Rigidity::Flows)
    }

    /// Whether springs stand for rigid constraints with which bodies fold, so that steps are rough.
    pub(super) fn has_folds(&self, substep: &Substep<'_, T>) -> bool {
        substep.has_springs() && self.has_rigid(substep, |rigidity| rigidity == Rigidity::Folds)
    }

    /// Whether a constraint of such kinds is treated as rigid.
    fn has_rigid(&self, substep: &Substep<'_, T>, kinds: impl Fn(Rigidity) -> bool) -> bool {
        let mut sets = substep.sets.iter().zip(&self.rigid);
        sets.any(|(running, rigid)| *rigid && kinds(running.set.rigidity()))
    }

    /// Whether a sweep over this set would not help after the steps: it would remove the tension of springs that stand for
    /// rigid constraints, edge by edge, and make the particles tremble.
    pub(crate) fn has_solved(&self, set: usize) -> bool {
        self.is_rough && self.linearised.get(set).is_some_and(|linearised| *linearised)
    }

    /// Takes the impulses of the constraints that are found again in every substep or have no energy, as it is
    /// after the sweeps, and of obstacles, unless steps find what these carry. Returns whether surfaces of bodies press on
    /// particles.
    pub(super) fn take_pulls(&mut self, substep: &Substep<'_, T>) -> bool {
        let none = Particle::new(Vector3::zeros(), T::zero());
        self.impulses.fill(none);
        if !self.carries {
            substep.contacts.add_impulses(&substep.particles.now, &mut self.impulses);
        }
        let unknown = || substep.sets.iter().zip(&self.linearised).filter(|(_, linearised)| !**linearised);
        let add_impulses_of = |running: &RunningSet<T>, impulses: &mut [Particle<T>]| {
            let state = State {
                count: substep.particles.len(),
                now: &substep.particles.now,
                previous: &substep.particles.previous,
                inverse_h2: T::splat(1.0 / (substep.h * substep.h)),
                gamma: running.gamma(substep.h),
                rest_energies: &[],
            };
            running.set.evaluate(&state, Some(impulses), substep.simd, substep.team);
        };
        for (running, _) in unknown().filter(|(running, _)| running.set.is_dynamic()) {
            add_impulses_of(running, &mut self.impulses);
        }
        let mut presses = false;
        for (pressed, impulse) in self.pressed.iter_mut().zip(&self.impulses) {
            let length = impulse.x.dot(&impulse.x).sqrt();
            presses |= length > T::zero();
            *pressed = if length > T::zero() { impulse.x / length } else { Vector3::zeros() };
        }
        for (running, _) in unknown().filter(|(running, _)| !running.set.is_dynamic()) {
            add_impulses_of(running, &mut self.impulses);
        }
        presses
    }

    /// Whether anything outside the system presses on a particle.
    pub(super) fn is_pressed(&self) -> bool {
        self.pressed.iter().any(|pressed| *pressed != Vector3::zeros())
    }

    /// Computes −∇φ at the present positions, and the Hessian if it is needed.
    pub(super) fn assemble(&mut self, substep: &mut Substep<'_, T>, wanted: Wanted) {
        let Wanted { stiffness, keep, over, strained: share } = wanted;
        let manner = self.rigid(substep);
        let Substep { sets, particles, h, simd, team, .. } = substep;
        let Self { pattern, matrix, residual, predicted, impulses, pressed, rigid, region, supports, .. } =
            self;
        let now = &particles.now;
        let changed = over.particles(region.changed(), predicted.len());
        changed.clone().for_each(|node| {
            let p = &now[node];
            let mass = if p.w > T::zero() { T::one() / p.w } else { T::zero() };
            residual[node].x = impulses[node].x - (p.x - predicted[node]) * mass;
        });
        let mut halves = match over {
            _ if !stiffness => None,
            Over::All => Some(matrix.clear_halves()),
            Over::Region => matrix.clear_halves_around(region).ok(),
        };
        if let Some(halves) = &mut halves {
            changed.clone().for_each(|node| {
                let place = pattern.half(pattern.diagonal(node));
                if let Some(half) = halves.get_mut(place as usize / 2) {
                    *half = mass_of(&now[node], &pressed[node]);
                }
            });
        }
        let only = (over == Over::Region).then(|| region.is_changed());
        if share.is_some() {
            self.strained.iter_mut().for_each(|strained| *strained.get_mut() = false);
        }
        for ((running, linearised), rigid) in sets.iter_mut().zip(&self.linearised).zip(rigid) {
            if !linearised {
                continue;
            }
            let manner = manner.of(running);
            let at = linearisation(particles, *h, running.gamma(*h), manner, *simd);
            let place = |a: u32, b: u32| pattern.half(pattern.slot(a, b));
            let blocks = halves.as_deref_mut().map(|values| BlockSums { values, place: &place });
            let strained = share
                .filter(|_| manner.springs.is_some() && *rigid)
                .map(|share| Strained { share, particles: &self.strained });
            let mut into = Assembly { impulses: Some(residual), blocks, only, strained };
            // Where λ' depends on λ, only a step that is made changes it.
            let at = Linearise { keep: keep && (manner.springs.is_some() || !*rigid), ..at };
            let found = running.set.assemble(&at, &mut into, *team);
            if stiffness {
                *rigid = found || *rigid && over == Over::Region;
            }
        }
        if over == Over::All {
            if let Some(halves) = &mut halves {
                let place = |node| pattern.half(pattern.diagonal(node)) as usize / 2;
                supports.stiffen(residual, halves, place);
            }
            supports.push(now, residual);
        }
        let still = over.particles(region.changed(), now.len()).filter(|&node| now[node].w <= T::zero());
        still.for_each(|node| residual[node].x = Vector3::zeros());
        match over {
            _ if !stiffness => {}
            Over::All => matrix.mirror(),
            // Both have the pattern of this system.
            Over::Region => drop(matrix.mirror_around(region)),
        }
    }

    /// Takes −∇φ for the right-hand side of a step.
    pub(super) fn take_gradient(&mut self, over: Over) {
        let Self { rhs, residual, region, .. } = self;
        over.particles(region.nodes(), rhs.len()).for_each(|node| {
            let r = &residual[node].x;
            rhs[node] = [r.x, r.y, r.z].map(|value| f32::of(value.to_f64()));
        });
    }

    /// Solves for the step from the last [`assemble`](Self::assemble), with a `new` Hessian or with that of the step
    /// before. Returns what is expected to be left, as a share of the step, if there is one.
    pub(super) fn find_step(&mut self, new: bool, tolerance: Tolerance, iterations: usize) -> Option<f64> {
        self.take_gradient(Over::All);
        let Self { matrix, hierarchy, rhs, step, .. } = self;
        step.fill([0.0; 3]);
        let system = if new { hierarchy.refresh(matrix) } else { hierarchy.again(matrix) };
        let solved = system.and_then(|mut system| system.solve(rhs, step, tolerance, iterations)).ok()?;
        (solved.iterations > 0 && solved.status != Status::NotFinite).then_some(solved.error)
    }
}

/// The mass of a particle as a block, larger along the direction in which something outside the system presses on it.
fn mass_of<T: Scalar>(p: &Particle<T>, pressed: &Vector3<T>) -> [f32; 9] {
    let mass = 1.0 / p.w.to_f64();
    let normal = widen(pressed);
    let block = (Matrix3::identity() + normal * normal.transpose() * HELD) * mass;
    std::array::from_fn(|i| f32::of(block[i]))
}

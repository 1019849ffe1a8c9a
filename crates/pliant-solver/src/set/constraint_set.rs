//! [`ConstraintSet`]: constraints of a level that are projected together, of any kind; [`Inspect`]: what
//! reports ask of them.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Kind, Rigidity};
use pliant_kernel::{
    Assembly, Item, Layout, Linearise, Particle, Particles, Scalar, Simd, State, Summary, Sweep, Team,
};

use crate::collide::history::History;
use crate::collide::memory::Remembered;
use crate::collide::query::SurfaceContact;
use crate::collide::tally::Tally;

/// Takes the number of a constraint, its particles and the residuals of its rows.
pub(crate) type Look<'a> = dyn FnMut(usize, &[u32], &[f64]) + 'a;

/// The substep that begins.
pub struct Begin<'a, T: Scalar> {
    /// Predicted positions at its end.
    pub now: &'a [Particle<T>],
    /// Positions at its start.
    pub previous: &'a [Particle<T>],
    /// Number of particles; dummies follow at the end of the lists.
    pub count: usize,
    /// Its length, s.
    pub h: f64,
    /// Time at its end, s.
    pub end: f64,
    /// Whether it is the first of a frame.
    pub first: bool,
}

/// How the compliances of a group differ from those that it was built with.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Resistance {
    /// The same for all constraints.
    Compliance(f64),
    /// Those of stiffnesses this many times as large.
    Stiffer(f64),
}

/// Constraints that are projected together: the functions for a sweep, an evaluation and a restart.
pub trait ConstraintSet<T: Scalar>: Inspect<T> {
    /// Whether the set finds its constraints again in every substep; [`begin`](Self::begin) is called only if it does.
    fn is_dynamic(&self) -> bool {
        false
    }
    /// Finds the constraints of a substep, after the prediction.
    fn begin(&mut self, _substep: &Begin<'_, T>, _team: Team<'_>) {}
    /// Projects every constraint once. `previous` are the particles at the start of the substep.
    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    );
    /// Whether [`conclude`](Self::conclude) does anything.
    fn has_last_word(&self) -> bool {
        false
    }
    /// Moves particles once more after all iterations of a substep of length `h`, s, as the last one before
    /// velocities are derived. Returns whether any moved.
    fn conclude(
        &mut self,
        _now: &mut [Particle<T>],
        _previous: &[Particle<T>],
        _h: f64,
        _team: Team<'_>,
    ) -> bool {
        false
    }
    /// Takes the particles of these tetrahedra half of their way back in a substep of length `h`, s, after
    /// [`conclude`](Self::conclude), as far as that undoes nothing of it. Returns whether any moved.
    fn take_back(
        &mut self,
        _now: &mut [Particle<T>],
        _previous: &[Particle<T>],
        _tets: &[[u32; 4]],
        _h: f64,
    ) -> bool {
        false
    }
    /// Whether [`rebound`](Self::rebound) does anything.
    fn bounces(&self) -> bool {
        false
    }
    /// Gives back velocities after a substep of length `h`, s, when they are derived; impacts slower than
    /// `rest_speed`, m/s, do not bounce. Returns the energy that it gave, J.
    fn rebound(&mut self, _particles: &mut Particles<T>, _rest_speed: f64, _h: f64) -> f64 {
        0.0
    }
    /// Activates and drops constraints after particles were pinned or released; those in the ranges
    /// `without`, numbered as in the caller's list, are left out.
    fn replan(&mut self, particles: &[Particle<T>], without: &[Range<usize>]);
    /// Replaces the rest data of a constraint, given by its number in the caller's list.
    fn set_rest(&mut self, constraint: usize, rest: &[f64]);
    /// Gives the constraints other compliances, or, if there are none, those that they were built with; the
    /// error says why that is not possible.
    fn set_compliances(
        &mut self,
        _resistance: Option<Resistance>,
        _particles: &[Particle<T>],
    ) -> Result<(), &'static str> {
        Err("its constraints act on many points each, or are found again in every substep")
    }
    /// Residuals, strains and energy. Adds the impulses of the constraints on every particle, Σ ∇Cᵀλ in kg·m, to
    /// `impulses`, if that is given.
    fn evaluate(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary;
    /// Calls `look` with the particles of every constraint, in the caller's order, and returns whether
    /// [`assemble`](Self::assemble) supports them.
    fn for_each_element(&self, _look: &mut dyn FnMut(&[u32])) -> bool {
        false
    }
    /// How its constraints take part in a Newton step where they are rigid: [`Kind::RIGIDITY`].
    fn rigidity(&self) -> Rigidity {
        Rigidity::Holds
    }
    /// Adds up the impulses of all active constraints and their stiffness, for a Newton step. Returns whether one is
    /// treated as rigid.
    fn assemble(&mut self, _at: &Linearise<'_, T>, _into: &mut Assembly<'_, T>, _team: Team<'_>) -> bool {
        false
    }
    /// Forgets where in a matrix stiffnesses are added: the next is another.
    fn forget_places(&mut self) {}
    /// Forgets the data of the last substep, those that are part of the state as well.
    fn forget(&mut self) {}
    /// The contacts of the last substep, which the next one has to know: a part of the state.
    fn remembered(&self) -> Vec<Remembered<T>> {
        Vec::new()
    }
    /// Takes contacts for those of the last substep.
    fn remember(&mut self, _: &[Remembered<T>]) {}
    /// How lists of pairs came about that the next substep uses: a part of the state.
    fn history(&self) -> Option<Arc<History<T>>> {
        None
    }
    /// Whether a history may be one of this set.
    fn fits(&self, _: &History<T>) -> bool {
        false
    }
    /// Takes a history of lists, which are made again when they are needed.
    fn recall(&mut self, _: &Arc<History<T>>) {}
    /// The multipliers of all rows, constraint by constraint in the caller's numbering.
    fn multipliers(&self) -> Vec<f64>;
    /// Replaces the multipliers of all rows, in the same order.
    fn set_multipliers(&mut self, multipliers: &[f64]);
}

/// What reports, certificates and error messages ask of a set. Nothing here moves a particle.
pub trait Inspect<T: Scalar>: Send + Sync {
    /// Number of constraints, including those between fixed particles.
    fn len(&self) -> usize;
    /// Number of constraints that act on at least one particle that can move.
    fn active(&self) -> usize;
    /// How the constraints are batched.
    fn layout(&self) -> Layout;
    /// The largest residual |C + α̃λ| within every cluster, in the order of the plan; one number for all
    /// constraints if there are no clusters.
    fn cluster_residuals(&self, state: &State<'_, T>) -> Vec<f64>;
    /// Calls `look` with every active constraint: its number in the caller's list, its particles in the
    /// numbering of the simulation, and the residuals of its rows.
    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>);
    /// Places in the order of the plan of the active constraints that have a particle for which `is` holds;
    /// `None` if there are such constraints, but their impulse on particles that cannot move is not known.
    fn touching(&self, is: &dyn Fn(u32) -> bool) -> Option<Vec<u32>>;
    /// Calls `look` with the impulses of the constraints at these places on each of their particles: number of
    /// the constraint in the caller's list, particle in the numbering of the simulation, and ∇Cᵀλ, kg·m. Contacts between
    /// surfaces have no places: of them those that touch what is held are asked for.
    fn impulses(
        &self,
        places: &[u32],
        particles: &[Particle<T>],
        look: &mut dyn FnMut(usize, u32, Vector3<f64>),
    );
    /// Marks the parts that an active constraint ties to the world or to another part; `part_of` gives the
    /// part of a particle.
    fn ties(&self, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]);
    /// The first constraint, in the caller's numbering, whose value is not finite.
    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize>;
    /// The tally of a set of contacts between surfaces at the positions `now`.
    fn tally(&self, _now: &[Particle<T>]) -> Option<Tally> {
        None
    }
    /// Whether held particles left no room between surfaces in the last frame.
    fn is_pinched(&self) -> bool {
        false
    }
    /// Appends the contacts between surfaces that pressed in the last substep, of length `h`, s; `part_of`
    /// gives the part of a particle in the caller's numbering.
    fn contacts(
        &self,
        _now: &[Particle<T>],
        _h: f64,
        _part_of: &dyn Fn(usize) -> usize,
        _found: &mut Vec<SurfaceContact>,
    ) {
    }
    /// The active constraints, in the caller's numbering, in an order in which projecting one after the other
    /// gives the result of a sweep.
    #[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
    fn projection_order(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }
}

/// The smallest number of a constraint whose value is not finite, for [`Inspect::first_non_finite`].
pub(crate) struct FirstNonFinite(pub(crate) Option<usize>);

impl FirstNonFinite {
    /// Checks a constraint.
    pub(crate) fn take<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize>(
        &mut self,
        item: &Item<T, K, N, M>,
        particles: &[Particle<T>],
    ) {
        let (values, _) = item.evaluate(particles);
        if !values.iter().all(|c| c.is_finite()) {
            self.0 = Some(self.0.map_or(item.source(), |first| first.min(item.source())));
        }
    }
}

/// Marks the parts of particles that a constraint holds together, if they are several, or the world with them
/// if it is one particle.
pub(crate) fn mark_ties(
    mut particles: impl Iterator<Item = u32>,
    part_of: &dyn Fn(u32) -> usize,
    tied: &mut [bool],
) {
    let Some(first) = particles.next().map(part_of) else { return };
    let mut others = particles.map(part_of).peekable();
    if others.peek().is_none() {
        tied[first] = true;
    }
    for part in others.filter(|&part| part != first) {
        tied[first] = true;
        tied[part] = true;
    }
}

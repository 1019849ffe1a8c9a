//! [`ManyPoints`], [`ManyPointSet`]: constraints over any number of particles at once, and the group of them
//! in a running simulation.
//!
//! They read the state through [`State64`], in `f64` whatever the scalar of the state, and are projected one
//! after the other; only the work within each is parallel.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{Points, Update, splat_vector};
use pliant_kernel::{Layout, Particle, Simd, State, Summary, Sweep, Team, widen};

use crate::build::typed::{GroupData, PlanContext};
use crate::observe::monitor::nothing;
use crate::set::constraint_set::{ConstraintSet, Inspect, Look, mark_ties};
use pliant_kernel::Scalar;

/// A constraint over many particles, as given and in a running simulation.
pub(crate) trait ManyPoints: Sized + Send + Sync + 'static {
    /// Its particles.
    fn vertices(&self) -> &[u32];

    /// The same constraint, before the first projection, with `map[v]` in place of the particle v.
    fn renumbered(&self, map: &[u32]) -> Option<Self>;

    /// Projects it once. `previous` are the particles at the start of the substep.
    fn project<T: Scalar>(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    );

    /// Adds its residuals and energy; `at` is its number.
    fn summarise<T: Scalar>(&self, at: usize, state: &State<'_, T>, summary: &mut Summary);

    /// Whether [`add_impulses`](ManyPoints::add_impulses) includes the impulses on particles that cannot move.
    const PULLS_ALL: bool;

    /// Adds its impulses on its particles, ∇Cᵀλ, kg·m.
    fn add_impulses<T: Scalar>(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]);

    /// Replaces its rest data, if these have a fixed length.
    fn set_rest(&mut self, _rest: &[f64]) {}

    /// Appends the multipliers of its rows.
    fn multipliers(&self, all: &mut Vec<f64>);

    /// Takes its multipliers from the front of a list and returns their number.
    fn set_multipliers(&mut self, multipliers: &[f64]) -> usize;
}

/// A constraint, and whether one of its particles can move.
struct Acting<C> {
    constraint: C,
    acts: bool,
}

/// Constraints over many particles, solved one after the other.
pub(crate) struct ManyPointSet<C>(Vec<Acting<C>>);

impl<C: ManyPoints> ManyPointSet<C> {
    pub(crate) fn new(constraints: impl IntoIterator<Item = C>) -> Self {
        Self(constraints.into_iter().map(|constraint| Acting { constraint, acts: true }).collect())
    }

    fn build(mut self, context: &PlanContext<'_>) -> Self {
        for Acting { constraint, acts } in &mut self.0 {
            *acts = constraint.vertices().iter().any(|&v| context.w[v as usize] > 0.0);
            if let Some(renumbered) = context.to_internal.and_then(|map| constraint.renumbered(map)) {
                *constraint = renumbered;
            }
        }
        self
    }

    fn acting(&self) -> impl Iterator<Item = (usize, &C)> {
        self.0.iter().enumerate().filter(|(_, c)| c.acts).map(|(i, c)| (i, &c.constraint))
    }
}

impl<C: ManyPoints> GroupData for ManyPointSet<C> {
    fn len(&self) -> usize {
        self.0.len()
    }

    /// These constraints belong to no cluster.
    fn points(&self) -> usize {
        0
    }

    fn first_out_of_range(&self, particles: usize) -> Option<(usize, u32)> {
        self.0.iter().enumerate().find_map(|(i, Acting { constraint, .. })| {
            constraint.vertices().iter().find(|&&v| v as usize >= particles).map(|&v| (i, v))
        })
    }

    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f32>> {
        Box::new((*self).build(context))
    }

    #[cfg(feature = "f64")]
    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>> {
        Box::new((*self).build(context))
    }
}

impl<T: Scalar, C: ManyPoints> ConstraintSet<T> for ManyPointSet<C> {
    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        let mut project = |one: &mut Acting<C>| one.constraint.project(particles, previous, sweep, team);
        let acting = self.0.iter_mut().filter(|c| c.acts);
        if sweep.backward {
            acting.rev().for_each(&mut project);
        } else {
            acting.for_each(&mut project);
        }
    }

    fn replan(&mut self, particles: &[Particle<T>], without: &[Range<usize>]) {
        for (i, Acting { constraint, acts }) in self.0.iter_mut().enumerate() {
            let is_free = |&v: &u32| particles[v as usize].w > T::zero();
            *acts = constraint.vertices().iter().any(is_free) && !without.iter().any(|r| r.contains(&i));
        }
    }

    fn set_rest(&mut self, constraint: usize, rest: &[f64]) {
        self.0[constraint].constraint.set_rest(rest);
    }

    fn evaluate(
        &self,
        state: &State<'_, T>,
        mut impulses: Option<&mut [Particle<T>]>,
        _simd: Simd,
        _team: Team<'_>,
    ) -> Summary {
        let mut summary = Summary::default();
        for (i, constraint) in self.acting() {
            constraint.summarise(i, state, &mut summary);
            if let Some(impulses) = impulses.as_deref_mut() {
                constraint.add_impulses(state.now, impulses);
            }
        }
        summary
    }

    fn multipliers(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.0.iter().for_each(|c| c.constraint.multipliers(&mut all));
        all
    }

    fn set_multipliers(&mut self, mut multipliers: &[f64]) {
        for Acting { constraint, .. } in &mut self.0 {
            multipliers = &multipliers[constraint.set_multipliers(multipliers)..];
        }
    }
}

impl<T: Scalar, C: ManyPoints> Inspect<T> for ManyPointSet<C> {
    fn cluster_residuals(&self, state: &State<'_, T>) -> Vec<f64> {
        vec![self.evaluate(state, None, Simd::portable(), Team::alone()).residual.value]
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn active(&self) -> usize {
        self.acting().count()
    }

    fn layout(&self) -> Layout {
        Layout {
            colour_sizes: vec![self.acting().count()],
            bytes_per_constraint: size_of::<Acting<C>>(),
            ..Layout::default()
        }
    }

    /// One number for each: the largest of its rows.
    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>) {
        for (i, constraint) in self.acting() {
            let mut summary = Summary::default();
            constraint.summarise(i, state, &mut summary);
            look(i, constraint.vertices(), &[summary.residual.value]);
        }
    }

    fn touching(&self, is: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        let touched = self.acting().filter(|(_, c)| c.vertices().iter().any(|&v| is(v)));
        #[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
        let places: Vec<u32> = touched.map(|(i, _)| i as u32).collect();
        (C::PULLS_ALL || places.is_empty()).then_some(places)
    }

    fn impulses(
        &self,
        places: &[u32],
        particles: &[Particle<T>],
        look: &mut dyn FnMut(usize, u32, Vector3<f64>),
    ) {
        for &place in places {
            let constraint = &self.0[place as usize].constraint;
            let mut impulses = vec![nothing(); particles.len()];
            constraint.add_impulses(particles, &mut impulses);
            for &v in constraint.vertices() {
                look(place as usize, v, widen(&impulses[v as usize].x));
            }
        }
    }

    fn ties(&self, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
        for (_, constraint) in self.acting() {
            mark_ties(constraint.vertices().iter().copied(), part_of, tied);
        }
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let bad = |&v: &u32| !particles[v as usize].x.iter().all(|c| c.is_finite());
        self.0.iter().position(|c| c.constraint.vertices().iter().any(bad))
    }
}

/// Particles as [`Points`].
pub(crate) struct State64<'a, T: Scalar>(pub(crate) &'a [Particle<T>]);

impl<T: Scalar> Points for State64<'_, T> {
    #[inline]
    fn position(&self, v: u32) -> Vector3<f64> {
        widen(&self.0[v as usize].x)
    }

    #[inline]
    fn inverse_mass(&self, v: u32) -> f64 {
        self.0[v as usize].w.to_f64()
    }
}

/// Moves a particle by `dx`, m, rounding once.
pub(crate) fn displace<T: Scalar>(particle: &mut Particle<T>, dx: &Vector3<f64>) {
    particle.x = splat_vector(&(widen(&particle.x) + dx));
}

/// A rule of projection in `f64`.
pub(crate) fn update64<T: Scalar>(update: Update<T>) -> Update<f64> {
    Update {
        scale: update.scale.to_f64(),
        memory: update.memory.to_f64(),
        gradient_floor: update.gradient_floor.to_f64(),
    }
}

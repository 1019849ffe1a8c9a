//! [`Level`]: particles with the constraint sets that act on them.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use pliant_constraints::{Update, iteration_independent_stiffness};
use pliant_kernel::{Layout, Particles, Scalar, State};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::typed::{PlanContext, Planned};
use crate::collide::history::History;
use crate::collide::memory::Remembered;
use crate::describe::book::Multiplier;
use crate::describe::settings::Settings;
use crate::describe::sweep_order::SweepOrder;
use crate::set::constraint_set::ConstraintSet;

/// Particles with their sets. A simulation has one, for the particles of its bodies.
pub(crate) struct Level<T: Scalar> {
    pub(crate) particles: Particles<T>,
    pub(crate) sets: Vec<RunningSet<T>>,
}

impl<T: Scalar> Level<T> {
    /// The state as the constraints of a set see it after a substep of length `h`, s; zero before the first.
    pub(crate) fn state_of<'a>(&'a self, running: &'a RunningSet<T>, h: f64) -> State<'a, T> {
        let h2 = h * h;
        State {
            count: self.particles.len(),
            now: &self.particles.now,
            previous: &self.particles.previous,
            inverse_h2: T::splat(if h2 > 0.0 { 1.0 / h2 } else { 0.0 }),
            gamma: running.gamma(h),
            rest_energies: &running.rest_energies,
        }
    }

    /// The contacts of the last substep, which are a part of the state.
    pub(crate) fn remembered(&self) -> Vec<Remembered<T>> {
        self.sets.iter().flat_map(|running| running.set.remembered()).collect()
    }

    /// Takes contacts for those of the last substep.
    pub(crate) fn remember(&mut self, contacts: &[Remembered<T>]) {
        self.sets.iter_mut().for_each(|running| running.set.remember(contacts));
    }

    /// How the lists of pairs came about, which is a part of the state as well.
    pub(crate) fn history(&self) -> Option<Arc<History<T>>> {
        self.sets.iter().find_map(|running| running.set.history())
    }

    /// Takes a history of lists.
    pub(crate) fn recall(&mut self, history: Option<&Arc<History<T>>>) {
        if let Some(history) = history {
            self.sets.iter_mut().for_each(|running| running.set.recall(history));
        }
    }

    /// Number of constraints that act on something that can move.
    pub(crate) fn active(&self) -> usize {
        self.sets.iter().map(|running| running.set.active()).sum()
    }

    /// Whether constraints are damped.
    pub(crate) fn is_damped(&self) -> bool {
        self.sets.iter().any(|running| running.gamma(1.0) > T::zero())
    }

    /// The first constraint of a set whose value is not finite, and the name of the set.
    pub(crate) fn first_non_finite(&self) -> Option<(String, usize)> {
        self.sets.iter().find_map(|running| {
            let constraint = running.set.first_non_finite(&self.particles.now)?;
            Some((running.name.clone(), constraint))
        })
    }

    /// The plan of every set, in the order in which they are solved.
    pub(crate) fn plan(&self) -> impl Iterator<Item = GroupPlan> {
        self.sets.iter().map(|running| GroupPlan {
            name: running.name.clone(),
            constraints: running.set.len(),
            active: running.set.active(),
            layout: running.set.layout(),
        })
    }
}

/// A set of constraints with what its sweeps need.
pub(crate) struct RunningSet<T: Scalar> {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) set: Box<dyn ConstraintSet<T>>,
    pub(crate) update: Update<T>,
    /// Whether reports have the stretches and volumes of its constraints.
    pub(crate) measured: bool,
    /// Mean distance of its points at the start, m; `None` if there is no length with which residuals could
    /// be compared.
    pub(crate) length: Option<f64>,
    /// Whether its constraints have an energy, or are rigid, so that an implicit step can include them.
    pub(crate) has_energy: bool,
    /// Energies of the constraints at rest, J, which reports subtract; empty if they are zero.
    pub(crate) rest_energies: Vec<f64>,
    /// Relaxation time τ of the damping, s; zero without.
    relaxation: f64,
    /// Time spent in sweeps.
    pub(crate) time: Duration,
}

impl<T: Planned> RunningSet<T> {
    /// Plans groups, each with the mean distance of its points. The largest are planned first: a list of constraints
    /// is dropped when its packs are made, so that few lists lie beside the last packs.
    pub(crate) fn plan_all(
        groups: Vec<(Constraints, Option<f64>)>,
        context: &PlanContext<'_>,
        settings: &Settings,
    ) -> Vec<Self> {
        let mut waiting: Vec<_> = groups.into_iter().enumerate().collect();
        waiting.sort_by_key(|(_, (constraints, _))| Reverse(constraints.len() * constraints.points()));
        let plan = |(at, (constraints, length))| (at, Self::new(constraints, length, context, settings));
        let mut planned: Vec<_> = waiting.into_iter().map(plan).collect();
        planned.sort_by_key(|(at, _)| *at);
        planned.into_iter().map(|(_, set)| set).collect()
    }

    fn new(
        constraints: Constraints,
        length: Option<f64>,
        context: &PlanContext<'_>,
        settings: &Settings,
    ) -> Self {
        let update = match (constraints.rule(), settings.multiplier) {
            (ProjectionRule::Pbd { stiffness, iteration_independent }, _) => {
                let sweeps = if settings.order == SweepOrder::Symmetric { 2 } else { 1 };
                let n = if iteration_independent { sweeps * settings.iterations } else { 1 };
                Update::pbd(T::splat(iteration_independent_stiffness(stiffness, n)))
            }
            (ProjectionRule::Compliant, Multiplier::Accumulated) => Update::xpbd(),
            (ProjectionRule::Compliant, Multiplier::Forgotten) => Update::without_multiplier(),
        };
        Self {
            name: constraints.name().to_owned(),
            unit: constraints.unit(),
            update: update.with_gradient_floor(T::splat(constraints.gradient_floor())),
            relaxation: constraints.relaxation(),
            measured: constraints.measured(),
            length,
            has_energy: constraints.rule() == ProjectionRule::Compliant,
            rest_energies: constraints.rest_energies::<T>(),
            set: constraints.plan(context),
            time: Duration::ZERO,
        }
    }
}

impl<T: Scalar> RunningSet<T> {
    /// Constraints with compliances, without damping, that are not elements of a body.
    pub(crate) fn elastic(name: &str, unit: &'static str, set: Box<dyn ConstraintSet<T>>) -> Self {
        Self {
            name: name.to_owned(),
            unit,
            set,
            update: Update::xpbd(),
            measured: false,
            length: None,
            has_energy: true,
            rest_energies: Vec::new(),
            relaxation: 0.0,
            time: Duration::ZERO,
        }
    }

    /// γ = τ/h of a substep of length `h`, s.
    pub(crate) fn gamma(&self, h: f64) -> T {
        T::splat(if self.relaxation > 0.0 && h > 0.0 { self.relaxation / h } else { 0.0 })
    }
}

/// The plan of a group, for inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GroupPlan {
    /// Name of the group.
    pub name: String,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of those that act on a particle that can move.
    pub active: usize,
    /// How the active constraints are batched.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub layout: Layout,
}

//! [`DynamicSet`]: constraints of one kind that are found again in every substep.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::Kind;
use pliant_kernel::{DynamicPacks, Layout, Particle, Scalar, Simd, State, Summary, Sweep, Team, widen};

use crate::build::typed::{GroupData, PlanContext};
use crate::set::constraint_set::{Begin, ConstraintSet, FirstNonFinite, Inspect, Look};
use crate::set::found::{Find, Found, Predicted};

/// A list of constraints, by its finder.
pub(crate) struct Finding<K, const N: usize, const M: usize>(pub(crate) Box<dyn Find<K, N, M>>);

/// The constraints of the present substep, and their finder.
struct DynamicSet<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    packs: DynamicPacks<T, K, N, M>,
    finder: Box<dyn Find<K, N, M>>,
    /// Number in the simulation of every particle of the caller's, if they differ.
    to_internal: Option<Vec<u32>>,
}

impl<K: Kind<N, M>, const N: usize, const M: usize> Finding<K, N, M> {
    fn build<T: Scalar>(self, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<T>> {
        Box::new(DynamicSet::<T, K, N, M> {
            packs: DynamicPacks::new(None, context.spare, context.total),
            finder: self.0,
            to_internal: context.to_internal.map(<[u32]>::to_vec),
        })
    }
}

impl<K: Kind<N, M>, const N: usize, const M: usize> GroupData for Finding<K, N, M> {
    fn len(&self) -> usize {
        0
    }

    fn points(&self) -> usize {
        N
    }

    fn is_dynamic(&self) -> bool {
        true
    }

    fn first_out_of_range(&self, _: usize) -> Option<(usize, u32)> {
        None
    }

    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f32>> {
        (*self).build(context)
    }

    #[cfg(feature = "f64")]
    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn ConstraintSet<f64>> {
        (*self).build(context)
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> ConstraintSet<T> for DynamicSet<T, K, N, M> {
    fn is_dynamic(&self) -> bool {
        true
    }

    fn begin(&mut self, substep: &Begin<'_, T>, _team: Team<'_>) {
        let Self { packs, finder, to_internal } = self;
        packs.clear();
        let at = |particle: usize| {
            assert!(particle < substep.count, "particle {particle} does not exist");
            to_internal.as_ref().map_or(particle, |map| map[particle] as usize)
        };
        let start = |particle: usize| widen(&substep.previous[at(particle)].x);
        let end = |particle: usize| widen(&substep.now[at(particle)].x);
        let predicted =
            Predicted { count: substep.count, start: &start, end: &end, h: substep.h, time: substep.end };
        let mut add = |stencil: [u32; N], kind: &K, compliance: f64| {
            #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
            let stencil = stencil.map(|v| at(v as usize) as u32);
            if stencil.iter().any(|&v| substep.now[v as usize].w > T::zero()) {
                packs.add(stencil, kind, compliance);
            }
        };
        finder.find(&predicted, &mut Found(&mut add));
        packs.plan();
    }

    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        // Multipliers of sets that are found again are those of the substep.
        self.packs.sweep(particles, previous, sweep, team);
    }

    fn replan(&mut self, _: &[Particle<T>], _: &[Range<usize>]) {}

    fn set_rest(&mut self, _: usize, _: &[f64]) {}

    fn evaluate(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        _: Simd,
        _: Team<'_>,
    ) -> Summary {
        if let Some(impulses) = impulses {
            self.packs.for_each(&mut |_, item| item.add_impulses(state.now, impulses));
        }
        self.packs.summarise(state)
    }

    fn multipliers(&self) -> Vec<f64> {
        Vec::new()
    }

    fn set_multipliers(&mut self, _: &[f64]) {
        self.forget();
    }

    fn forget(&mut self) {
        self.packs.clear();
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Inspect<T> for DynamicSet<T, K, N, M> {
    fn len(&self) -> usize {
        self.packs.len()
    }

    fn active(&self) -> usize {
        self.packs.len()
    }

    fn layout(&self) -> Layout {
        Layout { packs: self.packs.packs().0, ..Layout::default() }
    }

    fn cluster_residuals(&self, state: &State<'_, T>) -> Vec<f64> {
        vec![self.packs.summarise(state).residual.value]
    }

    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>) {
        self.packs.for_each(&mut |_, item| {
            look(item.source(), &item.stencil(), &item.residuals(state).map(T::to_f64));
        });
    }

    fn touching(&self, _: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        // The caller asks for places only once, and constraints do not keep theirs.
        None
    }

    fn impulses(&self, _: &[u32], _: &[Particle<T>], _: &mut dyn FnMut(usize, u32, Vector3<f64>)) {}

    fn ties(&self, _: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
        // The caller asks only once, and constraints that are found later may tie any of them.
        if N == 1 || tied.len() > 1 {
            tied.fill(true);
        }
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let mut first = FirstNonFinite(None);
        self.packs.for_each(&mut |_, item| first.take(item, particles));
        first.0
    }
}

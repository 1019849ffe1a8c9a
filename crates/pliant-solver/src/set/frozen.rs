//! [`KindGroup`]: the constraints of one kind with their plan.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint as _, Kind, pull_of_rows};
use pliant_kernel::{
    Batch, Item, Layout, Linearise, Linearised, PACK, Packs, Particle, Simd, State, Summary, Sweep, Team,
    linearise_items, pull_items, summarise_items, widen,
};
use rayon::prelude::*;

use crate::plan::schedule::{ClusterMap, schedule, schedule_in_order};
use crate::set::constraint_set::{
    ConstraintSet, Inspect, Look, Resistance, first_non_finite_of, look_at_residuals, mark_ties,
};
use pliant_kernel::Scalar;

/// Constraints summarised by one task; fixed, so that sums come out the same for every number of threads.
const CHUNK: usize = 4096;

/// How the constraints of a group are put in order.
pub(crate) enum Planner {
    /// As given.
    Sequential,
    /// In clusters, eight side by side.
    Clustered(Arc<ClusterMap>),
    /// As given, eight side by side as far as that is the same.
    Ordered(Arc<ClusterMap>),
}

/// Constraints in their order of projection.
enum Ordered<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    Single(Batch<T, K, N, M>),
    Packed(Box<Packs<T, K, N, M>>),
}

/// The constraints of one [`Kind`] with their plan.
pub(crate) struct KindGroup<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    ordered: Ordered<T, K, N, M>,
    /// Constraints between fixed particles only, and those that were taken out.
    dropped: Vec<Item<T, K, N, M>>,
    planner: Planner,
    /// Place in the order of every constraint; made when rest data are first replaced.
    places: Option<Vec<u32>>,
    /// Compliances as built, by number, once there were others.
    built: Option<Vec<T>>,
}

/// Constraints to be planned, in the caller's order.
pub(crate) struct Given<'a, T, F, const N: usize> {
    /// Their particles, in the numbering of the simulation.
    pub(crate) stencils: &'a [[u32; N]],
    /// Gives a constraint by its number.
    pub(crate) item: F,
    /// The compliance of all, if it is the same.
    pub(crate) uniform: Option<T>,
    /// Numbers of the constraints that act on nothing that can move, ascending.
    pub(crate) dropped: Vec<u32>,
}

/// What all `values` are, if they are equal; `none` if there are none.
pub(crate) fn the_same<A: Copy + PartialEq>(values: impl IntoIterator<Item = A>, none: A) -> Option<A> {
    let mut values = values.into_iter();
    let first = values.next().unwrap_or(none);
    values.all(|value| value == first).then_some(first)
}

impl Planner {
    /// Orders the constraints that are not dropped; they act on `particles` particles, dummies included.
    #[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
    fn order<T, K, F, const N: usize, const M: usize>(
        &self,
        given: &Given<'_, T, F, N>,
        particles: usize,
    ) -> Ordered<T, K, N, M>
    where
        T: Scalar,
        K: Kind<N, M>,
        F: Fn(usize) -> Item<T, K, N, M>,
    {
        let mut active = Vec::with_capacity(given.stencils.len() - given.dropped.len());
        let mut dropped = given.dropped.iter().copied().peekable();
        active.extend((0..given.stencils.len() as u32).filter(|i| dropped.next_if_eq(i).is_none()));
        match self {
            Self::Sequential => {
                let items = active.iter().map(|&i| (given.item)(i as usize)).collect();
                Ordered::Single(Batch::new(items, particles))
            }
            Self::Clustered(clusters) | Self::Ordered(clusters) => {
                let plan = match self {
                    Self::Ordered(_) => schedule_in_order(given.stencils, &active, clusters),
                    _ => schedule(given.stencils, &active, clusters, Packs::<T, K, N, M>::SIDES),
                };
                let count = active.len();
                drop(active);
                Ordered::Packed(Box::new(Packs::new(count, &given.item, given.uniform, plan, particles)))
            }
        }
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Ordered<T, K, N, M> {
    fn len(&self) -> usize {
        match self {
            Self::Single(batch) => batch.items().len(),
            Self::Packed(packs) => packs.len(),
        }
    }

    /// Number of chunks of about [`CHUNK`] constraints.
    fn chunks(&self) -> usize {
        match self {
            Self::Single(batch) => batch.items().len().div_ceil(CHUNK),
            Self::Packed(packs) => packs.pack_count().div_ceil(CHUNK / PACK),
        }
    }

    /// The constraints of a chunk.
    fn chunk(&self, i: usize) -> Box<dyn Iterator<Item = Item<T, K, N, M>> + '_> {
        let range = |len: usize, size: usize| i * size..len.min((i + 1) * size);
        match self {
            Self::Single(batch) => Box::new(batch.items()[range(batch.items().len(), CHUNK)].iter().copied()),
            Self::Packed(packs) => Box::new(packs.items(range(packs.pack_count(), CHUNK / PACK))),
        }
    }

    fn items(&self) -> impl Iterator<Item = Item<T, K, N, M>> + '_ {
        (0..self.chunks()).flat_map(|i| self.chunk(i))
    }

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        match self {
            Self::Single(batch) => batch.set_multipliers(of),
            Self::Packed(packs) => packs.set_multipliers(of),
        }
    }

    /// Place of every constraint: its number in a batch, or pack and lane.
    fn places(&self, constraints: usize) -> Vec<u32> {
        let mut places = vec![u32::MAX; constraints];
        match self {
            Self::Single(batch) => {
                for (place, item) in (0_u32..).zip(batch.items()) {
                    places[item.source()] = place;
                }
            }
            Self::Packed(packs) => {
                for (source, pack, lane) in packs.sources() {
                    places[source] = (pack * PACK + lane) as u32;
                }
            }
        }
        places
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> KindGroup<T, K, N, M> {
    /// Residuals, strains and energy, constraint by constraint.
    fn summarise(&self, state: &State<'_, T>) -> Summary {
        let parts: Vec<Summary> = (0..self.ordered.chunks())
            .into_par_iter()
            .map(|i| summarise_items(self.ordered.chunk(i), state))
            .collect();
        parts.iter().fold(Summary::default(), Summary::merge)
    }

    /// All constraints, in the caller's order.
    fn take_items(&mut self) -> Vec<Item<T, K, N, M>> {
        let mut items = std::mem::take(&mut self.dropped);
        items.extend(self.ordered.items());
        items.sort_unstable_by_key(Item::source);
        items
    }

    /// Plans constraints given in the caller's order, of which only some act.
    fn plan_again(
        &mut self,
        items: &[Item<T, K, N, M>],
        particles: usize,
        acts: impl Fn(&Item<T, K, N, M>) -> bool,
    ) {
        let stencils: Vec<_> = items.iter().map(Item::stencil).collect();
        let given = Given {
            stencils: &stencils,
            item: |i: usize| items[i],
            uniform: the_same(items.iter().map(Item::compliance), T::zero()),
            dropped: (0_u32..).zip(items).filter(|(_, item)| !acts(item)).map(|(i, _)| i).collect(),
        };
        self.ordered = self.planner.order(&given, particles);
        self.dropped = given.dropped.iter().map(|&i| items[i as usize]).collect();
        self.places = None;
    }

    /// Plans constraints given in the caller's order, over `particles` particles, dummies included.
    pub(crate) fn new<F: Fn(usize) -> Item<T, K, N, M>>(
        given: &Given<'_, T, F, N>,
        planner: Planner,
        particles: usize,
    ) -> Self {
        let ordered = planner.order(given, particles);
        let dropped = given.dropped.iter().map(|&i| (given.item)(i as usize)).collect();
        Self { ordered, dropped, planner, places: None, built: None }
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> ConstraintSet<T> for KindGroup<T, K, N, M> {
    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        match &mut self.ordered {
            Ordered::Single(batch) => batch.sweep(particles, previous, sweep),
            Ordered::Packed(packs) => packs.sweep(particles, previous, sweep, team),
        }
    }

    fn replan(&mut self, particles: &[Particle<T>], without: &[Range<usize>]) {
        let is_free = |v: &u32| T::zero() < particles[*v as usize].w;
        let acts = |item: &Item<T, K, N, M>| {
            item.stencil().iter().any(is_free) && !without.iter().any(|d| d.contains(&item.source()))
        };
        // The plan depends on nothing but which of them act.
        if self.dropped.iter().any(acts) || !self.ordered.items().all(|item| acts(&item)) {
            let items = self.take_items();
            self.plan_again(&items, particles.len(), acts);
        }
    }

    fn set_compliances(
        &mut self,
        resistance: Option<Resistance>,
        particles: &[Particle<T>],
    ) -> Result<(), &'static str> {
        let mut present = vec![T::zero(); self.len()];
        let items = self.dropped.iter().copied().chain(self.ordered.items());
        items.for_each(|item| present[item.source()] = item.compliance());
        let built = self.built.get_or_insert(present);
        let compliance = |i: usize| match resistance {
            None => built[i],
            Some(Resistance::Compliance(value)) => T::splat(value),
            Some(Resistance::Stiffer(factor)) => built[i] / T::splat(factor),
        };
        match resistance {
            Some(Resistance::Compliance(_)) if the_same(built.iter().copied(), T::zero()).is_none() => {
                return Err("they differ from element to element; use scale_stiffness");
            }
            Some(Resistance::Stiffer(_)) if built.iter().all(|&a| a <= T::zero()) => {
                return Err("it is rigid; use set_compliance");
            }
            _ => {}
        }
        let compliances: Vec<T> = (0..built.len()).map(compliance).collect();
        let mut dropped = vec![false; compliances.len()];
        self.dropped.iter().for_each(|item| dropped[item.source()] = true);
        let mut items = self.take_items();
        items.iter_mut().for_each(|item| *item = item.with_compliance(compliances[item.source()]));
        self.plan_again(&items, particles.len(), |item| !dropped[item.source()]);
        Ok(())
    }

    fn set_rest(&mut self, constraint: usize, rest: &[f64]) {
        let len = self.len();
        let ordered = &self.ordered;
        let place = self.places.get_or_insert_with(|| ordered.places(len))[constraint];
        if place == u32::MAX {
            return;
        }
        let (place, rest) = (place as usize, rest.iter().map(|&r| T::splat(r)).collect::<Vec<_>>());
        match &mut self.ordered {
            Ordered::Single(batch) => batch.set_rest(place, K::from_rest(&rest)),
            Ordered::Packed(packs) => packs.set_rest(place / PACK, place % PACK, &rest),
        }
    }

    fn survey(
        &self,
        state: &State<'_, T>,
        pull: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        match &self.ordered {
            Ordered::Packed(packs) => packs.survey(state, pull, simd, team),
            Ordered::Single(batch) => {
                if let Some(pull) = pull {
                    pull_items(batch.items().iter().copied(), state.now, pull);
                }
                self.summarise(state)
            }
        }
    }

    fn for_each_element(&self, look: &mut dyn FnMut(&[u32])) -> bool {
        let mut stencils = vec![[0; N]; self.len()];
        for item in self.ordered.items().chain(self.dropped.iter().copied()) {
            stencils[item.source()] = item.stencil();
        }
        stencils.iter().for_each(|stencil| look(stencil));
        true
    }

    fn linearise(&self, at: &Linearise<'_, T>, take: &mut dyn FnMut(&Linearised<'_, T>)) {
        match &self.ordered {
            Ordered::Packed(packs) => packs.linearise(at, take),
            Ordered::Single(batch) => linearise_items(batch.items().iter().copied(), at, take),
        }
    }

    fn relax(&mut self, at: &Linearise<'_, T>) {
        match &mut self.ordered {
            Ordered::Packed(packs) => packs.relax(at),
            Ordered::Single(batch) => {
                let mut all = vec![[T::zero(); M]; self.dropped.len() + batch.items().len()];
                let at = Linearise { stiffness: false, ..*at };
                linearise_items(batch.items().iter().copied(), &at, &mut |found| {
                    all[found.source].copy_from_slice(found.lambda);
                });
                batch.set_multipliers(|source| all[source]);
            }
        }
    }

    fn multipliers(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.len() * M];
        for item in self.ordered.items() {
            for (row, lambda) in item.lambda().iter().enumerate() {
                all[item.source() * M + row] = lambda.to_f64();
            }
        }
        all
    }

    fn set_multipliers(&mut self, multipliers: &[f64]) {
        let of = |source: usize| std::array::from_fn(|row| T::splat(multipliers[source * M + row]));
        self.ordered.set_multipliers(of);
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Inspect<T> for KindGroup<T, K, N, M> {
    fn len(&self) -> usize {
        self.ordered.len() + self.dropped.len()
    }

    fn active(&self) -> usize {
        self.ordered.len()
    }

    fn layout(&self) -> Layout {
        match &self.ordered {
            Ordered::Single(batch) => Layout {
                colour_sizes: vec![batch.items().len()],
                bytes_per_constraint: size_of::<Item<T, K, N, M>>(),
                ..Layout::default()
            },
            Ordered::Packed(packs) => packs.layout(),
        }
    }

    fn cluster_residuals(&self, state: &State<'_, T>) -> Vec<f64> {
        match &self.ordered {
            Ordered::Single(_) => vec![self.summarise(state).residual.value],
            Ordered::Packed(packs) => packs
                .clusters()
                .par_iter()
                .map(|cluster| summarise_items(packs.items(cluster.clone()), state).residual.value)
                .collect(),
        }
    }

    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>) {
        look_at_residuals(self.ordered.items(), state, look);
    }

    fn touching(&self, is: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        let touches = |item: &Item<T, K, N, M>| item.stencil().iter().any(|&v| is(v));
        Some(match &self.ordered {
            Ordered::Single(batch) => {
                (0_u32..).zip(batch.items()).filter(|(_, item)| touches(item)).map(|(i, _)| i).collect()
            }
            Ordered::Packed(packs) => packs
                .sources()
                .filter(|&(_, pack, lane)| touches(&packs.item(pack, lane)))
                .map(|(_, pack, lane)| (pack * PACK + lane) as u32)
                .collect(),
        })
    }

    fn pulls(
        &self,
        places: &[u32],
        particles: &[Particle<T>],
        look: &mut dyn FnMut(usize, u32, Vector3<f64>),
    ) {
        for place in places.iter().map(|&place| place as usize) {
            let item = match &self.ordered {
                Ordered::Single(batch) => batch.items()[place],
                Ordered::Packed(packs) => packs.item(place / PACK, place % PACK),
            };
            let stencil = item.stencil();
            let (_, gradients) = item.rest().values_and_gradients(&stencil.map(|v| particles[v as usize].x));
            // In `f64`, because the sums over many constraints are.
            let gradients = gradients.map(|row| row.map(|gradient| widen(&gradient)));
            let pulls = pull_of_rows(&gradients, &item.lambda().map(T::to_f64));
            for (&v, pull) in stencil.iter().zip(pulls) {
                look(item.source(), v, pull);
            }
        }
    }

    fn ties(&self, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
        if N == 1 || tied.len() > 1 {
            self.ordered.items().for_each(|item| mark_ties(item.stencil().into_iter(), part_of, tied));
        }
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        first_non_finite_of(self.ordered.items(), particles)
    }

    fn projection_order(&self) -> Vec<u32> {
        self.ordered.items().map(|item| item.source() as u32).collect()
    }
}

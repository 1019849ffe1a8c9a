//! [`KindGroup`]: the constraints of one kind with their plan.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Kind, Rigidity, impulses_of_rows};
use pliant_kernel::{
    Assembly, Batch, Entry, Item, Layout, Linearise, PACK, Packs, Particle, Scalar, Simd, State, Summary,
    Sweep, Team, Visit, widen,
};

use crate::plan::schedule::{ClusterMap, schedule, schedule_in_order};
use crate::set::constraint_set::{ConstraintSet, FirstNonFinite, Inspect, Look, Resistance};
use crate::set::entries::{self, the_same};

/// Constraints summarised by one task; fixed, so that sums come out the same for every number of threads.
const CHUNK: usize = 4096;

/// How the constraints of a group are put in order.
pub(crate) enum Planner {
    /// As given.
    Sequential,
    /// In clusters, eight side by side.
    Clustered(Arc<ClusterMap>),
    /// As given, eight side by side where the result is the same.
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
    /// Constraints between fixed particles only, and those that were left out.
    dropped: Vec<Item<T, K, N, M>>,
    planner: Planner,
    /// Place in the order of every constraint; made when rest data are first replaced.
    places: Option<Vec<u32>>,
    /// Compliances as built, by number, once there were others.
    built: Option<Vec<T>>,
}

/// Constraints to be planned, in the caller's order.
pub(crate) struct Given<'a, T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Their particles, in the numbering of the simulation.
    pub(crate) stencils: &'a [[u32; N]],
    /// Gives a constraint by its number.
    pub(crate) item: &'a dyn Fn(usize) -> Item<T, K, N, M>,
    /// The compliance of all, if it is the same.
    pub(crate) uniform: Option<T>,
    /// Numbers of the constraints without a particle that can move, ascending.
    pub(crate) dropped: Vec<u32>,
}

impl Planner {
    /// Orders the constraints that are not dropped; they act on `particles` particles, dummies included.
    #[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
    fn order<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize>(
        &self,
        given: &Given<'_, T, K, N, M>,
        particles: usize,
    ) -> Ordered<T, K, N, M> {
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
                Ordered::Packed(Box::new(Packs::new(count, given.item, given.uniform, plan, particles)))
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

    /// Calls `visit` with every constraint, in the order of projection.
    fn for_each(&self, visit: &mut Visit<'_, T, K, N, M>) {
        match self {
            Self::Single(batch) => batch.items().iter().enumerate().for_each(|(i, item)| visit(i, item)),
            Self::Packed(packs) => packs.for_each(0..packs.pack_count(), visit),
        }
    }

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        match self {
            Self::Single(batch) => batch.set_multipliers(of),
            Self::Packed(packs) => packs.set_multipliers(of),
        }
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> KindGroup<T, K, N, M> {
    /// Calls `look` with every active constraint, in the order of projection.
    fn for_each_entry(&self, look: &mut dyn FnMut(&Entry<'_, T>)) {
        self.ordered.for_each(&mut |place, item| look(&item.entry(place)));
    }

    /// Calls `look` with every constraint that does not act; such have no place.
    fn for_each_dropped(&self, look: &mut dyn FnMut(&Entry<'_, T>)) {
        self.dropped.iter().for_each(|item| look(&item.entry(usize::MAX)));
    }

    /// Calls `look` with every constraint.
    fn for_each_of_all(&self, look: &mut dyn FnMut(&Entry<'_, T>)) {
        self.for_each_dropped(look);
        self.for_each_entry(look);
    }

    /// Residuals, strains and energy of a batch, constraint by constraint.
    fn summarise(&self, batch: &Batch<T, K, N, M>, state: &State<'_, T>) -> Summary {
        let chunk = |i: usize| {
            let mut summary = Summary::default();
            let items = batch.items().iter().skip(i * CHUNK).take(CHUNK);
            items.for_each(|item| item.summarise(state, &mut summary));
            summary
        };
        let parts = entries::summaries(batch.items().len().div_ceil(CHUNK), &chunk);
        parts.iter().fold(Summary::default(), Summary::merge)
    }

    /// All constraints, in the caller's order.
    fn take_items(&mut self) -> Vec<Item<T, K, N, M>> {
        let mut items = std::mem::take(&mut self.dropped);
        self.ordered.for_each(&mut |_, item| items.push(*item));
        let mut places = vec![0; items.len()];
        items.iter().enumerate().for_each(|(place, item)| places[item.source()] = place);
        places.into_iter().map(|place| items[place]).collect()
    }

    /// Plans constraints given in the caller's order, of which only some act.
    fn plan_again(
        &mut self,
        items: &[Item<T, K, N, M>],
        particles: usize,
        acts: &dyn Fn(&Entry<'_, T>) -> bool,
    ) {
        let stencils: Vec<_> = items.iter().map(Item::stencil).collect();
        let given = Given {
            stencils: &stencils,
            item: &|i: usize| items[i],
            uniform: the_same(items.iter().map(Item::compliance), T::zero()),
            dropped: (0_u32..).zip(items).filter(|(_, item)| !acts(&item.entry(0))).map(|(i, _)| i).collect(),
        };
        self.ordered = self.planner.order(&given, particles);
        self.dropped = given.dropped.iter().map(|&i| items[i as usize]).collect();
        self.places = None;
    }

    /// Plans constraints given in the caller's order, over `particles` particles, dummies included.
    pub(crate) fn new(given: &Given<'_, T, K, N, M>, planner: Planner, particles: usize) -> Self {
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
        let acts = |entry: &Entry<'_, T>| entries::acts(entry, particles, without);
        // The plan depends only on which of them act.
        let mut differs = false;
        self.for_each_dropped(&mut |entry| differs |= acts(entry));
        self.for_each_entry(&mut |entry| differs |= !acts(entry));
        if differs {
            let items = self.take_items();
            self.plan_again(&items, particles.len(), &acts);
        }
    }

    fn set_compliances(
        &mut self,
        resistance: Option<Resistance>,
        particles: &[Particle<T>],
    ) -> Result<(), &'static str> {
        let present = entries::compliances(&|look| self.for_each_of_all(look), self.len());
        let compliances = entries::other_compliances(self.built.get_or_insert(present), resistance)?;
        let mut dropped = vec![false; compliances.len()];
        self.for_each_dropped(&mut |entry| dropped[entry.source] = true);
        let mut items = self.take_items();
        items.iter_mut().for_each(|item| *item = item.with_compliance(compliances[item.source()]));
        self.plan_again(&items, particles.len(), &|entry| !dropped[entry.source]);
        Ok(())
    }

    fn set_rest(&mut self, constraint: usize, rest: &[f64]) {
        if self.places.is_none() {
            self.places = Some(entries::places(&|look| self.for_each_entry(look), self.len()));
        }
        let place = self.places.as_ref().map_or(u32::MAX, |places| places[constraint]);
        if place == u32::MAX {
            return;
        }
        let (place, rest) = (place as usize, rest.iter().map(|&r| T::splat(r)).collect::<Vec<_>>());
        match &mut self.ordered {
            Ordered::Single(batch) => batch.set_rest(place, K::from_rest(&rest)),
            Ordered::Packed(packs) => packs.set_rest(place / PACK, place % PACK, &rest),
        }
    }

    fn evaluate(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        match &self.ordered {
            Ordered::Packed(packs) => packs.evaluate(state, impulses, simd, team),
            Ordered::Single(batch) => {
                if let Some(impulses) = impulses {
                    batch.items().iter().for_each(|item| item.add_impulses(state.now, impulses));
                }
                self.summarise(batch, state)
            }
        }
    }

    fn for_each_element(&self, look: &mut dyn FnMut(&[u32])) -> bool {
        entries::for_each_element(&|each| self.for_each_of_all(each), self.len(), N, look);
        true
    }

    fn rigidity(&self) -> Rigidity {
        K::RIGIDITY
    }

    fn assemble(&mut self, at: &Linearise<'_, T>, into: &mut Assembly<'_, T>, team: Team<'_>) -> bool {
        match &mut self.ordered {
            Ordered::Packed(packs) => packs.assemble(at, into, team),
            Ordered::Single(batch) => batch.assemble(at, into),
        }
    }

    fn forget_places(&mut self) {
        if let Ordered::Packed(packs) = &mut self.ordered {
            packs.forget_places();
        }
    }

    fn multipliers(&self) -> Vec<f64> {
        entries::multipliers(&|look| self.for_each_entry(look), self.len() * M)
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
        let packs = match &self.ordered {
            Ordered::Single(batch) => return vec![self.summarise(batch, state).residual.value],
            Ordered::Packed(packs) => packs,
        };
        let of = |cluster: usize| {
            let mut summary = Summary::default();
            let range = packs.clusters()[cluster].clone();
            packs.for_each(range, &mut |_, item| item.summarise(state, &mut summary));
            summary
        };
        let summaries = entries::summaries(packs.clusters().len(), &of);
        summaries.iter().map(|summary| summary.residual.value).collect()
    }

    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>) {
        self.ordered.for_each(&mut |_, item| {
            look(item.source(), &item.stencil(), &item.residuals(state).map(T::to_f64));
        });
    }

    fn touching(&self, is: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        Some(entries::touching(&|look| self.for_each_entry(look), is))
    }

    fn impulses(
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
            let (_, gradients) = item.evaluate(particles);
            // In `f64`, because the sums over many constraints are.
            let gradients = gradients.map(|row| row.map(|gradient| widen(&gradient)));
            let impulses = impulses_of_rows(&gradients, &item.lambda().map(T::to_f64));
            for (v, impulse) in item.stencil().into_iter().zip(impulses) {
                look(item.source(), v, impulse);
            }
        }
    }

    fn ties(&self, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
        if N == 1 || tied.len() > 1 {
            entries::ties(&|look| self.for_each_entry(look), part_of, tied);
        }
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let mut first = FirstNonFinite(None);
        self.ordered.for_each(&mut |_, item| first.take(item, particles));
        first.0
    }

    fn projection_order(&self) -> Vec<u32> {
        entries::sources(&|look| self.for_each_entry(look))
    }
}

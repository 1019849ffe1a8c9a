//! [`KindGroup`]: the constraints of one kind with their plan.

use std::ops::Range;
use std::sync::Arc;

use pliant_constraints::{BlockConstraint as _, Kind};
use rayon::prelude::*;

use crate::float::Float;
use crate::group::{Group, Layout};
use crate::kernel::{Batch, Item, PACK, Packs, Sweep};
use crate::particles::Particle;
use crate::schedule::{ClusterMap, schedule};
use crate::summary::{Summary, summarise_items};

/// Constraints summarised by one task; fixed, so that sums come out the same for every number of threads.
const CHUNK: usize = 4096;

/// How the constraints of a group are put in order.
pub(crate) enum Planner {
    /// As given.
    Sequential,
    /// By colour, given for every constraint.
    Coloured(Vec<u32>),
    /// In clusters, eight side by side.
    Clustered(Arc<ClusterMap>),
}

/// Constraints in their order of projection.
enum Ordered<T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    Single(Batch<T, K, N, M>),
    Packed(Packs<T, K, N, M>),
}

/// The constraints of one [`Kind`] with their plan.
pub(crate) struct KindGroup<T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    ordered: Ordered<T, K, N, M>,
    /// Constraints between fixed particles only, and those that were taken out.
    dropped: Vec<Item<T, K, N, M>>,
    planner: Planner,
    /// Place in the order of every constraint; made when rest data are first replaced.
    places: Option<Vec<u32>>,
}

impl Planner {
    /// Orders constraints that act on `particles` particles, dummies included.
    fn order<T: Float, K: Kind<N, M>, const N: usize, const M: usize>(
        &self,
        mut items: Vec<Item<T, K, N, M>>,
        particles: usize,
    ) -> Ordered<T, K, N, M> {
        match self {
            Self::Sequential => {
                items.sort_unstable_by_key(Item::source);
                let all = std::iter::once(0..items.len()).collect();
                Ordered::Single(Batch::new(items, all, false, particles))
            }
            Self::Coloured(colour_of) => {
                let colour = |item: &Item<T, K, N, M>| colour_of[item.source()];
                items.sort_unstable_by_key(|item| (colour(item), item.source()));
                let mut colours: Vec<Range<usize>> = Vec::new();
                for chunk in items.chunk_by(|a, b| colour(a) == colour(b)) {
                    let start = colours.last().map_or(0, |range| range.end);
                    colours.push(start..start + chunk.len());
                }
                Ordered::Single(Batch::new(items, colours, true, particles))
            }
            Self::Clustered(clusters) => {
                items.sort_unstable_by_key(Item::source);
                let stencils: Vec<[u32; N]> = items.iter().map(Item::stencil).collect();
                Ordered::Packed(Packs::new(&items, &schedule(&stencils, clusters), particles))
            }
        }
    }
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Ordered<T, K, N, M> {
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

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> KindGroup<T, K, N, M> {
    /// Plans constraints given in the caller's order, over `particles` particles, dummies included.
    pub(crate) fn new(
        items: Vec<Item<T, K, N, M>>,
        planner: Planner,
        is_free: impl Fn(u32) -> bool,
        particles: usize,
    ) -> Self {
        let acts = |item: &Item<T, K, N, M>| item.stencil().iter().any(|&v| is_free(v));
        let (active, dropped) = items.into_iter().partition(acts);
        let ordered = planner.order(active, particles);
        Self { ordered, dropped, planner, places: None }
    }
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Group<T> for KindGroup<T, K, N, M> {
    fn len(&self) -> usize {
        self.ordered.len() + self.dropped.len()
    }

    fn active(&self) -> usize {
        self.ordered.len()
    }

    fn layout(&self) -> Layout {
        match &self.ordered {
            Ordered::Single(batch) => Layout {
                colour_sizes: batch.colours().iter().map(ExactSizeIterator::len).collect(),
                bytes_per_constraint: size_of::<Item<T, K, N, M>>(),
                ..Layout::default()
            },
            Ordered::Packed(packs) => packs.layout(),
        }
    }

    fn reset(&mut self, parallel: bool) {
        match &mut self.ordered {
            Ordered::Single(batch) => batch.reset(parallel),
            Ordered::Packed(packs) => packs.reset(),
        }
    }

    fn sweep(&mut self, particles: &mut [Particle<T>], sweep: Sweep<T>) {
        match &mut self.ordered {
            Ordered::Single(batch) => batch.sweep(particles, sweep),
            Ordered::Packed(packs) => packs.sweep(particles, sweep),
        }
    }

    fn replan(&mut self, particles: &[Particle<T>], without: &[Range<usize>]) {
        let mut items = std::mem::take(&mut self.dropped);
        items.extend(self.ordered.items());
        let is_free = |v: &u32| T::zero() < particles[*v as usize].w;
        let acts = |item: &Item<T, K, N, M>| {
            item.stencil().iter().any(is_free) && !without.iter().any(|d| d.contains(&item.source()))
        };
        let (active, dropped) = items.into_iter().partition(acts);
        self.dropped = dropped;
        self.ordered = self.planner.order(active, particles.len());
        self.places = None;
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

    fn summarise(&self, particles: &[Particle<T>], inverse_h2: T) -> Summary {
        let parts: Vec<Summary> = (0..self.ordered.chunks())
            .into_par_iter()
            .map(|i| summarise_items(self.ordered.chunk(i), particles, inverse_h2))
            .collect();
        parts.iter().fold(Summary::default(), Summary::merge)
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let value =
            |item: &Item<T, K, N, M>| item.rest().values(&item.stencil().map(|v| particles[v as usize].x));
        let bad = |item: &Item<T, K, N, M>| !value(item).iter().all(|c| c.is_finite());
        self.ordered.items().filter(bad).map(|item| item.source()).min()
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
}

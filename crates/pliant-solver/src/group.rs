//! [`Group`]: constraints of one kind in a running simulation, whatever the kind is.

use std::ops::Range;

use pliant_constraints::{BlockConstraint as _, Kind, Measure, residual};
use rayon::prelude::*;

use crate::float::Float;
use crate::kernel::{Batch, Item, Sweep};
use crate::particles::Particle;

/// Constraints summarised by one task; fixed, so that sums come out the same for every number of threads.
const CHUNK: usize = 4096;

/// Constraints of one kind, planned and ready to be projected.
pub trait Group<T: Float>: Send + Sync {
    /// Number of constraints, those included that are at rest between fixed particles.
    fn len(&self) -> usize;
    /// Number of constraints that act on at least one particle that can move.
    fn active(&self) -> usize;
    /// Number of constraints in each colour; one colour when the order is sequential.
    fn colour_sizes(&self) -> Vec<usize>;
    /// Sets the multipliers to zero, as at the start of every substep.
    fn reset(&mut self, parallel: bool);
    /// Projects every constraint once.
    fn sweep(&mut self, particles: &mut [Particle<T>], sweep: Sweep<T>);
    /// Takes up and drops constraints after particles were pinned or released.
    fn replan(&mut self, particles: &[Particle<T>]);
    /// Replaces the rest data of a constraint, given by its number in the caller's list.
    fn set_rest(&mut self, constraint: usize, rest: &[f64]);
    /// Takes constraints, given by their numbers in the caller's list, out for good; takes effect with the next [`replan`](Group::replan).
    fn disable(&mut self, constraints: Range<usize>);
    /// Residuals, strains and energy.
    fn summarise(&self, particles: &[Particle<T>], inverse_h2: T) -> Summary;
    /// The first constraint, in the caller's numbering, whose value is not finite.
    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize>;
    /// The multipliers of all rows, constraint after constraint in the caller's numbering.
    fn multipliers(&self) -> Vec<f64>;
}

/// Sums and maxima over a group.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Largest |C + α̃λ| and the constraint that has it.
    pub residual: Peak,
    /// Sum of the squared residuals over all rows.
    pub residual_squares: f64,
    /// Number of rows summed.
    pub rows: usize,
    /// Elastic energy ½ C²/α of the compliant constraints, J.
    pub energy: f64,
    /// Largest elongation (L − L₀)/L₀.
    pub stretch: Peak,
    /// Largest compression (L₀ − L)/L₀.
    pub compression: Peak,
    /// Sum of |L − L₀|/L₀.
    pub stretch_sum: f64,
    /// Number of stretches summed.
    pub stretches: usize,
    /// Largest |V − V₀|/|V₀|.
    pub volume: Peak,
    /// Number of elements whose volume was measured.
    pub volumes: usize,
    /// Number of elements with no volume or a negative one.
    pub inverted: usize,
    /// The first inverted element.
    pub first_inverted: Option<usize>,
}

/// A maximum and where it was found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Peak {
    /// The largest value; zero if there was none.
    pub value: f64,
    /// Number of the constraint in the caller's list.
    pub at: Option<usize>,
}

impl Peak {
    /// Takes up a value; NaN counts as larger than everything. Ties go to the smaller number.
    pub(crate) fn take(&mut self, value: f64, at: usize) {
        let larger = value > self.value || (value.is_nan() && !self.value.is_nan());
        let tie = value == self.value && value > 0.0 && self.at.is_some_and(|a| at < a);
        if larger || tie {
            *self = Self { value, at: Some(at) };
        }
    }

    fn merge(&mut self, other: &Self) {
        if let Some(at) = other.at {
            self.take(other.value, at);
        }
    }
}

impl Summary {
    fn merge(mut self, other: &Self) -> Self {
        self.residual.merge(&other.residual);
        self.residual_squares += other.residual_squares;
        self.rows += other.rows;
        self.energy += other.energy;
        self.stretch.merge(&other.stretch);
        self.compression.merge(&other.compression);
        self.stretch_sum += other.stretch_sum;
        self.stretches += other.stretches;
        self.volume.merge(&other.volume);
        self.volumes += other.volumes;
        self.inverted += other.inverted;
        self.first_inverted = match (self.first_inverted, other.first_inverted) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self
    }
}

/// The constraints of one [`Kind`] with their plan.
pub(crate) struct KindGroup<T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    batch: Batch<T, K, N, M>,
    /// Constraints between fixed particles only: skipped until one of them is released.
    dropped: Vec<Item<T, K, N, M>>,
    /// Colour of every constraint, in the caller's numbering.
    colour_of: Vec<u32>,
    /// Place in the batch of every constraint; made when rest data are first replaced.
    places: Option<Vec<u32>>,
    /// Constraints that were taken out.
    disabled: Vec<Range<usize>>,
    disjoint: bool,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> KindGroup<T, K, N, M> {
    /// Plans constraints given in the caller's order. Without colours they are projected in that order.
    pub(crate) fn new(
        items: Vec<Item<T, K, N, M>>,
        colour_of: Option<Vec<u32>>,
        is_free: impl Fn(u32) -> bool,
        particles: usize,
    ) -> Self {
        let disjoint = colour_of.is_some();
        let colour_of = colour_of.unwrap_or_else(|| vec![0; items.len()]);
        let acts = |item: &Item<T, K, N, M>| item.stencil().iter().any(|&v| is_free(v));
        let (batch, dropped) = plan(items, &colour_of, acts, disjoint, particles);
        Self { batch, dropped, colour_of, places: None, disabled: Vec::new(), disjoint }
    }
}

/// Sorts constraints by colour and caller's number, and sets those aside that nothing can move.
#[allow(clippy::type_complexity, reason = "two lists of the same items")]
fn plan<T: Float, K: Kind<N, M>, const N: usize, const M: usize>(
    mut items: Vec<Item<T, K, N, M>>,
    colour_of: &[u32],
    acts: impl Fn(&Item<T, K, N, M>) -> bool,
    disjoint: bool,
    particles: usize,
) -> (Batch<T, K, N, M>, Vec<Item<T, K, N, M>>) {
    items.sort_unstable_by_key(|item| (colour_of[item.source()], item.source()));
    let (active, dropped): (Vec<_>, Vec<_>) = items.into_iter().partition(acts);
    let mut colours: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < active.len() {
        let colour = colour_of[active[start].source()];
        let len = active[start..].partition_point(|item| colour_of[item.source()] == colour);
        colours.push(start..start + len);
        start += len;
    }
    (Batch::new(active, colours, disjoint, particles), dropped)
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Group<T> for KindGroup<T, K, N, M> {
    fn len(&self) -> usize {
        self.colour_of.len()
    }

    fn active(&self) -> usize {
        self.batch.items().len()
    }

    fn colour_sizes(&self) -> Vec<usize> {
        self.batch.colours().iter().map(ExactSizeIterator::len).collect()
    }

    fn reset(&mut self, parallel: bool) {
        self.batch.reset(parallel);
    }

    fn sweep(&mut self, particles: &mut [Particle<T>], sweep: Sweep<T>) {
        self.batch.sweep(particles, sweep);
    }

    fn replan(&mut self, particles: &[Particle<T>]) {
        let empty = Batch::new(Vec::new(), Vec::new(), self.disjoint, 0);
        let mut items = std::mem::replace(&mut self.batch, empty).into_items();
        items.append(&mut self.dropped);
        let is_free = |v: &u32| T::zero() < particles[*v as usize].w;
        let acts = |item: &Item<T, K, N, M>| {
            item.stencil().iter().any(is_free) && !self.disabled.iter().any(|d| d.contains(&item.source()))
        };
        (self.batch, self.dropped) = plan(items, &self.colour_of, acts, self.disjoint, particles.len());
        self.places = None;
    }

    fn set_rest(&mut self, constraint: usize, rest: &[f64]) {
        let batch = &self.batch;
        let places = self.places.get_or_insert_with(|| {
            let mut places = vec![u32::MAX; self.colour_of.len()];
            for (place, item) in (0_u32..).zip(batch.items()) {
                places[item.source()] = place;
            }
            places
        });
        let place = places[constraint];
        if place != u32::MAX {
            self.batch.set_rest(place as usize, K::from_rest(&rest_in::<T>(rest)));
        }
    }

    fn disable(&mut self, constraints: Range<usize>) {
        self.disabled.push(constraints);
    }

    fn summarise(&self, particles: &[Particle<T>], inverse_h2: T) -> Summary {
        let parts: Vec<Summary> = self
            .batch
            .items()
            .par_chunks(CHUNK)
            .map(|chunk| summarise_items(chunk, particles, inverse_h2))
            .collect();
        parts.iter().fold(Summary::default(), Summary::merge)
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let bad = |item: &&Item<T, K, N, M>| {
            !item
                .rest()
                .values(&item.stencil().map(|v| particles[v as usize].x))
                .iter()
                .all(|c| c.is_finite())
        };
        self.batch.items().iter().filter(bad).map(Item::source).min()
    }

    fn multipliers(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.len() * M];
        for item in self.batch.items() {
            for (row, lambda) in item.lambda().iter().enumerate() {
                all[item.source() * M + row] = lambda.to_f64();
            }
        }
        all
    }
}

/// Rest data rounded to the scalar of the simulation.
fn rest_in<T: Float>(rest: &[f64]) -> Vec<T> {
    rest.iter().map(|&r| T::splat(r)).collect()
}

fn summarise_items<T: Float, K: Kind<N, M>, const N: usize, const M: usize>(
    items: &[Item<T, K, N, M>],
    particles: &[Particle<T>],
    inverse_h2: T,
) -> Summary {
    let mut summary = Summary::default();
    for item in items {
        let x = item.stencil().map(|v| particles[v as usize].x);
        let values = item.rest().values(&x);
        let residuals = residual(&values, item.compliance() * inverse_h2, item.lambda());
        let compliance = item.compliance().to_f64();
        for (value, residual) in values.iter().zip(&residuals) {
            let r = residual.to_f64();
            summary.residual.take(r.abs(), item.source());
            summary.residual_squares += r * r;
            if compliance > 0.0 {
                let c = value.to_f64();
                summary.energy += 0.5 * c * c / compliance;
            }
        }
        summary.rows += M;
        match K::measure(item.rest(), &values) {
            Measure::Nothing => {}
            Measure::Stretch(s) => {
                let s = s.to_f64();
                summary.stretch.take(s, item.source());
                summary.compression.take(-s, item.source());
                summary.stretch_sum += s.abs();
                summary.stretches += 1;
            }
            Measure::Volume(v) => {
                let v = v.to_f64();
                summary.volume.take(v.abs(), item.source());
                summary.volumes += 1;
                if v <= -1.0 {
                    summary.inverted += 1;
                    summary.first_inverted =
                        Some(summary.first_inverted.map_or(item.source(), |f| f.min(item.source())));
                }
            }
        }
    }
    summary
}

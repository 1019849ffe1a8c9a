//! Functions on lists of constraints that do not depend on the kind: written and compiled once for all kinds.

use std::ops::Range;

use pliant_kernel::{Entry, Number, Particle, Summary};
use rayon::prelude::*;

use crate::set::constraint_set::{Resistance, mark_ties};

/// Calls a function with all entries of a list, one after the other.
pub(crate) type Each<'a, T> = &'a dyn Fn(&mut dyn FnMut(&Entry<'_, T>));

/// The common value of all `values`, if they are equal; `none` if there are no values.
pub(crate) fn the_same<A: Copy + PartialEq>(values: impl IntoIterator<Item = A>, none: A) -> Option<A> {
    let mut values = values.into_iter();
    let first = values.next().unwrap_or(none);
    values.all(|value| value == first).then_some(first)
}

/// The multipliers of `rows` rows in all, constraint by constraint in the caller's numbering; zero without an entry.
pub(crate) fn multipliers<T: Number>(each: Each<'_, T>, rows: usize) -> Vec<f64> {
    let mut all = vec![0.0; rows];
    each(&mut |entry| {
        for (row, lambda) in entry.lambda.iter().enumerate() {
            all[entry.source * entry.lambda.len() + row] = lambda.to_f64();
        }
    });
    all
}

/// Calls `look` with the particles of `count` constraints of `points` particles each, in the caller's order.
pub(crate) fn for_each_element<T>(
    each: Each<'_, T>,
    count: usize,
    points: usize,
    look: &mut dyn FnMut(&[u32]),
) {
    let mut stencils = vec![0; count * points];
    each(&mut |entry| stencils[entry.source * points..][..points].copy_from_slice(entry.stencil));
    stencils.chunks_exact(points).for_each(look);
}

/// The compliances of `count` constraints in the caller's order.
pub(crate) fn compliances<T: Number>(each: Each<'_, T>, count: usize) -> Vec<T> {
    let mut all = vec![T::zero(); count];
    each(&mut |entry| all[entry.source] = entry.compliance);
    all
}

/// Compliances in place of those that constraints were built with; the error says why that is not possible.
pub(crate) fn other_compliances<T: Number>(
    built: &[T],
    resistance: Option<Resistance>,
) -> Result<Vec<T>, &'static str> {
    match resistance {
        Some(Resistance::Compliance(_)) if the_same(built.iter().copied(), T::zero()).is_none() => {
            return Err("they differ from element to element; use scale_stiffness");
        }
        Some(Resistance::Stiffer(_)) if built.iter().all(|&a| a <= T::zero()) => {
            return Err("it is rigid; use set_compliance");
        }
        _ => {}
    }
    let other = |&built: &T| match resistance {
        None => built,
        Some(Resistance::Compliance(value)) => T::splat(value),
        Some(Resistance::Stiffer(factor)) => built / T::splat(factor),
    };
    Ok(built.iter().map(other).collect())
}

/// The place of each of `count` constraints, by its number in the caller's list.
#[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
pub(crate) fn places<T>(each: Each<'_, T>, count: usize) -> Vec<u32> {
    let mut places = vec![u32::MAX; count];
    each(&mut |entry| places[entry.source] = entry.place as u32);
    places
}

/// The places of the entries with a particle for which `is` holds.
#[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
pub(crate) fn touching<T>(each: Each<'_, T>, is: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut found = Vec::new();
    each(&mut |entry| {
        if entry.stencil.iter().any(|&v| is(v)) {
            found.push(entry.place as u32);
        }
    });
    found
}

/// The numbers of the entries in the caller's list, in their order.
#[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
pub(crate) fn sources<T>(each: Each<'_, T>) -> Vec<u32> {
    let mut found = Vec::new();
    each(&mut |entry| found.push(entry.source as u32));
    found
}

/// Marks the parts that the entries tie, see [`Inspect::ties`](crate::set::constraint_set::Inspect::ties).
pub(crate) fn ties<T>(each: Each<'_, T>, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
    each(&mut |entry| mark_ties(entry.stencil.iter().copied(), part_of, tied));
}

/// Whether a constraint acts on a particle that can move, and is not in the ranges `without` of the caller's list.
pub(crate) fn acts<T: Number>(
    entry: &Entry<'_, T>,
    particles: &[Particle<T>],
    without: &[Range<usize>],
) -> bool {
    let is_free = |v: &u32| T::zero() < particles[*v as usize].w;
    entry.stencil.iter().any(is_free) && !without.iter().any(|d| d.contains(&entry.source))
}

/// Summaries of `count` pieces, by all threads.
pub(crate) fn summaries(count: usize, of: &(dyn Fn(usize) -> Summary + Sync)) -> Vec<Summary> {
    (0..count).into_par_iter().map(of).collect()
}

//! [`Batch`]: constraints of one kind in the order in which they are projected.

use std::ops::Range;
#[cfg(debug_assertions)]
use std::sync::atomic::AtomicU32;

use pliant_constraints::{Damping, Kind, project, project_damped};

use crate::disjoint::DisjointParticles;
#[cfg(debug_assertions)]
use crate::disjoint::Writers;
use crate::item::{Item, Sweep};
use crate::number::Number;
use crate::particles::Particle;
use crate::team::Team;

/// Constraints projected together by one task. Fixed, so that nothing depends on the number of threads; the result would not anyway.
const CHUNK: usize = 2048;

/// Constraints in their order of projection, divided into colours.
///
/// Invariant, established by [`Batch::new`] and kept because the stencils cannot be changed afterwards: every index is below
/// `particles`, and if `disjoint` is set no two items of a colour share a particle.
pub struct Batch<T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    items: Vec<Item<T, K, N, M>>,
    colours: Vec<Range<usize>>,
    disjoint: bool,
    particles: usize,
    #[cfg(debug_assertions)]
    marks: Vec<AtomicU32>,
    #[cfg(debug_assertions)]
    epoch: u32,
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Batch<T, K, N, M> {
    /// A batch over `particles` particles. `colours` are consecutive ranges of `items`; with `disjoint` they may run in parallel.
    ///
    /// # Panics
    ///
    /// If the ranges do not cover the items, an index is out of range, or two constraints of a colour share a particle:
    /// a plan that breaks this is a bug of the planner.
    pub fn new(
        items: Vec<Item<T, K, N, M>>,
        colours: Vec<Range<usize>>,
        disjoint: bool,
        particles: usize,
    ) -> Self {
        let mut next = 0;
        for range in &colours {
            assert_eq!(range.start, next, "the colours of a batch must follow one another");
            next = range.end;
        }
        assert_eq!(next, items.len(), "the colours of a batch must cover its constraints");
        let mut last_colour = vec![u32::MAX; particles];
        for (colour, range) in (0_u32..).zip(&colours) {
            for item in &items[range.clone()] {
                for &v in &item.stencil {
                    let last = &mut last_colour[v as usize];
                    assert!(
                        !disjoint || *last != colour,
                        "two constraints of colour {colour} share particle {v}"
                    );
                    *last = colour;
                }
            }
        }
        Self {
            items,
            colours,
            disjoint,
            particles,
            #[cfg(debug_assertions)]
            marks: (0..particles).map(|_| AtomicU32::new(0)).collect(),
            #[cfg(debug_assertions)]
            epoch: 0,
        }
    }

    /// The constraints, in their order.
    pub fn items(&self) -> &[Item<T, K, N, M>] {
        &self.items
    }

    /// The constraints of every colour.
    pub fn colours(&self) -> &[Range<usize>] {
        &self.colours
    }

    /// Replaces the rest data of the item at a place in the batch.
    pub fn set_rest(&mut self, place: usize, rest: K::At<T>) {
        self.items[place].rest = rest;
    }

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    pub fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        self.items.iter_mut().for_each(|item| item.lambda = of(item.source()));
    }

    pub(crate) fn sweep_here(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        assert!(particles.len() >= self.particles, "the batch was planned for more particles");
        for place in 0..self.colours.len() {
            let range = &self.colours[if sweep.backward { self.colours.len() - 1 - place } else { place }];
            #[cfg(debug_assertions)]
            let writers = {
                self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
                    self.marks.iter_mut().for_each(|mark| *mark.get_mut() = 0);
                    1
                });
                self.disjoint.then_some(Writers { marks: &self.marks, epoch: self.epoch })
            };
            let shared = DisjointParticles::new(
                particles,
                #[cfg(debug_assertions)]
                writers,
            );
            let items = &mut self.items[range.clone()];
            if self.disjoint && items.len() > CHUNK {
                // SAFETY: indices are in range and the items of a disjoint colour share no particle (invariant of `Batch`), so
                // no two tasks touch the same one; the team finishes all tasks before the next colour starts.
                let one = |chunk: &mut [_]| unsafe { project_items(chunk, &shared, previous, sweep) };
                team.for_each(items.chunks_mut(CHUNK), one);
            } else {
                // SAFETY: indices are in range (invariant of `Batch`) and this is the only thread with access.
                unsafe { project_items(items, &shared, previous, sweep) };
            }
        }
    }
}

/// Projects constraints one after the other.
///
/// # Safety
///
/// Every index of the stencils is in range, and no other thread accesses their particles meanwhile.
#[inline(always)]
unsafe fn project_items<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    items: &mut [Item<T, K, N, M>],
    particles: &DisjointParticles<'_, T>,
    previous: &[Particle<T>],
    sweep: Sweep<T>,
) {
    for place in 0..items.len() {
        let item = &mut items[if sweep.backward { items.len() - 1 - place } else { place }];
        if sweep.first {
            item.lambda = [T::zero(); M];
        }
        // SAFETY: as the caller promises.
        let loaded = item.stencil.map(|v| unsafe { particles.load(v) });
        let x = loaded.map(|p| p.x);
        let w = loaded.map(|p| p.w);
        let alpha_tilde = item.compliance * sweep.inverse_h2;
        let dx = if sweep.gamma > T::zero() {
            let previous = item.stencil.map(|v| previous[v as usize].x);
            let damping = Damping { previous: &previous, gamma: sweep.gamma };
            project_damped(&item.rest, &x, &w, alpha_tilde, damping, sweep.update, &mut item.lambda)
        } else {
            project(&item.rest, &x, &w, alpha_tilde, sweep.update, &mut item.lambda)
        };
        for j in 0..N {
            // SAFETY: as the caller promises.
            unsafe { particles.store(item.stencil[j], x[j] + dx[j]) };
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_constraints::Distance;

    use pliant_constraints::Update;

    use super::*;
    use crate::lanes::Simd;

    fn item(stencil: [u32; 2]) -> Item<f64, Distance<f64>, 2, 1> {
        Item::new(stencil, &Distance { rest: 1.0 }, 0.0, 0)
    }

    fn line(n: u32) -> Vec<Particle<f64>> {
        (0..n).map(|i| Particle::new(Vector3::new(2.0 * f64::from(i), 0.0, 0.0), 1.0)).collect()
    }

    fn sweep() -> Sweep<f64> {
        Sweep {
            inverse_h2: 1.0,
            update: Update::xpbd(),
            gamma: 0.0,
            first: true,
            last: true,
            keep: true,
            backward: false,
            simd: Simd::portable(),
        }
    }

    #[test]
    #[should_panic(expected = "share particle 1")]
    fn a_colour_with_a_shared_particle_is_refused() {
        let _ = Batch::new(vec![item([0, 1]), item([1, 2])], vec![0..1, 1..2], true, 3);
        let _ = Batch::new(vec![item([0, 1]), item([1, 2])], std::iter::once(0..2).collect(), true, 3);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn an_index_out_of_range_is_refused() {
        let _ = Batch::new(vec![item([0, 3])], std::iter::once(0..1).collect(), true, 3);
    }

    #[test]
    #[should_panic(expected = "planned for more particles")]
    fn too_few_particles_are_refused() {
        let mut batch = Batch::new(vec![item([0, 1])], std::iter::once(0..1).collect(), true, 2);
        batch.sweep(&mut line(1), &line(1), sweep(), Team::alone());
    }

    #[test]
    fn parallel_and_sequential_sweeps_of_a_colour_give_the_same_bits() {
        let n = 3 * CHUNK as u32;
        let items: Vec<_> = (0..n).map(|i| item([2 * i, 2 * i + 1])).collect();
        let whole: Vec<_> = std::iter::once(0..items.len()).collect();
        let mut one = line(2 * n);
        let mut two = one.clone();
        let previous = one.clone();
        Batch::new(items.clone(), whole.clone(), true, 2 * n as usize).sweep(
            &mut one,
            &previous,
            sweep(),
            Team::alone(),
        );
        Team::form(2, |team| {
            Batch::new(items, whole, true, 2 * n as usize).sweep(&mut two, &previous, sweep(), team);
        });
        assert_eq!(one, two);
        assert!((one[1].x.x - one[0].x.x - 1.0).abs() < 1e-12);
    }
}

//! [`Batch`]: constraints of one kind, projected one after the other.

use pliant_constraints::{Damping, Kind, project, project_damped};

use crate::item::{Item, Sweep};
use crate::number::Number;
use crate::particles::Particle;

/// Constraints in the order in which they are projected, one after the other by one thread: it has no packs,
/// lanes or teams and is the reference for those.
pub struct Batch<T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    items: Vec<Item<T, K, N, M>>,
    particles: usize,
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Batch<T, K, N, M> {
    /// A batch over `particles` particles.
    ///
    /// # Panics
    ///
    /// If an index is out of range: a plan that has one is a bug of the planner.
    pub fn new(items: Vec<Item<T, K, N, M>>, particles: usize) -> Self {
        for item in &items {
            for v in item.stencil {
                assert!((v as usize) < particles, "particle {v} of constraint {} is not there", item.source);
            }
        }
        Self { items, particles }
    }

    /// The constraints, in their order.
    pub fn items(&self) -> &[Item<T, K, N, M>] {
        &self.items
    }

    pub(crate) fn items_mut(&mut self) -> &mut [Item<T, K, N, M>] {
        &mut self.items
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
    ) {
        assert!(particles.len() >= self.particles, "the batch was planned for more particles");
        let one = |item| project_item(item, particles, previous, sweep);
        if sweep.backward {
            self.items.iter_mut().rev().for_each(one);
        } else {
            self.items.iter_mut().for_each(one);
        }
    }
}

/// Projects a constraint.
#[inline(always)]
fn project_item<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    item: &mut Item<T, K, N, M>,
    particles: &mut [Particle<T>],
    previous: &[Particle<T>],
    sweep: Sweep<T>,
) {
    if sweep.first {
        item.lambda = [T::zero(); M];
    }
    let loaded = item.stencil.map(|v| particles[v as usize]);
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
    for ((v, x), dx) in item.stencil.iter().zip(x).zip(dx) {
        particles[*v as usize].x = x + dx;
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_constraints::Distance;

    use pliant_constraints::Update;

    use super::*;
    use crate::lanes::Simd;

    fn item([a, b]: [u32; 2]) -> Item<f64, Distance<f64>, 2, 1> {
        Item::new([a, b], &Distance { rest: 1.0 }, 0.0, a)
    }

    fn line(n: u32) -> Vec<Particle<f64>> {
        (0..n).map(|i| Particle::new(Vector3::new(2.0 * f64::from(i), 0.0, 0.0), 1.0)).collect()
    }

    fn sweep(backward: bool) -> Sweep<f64> {
        Sweep {
            inverse_h2: 1.0,
            update: Update::xpbd(),
            gamma: 0.0,
            first: true,
            last: true,
            keep: true,
            backward,
            simd: Simd::portable(),
        }
    }

    #[test]
    #[should_panic(expected = "particle 3 of constraint 0 is not there")]
    fn an_index_out_of_range_is_refused() {
        let _ = Batch::new(vec![item([0, 3])], 3);
    }

    #[test]
    #[should_panic(expected = "planned for more particles")]
    fn too_few_particles_are_refused() {
        let mut batch = Batch::new(vec![item([0, 1])], 2);
        batch.sweep(&mut line(1), &line(1), sweep(false));
    }

    #[test]
    fn what_is_projected_last_holds() {
        let previous = line(3);
        for (backward, [first, last]) in [(false, [1.75, 1.0]), (true, [1.0, 1.75])] {
            let mut particles = previous.clone();
            let mut batch = Batch::new(vec![item([0, 1]), item([1, 2])], 3);
            batch.sweep(&mut particles, &previous, sweep(backward));
            let length = |a: usize| particles[a + 1].x.x - particles[a].x.x;
            assert!((length(0) - first).abs() < 1e-12, "{}", length(0));
            assert!((length(1) - last).abs() < 1e-12, "{}", length(1));
        }
    }
}

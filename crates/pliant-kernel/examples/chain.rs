//! A chain of rods, projected one after the other and eight side by side by one thread and by three: two
//! colours of constraints, and the same bits.
#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::{Distance, Update};
use pliant_kernel::{Batch, DynamicPacks, Item, PACK, Particle, Simd, Sweep, Team};

/// Rods of 1 m between particles that are 1.1 m apart.
const RODS: u32 = 20_000;

fn sweep(iteration: u32) -> Sweep<f64> {
    Sweep {
        inverse_h2: 3600.0,
        update: Update::xpbd(),
        gamma: 0.0,
        first: iteration == 0,
        last: iteration == 9,
        keep: true,
        backward: false,
        simd: Simd::detect(),
    }
}

fn main() {
    // Every other rod has a colour: no two of them share a particle.
    let of_colour = |colour: u32| (colour..RODS).step_by(2);
    let rods: Vec<_> = of_colour(0)
        .chain(of_colour(1))
        .map(|rod| Item::<f64, _, 2, 1>::new([rod, rod + 1], &Distance { rest: 1.0 }, 0.0, rod))
        .collect();
    let particle = |i| Particle::new(Vector3::new(1.1 * f64::from(i), 0.0, 0.0), 1.0);
    // Behind the particles there are dummies without mass, for lanes that have no rod.
    let dummies = (0..2 * PACK).map(|_| Particle::new(Vector3::zeros(), 0.0));
    let chain: Vec<_> = (0..=RODS).map(particle).chain(dummies).collect();

    let mut one_by_one = chain.clone();
    let mut batch = Batch::new(rods, chain.len());
    (0..10).for_each(|iteration| batch.sweep(&mut one_by_one, &chain, sweep(iteration)));

    for threads in [1, 3] {
        let mut packs = DynamicPacks::<_, Distance<f64>, 2, 1>::new(Some(0.0), RODS + 1, chain.len());
        batch.items().iter().for_each(|rod| packs.put(rod.stencil(), *rod.rest(), 0.0));
        packs.plan();
        let mut particles = chain.clone();
        Team::form(threads, |team| {
            (0..10).for_each(|iteration| packs.sweep(&mut particles, &chain, sweep(iteration), team));
        });
        assert_eq!(one_by_one, particles, "the same bits");
    }
    let length = |particles: &[Particle<f64>]| particles[RODS as usize].x.x - particles[0].x.x;
    println!(
        "{RODS} rods were {:.0} m long, and are {:.3} m after ten sweeps",
        length(&chain),
        length(&one_by_one)
    );
}

//! A chain of rods, projected by one thread and by three: two colours of constraints, and the same bits.
#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::{Distance, Update};
use pliant_kernel::{Batch, Item, Particle, Simd, Sweep, Team};

/// Rods of 1 m between particles that are 1.1 m apart.
const RODS: u32 = 20_000;

fn main() {
    // Every other rod has a colour: no two of them share a particle.
    let of_colour = |colour: u32| (colour..RODS).step_by(2);
    let rods: Vec<_> = of_colour(0)
        .chain(of_colour(1))
        .map(|rod| Item::<f64, _, 2, 1>::new([rod, rod + 1], &Distance { rest: 1.0 }, 0.0, rod))
        .collect();
    let half = of_colour(0).count();
    let chain: Vec<_> =
        (0..=RODS).map(|i| Particle::new(Vector3::new(1.1 * f64::from(i), 0.0, 0.0), 1.0)).collect();

    let swept = |threads: usize| {
        let colours = vec![0..half, half..rods.len()];
        let mut batch = Batch::new(rods.clone(), colours, true, chain.len());
        let mut particles = chain.clone();
        Team::form(threads, |team| {
            for iteration in 0..10 {
                let sweep = Sweep {
                    inverse_h2: 3600.0,
                    update: Update::xpbd(),
                    gamma: 0.0,
                    first: iteration == 0,
                    last: iteration == 9,
                    keep: true,
                    backward: false,
                    simd: Simd::detect(),
                };
                batch.sweep(&mut particles, &chain, sweep, team);
            }
        });
        particles
    };
    let (one, three) = (swept(1), swept(3));
    assert_eq!(one, three, "the same bits");
    let length = |particles: &[Particle<f64>]| particles[RODS as usize].x.x - particles[0].x.x;
    println!("{RODS} rods were {:.0} m long, and are {:.3} m after ten sweeps", length(&chain), length(&one));
}

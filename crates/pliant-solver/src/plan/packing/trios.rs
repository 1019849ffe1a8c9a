//! Packs of triangles against packs one by one, and against constraints one by one.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{Distance, Update};
use pliant_kernel::{
    Item, PACK, PackPlan, Packs, Particle, PerCluster, Simd, State, Summary, Sweep, Team, TrioCount,
};
use proptest::prelude::*;

use super::{Packing, pack};
use pliant_kernel::Scalar;

/// Edges of a grid of `side`² points, each with a diagonal of its own choice.
fn grid(side: u32, diagonals: &[bool]) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for v in 0..side * side {
        let (right, up) = (v % side + 1 < side, v / side + 1 < side);
        edges.extend(right.then_some([v, v + 1]));
        edges.extend(up.then_some([v, v + side]));
        if right && up {
            let falls = diagonals[v as usize % diagonals.len()];
            edges.push(if falls { [v + 1, v + side] } else { [v, v + side + 1] });
        }
    }
    edges
}

/// A plan of a single cluster.
fn plan(packs: Vec<[u32; PACK]>, trio_count: TrioCount, points: usize) -> PackPlan {
    let clusters: Vec<Range<usize>> = std::iter::once(0..packs.len()).collect();
    PackPlan {
        packs,
        clusters,
        trio_counts: vec![trio_count],
        numbers: vec![0],
        dummies: vec![points as u32],
        colours: std::iter::once(0..1).collect(),
        waits: PerCluster::from_pairs(1, std::iter::empty),
    }
}

fn packs_of<T: Scalar>(
    edges: &[[u32; 2]],
    compliance: f64,
    plan: PackPlan,
    points: usize,
) -> Packs<T, Distance<f64>, 2, 1> {
    let item = |i: usize| Item::new(edges[i], &Distance { rest: 0.9 }, compliance, i as u32);
    Packs::new(edges.len(), item, Some(T::splat(compliance)), plan, points + 2 * PACK)
}

/// Positions as bits and multipliers after three sweeps, with the damping γ.
fn swept<T: Scalar>(
    mut packs: Packs<T, Distance<f64>, 2, 1>,
    places: &[(Vector3<f64>, f64)],
    gamma: f64,
    simd: Simd,
) -> (Vec<T>, Vec<(usize, T)>) {
    let particle = |&(x, w): &(Vector3<f64>, f64)| Particle::new(x.map(T::splat), T::splat(w));
    let mut particles: Vec<Particle<T>> = places.iter().map(particle).collect();
    particles.extend((0..2 * PACK).map(|_| Particle::new(Vector3::zeros(), T::zero())));
    let mut previous = particles.clone();
    previous.iter_mut().for_each(|p| p.x *= T::splat(0.9));
    for iteration in 0..3 {
        let sweep = Sweep {
            inverse_h2: T::splat(3600.0),
            update: Update::xpbd(),
            gamma: T::splat(gamma),
            first: iteration == 0,
            last: iteration == 2,
            keep: true,
            backward: iteration == 1,
            simd,
        };
        packs.sweep(&mut particles, &previous, sweep, Team::alone());
    }
    let numbers = particles.iter().flat_map(|p| [p.x.x, p.x.y, p.x.z, p.w]).collect();
    let mut multipliers = Vec::new();
    packs.for_each(0..packs.pack_count(), &mut |_, item| {
        multipliers.push((item.source(), item.lambda()[0]));
    });
    (numbers, multipliers)
}

fn trios_are_packs<T: Scalar>(
    edges: &[[u32; 2]],
    places: &[(Vector3<f64>, f64)],
    compliance: f64,
    gamma: f64,
    simd: Simd,
) -> Result<(), TestCaseError> {
    let numbers: Vec<u32> = (0..edges.len() as u32).collect();
    let Packing { packs, trio_count } = pack(places.len(), edges, &numbers, true);
    prop_assert!(trio_count.pairs > 0);
    let trios = packs_of::<T>(edges, compliance, plan(packs.clone(), trio_count, places.len()), places.len());
    let plain = plan(packs, TrioCount::default(), places.len());
    let plain = packs_of::<T>(edges, compliance, plain, places.len());
    let mut as_given = true;
    trios.for_each(0..trios.pack_count(), &mut |_, item| as_given &= item.stencil() == edges[item.source()]);
    prop_assert!(as_given);
    prop_assert!(swept(trios, places, gamma, simd) == swept(plain, places, gamma, simd));
    Ok(())
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    #[test]
    fn trios_give_the_bits_of_packs_one_by_one(
        diagonals in prop::collection::vec(any::<bool>(), 1..30),
        places in prop::collection::vec((prop::array::uniform3(-4.0..4.0_f64), 0.0..2.0_f64), 12 * 12),
        compliance in prop_oneof![Just(0.0), 1e-6..1e-2_f64],
        gamma in prop_oneof![Just(0.0), 0.1..2.0_f64],
    ) {
        let edges = grid(12, &diagonals);
        let place = |(x, w): ([f64; 3], f64)| (Vector3::from(x), (w - 0.2).max(0.0));
        let places: Vec<_> = places.into_iter().map(place).collect();
        for simd in [Simd::detect(), Simd::portable()] {
            trios_are_packs::<f32>(&edges, &places, compliance, gamma, simd)?;
            trios_are_packs::<f64>(&edges, &places, compliance, gamma, simd)?;
        }
    }
}

/// An evaluation against a walk over the constraints one by one.
fn evaluations_are_walks<T: Scalar>(
    edges: &[[u32; 2]],
    places: &[(Vector3<f64>, f64)],
    (compliance, gamma): (f64, f64),
    simd: Simd,
    tolerance: f64,
) -> Result<(), TestCaseError> {
    let numbers: Vec<u32> = (0..edges.len() as u32).collect();
    let Packing { packs, trio_count } = pack(places.len(), edges, &numbers, true);
    let mut packs = packs_of::<T>(edges, compliance, plan(packs, trio_count, places.len()), places.len());
    packs.set_multipliers(|edge| [T::splat(1e-3 * (edge as f64 * 0.7).sin())]);
    let particle = |&(x, w): &(Vector3<f64>, f64)| Particle::new(x.map(T::splat), T::splat(w));
    let mut now: Vec<Particle<T>> = places.iter().map(particle).collect();
    now.extend((0..2 * PACK).map(|_| Particle::new(Vector3::zeros(), T::zero())));
    let mut previous = now.clone();
    previous.iter_mut().for_each(|p| p.x *= T::splat(0.9));
    let state = State {
        count: places.len(),
        now: &now,
        previous: &previous,
        inverse_h2: T::splat(3600.0),
        gamma: T::splat(gamma),
        rest_energies: &[],
    };
    let nothing = vec![Particle::new(Vector3::zeros(), T::zero()); now.len()];
    let (mut impulses, mut walked) = (nothing.clone(), nothing);
    let found = packs.evaluate(&state, Some(&mut impulses), simd, Team::alone());
    let all = 0..packs.pack_count();
    let mut expected = Summary::default();
    packs.for_each(all, &mut |_, item| {
        item.add_impulses(&now, &mut walked);
        item.summarise(&state, &mut expected);
    });
    for (a, b) in impulses.iter().zip(&walked).take(places.len()) {
        let error = (a.x - b.x).map(T::to_f64).norm();
        prop_assert!(error <= tolerance * 1e-2, "{:?} {:?}", a, b);
    }
    let near = |a: f64, b: f64| (a - b).abs() <= tolerance * (1e-9 + b.abs());
    if gamma > 0.0 {
        // The terms of damping are summed up in another order.
        prop_assert!(near(found.residual.value, expected.residual.value));
    } else {
        prop_assert_eq!(found.residual, expected.residual);
    }
    prop_assert_eq!(found.stretch, expected.stretch);
    prop_assert_eq!(found.compression, expected.compression);
    prop_assert_eq!((found.rows, found.stretches), (expected.rows, expected.stretches));
    prop_assert_eq!(found.rigid_rows, expected.rigid_rows);
    prop_assert_eq!(&found.stretch_distribution, &expected.stretch_distribution);
    for (a, b) in [
        (found.residual_squares, expected.residual_squares),
        (found.stretch_sum, expected.stretch_sum),
        (found.energy, expected.energy),
        (found.softness, expected.softness),
    ] {
        prop_assert!(near(a, b), "{} {}", a, b);
    }
    Ok(())
}

proptest! {
    #![proptest_config(pliant_testkit::config(24))]

    #[test]
    fn an_evaluation_of_trios_finds_what_a_walk_over_the_sides_finds(
        side in 3..14_u32,
        diagonals in prop::collection::vec(any::<bool>(), 1..30),
        places in prop::collection::vec((prop::array::uniform3(-4.0..4.0_f64), 0.0..2.0_f64), 14 * 14),
        compliance in prop_oneof![Just(0.0), 1e-4..1e-2_f64],
        gamma in prop_oneof![Just(0.0), 0.1..2.0_f64],
    ) {
        let edges = grid(side, &diagonals);
        let place = |(x, w): ([f64; 3], f64)| (Vector3::from(x), (w - 0.2).max(0.0));
        let places: Vec<_> = places.into_iter().take((side * side) as usize).map(place).collect();
        for simd in [Simd::detect(), Simd::portable()] {
            evaluations_are_walks::<f32>(&edges, &places, (compliance, gamma), simd, 1e-4)?;
            evaluations_are_walks::<f64>(&edges, &places, (compliance, gamma), simd, 1e-12)?;
        }
    }
}

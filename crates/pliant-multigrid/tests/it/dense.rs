//! Comparison with dense matrices.

use pliant_multigrid::{BlockMatrix, BlockPattern, Coarsening, Hierarchy, Nodes, Settings, Status};
use proptest::prelude::*;

use crate::problems::{Noise, add_random, block, columns, dense, flat};

const SMALL: [Settings; 3] = [
    Settings { coarsening: Coarsening::Lattice, coarsest: 4 },
    Settings { coarsening: Coarsening::Aggregates, coarsest: 4 },
    Settings { coarsening: Coarsening::Lattice, coarsest: 100 },
];

proptest! {
    #![proptest_config(pliant_testkit::config(150))]

    #[test]
    fn random_systems_are_solved(
        count in 1..40_usize,
        picks in prop::collection::vec((2..5_usize, any::<u64>()), 0..60),
        rank in 1..4_usize,
        pinned in any::<u64>(),
        with_rest: bool,
        seed in any::<u64>(),
    ) {
        let mut noise = Noise(seed);
        let elements: Vec<Vec<u32>> = picks
            .into_iter()
            .map(|(size, pick)| {
                let mut element: Vec<u32> = (0..size as u32)
                    .map(|k| ((pick >> (8 * k)) % count as u64) as u32)
                    .collect();
                element.sort_unstable();
                element.dedup();
                element
            })
            .collect();
        let rest: Vec<[f64; 3]> = if with_rest { noise.vectors(count) } else { vec![] };
        let fixed: Vec<bool> = (0..count).map(|k| k > 0 && pinned >> (k % 64) & 7 == 7).collect();
        let pattern = BlockPattern::new(&Nodes { count, fixed: &fixed, rest: &rest }, &elements).unwrap();
        let mut matrix = BlockMatrix::<f64>::new(&pattern);
        (0..count).for_each(|node| matrix.add_scalar(node, 0.01));
        add_random(&mut matrix, &elements, rank, &mut noise);

        let rhs = noise.vectors::<f64>(count);
        let mut whole = dense(&matrix);
        for node in (0..count).filter(|&node| fixed[node]) {
            (0..3).for_each(|k| whole[(3 * node + k, 3 * node + k)] = 1.0);
        }
        let mut free = flat(&rhs);
        for node in (0..count).filter(|&node| fixed[node]) {
            (0..3).for_each(|k| free[3 * node + k] = 0.0);
        }
        let expected = whole.cholesky().unwrap().solve(&free);
        for settings in SMALL {
            let mut hierarchy = Hierarchy::new(&pattern, settings);
            let mut x = noise.vectors::<f64>(count);
            let outcome = hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, 1e-11, 200).unwrap();
            prop_assert_eq!(outcome.status, Status::Converged);
            let error = (flat(&x) - &expected).norm() / expected.norm().max(1e-9);
            prop_assert!(error < 1e-7, "{} after {:?}, {:?}", error, outcome, settings);
        }
    }
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    let problem = block([5, 4, 3], 0.2);
    let fixed: Vec<bool> = problem.rest.iter().map(|x| x[0] < 0.5).collect();
    let pattern = problem.pattern(&fixed);
    let matrix = problem.springs::<f64>(&pattern, 0.02);
    let smoothed_to_the_end = Settings { coarsest: 0, ..Settings::default() };
    for settings in SMALL.into_iter().chain([smoothed_to_the_end]) {
        let mut hierarchy = Hierarchy::new(&pattern, settings);
        let mut system = hierarchy.refresh(&matrix).unwrap();
        let cycle = columns(pattern.nodes(), |x: &[[f64; 3]], y| system.precondition(x, y).unwrap());
        let asymmetry = (&cycle - cycle.transpose()).norm() / cycle.norm();
        assert!(asymmetry < 1e-11, "{asymmetry}");
        let values = cycle.symmetric_eigen().eigenvalues;
        // A fixed node has zeros, which are not eigenvalues of the free ones.
        let fixed = 3 * fixed.iter().filter(|fixed| **fixed).count();
        assert_eq!(values.iter().filter(|value| value.abs() < 1e-12).count(), fixed);
        assert!(values.min() > -1e-12);
    }
}

#[test]
fn one_dense_level_is_exact() {
    let problem = block([2, 2, 2], 0.1);
    let pattern = problem.pattern(&[]);
    let matrix = problem.springs::<f64>(&pattern, 0.1);
    let mut hierarchy = Hierarchy::new(&pattern, Settings::default());
    assert_eq!(hierarchy.level_sizes().nodes, [27]);
    let mut system = hierarchy.refresh(&matrix).unwrap();
    let cycle = columns(27, |x: &[[f64; 3]], y| system.precondition(x, y).unwrap());
    let product = dense(&matrix) * cycle;
    assert!((product - nalgebra::DMatrix::identity(81, 81)).norm() < 1e-10);
}

#[test]
fn blocks_come_back_from_their_slots() {
    let pattern = BlockPattern::new(&Nodes { count: 3, ..Nodes::default() }, &[[0, 2], [2, 1]]).unwrap();
    let mut matrix = BlockMatrix::<f32>::new(&pattern);
    let block = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let slot = pattern.slot(0, 2);
    matrix.add(slot, block);
    matrix.add(slot, block);
    assert_eq!(matrix.block(slot), block.map(|row| row.map(|x| 2.0 * x)));
    // Row of node 0, column of node 2.
    assert_eq!(dense(&matrix)[(1, 8)], 12.0);
    assert_eq!(dense(&matrix).iter().filter(|x| **x != 0.0).count(), 9);
    matrix.clear();
    assert_eq!(matrix.block(slot), [[0.0; 3]; 3]);
}

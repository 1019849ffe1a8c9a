//! The number of iterations.

use pliant_multigrid::{Coarsening, Hierarchy, Settings, Status, Tolerance};

use crate::problems::{Noise, block};

/// Iterations to a residual of `tolerance` of the right-hand side.
fn iterations(cells: [usize; 3], mass: f64, coarsening: Coarsening, tolerance: f64) -> usize {
    let problem = block(cells, 0.2);
    let fixed: Vec<bool> = problem.rest.iter().map(|x| x[0] < 0.3).collect();
    let pattern = problem.pattern(&fixed);
    let matrix = problem.springs::<f64>(&pattern, mass);
    let mut hierarchy = Hierarchy::new(&pattern, Settings { coarsening, ..Settings::default() });
    let rhs = Noise(8).vectors::<f64>(problem.rest.len());
    let mut x = vec![[0.0; 3]; rhs.len()];
    let outcome = hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, tolerance, 200).unwrap();
    assert_eq!(outcome.status, Status::Converged);
    outcome.iterations
}

#[test]
fn solids_take_no_more_iterations_where_they_are_finer() {
    for cells in [[8; 3], [16; 3], [24; 3], [60, 8, 8]] {
        let (coarse, fine) = (
            iterations(cells, 1e-4, Coarsening::Lattice, 1e-2),
            iterations(cells, 1e-4, Coarsening::Lattice, 1e-6),
        );
        assert!(coarse <= 5 && fine <= 13, "{cells:?}: {coarse} and {fine}");
    }
}

#[test]
fn sheets_and_patches_take_some_more() {
    let sheet = iterations([80, 80, 0], 1e-3, Coarsening::Lattice, 1e-2);
    let patches = iterations([16; 3], 1e-4, Coarsening::Aggregates, 1e-2);
    let patches_of_a_sheet = iterations([80, 80, 0], 1e-3, Coarsening::Aggregates, 1e-2);
    assert!(sheet <= 8 && patches <= 10 && patches_of_a_sheet <= 8, "{sheet} {patches} {patches_of_a_sheet}");
}

/// The error that iterations expect is that in the norm of the matrix, within a factor of three.
#[test]
fn iterations_know_how_far_they_are_from_the_solution() {
    for coarsening in [Coarsening::Lattice, Coarsening::Aggregates] {
        let problem = block([12; 3], 0.3);
        let fixed: Vec<bool> = problem.rest.iter().map(|x| x[0] < 0.3).collect();
        let pattern = problem.pattern(&fixed);
        let matrix = problem.springs::<f64>(&pattern, 1e-4);
        let mut hierarchy = Hierarchy::new(&pattern, Settings { coarsening, ..Settings::default() });
        let rhs = Noise(8).vectors::<f64>(problem.rest.len());
        let mut solve = |tolerance: Tolerance| {
            let mut x = vec![[0.0; 3]; rhs.len()];
            let outcome = hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, tolerance, 200).unwrap();
            assert_eq!(outcome.status, Status::Converged);
            (x, outcome)
        };
        let (exact, _) = solve(1e-13.into());
        // Its square, as the free rows of the matrix see it: A (x - exact) is what is left of the right-hand side.
        let length = |x: &[[f64; 3]]| {
            let mut product = vec![[0.0; 3]; x.len()];
            matrix.multiply(x, &mut product).unwrap();
            let dot = |(a, b): (&[f64; 3], &[f64; 3])| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            x.iter().zip(&product).map(dot).sum::<f64>().sqrt()
        };
        for error in [0.1, 0.01, 1e-3] {
            let (x, outcome) = solve(Tolerance { residual: 1.0, error, distance: 0.0 });
            let off: Vec<_> =
                x.iter().zip(&exact).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
            let true_error = length(&off) / length(&x);
            assert!(outcome.error <= error && outcome.iterations >= 3, "{outcome:?}");
            assert!(
                true_error < 3.0 * outcome.error && true_error > outcome.error / 20.0,
                "{true_error} {outcome:?}"
            );
            // The same as a distance.
            let distance = error * length(&exact);
            let (y, outcome) = solve(Tolerance { residual: 0.0, error: 0.0, distance });
            let off: Vec<_> =
                y.iter().zip(&exact).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
            let far = length(&off);
            assert!(far < 2.0 * distance && far > distance / 20.0, "{far} {distance}");
            let said = outcome.error * length(&y);
            assert!(said <= distance && far < 2.0 * said && far > 0.5 * said, "{far} {said}");
        }
    }
}

/// Springs do not feel a translation, so what the right-hand side pushes is the mass alone: of each part by itself.
#[test]
fn the_steps_of_free_parts_keep_momentum_after_any_number_of_iterations() {
    let mut problem = block([6; 3], 0.2);
    let (nodes, edges) = (problem.rest.len() as u32, problem.edges.clone());
    let away: Vec<_> = problem.rest.iter().map(|x| [x[0] + 20.0, x[1], x[2]]).collect();
    problem.rest.extend(away);
    problem.edges.extend(edges.iter().map(|edge| edge.map(|node| node + nodes)));
    let pattern = problem.pattern(&vec![false; problem.rest.len()]);
    let matrix = problem.springs::<f64>(&pattern, 0.25);
    let mut hierarchy = Hierarchy::new(&pattern, Settings::default());
    let rhs = Noise(8).vectors::<f64>(problem.rest.len());
    for iterations in [1, 2, 30] {
        let mut x = vec![[0.0; 3]; rhs.len()];
        hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, 1e-12, iterations).unwrap();
        for (x, rhs) in x.chunks(nodes as usize).zip(rhs.chunks(nodes as usize)) {
            let sum = |of: &[[f64; 3]], axis: usize| of.iter().map(|v| v[axis]).sum::<f64>();
            for axis in 0..3 {
                let (moved, pushed) = (0.25 * sum(x, axis), sum(rhs, axis));
                assert!((moved - pushed).abs() < 1e-9, "{iterations} iterations: {moved} of {pushed}");
            }
        }
    }
}

//! The number of iterations.

use pliant_multigrid::{Coarsening, Hierarchy, Settings, Status};

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

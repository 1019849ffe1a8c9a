//! The same bits from any number of threads.

use pliant_multigrid::{Coarsening, Hierarchy, Number, Settings};

use crate::problems::{Noise, Problem, block};

fn bits<T: Number>(problem: &Problem, threads: usize, coarsening: Coarsening) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let fixed: Vec<bool> = problem.rest.iter().map(|x| x[1] > 20.5).collect();
        let pattern = problem.pattern(&fixed);
        let matrix = problem.springs::<T>(&pattern, 0.01);
        let mut hierarchy = Hierarchy::new(&pattern, Settings { coarsening, ..Settings::default() });
        let rhs = Noise(9).vectors::<T>(problem.rest.len());
        let mut x = vec![[T::ZERO; 3]; rhs.len()];
        let outcome = hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, 1e-5, 30).unwrap();
        let mut bits: Vec<u64> = x.iter().flatten().map(|x| x.wide().to_bits()).collect();
        bits.push(outcome.residual.to_bits());
        bits
    })
}

#[test]
fn threads_do_not_matter() {
    let problem = block([21, 21, 21], 0.2);
    for coarsening in [Coarsening::Lattice, Coarsening::Aggregates] {
        let one = bits::<f32>(&problem, 1, coarsening);
        assert!(one.iter().filter(|bits| **bits != 0).count() > 25_000);
        assert_eq!(one, bits::<f32>(&problem, 2, coarsening));
        assert_eq!(one, bits::<f32>(&problem, 5, coarsening));
    }
    assert_eq!(bits::<f64>(&problem, 1, Coarsening::Lattice), bits::<f64>(&problem, 3, Coarsening::Lattice));
}

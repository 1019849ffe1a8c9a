//! Functions that must not allocate memory.

use pliant_multigrid::{Hierarchy, Settings};

use crate::problems::{Noise, block};

#[test]
fn matrices_are_refreshed_and_solved_with_without_new_memory() {
    let problem = block([21, 21, 21], 0.2);
    let pattern = problem.pattern(&[]);
    let matrix = problem.springs::<f32>(&pattern, 0.01);
    let rhs = Noise(9).vectors::<f32>(problem.rest.len());
    let mut x = vec![[0.0; 3]; rhs.len()];
    let mut hierarchy = None;
    let mut work = || {
        let hierarchy = hierarchy.get_or_insert_with(|| Hierarchy::new(&pattern, Settings::default()));
        x.fill([0.0; 3]);
        hierarchy.refresh(&matrix).unwrap().solve(&rhs, &mut x, 1e-4, 10).unwrap();
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let mut count = || pool.install(|| allocation_counter::measure(&mut work)).count_total;
    let (first, later) = (count(), (0..3).map(|_| count()).sum::<u64>());
    assert!(first > 10, "{first}: nothing is counted");
    assert_eq!(later, 0);
}

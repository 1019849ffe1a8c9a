//! Systems that are empty, or difficult for any solver.

use pliant_multigrid::{BlockMatrix, BlockPattern, Coarsening, Hierarchy, Nodes, Outcome, Settings, Status};

use crate::problems::{Noise, block, flat};

fn solve(matrix: &BlockMatrix<f64>, rhs: &[[f64; 3]], settings: Settings) -> (Vec<[f64; 3]>, Outcome) {
    let mut x = vec![[0.0; 3]; rhs.len()];
    let mut hierarchy = Hierarchy::new(matrix.pattern(), settings);
    let outcome = hierarchy.refresh(matrix).unwrap().solve(rhs, &mut x, 1e-9, 300).unwrap();
    (x, outcome)
}

const BOTH: [Settings; 2] = [
    Settings { coarsening: Coarsening::Lattice, coarsest: 8 },
    Settings { coarsening: Coarsening::Aggregates, coarsest: 8 },
];

fn nodes(count: usize) -> BlockPattern {
    BlockPattern::new::<[u32; 2]>(&Nodes { count, ..Nodes::default() }, &[]).unwrap()
}

#[test]
fn no_nodes_one_node_and_nodes_alone() {
    for count in [0, 1, 50] {
        let mut matrix = BlockMatrix::new(&nodes(count));
        (0..count).for_each(|node| matrix.add_scalar(node, 2.0));
        for settings in BOTH {
            let (x, outcome) = solve(&matrix, &vec![[2.0, 4.0, 6.0]; count], settings);
            assert_eq!(outcome.status, Status::Converged);
            assert_eq!(outcome.iterations, count.min(1));
            assert!(
                x.iter().flatten().zip([1.0, 2.0, 3.0].iter().cycle()).all(|(x, y)| (x - y).abs() < 1e-12)
            );
        }
    }
}

#[test]
fn all_fixed() {
    let problem = block([2, 2, 2], 0.0);
    let pattern = problem.pattern(&[true; 27]);
    assert_eq!((pattern.rows(), pattern.blocks()), (0, 0));
    let matrix = problem.springs(&pattern, 1.0);
    let (x, outcome) = solve(&matrix, &[[1.0; 3]; 27], Settings::default());
    assert_eq!((x, outcome.status), (vec![[0.0; 3]; 27], Status::Converged));
}

#[test]
fn nodes_in_one_place_and_nodes_in_a_row() {
    let mut problem = block([30, 2, 2], 0.0);
    for place in [[0.0, 0.0, 0.0], [1e-3, 0.0, 0.0]] {
        let matrix = problem.springs(&problem.pattern(&[]), 0.1);
        problem.rest.iter_mut().for_each(|x| (0..3).for_each(|k| x[k] *= place[k]));
        let same = BlockPattern::new(
            &Nodes { count: problem.rest.len(), fixed: &[], rest: &problem.rest },
            &problem.edges,
        );
        let same = same.unwrap();
        let mut moved = BlockMatrix::new(&same);
        for edge in &problem.edges {
            let slots = matrix.pattern().slots(edge).zip(same.slots(edge));
            slots.filter(|(from, _)| *from != matrix.pattern().diagonal(0)).for_each(|(from, to)| {
                if moved.block(to) == [[0.0; 3]; 3] {
                    moved.add(to, matrix.block(from));
                }
            });
        }
        moved.add_scalar(0, 5.0);
        for settings in BOTH {
            let (x, outcome) = solve(&moved, &Noise(1).vectors(problem.rest.len()), settings);
            assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
            assert!(x.iter().flatten().all(|x| x.is_finite()));
        }
        problem = block([30, 2, 2], 0.0);
    }
}

#[test]
fn a_node_with_thousands_of_neighbours() {
    let mut problem = block([0, 0, 0], 0.0);
    problem.rest = Noise(6).vectors(3000);
    problem.edges = (1..3000).map(|k| [0, k]).collect();
    let pattern = problem.pattern(&[]);
    let matrix = problem.springs(&pattern, 0.1);
    for settings in BOTH {
        let (_, outcome) = solve(&matrix, &Noise(7).vectors(3000), settings);
        assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    }
}

#[test]
fn masses_a_million_apart_and_slivers() {
    let mut problem = block([8, 8, 8], 0.0);
    // Every third node lies all but on its neighbour.
    for k in (1..problem.rest.len()).step_by(3) {
        problem.rest[k] = problem.rest[k - 1];
        problem.rest[k][1] += 1e-7;
    }
    let pattern = problem.pattern(&[]);
    let mut matrix = problem.springs::<f64>(&pattern, 1e-3);
    (0..problem.rest.len()).step_by(7).for_each(|node| matrix.add_scalar(node, 1e3));
    let rhs = Noise(2).vectors(problem.rest.len());
    for settings in BOTH {
        let (x, outcome) = solve(&matrix, &rhs, settings);
        assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
        let mut product = x.clone();
        matrix.multiply(&x, &mut product).unwrap();
        assert!((flat(&product) - flat(&rhs)).norm() < 1e-6 * flat(&rhs).norm());
    }
}

#[test]
fn what_is_not_positive_or_not_finite_is_said_and_leaves_no_trace() {
    let problem = block([6, 6, 6], 0.1);
    let pattern = problem.pattern(&[]);
    let good = problem.springs::<f64>(&pattern, 0.1);
    let rhs: Vec<[f64; 3]> = Noise(3).vectors(problem.rest.len());
    for settings in BOTH {
        let mut hierarchy = Hierarchy::new(&pattern, settings);
        let mut expected = vec![[0.0; 3]; rhs.len()];
        hierarchy.refresh(&good).unwrap().solve(&rhs, &mut expected, 1e-9, 100).unwrap();
        for (value, statuses) in [
            (-1000.0, vec![Status::Indefinite]),
            (-10.0, vec![Status::Indefinite, Status::MaxIterations]),
            (f64::NAN, vec![Status::NotFinite]),
            (f64::INFINITY, vec![Status::NotFinite]),
            (1e308, vec![Status::NotFinite, Status::MaxIterations, Status::Converged]),
        ] {
            let mut bad = good.clone();
            (0..rhs.len()).step_by(5).for_each(|node| bad.add_scalar(node, value));
            let mut x = vec![[0.0; 3]; rhs.len()];
            let outcome = hierarchy.refresh(&bad).unwrap().solve(&rhs, &mut x, 1e-9, 100).unwrap();
            assert!(statuses.contains(&outcome.status), "{value}: {outcome:?}");
            assert!(x.iter().flatten().all(|x| x.is_finite()));
            // The hierarchy is as good as before.
            x.fill([f64::NAN; 3]);
            let outcome = hierarchy.refresh(&good).unwrap().solve(&rhs, &mut x, 1e-9, 100).unwrap();
            assert_eq!((outcome.status, &x), (Status::Converged, &expected));
        }
        let mut x = vec![[1.0; 3]; rhs.len()];
        let outcome = hierarchy
            .refresh(&good)
            .unwrap()
            .solve(&vec![[f64::NAN; 3]; rhs.len()], &mut x, 1e-9, 100)
            .unwrap();
        assert_eq!((outcome.status, x), (Status::NotFinite, vec![[1.0; 3]; rhs.len()]));
    }
}

#[test]
fn iterations_stop_where_they_are_told_to() {
    let problem = block([9, 9, 9], 0.1);
    let pattern = problem.pattern(&[]);
    let matrix = problem.springs::<f32>(&pattern, 0.001);
    let rhs: Vec<[f32; 3]> = Noise(4).vectors(problem.rest.len());
    let mut hierarchy = Hierarchy::new(&pattern, Settings::default());
    let mut system = hierarchy.refresh(&matrix).unwrap();
    let mut x = vec![[0.0; 3]; rhs.len()];
    let none = system.solve(&rhs, &mut x, 1e-3, 0).unwrap();
    assert_eq!((none.status, none.iterations, none.residual), (Status::MaxIterations, 0, 1.0));
    assert_eq!(x, vec![[0.0; 3]; rhs.len()]);
    let two = system.solve(&rhs, &mut x, 1e-4, 2).unwrap();
    assert_eq!((two.status, two.iterations), (Status::MaxIterations, 2));
    // Continues from where it was.
    let rest = system.solve(&rhs, &mut x, 1e-4, 50).unwrap();
    assert_eq!(rest.status, Status::Converged);
    let again = system.solve(&rhs, &mut x, 1e-3, 50).unwrap();
    assert_eq!((again.status, again.iterations), (Status::Converged, 0));
    let zero = system.solve(&vec![[0.0; 3]; rhs.len()], &mut x, 1e-3, 50).unwrap();
    assert_eq!((zero.status, x), (Status::Converged, vec![[0.0; 3]; rhs.len()]));
}

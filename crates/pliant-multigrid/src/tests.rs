//! Tests of the internals: weights and coarse matrices.

use crate::block::Vec4;
use crate::coarsen::{Coarsening, Method};
use crate::graph::Graph;
use crate::level::Level;
use crate::matrix::{BlockMatrix, row_times};
use crate::{BlockPattern, Hierarchy, Nodes, Region, Settings, Tolerance};

/// The nodes and edges of a crooked block of tetrahedra.
fn block(n: usize) -> (Vec<[f64; 3]>, Vec<[u32; 2]>) {
    let mut rest = Vec::new();
    let mut edges = Vec::new();
    for k in 0..n * n * n {
        let at = [k % n, k / n % n, k / n / n];
        rest.push(at.map(|i| i as f64 + 0.3 * ((7 * k + 3 * i) as f64).sin()));
        for step in 1..8 {
            let along = [step & 1, step >> 1 & 1, step >> 2];
            if (0..3).all(|axis| at[axis] + along[axis] < n) {
                edges.push([k as u32, (k + along[0] + n * (along[1] + n * along[2])) as u32]);
            }
        }
    }
    (rest, edges)
}

fn graph(nodes: usize, edges: &[[u32; 2]]) -> Graph {
    let pairs: Vec<(u32, u32)> = edges.iter().map(|e| (e[0], e[1])).collect();
    Graph::from_pairs(nodes, &pairs).expect("few pairs")
}

#[test]
fn weights_sum_to_one_and_are_linear() {
    let (rest, edges) = block(9);
    let graph = graph(rest.len(), &edges);
    for wish in [Coarsening::Lattice, Coarsening::Aggregates] {
        let method = Method::choose(wish, &graph, Some(&rest));
        assert_eq!(matches!(method, Method::Lattice { .. }), wish == Coarsening::Lattice);
        let (weights, _) = method.coarsen(&graph, Some(&rest)).expect("much coarser");
        assert!(weights.coarse * 8 < rest.len());
        let coarse = weights.rest.as_ref().expect("where the rest is known");
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for (node, x) in rest.iter().enumerate() {
            let range = weights.row(node);
            assert!((weights.values[range.clone()].iter().sum::<f64>() - 1.0).abs() < 1e-14);
            for k in 0..3 {
                let mean: f64 =
                    range.clone().map(|w| weights.values[w] * coarse[weights.columns[w] as usize][k]).sum();
                worst = worst.max((mean - x[k]).abs());
                sum += (mean - x[k]).abs();
            }
        }
        // Patches at the rim lie to one side of a node: then weights are linear as far as they can.
        let mean = sum / (3 * rest.len()) as f64;
        let fine = if wish == Coarsening::Lattice { worst < 1e-12 } else { mean < 0.4 };
        assert!(fine, "{wish:?}: {worst} at worst, {mean} in the mean");
    }
}

#[test]
fn layers_that_do_not_touch_share_no_corner() {
    // Two blocks a tenth of an edge apart, and one that is joined to the first by a single edge.
    let (one, edges) = block(4);
    let mut rest = one.clone();
    rest.extend(one.iter().map(|x| [x[0] + 0.1, x[1] + 0.1, x[2]]));
    let n = one.len() as u32;
    let mut both = edges.clone();
    both.extend(edges.iter().map(|e| e.map(|node| node + n)));
    let graph = graph(rest.len(), &both);
    let (weights, _) = Method::choose(Coarsening::Lattice, &graph, Some(&rest))
        .coarsen(&graph, Some(&rest))
        .expect("coarser");
    let first: Vec<u32> = (0..n as usize).flat_map(|node| weights.columns_of(node).to_vec()).collect();
    for node in n as usize..rest.len() {
        assert!(weights.columns_of(node).iter().all(|column| !first.contains(column)));
    }
}

/// A hierarchy of three levels with a matrix without any order in it.
fn levels(n: usize, coarsening: Coarsening) -> (BlockMatrix<f64>, Hierarchy<f64>) {
    let (rest, edges) = block(n);
    let pattern =
        BlockPattern::new(&Nodes { count: rest.len(), fixed: &[], rest: &rest }, &edges).expect("a pattern");
    let mut matrix = BlockMatrix::new(&pattern);
    for (index, edge) in edges.iter().enumerate() {
        // Not the same at both ends, so that transposes matter.
        let ends = [0, 1].map(|end| [0, 1, 2].map(|k| ((31 * index + 17 * k + 5 * end) as f64).sin()));
        for (k, slot) in pattern.slots(edge).enumerate() {
            matrix.add(slot, ends[k / 2].map(|a| ends[k % 2].map(|b| a * b)));
        }
    }
    (0..rest.len()).for_each(|node| matrix.add_scalar(node, 0.1));
    let mut hierarchy = Hierarchy::new(&pattern, Settings { coarsening, coarsest: 10 });
    hierarchy.refresh(&matrix).expect("the same pattern");
    (matrix, hierarchy)
}

fn times(level: &Level<f64>, values: &[[f64; 9]], x: &[Vec4<f64>]) -> Vec<Vec4<f64>> {
    let values = level.rows.split(values);
    (0..level.rows.len()).map(|row| row_times(&level.rows, &values, row, x)).collect()
}

#[test]
fn coarse_matrices_are_galerkin_products() {
    // The clusters of the finest level of the last are summed in several rounds.
    for (n, coarsening) in [(9, Coarsening::Lattice), (9, Coarsening::Aggregates), (22, Coarsening::Lattice)]
    {
        let (matrix, hierarchy) = levels(n, coarsening);
        let levels = hierarchy.levels();
        let rounds = levels[0].galerkin().expect("coarser").rounds();
        assert_eq!(rounds > 1, n == 22, "{rounds} rounds");
        assert!(levels.len() > 2, "{:?}", hierarchy.level_sizes());
        for (k, pair) in levels.windows(2).enumerate() {
            let values = if k == 0 { &matrix.values } else { pair[0].values() };
            let transfer = pair[0].transfer().expect("not the last");
            let coarse = pair[1].rows.len();
            let e: Vec<Vec4<f64>> = (0..coarse)
                .map(|i| [0, 1, 2, 3].map(|k| if k < 3 { ((i + 5 * k) as f64).cos() } else { 0.0 }))
                .collect();
            let mut fine = vec![[0.0; 4]; pair[0].rows.len()];
            transfer.prolong(&e, &mut fine);
            let mut expected = vec![[0.0; 4]; coarse];
            transfer.restrict(&times(&pair[0], values, &fine), &mut expected);
            let found = times(&pair[1], pair[1].values(), &e);
            for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                // Sums of the larger one are as large as 20 000.
                let bound = if n == 9 { 1e-9 } else { f64::max(1e-9, 1e-12 * b.abs()) };
                assert!((a - b).abs() < bound, "{a} {b}");
            }
        }
    }
}

#[test]
fn translations_are_the_same_on_all_levels() {
    for coarsening in [Coarsening::Lattice, Coarsening::Aggregates] {
        let (_, hierarchy) = levels(9, coarsening);
        for pair in hierarchy.levels().windows(2) {
            let by = [1.0, -2.0, 0.5, 0.0];
            let mut fine = vec![[0.0; 4]; pair[0].rows.len()];
            pair[0].transfer().expect("not the last").prolong(&vec![by; pair[1].rows.len()], &mut fine);
            assert!(fine.iter().flatten().zip(by.iter().cycle()).all(|(a, b)| (a - b).abs() < 1e-13));
        }
    }
}

#[test]
fn clusters_of_a_colour_share_no_block() {
    let (_, hierarchy) = levels(9, Coarsening::Lattice);
    let rows = &hierarchy.levels()[0].rows;
    assert!(rows.colours.len() > 2);
    for colour in rows.colours.windows(2) {
        let (start, end) = (rows.clusters[colour[0] as usize], rows.clusters[colour[1] as usize]);
        for row in start as usize..end as usize {
            let cluster = rows.clusters.partition_point(|&first| first <= row as u32);
            let own = rows.clusters[cluster - 1]..rows.clusters[cluster];
            let mut others = rows.neighbours(row).filter(|column| !own.contains(column));
            assert!(others.all(|column| !(start..end).contains(&column)));
        }
    }
}

#[test]
fn a_matrix_is_that_of_its_halves() {
    let (rest, edges) = block(5);
    let nodes = Nodes { count: rest.len(), fixed: &[], rest: &rest };
    let pattern = BlockPattern::new(&nodes, &edges).expect("edges of existing nodes");
    let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let by = |factor: f32| rows.map(|row: [f32; 3]| row.map(|value| factor * value));
    let transposed = |b: [[f32; 3]; 3]| std::array::from_fn(|i| std::array::from_fn(|j| b[j][i]));
    let mut one_by_one = BlockMatrix::<f32>::new(&pattern);
    let mut at_once = BlockMatrix::<f32>::new(&pattern);
    let halves = at_once.clear_halves();
    for (index, &[a, b]) in edges.iter().enumerate() {
        // From the first node to the second, whichever comes first among the rows.
        let block = by(index as f32);
        one_by_one.add(pattern.slot(a, b), block);
        one_by_one.add(pattern.slot(b, a), transposed(block));
        let place = pattern.half(pattern.slot(a, b));
        let half: [[f32; 3]; 3] = if place.is_multiple_of(2) { block } else { transposed(block) };
        halves[place as usize / 2] = std::array::from_fn(|k| half.as_flattened()[k]);
    }
    at_once.mirror();
    assert_eq!(at_once.values, one_by_one.values);
    assert_eq!(pattern.half(crate::NO_SLOT), crate::NO_SLOT);
}

/// The blocks of edges that are springs along every axis, of stiffnesses that `of` gives, on masses.
fn springs(matrix: &mut BlockMatrix<f64>, edges: &[[u32; 2]], nodes: usize, of: impl Fn(usize) -> f64) {
    let pattern = matrix.pattern().clone();
    let halves = matrix.clear_halves();
    for node in 0..nodes {
        if let Some(half) = halves.get_mut(pattern.half(pattern.diagonal(node)) as usize / 2) {
            *half = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        }
    }
    add_springs(&pattern, halves, edges, &of);
    matrix.mirror();
}

fn add_springs(
    pattern: &BlockPattern,
    halves: &mut [[f64; 9]],
    edges: &[[u32; 2]],
    of: &dyn Fn(usize) -> f64,
) {
    for (edge, nodes) in edges.iter().enumerate() {
        // Not symmetric by itself, so that a block is not its transpose.
        let block = [2.0, 0.5, 0.0, -0.5, 2.0, 0.25, 0.0, -0.25, 2.0];
        let turned = [2.0, -0.5, 0.0, 0.5, 2.0, -0.25, 0.0, 0.25, 2.0];
        for (k, slot) in pattern.slots(nodes).enumerate().filter(|(k, _)| *k != 2) {
            let place = pattern.half(slot);
            let Some(half) = halves.get_mut(place as usize / 2) else { continue };
            for (i, value) in half.iter_mut().enumerate() {
                let diagonal = if i % 4 == 0 { 4.0 } else { 0.0 };
                let by = if place.is_multiple_of(2) { block[i] } else { turned[i] };
                *value += of(edge) * if k == 1 { -by } else { diagonal };
            }
        }
    }
}

#[test]
fn a_region_is_solved_for_while_all_else_stays() {
    let (rest, edges) = block(5);
    let fixed: Vec<bool> = (0..rest.len()).map(|node| node % 11 == 5).collect();
    let nodes = Nodes { count: rest.len(), fixed: &fixed, rest: &rest };
    let pattern = BlockPattern::new(&nodes, &edges).expect("edges of existing nodes");
    let mut matrix = BlockMatrix::<f64>::new(&pattern);
    springs(&mut matrix, &edges, rest.len(), |edge| 1.0 + (edge % 7) as f64);
    let b: Vec<[f64; 3]> = (0..rest.len()).map(|i| [1.0, (i % 5) as f64, -((i % 3) as f64)]).collect();
    let mut region = Region::default();
    let (mut x, mut y) = (vec![[0.0; 3]; rest.len()], vec![[0.0; 3]; rest.len()]);
    for (centre, rings) in [(62, 1), (0, 2), (5, 2), (62, 20)] {
        region.gather(&pattern, |node| node == centre, rings);
        assert_eq!(region.is_empty(), fixed[centre], "node {centre}");
        let free = fixed.iter().filter(|fixed| !**fixed).count();
        assert!(if rings == 20 { region.len() == free } else { region.len() < free / 2 });
        x.fill([0.0; 3]);
        let tolerance = Tolerance { residual: 1e-12, error: 1e-6, distance: 0.0 };
        assert_eq!(region.solve(&matrix, &b, &mut x, tolerance, 200), Ok(!region.is_empty()));
        matrix.multiply(&x, &mut y).expect("an entry for each node");
        for (node, (x, y)) in x.iter().zip(&y).enumerate() {
            let inside = region.nodes().contains(&(node as u32));
            assert_eq!(*x != [0.0; 3], inside, "node {node}");
            let right = y.iter().zip(&b[node]).all(|(y, b)| (y - b).abs() < 1e-9);
            assert!(!inside || right, "node {node}: {y:?} for {:?}", b[node]);
            let touched = region.is_changed()[node];
            assert_eq!(touched, region.changed().contains(&(node as u32)));
            assert!(touched || *y == [0.0; 3], "node {node}: {y:?}");
        }
    }
}

#[test]
fn what_is_cleared_for_a_region_is_renewed_and_nothing_else() {
    let (rest, edges) = block(4);
    let nodes = Nodes { count: rest.len(), fixed: &[], rest: &rest };
    let pattern = BlockPattern::new(&nodes, &edges).expect("edges of existing nodes");
    let (mut whole, mut part) = (BlockMatrix::<f64>::new(&pattern), BlockMatrix::<f64>::new(&pattern));
    let before = |edge: usize| 1.0 + (edge % 7) as f64;
    springs(&mut part, &edges, rest.len(), before);
    let mut region = Region::default();
    region.gather(&pattern, |node| node == 21, 0);
    let is_changed = region.is_changed();
    // Edges of the node have other stiffnesses.
    let after = |edge: usize| before(edge) * if edges[edge].contains(&21) { 3.0 } else { 1.0 };
    springs(&mut whole, &edges, rest.len(), after);
    let mut again = BlockMatrix::<f64>::new(&pattern);
    springs(&mut again, &edges, rest.len(), after);
    let wanted = again.values.clone();
    let halves = part.clear_halves_around(&region).expect("one pattern");
    let mut kept = halves.to_vec();
    let full = again.clear_halves();
    full.copy_from_slice(&wanted[..full.len()]);
    // Of every block of which a node has changed the sum is made again.
    for &[a, b] in &edges {
        for pair in [[a, a], [a, b], [b, b]] {
            if pair.iter().any(|node| is_changed[*node as usize]) {
                let at = pattern.half(pattern.slot(pair[0], pair[1])) as usize / 2;
                assert_eq!(kept[at], [0.0; 9], "block {pair:?} was not cleared");
                halves[at] = full[at];
            }
        }
    }
    kept.copy_from_slice(halves);
    assert_eq!(kept, full);
    part.mirror_around(&region).expect("one pattern");
    assert_eq!(part.values, whole.values);
}

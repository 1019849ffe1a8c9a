//! Patches of neighbours in the graph, with weights smoothed over the neighbours (Vaněk, Mandel & Brezina
//! 1996, with the Laplacian of the graph instead of the matrix, so that weights depend on topology and rest
//! coordinates alone).

use super::affine::make_affine;
use crate::graph::Graph;
use crate::order::walk;
use crate::weights::Weights;

/// How much of a node's weight comes from its neighbours; and how many weights it keeps.
const SMOOTHING: f64 = 0.66;
const MOST: usize = 6;

const NONE: u32 = u32::MAX;

/// The weights of patches.
pub(super) fn weights(graph: &Graph, rest: Option<&[[f64; 3]]>) -> Weights {
    let (patch, count) = patches(graph);
    let rest = rest.map(|rest| (rest, centres(&patch, count, rest)));
    let mut rows = Vec::with_capacity(graph.len());
    for node in 0..graph.len() {
        let mut row: Vec<(u32, f64)> = Vec::new();
        if patch[node] != NONE {
            let share = SMOOTHING / (graph.row(node).len() - 1) as f64;
            for &j in graph.row(node) {
                let part = if j as usize == node { 1.0 - SMOOTHING } else { share };
                let of = patch[j as usize];
                match row.iter_mut().find(|w| w.0 == of) {
                    Some(w) => w.1 += part,
                    None => row.push((of, part)),
                }
            }
            row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            row.truncate(MOST);
            let sum: f64 = row.iter().map(|w| w.1).sum();
            row.iter_mut().for_each(|w| w.1 /= sum);
            if let Some((rest, centres)) = &rest {
                make_affine(&rest[node], centres, &mut row);
            }
        }
        rows.push(row);
    }
    Weights::from_rows(&rows, count, rest.map(|(_, centres)| centres))
}

/// The patch of each node, [`NONE`] for nodes without neighbours, and how many there are: first each node whose
/// neighbours are all free takes them, then those left over join the patch that they have most neighbours in.
fn patches(graph: &Graph) -> (Vec<u32>, usize) {
    let mut patch = vec![NONE; graph.len()];
    let mut count = 0;
    for node in walk(graph) {
        let row = graph.row(node as usize);
        if row.len() > 1 && row.iter().all(|&j| patch[j as usize] == NONE) {
            row.iter().for_each(|&j| patch[j as usize] = count);
            count += 1;
        }
    }
    let seeds = patch.clone();
    let mut seen: Vec<(u32, u32)> = Vec::new();
    for node in (0..graph.len()).filter(|&node| seeds[node] == NONE && !graph.is_alone(node)) {
        seen.clear();
        for of in graph.row(node).iter().map(|&j| seeds[j as usize]).filter(|&of| of != NONE) {
            match seen.iter_mut().find(|s| s.0 == of) {
                Some(s) => s.1 += 1,
                None => seen.push((of, 1)),
            }
        }
        if let Some(&(of, _)) = seen.iter().max_by_key(|s| (s.1, u32::MAX - s.0)) {
            patch[node] = of;
        }
    }
    (patch, count as usize)
}

fn centres(patch: &[u32], count: usize, rest: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut centres = vec![[0.0; 3]; count];
    let mut nodes = vec![0.0; count];
    for (&of, x) in patch.iter().zip(rest).filter(|(of, _)| **of != NONE) {
        nodes[of as usize] += 1.0;
        (0..3).for_each(|k| centres[of as usize][k] += x[k]);
    }
    for (centre, nodes) in centres.iter_mut().zip(nodes) {
        centre.iter_mut().for_each(|x| *x /= nodes);
    }
    centres
}

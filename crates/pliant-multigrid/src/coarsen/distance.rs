//! How far nodes are apart at rest.

use crate::graph::Graph;

/// The median distance of a node to the nearest of its neighbours; `None` if it is 0 or there are none.
pub(super) fn typical_edge(graph: &Graph, rest: &[[f64; 3]]) -> Option<f64> {
    let mut nearest: Vec<f64> = (0..graph.len())
        .filter(|&node| !graph.is_alone(node))
        .map(|node| {
            let others = graph.row(node).iter().filter(|&&j| j as usize != node);
            others.map(|&j| squared_distance(&rest[node], &rest[j as usize])).fold(f64::INFINITY, f64::min)
        })
        .collect();
    if nearest.is_empty() {
        return None;
    }
    let middle = nearest.len() / 2;
    let length = nearest.select_nth_unstable_by(middle, f64::total_cmp).1.sqrt();
    (length > 0.0 && length.is_finite()).then_some(length)
}

pub(super) fn squared_distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum()
}

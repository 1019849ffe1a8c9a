//! Whether nodes fill space or lie in surfaces.

use crate::graph::Graph;

/// What a node's neighbours must spread in all three directions to count as those of a solid: 1 if as far in each,
/// 0 in a plane.
const SPREAD: f64 = 0.02;

/// Whether the neighbours of half of the nodes lie in all directions.
pub(super) fn is_solid(graph: &Graph, rest: &[[f64; 3]]) -> bool {
    let connected = || (0..graph.len()).filter(|&node| !graph.is_alone(node));
    let solid = connected().filter(|&node| spread(graph, rest, node) > SPREAD).count();
    2 * solid > connected().count()
}

/// The determinant of the neighbours' second moments about the node, over that of a ball of the same trace.
fn spread(graph: &Graph, rest: &[[f64; 3]], node: usize) -> f64 {
    let [mut xx, mut xy, mut xz, mut yy, mut yz, mut zz] = [0.0; 6];
    for &j in graph.row(node) {
        let [x, y, z] = [0, 1, 2].map(|k| rest[j as usize][k] - rest[node][k]);
        xx += x * x;
        xy += x * y;
        xz += x * z;
        yy += y * y;
        yz += y * z;
        zz += z * z;
    }
    let third = (xx + yy + zz) / 3.0;
    if !(third > 0.0) {
        return 0.0;
    }
    let [xx, xy, xz, yy, yz, zz] = [xx, xy, xz, yy, yz, zz].map(|moment| moment / third);
    xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
}

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

//! In which order rows are stored and smoothed: nodes in clusters, clusters in colours.
//!
//! Clusters of one colour share no entry, so threads may smooth them at the same time; within a cluster rows
//! follow each other. Gauss–Seidel loses less by that than by colours of single nodes, and the vector stays
//! in the nearest cache.

use crate::graph::Graph;

/// Nodes of a cluster at most.
const CLUSTER: usize = 128;

/// A numbering of nodes.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Where each node goes.
    pub(crate) place: Vec<u32>,
    /// Where the rows of each cluster start, and an end.
    pub(crate) clusters: Vec<u32>,
    /// Where the clusters of each colour start, and an end.
    pub(crate) colours: Vec<u32>,
}

impl Order {
    /// Clusters by place where coordinates are known, else in the order of a breadth-first walk.
    pub(crate) fn new(graph: &Graph, rest: Option<&[[f64; 3]]>) -> Self {
        let mut nodes: Vec<u32> = (0..graph.len() as u32).collect();
        let mut sizes = Vec::new();
        if let Some(rest) = rest {
            bisect(&mut nodes, rest, &mut sizes);
        } else {
            nodes = walk(graph);
            sizes.extend(nodes.chunks(CLUSTER).map(<[u32]>::len));
        }
        let mut lists = Vec::with_capacity(sizes.len());
        let mut left = nodes.as_mut_slice();
        for size in sizes {
            let (list, rest) = left.split_at_mut(size);
            list.sort_unstable();
            lists.push(&*list);
            left = rest;
        }
        let colour = colour(graph, &lists);

        let mut order = Self { place: vec![0; graph.len()], clusters: vec![0], colours: vec![0] };
        let mut next = 0u32;
        for c in 0..colour.iter().map(|c| c + 1).max().unwrap_or(0) {
            for (list, _) in lists.iter().zip(&colour).filter(|(_, is)| **is == c) {
                for &node in *list {
                    order.place[node as usize] = next;
                    next += 1;
                }
                order.clusters.push(next);
            }
            order.colours.push(order.clusters.len() as u32 - 1);
        }
        order
    }
}

/// Recursive coordinate bisection along the longest side.
fn bisect(nodes: &mut [u32], rest: &[[f64; 3]], sizes: &mut Vec<usize>) {
    if nodes.len() <= CLUSTER {
        if !nodes.is_empty() {
            sizes.push(nodes.len());
        }
        return;
    }
    let mut sides = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    for &node in &*nodes {
        for (side, &x) in sides.iter_mut().zip(&rest[node as usize]) {
            *side = (side.0.min(x), side.1.max(x));
        }
    }
    let length = sides.map(|(least, most)| most - least);
    let axis = (1..3).fold(0, |longest, k| if length[k] > length[longest] { k } else { longest });
    let middle = nodes.len() / 2;
    nodes.select_nth_unstable_by(middle, |&a, &b| {
        rest[a as usize][axis].total_cmp(&rest[b as usize][axis]).then(a.cmp(&b))
    });
    let (low, high) = nodes.split_at_mut(middle);
    bisect(low, rest, sizes);
    bisect(high, rest, sizes);
}

/// All nodes, neighbours after each other.
pub(crate) fn walk(graph: &Graph) -> Vec<u32> {
    let mut seen = vec![false; graph.len()];
    let mut nodes = Vec::with_capacity(graph.len());
    for start in 0..graph.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut next = nodes.len();
        nodes.push(start as u32);
        while next < nodes.len() {
            for &j in graph.row(nodes[next] as usize) {
                if !std::mem::replace(&mut seen[j as usize], true) {
                    nodes.push(j);
                }
            }
            next += 1;
        }
    }
    nodes
}

/// Greedy colours of clusters: the least that no cluster before it has with which it shares an entry.
fn colour(graph: &Graph, lists: &[&[u32]]) -> Vec<u32> {
    let mut cluster = vec![0u32; graph.len()];
    for (c, list) in lists.iter().enumerate() {
        for &node in *list {
            cluster[node as usize] = c as u32;
        }
    }
    let mut colour = vec![0u32; lists.len()];
    let mut taken: Vec<usize> = Vec::new();
    for (c, list) in lists.iter().enumerate() {
        for &node in *list {
            for &j in graph.row(node as usize) {
                let other = cluster[j as usize] as usize;
                if other < c {
                    let theirs = colour[other] as usize;
                    if theirs >= taken.len() {
                        taken.resize(theirs + 1, usize::MAX);
                    }
                    taken[theirs] = c;
                }
            }
        }
        colour[c] = (0..).zip(&taken).find(|(_, by)| **by != c).map_or(taken.len() as u32, |(k, _)| k);
    }
    colour
}

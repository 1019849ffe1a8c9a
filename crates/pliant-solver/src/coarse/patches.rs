//! [`Patches`]: overlapping patches of a graph, with weights that sum to one.

use rayon::prelude::*;

use super::graph::Graph;

/// How far the patches of a graph lie apart, and how far they reach, in edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Least distance between two seeds.
    pub(crate) apart: f64,
    /// Distance from its seed at which a patch ends.
    pub(crate) reach: f64,
    /// Largest distance between the seeds of two patches that are joined.
    pub(crate) joined: f64,
    /// The most patches that a node belongs to.
    pub(crate) most: usize,
}

/// Share of a node that a patch has.
pub(crate) type Share = (u32, f64);

/// Patches around seeds: every node belongs to some of them, by weights that sum to one.
pub(crate) struct Patches {
    /// The node in the middle of every patch.
    pub(crate) seeds: Vec<u32>,
    /// Patches of every node, the lowest number first.
    pub(crate) of: Vec<Vec<Share>>,
    /// Pairs of patches that are joined.
    pub(crate) pairs: Vec<[u32; 2]>,
}

impl Patches {
    /// Covers a graph. Held nodes get patches of their own, and belong to these alone.
    #[allow(clippy::cast_possible_truncation, reason = "nodes are numbered by u32")]
    pub(crate) fn cover(graph: &Graph, held: &[bool], sizes: Sizes) -> Self {
        let seeds = seeds(graph, held, sizes.apart);
        let mut patch_of = vec![u32::MAX; graph.len()];
        (0_u32..).zip(&seeds).for_each(|(patch, &seed)| patch_of[seed as usize] = patch);
        let radius = sizes.reach.max(sizes.joined);
        let around: Vec<(Vec<Share>, Vec<u32>)> = seeds
            .par_iter()
            .map_init(
                || graph.ways(),
                |ways, &seed| {
                    graph.within(seed, radius, ways);
                    let is_held = held[seed as usize];
                    let weights = ways
                        .reached
                        .iter()
                        .filter(|(node, distance)| {
                            *distance < sizes.reach && (is_held || !held[*node as usize])
                        })
                        .map(|&(node, distance)| (node, hat(distance / sizes.reach)))
                        .collect();
                    let near = ways
                        .reached
                        .iter()
                        .filter(|(node, distance)| {
                            *distance < sizes.joined && patch_of[*node as usize] != u32::MAX
                        })
                        .map(|(node, _)| patch_of[*node as usize])
                        .collect();
                    (weights, near)
                },
            )
            .collect();
        let mut of: Vec<Vec<Share>> = vec![Vec::new(); graph.len()];
        let mut pairs = Vec::new();
        for (patch, (weights, near)) in (0_u32..).zip(around) {
            for (node, weight) in weights {
                of[node as usize].push((patch, weight));
            }
            let both_held =
                |other: u32| held[seeds[patch as usize] as usize] && held[seeds[other as usize] as usize];
            pairs.extend(
                near.into_iter()
                    .filter(|&other| patch < other && !both_held(other))
                    .map(|other| [patch, other]),
            );
        }
        of.par_iter_mut().for_each(|shares| normalise(shares, sizes.most));
        pairs.sort_unstable();
        Self { seeds, of, pairs }
    }
}

/// The weight of a patch at a share of its reach: a hat with a round brim.
fn hat(at: f64) -> f64 {
    let left = (1.0 - at).max(0.0);
    left * left
}

/// Keeps the `most` largest weights of a node and makes them sum to one.
fn normalise(shares: &mut Vec<Share>, most: usize) {
    if shares.len() > most {
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        shares.truncate(most);
        shares.sort_unstable_by_key(|share| share.0);
    }
    shares.shrink_to_fit();
    let sum: f64 = shares.iter().map(|share| share.1).sum();
    shares.iter_mut().for_each(|share| share.1 /= sum);
}

/// Nodes that are at least `apart` from each other, as many as there is room for; first those that are held.
fn seeds(graph: &Graph, held: &[bool], apart: f64) -> Vec<u32> {
    let mut seeds = Vec::new();
    let mut ways = graph.ways();
    let mut covered = vec![false; graph.len()];
    for of_held in [true, false] {
        for (node, _) in (0_u32..).zip(held).filter(|(_, held)| **held == of_held) {
            if !covered[node as usize] {
                seeds.push(node);
                graph.within(node, apart, &mut ways);
                ways.reached.iter().for_each(|&(node, _)| covered[node as usize] = true);
            }
        }
    }
    seeds
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use proptest::prelude::*;

    use super::*;

    const SIZES: Sizes = Sizes { apart: 2.5, reach: 4.0, joined: 5.5, most: 8 };

    proptest! {
        #![proptest_config(pliant_testkit::config(64))]

        #[test]
        fn every_node_belongs_to_patches_by_weights_that_sum_to_one(
            places in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 1..200),
            ends in prop::collection::vec([0..200_u32, 0..200_u32], 0..600),
            held in prop::collection::vec(any::<bool>(), 200),
        ) {
            let n = places.len();
            let edges: Vec<_> = ends.into_iter().map(|e| e.map(|v| v % n as u32)).filter(|[a, b]| a != b).collect();
            let graph = Graph::new(places.into_iter().map(Vector3::from).collect(), &edges);
            let held = &held[..n];
            let patches = Patches::cover(&graph, held, SIZES);
            for (node, shares) in patches.of.iter().enumerate() {
                prop_assert!((1..=SIZES.most).contains(&shares.len()));
                prop_assert!((shares.iter().map(|share| share.1).sum::<f64>() - 1.0).abs() < 1e-12);
                prop_assert!(shares.iter().all(|share| share.1 > 0.0));
                let of_held = |share: &Share| held[patches.seeds[share.0 as usize] as usize];
                prop_assert!(!held[node] || shares.iter().all(of_held), "what is held belongs to what is held");
            }
            for &[a, b] in &patches.pairs {
                prop_assert!(a < b && (b as usize) < patches.seeds.len());
                let seeds = [a, b].map(|patch| patches.seeds[patch as usize] as usize);
                prop_assert!(!(held[seeds[0]] && held[seeds[1]]), "nothing to solve");
            }
        }
    }
}

//! The links that are found when packs are made, and plans that are refused.

use pliant_constraints::Distance;

use super::*;
use crate::compiled::Scalar;
use crate::item::Item;
use crate::trio_count::TrioCount;

/// A plan of a single cluster.
fn plan(packs: Vec<[u32; PACK]>, trio_count: TrioCount, points: usize) -> PackPlan {
    let clusters: Vec<Range<usize>> = std::iter::once(0..packs.len()).collect();
    PackPlan {
        packs,
        clusters,
        trio_counts: vec![trio_count],
        numbers: vec![0],
        dummies: vec![points as u32],
        colours: std::iter::once(0..1).collect(),
        waits: PerCluster::from_pairs(1, std::iter::empty),
    }
}

fn packs_of<T: Scalar>(
    edges: &[[u32; 2]],
    compliance: f64,
    plan: PackPlan,
    points: usize,
) -> Packs<T, Distance<f64>, 2, 1> {
    let item = |i: usize| Item::new(edges[i], &Distance { rest: 0.9 }, compliance, i as u32);
    Packs::new(edges.len(), item, Some(T::splat(compliance)), plan, points + 2 * PACK)
}

#[test]
fn packs_are_linked_where_they_share_particles() {
    // Two colours of a chain of seventeen points: the second pack begins and ends where the first one did;
    // and a third apart from both.
    let chain: Vec<[u32; 2]> = (0..16).map(|i| [i, i + 1]).collect();
    let apart: Vec<[u32; 2]> = (0..8).map(|i| [20 + 2 * i, 21 + 2 * i]).collect();
    let edges: Vec<[u32; 2]> = chain.into_iter().chain(apart).collect();
    let even = std::array::from_fn(|k| 2 * k as u32);
    let odd = std::array::from_fn(|k| 2 * k as u32 + 1);
    let third = std::array::from_fn(|k| 16 + k as u32);
    let linked = |packs: Vec<[u32; PACK]>| {
        packs_of::<f32>(&edges, 0.0, plan(packs, TrioCount::default(), 36), 36).linked
    };
    assert_eq!(linked(vec![even, odd, third]), [false, true, false]);
    assert_eq!(linked(vec![even, third, odd]), [false, false, false]);
}

fn lane(edge: u32) -> [u32; PACK] {
    std::array::from_fn(|lane| if lane == 0 { edge } else { NONE })
}

#[test]
#[should_panic(expected = "begins no triangle in lane 0")]
fn a_trio_that_is_no_triangle_is_refused() {
    let trio_count = TrioCount { pairs: 0, single: 1 };
    let plan = plan([0, 1, 2].map(lane).to_vec(), trio_count, 4);
    let _ = packs_of::<f32>(&[[0, 1], [1, 2], [0, 3]], 0.0, plan, 4);
}

#[test]
#[should_panic(expected = "side by side share particle 2")]
fn a_pair_of_trios_with_a_common_corner_is_refused() {
    let edges = [[0, 1], [2, 3], [1, 2], [3, 4], [0, 2], [2, 4]];
    let plan = plan((0..6).map(lane).collect(), TrioCount { pairs: 1, single: 0 }, 5);
    let _ = packs_of::<f32>(&edges, 0.0, plan, 5);
}

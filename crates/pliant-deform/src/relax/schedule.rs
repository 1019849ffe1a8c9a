//! Which edges go into a pack together.
//!
//! A sweep converges best in the mesh's own order, in which corrections travel along the surface; colour by
//! colour a correction goes no farther than its colours allow, and the same strain needs more iterations. So
//! packs are filled from the front of the list: the first edges that share no vertex with each other, nor
//! with one of the last few packs, whose results a processor still works on. Edges that have to wait follow
//! soon after. An edge never waits for long, so that the order stays nearly that of the list.

use pliant_kernel::PACK;

/// Packs before the present one whose vertices are avoided where possible.
const SPACING: u32 = 3;

/// Edges at the front of the list that are considered for a pack.
const WINDOW: usize = 128;

/// No edge.
const NONE: u32 = u32::MAX;

/// Packs of at most [`PACK`] edges that share no vertex. Edges are named by their places in the list; their
/// ends lie below `vertices`.
pub(super) fn schedule(ends: &[[u32; 2]], vertices: usize) -> Vec<Vec<u32>> {
    // The edges that are left, as a chain that begins behind the last one.
    let mut next: Vec<u32> = (1..ends.len() as u32).chain([NONE]).collect();
    let mut first = if ends.is_empty() { NONE } else { 0 };
    // The last pack that used a vertex, counted from SPACING + 1.
    let mut used_by = vec![0_u32; vertices];
    let mut packs = Vec::with_capacity(ends.len().div_ceil(PACK));
    while first != NONE {
        let number = packs.len() as u32 + SPACING + 1;
        let mut pack = Vec::with_capacity(PACK);
        for spacing in [SPACING, 0] {
            let (mut before, mut edge) = (NONE, first);
            for _ in 0..WINDOW {
                if edge == NONE || pack.len() == PACK {
                    break;
                }
                let after = next[edge as usize];
                if ends[edge as usize].iter().all(|&v| used_by[v as usize] + spacing < number) {
                    ends[edge as usize].iter().for_each(|&v| used_by[v as usize] = number);
                    pack.push(edge);
                    if before == NONE { first = after } else { next[before as usize] = after }
                } else {
                    before = edge;
                }
                edge = after;
            }
        }
        packs.push(pack);
    }
    packs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn packs_are_independent_and_every_edge_comes_once(
            edges in prop::collection::vec((0..30_u32, 0..30_u32).prop_filter("no loop", |(a, b)| a != b), 0..150),
        ) {
            let ends: Vec<[u32; 2]> = edges.into_iter().map(|(a, b)| [a, b]).collect();
            let packs = schedule(&ends, 30);
            for pack in &packs {
                prop_assert!(!pack.is_empty() && pack.len() <= PACK);
                let mut used: Vec<u32> = pack.iter().flat_map(|&i| ends[i as usize]).collect();
                used.sort_unstable();
                used.dedup();
                prop_assert_eq!(used.len(), 2 * pack.len());
            }
            let mut all: Vec<u32> = packs.concat();
            all.sort_unstable();
            prop_assert!(all.iter().enumerate().all(|(i, &e)| i == e as usize) && all.len() == ends.len());
        }
    }

    #[test]
    fn packs_of_a_strip_are_full() {
        let strip: Vec<[u32; 2]> = (0..400).map(|i| [i, i + 1]).collect();
        let packs = schedule(&strip, 401);
        assert!(packs.len() <= 52, "{}", packs.len());
    }

    #[test]
    fn a_star_has_one_edge_to_a_pack() {
        let star: Vec<[u32; 2]> = (1..40).map(|i| [0, i]).collect();
        assert_eq!(schedule(&star, 40).len(), 39);
    }
}

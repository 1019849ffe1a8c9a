//! [`Parts`]: which parts of two triangles are candidates: a corner of one and the other, or two of their sides.
//!
//! Every particle and every edge belongs to the first triangle that has it, so that each pair is found once. Parts that
//! share a particle are none, nor are those that are held altogether. A few thousand pairs of triangles are asked in a
//! substep, and which of their parts count is hard to foresee: so all parts are decided at once, a bit each, and written
//! down without a branch.

use pliant_kernel::Wide;

use super::question::Question;
use crate::surface::NEXT;

/// Pairs of a corner and the other triangle, and pairs of sides.
pub(super) const CORNERS: usize = 6;
pub(super) const SIDES: usize = 9;

/// For each set of corners the sides that begin or end there, and those that do both, a bit each: side k goes from corner k
/// to the next.
const TOUCHING: [u32; 8] = [0b000, 0b101, 0b011, 0b111, 0b110, 0b111, 0b111, 0b111];
const WITHIN: [u32; 8] = [0b000, 0b000, 0b000, 0b001, 0b000, 0b100, 0b010, 0b111];

/// The corners that two triangles have in common: bit 3 k + l where corner k of one is corner l of the other.
#[inline(always)]
pub(super) fn shared([a, b]: [&[u32; 3]; 2]) -> u32 {
    let mut bits = 0;
    for (k, v) in a.iter().enumerate() {
        for (l, w) in b.iter().enumerate() {
            bits |= u32::from(v == w) << (3 * k + l);
        }
    }
    bits
}

/// The parts of two triangles that are candidates, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    /// Bit k is corner k of the first triangle with the second one, bit 3 + k corner k of the second with the first.
    pub(super) corners: u32,
    /// Bit 3 i + j is side i of the first with side j of the second.
    pub(super) sides: u32,
}

impl Parts {
    /// Those of two triangles with these corners in [common](shared).
    #[inline(always)]
    pub(super) fn of<T: Wide>(question: &Question<'_, T>, [a, b]: [u32; 2], shared: u32) -> Self {
        let surface = question.surface;
        let (of_a, of_b) = (&surface.triangles()[a as usize], &surface.triangles()[b as usize]);
        let (only_a, only_b) = match question.only {
            Some(only) => (bits(only, of_a), bits(only, of_b)),
            None => (7, 7),
        };
        let held = question.rules.held;
        let (held_a, held_b) = if held.is_empty() { (0, 0) } else { (bits(held, of_a), bits(held, of_b)) };
        // The corners of the second that each corner of the first is, and the other way round.
        let rows = [shared & 7, shared >> 3 & 7, shared >> 6 & 7];
        let shared_b = rows[0] | rows[1] | rows[2];
        let shared_a = u32::from(rows[0] != 0) | u32::from(rows[1] != 0) << 1 | u32::from(rows[2] != 0) << 2;
        let corners =
            |owned: u32, shared: u32, [only, only_there]: [u32; 2], [held, held_there]: [u32; 2]| {
                let wanted = if only_there == 0 { only } else { 7 };
                let free = if held_there == 7 { !held } else { 7 };
                owned & !shared & wanted & free
            };
        let of_first =
            corners(surface.owned_corners(a as usize), shared_a, [only_a, only_b], [held_a, held_b]);
        let of_second =
            corners(surface.owned_corners(b as usize), shared_b, [only_b, only_a], [held_b, held_a]);
        let (own_a, own_b) = (surface.owned_sides(a as usize), surface.owned_sides(b as usize));
        let mut sides = 0;
        for i in 0..3 {
            let ends = 1 << i | 1 << NEXT[i];
            let wanted = if only_a & ends == 0 { TOUCHING[only_b as usize] } else { 7 };
            let free = if held_a & ends == ends { !WITHIN[held_b as usize] } else { 7 };
            let apart = !TOUCHING[(rows[i] | rows[NEXT[i]]) as usize];
            let is_own = 0_u32.wrapping_sub(own_a >> i & 1);
            sides |= (own_b & wanted & free & apart & is_own) << (3 * i);
        }
        Self { corners: of_first | of_second << 3, sides }
    }
}

/// A bit for each of three particles with a flag.
#[inline(always)]
fn bits(flags: &[bool], particles: &[u32; 3]) -> u32 {
    let mut bits = 0;
    for (k, &v) in particles.iter().enumerate() {
        bits |= u32::from(flags[v as usize]) << k;
    }
    bits
}

/// The particles of a part: a corner of one triangle, then the other triangle.
#[inline(always)]
pub(super) fn corner_and_triangle(of: [&[u32; 3]; 2], part: usize) -> [u32; 4] {
    let (own, there) = (of[part / 3], of[1 - part / 3]);
    [own[part % 3], there[0], there[1], there[2]]
}

/// The particles of a part: the ends of two sides.
#[inline(always)]
pub(super) fn two_sides([a, b]: [&[u32; 3]; 2], part: usize) -> [u32; 4] {
    let (i, j) = (part / 3, part % 3);
    [a[i], a[NEXT[i]], b[j], b[NEXT[j]]]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Surface;
    use crate::detect::calm::Calm;
    use crate::detect::places::Places;
    use crate::detect::rules::{Paths, Rules, Ties};

    const PARTICLES: usize = 7;

    proptest! {
        #![proptest_config(pliant_testkit::config(300))]

        #[test]
        fn parts_are_those_that_share_nothing_and_are_wanted(
            corners in proptest::collection::vec(Just((0..PARTICLES as u32).collect::<Vec<_>>()).prop_shuffle(), 2..6),
            only in proptest::option::of(proptest::collection::vec(any::<bool>(), PARTICLES)),
            held in proptest::option::of(proptest::collection::vec(any::<bool>(), PARTICLES)),
        ) {
            let mut triangles: Vec<[u32; 3]> = corners.iter().map(|all| [all[0], all[1], all[2]]).collect();
            // No two with the same corners.
            triangles.sort_unstable_by_key(|corners| corners.iter().fold(0, |set, v| set | 1 << v));
            triangles.dedup_by_key(|corners| corners.iter().fold(0, |set, v| set | 1 << v));
            let surface = Surface::new(PARTICLES, &[&triangles])?;
            let paths = Paths::<f64> { positions: &[], steps: &[], rest: None, halts: None, may_turn: false };
            let (ties, held) = (Ties::default(), held.unwrap_or_default());
            let rules = Rules {
                radii: &[1.0],
                slack: 0.0,
                horizon: 1,
                edge_share: 1.0,
                edge_leeway: 0.0,
                masks: &[],
                held: &held,
                ties: &ties,
            };
            let (calm, places) = (Calm::default(), Places::default());
            let only = only.as_deref();
            let question =
                Question { surface: &surface, paths: &paths, rules: &rules, calm: &calm, places: &places, only };
            let counts = |points: &[u32; 4], split: usize| {
                let (one, other) = points.split_at(split);
                one.iter().all(|v| !other.contains(v))
                    && only.is_none_or(|only| points.iter().any(|&v| only[v as usize]))
                    && (held.is_empty() || !points.iter().all(|&v| held[v as usize]))
            };
            for a in 0..triangles.len() {
                for b in 0..triangles.len() {
                    let of = [&triangles[a], &triangles[b]];
                    let found = Parts::of(&question, [a as u32, b as u32], shared(of));
                    let owned = [a, b].map(|of| surface.owned_corners(of));
                    for part in 0..CORNERS {
                        let is_own = owned[part / 3] >> (part % 3) & 1 == 1;
                        let is_one = is_own && counts(&corner_and_triangle(of, part), 1);
                        prop_assert_eq!(found.corners >> part & 1 == 1, is_one, "corner {} of {} and {}", part, a, b);
                    }
                    let owned = [a, b].map(|of| surface.owned_sides(of));
                    for part in 0..SIDES {
                        let is_own = owned[0] >> (part / 3) & owned[1] >> (part % 3) & 1 == 1;
                        let is_one = is_own && counts(&two_sides(of, part), 2);
                        prop_assert_eq!(found.sides >> part & 1 == 1, is_one, "sides {} of {} and {}", part, a, b);
                    }
                    prop_assert!(found.corners < 1 << CORNERS && found.sides < 1 << SIDES);
                }
            }
        }
    }
}

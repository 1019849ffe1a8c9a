//! [`Order`]: the order in which pairs of triangles are listed.
//!
//! Contacts are solved one after the other, in the order of their list, and how well they stick depends on it. So the lists
//! follow space, in the order of a grid of triangles, and not the patches in which pairs were found.

use super::boxes::Hull;
use super::fit::{Moving, Shift};
use super::patches::{NOBODY, Patches};
use super::sizes::Sizes;

/// An order of triangles, and pairs of them in that order.
#[derive(Default)]
pub(super) struct Order {
    boxes: Vec<Hull>,
    grids: Sizes,
    /// For each triangle its place.
    places: Vec<u32>,
    /// Pairs as they were found, and in order.
    found: Vec<[u32; 2]>,
    pairs: Vec<[u32; 2]>,
    /// Where the pairs of each place end.
    ends: Vec<u32>,
}

impl Order {
    /// Takes the places of triangles in a grid of their boxes, displaced as their patches are.
    pub(super) fn take(
        &mut self,
        patches: &Patches,
        moving: &[Moving],
        shift: impl Fn(&Moving) -> Shift<f32>,
    ) {
        self.boxes.resize(patches.places.len(), Hull::NOTHING);
        for (patch, moving) in patches.patches.iter().zip(moving) {
            let shift = shift(moving);
            for (members, boxes) in patch.members[..patch.rows].iter().zip(&moving.boxes) {
                for (lane, &triangle) in members.iter().enumerate().filter(|(_, of)| **of != NOBODY) {
                    self.boxes[triangle as usize] = shift.of(&boxes.hull(lane));
                }
            }
        }
        self.grids.sort(&self.boxes);
        self.places.resize(self.boxes.len(), 0);
        for (place, number) in (0..).zip(self.grids.numbers()) {
            self.places[number as usize] = place;
        }
    }

    /// Forgets all pairs.
    pub(super) fn clear(&mut self) {
        self.found.clear();
    }

    /// Takes pairs up.
    pub(super) fn add(&mut self, pairs: &[[u32; 2]]) {
        self.found.extend_from_slice(pairs);
    }

    /// The pairs in the order of their first triangles, and then of the others; the first is the one that comes first.
    pub(super) fn sort(&mut self) -> &[[u32; 2]] {
        let Self { places, found, pairs, ends, .. } = self;
        let place = |triangle: u32| places[triangle as usize];
        ends.clear();
        ends.resize(places.len(), 0);
        for &[a, b] in &*found {
            ends[place(a).min(place(b)) as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut *ends {
            sum += std::mem::replace(end, sum);
        }
        pairs.clear();
        pairs.resize(found.len(), [0; 2]);
        for &[a, b] in &*found {
            let pair = if place(a) < place(b) { [a, b] } else { [b, a] };
            let end = &mut ends[place(pair[0]) as usize];
            pairs[*end as usize] = pair;
            *end += 1;
        }
        for of_one in pairs.chunk_by_mut(|a, b| a[0] == b[0]) {
            of_one.sort_unstable_by_key(|&[_, b]| place(b));
        }
        pairs
    }

    /// The pairs in the order of the numbers of their first triangles, and then of the places of the others.
    pub(super) fn sort_strays(&mut self) -> &[[u32; 2]] {
        let Self { places, found, .. } = self;
        found.sort_unstable_by_key(|&[a, b]| (a, places[b as usize]));
        found
    }
}

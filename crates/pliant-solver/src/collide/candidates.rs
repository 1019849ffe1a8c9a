//! [`Candidates`]: pairs that may come near, eight side by side.
//!
//! Pairs that are near when all pairs are listed are expected to stay so. They have places in packs that can
//! be projected as they are ([`Slots`]): a substep only writes their numbers. What comes near later is
//! planned in every substep. A pack whose pairs are too far apart to touch is asleep ([`list`]).

mod list;
mod marked;
mod once;

use pliant_constraints::FrictionalContact;
use pliant_contact::NearPair;
use pliant_kernel::{DynamicPacks, NONE, PACK, Particle, Scalar, Simd, Team};

use super::elements::Elements;
use super::idle::idle;
use super::law::Laws;
use super::memory::Memory;
pub(super) use list::{List, Listed, PIECE, Pack, Piece};
use marked::Marked;

/// What is nearer than this multiple of the distance to keep when all pairs are listed gets a place in packs
/// that are projected.
const SLOTTED: f64 = 1.21;

/// What is farther apart than this multiple is packed apart from the rest: it seldom wakes.
const FAR: f64 = 1.45;

/// Pairs of which a member of a team finds the places at a time.
const PAIRS: usize = 512;

/// Rows of contacts.
pub(super) type Rows<T> = DynamicPacks<T, FrictionalContact<f64>, 4, 3>;

/// Pairs of one sort that are near when all pairs are listed, planned for as long as the list serves.
pub(super) struct Slots<T: Scalar> {
    pub(super) list: List<T>,
    pub(super) rows: Rows<T>,
}

/// The pairs of a detection.
pub(super) struct Candidates<T: Scalar> {
    /// Those that are near already, by sort, and all others.
    pub(super) slots: [Slots<T>; 2],
    pub(super) others: List<T>,
    pub(super) pairs: Vec<NearPair<T>>,
    /// The elements of the pairs of strays that have places, by sort, in order.
    placed: [Vec<[u32; 2]>; 2],
    /// Room for marks of blocks.
    blocks: Vec<bool>,
    /// From this number on points are not particles, and have no places.
    carried: u32,
    /// Places of pairs on their way into packs: those that are near, and the others by how far they are apart.
    sorted: [Vec<u32>; 3],
    /// The same, eight side by side.
    eights: Vec<[u32; PACK]>,
    /// For every pair that is to be taken up whether it has a place.
    have_places: Vec<bool>,
}

impl<T: Scalar> Candidates<T> {
    /// No pairs; points from the number `carried` on are not particles; `rows` makes lists of contacts.
    pub(super) fn new(carried: u32, rows: impl Fn() -> Rows<T>) -> Self {
        let slots = || Slots { list: List::new(), rows: rows() };
        let slots = [slots(), slots()];
        let (others, pairs, eights, have_places) = (List::new(), Vec::new(), Vec::new(), Vec::new());
        let (placed, blocks, sorted) = Default::default();
        Self { slots, others, pairs, placed, blocks, carried, sorted, eights, have_places }
    }

    pub(super) fn clear(&mut self) {
        for slots in &mut self.slots {
            slots.list.clear();
            slots.rows.clear();
        }
        self.others.clear();
        self.pairs.clear();
        self.placed.iter_mut().for_each(Vec::clear);
    }

    /// The lists of packs.
    pub(super) fn all(&self) -> [&List<T>; 3] {
        [&self.slots[0].list, &self.slots[1].list, &self.others]
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.all().map(List::len).iter().sum()
    }

    /// Adds the contacts that have places, but for those that are idle, to what is remembered.
    pub(super) fn hand_over(&self, memory: &mut Memory<T>) {
        for Slots { rows, .. } in &self.slots {
            rows.for_each(&mut |_, item| memory.push(item.stencil(), item.rest()));
        }
    }

    /// Measures how far pairs are apart at these positions, when paths have this age.
    pub(super) fn measure(&mut self, at: &[Particle<T>], age: u32, simd: Simd, team: Team<'_>) {
        let Self { slots: [first, second], others, .. } = self;
        let lists = [&mut first.list, &mut second.list, others];
        team.for_each(lists.into_iter().flat_map(List::pieces_mut), |piece| piece.measure(at, age, simd));
    }

    /// Number of packs without places.
    pub(super) fn packs_of_others(&self) -> usize {
        self.others.pieces().map(|piece| piece.all().len()).sum()
    }

    /// Drops the pairs of these particles, which are flagged as well. Those that have places keep them, so that what only
    /// trembles is projected in the same order as before, and are always looked at.
    pub(super) fn drop_those_of(&mut self, particles: &[u32], flags: &[bool], team: Team<'_>) {
        let marked = Marked::new(particles, flags, std::mem::take(&mut self.blocks));
        let Self { slots: [first, second], others, pairs, placed, .. } = self;
        let slotted = [&mut *first, &mut *second].into_iter().flat_map(|slots| slots.list.pieces_mut());
        let pieces =
            slotted.map(|piece| (piece, true)).chain(others.pieces_mut().map(|piece| (piece, false)));
        team.for_each(pieces, |(piece, stays)| match stays {
            true => piece.leave_awake_those_of(&marked, pairs),
            false => piece.drop_those_of(&marked, pairs),
        });
        self.blocks = marked.into_room();
        for (elements, slots) in
            [Elements::VertexTriangle, Elements::EdgeEdge].into_iter().zip([first, second])
        {
            let placed = &mut placed[elements.place()];
            placed.clear();
            let staying = slots.list.pieces().flat_map(Piece::staying);
            placed.extend(staying.map(|&pair| named(elements, &pairs[pair as usize])));
            placed.sort_unstable();
        }
    }

    /// Takes up those pairs of one sort that are `wanted` and have no place. With `laws` all pairs are listed, and those
    /// that are near get places by these, with the contacts that they had.
    pub(super) fn add(
        &mut self,
        listed: &Listed<'_, T>,
        mut wanted: impl FnMut(&NearPair<T>) -> bool,
        laws: Option<(&mut Laws<T>, &Memory<T>)>,
        team: Team<'_>,
    ) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.iter_mut().for_each(Vec::clear);
        let bounds = [SLOTTED, FAR].map(T::splat);
        self.find_places(listed, team);
        let all = (0..).zip(listed.pairs).zip(&self.have_places);
        for ((place, pair), _) in all.filter(|((_, pair), has_place)| wanted(pair) && !**has_place) {
            let class = bounds.iter().filter(|&&bound| pair.distance > pair.keep * bound).count();
            let may_have_one = pair.points.iter().all(|&v| v < self.carried);
            sorted[if may_have_one { class } else { class.max(1) }].push(place);
        }
        let [near, others @ ..] = &sorted;
        match laws {
            Some(laws) => self.slot(listed, near, laws, team),
            None => self.pack(listed, near, team),
        }
        for places in others {
            self.pack(listed, places, team);
        }
        self.sorted = sorted;
    }

    /// Finds which pairs have places, by a team: among many of them, each search meets memory that is not at hand.
    fn find_places(&mut self, listed: &Listed<'_, T>, team: Team<'_>) {
        let (placed, elements) = (&self.placed[listed.elements.place()], listed.elements);
        self.have_places.clear();
        self.have_places.resize(listed.pairs.len(), false);
        if placed.is_empty() {
            return;
        }
        let pieces = listed.pairs.chunks(PAIRS).zip(self.have_places.chunks_mut(PAIRS));
        team.for_each(pieces, |(pairs, have_places)| {
            for (pair, has_place) in pairs.iter().zip(have_places) {
                *has_place = placed.binary_search(&named(elements, pair)).is_ok();
            }
        });
    }

    /// Packs the pairs at these places side by side as they come.
    fn pack(&mut self, listed: &Listed<'_, T>, places: &[u32], team: Team<'_>) {
        let Self { others, pairs, eights, .. } = self;
        let eight = |places: &[u32]| std::array::from_fn(|lane| places.get(lane).copied().unwrap_or(NONE));
        eights.clear();
        eights.extend(places.chunks(PACK).map(eight));
        others.extend(listed, eights, grown(pairs, places.len()), team);
    }

    /// Plans contacts of the pairs at these places, as they are remembered or else idle at first, and packs the pairs as
    /// these are.
    fn slot(
        &mut self,
        listed: &Listed<'_, T>,
        places: &[u32],
        (laws, memory): (&mut Laws<T>, &Memory<T>),
        team: Team<'_>,
    ) {
        let Self { slots, pairs, eights, .. } = self;
        let Slots { list, rows } = &mut slots[listed.elements.place()];
        for &place in places {
            let points = listed.pairs[place as usize].points;
            let [a, b] = [points[0], points[3]].map(|v| listed.surface.body_at(v));
            let law = laws.between(a, b);
            let contact = memory.of(&points).map_or_else(
                || idle(law.friction),
                |known| FrictionalContact { friction: law.friction, ..*known },
            );
            rows.put(points, contact, law.compliance);
        }
        rows.plan();
        let place = |source: u32| if source == NONE { NONE } else { places[source as usize] };
        eights.clear();
        eights.extend(rows.sources().iter().map(|sources| sources.map(place)));
        list.extend(listed, eights, grown(pairs, places.len()), team);
    }
}

/// The elements of a pair; either of two edges may come first in a list.
fn named<T>(elements: Elements, pair: &NearPair<T>) -> [u32; 2] {
    let [a, b] = pair.elements;
    match elements {
        Elements::VertexTriangle => [a, b],
        Elements::EdgeEdge => [a.min(b), a.max(b)],
    }
}

/// Room for so many pairs more at the end of a list, and the number of the first.
#[allow(clippy::cast_possible_truncation, reason = "pairs are numbered by u32")]
fn grown<T: Scalar>(pairs: &mut Vec<NearPair<T>>, count: usize) -> (&mut [NearPair<T>], u32) {
    let (first, zero) = (pairs.len(), T::zero());
    let nothing = NearPair { points: [0; 4], elements: [0; 2], keep: zero, distance: zero, way: zero };
    pairs.resize(first + count, nothing);
    (&mut pairs[first..], first as u32)
}

//! [`List`]: packs of pairs, and which of them have to be looked at in a substep.
//!
//! A pair was d apart on its paths when it was listed, or where it was when it was last measured. Its paths approach each other by at most w in a
//! substep. A particle is off its path by o at the start of a substep, and goes s in it beside its island, or q beside the
//! next step of its path. So after k substeps the two stay in the next one at least
//!
//! ```text
//! d − k w − max_A (o + s) − max_B (o + s)        wherever they stop on their ways
//! d − (k + 1) w − max_A (o + q) − max_B (o + q)  if they end where they are predicted
//! ```
//!
//! apart, with the maxima over the particles of each side ([`Reach`]).

use pliant_contact::{NearPair, Surface};
use pliant_kernel::{
    LaneJob, Lanes, NONE, PACK, Particle, Portable, Scalar, Simd, Spots, Team, side_by_side,
};

use super::marked::Marked;
use super::once::Once;

use crate::collide::eight::positions;
use crate::collide::elements::{Elements, NEAR};
use crate::collide::reach::{BLOCK, Reach};

/// The distance to keep of lanes without a contact: nothing is as near, m.
const NEVER: f64 = -1e30;

/// Packs whose particles are listed together, and packs that are looked at together.
const BUNCH: usize = 16;
pub(in crate::collide) const PIECE: usize = 128;

/// One of 64 bits, the same for particles that are close to each other in the numbering: of a particle whose
/// bit a pack has not, it has no pair.
fn trace(particle: u32) -> u64 {
    1 << (particle >> 3 & 63)
}

/// Eight pairs of one sort. Those that only fill up repeat the first, and keep less than no distance.
#[derive(Debug, Clone, Copy)]
pub(in crate::collide) struct Pack<T: Scalar> {
    pub(in crate::collide) spots: [Spots<T>; 4],
    /// The distance to keep, m.
    pub(in crate::collide) keep: [T; PACK],
    /// How far the pairs were apart when they were listed, m.
    distance: [T; PACK],
    /// A body of every pair, by which its island is known.
    pub(in crate::collide) body: [u32; PACK],
    /// Place of the first pair in the list, their number, and a bit for each that is left.
    pub(in crate::collide) first: u32,
    count: u32,
    pub(in crate::collide) live: u32,
    pub(in crate::collide) elements: Elements,
}

/// What settles most questions about a pack, or about all of a bunch.
#[derive(Debug, Clone, Copy)]
struct Brief<T: Scalar> {
    /// The least distance of its pairs when they were listed, and the least excess over what is near, m.
    least: T,
    room: T,
    /// How much nearer they come in a substep at most, by their paths, m; and the age of the paths when they
    /// were listed.
    way: T,
    listed: u32,
    /// The particles of its pairs, as [`trace`] has them.
    traces: u64,
}

impl<T: Scalar> Brief<T> {
    /// One that holds for all packs of a bunch.
    fn of_all(briefs: &[Self]) -> Self {
        briefs[1..].iter().fold(briefs[0], Self::and)
    }

    /// One that holds for both packs.
    fn and(self, other: &Self) -> Self {
        Self {
            least: self.least.min(other.least),
            room: self.room.min(other.room),
            way: self.way.max(other.way),
            listed: self.listed.min(other.listed),
            traces: self.traces | other.traces,
        }
    }

    /// How much nearer the pairs have come by their paths at most, m.
    #[inline(always)]
    fn gone(&self, reach: &Reach<T>) -> T {
        self.way * T::splat(f64::from(reach.age.saturating_sub(self.listed)))
    }
}

/// Packs that are looked at together, and what settles most questions about each.
pub(in crate::collide) struct Piece<T: Scalar> {
    packs: Vec<Pack<T>>,
    briefs: Vec<Brief<T>>,
    /// Briefs of every [`BUNCH`] packs, with their particles and the blocks of these.
    bunches: Vec<Brief<T>>,
    particles: Ragged,
    blocks: Ragged,
    /// Packs without a pair, and the numbers of the pairs that were last found to stay.
    dead: usize,
    staying: Vec<u32>,
}

/// Lists of numbers of all bunches, one after the other, and where each ends.
#[derive(Default)]
struct Ragged {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl Ragged {
    fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    /// Ends the list of a bunch.
    fn close(&mut self) {
        self.ends.push(self.numbers.len());
    }

    #[inline(always)]
    fn of(&self, bunch: usize) -> &[u32] {
        let from = if bunch == 0 { 0 } else { self.ends[bunch - 1] };
        &self.numbers[from..self.ends[bunch]]
    }
}

/// Packs in pieces of up to [`PIECE`]; those that are not used keep their room.
pub(in crate::collide) struct List<T: Scalar> {
    pieces: Vec<Piece<T>>,
    used: usize,
}

impl<T: Scalar> List<T> {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new(), used: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        let packs = self.pieces().flat_map(|piece| &piece.packs);
        packs.map(|pack| pack.live.count_ones() as usize).sum()
    }

    pub(in crate::collide) fn pieces(&self) -> impl Iterator<Item = &Piece<T>> {
        self.pieces[..self.used].iter()
    }

    pub(super) fn pieces_mut(&mut self) -> impl Iterator<Item = &mut Piece<T>> {
        self.pieces[..self.used].iter_mut()
    }

    /// Appends packs of the pairs at these places, eight in each, [`NONE`] where a lane has none. All but the
    /// last piece are full. The pairs are copied one after the other to where they are kept, from `first` on.
    #[allow(clippy::cast_possible_truncation, reason = "pairs are numbered by u32")]
    pub(super) fn extend(
        &mut self,
        listed: &Listed<'_, T>,
        eights: &[[u32; PACK]],
        (kept, first): (&mut [NearPair<T>], u32),
        team: Team<'_>,
    ) {
        let before = self.used;
        self.used += eights.len().div_ceil(PIECE);
        self.pieces.resize_with(self.used.max(self.pieces.len()), Piece::new);
        let (mut rest, mut first) = (kept, first);
        let pieces =
            self.pieces[before..self.used].iter_mut().zip(eights.chunks(PIECE)).map(|(piece, eights)| {
                let count = eights.iter().flatten().filter(|place| **place != NONE).count();
                let (own, after) = std::mem::take(&mut rest).split_at_mut(count);
                rest = after;
                first += count as u32;
                (piece, eights, own, first - count as u32)
            });
        team.for_each(pieces, |(piece, eights, own, first)| piece.fill(listed, eights, own, first));
    }
}

impl<T: Scalar> Piece<T> {
    fn new() -> Self {
        let (packs, briefs, bunches, particles, blocks, staying) = Default::default();
        Self { packs, briefs, bunches, particles, blocks, dead: 0, staying }
    }

    /// Replaces the packs by those of the pairs at these places, which are copied to `kept`.
    #[allow(clippy::cast_possible_truncation, reason = "pairs are numbered by u32")]
    fn fill(&mut self, listed: &Listed<'_, T>, eights: &[[u32; PACK]], kept: &mut [NearPair<T>], first: u32) {
        self.packs.clear();
        self.briefs.clear();
        self.dead = 0;
        let mut done = 0;
        for eight in eights {
            let begin = done;
            for &place in eight.iter().take_while(|place| **place != NONE) {
                kept[done] = listed.pairs[place as usize];
                done += 1;
            }
            self.push(listed, &kept[begin..done], first + begin as u32);
        }
        self.gather(kept, first);
    }

    #[allow(clippy::cast_possible_truncation, reason = "a pack has eight")]
    fn push(&mut self, listed: &Listed<'_, T>, eight: &[NearPair<T>], first: u32) {
        let &Listed { elements, age, surface, apart, .. } = listed;
        let pair = |lane: usize| eight.get(lane).unwrap_or(&eight[0]);
        let far = T::splat(f64::INFINITY);
        // The distance is that on the paths.
        let off = |points: &[u32]| points.iter().fold(T::zero(), |most, &v| most.max(apart[v as usize]));
        let distance = |pair: &NearPair<T>| {
            let (one, other) = pair.points.split_at(elements.split());
            pair.distance - off(one) - off(other)
        };
        self.packs.push(Pack {
            spots: std::array::from_fn(|k| Spots::new(std::array::from_fn(|lane| pair(lane).points[k]))),
            keep: std::array::from_fn(|lane| eight.get(lane).map_or(T::splat(NEVER), |pair| pair.keep)),
            distance: std::array::from_fn(|lane| eight.get(lane).map_or(far, distance)),
            body: std::array::from_fn(|lane| surface.body_at(pair(lane).points[0])),
            first,
            count: eight.len() as u32,
            live: (1 << eight.len()) - 1,
            elements,
        });
        let (least, room) = self.packs[self.packs.len() - 1].least_and_room();
        self.briefs.push(Brief {
            least,
            room,
            way: eight.iter().map(|pair| pair.way).fold(T::zero(), T::max),
            listed: age,
            traces: eight.iter().flat_map(|pair| pair.points).fold(0, |traces, v| traces | trace(v)),
        });
    }

    /// Measures how far pairs are apart at these positions, when paths have this age; those that are always looked at stay so.
    pub(super) fn measure(&mut self, at: &[Particle<T>], age: u32, simd: Simd) {
        T::dispatch(Measure { packs: &mut self.packs, at }, simd);
        for (brief, pack) in self.briefs.iter_mut().zip(&self.packs).filter(|(_, pack)| pack.live != 0) {
            (brief.least, brief.room) = pack.least_and_room();
            brief.listed = age;
        }
        for (bunch, briefs) in self.bunches.iter_mut().zip(self.briefs.chunks(BUNCH)) {
            *bunch = Brief::of_all(briefs);
        }
    }

    /// Sums up all bunches, and lists their particles; of the pairs given the first has the number `first`.
    fn gather(&mut self, pairs: &[NearPair<T>], first: u32) {
        self.bunches.clear();
        self.particles.clear();
        self.blocks.clear();
        for (bunch, briefs) in self.packs.chunks(BUNCH).zip(self.briefs.chunks(BUNCH)) {
            self.bunches.push(Brief::of_all(briefs));
            let (mut particles, mut blocks) = (Once::new(), Once::new());
            for pack in bunch {
                let begin = (pack.first - first) as usize;
                for v in pairs[begin..begin + pack.count as usize].iter().flat_map(|pair| pair.points) {
                    if particles.is_new(v) {
                        self.particles.numbers.push(v);
                        if blocks.is_new(v / BLOCK) {
                            self.blocks.numbers.push(v / BLOCK);
                        }
                    }
                }
            }
            self.particles.close();
            self.blocks.close();
        }
    }

    /// Drops the pairs of particles that are marked, and takes out packs without a pair where they are many.
    pub(super) fn drop_those_of(&mut self, marked: &Marked<'_>, pairs: &[NearPair<T>]) {
        let (far, mut dead) = (T::splat(f64::INFINITY), self.dead);
        self.for_each_of(marked, pairs, |pack, [brief, _], lane| {
            pack.live &= !(1 << lane);
            (pack.keep[lane], pack.distance[lane]) = (T::splat(NEVER), far);
            if pack.live == 0 {
                (brief.least, brief.room, brief.traces) = (far, far, 0);
                dead += 1;
            }
        });
        self.dead = dead;
        if self.dead > self.packs.len() / 4 {
            let mut kept = self.packs.iter().map(|pack| pack.live != 0);
            self.briefs.retain(|_| kept.next() == Some(true));
            self.packs.retain(|pack| pack.live != 0);
            self.dead = 0;
            self.gather(pairs, 0);
        }
    }

    /// Notes that no path says how far the pairs of particles that are marked are apart: they are always looked at.
    pub(super) fn leave_awake_those_of(&mut self, marked: &Marked<'_>, pairs: &[NearPair<T>]) {
        let mut staying = std::mem::take(&mut self.staying);
        staying.clear();
        let anywhere = T::splat(f64::NEG_INFINITY);
        self.for_each_of(marked, pairs, |pack, briefs, lane| {
            pack.distance[lane] = anywhere;
            for brief in briefs {
                (brief.least, brief.room) = (anywhere, anywhere);
            }
            staying.push(pack.first + lane as u32);
        });
        self.staying = staying;
    }

    /// The numbers of the pairs that were last found to stay.
    pub(super) fn staying(&self) -> &[u32] {
        &self.staying
    }

    /// Calls `take` with the lanes of the pairs of particles that are marked, and the briefs of pack and bunch.
    fn for_each_of(
        &mut self,
        marked: &Marked<'_>,
        pairs: &[NearPair<T>],
        mut take: impl FnMut(&mut Pack<T>, [&mut Brief<T>; 2], usize),
    ) {
        let Self { packs, briefs, bunches, particles, blocks, .. } = self;
        let all = packs.chunks_mut(BUNCH).zip(briefs.chunks_mut(BUNCH)).zip(bunches);
        for (bunch, ((packs, briefs), all)) in all.enumerate() {
            if !blocks.of(bunch).iter().any(|&block| marked.has_block(block)) {
                continue;
            }
            let own = particles.of(bunch).iter().filter(|&&v| marked.has(v));
            let traces = own.fold(0, |traces, &v| traces | trace(v));
            for (pack, brief) in packs.iter_mut().zip(briefs).filter(|(_, brief)| brief.traces & traces != 0)
            {
                for lane in 0..PACK {
                    let live = pack.live >> lane & 1 == 1;
                    if live && pairs[pack.first as usize + lane].points.iter().any(|&v| marked.has(v)) {
                        take(pack, [&mut *brief, &mut *all], lane);
                    }
                }
            }
        }
    }

    /// All packs.
    pub(in crate::collide) fn all(&self) -> &[Pack<T>] {
        &self.packs
    }

    /// All packs, by bunches, with the longest way of a particle of each in this substep beside its island, m.
    #[inline(always)]
    pub(in crate::collide) fn bunches<'a>(
        &'a self,
        reach: &'a Reach<T>,
    ) -> impl Iterator<Item = (&'a [Pack<T>], T)> {
        let way = |bunch: usize| largest(self.blocks.of(bunch), &reach.ways_of_blocks);
        self.packs.chunks(BUNCH).enumerate().map(move |(bunch, packs)| (packs, way(bunch)))
    }

    /// The packs of which a pair may come near in this substep.
    #[inline(always)]
    pub(in crate::collide) fn near<'a>(&'a self, reach: &'a Reach<T>) -> impl Iterator<Item = &'a Pack<T>> {
        let near = T::splat(NEAR);
        self.awake(reach, |brief| brief.room, move |pack, lane| near * pack.keep[lane])
    }

    /// The packs of which a pair may come nearer than `least`, m, in this substep.
    #[inline(always)]
    pub(in crate::collide) fn nearer<'a>(
        &'a self,
        reach: &'a Reach<T>,
        least: T,
    ) -> impl Iterator<Item = &'a Pack<T>> {
        self.awake(reach, move |brief| brief.least - least, move |_, _| least)
    }

    /// The packs of which a pair may come nearer than the `bound` of its lane, m. `excess` is the least excess over that
    /// when pairs were listed. Most bunches are settled by what goes farthest of all, or by the blocks of their particles.
    #[inline(always)]
    fn awake<'a>(
        &'a self,
        reach: &'a Reach<T>,
        excess: impl Fn(&Brief<T>) -> T + Copy + 'a,
        bound: impl Fn(&Pack<T>, usize) -> T + Copy + 'a,
    ) -> impl Iterator<Item = &'a Pack<T>> {
        let all = self.packs.chunks(BUNCH).zip(self.briefs.chunks(BUNCH)).zip(&self.bunches).enumerate();
        all.filter_map(move |(bunch, (packs, all))| {
            let left = excess(all) - all.gone(reach);
            if left > reach.most + reach.most {
                return None;
            }
            let most = largest(self.blocks.of(bunch), &reach.blocks);
            if left > most + most {
                return None;
            }
            let most = largest(self.particles.of(bunch), &reach.of);
            let are_apart = left > most + most;
            (!are_apart).then_some((packs, most))
        })
        .flat_map(move |((packs, briefs), most)| {
            let apart = move |pack: &Pack<T>, brief: &Brief<T>| {
                pack.is_apart(reach, (brief.gone(reach), excess(brief)), most, |lane| bound(pack, lane))
            };
            packs.iter().zip(briefs).filter(move |(pack, brief)| !apart(pack, brief)).map(|(pack, _)| pack)
        })
    }
}

/// The largest reach of some particles, or of some blocks, m. Several maxima side by side, none of which waits for another.
#[inline(always)]
fn largest<T: Scalar>(particles: &[u32], reach: &[T]) -> T {
    let mut most = [T::zero(); PACK];
    let eights = particles.chunks_exact(PACK);
    for &v in eights.remainder() {
        most[0] = most[0].max(reach[v as usize]);
    }
    for eight in eights {
        for (most, &v) in most.iter_mut().zip(eight) {
            *most = most.max(reach[v as usize]);
        }
    }
    most.into_iter().fold(T::zero(), T::max)
}

impl<T: Scalar> Pack<T> {
    /// The least distance of its pairs, and the least excess over what is near, m.
    fn least_and_room(&self) -> (T, T) {
        let far = T::splat(f64::INFINITY);
        let room = |lane: usize| self.distance[lane] - T::splat(NEAR) * self.keep[lane];
        let live = || (0..PACK).filter(|lane| self.live >> lane & 1 == 1);
        let least = live().fold(far, |least, lane| least.min(self.distance[lane]));
        (least, live().fold(far, |least, lane| least.min(room(lane))))
    }

    /// Whether all pairs stay farther apart than `bound` says, m, though they have `gone` towards each other. `excess` is
    /// the least excess over that when they were listed, `most` the largest reach of one of their particles.
    #[inline(always)]
    fn is_apart(
        &self,
        reach: &Reach<T>,
        (gone, excess): (T, T),
        most: T,
        bound: impl Fn(usize) -> T,
    ) -> bool {
        if excess - gone > most + most {
            return true;
        }
        let split = self.elements.split();
        (0..PACK).all(|lane| {
            let of = |k: usize| reach.of[self.spots[k].particle(lane)];
            let (low, middle, high) = (of(0), of(1), of(2).max(of(3)));
            let both = if split == 1 { low + middle.max(high) } else { low.max(middle) + high };
            self.distance[lane] - gone - bound(lane) > both
        })
    }
}

/// Pairs of one sort as a detection lists them, and the age of the paths then.
pub(in crate::collide) struct Listed<'a, T: Scalar> {
    pub(in crate::collide) elements: Elements,
    pub(in crate::collide) pairs: &'a [NearPair<T>],
    pub(in crate::collide) age: u32,
    pub(in crate::collide) surface: &'a Surface,
    /// How far particles were off their paths when distances were last measured, m.
    pub(in crate::collide) apart: &'a [T],
}

/// Measures how far the pairs of some packs are apart.
struct Measure<'a, T: Scalar> {
    packs: &'a mut [Pack<T>],
    at: &'a [Particle<T>],
}

impl<T: Scalar> LaneJob<T> for Measure<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let (anywhere, far) = (L::splat(f64::NEG_INFINITY), L::splat(f64::INFINITY));
        for pack in self.packs {
            for lane in (0..PACK).step_by(L::WIDTH) {
                let x = positions::<T, L>(&pack.spots, self.at, lane);
                let distance = pack.elements.closest(&x).distance_squared.sqrt();
                let before = L::load(&pack.distance[lane..]);
                let is_known = anywhere.lt(before);
                // What is not there, or not a number.
                let distance = L::select(before.lt(far), distance, before);
                let distance = L::select(distance.lt(far), distance, before);
                L::select(is_known, distance, before).store(&mut pack.distance[lane..]);
            }
        }
    }
}

#[cfg(test)]
mod tests;

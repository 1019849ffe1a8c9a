//! [`List`]: packs of pairs, and which of them have to be looked at in a substep.
//!
//! A pair was d apart on its paths when it was listed. Its paths approach each other by at most w in a
//! substep. A particle is off its path by o at the start of a substep, and goes s in it beside its island. So
//! after k substeps the two are still at least
//!
//! ```text
//! d − k w − max_A (o + s) − max_B (o + s)
//! ```
//!
//! apart, with the maxima over the particles of each side ([`Reach`]).

use pliant_contact::{NearPair, Surface};
use pliant_kernel::{NONE, PACK, Scalar, Spots, Team};

use super::once::Once;

use crate::collide::elements::{Elements, NEAR};
use crate::collide::reach::Reach;

/// The distance to keep of lanes without a contact: nothing is as near, m.
const NEVER: f64 = -1e30;

/// Packs whose particles are listed together, and packs that are looked at together.
const BUNCH: usize = 16;
pub(in crate::collide) const PIECE: usize = 128;

/// One of 64 bits, the same for particles that are close to each other in the numbering: of a particle whose
/// bit a pack has not, it has no pair.
pub(super) fn trace(particle: u32) -> u64 {
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

/// What settles most questions about a pack.
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

/// Packs that are looked at together, and what settles most questions about each.
pub(in crate::collide) struct Piece<T: Scalar> {
    packs: Vec<Pack<T>>,
    briefs: Vec<Brief<T>>,
    /// The particles of every [`BUNCH`] packs, one after the other, and where those of each end.
    particles: Vec<u32>,
    ends: Vec<usize>,
    /// Packs without a pair, and the numbers of the pairs that were last found to stay.
    dead: usize,
    staying: Vec<u32>,
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
        let (packs, briefs, particles, ends, staying) = Default::default();
        Self { packs, briefs, particles, ends, dead: 0, staying }
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
        let &Listed { elements, age, surface, .. } = listed;
        let pair = |lane: usize| eight.get(lane).unwrap_or(&eight[0]);
        let far = T::splat(f64::INFINITY);
        let least = |of: &dyn Fn(&NearPair<T>) -> T| eight.iter().map(of).fold(far, T::min);
        self.packs.push(Pack {
            spots: std::array::from_fn(|k| Spots::new(std::array::from_fn(|lane| pair(lane).points[k]))),
            keep: std::array::from_fn(|lane| eight.get(lane).map_or(T::splat(NEVER), |pair| pair.keep)),
            distance: std::array::from_fn(|lane| eight.get(lane).map_or(far, |pair| pair.distance)),
            body: std::array::from_fn(|lane| surface.body_at(pair(lane).points[0])),
            first,
            count: eight.len() as u32,
            live: (1 << eight.len()) - 1,
            elements,
        });
        self.briefs.push(Brief {
            least: least(&|pair| pair.distance),
            room: least(&|pair| pair.distance - T::splat(NEAR) * pair.keep),
            way: eight.iter().map(|pair| pair.way).fold(T::zero(), T::max),
            listed: age,
            traces: eight.iter().flat_map(|pair| pair.points).fold(0, |traces, v| traces | trace(v)),
        });
    }

    /// Lists the particles of all bunches; of the pairs given the first has the number `first`.
    fn gather(&mut self, pairs: &[NearPair<T>], first: u32) {
        self.particles.clear();
        self.ends.clear();
        for bunch in self.packs.chunks(BUNCH) {
            let mut once = Once::new();
            for pack in bunch {
                let begin = (pack.first - first) as usize;
                let points = pairs[begin..begin + pack.count as usize].iter().flat_map(|pair| pair.points);
                self.particles.extend(points.filter(|&v| once.is_new(v)));
            }
            self.ends.push(self.particles.len());
        }
    }

    /// Drops the pairs of the particles that are flagged, whose traces are given, and takes out packs without
    /// a pair where they are many.
    pub(super) fn drop_those_of(&mut self, flags: &[bool], traces: u64, pairs: &[NearPair<T>]) {
        let (far, mut dead) = (T::splat(f64::INFINITY), self.dead);
        self.for_each_of(flags, traces, pairs, |pack, brief, lane| {
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

    /// Notes that no path says how far the pairs of the particles that are flagged are apart, whose traces are given: they
    /// are always looked at.
    pub(super) fn leave_awake_those_of(&mut self, flags: &[bool], traces: u64, pairs: &[NearPair<T>]) {
        let mut staying = std::mem::take(&mut self.staying);
        staying.clear();
        let anywhere = T::splat(f64::NEG_INFINITY);
        self.for_each_of(flags, traces, pairs, |pack, brief, lane| {
            pack.distance[lane] = anywhere;
            (brief.least, brief.room) = (anywhere, anywhere);
            staying.push(pack.first + lane as u32);
        });
        self.staying = staying;
    }

    /// The numbers of the pairs that were last found to stay.
    pub(super) fn staying(&self) -> &[u32] {
        &self.staying
    }

    /// Calls `take` with the lanes of the pairs of particles that are flagged, whose traces are given.
    fn for_each_of(
        &mut self,
        flags: &[bool],
        traces: u64,
        pairs: &[NearPair<T>],
        mut take: impl FnMut(&mut Pack<T>, &mut Brief<T>, usize),
    ) {
        // Whether a bunch has one of the particles, as far as it was looked for.
        let (mut bunch, mut has) = (usize::MAX, false);
        for (number, (brief, pack)) in self.briefs.iter_mut().zip(&mut self.packs).enumerate() {
            if brief.traces & traces == 0 {
                continue;
            }
            if bunch != number / BUNCH {
                bunch = number / BUNCH;
                has = particles_of(&self.particles, &self.ends, bunch).iter().any(|&v| flags[v as usize]);
            }
            if !has {
                continue;
            }
            for lane in 0..PACK {
                let live = pack.live >> lane & 1 == 1;
                if live && pairs[pack.first as usize + lane].points.iter().any(|&v| flags[v as usize]) {
                    take(pack, brief, lane);
                }
            }
        }
    }

    /// The packs of which a pair may come near in this substep.
    #[inline(always)]
    pub(in crate::collide) fn near<'a>(&'a self, reach: &'a Reach<T>) -> impl Iterator<Item = &'a Pack<T>> {
        let near = T::splat(NEAR);
        let apart = move |pack: &Pack<T>, brief: &Brief<T>, most| {
            pack.is_apart(brief, reach, most, brief.room, |lane| near * pack.keep[lane])
        };
        self.packs(reach).filter(move |&(pack, brief, most)| !apart(pack, brief, most)).map(|(pack, ..)| pack)
    }

    /// All packs.
    pub(in crate::collide) fn all(&self) -> &[Pack<T>] {
        &self.packs
    }

    /// The packs of which a pair may come nearer than `least`, m, in this substep.
    #[inline(always)]
    pub(in crate::collide) fn nearer<'a>(
        &'a self,
        reach: &'a Reach<T>,
        least: T,
    ) -> impl Iterator<Item = &'a Pack<T>> {
        let apart = move |pack: &Pack<T>, brief: &Brief<T>, most| {
            pack.is_apart(brief, reach, most, brief.least - least, |_| least)
        };
        self.packs(reach).filter(move |&(pack, brief, most)| !apart(pack, brief, most)).map(|(pack, ..)| pack)
    }

    /// The packs, with the largest reach of a particle of their bunch, m.
    #[inline(always)]
    fn packs<'a>(&'a self, reach: &'a Reach<T>) -> impl Iterator<Item = (&'a Pack<T>, &'a Brief<T>, T)> {
        let bunches = self.packs.chunks(BUNCH).zip(self.briefs.chunks(BUNCH)).enumerate();
        bunches.flat_map(move |(bunch, (packs, briefs))| {
            let most = largest(particles_of(&self.particles, &self.ends, bunch), &reach.of);
            packs.iter().zip(briefs).map(move |(pack, brief)| (pack, brief, most))
        })
    }
}

/// The particles of a bunch.
#[inline(always)]
fn particles_of<'a>(particles: &'a [u32], ends: &[usize], bunch: usize) -> &'a [u32] {
    let from = if bunch == 0 { 0 } else { ends[bunch - 1] };
    &particles[from..ends[bunch]]
}

/// The largest reach of some particles, m. Several maxima side by side, none of which waits for another.
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
    /// Whether all pairs stay farther apart than `bound` says, m. `excess` is the least excess over that when
    /// they were listed, `most` the largest reach of one of their particles.
    #[inline(always)]
    fn is_apart(
        &self,
        brief: &Brief<T>,
        reach: &Reach<T>,
        most: T,
        excess: T,
        bound: impl Fn(usize) -> T,
    ) -> bool {
        let gone = brief.way * T::splat(f64::from(reach.age.saturating_sub(brief.listed)));
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
}

#[cfg(test)]
mod tests;

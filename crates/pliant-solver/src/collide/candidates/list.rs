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
use pliant_kernel::{PACK, Scalar, Spots};

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

/// Packs, and what settles most questions about each.
pub(in crate::collide) struct List<T: Scalar> {
    packs: Vec<Pack<T>>,
    briefs: Vec<Brief<T>>,
    /// The particles of every [`BUNCH`] packs, one after the other, and where those of each end.
    particles: Vec<u32>,
    ends: Vec<usize>,
    /// For every particle the last bunch that has it, counted over all lists that there were.
    marks: Vec<u64>,
    bunch: u64,
    /// Packs without a pair.
    dead: usize,
}

/// Some bunches of packs.
#[derive(Clone, Copy)]
pub(in crate::collide) struct Stretch<'a, T: Scalar> {
    list: &'a List<T>,
    /// Numbers of the first bunch, and of the one after the last.
    bunches: [usize; 2],
}

impl<T: Scalar> List<T> {
    pub(super) fn new(particles: usize) -> Self {
        Self {
            packs: Vec::new(),
            briefs: Vec::new(),
            particles: Vec::new(),
            ends: Vec::new(),
            marks: vec![0; particles],
            bunch: 0,
            dead: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.packs.clear();
        self.briefs.clear();
        self.particles.clear();
        self.ends.clear();
        self.dead = 0;
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.packs.iter().map(|pack| pack.live.count_ones() as usize).sum()
    }

    /// The list in pieces of [`PIECE`] packs.
    pub(in crate::collide) fn pieces(&self) -> impl Iterator<Item = Stretch<'_, T>> {
        let count = self.ends.len();
        let step = PIECE / BUNCH;
        (0..count)
            .step_by(step)
            .map(move |first| Stretch { list: self, bunches: [first, count.min(first + step)] })
    }

    /// Takes the particles of a pack up among those of its bunch, the last.
    fn gather(&mut self, pack: usize, pairs: &[NearPair<T>]) {
        if pack.is_multiple_of(BUNCH) {
            self.bunch += 1;
            self.ends.push(self.particles.len());
        }
        for v in pairs.iter().flat_map(|pair| pair.points) {
            if std::mem::replace(&mut self.marks[v as usize], self.bunch) != self.bunch {
                self.particles.push(v);
            }
        }
        if let Some(end) = self.ends.last_mut() {
            *end = self.particles.len();
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "a pack has eight")]
    pub(super) fn push(&mut self, listed: &Listed<'_, T>, eight: &[NearPair<T>], first: u32) {
        let &Listed { elements, age, surface, .. } = listed;
        self.gather(self.packs.len(), eight);
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

    /// Drops the pairs of the particles that are flagged, whose traces are given.
    pub(super) fn drop_those_of(&mut self, flags: &[bool], traces: u64, pairs: &[NearPair<T>]) {
        let far = T::splat(f64::INFINITY);
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
                    pack.live &= !(1 << lane);
                    // A place among rows stays, and is idle.
                    (pack.keep[lane], pack.distance[lane]) = (T::splat(NEVER), far);
                }
            }
            if pack.live == 0 {
                (brief.least, brief.room, brief.traces) = (far, far, 0);
                self.dead += 1;
            }
        }
    }

    /// Takes out packs without a pair where they are many.
    pub(super) fn tidy(&mut self, pairs: &[NearPair<T>]) {
        if self.dead > self.packs.len() / 4 {
            let mut kept = self.packs.iter().map(|pack| pack.live != 0);
            self.briefs.retain(|_| kept.next() == Some(true));
            self.packs.retain(|pack| pack.live != 0);
            self.dead = 0;
            self.particles.clear();
            self.ends.clear();
            for number in 0..self.packs.len() {
                let Pack { first, count, .. } = self.packs[number];
                self.gather(number, &pairs[first as usize..(first + count) as usize]);
            }
        }
    }
}

impl<'a, T: Scalar> Stretch<'a, T> {
    /// The packs of which a pair may come near in this substep.
    #[inline(always)]
    pub(in crate::collide) fn near(self, reach: &'a Reach<T>) -> impl Iterator<Item = &'a Pack<T>> {
        let near = T::splat(NEAR);
        let apart = move |pack: &Pack<T>, brief: &Brief<T>, most| {
            pack.is_apart(brief, reach, most, brief.room, |lane| near * pack.keep[lane])
        };
        self.packs(reach).filter(move |&(pack, brief, most)| !apart(pack, brief, most)).map(|(pack, ..)| pack)
    }

    /// All packs.
    pub(in crate::collide) fn all(self) -> &'a [Pack<T>] {
        let [first, end] = self.bunches;
        &self.list.packs[first * BUNCH..self.list.packs.len().min(end * BUNCH)]
    }

    /// The packs of which a pair may come nearer than `least`, m, in this substep.
    #[inline(always)]
    pub(in crate::collide) fn nearer(
        self,
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
    fn packs(self, reach: &'a Reach<T>) -> impl Iterator<Item = (&'a Pack<T>, &'a Brief<T>, T)> {
        let Self { list, bunches: [first, end] } = self;
        (first..end).flat_map(move |bunch| {
            let most = largest(particles_of(&list.particles, &list.ends, bunch), &reach.of);
            let packs = bunch * BUNCH..list.packs.len().min((bunch + 1) * BUNCH);
            let both = list.packs[packs.clone()].iter().zip(&list.briefs[packs]);
            both.map(move |(pack, brief)| (pack, brief, most))
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
pub(super) struct Listed<'a, T: Scalar> {
    pub(super) elements: Elements,
    pub(super) pairs: &'a [NearPair<T>],
    pub(super) age: u32,
    pub(super) surface: &'a Surface,
}

#[cfg(test)]
mod tests;

//! [`Candidates`]: pairs that may come near, eight side by side, and when they are to be looked at again.
//!
//! Surfaces come towards each other by at most twice the way of the particle that goes farthest. The sum of these is an odometer: a pack whose pairs are too far apart to touch before it shows a certain number is asleep until then.

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_contact::{Closest, Detector, NearPair, Surface, edge_edge, vertex_triangle};
use pliant_kernel::{PACK, Scalar, Spots};

/// A pair gets a contact where it would come nearer than this multiple of the distance to keep.
pub(super) const NEAR: f64 = 1.2;

/// What is nearer at a detection than this multiple of the distance to keep is packed apart.
const AWAKE: f64 = 1.3;

/// One of 64 bits, the same for particles that are close to each other in the numbering: of a particle whose bit a pack has not, it has no pair.
fn trace(particle: u32) -> u64 {
    1 << (particle >> 3 & 63)
}

/// Which two elements the pairs of a pack are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    VertexTriangle,
    EdgeEdge,
}

impl Elements {
    /// Number of points of the first element.
    pub(super) fn split(self) -> usize {
        match self {
            Self::VertexTriangle => 1,
            Self::EdgeEdge => 2,
        }
    }

    /// The closest points of a pair at these positions.
    #[inline(always)]
    pub(super) fn closest<R: Real>(self, x: &[Vector3<R>; 4]) -> Closest<R> {
        match self {
            Self::VertexTriangle => vertex_triangle(&x[0], &[x[1], x[2], x[3]]),
            Self::EdgeEdge => edge_edge(&[x[0], x[1]], &[x[2], x[3]]),
        }
    }

    /// What a detector has listed, by sort.
    pub(super) fn lists<T: Scalar>(detector: &Detector<T>) -> [(Self, &[NearPair<T>]); 2] {
        [(Self::VertexTriangle, detector.vertex_triangle()), (Self::EdgeEdge, detector.edge_edge())]
    }
}

/// Eight pairs of one sort. Those that only fill up repeat the first, and keep less than no distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pack<T: Scalar> {
    pub(super) spots: [Spots<T>; 4],
    /// The distance to keep, m.
    pub(super) keep: [T; PACK],
    /// A body of every pair, by which its island is known.
    pub(super) body: [u32; PACK],
    /// The particles of its pairs, as [`trace`] has them.
    traces: u64,
    /// Place of the first pair in the list, and a bit for each that is one.
    pub(super) first: u32,
    pub(super) live: u32,
    pub(super) elements: Elements,
    /// The least distance of a pair, m, when the odometer stood at `since`.
    pub(super) least: T,
    pub(super) since: T,
    /// Where the odometer may stand before a pair is near.
    pub(super) wake: T,
}

/// The pairs of a detection.
pub(super) struct Candidates<T: Scalar> {
    pub(super) packs: Vec<Pack<T>>,
    pub(super) pairs: Vec<NearPair<T>>,
    /// Pairs on their way into packs: those that are awake, and those that sleep.
    sorted: [Vec<NearPair<T>>; 2],
    /// Twice the way of the particle that went farthest, summed over the substeps since the detection, m.
    pub(super) odometer: T,
}

impl<T: Scalar> Default for Candidates<T> {
    fn default() -> Self {
        Self { packs: Vec::new(), pairs: Vec::new(), sorted: Default::default(), odometer: T::zero() }
    }
}

impl<T: Scalar> Candidates<T> {
    pub(super) fn clear(&mut self) {
        self.packs.clear();
        self.pairs.clear();
        self.odometer = T::zero();
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.packs.iter().map(|pack| pack.live.count_ones() as usize).sum()
    }

    /// Drops the pairs of these particles, which are flagged as well.
    pub(super) fn drop_those_of(&mut self, particles: &[u32], flags: &[bool]) {
        let wanted = particles.iter().fold(0, |traces, &v| traces | trace(v));
        for pack in self.packs.iter_mut().filter(|pack| pack.traces & wanted != 0) {
            for lane in 0..PACK {
                let live = pack.live >> lane & 1 == 1;
                if live && self.pairs[pack.first as usize + lane].points.iter().any(|&v| flags[v as usize]) {
                    pack.live &= !(1 << lane);
                }
            }
        }
        self.packs.retain(|pack| pack.live != 0);
    }

    /// What a pair is of.
    pub(super) fn elements_of(&self, pair: u32) -> Elements {
        let after = self.packs.partition_point(|pack| pack.first <= pair);
        self.packs[after - 1].elements
    }

    /// Takes the pairs of one sort up: first those that are near already, which have to be looked at in every substep, then those that sleep.
    pub(super) fn add<'a>(
        &mut self,
        elements: Elements,
        pairs: impl Iterator<Item = &'a NearPair<T>>,
        surface: &Surface,
    ) {
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.iter_mut().for_each(Vec::clear);
        for pair in pairs {
            let sleeps = pair.distance > pair.keep * T::splat(AWAKE);
            sorted[usize::from(sleeps)].push(*pair);
        }
        for pairs in &sorted {
            self.pack(elements, pairs, surface);
        }
        self.sorted = sorted;
    }

    #[allow(clippy::cast_possible_truncation, reason = "pairs are numbered by u32, and a pack has eight")]
    fn pack(&mut self, elements: Elements, pairs: &[NearPair<T>], surface: &Surface) {
        for eight in pairs.chunks(PACK) {
            let pair = |lane: usize| eight.get(lane).unwrap_or(&eight[0]);
            let spots = std::array::from_fn(|k| Spots::new(std::array::from_fn(|lane| pair(lane).points[k])));
            self.packs.push(Pack {
                spots,
                keep: std::array::from_fn(|lane| eight.get(lane).map_or(T::splat(-1e30), |pair| pair.keep)),
                body: std::array::from_fn(|lane| surface.body_at(pair(lane).points[0])),
                traces: eight.iter().flat_map(|pair| pair.points).fold(0, |traces, v| traces | trace(v)),
                first: self.pairs.len() as u32,
                live: (1 << eight.len()) - 1,
                elements,
                least: T::zero(),
                since: T::zero(),
                wake: T::splat(-1.0),
            });
            self.pairs.extend_from_slice(eight);
        }
    }
}

//! The input of a detection: paths, distances, and which pairs are excluded.

use nalgebra::Vector3;
use pliant_mesh::Adjacency;
use thiserror::Error;

/// Largest magnitude of a coordinate, m.
pub(super) const FARTHEST: f64 = 1e30;

/// Where the particles are, and how they are expected to move.
#[derive(Debug, Clone, Copy)]
pub struct Paths<'a, T> {
    /// Where each particle is, m.
    pub positions: &'a [Vector3<T>],
    /// By how much each is expected to move in every substep, h·v, m.
    pub steps: &'a [Vector3<T>],
    /// Where the particles of each body rest, m, if the distances at rest are to be respected.
    pub rest: Option<&'a [Vector3<T>]>,
    /// For every body a displacement u per substep, m, beside which its particles may stop anywhere on their
    /// way: they go u + t (s − u) with any t from 0 to 1 of its own. None where all go their whole steps s.
    pub halts: Option<&'a [Vector3<T>]>,
    /// Whether particles may turn on their way, and go as far in any other direction. So it is where they are pushed.
    pub may_turn: bool,
}

/// Which bodies a body meets. Two different bodies meet if each is in a group that the other one hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask {
    /// The groups that the body is in, a bit each.
    pub groups: u32,
    /// The groups that it meets.
    pub hits: u32,
    /// Whether it meets itself.
    pub itself: bool,
}

impl Default for Mask {
    /// In all groups, meets all, and itself.
    fn default() -> Self {
        Self { groups: u32::MAX, hits: u32::MAX, itself: true }
    }
}

/// Distances, and which pairs are excluded.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Half of the thickness of each body, m: two surfaces keep the distance d, the sum of their two values.
    pub radii: &'a [f64],
    /// m: the lists are void where a particle is farther than half of it from its path, m.
    pub slack: f64,
    /// K: substeps for which the lists are made.
    pub horizon: u32,
    /// The share of d that two edges keep. Two flat layers at distance d have some five pairs of edges at
    /// that distance for every edge; with 0.8 these are inactive, and vertices hold the layers.
    pub edge_share: f64,
    /// How much nearer than they keep two edges may come, as a share of it, before they have to be listed: by this much
    /// less of the slack they are looked for, and those that stay on their paths are listed all the same. With 0 the
    /// slack counts in full, as it does for vertices and triangles.
    pub edge_leeway: f64,
    /// For each body, or empty: all meet all.
    pub masks: &'a [Mask],
    /// For each particle whether it is held, or empty: none is. Pairs of which no particle is free are excluded.
    pub held: &'a [bool],
    /// Particles that are welded, stitched or attached to each other.
    pub ties: &'a Ties,
}

/// Particles that have left their paths.
#[derive(Debug, Clone, Copy)]
pub struct Strays<'a> {
    /// Their numbers.
    pub particles: &'a [u32],
    /// For each particle of all whether it is one of them.
    pub flags: &'a [bool],
}

/// When new paths begin and end, and where all particles are then.
#[derive(Debug, Clone, Copy)]
pub struct Since {
    /// Substeps since the last full detection: at the begin of the paths, and at their end.
    pub times: [u32; 2],
    /// How far all particles, but for those that are held, are from their paths together, m.
    pub drift: Vector3<f64>,
}

/// Pairs of particles that are tied: an element with one of them is not paired with an element that has the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ties {
    /// The particles to which each is tied, up to the last one that has any.
    others: Option<Adjacency>,
}

impl Ties {
    /// These ties, in any order.
    #[must_use]
    pub fn new(pairs: &[[u32; 2]]) -> Self {
        let mut ties: Vec<[u32; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        ties.sort_unstable();
        ties.dedup();
        let last = ties.iter().map(|[_, last]| *last as usize).max();
        Self { others: last.map(|last| Adjacency::of_edges(last + 1, &ties)) }
    }

    /// The particles to which one is tied.
    #[inline(always)]
    fn of(&self, particle: u32) -> &[u32] {
        let particle = particle as usize;
        self.others
            .as_ref()
            .filter(|others| particle < others.len())
            .map_or(&[], |others| others.row(particle))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.others.is_none()
    }

    /// Whether a particle of one side is tied to one of the other.
    #[must_use]
    #[inline(always)]
    pub fn between(&self, first: &[u32], second: &[u32]) -> bool {
        first.iter().any(|&a| self.of(a).iter().any(|b| second.contains(b)))
    }
}

/// Paths or rules by which nothing can be detected.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum DetectError {
    /// A list has not as many entries as there are particles or bodies.
    #[error("{what} has {given} entries; {wanted} are needed")]
    WrongCount {
        /// Which list.
        what: &'static str,
        /// How many entries it has.
        given: usize,
        /// How many it must have.
        wanted: usize,
    },
    /// A distance or factor is negative or not a finite number.
    #[error("{what} is {value}; give a finite number of at least 0")]
    Negative {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A corner, or where it will be, is NaN or beyond 1e30 m.
    #[error(
        "particle {particle} is at, or on its way to, a place that is not finite or beyond 1e30; look at its forces, or take more substeps"
    )]
    NotFinite {
        /// The first such particle.
        particle: u32,
    },
}

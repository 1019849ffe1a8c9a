//! [`PackPlan`]: which constraints lie side by side.

use std::ops::Range;

use crate::lanes::PACK;
use crate::per_cluster::PerCluster;
use crate::trio_count::TrioCount;

/// Stands for no constraint in the list of numbers.
pub const NONE: u32 = u32::MAX;

/// A plan of packs: which constraints, by their place in a list, form each pack, each cluster and each colour.
pub struct PackPlan {
    /// One to eight constraints each, then [`NONE`].
    pub packs: Vec<[u32; PACK]>,
    /// Consecutive ranges of packs.
    pub clusters: Vec<Range<usize>>,
    /// Trios of every cluster.
    pub trio_counts: Vec<TrioCount>,
    /// Numbers of the clusters that follow one another in space.
    pub numbers: Vec<u32>,
    /// First of the dummy particles of every cluster, eight per point of a stencil.
    pub dummies: Vec<u32>,
    /// Consecutive ranges of clusters of which no two share a particle.
    pub colours: Vec<Range<usize>>,
    /// For every cluster those before it which share particles with it.
    pub waits: PerCluster,
}

//! [`Packs`]: constraints of one kind, eight side by side, in clusters that run in parallel.
//!
//! A *pack* holds eight constraints that share no particle, as arrays of eight: offsets of particles, rest
//! data, compliances and multipliers. Packs belong to *clusters*, which are projected by one thread each;
//! clusters of one *colour* share no particle. A cluster waits for the few before it that it shares particles
//! with, not for a whole colour.
//!
//! Constraints between two points may come in *trios*: three packs that hold, lane by lane, the sides of a
//! triangle. Its corners are then loaded and stored once for all three sides.

mod look;
mod make;
mod plan;
mod sweep;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::ops::Range;

use pliant_constraints::Kind;

use crate::ahead::Ahead;
use crate::assembly::Places;
use crate::lanes::PACK;
use crate::lists::{Finished, Lists};
use crate::number::Number;
use crate::per_cluster::PerCluster;
use crate::points::Points;
use crate::trio_count::sides;

pub(crate) use look::Given;
pub use plan::{NONE, PackPlan};

/// Constraints in packs.
///
/// Invariant, established by [`Packs::new`]: every offset is that of a particle below `particles`; no two
/// constraints of a pack share a particle; of any two clusters that share a particle, the later waits for the
/// earlier, directly or by way of others that do; trios are what [`TrioCount`](crate::TrioCount) says.
pub struct Packs<T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Which particles the packs act on, and which of them are trios.
    points: Points<N>,
    /// `stride` rows of eight per pack: rest data, compliance unless it is the same for all.
    rows: Vec<[T; PACK]>,
    /// `M` rows of eight per pack. By themselves, because most sweeps neither read nor write them: those of
    /// equations without compliance before the last substep of a frame, and first iterations that are not
    /// followed by others.
    multipliers: Vec<[T; PACK]>,
    /// The caller's numbers of the constraints of every pack.
    source: Vec<[u32; PACK]>,
    /// For every pack a bit for each lane whose points have changed places, see [`Packs::orient`].
    turned: Vec<u8>,
    /// For the first pack of every pair of trios, of every single trio and for every other pack, whether it
    /// shares a particle with the unit before it in its cluster.
    linked: Vec<bool>,
    /// The compliance of all constraints, if it is the same.
    uniform: Option<T>,
    /// Packs of every cluster.
    clusters: Vec<Range<usize>>,
    /// Numbers of the clusters that follow one another in space.
    numbers: Vec<u32>,
    /// Clusters of every colour.
    colours: Vec<Range<usize>>,
    finished: Vec<Finished>,
    /// The current round.
    round: u32,
    /// How clusters are walked from the first to the last.
    there: Way,
    /// The same from the last to the first; made when a sweep first goes that way.
    back: Option<Way>,
    particles: usize,
    len: usize,
    /// Where stiffnesses are added, once they were.
    places: Option<Places>,
    kind: PhantomData<fn() -> K>,
}

/// One of the two directions in which clusters are walked.
struct Way {
    /// For every cluster those which share particles with it and come before it in this direction.
    waits: PerCluster,
    /// Which member of the last team projects which cluster.
    lists: Lists,
    /// What clusters prefetch, according to the lists.
    ahead: Ahead,
}

impl Default for Way {
    fn default() -> Self {
        let waits = PerCluster::from_pairs(0, std::iter::empty);
        Self { waits, lists: Lists::default(), ahead: Ahead::default() }
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Whether constraints of the kind join two points that may change places: those can be sides of
    /// triangles, and pull as much at one end as at the other.
    pub const SIDES: bool = sides::<K, N, M>();

    fn stride(&self) -> usize {
        // Not zero for kinds without rest data: slices are cut into pieces of this length.
        (K::REST + usize::from(self.uniform.is_none())).max(1)
    }
}

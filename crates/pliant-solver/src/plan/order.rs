//! [`Order`]: the numbering of particles in a running simulation, and the clusters that follow from it.
//!
//! Particles that are near each other in space get near numbers, by recursive coordinate bisection of every
//! part: each box is halved at the median of its longest side until it holds few enough particles. Boxes of a
//! certain size within this recursion are the clusters by which constraints are scheduled. The caller's
//! numbering is restored wherever results leave the simulation.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_mesh::Aabb;

/// Particles of the smallest box; within it the caller's order is kept.
const LEAF: usize = 16;

/// The most particles of a cluster.
const CLUSTER: usize = 256;

/// The most particles of a cluster of a large mesh.
const LARGE_CLUSTER: usize = 1024;

/// Number of particles from which large clusters have enough neighbours to keep several threads busy.
const LARGE: usize = 40_000;

/// A numbering of particles by place.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Number in the simulation of every particle of the caller's; several that are one have the same.
    pub(crate) to_internal: Vec<u32>,
    /// The caller's number of every particle in the simulation.
    pub(crate) to_caller: Vec<u32>,
    /// The particles of every cluster, consecutive ranges in the simulation.
    clusters: Vec<Range<u32>>,
}

impl Order {
    /// Numbers the particles of each part by place; parts keep their ranges.
    pub(crate) fn by_place(positions: &[Vector3<f64>], parts: impl Iterator<Item = Range<usize>>) -> Self {
        let mut places: Vec<Located> =
            (0_u32..).zip(positions).map(|(caller, &position)| Located { position, caller }).collect();
        let size = if is_large(positions.len()) { LARGE_CLUSTER } else { CLUSTER };
        let mut clusters = Vec::new();
        for part in parts {
            clusters.extend(bisect(&mut places[part.clone()], index(part.start), size, usize::MAX));
        }
        let to_caller: Vec<u32> = places.into_iter().map(|place| place.caller).collect();
        let mut to_internal = vec![0; positions.len()];
        for (internal, &caller) in (0_u32..).zip(&to_caller) {
            to_internal[caller as usize] = internal;
        }
        Self { to_internal, to_caller, clusters }
    }

    /// The caller's numbering of so many particles, without clusters.
    pub(crate) fn as_given(particles: usize) -> Self {
        let all: Vec<u32> = (0..).take(particles).collect();
        Self { to_internal: all.clone(), to_caller: all, clusters: Vec::new() }
    }

    /// Gives every pair (a, b) of the caller's particles the number of b.
    pub(crate) fn join(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        for (a, b) in pairs {
            self.to_internal[a as usize] = self.to_internal[b as usize];
        }
    }

    /// Whether there are enough particles for large clusters.
    pub(crate) fn is_large(&self) -> bool {
        is_large(self.to_caller.len())
    }

    /// The cluster of every particle, and the number of clusters.
    pub(crate) fn clusters(&self) -> (Vec<u32>, usize) {
        let mut cluster_of = vec![0; self.to_caller.len()];
        for (cluster, range) in (0_u32..).zip(&self.clusters) {
            cluster_of[range.start as usize..range.end as usize].fill(cluster);
        }
        (cluster_of, self.clusters.len())
    }
}

/// Whether this many particles are enough for large clusters.
fn is_large(particles: usize) -> bool {
    particles >= LARGE
}

/// Particles are numbered by `u32`, which an assembly checks when it is made.
#[allow(clippy::cast_possible_truncation, reason = "the number of particles was checked")]
fn index(i: usize) -> u32 {
    i as u32
}

/// A particle, with its position beside it: positions looked up by number would lie far apart in memory.
#[derive(Clone, Copy)]
struct Located {
    position: Vector3<f64>,
    caller: u32,
}

/// Sorts particles by place, those from number `first` on. `parent` is the size of the box around them.
/// Returns the clusters of at most `size` particles.
fn bisect(places: &mut [Located], first: u32, size: usize, parent: usize) -> Vec<Range<u32>> {
    let n = places.len();
    let mut found = Vec::new();
    if n > LEAF {
        let axis = Aabb::around(places.iter().map(|place| place.position)).map_or(0, |b| b.longest_axis());
        let middle = n / 2;
        places.select_nth_unstable_by(middle, |a, b| {
            a.position[axis].total_cmp(&b.position[axis]).then(a.caller.cmp(&b.caller))
        });
        let (low, high) = places.split_at_mut(middle);
        let start = first + index(middle);
        let below = |part: &mut [Located], first| bisect(part, first, size, n);
        let (mut a, b) = if n > 8192 {
            rayon::join(|| below(low, first), || below(high, start))
        } else {
            (below(low, first), below(high, start))
        };
        a.extend(b);
        found = a;
    } else {
        places.sort_unstable_by_key(|place| place.caller);
    }
    if n <= size && parent > size && n > 0 {
        found = std::iter::once(first..first + index(n)).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn numberings_are_inverse_and_clusters_cover_all(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 1..3000),
            cut in 0.0..1.0_f64,
        ) {
            let positions: Vec<_> = points.into_iter().map(Vector3::from).collect();
            let n = positions.len();
            let cut = (cut * n as f64) as usize;
            let order = Order::by_place(&positions, [0..cut, cut..n].into_iter());
            for i in 0..n {
                prop_assert_eq!(order.to_caller[order.to_internal[i] as usize] as usize, i);
                prop_assert_eq!(i < cut, (order.to_internal[i] as usize) < cut, "parts keep their ranges");
            }
            let mut next = 0;
            for range in &order.clusters {
                prop_assert_eq!(range.start, next);
                prop_assert!(range.len() <= CLUSTER);
                prop_assert!(range.end as usize <= cut || range.start as usize >= cut, "parts have their own");
                next = range.end;
            }
            prop_assert_eq!(next as usize, n, "the clusters cover all particles");
        }
    }
}

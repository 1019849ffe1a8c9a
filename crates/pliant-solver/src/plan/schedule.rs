//! Which constraints are projected side by side, and in which order: [`schedule`] makes a [`PackPlan`] from
//! stencils and clusters.
//!
//! A constraint belongs to the cluster that owns most of its particles. Clusters whose constraints share a
//! particle get different colours; the constraints of a cluster are [packed](crate::plan::packing) eight by
//! eight.

use petgraph::algo::dsatur_coloring;
use petgraph::graph::{NodeIndex, UnGraph};
use pliant_kernel::{NONE, PACK, PackPlan, PerCluster, TrioCount};
use pliant_mesh::Colouring;
use rayon::prelude::*;

use crate::plan::packing::{Packing, pack};

/// Clusters of particles, for the planner.
#[derive(Debug, Clone)]
pub(crate) struct ClusterMap {
    /// Cluster of every particle.
    pub(crate) of: Vec<u32>,
    /// Number of clusters.
    pub(crate) count: usize,
    /// Points of a stencil that every cluster has dummy particles for.
    pub(crate) points: usize,
    /// Whether the sides of triangles may be packed together.
    ///
    /// They follow one another within a sweep, which disturbs a mesh more than colours of single edges do:
    /// with so many substeps that a small mesh is almost inextensible, a sheet of 12² vertices keeps a strain
    /// of 0.03 % instead of 0.006 %. Large meshes are far from such strains, and only for them is the gain in
    /// speed worth it.
    pub(crate) triangles: bool,
}

impl ClusterMap {
    /// A single cluster of all particles.
    pub(crate) fn one(particles: usize, points: usize) -> Self {
        Self { of: vec![0; particles], count: 1, points, triangles: false }
    }

    /// First dummy particle of a cluster; dummies follow the particles.
    #[allow(clippy::cast_possible_truncation, reason = "the number of particles was checked")]
    fn dummies(&self, cluster: usize) -> u32 {
        (self.of.len() + cluster * self.points * PACK) as u32
    }

    /// Number of particles, dummies included.
    pub(crate) fn total(&self) -> usize {
        self.of.len() + self.count * self.points * PACK
    }
}

/// Plans the constraints `active` of those with the given stencils, in the numbering of the simulation. If
/// they may be `sides` of triangles, see [`Packs::SIDES`](pliant_kernel::Packs::SIDES), and the clusters
/// allow it, they are packed as the sides of triangles where possible.
pub(crate) fn schedule<const N: usize>(
    stencils: &[[u32; N]],
    active: &[u32],
    clusters: &ClusterMap,
    sides: bool,
) -> PackPlan {
    assert!(N <= clusters.points, "clusters have dummies for {} points", clusters.points);
    let members = bucket(stencils, active, clusters);
    let conflicts = conflicts(stencils, &members, clusters);
    let colour_of = colour(clusters.count, &conflicts);
    let mut order: Vec<usize> = (0..clusters.count).filter(|&c| !members.of(c).is_empty()).collect();
    order.sort_by_key(|&c| (colour_of[c], c));

    let packed = pack_clusters(stencils, &members, &order, clusters.of.len(), sides && clusters.triangles);
    let mut plan = PackPlan {
        packs: Vec::with_capacity(packed.iter().map(|packing| packing.packs.len()).sum()),
        clusters: Vec::with_capacity(order.len()),
        trio_counts: packed.iter().map(|packing| packing.trio_count).collect(),
        numbers: order.iter().map(|&c| c as u32).collect(),
        dummies: order.iter().map(|&c| clusters.dummies(c)).collect(),
        colours: Vec::new(),
        waits: waits(&conflicts, &order, clusters.count),
    };
    for (place, packing) in packed.into_iter().enumerate() {
        let first = plan.packs.len();
        plan.packs.extend(packing.packs);
        plan.clusters.push(first..plan.packs.len());
        if place == 0 || colour_of[order[place - 1]] != colour_of[order[place]] {
            plan.colours.push(place..place);
        }
        if let Some(colour) = plan.colours.last_mut() {
            colour.end = place + 1;
        }
    }
    plan
}

/// Plans the constraints `active` so that every particle is moved by its constraints in the order in which
/// they are given: the result is that of projecting them one after the other.
///
/// A constraint comes one level after the last of those before it that share a particle with it; those of a
/// level are independent and are packed eight by eight. The rest of a level starts a pack of its own. There
/// is one cluster.
pub(crate) fn schedule_in_order<const N: usize>(
    stencils: &[[u32; N]],
    active: &[u32],
    clusters: &ClusterMap,
) -> PackPlan {
    assert!(N <= clusters.points, "clusters have dummies for {} points", clusters.points);
    // Levels below this one are occupied at every particle.
    let mut next_level = vec![0_u32; clusters.of.len()];
    let levels: Vec<u32> = active
        .iter()
        .map(|&i| {
            let stencil = &stencils[i as usize];
            let level = stencil.iter().map(|&v| next_level[v as usize]).max().unwrap_or_default();
            stencil.iter().for_each(|&v| next_level[v as usize] = level + 1);
            level
        })
        .collect();
    let levels = Colouring::from_colours(levels);
    let mut packs = Vec::new();
    for level in levels.iter() {
        for chunk in level.chunks(PACK) {
            packs.push(std::array::from_fn(|k| chunk.get(k).map_or(NONE, |&c| active[c as usize])));
        }
    }
    let count = usize::from(!packs.is_empty());
    PackPlan {
        clusters: std::iter::repeat_n(0..packs.len(), count).collect(),
        trio_counts: vec![TrioCount::default(); count],
        numbers: vec![0; count],
        dummies: vec![clusters.dummies(0); count],
        colours: std::iter::repeat_n(0..1, count).collect(),
        waits: PerCluster::from_pairs(count, std::iter::empty),
        packs,
    }
}

/// Packs the constraints of every cluster in `order`.
fn pack_clusters<const N: usize>(
    stencils: &[[u32; N]],
    members: &Buckets,
    order: &[usize],
    particles: usize,
    triangles: bool,
) -> Vec<Packing> {
    let mut packed = vec![Packing::default(); order.len()];
    // One task per thread, because each needs a list as long as the particles. How the clusters are divided
    // does not matter to the result.
    let share = order.len().div_ceil(rayon::current_num_threads()).max(1);
    packed.par_chunks_mut(share).zip(order.par_chunks(share)).for_each(|(packed, order)| {
        let mut local = Vec::new();
        let mut number_of = vec![u32::MAX; particles];
        for (packing, &cluster) in packed.iter_mut().zip(order) {
            let constraints = members.of(cluster);
            let count = renumber(stencils, constraints, &mut number_of, &mut local);
            *packing = pack(count, &local, constraints, triangles);
        }
    });
    packed
}

/// The number that occurs most often; the smallest of equally frequent ones.
fn majority<const N: usize>(mut numbers: [u32; N]) -> u32 {
    numbers.sort_unstable();
    let count = |c: u32| numbers.iter().filter(|&&d| d == c).count();
    numbers.iter().fold(numbers[0], |best, &c| if count(c) > count(best) { c } else { best })
}

/// Lists of constraints, one per cluster.
struct Buckets {
    offsets: Vec<usize>,
    constraints: Vec<u32>,
}

impl Buckets {
    fn of(&self, cluster: usize) -> &[u32] {
        &self.constraints[self.offsets[cluster]..self.offsets[cluster + 1]]
    }
}

/// Sorts constraints by owner, by counting.
fn bucket<const N: usize>(stencils: &[[u32; N]], active: &[u32], clusters: &ClusterMap) -> Buckets {
    let owner = |&i: &u32| {
        let owners = stencils[i as usize].map(|v| clusters.of[v as usize]);
        // Most constraints lie in one cluster.
        let inside = owners.iter().fold(true, |inside, &owner| inside & (owner == owners[0]));
        if inside { owners[0] } else { majority(owners) }
    };
    let owner: Vec<u32> = active.iter().map(owner).collect();
    let mut offsets = vec![0; clusters.count + 1];
    for &c in &owner {
        offsets[c as usize + 1] += 1;
    }
    for c in 0..clusters.count {
        offsets[c + 1] += offsets[c];
    }
    let mut next = offsets.clone();
    let mut constraints = vec![0; active.len()];
    for (&i, &c) in active.iter().zip(&owner) {
        constraints[next[c as usize]] = i;
        next[c as usize] += 1;
    }
    Buckets { offsets, constraints }
}

/// A cluster whose constraints touch a particle of another, and the place of the visit before at that particle.
struct Visit {
    visitor: u32,
    before: u32,
}

/// Pairs of clusters whose constraints share a particle, the smaller number first, ascending.
fn conflicts<const N: usize>(
    stencils: &[[u32; N]],
    members: &Buckets,
    clusters: &ClusterMap,
) -> Vec<(u32, u32)> {
    // The clusters that touch a particle besides its owner, in linked lists, the last visitor first.
    let mut visits: Vec<Visit> = Vec::new();
    let mut last_visit = vec![NONE; clusters.of.len()];
    // The last cluster that each cluster was found to conflict with.
    let mut met = vec![NONE; clusters.count];
    let mut conflicts: Vec<(u32, u32)> = Vec::new();
    for cluster in 0..clusters.count {
        let visitor = cluster as u32;
        let mut meet = |other: u32| {
            if std::mem::replace(&mut met[other as usize], visitor) != visitor {
                conflicts.push((visitor.min(other), visitor.max(other)));
            }
        };
        for &i in members.of(cluster) {
            for &v in &stencils[i as usize] {
                let home = clusters.of[v as usize];
                let last = &mut last_visit[v as usize];
                if home == visitor || visits.get(*last as usize).is_some_and(|visit| visit.visitor == visitor)
                {
                    continue;
                }
                meet(home);
                let mut before = *last;
                while let Some(visit) = visits.get(before as usize) {
                    meet(visit.visitor);
                    before = visit.before;
                }
                visits.push(Visit { visitor, before: *last });
                *last = (visits.len() - 1) as u32;
            }
        }
    }
    conflicts.sort_unstable();
    conflicts.dedup();
    conflicts
}

/// Colours the clusters so that those which conflict differ.
fn colour(count: usize, conflicts: &[(u32, u32)]) -> Vec<usize> {
    let mut graph: UnGraph<(), (), u32> = UnGraph::with_capacity(count, conflicts.len());
    for _ in 0..count {
        graph.add_node(());
    }
    for &(a, b) in conflicts {
        graph.add_edge(NodeIndex::new(a as usize), NodeIndex::new(b as usize), ());
    }
    let (colours, _) = dsatur_coloring(&graph);
    (0..count).map(|c| colours.get(&NodeIndex::new(c)).copied().unwrap_or_default()).collect()
}

/// For every cluster, by its place in `order`, the places of those before it with which it conflicts.
fn waits(conflicts: &[(u32, u32)], order: &[usize], clusters: usize) -> PerCluster {
    let mut place_of = vec![u32::MAX; clusters];
    for (place, &cluster) in (0_u32..).zip(order) {
        place_of[cluster] = place;
    }
    PerCluster::from_pairs(order.len(), || {
        let places = conflicts.iter().map(|&(a, b)| (place_of[a as usize], place_of[b as usize]));
        // A cluster without constraints of this group owns particles that others touch, but does not wait.
        let known = places.filter(|&(a, b)| a != u32::MAX && b != u32::MAX);
        known.map(|(a, b)| (a.max(b), a.min(b)))
    })
}

/// The stencils of some constraints in a numbering of their own, so that colouring a cluster costs what the
/// cluster does. Returns the number of particles.
fn renumber<const N: usize>(
    stencils: &[[u32; N]],
    constraints: &[u32],
    number_of: &mut [u32],
    local: &mut Vec<[u32; N]>,
) -> usize {
    local.clear();
    // In a loop of its own, so that many stencils are loaded at once: they lie far apart in memory.
    local.extend(constraints.iter().map(|&i| stencils[i as usize]));
    let mut particles: Vec<u32> = Vec::new();
    for v in local.iter_mut().flatten() {
        let number = &mut number_of[*v as usize];
        if *number == u32::MAX {
            *number = particles.len() as u32;
            particles.push(*v);
        }
        *v = *number;
    }
    for &v in &particles {
        number_of[v as usize] = u32::MAX;
    }
    particles.len()
}

/// Checks of a schedule against its definition, for the tests.
#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;

    fn all<const N: usize>(stencils: &[[u32; N]]) -> Vec<u32> {
        (0..stencils.len() as u32).collect()
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_constraint_is_scheduled_once_without_conflicts(
            stencils in prop::collection::vec(prop::sample::subsequence((0..60_u32).collect::<Vec<_>>(), 3), 0..200),
            size in 1..30_u32,
        ) {
            let stencils: Vec<[u32; 3]> = stencils.into_iter().map(|s| [s[0], s[1], s[2]]).collect();
            let count = 60_u32.div_ceil(size) as usize;
            let clusters = ClusterMap { of: (0..60).map(|v| v / size).collect(), count, points: 4, triangles: true };
            let plan = schedule(&stencils, &all(&stencils), &clusters, true);
            let mut seen = vec![0; stencils.len()];
            for colour in &plan.colours {
                let mut user = vec![usize::MAX; 60];
                for cluster in colour.clone() {
                    for pack in &plan.packs[plan.clusters[cluster].clone()] {
                        let mut in_pack = [false; 60];
                        prop_assert!(pack[0] != NONE);
                        for &i in pack.iter().filter(|&&i| i != NONE) {
                            seen[i as usize] += 1;
                            for &v in &stencils[i as usize] {
                                prop_assert!(!std::mem::replace(&mut in_pack[v as usize], true));
                                prop_assert!(user[v as usize] == usize::MAX || user[v as usize] == cluster);
                                user[v as usize] = cluster;
                            }
                        }
                    }
                }
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
            prop_assert_eq!(schedule(&stencils, &all(&stencils), &clusters, true).packs, plan.packs, "the schedule is the same each time");
        }
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn a_schedule_in_order_keeps_the_order_at_every_particle(
            stencils in prop::collection::vec(prop::sample::subsequence((0..30_u32).collect::<Vec<_>>(), 2), 0..120),
        ) {
            let stencils: Vec<[u32; 2]> = stencils.into_iter().map(|s| [s[0], s[1]]).collect();
            let plan = schedule_in_order(&stencils, &all(&stencils), &ClusterMap::one(30, 4));
            let mut last = [None; 30];
            let mut count = 0;
            for pack in &plan.packs {
                let mut in_pack = [false; 30];
                for &i in pack.iter().filter(|&&i| i != NONE) {
                    count += 1;
                    for &v in &stencils[i as usize] {
                        prop_assert!(!std::mem::replace(&mut in_pack[v as usize], true));
                        prop_assert!(last[v as usize].replace(i) < Some(i));
                    }
                }
            }
            prop_assert_eq!(count, stencils.len());
        }
    }

    #[test]
    fn the_majority_owns_and_ties_go_to_the_smallest() {
        assert_eq!(majority([3, 1, 3, 2]), 3);
        assert_eq!(majority([5, 4]), 4);
    }

    #[test]
    fn ranges_of_colours_follow_one_another() {
        let stencils: Vec<[u32; 2]> = (0..99).map(|i| [i, i + 1]).collect();
        let clusters =
            ClusterMap { of: (0..100).map(|v| v / 10).collect(), count: 10, points: 4, triangles: true };
        let plan = schedule(&stencils, &all(&stencils), &clusters, true);
        let ends: Vec<Range<usize>> = plan.colours.clone();
        assert_eq!(ends.first().map(|r| r.start), Some(0));
        assert!(ends.windows(2).all(|w| w[0].end == w[1].start));
        assert_eq!(ends.last().map(|r| r.end), Some(plan.clusters.len()));
        assert_eq!(ends.len(), 2, "a chain of clusters needs two colours");
    }
}

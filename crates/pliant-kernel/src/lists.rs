//! [`Lists`]: which thread projects which cluster, and when.
//!
//! Clusters that are near each other go to the same member of a team: it meets their particles again in every
//! sweep, of whatever kind of constraints, and has them in its caches. Data that a cluster writes and a
//! member in another part needs have to travel, so only clusters at the border between two parts should do
//! that.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::per_cluster::PerCluster;

use crate::team::Team;

/// The clusters of every member of a team, in their order.
#[derive(Default)]
pub(super) struct Lists {
    /// The clusters of the first member, then those of the second, and so on.
    order: Vec<u32>,
    /// Place of every cluster in the order.
    place_of: Vec<u32>,
    /// Ends of the members' lists.
    ends: Vec<usize>,
}

/// The round in which a cluster was last finished; on a cache line of its own, because threads other than its
/// writer seldom read it.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Finished(AtomicU32);

impl Finished {
    /// As many as there are clusters, of which none was ever finished.
    pub(super) fn none(clusters: usize) -> Vec<Self> {
        (0..clusters).map(|_| Self::default()).collect()
    }

    /// Marks all as unfinished.
    pub(super) fn reset(&mut self) {
        *self.0.get_mut() = 0;
    }
}

/// The data of a plan's clusters that determine how they are shared out.
#[derive(Clone, Copy)]
pub(super) struct Clusters<'a> {
    /// Packs of every cluster.
    pub(super) packs: &'a [Range<usize>],
    /// Numbers that follow one another in space, for every cluster one.
    pub(super) numbers: &'a [u32],
    /// For every cluster those before it which share particles with it; in the order of the walk.
    pub(super) waits: &'a PerCluster,
    /// Whether the walk goes from the last to the first.
    pub(super) backward: bool,
}

impl Lists {
    /// Shares the clusters out. One member takes them as they come; several take parts of space that hold equally many
    /// packs, each in an order in which no member waits for long.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer clusters than particles")]
    pub(super) fn new(clusters: Clusters<'_>, members: usize) -> Self {
        let count = clusters.packs.len();
        let lists = match members {
            1 if clusters.backward => vec![(0..count as u32).rev().collect()],
            1 => vec![(0..count as u32).collect()],
            _ => clusters.share(members),
        };
        let mut place_of = vec![0; count];
        for (place, &cluster) in (0_u32..).zip(lists.iter().flatten()) {
            place_of[cluster as usize] = place;
        }
        let mut end = 0;
        let ends = lists.iter().map(|list| {
            end += list.len();
            end
        });
        Self { ends: ends.collect(), order: lists.concat(), place_of }
    }

    /// Members of the team that the lists are for.
    pub(super) fn members(&self) -> usize {
        self.ends.len()
    }

    /// The clusters of every member.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.order[start..end])
    }

    /// Has a team run every cluster once, each when those before it that it shares particles with are
    /// finished in this `round`. `run` takes the number of the member at work, and that of the cluster.
    pub(super) fn take_turns(
        &self,
        waits: &PerCluster,
        finished: &[Finished],
        round: u32,
        team: Team<'_>,
        run: impl Fn(usize, usize) + Sync,
    ) {
        team.run_lists(&self.ends, |member, place| {
            let cluster = self.order[place] as usize;
            for &other in waits.row(cluster) {
                let is_finished = || finished[other as usize].0.load(Ordering::Acquire) == round;
                team.wait_for(member, self.place_of[other as usize] as usize, is_finished);
            }
            run(member, cluster);
            finished[cluster].0.store(round, Ordering::Release);
        });
    }
}

impl Clusters<'_> {
    /// The member that has each cluster.
    fn homes(&self, members: usize) -> Vec<usize> {
        let mut by_place: Vec<usize> = (0..self.packs.len()).collect();
        by_place.sort_unstable_by_key(|&cluster| self.numbers[cluster]);
        let total = self.packs.last().map_or(0, |packs| packs.end);
        let mut homes = vec![0; self.packs.len()];
        let mut before = 0;
        for cluster in by_place {
            let size = self.packs[cluster].len();
            // By the middle of the cluster.
            homes[cluster] = (2 * before + size) * members / (2 * total.max(1));
            before += size;
        }
        homes
    }

    /// For every cluster the packs that come one after the other from its beginning on, because of those that
    /// wait for it, and those that wait for them.
    fn tails(&self) -> Vec<usize> {
        let mut tails: Vec<usize> = self.packs.iter().map(ExactSizeIterator::len).collect();
        for place in 0..tails.len() {
            // Those that come last in the walk first.
            let cluster = if self.backward { place } else { tails.len() - 1 - place };
            for &other in self.waits.row(cluster) {
                let other = other as usize;
                tails[other] = tails[other].max(self.packs[other].len() + tails[cluster]);
            }
        }
        tails
    }

    /// Lists by the members' homes, built by list scheduling: each member, whenever it is free, takes the
    /// cluster with the longest tail among those that need not wait, if every pack takes the same time. So
    /// all lists follow the order of one clock, and no member waits for itself.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer clusters than particles")]
    fn share(&self, members: usize) -> Vec<Vec<u32>> {
        let count = self.packs.len();
        let (homes, tails) = (self.homes(members), self.tails());
        let followers = PerCluster::from_pairs(count, || {
            (0..count).flat_map(|cluster| self.waits.row(cluster).iter().map(move |&w| (w, cluster as u32)))
        });
        let mut missing: Vec<usize> = (0..count).map(|cluster| self.waits.row(cluster).len()).collect();
        let mut ready = vec![BinaryHeap::new(); members];
        for cluster in (0..count).filter(|&cluster| missing[cluster] == 0) {
            ready[homes[cluster]].push((tails[cluster], Reverse(cluster)));
        }
        let mut lists = vec![Vec::new(); members];
        let mut free: Vec<usize> = (0..members).collect();
        let mut at_work = BinaryHeap::new();
        let mut clock = 0;
        loop {
            free.retain(|&member| match ready[member].pop() {
                Some((_, Reverse(cluster))) => {
                    lists[member].push(cluster as u32);
                    at_work.push(Reverse((clock + self.packs[cluster].len(), member, cluster)));
                    false
                }
                None => true,
            });
            let Some(Reverse((time, member, cluster))) = at_work.pop() else { return lists };
            clock = time;
            free.push(member);
            for &follower in followers.row(cluster) {
                let follower = follower as usize;
                missing[follower] -= 1;
                if missing[follower] == 0 {
                    ready[homes[follower]].push((tails[follower], Reverse(follower)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_cluster_is_in_one_list_and_nobody_waits_for_himself(
            sizes in prop::collection::vec(1..9_usize, 1..40),
            shuffle in prop::collection::vec(any::<u32>(), 40),
            pairs in prop::collection::vec((0..40_u32, 0..40_u32), 0..120),
            members in 1..6_usize,
        ) {
            let count = sizes.len() as u32;
            let mut end = 0;
            let packs: Vec<Range<usize>> = sizes.iter().map(|&size| { end += size; end - size..end }).collect();
            let mut numbers: Vec<u32> = (0..count).collect();
            numbers.sort_by_key(|&i| shuffle[i as usize]);
            let mut pairs: Vec<_> = pairs.into_iter().map(|(a, b)| (a % count, b % count)).filter(|(a, b)| a > b).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let waits = PerCluster::from_pairs(packs.len(), || pairs.iter().copied());
            let lists = Lists::new(Clusters { packs: &packs, numbers: &numbers, waits: &waits, backward: false }, members);
            prop_assert_eq!(lists.members(), members);
            let mut all = lists.order.clone();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..count));
            // Every member continues as far as it can; if all get stuck, they wait for each other.
            let lists: Vec<&[u32]> = lists.iter().collect();
            let mut next = vec![0; members];
            let mut finished = vec![false; packs.len()];
            let mut going = true;
            while std::mem::take(&mut going) {
                for (list, next) in lists.iter().zip(&mut next) {
                    while let Some(&cluster) = list.get(*next)
                        && waits.row(cluster as usize).iter().all(|&other| finished[other as usize])
                    {
                        finished[cluster as usize] = true;
                        *next += 1;
                        going = true;
                    }
                }
            }
            prop_assert!(finished.iter().all(|&finished| finished), "{lists:?}");
            if members > 1 {
                // Parts of space, of about equal size.
                let of = |list: &[u32]| list.iter().map(|&c| numbers[c as usize]).collect::<Vec<_>>();
                let total: usize = sizes.iter().sum();
                for pair in lists.windows(2) {
                    let (one, other) = (of(pair[0]), of(pair[1]));
                    prop_assert!(one.iter().max() < other.iter().min() || one.is_empty() || other.is_empty());
                }
                for list in lists {
                    let size: usize = list.iter().map(|&c| sizes[c as usize]).sum();
                    prop_assert!(size.abs_diff(total / members) <= 9, "{size} of {total}");
                }
            }
        }
    }
}

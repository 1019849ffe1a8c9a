//! [`Lists`]: which thread projects which cluster, and when.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use pliant_mesh::Adjacency;

use super::team::Team;

/// Which member of a team begins with which clusters: of every colour the same part, so that it meets the same particles again.
#[derive(Default)]
pub(super) struct Lists {
    members: usize,
    /// The clusters of the first member, colour by colour, then those of the second, and so on.
    order: Vec<u32>,
    /// Place of every cluster in the order.
    place_of: Vec<u32>,
    /// Ends of the members' lists.
    ends: Vec<usize>,
}

impl Lists {
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer clusters than particles")]
    pub(super) fn new(colours: &[Range<usize>], members: usize) -> Self {
        let mut lists = Self { members, ..Self::default() };
        for member in 0..members {
            for (c, colour) in colours.iter().enumerate() {
                // What does not divide goes to another member with every colour.
                let bound = |member: usize| colour.start + (colour.len() * member + c % members) / members;
                let first = if member == 0 { colour.start } else { bound(member) };
                let end = if member + 1 == members { colour.end } else { bound(member + 1) };
                lists.order.extend((first as u32)..end as u32);
            }
            lists.ends.push(lists.order.len());
        }
        lists.place_of = vec![0; lists.order.len()];
        for (place, &cluster) in (0_u32..).zip(&lists.order) {
            lists.place_of[cluster as usize] = place;
        }
        lists
    }

    /// Members of the team that the lists are for.
    pub(super) fn members(&self) -> usize {
        self.members
    }

    /// Has a team run every cluster once, each when those before it that it shares particles with are finished in this `round`.
    pub(super) fn take_turns(
        &self,
        waits: &Adjacency,
        finished: &[AtomicU32],
        round: u32,
        team: Team<'_>,
        run: impl Fn(usize) + Sync,
    ) {
        team.run_lists(&self.ends, |place| {
            let cluster = self.order[place] as usize;
            for &other in waits.row(cluster) {
                let is_finished = || finished[other as usize].load(Ordering::Acquire) == round;
                team.wait_for(self.place_of[other as usize] as usize, is_finished);
            }
            run(cluster);
            finished[cluster].store(round, Ordering::Release);
        });
    }
}

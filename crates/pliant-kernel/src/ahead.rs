//! [`Ahead`]: which particles a cluster prefetches.
//!
//! A cluster fits into the first cache, but its particles have to get there: the first pack that needs one
//! would wait for the second cache. While a cluster is projected, every pack prefetches one line of the
//! particles of the cluster that the same thread projects next, in the order in which they will be needed.
//!
//! Lines at the *border*, which several threads need, are different: fetched early they would be taken from a
//! thread that still uses them, and travel to and fro in vain. A cluster prefetches its own, all at once,
//! when no other thread uses them any longer. That is twice as fast as waiting for each in turn.

use std::ops::Range;

use crate::per_cluster::PerCluster;

use crate::points::Points;

/// Bytes of a cache line.
const LINE: u32 = 64;

/// Stands for no list that needs a line, and for several.
const NOBODY: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

/// Offsets of lines, in bytes from the first particle.
pub(super) struct Ahead {
    /// One for every pack.
    lines: Vec<u32>,
    /// Those of every cluster at the border.
    border: PerCluster,
}

impl Default for Ahead {
    fn default() -> Self {
        Self { lines: Vec::new(), border: PerCluster::from_pairs(0, std::iter::empty) }
    }
}

impl Ahead {
    /// The lines that clusters prefetch if they are projected in the order of the lists, one list by each thread.
    ///
    /// The offsets of `points` are below `bytes`; `clusters` are their packs, walked from the last to the
    /// first if `backward`; a cluster is in one list.
    pub(super) fn new<'a, const N: usize>(
        points: &Points<N>,
        clusters: &[Range<usize>],
        lists: impl Iterator<Item = &'a [u32]> + Clone,
        backward: bool,
        bytes: usize,
    ) -> Self {
        let needs = Needs { points, clusters, backward, lines: bytes.div_ceil(LINE as usize) };
        let users = needs.users(lists.clone());
        let is_shared = |line: u32| users.get(line as usize) == Some(&SEVERAL);
        let shared: Vec<(u32, u32)> = if users.is_empty() {
            Vec::new()
        } else {
            let mut seen = needs.seen();
            let pairs = (0_u32..).zip(clusters).flat_map(|(cluster, _)| {
                let lines = needs.lines_of(cluster, &mut seen).filter(|&line| is_shared(line));
                lines.map(|line| (cluster, line * LINE)).collect::<Vec<_>>()
            });
            pairs.collect()
        };
        Self {
            lines: needs.lines_ahead(lists, is_shared),
            border: PerCluster::from_pairs(clusters.len(), || shared.iter().copied()),
        }
    }

    /// For each of some packs an offset on a line that the next cluster in the list needs; where there are
    /// more packs than lines, or no cluster follows, one that their own needs.
    #[inline]
    pub(super) fn lines(&self, packs: Range<usize>) -> &[u32] {
        &self.lines[packs]
    }

    /// Offsets of the lines of a cluster that other threads need as well.
    #[inline]
    pub(super) fn border(&self, cluster: usize) -> &[u32] {
        self.border.row(cluster)
    }
}

/// The lines that clusters need.
struct Needs<'a, const N: usize> {
    points: &'a Points<N>,
    clusters: &'a [Range<usize>],
    backward: bool,
    /// Number of lines.
    lines: usize,
}

impl<const N: usize> Needs<'_, N> {
    /// For every line the last cluster, counted from one, that was found to need it; zero for none.
    fn seen(&self) -> Vec<u32> {
        vec![0; self.lines]
    }

    /// The lines that a cluster needs, each once, in the order in which it needs them; those that it was seen
    /// to need before are left out.
    fn lines_of<'s>(&self, cluster: u32, seen: &'s mut [u32]) -> impl Iterator<Item = u32> + use<'s, '_, N> {
        let rows = self.points.of(cluster as usize);
        let row = move |i: usize| &rows[if self.backward { rows.len() - 1 - i } else { i }];
        let lines = (0..rows.len()).flat_map(row).map(|offset| offset / LINE);
        lines.filter(move |&line| std::mem::replace(&mut seen[line as usize], cluster + 1) != cluster + 1)
    }

    /// The number of the list whose clusters need each line; nothing if there is only one list.
    fn users<'a>(&self, lists: impl Iterator<Item = &'a [u32]> + Clone) -> Vec<u32> {
        let several = lists.clone().nth(1).is_some();
        let mut users = vec![NOBODY; if several { self.lines } else { 0 }];
        for (number, list) in (0_u32..).zip(lists).filter(|_| several) {
            for &cluster in list {
                for &offset in self.points.of(cluster as usize).iter().flatten() {
                    let user = &mut users[(offset / LINE) as usize];
                    *user = if *user == NOBODY || *user == number { number } else { SEVERAL };
                }
            }
        }
        users
    }

    fn lines_ahead<'a>(
        &self,
        lists: impl Iterator<Item = &'a [u32]>,
        is_shared: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let own = |(cluster, packs): (usize, &Range<usize>)| {
            self.points.of(cluster)[..packs.len()].iter().map(|row| row[0])
        };
        let mut ahead: Vec<u32> = self.clusters.iter().enumerate().flat_map(own).collect();
        let mut seen = self.seen();
        for pair in lists.flat_map(|list| list.windows(2)) {
            let lines = self.lines_of(pair[1], &mut seen).filter(|&line| !is_shared(line));
            let places = &mut ahead[self.clusters[pair[0] as usize].clone()];
            let last = places.len().saturating_sub(1);
            for (place, line) in (0..places.len()).zip(lines) {
                places[if self.backward { last - place } else { place }] = line * LINE;
            }
        }
        ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::PACK;
    use crate::trio_count::TrioCount;

    /// The packs of some clusters.
    fn points(packs: &[[[u32; PACK]; 2]], clusters: &[Range<usize>]) -> Points<2> {
        let mut points = Points::default();
        clusters.iter().for_each(|cluster| points.push(TrioCount::default(), &packs[cluster.clone()]));
        points
    }

    /// A pack of constraints between a particle and its neighbour, 16 bytes each, from particle `first` on.
    fn pack(first: u32) -> [[u32; PACK]; 2] {
        [0, 1].map(|end| std::array::from_fn(|lane| 16 * (first + 2 * lane as u32 + end)))
    }

    #[test]
    fn a_cluster_asks_for_what_the_next_one_needs_first() {
        let offsets = [pack(0), pack(0), pack(16), pack(24), pack(48)];
        let clusters = [0..2, 2..4, 4..5];
        let points = points(&offsets, &clusters);
        let Ahead { lines: ahead, border } =
            Ahead::new(&points, &clusters, [[0, 1, 2].as_slice()].into_iter(), false, 16 * 64);
        assert!((0..3).all(|cluster| border.row(cluster).is_empty()), "one thread has no border");
        assert_eq!(ahead[..2], [256, 320], "the first two of six lines");
        assert_eq!(ahead[2..4], [768, 832], "of the last cluster");
        assert_eq!(ahead[4], 768, "nothing follows");
    }

    #[test]
    fn nothing_is_asked_for_twice() {
        let offsets = [pack(0), pack(0), pack(0), pack(0), pack(0), pack(16), pack(16)];
        let clusters = [0..5, 5..7];
        let points = points(&offsets, &clusters);
        let ahead = Ahead::new(&points, &clusters, [[0, 1].as_slice()].into_iter(), false, 16 * 32).lines;
        assert_eq!(ahead[..5], [256, 320, 384, 448, 0], "four lines, then one of its own");
    }

    #[test]
    fn a_cluster_asks_early_only_for_what_no_other_thread_needs() {
        // Particles 28 to 31 belong to the second list as well.
        let offsets = [pack(0), pack(16), pack(32), pack(28), pack(64)];
        let clusters = [0..1, 1..2, 2..3, 3..4, 4..5];
        let lists = [[0, 1].as_slice(), &[2, 3, 4]];
        let ahead = Ahead::new(&points(&offsets, &clusters), &clusters, lists.into_iter(), false, 16 * 80);
        assert_eq!(ahead.lines(0..2), [256, 256], "the next one's first line, and what is there already");
        assert_eq!(
            ahead.lines(2..5),
            [512, 1024, 1024],
            "of the next one all but the first line, which is shared"
        );
        assert_eq!(ahead.border(1), [448]);
        assert_eq!(ahead.border(3), [448]);
        assert!([0, 2, 4].iter().all(|&cluster| ahead.border(cluster).is_empty()));
    }
}

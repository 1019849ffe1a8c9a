//! [`Galerkin`]: the coarse matrix `Pᵀ A P`, planned once and computed without allocating memory.
//!
//! With `A = U + Uᵀ`, where `U` has what is above the diagonal and half of what is on it, `Pᵀ A P = S + Sᵀ`
//! of `S = Pᵀ U P`: half the work. Each cluster of fine rows sums its share of `S` into blocks of its own,
//! row after row: `U P` in a few sums at its end, then those into the share. Then each coarse block gathers
//! from the shares. Both steps go in fixed order whatever the number of threads. Large matrices are done in rounds of
//! clusters, whose shares use the same memory.

use std::ops::Range;

use crate::block::{Block, add_scaled, transposed};
use crate::graph::Graph;
use crate::matrix::mirror;
use crate::number::Number;
use crate::pieces;
use crate::rows::{Blocks, Rows};
use crate::transfer::Transfer;
use crate::weights::Weights;

/// The most rounds, and the fewest clusters of a round that is not the last: enough for all threads.
const ROUNDS: usize = 8;
const CLUSTERS: usize = 64;

#[derive(Debug)]
pub(crate) struct Galerkin<T> {
    /// Where the shares of each cluster would start if all were in memory at once, and an end. A share ends with the sums of a row.
    shares: Vec<u32>,
    /// How many sums each row has.
    counts: Vec<u16>,
    /// Where `sums` and `targets` of each cluster start.
    starts: Vec<[u32; 2]>,
    /// The sum that each block above the diagonal goes to, for each weight of its column.
    sums: Vec<u16>,
    /// Where in the cluster's share each sum goes, for each weight of its row.
    targets: Vec<u16>,
    rounds: Vec<Round>,
    /// The shares of a round.
    share: Vec<Block<T>>,
}

/// Clusters whose shares are in memory together.
#[derive(Debug)]
struct Round {
    clusters: Range<usize>,
    /// The terms of each coarse block below or on the diagonal: places among the shares times two, odd ones to
    /// be transposed.
    starts: Vec<u32>,
    gather: Vec<u32>,
}

/// The graph of the coarse matrix: nodes whose fine nodes share an entry. `None` for too many entries.
pub(crate) fn coarse_graph(fine: &Graph, weights: &Weights) -> Option<Graph> {
    let mut around = vec![Vec::new(); weights.coarse];
    for node in 0..fine.len() {
        for &column in weights.columns_of(node) {
            around[column as usize].push(node as u32);
        }
    }
    let mut seen = vec![u32::MAX; weights.coarse];
    Graph::from_rows((0..weights.coarse).map(|coarse| {
        let mut row = Vec::new();
        for &i in &around[coarse] {
            for &j in fine.row(i as usize) {
                for &column in weights.columns_of(j as usize) {
                    if std::mem::replace(&mut seen[column as usize], coarse as u32) != coarse as u32 {
                        row.push(column);
                    }
                }
            }
        }
        row.sort_unstable();
        row
    }))
}

impl<T: Number> Galerkin<T> {
    /// `None` where the numbers of a plan are too large for it.
    pub(crate) fn new(fine: &Rows, coarse: &Rows, weights: &Weights) -> Option<Self> {
        let mut plan = Self {
            shares: vec![0],
            counts: Vec::with_capacity(fine.len()),
            starts: Vec::new(),
            sums: Vec::new(),
            targets: Vec::new(),
            rounds: Vec::new(),
            share: Vec::new(),
        };
        // Coarse blocks, and the places of their terms among the shares of the round.
        let mut gathered: Vec<(u32, u32)> = Vec::new();
        let clusters = fine.clusters.len() - 1;
        let per_round = clusters.div_ceil(ROUNDS).max(CLUSTERS);
        let (mut first, mut largest) = (0, 0);
        let mut place = vec![(0u32, 0u16); weights.coarse];
        let mut stamp = 0;
        for (cluster, bounds) in fine.clusters.windows(2).enumerate() {
            plan.starts.push([u32::try_from(plan.sums.len()).ok()?, u32::try_from(plan.targets.len()).ok()?]);
            let mut most = 0;
            // Where each sum goes, first as a block of the coarse matrix.
            let mut to: Vec<u32> = Vec::new();
            for row in bounds[0] as usize..bounds[1] as usize {
                stamp += 1;
                let mut columns: Vec<u32> = Vec::new();
                let rows = weights.columns_of(row);
                if !rows.is_empty() {
                    for &node in [row as u32].iter().chain(fine.above.columns_of(row)) {
                        for &column in weights.columns_of(node as usize) {
                            let known = &mut place[column as usize];
                            if known.0 != stamp {
                                *known = (stamp, u16::try_from(columns.len()).ok()?);
                                columns.push(column);
                            }
                            plan.sums.push(known.1);
                        }
                    }
                }
                plan.counts.push(u16::try_from(columns.len()).ok()?);
                most = most.max(columns.len());
                for &i in rows {
                    for &j in &columns {
                        to.push(coarse.slot(i, j)?);
                    }
                }
            }
            let mut blocks = to.clone();
            blocks.sort_unstable();
            blocks.dedup();
            for block in &to {
                plan.targets.push(u16::try_from(blocks.binary_search(block).ok()?).ok()?);
            }
            let start = plan.shares.last().copied()?;
            let before = plan.shares[first];
            gathered.extend((start - before..).zip(&blocks).map(|(at, &block)| (block, at)));
            let end = u32::try_from(start as usize + blocks.len() + most).ok()?;
            plan.shares.push(end);
            if cluster + 1 == clusters || cluster + 1 - first == per_round {
                if end - before > u32::MAX / 2 {
                    return None;
                }
                largest = largest.max((end - before) as usize);
                plan.rounds.push(Round::new(first..cluster + 1, coarse, &gathered)?);
                gathered.clear();
                first = cluster + 1;
            }
        }
        plan.share = vec![[T::ZERO; 9]; largest];
        Some(plan)
    }

    /// Number of rounds.
    #[cfg(test)]
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The coarse matrix of a fine one, with its diagonal raised by [`Number::SHIFT`].
    pub(crate) fn refresh(
        &mut self,
        fine: &Rows,
        values: &Blocks<'_, T>,
        transfer: &Transfer<T>,
        coarse: &Rows,
        out: &mut [Block<T>],
    ) {
        out[..coarse.halves()].fill([T::ZERO; 9]);
        for round in 0..self.rounds.len() {
            self.add_shares(round, fine, values, transfer);
            self.gather(round, &mut out[..coarse.halves()]);
        }
        out[coarse.diagonal(0) as usize..coarse.halves()].iter_mut().for_each(raise);
        mirror(coarse, out);
    }

    /// Computes the shares of the clusters of a round.
    fn add_shares(&mut self, round: usize, fine: &Rows, values: &Blocks<'_, T>, transfer: &Transfer<T>) {
        let Self { shares, counts, starts, sums, targets, rounds, share } = self;
        let clusters = rounds[round].clusters.clone();
        let at = |cluster: usize| (shares[cluster] as usize, 0);
        pieces::each(pieces::shared(fine.len()), clusters, share, &mut [(); 0], &at, &|cluster, share, _| {
            share.fill([T::ZERO; 9]);
            let [first_sum, first_target] = starts[cluster];
            let mut sums = sums[first_sum as usize..].iter();
            let mut targets = &targets[first_target as usize..];
            let rows = fine.clusters[cluster] as usize..fine.clusters[cluster + 1] as usize;
            for (row, &count) in rows.clone().zip(&counts[rows]) {
                let count = usize::from(count);
                if count == 0 {
                    continue;
                }
                let (share, row_sums) = share.split_at_mut(share.len() - count);
                row_sums.fill([T::ZERO; 9]);
                let mut add = |part: T, column: usize, value: &Block<T>| {
                    let (_, weights) = transfer.fine.row(column);
                    for (&weight, &sum) in weights.iter().zip(&mut sums) {
                        add_scaled(&mut row_sums[usize::from(sum)], part * weight, value);
                    }
                };
                add(T::of(0.5), row, &values.diagonal[row]);
                for (value, &column) in fine.above.entries(row, values.above) {
                    add(T::ONE, column as usize, value);
                }
                let (_, weights) = transfer.fine.row(row);
                for &weight in weights {
                    let (mine, rest) = targets.split_at(count);
                    targets = rest;
                    for (&target, sum) in mine.iter().zip(&*row_sums) {
                        add_scaled(&mut share[usize::from(target)], weight, sum);
                    }
                }
            }
        });
    }

    /// Adds the shares of a round to the coarse blocks.
    fn gather(&self, round: usize, out: &mut [Block<T>]) {
        let (round, share) = (&self.rounds[round], &self.share);
        pieces::rows1(out, &|range, out| {
            for (half, out) in range.zip(out) {
                for &from in round.terms(half) {
                    let block = &share[from as usize / 2];
                    add_scaled(out, T::ONE, &if from % 2 == 0 { *block } else { transposed(block) });
                }
            }
        });
    }
}

impl Round {
    /// `None` for too many terms.
    fn new(clusters: Range<usize>, coarse: &Rows, gathered: &[(u32, u32)]) -> Option<Self> {
        // Blocks on the diagonal are the sums of their terms and of the transposes of these.
        let terms = |&(block, at): &(u32, u32)| {
            let (half, other) = coarse.half(block);
            let twice = (half >= coarse.diagonal(0)).then_some((half, 2 * at + 1));
            [Some((half, 2 * at + u32::from(other))), twice].into_iter().flatten()
        };
        let mut starts = vec![0u32; coarse.halves() + 1];
        for (half, _) in gathered.iter().flat_map(terms) {
            starts[half as usize + 1] += 1;
        }
        for k in 0..coarse.halves() {
            starts[k + 1] = starts[k + 1].checked_add(starts[k])?;
        }
        let mut next = starts.clone();
        let mut gather = vec![0; starts[coarse.halves()] as usize];
        for (half, term) in gathered.iter().flat_map(terms) {
            let place = &mut next[half as usize];
            gather[*place as usize] = term;
            *place += 1;
        }
        Some(Self { clusters, starts, gather })
    }

    /// The terms of a coarse block.
    fn terms(&self, half: usize) -> &[u32] {
        &self.gather[self.starts[half] as usize..self.starts[half + 1] as usize]
    }
}

/// Adds a little to the diagonal: corners with few fine nodes make coarse matrices singular but for rounding.
fn raise<T: Number>(block: &mut Block<T>) {
    let mean = (block[0] + block[4] + block[8]) * T::of(1.0 / 3.0);
    for k in [0, 4, 8] {
        block[k] += T::SHIFT * mean;
    }
}

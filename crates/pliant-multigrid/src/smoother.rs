//! Symmetric block Gauss–Seidel: forward before the coarse level, backward after it.

use crate::block::{Block, Product, Vec4, inverse, times};
use crate::number::Number;
use crate::pieces;
use crate::rows::{Blocks, Rows};

/// The ways of a sweep: forward from zeros, forward, and back.
const FROM_ZEROS: u8 = 0;
const FORWARD: u8 = 1;
const BACKWARD: u8 = 2;

/// A matrix with the inverses of its diagonal blocks.
#[derive(Clone, Copy)]
pub(crate) struct Smoother<'a, T> {
    pub(crate) rows: &'a Rows,
    pub(crate) values: Blocks<'a, T>,
    pub(crate) inverses: &'a [Block<T>],
}

/// The inverses of the diagonal blocks.
pub(crate) fn invert<T: Number>(diagonal: &[Block<T>], inverses: &mut [Block<T>]) {
    pieces::rows1(inverses, &|range, inverses| {
        for (inverse_of, block) in inverses.iter_mut().zip(&diagonal[range]) {
            *inverse_of = inverse(block);
        }
    });
}

/// `b - sum`.
pub(crate) fn less<T: Number>(b: &Vec4<T>, sum: Vec4<T>) -> Vec4<T> {
    [b[0] - sum[0], b[1] - sum[1], b[2] - sum[2], T::ZERO]
}

/// The solution, of which one part may change meanwhile.
struct Entries<'a, T> {
    /// The rows from this one on, up to the others.
    first: usize,
    low: &'a [Vec4<T>],
    /// The rows from this one on.
    next: usize,
    high: &'a [Vec4<T>],
}

impl<T: Number> Entries<'_, T> {
    #[inline(always)]
    fn at(&self, column: u32) -> &Vec4<T> {
        let column = column as usize;
        // Chosen without a branch.
        let (x, at) = if column < self.next {
            (self.low, column - self.first)
        } else {
            (self.high, column - self.next)
        };
        &x[at]
    }
}

impl<T: Number> Smoother<'_, T> {
    /// A sweep over all rows for `A x = b` that starts from zeros, whatever `x` holds.
    pub(crate) fn forward(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for colour in 0..self.rows.colours.len() - 1 {
            self.sweep::<FROM_ZEROS>(colour, b, x);
        }
    }

    /// The same from what `x` holds.
    pub(crate) fn forward_again(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for colour in 0..self.rows.colours.len() - 1 {
            self.sweep::<FORWARD>(colour, b, x);
        }
    }

    /// `b - A x`.
    pub(crate) fn residual_of(&self, b: &[Vec4<T>], x: &[Vec4<T>], r: &mut [Vec4<T>]) {
        let Self { rows, values, .. } = *self;
        pieces::rows1(r, &|range, r| {
            for (row, r) in range.zip(r) {
                let mut sum = Product::zero();
                sum.add(&values.diagonal[row], &x[row]);
                sum.add_row(rows.below.entries(row, values.below), x);
                sum.add_row(rows.above.entries(row, values.above), x);
                *r = less(&b[row], sum.sum());
            }
        });
    }

    /// The residual after [`forward`](Self::forward), which comes from the blocks above the diagonal.
    pub(crate) fn residual(&self, x: &[Vec4<T>], r: &mut [Vec4<T>]) {
        let above = &self.rows.above;
        pieces::rows1(r, &|range, r| {
            for (row, r) in range.zip(r) {
                let mut sum = Product::zero();
                sum.add_row(above.entries(row, self.values.above), x);
                *r = less(&[T::ZERO; 4], sum.sum());
            }
        });
    }

    /// A sweep over all rows the other way round, from what `x` holds.
    pub(crate) fn backward(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for colour in (0..self.rows.colours.len() - 1).rev() {
            self.sweep::<BACKWARD>(colour, b, x);
        }
    }

    /// Solves for the rows of a colour, from the first one of each cluster to the last, or back.
    fn sweep<const WAY: u8>(&self, colour: usize, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        let Self { rows, values, inverses } = *self;
        let clusters = rows.colours[colour] as usize..rows.colours[colour + 1] as usize;
        let bound = |cluster: usize| rows.clusters[cluster] as usize;
        let (start, end) = (bound(clusters.start), bound(clusters.end));
        let (before, rest) = x.split_at_mut(start);
        let (mine, after) = rest.split_at_mut(end - start);
        let (before, after) = (&*before, &*after);
        let at = |cluster: usize| (bound(cluster), 0);
        pieces::each(pieces::shared(rows.len()), clusters, mine, &mut [(); 0], &at, &|cluster, own, _| {
            let first = bound(cluster);
            for k in 0..own.len() {
                let row = first + if WAY == BACKWARD { own.len() - 1 - k } else { k };
                let mut sum = Product::zero();
                let below = rows.below.entries(row, values.below);
                let low = Entries { first: 0, low: before, next: first, high: own };
                let above = rows.above.entries(row, values.above);
                let high = Entries { first, low: own, next: end, high: after };
                if WAY == BACKWARD {
                    // From the end to the start of the memory, which processors recognise and fetch ahead.
                    above.rev().for_each(|(block, &column)| sum.add(block, high.at(column)));
                    below.rev().for_each(|(block, &column)| sum.add(block, low.at(column)));
                } else {
                    below.for_each(|(block, &column)| sum.add(block, low.at(column)));
                    if WAY == FORWARD {
                        above.for_each(|(block, &column)| sum.add(block, high.at(column)));
                    }
                }
                own[row - first] = times(&inverses[row], &less(&b[row], sum.sum()));
            }
        });
    }
}

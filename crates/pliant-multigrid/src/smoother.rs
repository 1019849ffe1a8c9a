//! Symmetric block Gauss–Seidel: forward before the coarse level, backward after it.

use crate::block::{Block, Product, Vec4, inverse, times};
use crate::number::Number;
use crate::pieces;
use crate::rows::Rows;

/// A matrix with the inverses of its diagonal blocks.
#[derive(Clone, Copy)]
pub(crate) struct Smoother<'a, T> {
    pub(crate) rows: &'a Rows,
    pub(crate) values: &'a [Block<T>],
    pub(crate) inverses: &'a [Block<T>],
}

/// The inverses of the diagonal blocks.
pub(crate) fn invert<T: Number>(rows: &Rows, values: &[Block<T>], inverses: &mut [Block<T>]) {
    pieces::rows2(inverses, &mut vec_of_nothing(rows.len()), &|range, inverses, _| {
        for (inverse_of, &slot) in inverses.iter_mut().zip(&rows.diagonal[range]) {
            *inverse_of = inverse(&values[slot as usize]);
        }
    });
}

/// A vector without entries in memory.
pub(crate) fn vec_of_nothing(len: usize) -> Vec<()> {
    vec![(); len]
}

fn less<T: Number>(b: &Vec4<T>, sum: Vec4<T>) -> Vec4<T> {
    [b[0] - sum[0], b[1] - sum[1], b[2] - sum[2], T::ZERO]
}

impl<T: Number> Smoother<'_, T> {
    /// A sweep over all rows for `A x = b` that starts from zeros, whatever `x` holds.
    pub(crate) fn forward(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for colour in 0..self.rows.colours.len() - 1 {
            self.clusters(colour, x, &|rows, before, own, _, _| {
                let start = rows.start as u32;
                for row in rows {
                    let [from, _] = self.rows.own[row];
                    let mut product = Product::zero();
                    self.part(&mut product, self.rows.starts[row], from, before, 0);
                    self.part(&mut product, from, self.rows.diagonal[row], own, start);
                    own[row - start as usize] = times(&self.inverses[row], &less(&b[row], product.sum()));
                }
            });
        }
    }

    /// The residual after [`forward`](Self::forward), which comes from the blocks above the diagonal.
    pub(crate) fn residual(&self, x: &[Vec4<T>], r: &mut [Vec4<T>]) {
        let nothing = &mut vec_of_nothing(r.len());
        pieces::rows2(r, nothing, &|range, r, _| {
            for (row, r) in range.zip(r) {
                let mut product = Product::zero();
                self.part(&mut product, self.rows.diagonal[row] + 1, self.rows.starts[row + 1], x, 0);
                *r = less(&[T::ZERO; 4], product.sum());
            }
        });
    }

    /// A sweep over all rows the other way round, from what `x` holds.
    pub(crate) fn backward(&self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        for colour in (0..self.rows.colours.len() - 1).rev() {
            self.clusters(colour, x, &|rows, before, own, after, behind| {
                let start = rows.start as u32;
                for row in rows.rev() {
                    let [from, to] = self.rows.own[row];
                    let diagonal = self.rows.diagonal[row];
                    let mut product = Product::zero();
                    self.part(&mut product, self.rows.starts[row], from, before, 0);
                    self.part(&mut product, to, self.rows.starts[row + 1], after, behind);
                    self.part(&mut product, from, diagonal, own, start);
                    // The row before this one has just been changed and is read last, so that the rest is
                    // done while it is on its way.
                    self.part_back(&mut product, diagonal + 1, to, own, start);
                    own[row - start as usize] = times(&self.inverses[row], &less(&b[row], product.sum()));
                }
            });
        }
    }

    #[inline(always)]
    fn part(&self, product: &mut Product<T>, from: u32, to: u32, x: &[Vec4<T>], base: u32) {
        let range = from as usize..to as usize;
        product.add_row(&self.values[range.clone()], &self.rows.columns[range], x, base);
    }

    #[inline(always)]
    fn part_back(&self, product: &mut Product<T>, from: u32, to: u32, x: &[Vec4<T>], base: u32) {
        let range = from as usize..to as usize;
        for (block, &column) in self.values[range.clone()].iter().zip(&self.rows.columns[range]).rev() {
            product.add(block, &x[(column - base) as usize]);
        }
    }

    /// Calls `f` for every cluster of a colour, with its rows, the parts of `x` before the colour, of the cluster and
    /// behind the colour, and the row at which that last part begins.
    #[inline(always)]
    fn clusters(
        &self,
        colour: usize,
        x: &mut [Vec4<T>],
        f: &(impl Fn(std::ops::Range<usize>, &[Vec4<T>], &mut [Vec4<T>], &[Vec4<T>], u32) + Sync),
    ) {
        let rows = self.rows;
        let clusters = rows.colours[colour] as usize..rows.colours[colour + 1] as usize;
        let bound = |cluster: usize| rows.clusters[cluster] as usize;
        let (start, end) = (bound(clusters.start), bound(clusters.end));
        let (before, rest) = x.split_at_mut(start);
        let (mine, after) = rest.split_at_mut(end - start);
        let (before, after) = (&*before, &*after);
        let at = |cluster: usize| (bound(cluster), 0);
        pieces::each(pieces::shared(rows.len()), clusters, mine, &mut [(); 0], &at, &|cluster, own, _| {
            f(bound(cluster)..bound(cluster + 1), before, own, after, end as u32);
        });
    }
}

//! [`Transfer`]: from fine nodes to coarse ones and back.

use crate::block::{Vec4, plus_scaled};
use crate::number::Number;
use crate::pieces;
use crate::weights::Weights;

/// Weights by fine nodes, and the same by coarse ones.
#[derive(Debug)]
pub(crate) struct Transfer<T> {
    pub(crate) fine: Lists<T>,
    coarse: Lists<T>,
}

/// Lists of numbered weights.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<T>,
}

impl<T: Number> Lists<T> {
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    #[inline(always)]
    fn sum(&self, row: usize, x: &[Vec4<T>], mut sum: Vec4<T>) -> Vec4<T> {
        let (columns, values) = self.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            sum = plus_scaled(sum, value, &x[column as usize]);
        }
        sum
    }
}

impl<T: Number> Transfer<T> {
    pub(crate) fn new(weights: &Weights) -> Self {
        let mut starts = vec![0u32; weights.coarse + 1];
        for &column in &weights.columns {
            starts[column as usize + 1] += 1;
        }
        for k in 0..weights.coarse {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut columns = vec![0u32; weights.columns.len()];
        let mut values = vec![T::ZERO; weights.columns.len()];
        for node in 0..weights.starts.len() - 1 {
            for k in weights.row(node) {
                let at = &mut next[weights.columns[k] as usize];
                columns[*at as usize] = node as u32;
                values[*at as usize] = T::of(weights.values[k]);
                *at += 1;
            }
        }
        let fine = Lists {
            starts: weights.starts.clone(),
            columns: weights.columns.clone(),
            values: weights.values.iter().map(|&w| T::of(w)).collect(),
        };
        Self { fine, coarse: Lists { starts, columns, values } }
    }

    /// Restricts fine residuals to the coarse nodes: `b = Pᵀ r`.
    pub(crate) fn restrict(&self, r: &[Vec4<T>], b: &mut [Vec4<T>]) {
        pieces::rows1(b, &|range, b| {
            for (row, b) in range.zip(b) {
                *b = self.coarse.sum(row, r, [T::ZERO; 4]);
            }
        });
    }

    /// Adds the interpolated correction of the coarse nodes to the fine ones: `x += P e`.
    pub(crate) fn prolong(&self, e: &[Vec4<T>], x: &mut [Vec4<T>]) {
        pieces::rows1(x, &|range, x| {
            for (row, x) in range.zip(x) {
                *x = self.fine.sum(row, e, *x);
            }
        });
    }
}

//! [`Dense`]: the coarsest level, by a Cholesky decomposition in double precision.

use crate::block::{Vec4, to_rows};
use crate::number::Number;
use crate::rows::{Blocks, Rows};

/// What is added to the diagonal, as a share of its mean, in turn until the matrix is positive definite.
const SHIFTS: [f64; 4] = [0.0, 1e-8, 1e-5, 1e-2];

/// A pivot below this share of its diagonal entry is not positive but for rounding.
const LEAST_PIVOT: f64 = 1e-12;

const LANES: usize = 8;

/// The lower factor, row after row, and the solution.
#[derive(Debug)]
pub(crate) struct Dense {
    size: usize,
    factor: Vec<f64>,
    solution: Vec<f64>,
    positive: bool,
}

impl Dense {
    pub(crate) fn new(nodes: usize) -> Self {
        let size = 3 * nodes;
        Self { size, factor: vec![0.0; size * size], solution: vec![0.0; size], positive: false }
    }

    /// Decomposes a matrix, with the least of [`SHIFTS`] that makes it positive definite; `false` if none does.
    pub(crate) fn decompose<T: Number>(&mut self, rows: &Rows, values: &Blocks<'_, T>) -> bool {
        let mean = values.diagonal.iter().map(|block| [0, 4, 8].map(|k| block[k].wide()));
        let mean = mean.map(|d| d[0] + d[1] + d[2]).sum::<f64>() / self.size as f64;
        self.positive = SHIFTS.iter().any(|shift| {
            self.fill(rows, values, shift * mean);
            self.cholesky()
        });
        self.positive
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.positive
    }

    fn fill<T: Number>(&mut self, rows: &Rows, values: &Blocks<'_, T>, shift: f64) {
        self.factor.fill(0.0);
        for row in 0..rows.len() {
            let below = rows.below.entries(row, values.below);
            for (block, &column) in below.chain([(&values.diagonal[row], &(row as u32))]) {
                let column = column as usize;
                for (i, entries) in to_rows(block).iter().enumerate() {
                    for (j, value) in entries.iter().enumerate() {
                        self.factor[(3 * row + i) * self.size + 3 * column + j] = value.wide();
                    }
                }
            }
        }
        for k in 0..self.size {
            self.factor[k * self.size + k] += shift;
        }
    }

    fn cholesky(&mut self) -> bool {
        let n = self.size;
        for i in 0..n {
            let (above, rest) = self.factor.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in 0..i {
                let other = &above[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if !(pivot > LEAST_PIVOT * row[i] && pivot.is_finite()) {
                return false;
            }
            row[i] = pivot.sqrt();
        }
        true
    }

    /// Solves for `b`, both in the order of rows.
    pub(crate) fn solve<T: Number>(&mut self, b: &[Vec4<T>], x: &mut [Vec4<T>]) {
        let n = self.size;
        for (y, b) in self.solution.chunks_exact_mut(3).zip(b) {
            (0..3).for_each(|k| y[k] = b[k].wide());
        }
        for i in 0..n {
            let row = &self.factor[i * n..i * n + i + 1];
            self.solution[i] = (self.solution[i] - dot(&row[..i], &self.solution[..i])) / row[i];
        }
        for i in (0..n).rev() {
            let row = &self.factor[i * n..i * n + i + 1];
            let (before, at) = self.solution.split_at_mut(i);
            at[0] /= row[i];
            for (y, l) in before.iter_mut().zip(row) {
                *y -= at[0] * l;
            }
        }
        for (x, y) in x.iter_mut().zip(self.solution.chunks_exact(3)) {
            *x = [T::of(y[0]), T::of(y[1]), T::of(y[2]), T::ZERO];
        }
    }
}

/// A scalar product in lanes, always in the same order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for l in 0..LANES {
            sums[l] += a[l] * b[l];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

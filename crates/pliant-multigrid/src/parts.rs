//! [`Parts`]: the connected parts of a matrix, and the translation of each that iterations have not found.

use crate::block::{Block, Vec4, add_scaled, inverse, plus_scaled, times, transposed};
use crate::number::Number;
use crate::rows::Rows;

/// The part that every row belongs to.
#[derive(Debug)]
pub(crate) struct Parts {
    of: Vec<u32>,
    /// For each part the inverse of the sum of its blocks: what its translation costs.
    inverses: Vec<Block<f64>>,
    /// Whether the inverses are those of the present matrix.
    known: bool,
    /// For each part the sum of its residuals, then its translation.
    sums: Vec<Vec4<f64>>,
}

impl Parts {
    /// Rows that blocks connect are of one part.
    pub(crate) fn new(rows: &Rows) -> Self {
        const NONE: u32 = u32::MAX;
        let (mut of, mut count, mut waiting) = (vec![NONE; rows.len()], 0, Vec::new());
        for first in 0..rows.len() {
            if of[first] != NONE {
                continue;
            }
            of[first] = count;
            waiting.push(first);
            while let Some(row) = waiting.pop() {
                for other in rows.neighbours(row) {
                    if of[other as usize] == NONE {
                        of[other as usize] = count;
                        waiting.push(other as usize);
                    }
                }
            }
            count += 1;
        }
        let (inverses, sums) = (vec![[0.0; 9]; count as usize], vec![[0.0; 4]; count as usize]);
        Self { of, inverses, known: false, sums }
    }

    /// The part of each row.
    pub(crate) fn of_rows(&self) -> impl Iterator<Item = u32> {
        self.of.iter().copied()
    }

    /// Takes note of another matrix.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    fn learn<T: Number>(&mut self, rows: &Rows, values: &[Block<T>]) {
        let values = rows.split(values);
        self.inverses.fill([0.0; 9]);
        for (row, &part) in self.of.iter().enumerate() {
            let mut below = [T::ZERO; 9];
            values.below[rows.below.row(row)].iter().for_each(|b| add_scaled(&mut below, T::ONE, b));
            let mut sum = transposed(&below);
            add_scaled(&mut sum, T::ONE, &below);
            add_scaled(&mut sum, T::ONE, &values.diagonal[row]);
            self.inverses[part as usize].iter_mut().zip(sum).for_each(|(all, sum)| *all += sum.wide());
        }
        self.inverses.iter_mut().for_each(|sum| *sum = inverse(sum));
        self.known = true;
    }

    /// Translates each part by what makes its residuals sum to zero: the Galerkin correction of the
    /// translations, which shortens the error in the norm of the matrix. Internal forces of a body sum to
    /// zero, so a step whose residuals do keeps its linear momentum, however early the iterations ended.
    pub(crate) fn translate<T: Number>(
        &mut self,
        rows: &Rows,
        values: &[Block<T>],
        residual: &[Vec4<T>],
        x: &mut [Vec4<T>],
    ) {
        if !self.known {
            self.learn(rows, values);
        }
        self.sums.fill([0.0; 4]);
        for (&part, r) in self.of.iter().zip(residual) {
            self.sums[part as usize].iter_mut().zip(r).for_each(|(sum, r)| *sum += r.wide());
        }
        for (inverse, sum) in self.inverses.iter().zip(&mut self.sums) {
            *sum = times(inverse, sum);
        }
        for (x, &part) in x.iter_mut().zip(&self.of) {
            *x = plus_scaled(*x, T::ONE, &self.sums[part as usize].map(T::of));
        }
    }
}

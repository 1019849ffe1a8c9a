//! [`Parts`]: the connected parts of a matrix, and the translation of each that iterations have not found.

use crate::block::{Block, Vec4, add_scaled, inverse, times};
use crate::matrix::padded;
use crate::number::Number;
use crate::rows::Rows;

/// The part that every row belongs to.
#[derive(Debug)]
pub(crate) struct Parts {
    of: Vec<u32>,
    /// For each part, the sum of its blocks and that of its residuals.
    sums: Vec<(Block<f64>, Vec4<f64>)>,
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
                for &other in rows.neighbours(row) {
                    if of[other as usize] == NONE {
                        of[other as usize] = count;
                        waiting.push(other as usize);
                    }
                }
            }
            count += 1;
        }
        Self { of, sums: vec![([0.0; 9], [0.0; 4]); count as usize] }
    }

    /// Translates each part by what makes its residuals sum to zero: the Galerkin correction of the translations, which shortens the
    /// error in the norm of the matrix. Internal forces of a body sum to zero, so a step whose residuals do keeps its linear
    /// momentum, however early the iterations ended.
    pub(crate) fn translate<T: Number>(
        &mut self,
        rows: &Rows,
        values: &[Block<T>],
        residual: &[Vec4<T>],
        x: &mut [Vec4<T>],
    ) {
        self.sums.fill(([0.0; 9], [0.0; 4]));
        for (row, (&part, r)) in self.of.iter().zip(residual).enumerate() {
            let mut blocks = [T::ZERO; 9];
            values[rows.row(row)].iter().for_each(|block| add_scaled(&mut blocks, T::ONE, block));
            let (matrix, sum) = &mut self.sums[part as usize];
            matrix.iter_mut().zip(blocks).for_each(|(m, b)| *m += b.wide());
            sum.iter_mut().zip(r).for_each(|(s, r)| *s += r.wide());
        }
        for (matrix, sum) in &mut self.sums {
            *sum = times(&inverse(matrix), sum);
        }
        for (x, &part) in x.iter_mut().zip(&self.of) {
            let (_, [a, b, c, _]) = self.sums[part as usize];
            let by = padded([a, b, c].map(T::of));
            (0..3).for_each(|axis| x[axis] += by[axis]);
        }
    }
}

//! [`BlockMatrix`]: the numbers of a symmetric matrix.

use crate::block::{Block, Product, Vec4, add_scaled, from_rows, to_rows, transposed};
use crate::error::MatrixError;
use crate::number::Number;
use crate::pattern::{BlockPattern, NO_SLOT};
use crate::pieces;
use crate::rows::{Blocks, Rows};

/// A symmetric matrix of 3×3 blocks, both triangles stored. Code that adds a block on one side of the diagonal must add
/// its transpose on the other. Solvers read only the upper triangle of a diagonal block, but all of the others.
///
/// ```
/// use pliant_multigrid::{BlockMatrix, BlockPattern, Nodes};
///
/// let pattern = BlockPattern::new(&Nodes { count: 2, ..Nodes::default() }, &[[0, 1]])?;
/// let mut matrix = BlockMatrix::<f64>::new(&pattern);
/// // A spring along x.
/// let spring = [[5.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
/// for (k, slot) in pattern.slots(&[0, 1]).enumerate() {
///     let sign = if k == 0 || k == 3 { 1.0 } else { -1.0 };
///     matrix.add(slot, spring.map(|row| row.map(|value| sign * value)));
/// }
/// let mut y = [[0.0; 3]; 2];
/// matrix.multiply(&[[1.0, 7.0, 7.0], [3.0, 7.0, 7.0]], &mut y)?;
/// assert_eq!(y, [[-10.0, 0.0, 0.0], [10.0, 0.0, 0.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BlockMatrix<T> {
    pub(crate) pattern: BlockPattern,
    pub(crate) values: Vec<Block<T>>,
    /// How often it was cleared, which shows that its numbers have changed.
    pub(crate) revision: u64,
}

impl<T: Number> BlockMatrix<T> {
    /// A matrix of zeros.
    pub fn new(pattern: &BlockPattern) -> Self {
        Self { pattern: pattern.clone(), values: vec![[T::ZERO; 9]; pattern.blocks()], revision: 0 }
    }

    /// The pattern that it was made for.
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.values.fill([T::ZERO; 9]);
        self.revision += 1;
    }

    /// The [halves](BlockPattern::half) of the matrix, each row after row, all of them zeros. Code that changes them must
    /// [`mirror`](Self::mirror) them afterwards.
    pub fn clear_halves(&mut self) -> &mut [[T; 9]] {
        self.revision += 1;
        // Stored column after column below the diagonal: row after row of the transposes.
        let halves = &mut self.values[..self.pattern.halves()];
        halves.fill([T::ZERO; 9]);
        halves
    }

    /// Sets all other blocks from the [halves](Self::clear_halves).
    pub fn mirror(&mut self) {
        mirror(&self.pattern.0.rows, &mut self.values);
        self.revision += 1;
    }

    /// Adds a block, row after row, at a slot of the pattern. For [`NO_SLOT`] and slots that do not exist it
    /// is dropped.
    #[inline]
    pub fn add(&mut self, slot: u32, block: [[T; 3]; 3]) {
        if let Some(at) = self.values.get_mut(slot as usize) {
            add_scaled(at, T::ONE, &from_rows(block));
        }
    }

    /// Adds a multiple of the identity on the diagonal of a node, as a mass is.
    #[inline]
    pub fn add_scalar(&mut self, node: usize, value: T) {
        if let Some(at) = self.values.get_mut(self.pattern.diagonal(node) as usize) {
            for k in [0, 4, 8] {
                at[k] += value;
            }
        }
    }

    /// The block at a slot, row after row; zeros for [`NO_SLOT`] and slots that do not exist.
    pub fn block(&self, slot: u32) -> [[T; 3]; 3] {
        self.values.get(slot as usize).map_or([[T::ZERO; 3]; 3], to_rows)
    }

    /// `y = A x`, both with an entry per node. Fixed nodes are as zeros in `x`, and get zeros in `y`.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Length`] if a vector has not one entry per node.
    pub fn multiply(&self, x: &[[T; 3]], y: &mut [[T; 3]]) -> Result<(), MatrixError> {
        self.pattern.check_lengths(&[("`x`", x.len()), ("`y`", y.len())])?;
        let inner = &*self.pattern.0;
        let at = |row: usize| padded(x[inner.node_of[row] as usize]);
        let values = inner.rows.split(&self.values);
        for (y, &row) in y.iter_mut().zip(&inner.row_of) {
            *y = [T::ZERO; 3];
            if row == NO_SLOT {
                continue;
            }
            let row = row as usize;
            let mut product = Product::zero();
            product.add(&values.diagonal[row], &at(row));
            for (triangle, blocks) in [(&inner.rows.below, values.below), (&inner.rows.above, values.above)] {
                for (block, &column) in triangle.entries(row, blocks) {
                    product.add(block, &at(column as usize));
                }
            }
            let [a, b, c, _] = product.sum();
            *y = [a, b, c];
        }
        Ok(())
    }
}

#[inline(always)]
pub(crate) fn padded<T: Number>([a, b, c]: [T; 3]) -> Vec4<T> {
    [a, b, c, T::ZERO]
}

/// Sets the blocks above the diagonal to the transposes of those below it.
pub(crate) fn mirror<T: Number>(rows: &Rows, values: &mut [Block<T>]) {
    let (halves, above) = values.split_at_mut(rows.halves());
    pieces::rows1(above, &|range, above| {
        for (block, &below) in above.iter_mut().zip(&rows.mirror[range]) {
            *block = transposed(&halves[below as usize]);
        }
    });
}

/// A row of a matrix times a vector.
#[inline(always)]
pub(crate) fn row_times<T: Number>(
    rows: &Rows,
    values: &Blocks<'_, T>,
    row: usize,
    x: &[Vec4<T>],
) -> Vec4<T> {
    let mut product = Product::zero();
    product.add_row(rows.below.entries(row, values.below), x);
    product.add(&values.diagonal[row], &x[row]);
    product.add_row(rows.above.entries(row, values.above), x);
    product.sum()
}

/// `y = A x`, and the scalar product of both.
pub(crate) fn times<T: Number>(
    rows: &Rows,
    values: &[Block<T>],
    x: &[Vec4<T>],
    y: &mut [Vec4<T>],
    sums: &mut [f64],
) -> f64 {
    let values = rows.split(values);
    pieces::rows(y, sums, &|range, y| {
        let mut sum = [0.0; 4];
        for (row, y) in range.zip(y) {
            *y = row_times(rows, &values, row, x);
            add_dot(&mut sum, &x[row], y);
        }
        total(sum)
    })
}

/// Adds the products of two vectors' entries.
#[inline(always)]
pub(crate) fn add_dot<T: Number>(sum: &mut [f64; 4], a: &Vec4<T>, b: &Vec4<T>) {
    for l in 0..4 {
        sum[l] += a[l].wide() * b[l].wide();
    }
}

#[inline(always)]
pub(crate) fn total(sum: [f64; 4]) -> f64 {
    (sum[0] + sum[2]) + sum[1]
}

//! Rows that are the axes of one vector: C = Σ b_j x_j + c, with one coefficient for each point.
//!
//! ```text
//! ∂C_a/∂x_j = b_j e_a        J W Jᵀ = Σ w_j b_j² I        ∇Cᵀ∇C = b_j b_k I in block j, k
//! ```
//!
//! What is zero in these matrices is not known to be when a projection runs: it would be multiplied, added and divided like
//! everything else. Written for the coefficients alone a projection takes about a quarter of the operations.

#![allow(clippy::needless_range_loop, reason = "points, rows and columns are counted as in the equations")]

use nalgebra::Vector3;

use crate::blocks::{Blocks, add_identity};
use crate::real::Real;

/// The Jacobian: `gradients[row][point]`.
#[inline(always)]
pub(crate) fn axis_rows<T: Real, const N: usize>(b: &[T; N]) -> [[Vector3<T>; N]; 3] {
    let zero = T::zero();
    let mut rows = [[Vector3::new(zero, zero, zero); N]; 3];
    for j in 0..N {
        rows[0][j] = Vector3::new(b[j], zero, zero);
        rows[1][j] = Vector3::new(zero, b[j], zero);
        rows[2][j] = Vector3::new(zero, zero, b[j]);
    }
    rows
}

/// The coefficient of a point, from [such rows](axis_rows) or a multiple of them.
#[inline(always)]
pub(crate) fn coefficient<T: Real, const N: usize, const M: usize>(
    rows: &[[Vector3<T>; N]; M],
    point: usize,
) -> T {
    rows[0][point].x
}

/// The lower triangle of J W Jᵀ.
#[inline(always)]
pub(crate) fn inverse_mass<T: Real, const N: usize, const M: usize>(
    w: &[T; N],
    rows: &[[Vector3<T>; N]; M],
) -> [[T; M]; M] {
    // Without a closure: what is not inlined cannot use the instructions of its lanes.
    let mut sum = w[0] * (coefficient(rows, 0) * coefficient(rows, 0));
    for j in 1..N {
        sum += w[j] * (coefficient(rows, j) * coefficient(rows, j));
    }
    let mut matrix = [[T::zero(); M]; M];
    for row in 0..M {
        matrix[row][row] = sum;
    }
    matrix
}

/// ∇Cᵀ∇C times `stiffness`.
#[inline(always)]
pub(crate) fn gauss_newton<T: Real, const N: usize, const M: usize>(
    rows: &[[Vector3<T>; N]; M],
    stiffness: T,
) -> Blocks<T, N> {
    let mut blocks = [[[[T::zero(); 3]; 3]; N]; N];
    for j in 0..N {
        let scaled = coefficient(rows, j) * stiffness;
        for k in j..N {
            add_identity(&mut blocks[j][k], scaled * coefficient(rows, k));
        }
    }
    blocks
}

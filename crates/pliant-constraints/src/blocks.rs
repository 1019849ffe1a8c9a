//! [`Blocks`]: matrices over the points of a constraint, and what they are made of.

#![allow(clippy::needless_range_loop, reason = "points, rows and columns are counted as in the equations")]

use nalgebra::Vector3;

use crate::real::Real;

/// The blocks of a symmetric matrix over `N` points, row after row: `blocks[j][k][row][column]`. Only those
/// with j ≤ k are filled in; the others are their transposes.
pub type Blocks<T, const N: usize> = [[[[T; 3]; 3]; N]; N];

/// ∇Cᵀ∇C times `stiffness`.
#[inline(always)]
pub(crate) fn gauss_newton<T: Real, const N: usize, const M: usize>(
    gradients: &[[Vector3<T>; N]; M],
    stiffness: T,
) -> Blocks<T, N> {
    let mut blocks = [[[[T::zero(); 3]; 3]; N]; N];
    for row in gradients {
        for j in 0..N {
            let scaled = row[j] * stiffness;
            for k in j..N {
                add_outer(&mut blocks[j][k], &scaled, &row[k]);
            }
        }
    }
    blocks
}

/// Adds a bᵀ to a block.
#[inline(always)]
pub(crate) fn add_outer<T: Real>(block: &mut [[T; 3]; 3], a: &Vector3<T>, b: &Vector3<T>) {
    for r in 0..3 {
        for c in 0..3 {
            block[r][c] += a[r] * b[c];
        }
    }
}

/// Adds a multiple of the identity to a block.
#[inline(always)]
pub(crate) fn add_identity<T: Real>(block: &mut [[T; 3]; 3], by: T) {
    for r in 0..3 {
        block[r][r] += by;
    }
}

/// Adds the matrix [v]× to a block; it maps a to v × a.
#[inline(always)]
pub(crate) fn add_cross<T: Real>(block: &mut [[T; 3]; 3], v: &Vector3<T>) {
    block[0][1] -= v.z;
    block[0][2] += v.y;
    block[1][0] += v.z;
    block[1][2] -= v.x;
    block[2][0] -= v.y;
    block[2][1] += v.x;
}

/// The blocks of a distance between two points: k nnᵀ and, under tension, τ/L (I − nnᵀ). `unit` is n, or zero
/// if the constraint is slack.
#[inline(always)]
pub(crate) fn stiffness_of_line<T: Real>(
    x: &[Vector3<T>; 2],
    unit: &[Vector3<T>; 2],
    tension: T,
    stiffness: T,
) -> Blocks<T, 2> {
    let mut blocks = gauss_newton(&[*unit], stiffness);
    let d = x[0] - x[1];
    let squared = d.dot(&d);
    let tiny = T::splat(T::EPSILON * T::EPSILON);
    let length = squared.sqrt();
    let n2 = unit[0].dot(&unit[0]);
    let by = T::select(length.le(tiny), T::zero(), tension.max(T::zero()) * n2 / length.max(tiny));
    for (j, k, sign) in [(0, 0, by), (0, 1, -by), (1, 1, by)] {
        add_identity(&mut blocks[j][k], sign);
        add_outer(&mut blocks[j][k], &(unit[0] * -sign), &unit[0]);
    }
    blocks
}

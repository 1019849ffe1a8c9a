//! The small dense solve inside a projection: LDLᵀ without square roots, the same instructions in every lane.
//!
//! Rows of a block may depend on each other: equal strains of a flattened element, two rows that pull along
//! one line. At zero compliance the pivot of such a row is what rounding has left of A_ii − Σ l²d, and
//! dividing by it would throw points across the scene as soon as the rows ask for different things. It is
//! distinguished from a pivot by its size: a row that is less than [`NOISE`] · ε · A_ii away from the rows
//! before it counts as one of them, and those decide.
//!
//! Why 32: with up to six rows of up to six points the entries of A, dot products of 18 terms at most, and
//! the elimination leave 16 ε A_ii at the worst of some millions of random dependent blocks with equal
//! masses, and 15 ε in 999 of 1000 with masses over five orders of magnitude (rarely more, where the earlier
//! rows nearly depend on each other too: there is no pivoting, because lanes cannot pivot separately). A row
//! that is cut off makes an angle of less than √(32 ε) with the others, 0.1° in `f32`. A compliance above
//! that bound always has an effect, so compliant rows may depend on each other in any way.

#![allow(clippy::needless_range_loop, reason = "rows and columns are counted as in the equation")]

use crate::real::Real;

/// Multiple of ε · A_ii below which a pivot is rounding.
const NOISE: f64 = 32.0;

/// Solves (A + α̃ I) y = b for a symmetric positive semi-definite A given by its lower triangle.
///
/// A row whose pivot without α̃ does not exceed `floor` gives zero, and so does one whose pivot is rounding noise.
#[inline(always)]
pub(crate) fn solve_symmetric<T: Real, const M: usize>(
    a: [[T; M]; M],
    b: [T; M],
    alpha_tilde: T,
    floor: T,
) -> [T; M] {
    if M == 1 {
        // The right-hand side is often ready last, and the division need not wait for it.
        let inverse = T::one() / (a[0][0] + alpha_tilde);
        return [T::select(a[0][0].le(floor), T::zero(), b[0] * inverse); M];
    }
    let mut l = a;
    let mut y = b;
    let mut pivot = [T::zero(); M];
    for i in 0..M {
        for j in 0..i {
            // l[i][j] still holds the scaled entry L_ij d_j.
            for k in 0..j {
                let t = l[j][k] * l[i][k];
                l[i][j] -= t;
            }
        }
        let mut bare = a[i][i];
        let mut reduced = y[i];
        for j in 0..i {
            let scaled = l[i][j];
            let factor = T::select(pivot[j].le(T::zero()), T::zero(), scaled / pivot[j]);
            bare -= factor * scaled;
            reduced -= factor * y[j];
            l[i][j] = factor;
        }
        pivot[i] = T::select(bare.le(floor), T::zero(), bare + alpha_tilde);
        let noise = T::splat(NOISE * T::EPSILON) * a[i][i];
        pivot[i] = T::select(pivot[i].le(noise), T::zero(), pivot[i]);
        y[i] = reduced;
    }
    for i in (0..M).rev() {
        let mut value = T::select(pivot[i].le(T::zero()), T::zero(), y[i] / pivot[i]);
        for k in i + 1..M {
            value -= l[k][i] * y[k];
        }
        y[i] = T::select(pivot[i].le(T::zero()), T::zero(), value);
    }
    y
}

/// Solves (a + α̃) y = b for every row, where A = a I: what [`solve_symmetric`] gives there.
#[inline(always)]
pub(crate) fn solve_multiple_of_identity<T: Real, const M: usize>(
    a: T,
    b: [T; M],
    alpha_tilde: T,
    floor: T,
) -> [T; M] {
    let pivot = T::select(a.le(floor), T::zero(), a + alpha_tilde);
    let mut y = b;
    for i in 0..M {
        y[i] = T::select(pivot.le(T::zero()), T::zero(), b[i] / pivot);
    }
    y
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    use super::*;

    /// The largest block.
    const MOST: usize = 6;

    /// Gradients of up to six rows on four points, in whole quarters, so that mixtures of few rows are exact;
    /// of rank `rank`.
    #[derive(Debug, Clone)]
    struct Rows {
        independent: [[i8; 12]; MOST],
        mixture: [[i8; MOST]; MOST],
        scale: [i32; MOST],
    }

    fn rows() -> impl Strategy<Value = Rows> {
        let independent = prop::array::uniform(prop::array::uniform(-8..=8_i8));
        let mixture = prop::array::uniform(prop::array::uniform(-4..=4_i8));
        (independent, mixture, prop::array::uniform(-3..=3_i32))
            .prop_map(|(independent, mixture, scale)| Rows { independent, mixture, scale })
    }

    impl Rows {
        /// The first `m` rows, of which those from `rank` on are mixtures of the others; exact in `f32`.
        fn matrix(&self, m: usize, rank: usize) -> DMatrix<f64> {
            let own = |r: usize, k: usize| f64::from(self.independent[r][k]) / 4.0;
            DMatrix::from_fn(m, 12, |r, k| {
                let value = if r < rank {
                    own(r, k)
                } else {
                    (0..rank).map(|q| f64::from(self.mixture[r][q]) * own(q, k)).sum()
                };
                value * 4.0_f64.powi(self.scale[r])
            })
        }
    }

    /// (A + α̃ I)⁻¹ b in the scalar `T`.
    fn solve<T: Real + Into<f64>, const M: usize>(
        a: &DMatrix<f64>,
        b: &DVector<f64>,
        alpha_tilde: f64,
    ) -> DVector<f64> {
        let a = std::array::from_fn(|i| std::array::from_fn(|j| T::splat(a[(i, j)])));
        let b = std::array::from_fn(|i| T::splat(b[i]));
        let y: [T; M] = solve_symmetric(a, b, T::splat(alpha_tilde), T::zero());
        DVector::from_iterator(M, y.into_iter().map(Into::into))
    }

    /// Compares with Cholesky in `f64`: the residual of the equation always, the solution where it is well conditioned.
    fn against_dense<T: Real + Into<f64>, const M: usize>(
        a: &DMatrix<f64>,
        b: &DVector<f64>,
        alpha_tilde: f64,
    ) -> Result<(), TestCaseError> {
        let y = solve::<T, M>(a, b, alpha_tilde);
        prop_assert!(y.iter().all(|y| y.is_finite()));
        let full = a + DMatrix::identity(M, M) * alpha_tilde;
        // Rows may have very different sizes: every row is measured by its own.
        let size = |i: usize| full[(i, i)].sqrt();
        let length: f64 = (0..M).map(|j| size(j) * y[j].abs()).sum();
        let largest = (0..M).map(|j| b[j].abs() / size(j).max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
        let left = &full * &y - b;
        for i in 0..M {
            let allowed = 64.0 * T::EPSILON * size(i) * (length + largest);
            prop_assert!(left[i].abs() <= allowed, "row {i}: left {:e} of {allowed:e}, y {y}", left[i]);
        }
        let scaled = DMatrix::from_fn(M, M, |i, j| full[(i, j)] / (size(i) * size(j)));
        if scaled.iter().all(|s| s.is_finite()) {
            let eigenvalues = scaled.symmetric_eigen().eigenvalues;
            let condition = eigenvalues.max() / eigenvalues.min();
            if condition > 0.0 && condition < 1e-3 / T::EPSILON {
                let expected = full.clone().cholesky().expect("positive definite").solve(b);
                let error: f64 = (0..M).map(|j| size(j) * (y[j] - expected[j]).abs()).sum();
                let norm: f64 = (0..M).map(|j| size(j) * expected[j].abs()).sum();
                prop_assert!(
                    error <= 16.0 * T::EPSILON * condition * norm,
                    "{y} for {expected}, condition {condition:e}"
                );
            }
        }
        Ok(())
    }

    /// Full rank, zero, moderate and very large compliance, `f64` and `f32`.
    fn of_full_rank<const M: usize>(
        rows: &Rows,
        b: &[f64; MOST],
        alpha_tilde: f64,
    ) -> Result<(), TestCaseError> {
        let j = rows.matrix(M, M);
        let a = &j * j.transpose();
        let b = DVector::from_fn(M, |i, _| f64::from(b[i] as f32));
        let alpha_tilde = f64::from(alpha_tilde as f32);
        prop_assume!(a.clone().cholesky().is_some() || alpha_tilde > 0.0);
        let volume = DMatrix::from_fn(M, M, |i, j| a[(i, j)] / (a[(i, i)] * a[(j, j)]).sqrt()).determinant();
        prop_assume!(volume > 1e-6 || alpha_tilde > 1e-3 * a.diagonal().max());
        against_dense::<f64, M>(&a, &b, alpha_tilde)?;
        if a.iter().all(|a| f64::from(*a as f32) == *a) {
            against_dense::<f32, M>(&a, &b, alpha_tilde)?;
        }
        Ok(())
    }

    /// Rows that depend on each other and agree, at zero compliance: any solution will do, and the equation holds.
    fn of_lower_rank<const M: usize>(rows: &Rows, y: &[f64; MOST], rank: usize) -> Result<(), TestCaseError> {
        let rank = rank % M;
        let j = rows.matrix(M, rank);
        let a = &j * j.transpose();
        let lead = a.view((0, 0), (rank, rank)).into_owned();
        let correlation =
            DMatrix::from_fn(rank, rank, |i, j| lead[(i, j)] / (lead[(i, i)] * lead[(j, j)]).sqrt());
        prop_assume!(correlation.determinant() > 1e-3);
        let b = &a * DVector::from_fn(M, |i, _| y[i] * 4.0_f64.powi(-rows.scale[i]));
        let check = |found: &DVector<f64>, epsilon: f64| {
            let size = |i: usize| a[(i, i)].sqrt();
            let length: f64 =
                (0..M).map(|j| size(j) * (found[j].abs() + y[j].abs() * 4.0_f64.powi(-rows.scale[j]))).sum();
            let left = &a * found - &b;
            for i in 0..M {
                prop_assert!(
                    left[i].abs() <= 256.0 * epsilon * size(i) * length,
                    "row {i}: left {:e}",
                    left[i]
                );
            }
            // A dependent row has no multiplier of its own.
            for i in rank..M {
                prop_assert_eq!(found[i], 0.0);
            }
            Ok(())
        };
        check(&solve::<f64, M>(&a, &b, 0.0), f64::EPSILON)?;
        if a.iter().all(|a| f64::from(*a as f32) == *a) {
            check(&solve::<f32, M>(&a, &b, 0.0), f64::from(f32::EPSILON))?;
        }
        Ok(())
    }

    /// Calls a function for every number of rows.
    macro_rules! for_every_size {
        ($function:ident($($argument:expr),*)) => {
            $function::<1>($($argument),*)?;
            $function::<2>($($argument),*)?;
            $function::<3>($($argument),*)?;
            $function::<4>($($argument),*)?;
            $function::<5>($($argument),*)?;
            $function::<6>($($argument),*)?;
        };
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(400))]

        #[test]
        fn full_rank_at_zero_compliance(rows in rows(), b in prop::array::uniform(-1.0..1.0_f64)) {
            for_every_size!(of_full_rank(&rows, &b, 0.0));
        }

        #[test]
        fn full_rank_at_moderate_compliance(rows in rows(), b in prop::array::uniform(-1.0..1.0_f64), e in -6.0..6.0_f64) {
            for_every_size!(of_full_rank(&rows, &b, 10.0_f64.powf(e)));
        }

        #[test]
        fn full_rank_at_very_large_compliance(rows in rows(), b in prop::array::uniform(-1.0..1.0_f64), e in 10.0..14.0_f64) {
            for_every_size!(of_full_rank(&rows, &b, 10.0_f64.powf(e)));
        }

        #[test]
        fn lower_rank_at_zero_compliance(rows in rows(), y in prop::array::uniform(-1.0..1.0_f64), rank in 1..6_usize) {
            for_every_size!(of_lower_rank(&rows, &y, rank));
        }
    }
}

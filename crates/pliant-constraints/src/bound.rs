//! [`Bound`]: whether a constraint is an equation or an inequality, and the residual of its equation.

use crate::real::Real;

/// Whether a constraint pulls both ways or only pushes one way.
///
/// An inequality C ≥ 0 has a multiplier λ ≥ 0: where C is violated it acts like any other constraint,
/// elsewhere it does nothing. It has one row, because coupled inequalities would need a search for the active
/// ones; rows that are not coupled and have equal inverse masses, as in
/// [`FrictionalContact`](crate::FrictionalContact), may have multipliers in a cone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// C = 0, with a multiplier of either sign.
    #[default]
    Equality,
    /// C ≥ 0 with λ ≥ 0.
    AtLeastZero,
    /// Multipliers lie in a cone that the constraint defines: see
    /// [`admissible`](crate::BlockConstraint::admissible), [`residuals`](crate::BlockConstraint::residuals)
    /// and [`violations`](crate::BlockConstraint::violations), which a constraint with this bound gives
    /// itself.
    Cone,
}

impl Bound {
    /// The part of a value that is a violation: C of an equation, min(0, C) of an inequality. An elastic
    /// energy is ½ violation²/α.
    #[inline(always)]
    #[must_use]
    pub fn violation<T: Real>(self, value: T) -> T {
        match self {
            Self::Equality | Self::Cone => value,
            Self::AtLeastZero => value.min(T::zero()),
        }
    }

    /// The residual of the equation of every row, in the unit of C; see [`residual`].
    ///
    /// C + α̃λ of an equation and of an inequality that acts (λ > 0); of one that does not, max(0, −C).
    /// `values` may hold damping: see [`damped_values`](crate::damped_values).
    ///
    /// ```
    /// use pliant_constraints::Bound;
    ///
    /// assert_eq!(Bound::AtLeastZero.residual(&[2.0], 0.5, &[0.0]), [0.0]);
    /// assert_eq!(Bound::AtLeastZero.residual(&[-2.0], 0.5, &[0.0]), [2.0]);
    /// assert_eq!(Bound::AtLeastZero.residual(&[2.0], 0.5, &[1.0]), [2.5]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn residual<T: Real, const M: usize>(
        self,
        values: &[T; M],
        alpha_tilde: T,
        lambda: &[T; M],
    ) -> [T; M] {
        let mut left = residual(values, alpha_tilde, lambda);
        if self == Self::AtLeastZero {
            for row in 0..M {
                let idle = (-values[row]).max(T::zero());
                left[row] = T::select(lambda[row].le(T::zero()), idle, left[row]);
            }
        }
        left
    }
}

/// The residual C + α̃λ of every row: what is left of the discrete equation that XPBD solves, in the unit of C.
///
/// It predicts the error of the answer; the number of iterations does not. For a constraint that may be an
/// inequality see [`Bound::residual`].
#[inline(always)]
pub fn residual<T: Real, const M: usize>(values: &[T; M], alpha_tilde: T, lambda: &[T; M]) -> [T; M] {
    let mut left = *values;
    for row in 0..M {
        left[row] += alpha_tilde * lambda[row];
    }
    left
}

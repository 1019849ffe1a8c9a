//! [`Number`]: the scalar type of matrices.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A scalar of matrices and vectors: `f32` or `f64`.
pub trait Number:
    sealed::Sealed
    + Copy
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// What is added to the diagonal of coarse matrices, as a share of the mean diagonal entry of the block: well above
    /// rounding, well below what slows convergence.
    const SHIFT: Self;

    /// The nearest number.
    fn of(value: f64) -> Self;
    /// The same number in double precision.
    fn wide(self) -> f64;

    /// Four of them in one or two registers. Left to themselves, compilers take such loops apart again.
    #[doc(hidden)]
    type Four: Copy + Debug + Add<Output = Self::Four> + Sub<Output = Self::Four> + Mul<Output = Self::Four>;
    #[doc(hidden)]
    fn four(values: [Self; 4]) -> Self::Four;
    #[doc(hidden)]
    fn array(four: Self::Four) -> [Self; 4];
}

macro_rules! number {
    ($float:ty, $Four:ty, $shift:literal) => {
        impl Number for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const SHIFT: Self = $shift;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
            fn of(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            type Four = $Four;

            #[inline(always)]
            fn four(values: [Self; 4]) -> $Four {
                <$Four>::new(values)
            }

            #[inline(always)]
            fn array(four: $Four) -> [Self; 4] {
                four.to_array()
            }
        }
    };
}

number!(f32, wide::f32x4, 2e-6);
number!(f64, wide::f64x4, 1e-13);

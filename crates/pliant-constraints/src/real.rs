//! [`Real`]: the operations that the formulas need of a number.

use std::fmt::Debug;
use std::ops::Neg;

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar, Vector3};
use num_traits::{One, Zero};

/// A real number: `f32`, `f64`, or several of them side by side in a SIMD register.
///
/// The trait holds just enough to write every constraint once. Comparisons give a [`Mask`](Real::Mask) and choices
/// are made by [`select`](Real::select), because the lanes of a register cannot branch apart. All operations are those of
/// IEEE 754 without contraction, so that one formula gives the same bits in every width.
pub trait Real:
    Scalar
    + Copy
    + Zero
    + One
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + ClosedDivAssign
    + Neg<Output = Self>
    + Send
    + Sync
{
    /// The result of a comparison: `bool`, or one truth value per lane.
    type Mask: Copy + Debug;

    /// Distance from 1 to the next larger number.
    const EPSILON: f64;

    /// The number nearest to `value`, in every lane.
    fn splat(value: f64) -> Self;
    /// Square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// The larger of two numbers; `other` where `self` is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The smaller of two numbers; `other` where `self` is NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// `self < other`; false where one is NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `self ≤ other`; false where one is NaN.
    fn le(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere. Both are computed, so either may be infinite or NaN where
    /// it is not chosen.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

macro_rules! impl_real {
    ($float:ty) => {
        impl Real for $float {
            type Mask = bool;
            const EPSILON: f64 = <$float>::EPSILON as f64;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "rounding to the nearest is what splat means")]
            fn splat(value: f64) -> Self {
                value as $float
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$float>::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$float>::abs(self)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn le(self, other: Self) -> bool {
                self <= other
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

impl_real!(f32);
impl_real!(f64);

/// Length of a vector (nalgebra's `norm` needs more than [`Real`] offers).
#[inline(always)]
pub fn norm<T: Real>(v: &Vector3<T>) -> T {
    v.dot(v).sqrt()
}

/// Cross product; nalgebra's own is too general to be inlined everywhere, and a call costs more than the product.
#[inline(always)]
pub fn cross<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> Vector3<T> {
    Vector3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// A vector chosen by a mask, component by component.
#[inline(always)]
pub fn select_vector<T: Real>(mask: T::Mask, yes: Vector3<T>, no: Vector3<T>) -> Vector3<T> {
    Vector3::new(T::select(mask, yes.x, no.x), T::select(mask, yes.y, no.y), T::select(mask, yes.z, no.z))
}

/// A vector of `f64` rounded to another scalar.
#[inline(always)]
#[must_use]
pub fn splat_vector<T: Real>(v: &Vector3<f64>) -> Vector3<T> {
    Vector3::new(T::splat(v.x), T::splat(v.y), T::splat(v.z))
}

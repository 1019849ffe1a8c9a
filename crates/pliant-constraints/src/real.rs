//! [`Real`]: the operations that the formulas need of a number.

use std::fmt::Debug;
use std::ops::Neg;

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar, Vector3};
use num_traits::{One, Zero};

/// A real number: `f32`, `f64`, or several of them side by side in a SIMD register.
///
/// The trait holds just enough to write every constraint once. Comparisons give a [`Mask`](Real::Mask) and
/// choices are made by [`select`](Real::select), because the lanes of a register cannot branch apart.
/// Arithmetic is that of IEEE 754 without contraction, and elementary functions have one source, so that one
/// formula gives the same bits in every width.
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
    /// Natural logarithm: −∞ of zero, NaN of negative numbers.
    ///
    /// This and the elementary functions that follow come from the `libm` crate, one lane after the other: they give
    /// the same bits on every platform and in every width, and cost as much as that many scalars.
    #[must_use]
    fn ln(self) -> Self;
    /// Exponential eˣ.
    #[must_use]
    fn exp(self) -> Self;
    /// Sine of an angle, rad.
    #[must_use]
    fn sin(self) -> Self;
    /// Cosine of an angle, rad.
    #[must_use]
    fn cos(self) -> Self;
    /// `self` to the power `exponent`: NaN of a negative number, unless the exponent is a whole one.
    #[must_use]
    fn pow(self, exponent: Self) -> Self;
    /// `self < other`; false where one is NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `self ≤ other`; false where one is NaN.
    fn le(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere. Both are computed, so either may be infinite or NaN where
    /// it is not chosen.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

macro_rules! impl_real {
    ($float:ty, $ln:ident $exp:ident $sin:ident $cos:ident $pow:ident) => {
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
            #[inline]
            fn ln(self) -> Self {
                libm::$ln(self)
            }
            #[inline]
            fn exp(self) -> Self {
                libm::$exp(self)
            }
            #[inline]
            fn sin(self) -> Self {
                libm::$sin(self)
            }
            #[inline]
            fn cos(self) -> Self {
                libm::$cos(self)
            }
            #[inline]
            fn pow(self, exponent: Self) -> Self {
                libm::$pow(self, exponent)
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

impl_real!(f32, logf expf sinf cosf powf);
impl_real!(f64, log exp sin cos pow);

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

/// The difference of two vectors; like [`sum`] and [`times`] for lanes in long functions, where nalgebra's own is left
/// as a call.
#[inline(always)]
pub fn difference<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> Vector3<T> {
    Vector3::new(a.x - b.x, a.y - b.y, a.z - b.z)
}

/// The sum of two vectors.
#[inline(always)]
pub fn sum<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> Vector3<T> {
    Vector3::new(a.x + b.x, a.y + b.y, a.z + b.z)
}

/// A vector times a number.
#[inline(always)]
pub fn times<T: Real>(v: &Vector3<T>, factor: T) -> Vector3<T> {
    Vector3::new(v.x * factor, v.y * factor, v.z * factor)
}

/// The opposite vector.
#[inline(always)]
pub fn opposite<T: Real>(v: &Vector3<T>) -> Vector3<T> {
    Vector3::new(-v.x, -v.y, -v.z)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked values to the last places of either scalar, from tables.
    fn check<T: Real + Into<f64>>(tolerance: f64) {
        let near = |found: T, exact: f64| {
            let found: f64 = found.into();
            assert!((found - exact).abs() <= tolerance * exact.abs().max(1.0), "{found} is not {exact}");
        };
        near(T::splat(10.0).ln(), std::f64::consts::LN_10);
        near(T::one().exp(), std::f64::consts::E);
        near(T::splat(-2.0).exp().ln(), -2.0);
        near(T::splat(std::f64::consts::FRAC_PI_6).sin(), 0.5);
        near(T::splat(std::f64::consts::FRAC_PI_3).cos(), 0.5);
        near(T::splat(2.0).pow(T::splat(0.5)), std::f64::consts::SQRT_2);
        near(T::splat(-2.0).pow(T::splat(3.0)), -8.0);
        let (zero, nan) = (T::zero(), |x: T| Into::<f64>::into(x).is_nan());
        assert_eq!(zero.ln().into(), f64::NEG_INFINITY);
        assert!(nan((-T::one()).ln()) && nan((-T::one()).pow(T::splat(0.5))));
    }

    #[test]
    fn elementary_functions_have_their_values() {
        check::<f32>(2e-7);
        check::<f64>(3e-16);
    }
}

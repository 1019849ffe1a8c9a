//! [`Number`]: the type in which particles and constraints are stored.

use pliant_constraints::Real;

/// `f32` or `f64`: a [`Real`] that particles are stored in.
pub trait Number: Real + PartialOrd + Default + Into<f64> + sealed::Sealed {
    /// Has the alignment of four values, so that a particle is loaded at once.
    #[doc(hidden)]
    type Align: Copy + Send + Sync + PartialEq + std::fmt::Debug + 'static;

    /// The value as `f64`, exactly.
    fn to_f64(self) -> f64;
    /// Returns the bits of six numbers in as few words as hold them: the input of a state hash.
    #[doc(hidden)]
    fn words(six: [Self; 6], take: impl FnMut(u64));
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A type with the alignment of four `f32`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(16))]
pub struct Align16;

/// A type with the alignment of four `f64`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Align32;

impl Number for f32 {
    type Align = Align16;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn words(six: [Self; 6], mut take: impl FnMut(u64)) {
        for pair in 0..3 {
            take(u64::from(six[2 * pair].to_bits()) | u64::from(six[2 * pair + 1].to_bits()) << 32);
        }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

impl Number for f64 {
    type Align = Align32;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn words(six: [Self; 6], mut take: impl FnMut(u64)) {
        for number in six {
            take(number.to_bits());
        }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

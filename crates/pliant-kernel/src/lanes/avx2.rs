//! Lanes of AVX2: eight `f32` or four `f64` in one register.
//!
//! The types are private to the kernel, and kernels that use them are entered only through [`Avx2`], a token
//! that exists only where the processor has the instructions. That is what makes their operators sound.
//!
//! This file has the arithmetic; loads and stores are in one file for each of the two.

mod double;
mod single;

use std::arch::x86_64::{
    __m256, __m256d, _CMP_LE_OQ, _CMP_LT_OQ, _mm256_add_pd, _mm256_add_ps, _mm256_and_pd, _mm256_and_ps,
    _mm256_andnot_pd, _mm256_andnot_ps, _mm256_cmp_pd, _mm256_cmp_ps, _mm256_div_pd, _mm256_div_ps,
    _mm256_max_pd, _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_or_pd,
    _mm256_or_ps, _mm256_set1_pd, _mm256_set1_ps, _mm256_sqrt_pd, _mm256_sqrt_ps, _mm256_storeu_pd,
    _mm256_storeu_ps, _mm256_sub_pd, _mm256_sub_ps, _mm256_xor_pd, _mm256_xor_ps,
};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};
use pliant_constraints::Real;

use super::lane::Lanes;

/// PREFETCHW, for which there is no intrinsic: `_mm_prefetch` emits a prefetch for reading instead unless a
/// feature is enabled that has no name in Rust. Processors with AVX2 that lack it treat it as a NOP.
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block, reason = "it changes no memory, and the address may be any")]
fn fetch_to_write<X>(at: *const X) {
    #[cfg(not(miri))]
    // SAFETY: the instruction reads nothing and faults nowhere.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) at, options(nomem, nostack, preserves_flags));
    }
    #[cfg(miri)]
    let _ = at;
}

macro_rules! lanes {
    (
        $(#[$doc:meta])* $Lanes:ident, $float:ty, $register:ty, $width:literal,
        $add:ident $sub:ident $mul:ident $div:ident $sqrt:ident $min:ident $max:ident $xor:ident $andnot:ident
        $and:ident $or:ident $set:ident $store:ident $cmp:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $Lanes($register);

        impl $Lanes {
            #[inline(always)]
            fn to_array(self) -> [$float; $width] {
                let mut values = [0.0; $width];
                // SAFETY: the kernel holds the token `Avx2`; the array has room for the register.
                unsafe { $store(values.as_mut_ptr(), self.0) };
                values
            }

            /// A function of the scalar in every lane, one after the other.
            #[inline(always)]
            fn each(self, f: fn($float) -> $float) -> Self {
                let mut values = self.to_array();
                for value in &mut values {
                    *value = f(*value);
                }
                <Self as Lanes<$float>>::load(&values)
            }

            #[inline(always)]
            fn set(value: $float) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $set(value) })
            }
        }

        impl std::fmt::Debug for $Lanes {
            #[inline]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.to_array().fmt(f)
            }
        }

        impl PartialEq for $Lanes {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_array() == other.to_array()
            }
        }

        lanes!(@operator $Lanes Add add AddAssign add_assign $add);
        lanes!(@operator $Lanes Sub sub SubAssign sub_assign $sub);
        lanes!(@operator $Lanes Mul mul MulAssign mul_assign $mul);
        lanes!(@operator $Lanes Div div DivAssign div_assign $div);

        impl Neg for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $xor(self.0, $set(-0.0)) })
            }
        }

        impl Zero for $Lanes {
            #[inline(always)]
            fn zero() -> Self {
                Self::set(0.0)
            }
            #[inline]
            fn is_zero(&self) -> bool {
                self.to_array().iter().all(|&a| a == 0.0)
            }
        }

        impl One for $Lanes {
            #[inline(always)]
            fn one() -> Self {
                Self::set(1.0)
            }
        }

        impl Real for $Lanes {
            type Mask = $register;
            const EPSILON: f64 = <$float as Real>::EPSILON;

            #[inline(always)]
            fn splat(value: f64) -> Self {
                Self::set(<$float as Real>::splat(value))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $sqrt(self.0) })
            }
            #[inline(always)]
            fn abs(self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $andnot($set(-0.0), self.0) })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn ln(self) -> Self {
                self.each(<$float as Real>::ln)
            }
            #[inline(always)]
            fn exp(self) -> Self {
                self.each(<$float as Real>::exp)
            }
            #[inline(always)]
            fn sin(self) -> Self {
                self.each(<$float as Real>::sin)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                self.each(<$float as Real>::cos)
            }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                let mut values = self.to_array();
                let exponents = exponent.to_array();
                for lane in 0..$width {
                    values[lane] = <$float as Real>::pow(values[lane], exponents[lane]);
                }
                <Self as Lanes<$float>>::load(&values)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> $register {
                // SAFETY: the kernel holds the token `Avx2`.
                unsafe { $cmp::<_CMP_LT_OQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn le(self, other: Self) -> $register {
                // SAFETY: the kernel holds the token `Avx2`.
                unsafe { $cmp::<_CMP_LE_OQ>(self.0, other.0) }
            }
            #[inline(always)]
            fn select(mask: $register, yes: Self, no: Self) -> Self {
                // A mask is all ones or all zeros, and where a choice is zero the compiler drops half of
                // this; a blend is as long on some processors and never gets shorter. SAFETY: the kernel
                // holds the token `Avx2`.
                Self(unsafe { $or($and(mask, yes.0), $andnot(mask, no.0)) })
            }
        }
    };
    (@operator $Lanes:ident $Op:ident $op:ident $OpAssign:ident $op_assign:ident $intrinsic:ident) => {
        impl $Op for $Lanes {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
        impl $OpAssign for $Lanes {
            #[inline(always)]
            fn $op_assign(&mut self, other: Self) {
                *self = self.$op(other);
            }
        }
    };
}

lanes!(
    /// Eight `f32`.
    F32x8, f32, __m256, 8,
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_sqrt_ps _mm256_min_ps _mm256_max_ps _mm256_xor_ps
    _mm256_andnot_ps _mm256_and_ps _mm256_or_ps _mm256_set1_ps _mm256_storeu_ps _mm256_cmp_ps
);

lanes!(
    /// Four `f64`.
    F64x4, f64, __m256d, 4,
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_sqrt_pd _mm256_min_pd _mm256_max_pd _mm256_xor_pd
    _mm256_andnot_pd _mm256_and_pd _mm256_or_pd _mm256_set1_pd _mm256_storeu_pd _mm256_cmp_pd
);

#[cfg(test)]
mod tests {
    use super::super::enter::Avx2;
    use super::super::portable::Portable;
    use super::*;
    use crate::number::Number;

    #[test]
    fn offsets_in_the_upper_half_of_their_range_are_large() {
        if Avx2::detect().is_none() {
            return;
        }
        let at = [0, 16, 0x7fff_fff0, 0x8000_0000, 0x8000_0010, 0xffff_ffe0, 0xffff_fff0, 32];
        for bound in at {
            let expected = <Portable<f32, 8> as Lanes<f32>>::are_from(&at, bound);
            let number = |holds: bool| if holds { 1.0 } else { 0.0 };
            let mask = <F32x8 as Lanes<f32>>::are_from(&at, bound);
            assert_eq!(F32x8::select(mask, F32x8::one(), F32x8::zero()).to_array(), expected.map(number));
            let mut count = 0;
            for (half, expected) in at.chunks(4).zip(expected.chunks(4)) {
                let mask = <F64x4 as Lanes<f64>>::are_from(half, bound);
                let values = F64x4::select(mask, F64x4::one(), F64x4::zero()).to_array();
                assert!(values.iter().zip(expected).all(|(&value, &holds)| (value > 0.5) == holds));
                count += F64x4::count(mask);
            }
            let odd =
                <F32x8 as Lanes<f32>>::are_from(&[u32::MAX, 0, u32::MAX, 0, u32::MAX, 0, u32::MAX, 0], 1);
            assert_eq!(F32x8::bits(F32x8::both(mask, odd)), F32x8::bits(mask) & 0b0101_0101);
            assert_eq!(F32x8::bits(mask), <Portable<f32, 8> as Lanes<f32>>::bits(expected));
            assert_eq!(count, F32x8::count(mask));
            assert_eq!(count, <Portable<f32, 8> as Lanes<f32>>::count(expected));
        }
    }

    /// Every elementary function in every lane has the bits of the scalar.
    fn check<T: Number, L: Lanes<T>>(bits: impl Fn(T) -> u64) {
        let numbers = [0.0, -0.0, 1e-3, 0.7, 2.5, 31.0, -4.0, f64::INFINITY, f64::NAN].map(T::splat);
        let exponents = [0.5, -1.5, 3.0, 0.0].map(T::splat);
        let (mut found, mut of) = ([T::zero(); 8], [T::zero(); 8]);
        for first in 0..numbers.len() {
            for exponent in exponents {
                for lane in 0..L::WIDTH {
                    of[lane] = numbers[(first + lane) % numbers.len()];
                }
                let x = L::load(&of);
                let power = L::splat(exponent.to_f64());
                let scalar = |k: usize, a: T| match k {
                    0 => a.ln(),
                    1 => a.exp(),
                    2 => a.sin(),
                    3 => a.cos(),
                    _ => a.pow(exponent),
                };
                for (k, y) in [x.ln(), x.exp(), x.sin(), x.cos(), x.pow(power)].into_iter().enumerate() {
                    y.store(&mut found);
                    for lane in 0..L::WIDTH {
                        assert_eq!(bits(found[lane]), bits(scalar(k, of[lane])), "function {k}, lane {lane}");
                    }
                }
            }
        }
    }

    #[test]
    fn elementary_functions_have_the_bits_of_the_scalar() {
        // Any NaN is as good as another.
        let single = |x: f32| if x.is_nan() { u64::MAX } else { u64::from(x.to_bits()) };
        let double = |x: f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        check::<f32, Portable<f32, 8>>(single);
        check::<f64, Portable<f64, 4>>(double);
        if Avx2::detect().is_some() {
            check::<f32, F32x8>(single);
            check::<f64, F64x4>(double);
        }
    }
}

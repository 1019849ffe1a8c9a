//! Lanes of AVX2: eight `f32` or four `f64` in one register.
//!
//! The types are private to the kernel, and kernels that use them are entered only through [`Avx2`], a token that exists only where the
//! processor has the instructions. That is what makes their operators sound.

#![allow(
    clippy::needless_range_loop,
    reason = "loops instead of closures: what is not inlined cannot use the instructions"
)]

use std::arch::x86_64::{
    __m256, __m256d, _CMP_LE_OQ, _CMP_LT_OQ, _mm_add_ps, _mm_cmpeq_epi32, _mm_load_ps, _mm_loadu_si128,
    _mm_max_epu32, _mm_set1_epi32, _mm_store_ps, _mm_sub_ps, _mm256_add_pd, _mm256_add_ps, _mm256_and_pd,
    _mm256_and_ps, _mm256_andnot_pd, _mm256_andnot_ps, _mm256_castps128_ps256, _mm256_castps256_ps128,
    _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd, _mm256_cmp_ps, _mm256_cmpeq_epi32,
    _mm256_cvtepi32_epi64, _mm256_div_pd, _mm256_div_ps, _mm256_extractf128_ps, _mm256_insertf128_ps,
    _mm256_load_pd, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu32, _mm256_max_pd,
    _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_movemask_pd, _mm256_movemask_ps, _mm256_mul_pd,
    _mm256_mul_ps, _mm256_or_pd, _mm256_or_ps, _mm256_or_si256, _mm256_permute_ps, _mm256_permute2f128_pd,
    _mm256_permute4x64_pd, _mm256_set1_epi32, _mm256_set1_pd, _mm256_set1_ps, _mm256_setzero_pd,
    _mm256_setzero_ps, _mm256_setzero_si256, _mm256_shuffle_ps, _mm256_sqrt_pd, _mm256_sqrt_ps,
    _mm256_store_pd, _mm256_storeu_pd, _mm256_storeu_ps, _mm256_sub_pd, _mm256_sub_ps, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd, _mm256_xor_pd, _mm256_xor_ps,
};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::Vector3;
use num_traits::{One, Zero};
use pliant_constraints::Real;

use super::lane::{Lanes, PACK};
use crate::particles::Particle;

/// PREFETCHW, for which there is no intrinsic: `_mm_prefetch` makes a reader's request of it unless a feature is enabled that cannot be named. Processors with AVX2 that do not know it take it for a NOP.
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

            #[inline(always)]
            fn set(value: $float) -> Self {
                // SAFETY: the kernel holds the token `Avx2`.
                Self(unsafe { $set(value) })
            }
        }

        impl std::fmt::Debug for $Lanes {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.to_array().fmt(f)
            }
        }

        impl PartialEq for $Lanes {
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
                // A mask is all ones or all zeros, and where a choice is zero the compiler drops half of this; a blend is as long on some processors and never gets shorter.
                // SAFETY: the kernel holds the token `Avx2`.
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

impl Lanes<f32> for F32x8 {
    const WIDTH: usize = 8;
    const EARLY: bool = true;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        let values: &[f32; 8] = values.first_chunk().expect("a pack holds eight values");
        // SAFETY: the kernel holds the token `Avx2`; the array fills the register.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        let values: &mut [f32; 8] = values.first_chunk_mut().expect("a pack holds eight values");
        // SAFETY: the kernel holds the token `Avx2`; the array has room for the register.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        // SAFETY: the kernel holds the token `Avx2`.
        Self(unsafe { _mm256_permute_ps::<0xFF>(self.0) })
    }

    #[inline(always)]
    fn any(mask: __m256) -> bool {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_ps(mask) != 0 }
    }

    #[inline(always)]
    fn count(mask: __m256) -> u32 {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_ps(mask) }.count_ones()
    }

    #[inline(always)]
    fn bits(mask: __m256) -> u32 {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_ps(mask) }.cast_unsigned()
    }

    #[inline(always)]
    fn having(rows: &[[u32; PACK]; 3], wanted: &[u32; 3]) -> u32 {
        // SAFETY: the kernel holds the token `Avx2`; every row fills the register.
        unsafe {
            let mut has = _mm256_setzero_si256();
            for row in rows {
                let row = _mm256_loadu_si256(row.as_ptr().cast());
                for number in wanted {
                    let number = _mm256_set1_epi32(number.cast_signed());
                    has = _mm256_or_si256(has, _mm256_cmpeq_epi32(row, number));
                }
            }
            _mm256_movemask_ps(_mm256_castsi256_ps(has)).cast_unsigned()
        }
    }

    #[inline(always)]
    fn are_from(at: &[u32], bound: u32) -> __m256 {
        let at: &[u32; 8] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: the kernel holds the token `Avx2`; the array fills the register.
        unsafe {
            let at = _mm256_loadu_si256(at.as_ptr().cast());
            let larger = _mm256_max_epu32(at, _mm256_set1_epi32(bound.cast_signed()));
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(at, larger))
        }
    }

    #[inline(always)]
    fn fetch_to_write<X>(at: *const X) {
        fetch_to_write(at);
    }

    #[inline(always)]
    unsafe fn gather(start: *const Particle<f32>, at: &[u32]) -> (Vector3<Self>, Self) {
        let i: &[u32; 8] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range and not written meanwhile, as the caller promises; a particle is four aligned `f32`. The kernel holds the token.
        unsafe {
            let mut r = [_mm256_setzero_ps(); 4];
            for k in 0..4 {
                let low = _mm_load_ps(start.byte_add(i[k] as usize).cast::<f32>());
                let high = _mm_load_ps(start.byte_add(i[k + 4] as usize).cast::<f32>());
                r[k] = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high);
            }
            let [x, y, z, w] = columns(r);
            (Vector3::new(Self(x), Self(y), Self(z)), Self(w))
        }
    }

    #[inline(always)]
    unsafe fn scatter(start: *mut Particle<f32>, at: &[u32], x: Vector3<Self>, w: Self) {
        let i: &[u32; 8] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four aligned `f32`. The kernel holds the token.
        unsafe {
            let rows = columns([x.x.0, x.y.0, x.z.0, w.0]);
            // Volatile, so that they are read once more: kept from when the points were loaded, offsets would be stored on the stack for want of registers.
            let i = |k: usize| i.as_ptr().add(k).read_volatile();
            for k in 0..4 {
                _mm_store_ps(start.byte_add(i(k) as usize).cast::<f32>(), _mm256_castps256_ps128(rows[k]));
                _mm_store_ps(
                    start.byte_add(i(k + 4) as usize).cast::<f32>(),
                    _mm256_extractf128_ps::<1>(rows[k]),
                );
            }
        }
    }

    // What is there need not be transposed to be added to.
    #[inline(always)]
    unsafe fn accumulate(start: *mut Particle<f32>, at: &[u32], by: Vector3<Self>) {
        let i: &[u32; 8] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four aligned `f32`. The kernel holds the token.
        unsafe {
            let rows = columns([by.x.0, by.y.0, by.z.0, _mm256_setzero_ps()]);
            for k in 0..4 {
                let low = start.byte_add(i[k] as usize).cast::<f32>();
                _mm_store_ps(low, _mm_add_ps(_mm_load_ps(low), _mm256_castps256_ps128(rows[k])));
                let high = start.byte_add(i[k + 4] as usize).cast::<f32>();
                _mm_store_ps(high, _mm_add_ps(_mm_load_ps(high), _mm256_extractf128_ps::<1>(rows[k])));
            }
        }
    }

    // Transposed once for both.
    #[inline(always)]
    unsafe fn exchange(start: *mut Particle<f32>, to: &[u32], from: &[u32], what: Vector3<Self>) {
        let i: &[u32; 8] = to.first_chunk().expect("a pack holds eight offsets");
        let j: &[u32; 8] = from.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four aligned `f32`. The kernel holds the token.
        unsafe {
            let rows = columns([what.x.0, what.y.0, what.z.0, _mm256_setzero_ps()]);
            for k in 0..4 {
                let (low, high) = (_mm256_castps256_ps128(rows[k]), _mm256_extractf128_ps::<1>(rows[k]));
                for (k, row) in [(k, low), (k + 4, high)] {
                    let more = start.byte_add(i[k] as usize).cast::<f32>();
                    _mm_store_ps(more, _mm_add_ps(_mm_load_ps(more), row));
                    let less = start.byte_add(j[k] as usize).cast::<f32>();
                    _mm_store_ps(less, _mm_sub_ps(_mm_load_ps(less), row));
                }
            }
        }
    }
}

impl Lanes<f64> for F64x4 {
    const WIDTH: usize = 4;
    const EARLY: bool = true;

    #[inline(always)]
    fn load(values: &[f64]) -> Self {
        let values: &[f64; 4] = values.first_chunk().expect("a pack holds eight values");
        // SAFETY: the kernel holds the token `Avx2`; the array fills the register.
        Self(unsafe { _mm256_loadu_pd(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f64]) {
        let values: &mut [f64; 4] = values.first_chunk_mut().expect("a pack holds eight values");
        *values = self.to_array();
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        // SAFETY: the kernel holds the token `Avx2`.
        Self(unsafe { _mm256_permute4x64_pd::<0xFF>(self.0) })
    }

    #[inline(always)]
    fn any(mask: __m256d) -> bool {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_pd(mask) != 0 }
    }

    #[inline(always)]
    fn count(mask: __m256d) -> u32 {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_pd(mask) }.count_ones()
    }

    #[inline(always)]
    fn bits(mask: __m256d) -> u32 {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_movemask_pd(mask) }.cast_unsigned()
    }

    #[inline(always)]
    fn are_from(at: &[u32], bound: u32) -> __m256d {
        let at: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: the kernel holds the token `Avx2`; the array fills the register.
        unsafe {
            let at = _mm_loadu_si128(at.as_ptr().cast());
            let larger = _mm_max_epu32(at, _mm_set1_epi32(bound.cast_signed()));
            _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_cmpeq_epi32(at, larger)))
        }
    }

    #[inline(always)]
    fn fetch_to_write<X>(at: *const X) {
        fetch_to_write(at);
    }

    #[inline(always)]
    unsafe fn gather(start: *const Particle<f64>, at: &[u32]) -> (Vector3<Self>, Self) {
        let i: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range and not written meanwhile, as the caller promises; a particle is four aligned `f64`. The kernel holds the token.
        unsafe {
            let mut p = [_mm256_setzero_pd(); 4];
            for k in 0..4 {
                p[k] = _mm256_load_pd(start.byte_add(i[k] as usize).cast::<f64>());
            }
            let [x, y, z, w] = transpose(p);
            (Vector3::new(Self(x), Self(y), Self(z)), Self(w))
        }
    }

    #[inline(always)]
    unsafe fn scatter(start: *mut Particle<f64>, at: &[u32], x: Vector3<Self>, w: Self) {
        let i: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four aligned `f64`. The kernel holds the token.
        unsafe {
            let rows = transpose([x.x.0, x.y.0, x.z.0, w.0]);
            for k in 0..4 {
                _mm256_store_pd(start.byte_add(i[k] as usize).cast::<f64>(), rows[k]);
            }
        }
    }
}

/// In both halves rows become columns.
///
/// Of both steps the shuffles take any two numbers from either side. Those that interleave, which compilers use instead
/// of simpler choices, go through one
/// port of many processors, and these through two.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn columns(r: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: as the caller promises.
    unsafe {
        // The second and first numbers of two rows, and the fourth and third.
        let (t0, t1) = (_mm256_shuffle_ps::<0x41>(r[0], r[1]), _mm256_shuffle_ps::<0xEB>(r[0], r[1]));
        let (t2, t3) = (_mm256_shuffle_ps::<0x41>(r[2], r[3]), _mm256_shuffle_ps::<0xEB>(r[2], r[3]));
        [
            _mm256_shuffle_ps::<0x99>(t0, t2),
            _mm256_shuffle_ps::<0xCC>(t0, t2),
            _mm256_shuffle_ps::<0x99>(t1, t3),
            _mm256_shuffle_ps::<0xCC>(t1, t3),
        ]
    }
}

/// Rows become columns.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn transpose(r: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: as the caller promises.
    unsafe {
        let (t0, t1) = (_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1]));
        let (t2, t3) = (_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3]));
        [
            _mm256_permute2f128_pd::<0x20>(t0, t2),
            _mm256_permute2f128_pd::<0x20>(t1, t3),
            _mm256_permute2f128_pd::<0x31>(t0, t2),
            _mm256_permute2f128_pd::<0x31>(t1, t3),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::enter::Avx2;
    use super::super::portable::Portable;
    use super::*;

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
            assert_eq!(count, F32x8::count(mask));
            assert_eq!(count, <Portable<f32, 8> as Lanes<f32>>::count(expected));
        }
    }
}

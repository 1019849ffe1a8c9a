//! Four `f64` from memory and back: particles are four aligned numbers each, rows that become columns.

#![allow(
    clippy::needless_range_loop,
    reason = "loops instead of closures: what is not inlined cannot use the instructions"
)]

use std::arch::x86_64::{
    __m256d, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_max_epu32, _mm_set1_epi32, _mm256_and_pd,
    _mm256_castsi256_pd, _mm256_cvtepi32_epi64, _mm256_load_pd, _mm256_loadu_pd, _mm256_movemask_pd,
    _mm256_permute2f128_pd, _mm256_permute4x64_pd, _mm256_setzero_pd, _mm256_store_pd, _mm256_unpackhi_pd,
    _mm256_unpacklo_pd,
};

use nalgebra::Vector3;

use super::super::lane::Lanes;
use super::{F64x4, fetch_to_write};
use crate::particles::Particle;

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
    fn both(one: __m256d, other: __m256d) -> __m256d {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_and_pd(one, other) }
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
        // SAFETY: in range and not written meanwhile, as the caller promises; a particle is four aligned
        // `f64`. The kernel holds the token.
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
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four
        // aligned `f64`. The kernel holds the token.
        unsafe {
            let rows = transpose([x.x.0, x.y.0, x.z.0, w.0]);
            for k in 0..4 {
                _mm256_store_pd(start.byte_add(i[k] as usize).cast::<f64>(), rows[k]);
            }
        }
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

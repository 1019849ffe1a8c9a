//! Eight `f32` from memory and back: particles are four aligned numbers each, rows that become columns.

#![allow(
    clippy::needless_range_loop,
    reason = "loops instead of closures: what is not inlined cannot use the instructions"
)]

use std::arch::x86_64::{
    __m256, _mm_add_ps, _mm_load_ps, _mm_store_ps, _mm_sub_ps, _mm256_add_ps, _mm256_and_ps,
    _mm256_castps128_ps256, _mm256_castps256_ps128, _mm256_castsi256_ps, _mm256_cmpeq_epi32,
    _mm256_extractf128_ps, _mm256_insertf128_ps, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu32,
    _mm256_movemask_ps, _mm256_or_si256, _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_permutevar8x32_ps,
    _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_ps, _mm256_setzero_si256, _mm256_shuffle_ps,
    _mm256_storeu_ps,
};

use nalgebra::Vector3;

use super::super::lane::{Lanes, PACK};
use super::{F32x8, fetch_to_write};
use crate::packs::NONE;
use crate::particles::Particle;

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
    fn both(one: __m256, other: __m256) -> __m256 {
        // SAFETY: the kernel holds the token `Avx2`.
        unsafe { _mm256_and_ps(one, other) }
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
        // SAFETY: in range and not written meanwhile, as the caller promises; a particle is four aligned
        // `f32`. The kernel holds the token.
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
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four
        // aligned `f32`. The kernel holds the token.
        unsafe {
            let rows = columns([x.x.0, x.y.0, x.z.0, w.0]);
            // Volatile, so that they are read again: kept since the points were loaded, offsets would be
            // spilled to the stack.
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

    // The values in memory need not be transposed for an addition.
    #[inline(always)]
    unsafe fn accumulate(start: *mut Particle<f32>, at: &[u32], by: Vector3<Self>) {
        let i: &[u32; 8] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four
        // aligned `f32`. The kernel holds the token.
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

    #[inline(always)]
    unsafe fn add_blocks(start: *mut [f32; 9], places: &[u32; PACK], rows: &[[f32; PACK]; 9]) {
        // SAFETY: in range and not accessed meanwhile, as the caller promises; a block is nine `f32`. The
        // kernel holds the token.
        unsafe {
            let mut r = [_mm256_setzero_ps(); 8];
            for i in 0..8 {
                r[i] = _mm256_loadu_ps(rows[i].as_ptr());
            }
            let (low, high) = (columns([r[0], r[1], r[2], r[3]]), columns([r[4], r[5], r[6], r[7]]));
            // The first eight numbers of a block as they are, and transposed.
            let orders =
                [_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5)];
            for k in 0..4 {
                let one = _mm256_permute2f128_ps::<0x20>(low[k], high[k]);
                let other = _mm256_permute2f128_ps::<0x31>(low[k], high[k]);
                for (lane, block) in [(k, one), (k + 4, other)] {
                    let place = places[lane];
                    if place != NONE {
                        let sum = start.add(place as usize / 2).cast::<f32>();
                        let block = _mm256_permutevar8x32_ps(block, orders[(place & 1) as usize]);
                        _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_loadu_ps(sum), block));
                        *sum.add(8) += rows[8][lane];
                    }
                }
            }
        }
    }

    // Transposed once for both.
    #[inline(always)]
    unsafe fn exchange(start: *mut Particle<f32>, to: &[u32], from: &[u32], what: Vector3<Self>) {
        let i: &[u32; 8] = to.first_chunk().expect("a pack holds eight offsets");
        let j: &[u32; 8] = from.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four
        // aligned `f32`. The kernel holds the token.
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

/// In both halves rows become columns.
///
/// Of both steps the shuffles take any two numbers from either side. Interleaving shuffles, by which
/// compilers replace plainer choices than these, use one port on many processors, and these use two.
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

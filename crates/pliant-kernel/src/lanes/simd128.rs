//! Lanes of WebAssembly's simd128: four `f32` in one register.
//!
//! A module says which instructions it needs before it runs, so there is nothing to detect: the lanes are
//! there wherever the crate is compiled with the target feature `simd128`. Lanes of `f64` stay in arrays; a
//! register holds two, and loads of particles need four.

use std::arch::wasm32::{
    f32x4_abs, f32x4_add, f32x4_div, f32x4_le, f32x4_lt, f32x4_mul, f32x4_neg, f32x4_pmax, f32x4_pmin,
    f32x4_splat, f32x4_sqrt, f32x4_sub, i32x4_shuffle, u32x4_bitmask, u32x4_ge, u32x4_splat, v128, v128_and,
    v128_any_true, v128_bitselect, v128_load, v128_store,
};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::Vector3;
use num_traits::{One, Zero};
use pliant_constraints::Real;

use super::lane::Lanes;
use crate::particles::Particle;

/// Four `f32`.
#[derive(Clone, Copy)]
pub(crate) struct F32x4(v128);

impl F32x4 {
    #[inline(always)]
    fn from_array(values: &[f32; 4]) -> Self {
        // SAFETY: the array fills the register; the instruction takes any alignment.
        Self(unsafe { v128_load(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 4] {
        let mut values = [0.0; 4];
        // SAFETY: the array has room for the register; the instruction takes any alignment.
        unsafe { v128_store(values.as_mut_ptr().cast(), self.0) };
        values
    }

    /// A function of the scalar in every lane, one after the other.
    #[inline(always)]
    fn each(self, f: fn(f32) -> f32) -> Self {
        Self::from_array(&self.to_array().map(f))
    }
}

impl std::fmt::Debug for F32x4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_array().fmt(f)
    }
}

impl PartialEq for F32x4 {
    fn eq(&self, other: &Self) -> bool {
        self.to_array() == other.to_array()
    }
}

macro_rules! operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident $intrinsic:ident) => {
        impl $Op for F32x4 {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                Self($intrinsic(self.0, other.0))
            }
        }
        impl $OpAssign for F32x4 {
            #[inline(always)]
            fn $op_assign(&mut self, other: Self) {
                *self = self.$op(other);
            }
        }
    };
}

operator!(Add add AddAssign add_assign f32x4_add);
operator!(Sub sub SubAssign sub_assign f32x4_sub);
operator!(Mul mul MulAssign mul_assign f32x4_mul);
operator!(Div div DivAssign div_assign f32x4_div);

impl Neg for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(f32x4_neg(self.0))
    }
}

impl Zero for F32x4 {
    #[inline(always)]
    fn zero() -> Self {
        Self(f32x4_splat(0.0))
    }
    fn is_zero(&self) -> bool {
        self.to_array().iter().all(|&a| a == 0.0)
    }
}

impl One for F32x4 {
    #[inline(always)]
    fn one() -> Self {
        Self(f32x4_splat(1.0))
    }
}

impl Real for F32x4 {
    type Mask = v128;
    const EPSILON: f64 = <f32 as Real>::EPSILON;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(f32x4_splat(<f32 as Real>::splat(value)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }
    // Where one of the two is NaN the scalar gives `other`; `pmax` and `pmin` give their first operand.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(other.0, self.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(other.0, self.0))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.each(<f32 as Real>::ln)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        self.each(<f32 as Real>::exp)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.each(<f32 as Real>::sin)
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.each(<f32 as Real>::cos)
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        let (values, exponents) = (self.to_array(), exponent.to_array());
        Self::from_array(&std::array::from_fn(|lane| <f32 as Real>::pow(values[lane], exponents[lane])))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> v128 {
        f32x4_lt(self.0, other.0)
    }
    #[inline(always)]
    fn le(self, other: Self) -> v128 {
        f32x4_le(self.0, other.0)
    }
    #[inline(always)]
    fn select(mask: v128, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask))
    }
}

impl Lanes<f32> for F32x4 {
    const WIDTH: usize = 4;
    const EARLY: bool = false;
    const ADDS_IN_MEMORY: bool = true;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Self::from_array(values.first_chunk().expect("a pack holds eight values"))
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        let values: &mut [f32; 4] = values.first_chunk_mut().expect("a pack holds eight values");
        *values = self.to_array();
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        Self(i32x4_shuffle::<3, 3, 3, 3>(self.0, self.0))
    }

    #[inline(always)]
    fn both(one: v128, other: v128) -> v128 {
        v128_and(one, other)
    }

    #[inline(always)]
    fn any(mask: v128) -> bool {
        v128_any_true(mask)
    }

    #[inline(always)]
    fn count(mask: v128) -> u32 {
        u32::from(u32x4_bitmask(mask)).count_ones()
    }

    #[inline(always)]
    fn bits(mask: v128) -> u32 {
        u32::from(u32x4_bitmask(mask))
    }

    #[inline(always)]
    fn are_from(at: &[u32], bound: u32) -> v128 {
        let at: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: the array fills the register; the instruction takes any alignment.
        u32x4_ge(unsafe { v128_load(at.as_ptr().cast()) }, u32x4_splat(bound))
    }

    #[inline(always)]
    unsafe fn gather(start: *const Particle<f32>, at: &[u32]) -> (Vector3<Self>, Self) {
        let at: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        // SAFETY: in range and not written meanwhile, as the caller promises; a particle is four `f32`.
        let rows = at.map(|at| unsafe { v128_load(start.byte_add(at as usize).cast()) });
        let [x, y, z, w] = transpose(rows);
        (Vector3::new(Self(x), Self(y), Self(z)), Self(w))
    }

    #[inline(always)]
    unsafe fn scatter(start: *mut Particle<f32>, at: &[u32], x: Vector3<Self>, w: Self) {
        let at: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        let rows = transpose([x.x.0, x.y.0, x.z.0, w.0]);
        for (at, row) in at.iter().zip(rows) {
            // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four `f32`.
            unsafe { v128_store(start.byte_add(*at as usize).cast(), row) };
        }
    }

    // The values in memory need not be transposed for an addition.
    #[inline(always)]
    unsafe fn accumulate(start: *mut Particle<f32>, at: &[u32], by: Vector3<Self>) {
        let at: &[u32; 4] = at.first_chunk().expect("a pack holds eight offsets");
        let rows = transpose([by.x.0, by.y.0, by.z.0, f32x4_splat(0.0)]);
        for (at, row) in at.iter().zip(rows) {
            // SAFETY: in range, distinct and not accessed meanwhile, as the caller promises; a particle is four `f32`.
            unsafe {
                let sum = start.byte_add(*at as usize).cast::<v128>();
                v128_store(sum, f32x4_add(v128_load(sum), row));
            }
        }
    }
}

/// Rows become columns.
#[inline(always)]
fn transpose(r: [v128; 4]) -> [v128; 4] {
    let (t0, t1) = (i32x4_shuffle::<0, 4, 1, 5>(r[0], r[1]), i32x4_shuffle::<2, 6, 3, 7>(r[0], r[1]));
    let (t2, t3) = (i32x4_shuffle::<0, 4, 1, 5>(r[2], r[3]), i32x4_shuffle::<2, 6, 3, 7>(r[2], r[3]));
    [
        i32x4_shuffle::<0, 1, 4, 5>(t0, t2),
        i32x4_shuffle::<2, 3, 6, 7>(t0, t2),
        i32x4_shuffle::<0, 1, 4, 5>(t1, t3),
        i32x4_shuffle::<2, 3, 6, 7>(t1, t3),
    ]
}

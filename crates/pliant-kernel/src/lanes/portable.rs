//! [`Portable`]: lanes in an array, for processors without a vector unit that the crate supports.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::Vector3;
use num_traits::{One, Zero};
use pliant_constraints::Real;

use super::lane::Lanes;
use crate::number::Number;
use crate::particles::Particle;

/// How many constraints of a kind lanes in arrays hold, `elsewhere` so many. Processors of the x86-64 family
/// have registers for wider ones, and hardly any current one gets here: one at a time is a fifth of the code
/// to compile, with the same bits. In WebAssembly only `f64` gets here, and the code has to be downloaded.
/// Other processors keep several at once in registers.
#[must_use]
pub const fn side_by_side(elsewhere: usize) -> usize {
    if cfg!(any(target_arch = "x86_64", target_family = "wasm")) { 1 } else { elsewhere }
}

/// `W` reals of the scalar `T`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portable<T, const W: usize>([T; W]);

impl<T: Copy, const W: usize> Portable<T, W> {
    #[inline(always)]
    fn zip<U>(self, other: Self, f: impl Fn(T, T) -> U) -> [U; W] {
        std::array::from_fn(|i| f(self.0[i], other.0[i]))
    }
}

macro_rules! operator {
    ($Op:ident $op:ident $OpAssign:ident $op_assign:ident) => {
        impl<T: Number, const W: usize> $Op for Portable<T, W> {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                Self(self.zip(other, |a, b| a.$op(b)))
            }
        }
        impl<T: Number, const W: usize> $OpAssign for Portable<T, W> {
            #[inline(always)]
            fn $op_assign(&mut self, other: Self) {
                *self = self.$op(other);
            }
        }
    };
}

operator!(Add add AddAssign add_assign);
operator!(Sub sub SubAssign sub_assign);
operator!(Mul mul MulAssign mul_assign);
operator!(Div div DivAssign div_assign);

impl<T: Number, const W: usize> Neg for Portable<T, W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl<T: Number, const W: usize> Zero for Portable<T, W> {
    #[inline(always)]
    fn zero() -> Self {
        Self([T::zero(); W])
    }
    fn is_zero(&self) -> bool {
        self.0.iter().all(Zero::is_zero)
    }
}

impl<T: Number, const W: usize> One for Portable<T, W> {
    #[inline(always)]
    fn one() -> Self {
        Self([T::one(); W])
    }
}

impl<T: Number, const W: usize> Real for Portable<T, W> {
    type Mask = [bool; W];
    const EPSILON: f64 = T::EPSILON;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([T::splat(value); W])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(Real::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(Real::abs))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.zip(other, Real::max))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.zip(other, Real::min))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Self(self.0.map(Real::ln))
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Self(self.0.map(Real::exp))
    }
    #[inline(always)]
    fn sin(self) -> Self {
        Self(self.0.map(Real::sin))
    }
    #[inline(always)]
    fn cos(self) -> Self {
        Self(self.0.map(Real::cos))
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        Self(self.zip(exponent, Real::pow))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> [bool; W] {
        self.zip(other, |a, b| a < b)
    }
    #[inline(always)]
    fn le(self, other: Self) -> [bool; W] {
        self.zip(other, |a, b| a <= b)
    }
    #[inline(always)]
    fn select(mask: [bool; W], yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| if mask[i] { yes.0[i] } else { no.0[i] }))
    }
}

impl<T: Number, const W: usize> Lanes<T> for Portable<T, W> {
    const WIDTH: usize = W;
    const EARLY: bool = false;

    #[inline(always)]
    fn load(values: &[T]) -> Self {
        Self(std::array::from_fn(|i| values[i]))
    }

    #[inline(always)]
    fn store(self, values: &mut [T]) {
        values[..W].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn fourths(self) -> Self {
        Self(std::array::from_fn(|i| self.0[i | 3]))
    }

    #[inline(always)]
    fn any(mask: [bool; W]) -> bool {
        mask.contains(&true)
    }

    #[inline(always)]
    fn count(mask: [bool; W]) -> u32 {
        mask.map(u32::from).iter().sum()
    }

    #[inline(always)]
    fn both(one: [bool; W], other: [bool; W]) -> [bool; W] {
        std::array::from_fn(|i| one[i] & other[i])
    }

    #[inline(always)]
    fn bits(mask: [bool; W]) -> u32 {
        mask.iter().rev().fold(0, |bits, &holds| bits << 1 | u32::from(holds))
    }

    #[inline(always)]
    fn are_from(at: &[u32], bound: u32) -> [bool; W] {
        std::array::from_fn(|i| at[i] >= bound)
    }

    #[inline(always)]
    unsafe fn gather(start: *const Particle<T>, at: &[u32]) -> (Vector3<Self>, Self) {
        // SAFETY: in range and not written meanwhile, as the caller promises.
        let p: [Particle<T>; W] = std::array::from_fn(|i| unsafe { *start.byte_add(at[i] as usize) });
        let x = Vector3::new(Self(p.map(|p| p.x.x)), Self(p.map(|p| p.x.y)), Self(p.map(|p| p.x.z)));
        (x, Self(p.map(|p| p.w)))
    }

    #[inline(always)]
    unsafe fn scatter(start: *mut Particle<T>, at: &[u32], x: Vector3<Self>, w: Self) {
        for (i, &at) in at[..W].iter().enumerate() {
            let particle = Particle::new(Vector3::new(x.x.0[i], x.y.0[i], x.z.0[i]), w.0[i]);
            // SAFETY: in range and not accessed meanwhile, as the caller promises.
            unsafe { *start.byte_add(at as usize) = particle };
        }
    }
}

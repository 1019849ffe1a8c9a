//! [`Largest`]: the largest of many numbers, and whose it is.

use std::marker::PhantomData;

use crate::lanes::{Lanes, PACK};
use crate::number::Number;
use crate::summary::Peak;

/// The largest of some numbers that come eight at a time. All that most of them take is to be compared with the largest before: how often a number is larger than all before it grows as the
/// logarithm of how many there are.
///
/// Of equal numbers the first eight that hold one have it, and among those the one whose owner has the smallest number. So it is the same for lanes of any width.
pub(super) struct Largest<T, L> {
    bound: L,
    peak: Peak,
    scalar: PhantomData<T>,
}

impl<T: Number, L: Lanes<T>> Largest<T, L> {
    /// Of positive numbers.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { bound: L::zero(), peak: Peak::default(), scalar: PhantomData }
    }

    /// Of numbers that are not smaller than one that is known already; what is smaller may count as nothing.
    #[inline(always)]
    pub(super) fn above(known: f64) -> Self {
        // Below it by no more than a rounding: an equal number is to be found. Where a product rounds to what it was nothing is known.
        let value = if known > 1e-30 { known * (1.0 - T::EPSILON) } else { 0.0 };
        Self { bound: L::splat(value), peak: Peak { value, at: None }, scalar: PhantomData }
    }

    /// Whether one of the numbers is larger than all before.
    #[inline(always)]
    pub(super) fn is_below(&self, numbers: L) -> bool {
        L::any(self.bound.lt(numbers))
    }

    /// Takes up eight numbers and their owners.
    #[inline(always)]
    pub(super) fn take(&mut self, numbers: &[T; PACK], owners: &[u32; PACK]) {
        raise(&mut self.peak, numbers, owners);
        self.bound = L::splat(self.peak.value);
    }

    /// The largest number and its owner, if it has one.
    #[inline(always)]
    pub(super) fn peak(&self) -> Peak {
        if self.peak.at.is_some() { self.peak } else { Peak::default() }
    }
}

#[cold]
#[inline(never)]
fn raise<T: Number>(peak: &mut Peak, numbers: &[T; PACK], owners: &[u32; PACK]) {
    let before = peak.value;
    if numbers.iter().any(|number| number.to_f64() > before) {
        for (number, &owner) in numbers.iter().zip(owners) {
            peak.take(number.to_f64(), owner as usize);
        }
    }
}

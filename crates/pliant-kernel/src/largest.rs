//! [`Largest`]: the largest of many numbers, and its owner.

use std::marker::PhantomData;

use crate::lanes::{Lanes, PACK};
use crate::number::Number;
use crate::summary::Peak;

/// The largest of some numbers that come eight at a time. Most of them only need one comparison with the
/// largest so far: the expected number of new maxima grows as the logarithm of the count.
///
/// Of equal numbers the first eight that hold one have it, and among those the one whose owner has the
/// smallest number. So it is the same for lanes of any width.
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

    /// Of numbers that are not smaller than a known one; smaller ones may be ignored.
    #[inline(always)]
    pub(super) fn above(known: f64) -> Self {
        // Below it by one rounding, because an equal number must be found. Where the product rounds back to
        // the same value, nothing is assumed.
        let value = if known > 1e-30 { known * (1.0 - T::EPSILON) } else { 0.0 };
        Self { bound: L::splat(value), peak: Peak { value, at: None }, scalar: PhantomData }
    }

    /// Whether one of the numbers is larger than all before.
    #[inline(always)]
    pub(super) fn is_below(&self, numbers: L) -> bool {
        L::any(self.bound.lt(numbers))
    }

    /// Adds eight numbers and their owners.
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

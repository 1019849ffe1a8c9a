//! [`Distribution`]: how many elements are strained how much.
//!
//! Counts can be added in any order and come out the same, and counting costs less than evaluating the
//! element. Eight classes for each factor of two, by the exponent and the first three binary digits after the
//! point, so that a quantile is known to within an eighth of itself.

use crate::number::Number;

/// Exponents of the smallest and the largest magnitude that have classes of their own: 2⁻²⁰ ≈ 10⁻⁶ and 2⁴ = 16.
const EXPONENTS: std::ops::Range<i32> = -20..4;

/// Classes for each factor of two.
const PER_OCTAVE: u32 = 8;

/// Bits of an `f32` below those of the class.
const SHIFT: u32 = 20;

/// Classes of one sign: the first holds all that is smaller, the last all that is larger.
const CLASSES: usize = (PER_OCTAVE as usize) * (EXPONENTS.end - EXPONENTS.start) as usize + 2;

/// Places for the classes of one sign, of which the last are empty: a power of two, so that no number leads
/// beyond them.
const SIGN: usize = 256;

/// The class of a number.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "classes are wider than a rounding")]
fn class_of(number: f64) -> u32 {
    let bits = (number as f32).to_bits();
    let first = ((127 + EXPONENTS.start) as u32 * PER_OCTAVE) - 1;
    let class = ((bits & 0x7fff_ffff) >> SHIFT).max(first) - first;
    let negative = (bits >> 31) * SIGN as u32;
    (class.min(CLASSES as u32 - 1) + negative) & (2 * SIGN as u32 - 1)
}

/// A count of numbers by sign and magnitude.
///
/// Of the strains of more than 16 384 elements of one kind a report counts those of one in four, for four
/// each: always the same ones, all over the mesh. Maxima and means cover all elements.
///
/// ```
/// use pliant_kernel::Distribution;
///
/// let strains = Distribution::of((1..=1000).map(|i| 1e-5 * f64::from(i)));
/// assert_eq!(strains.count(), 1000);
/// let median = strains.quantile(0.5).unwrap();
/// assert!((5.0e-3..5.7e-3).contains(&median), "at most an eighth above the true one: {median}");
/// ```
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Vec<Class>", try_from = "Vec<Class>"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Distribution {
    /// Magnitudes of positive numbers and zero, then those of negative ones.
    counts: Box<[u32; 2 * SIGN]>,
}

impl Default for Distribution {
    fn default() -> Self {
        Self { counts: Box::new([0; 2 * SIGN]) }
    }
}

impl std::fmt::Debug for Distribution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.classes()).finish()
    }
}

/// Numbers between two bounds, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "crate::serial::Bounded", from = "crate::serial::Bounded"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Class {
    /// Lower bound.
    pub from: f64,
    /// Upper bound.
    pub to: f64,
    /// How many numbers lie between them.
    pub count: u64,
}

impl Distribution {
    /// The distribution of some numbers. NaN counts as larger than everything.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut all = Self::default();
        numbers.into_iter().for_each(|x| all.take(x));
        all
    }

    /// Counts a number.
    #[inline]
    pub fn take(&mut self, number: f64) {
        self.counts[class_of(number) as usize] += 1;
    }

    /// Counts so many numbers of a class; whether it is one of the classes.
    #[cfg(feature = "serde")]
    pub(crate) fn take_class(&mut self, class: Class) -> bool {
        let is_same = |(from, to): (f64, f64)| (from, to) == (class.from, class.to);
        let (up, down) = (0..CLASSES, 0..CLASSES);
        let found = up.into_iter().find(|&i| is_same(bounds(i))).or_else(|| {
            let mut down = down.map(|i| (i, bounds(i)));
            down.find_map(|(i, (from, to))| is_same((-to, -from)).then_some(SIGN + i))
        });
        let place = found.map(|i| &mut self.counts[i]);
        let count = place.zip(u32::try_from(class.count).ok());
        let sum = count.and_then(|(all, count)| Some((all.checked_add(count)?, all)));
        sum.map(|(sum, all)| *all = sum).is_some()
    }

    /// Counts what another has counted.
    pub fn add(&mut self, other: &Self) {
        for (all, one) in self.counts.iter_mut().zip(other.counts.iter()) {
            *all += one;
        }
    }

    /// How many numbers were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).sum()
    }

    /// A magnitude that at least the share `share`, in [0, 1], of the numbers does not exceed, whatever their
    /// sign: the upper bound of the class in which the quantile lies. None if nothing was counted.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total = self.count();
        if total == 0 {
            return None;
        }
        let wanted = share.clamp(0.0, 1.0) * total as f64;
        let mut below = 0.0;
        for class in 0..CLASSES {
            let (up, down) = (self.counts[class], self.counts[SIGN + class]);
            below += f64::from(up) + f64::from(down);
            if below >= wanted && below > 0.0 {
                return Some(bounds(class).1);
            }
        }
        Some(f64::INFINITY)
    }

    /// The classes that hold anything, from the lowest numbers to the highest. Magnitudes below 10⁻⁶ and
    /// above 16 share one class for each sign.
    pub fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        let class = |sign: usize, i: usize| {
            let ((from, to), count) = (bounds(i), u64::from(self.counts[sign * SIGN + i]));
            if sign == 0 { Class { from, to, count } } else { Class { from: -to, to: -from, count } }
        };
        let negative = (0..CLASSES).rev().map(move |i| class(1, i));
        negative.chain((0..CLASSES).map(move |i| class(0, i))).filter(|class| class.count > 0)
    }
}

/// Lists that take turns in counting.
const SIDES: usize = 4;

/// A count in the making. Neighbours are often of one class, and adding to a count means waiting for the last addition
/// to it; in lists side by side they do not meet.
pub(crate) struct Counts {
    sides: Box<[[u32; 2 * SIGN]; SIDES]>,
    /// Number of zeros that were counted by mistake.
    void: u32,
}

impl Default for Counts {
    fn default() -> Self {
        Self { sides: Box::new([[0; 2 * SIGN]; SIDES]), void: 0 }
    }
}

impl Counts {
    /// Counts the numbers of some packs.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "a list of classes and a list of lists go side by side")]
    pub(crate) fn take<T: Number, const W: usize, const P: usize>(&mut self, packs: &[[T; W]; P]) {
        // Classes first, all of them: side by side they are found faster than one by one.
        let mut classes = [[0; W]; P];
        for (class, number) in classes.as_flattened_mut().iter_mut().zip(packs.as_flattened()) {
            *class = class_of(number.to_f64());
        }
        for four in classes.as_flattened().chunks_exact(SIDES) {
            for side in 0..SIDES {
                // The mask replaces a bounds check: the compiler has lost the range of the class by now.
                self.sides[side][four[side] as usize & (2 * SIGN - 1)] += 1;
            }
        }
    }

    /// Takes back that `n` zeros were counted.
    pub(crate) fn forget_zeros(&mut self, n: u32) {
        self.void += n;
    }

    /// Adds what was counted to a distribution, each for `times` numbers.
    pub(crate) fn add_to(&self, all: &mut Distribution, times: u32) {
        for side in self.sides.iter() {
            for (all, one) in all.counts.iter_mut().zip(side) {
                *all += times * one;
            }
        }
        all.counts[class_of(0.0) as usize] -= times * self.void;
    }
}

/// Bounds of the magnitudes in a class.
fn bounds(class: usize) -> (f64, f64) {
    let edge = |k: usize| {
        let (octave, step) = ((k / PER_OCTAVE as usize) as i32, k % PER_OCTAVE as usize);
        let scale = f64::from_bits(((1023 + EXPONENTS.start + octave) as u64) << 52);
        scale * (1.0 + step as f64 / f64::from(PER_OCTAVE))
    };
    match class {
        0 => (0.0, edge(0)),
        _ if class == CLASSES - 1 => (edge(class - 1), f64::INFINITY),
        _ => (edge(class - 1), edge(class)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_number_is_in_its_class(exponent in -30.0..10.0_f64, negative: bool) {
            let x = libm::exp2(exponent) * if negative { -1.0 } else { 1.0 };
            let distribution = Distribution::of([x]);
            let classes: Vec<_> = distribution.classes().collect();
            prop_assert_eq!(classes.len(), 1);
            let Class { from, to, count } = classes[0];
            // A number may be rounded across a bound.
            prop_assert!(count == 1 && from <= x * (1.0 + 1e-7 * x.signum()) && x * (1.0 - 1e-7 * x.signum()) <= to, "{from} {x} {to}");
            if (1e-6..15.9).contains(&x.abs()) {
                prop_assert!(to - from <= 0.126 * x.abs());
            }
        }

        #[test]
        fn quantiles_bound_the_true_ones(
            mut numbers in prop::collection::vec(-1.0..1.0_f64, 1..300),
            share in 0.0..=1.0_f64,
        ) {
            let quantile = Distribution::of(numbers.iter().copied()).quantile(share).unwrap();
            numbers.iter_mut().for_each(|x| *x = x.abs());
            let within = numbers.iter().filter(|&&x| x <= quantile * (1.0 + 1e-7)).count() as f64;
            prop_assert!(within >= share * numbers.len() as f64);
            let clearly_within = numbers.iter().filter(|&&x| x < quantile / 1.13 - 1e-6).count() as f64;
            prop_assert!(clearly_within <= share * numbers.len() as f64);
        }
    }

    #[test]
    fn what_cannot_be_placed_is_not_lost() {
        let all = Distribution::of([0.0, -0.0, f64::NAN, f64::INFINITY, -1e300, 1e-300]);
        assert_eq!(all.count(), 6);
        assert_eq!(all.quantile(1.0), Some(f64::INFINITY));
        assert_eq!(Distribution::default().quantile(0.5), None);
        let mut twice = all.clone();
        twice.add(&all);
        assert_eq!(twice.count(), 12);
    }

    #[test]
    fn eight_by_eight_is_one_by_one() {
        let numbers: [f32; 8] = [0.0, 1e-3, 1.01e-3, -1e-3, f32::INFINITY, -17.0, 1e-9, 0.3];
        let (mut counts, mut all) = (Counts::default(), Distribution::default());
        counts.take(&[numbers; 3]);
        // Zeros can be taken back after they were counted.
        counts.forget_zeros(2);
        counts.add_to(&mut all, 2);
        let one_by_one = [&numbers[..], &numbers[1..], &numbers[1..]].concat().into_iter().map(f64::from);
        assert_eq!(all, Distribution::of(one_by_one.clone().chain(one_by_one)));
    }
}

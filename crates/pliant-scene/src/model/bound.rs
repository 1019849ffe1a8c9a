//! Bounds of numbers.

/// The smallest number that a positive one may be.
const LEAST_POSITIVE: f64 = 1e-30;

/// Whether a number is within a bound.
pub enum Fit {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It is positive, as it should be, but less than this.
    TooSmall(f64),
}

/// What a number must be.
pub trait Bound {
    /// What to expect, for messages; the unit follows.
    const EXPECTED: &'static str;
    /// What to expect otherwise, after the unit.
    const OTHERWISE: &'static str = "";
    /// The word of a schema for the least number, and that number; that of the unit if there is none.
    const LEAST: Option<(&'static str, f64)>;
    /// The largest number; that of the unit if there is none.
    const MOST: Option<f64> = None;

    /// Whether a number is within the bound.
    fn fit(value: f64) -> Fit;
}

fn is(fits: bool) -> Fit {
    if fits { Fit::Yes } else { Fit::No }
}

/// Above zero.
pub enum Positive {}
/// Zero or above.
pub enum NonNegative {}
/// Not infinite, and a number.
pub enum Finite {}
/// From 0 to 1.
pub enum UnitInterval {}
/// The exponent of a gas, or of what stands for one.
pub enum GasExponent {}
/// Zero, which is rigid, or above.
pub enum Compliance {}
/// Above zero, with a finite inverse.
pub enum Stiffness {}

impl Bound for Positive {
    const EXPECTED: &'static str = "a positive number";
    const LEAST: Option<(&'static str, f64)> = Some(("minimum", LEAST_POSITIVE));

    fn fit(value: f64) -> Fit {
        let hardly = value > 0.0 && value < LEAST_POSITIVE;
        if hardly { Fit::TooSmall(LEAST_POSITIVE) } else { is(value > 0.0 && value.is_finite()) }
    }
}

impl Bound for NonNegative {
    const EXPECTED: &'static str = "a number of at least 0";
    const LEAST: Option<(&'static str, f64)> = Some(("minimum", 0.0));

    fn fit(value: f64) -> Fit {
        is(value >= 0.0 && value.is_finite())
    }
}

impl Bound for Finite {
    const EXPECTED: &'static str = "a finite number";
    const LEAST: Option<(&'static str, f64)> = None;

    fn fit(value: f64) -> Fit {
        is(value.is_finite())
    }
}

impl Bound for UnitInterval {
    const EXPECTED: &'static str = "a number from 0 to 1";
    const LEAST: Option<(&'static str, f64)> = Some(("minimum", 0.0));
    const MOST: Option<f64> = Some(1.0);

    fn fit(value: f64) -> Fit {
        is((0.0..=1.0).contains(&value))
    }
}

impl Bound for GasExponent {
    const EXPECTED: &'static str = "a number from 0.1 to 10: 1 for slow changes, 1.4 for quick ones of air";
    const LEAST: Option<(&'static str, f64)> = Some(("minimum", 0.1));
    const MOST: Option<f64> = Some(10.0);

    fn fit(value: f64) -> Fit {
        is((0.1..=10.0).contains(&value))
    }
}

impl Bound for Compliance {
    const EXPECTED: &'static str = "0 (rigid) or a positive number";
    const LEAST: Option<(&'static str, f64)> = Some(("minimum", 0.0));

    fn fit(value: f64) -> Fit {
        NonNegative::fit(value)
    }
}

impl Bound for Stiffness {
    const EXPECTED: &'static str = "a positive number";
    const OTHERWISE: &'static str = ", or `compliance = 0` for a rigid one";
    const LEAST: Option<(&'static str, f64)> = Some(("exclusiveMinimum", 0.0));

    fn fit(value: f64) -> Fit {
        is(value > 0.0 && value.is_finite() && (1.0 / value).is_finite())
    }
}

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
    /// The word of a schema for the largest number, and that number; that of the unit if there is none.
    const MOST: Option<(&'static str, f64)> = None;

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
/// Above 0 and below 1.
pub enum Accuracy {}
/// Poisson's ratio: above −1 and below 1.
pub enum Poisson {}
/// Poisson's ratio of a solid: above −1 and below ½.
pub(crate) enum SolidPoisson {}
/// A factor of lengths of a file. A file that would need another is broken, not in another unit.
pub enum FileScale {}
/// A part of a turn, degrees.
pub enum Sector {}
/// An angle above the horizon, degrees: a camera that looks straight up or down has no upper edge.
pub enum Elevation {}
/// The angle between the upper and the lower edge of a picture, degrees.
pub enum FieldOfView {}
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

/// Bounds with a least and a largest number, both allowed.
macro_rules! closed_intervals {
    ($($Name:ident = $least:literal..=$most:literal, $expected:literal;)+) => {
        $(
            impl Bound for $Name {
                const EXPECTED: &'static str = $expected;
                const LEAST: Option<(&'static str, f64)> = Some(("minimum", $least));
                const MOST: Option<(&'static str, f64)> = Some(("maximum", $most));

                fn fit(value: f64) -> Fit {
                    is(($least..=$most).contains(&value))
                }
            }
        )+
    };
}

closed_intervals! {
    UnitInterval = 0.0..=1.0, "a number from 0 to 1";
    GasExponent = 0.1..=10.0, "a number from 0.1 to 10: 1 for slow changes, 1.4 for quick ones of air";
    FileScale = 1e-9..=1e9, "a number from 1e-9 to 1e9";
    Sector = 0.1..=360.0, "a number from 0.1 to 360";
    Elevation = -89.0..=89.0, "a number from -89 to 89";
    FieldOfView = 1.0..=150.0, "a number from 1 to 150";
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

/// Bounds with a least and a largest number, neither of them allowed.
macro_rules! open_intervals {
    ($($Name:ident = $least:literal, $most:literal, $expected:literal;)+) => {
        $(
            impl Bound for $Name {
                const EXPECTED: &'static str = $expected;
                const LEAST: Option<(&'static str, f64)> = Some(("exclusiveMinimum", $least));
                const MOST: Option<(&'static str, f64)> = Some(("exclusiveMaximum", $most));

                fn fit(value: f64) -> Fit {
                    is(value > $least && value < $most)
                }
            }
        )+
    };
}

open_intervals! {
    Accuracy = 0.0, 1.0, "a share above 0 and below 1, such as 0.01";
    Poisson = -1.0, 1.0, "a number above -1 and below 1";
    SolidPoisson = -1.0, 0.5, "a number above -1 and below 0.5";
}

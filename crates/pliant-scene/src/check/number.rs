//! Checks of single numbers and vectors, by the bounds and the units of the [model](crate::model).

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::bound::Bound;
use crate::model::unit::{Metre, Unit};
use crate::model::{Bounded, Finite, NonNegative, OutOfBounds, Positive, UnitInterval, Vec3};

/// A number within a bound; `what` is the subject of the message.
fn within<B: Bound, U: Unit>(
    at: &FieldPath,
    what: &str,
    number: fn(f64) -> Result<Bounded<B, U>, OutOfBounds>,
    value: f64,
) -> Result<(), Fault> {
    let refuse = |error: OutOfBounds| Fault::new(at.clone(), format!("{what} is {value:?}"), error.expected);
    number(value).map(drop).map_err(refuse)
}

/// A positive, finite number.
pub(crate) fn positive<U: Unit>(at: &FieldPath, what: &str, value: f64) -> Result<(), Fault> {
    within(at, what, Positive::<U>::new, value)
}

/// A number of at least zero, finite.
pub(crate) fn not_negative<U: Unit>(at: &FieldPath, what: &str, value: f64) -> Result<(), Fault> {
    within(at, what, NonNegative::<U>::new, value)
}

/// A finite number.
pub(crate) fn finite<U: Unit>(at: &FieldPath, what: &str, value: f64) -> Result<(), Fault> {
    within(at, what, Finite::<U>::new, value)
}

/// A number from 0 to 1.
pub(crate) fn share(at: &FieldPath, what: &str, value: f64) -> Result<(), Fault> {
    within(at, what, UnitInterval::new, value)
}

/// Three finite numbers.
pub(crate) fn vector<U: Unit>(at: &FieldPath, what: &str, value: &Vec3) -> Result<(), Fault> {
    if !value.iter().all(|c| c.is_finite()) {
        let problem = format!("{what} is {value:?}");
        return Err(Fault::new(at.clone(), problem, U::after("three finite numbers")));
    }
    let number = format!("a number of {what}");
    value.iter().enumerate().try_for_each(|(axis, &c)| finite::<U>(&at.index(axis), &number, c))
}

/// A whole number within bounds.
pub(crate) fn in_range(at: &FieldPath, what: &str, value: u32, least: u32, most: u32) -> Result<(), Fault> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Fault::new(
        at.clone(),
        format!("{what} is {value}"),
        format!("a whole number from {least} to {most}"),
    ))
}

/// Two opposite corners of a box of positive size.
pub(crate) fn corners(at: &FieldPath, what: &str, min: &Vec3, max: &Vec3) -> Result<(), Fault> {
    vector::<Metre>(&at.key("min"), &format!("the least corner of {what}"), min)?;
    vector::<Metre>(&at.key("max"), &format!("the greatest corner of {what}"), max)?;
    for k in 0..3 {
        if min[k] >= max[k] {
            let axis = ["x", "y", "z"][k];
            let problem = format!("{what} reaches from {:?} to {:?} along {axis}", min[k], max[k]);
            return Err(Fault::new(at.key("max"), problem, "`max` greater than `min` along every axis"));
        }
    }
    Ok(())
}

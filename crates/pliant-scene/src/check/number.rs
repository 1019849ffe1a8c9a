//! Checks of single numbers and vectors.

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::Vec3;

fn with_unit(expected: &str, unit: &str) -> String {
    if unit.is_empty() { expected.to_owned() } else { format!("{expected}, {unit}") }
}

/// The largest number with this unit: far above anything that is simulated, and small enough that products of
/// several stay within single precision or are detected. Documented in the guide, "Keys of a scene".
fn most(unit: &str) -> f64 {
    match unit {
        "m" | "degrees" | "1/s" | "rad/s" | "kg/m²" => 1e9,
        // The velocity of light.
        "m/s" => 3e8,
        "s" | "m/s²" | "" => 1e12,
        // A thousand times the modulus of diamond.
        "Pa" | "N·m" => 1e15,
        // The density of nuclear matter; also all compliances and stiffnesses, which depend on the size of
        // elements.
        _ => 1e18,
    }
}

/// The smallest number that a positive one may be.
const LEAST: f64 = 1e-30;

/// Refuses a finite number that is larger than its unit allows, or a positive one that is hardly above zero.
pub(crate) fn conceivable(at: &FieldPath, what: &str, value: f64, unit: &str) -> Result<(), Fault> {
    let most = most(unit);
    let expected = if value > most {
        format!("{most:e} at most")
    } else if value < -most {
        format!("-{most:e} at least")
    } else {
        return Ok(());
    };
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), with_unit(&expected, unit)))
}

/// A positive, finite number.
pub(crate) fn positive(at: &FieldPath, what: &str, value: f64, unit: &str) -> Result<(), Fault> {
    if value >= LEAST && value.is_finite() {
        return conceivable(at, what, value, unit);
    }
    let expected = if value > 0.0 && value < LEAST {
        format!("{LEAST:e} at least")
    } else {
        "a positive number".to_owned()
    };
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), with_unit(&expected, unit)))
}

/// A number of at least zero, finite.
pub(crate) fn not_negative(at: &FieldPath, what: &str, value: f64, unit: &str) -> Result<(), Fault> {
    if value >= 0.0 && value.is_finite() {
        return conceivable(at, what, value, unit);
    }
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), with_unit("a number of at least 0", unit)))
}

/// A finite number.
pub(crate) fn finite(at: &FieldPath, what: &str, value: f64, unit: &str) -> Result<(), Fault> {
    if value.is_finite() {
        return conceivable(at, what, value, unit);
    }
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), with_unit("a finite number", unit)))
}

/// A number from 0 to 1.
pub(crate) fn share(at: &FieldPath, what: &str, value: f64) -> Result<(), Fault> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), "a number from 0 to 1"))
}

/// Three finite numbers.
pub(crate) fn vector(at: &FieldPath, what: &str, value: &Vec3, unit: &str) -> Result<(), Fault> {
    if value.iter().all(|c| c.is_finite()) {
        return value.iter().enumerate().try_for_each(|(axis, &c)| {
            conceivable(&at.index(axis), &format!("a number of {what}"), c, unit)
        });
    }
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), with_unit("three finite numbers", unit)))
}

/// A direction: three finite numbers, not all zero.
pub(crate) fn direction(at: &FieldPath, what: &str, value: &Vec3) -> Result<(), Fault> {
    // Judged by its largest component: the square of a small one could vanish.
    let largest = value.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    if value.iter().all(|c| c.is_finite()) && largest > 0.0 {
        return Ok(());
    }
    Err(Fault::new(at.clone(), format!("{what} is {value:?}"), "three finite numbers, not all zero"))
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
    vector(&at.key("min"), &format!("the least corner of {what}"), min, "m")?;
    vector(&at.key("max"), &format!("the greatest corner of {what}"), max, "m")?;
    for k in 0..3 {
        if min[k] >= max[k] {
            let axis = ["x", "y", "z"][k];
            let problem = format!("{what} reaches from {:?} to {:?} along {axis}", min[k], max[k]);
            return Err(Fault::new(at.key("max"), problem, "`max` greater than `min` along every axis"));
        }
    }
    Ok(())
}

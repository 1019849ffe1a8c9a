//! How numbers of reports are kept in files, by serde.
//!
//! JSON has no form for what is not finite, and writers put `null` there: where a number is asked for, `null`
//! is NaN. A [`Class`] without a bound has `null` for it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::distribution::{Class, Distribution};

/// Reads a number, for `#[serde(deserialize_with)]`: `null`, which texts have in the place of what is not
/// finite, is NaN.
///
/// # Errors
///
/// If it is neither a number nor null.
pub fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    if from.is_human_readable() {
        Option::deserialize(from).map(|number: Option<f64>| number.unwrap_or(f64::NAN))
    } else {
        f64::deserialize(from)
    }
}

/// How many elements are strained between two bounds.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub(crate) struct Bounded {
    /// Lower bound; null without one.
    from: Option<f64>,
    /// Upper bound; null without one.
    to: Option<f64>,
    /// Number of elements.
    count: u64,
}

impl From<Class> for Bounded {
    fn from(class: Class) -> Self {
        let finite = |bound: f64| bound.is_finite().then_some(bound);
        Self { from: finite(class.from), to: finite(class.to), count: class.count }
    }
}

impl From<Bounded> for Class {
    fn from(class: Bounded) -> Self {
        Self {
            from: class.from.unwrap_or(f64::NEG_INFINITY),
            to: class.to.unwrap_or(f64::INFINITY),
            count: class.count,
        }
    }
}

impl From<Distribution> for Vec<Class> {
    fn from(distribution: Distribution) -> Self {
        distribution.classes().collect()
    }
}

impl TryFrom<Vec<Class>> for Distribution {
    type Error = String;

    fn try_from(classes: Vec<Class>) -> Result<Self, String> {
        let mut all = Self::default();
        for class in classes {
            if !all.take_class(class) {
                let Class { from, to, count } = class;
                return Err(format!("{count} numbers from {from} to {to} are of no class of a distribution"));
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_is_its_classes() {
        let numbers = [0.0, -0.0, 1e-9, -1e-9, 0.1, 0.1, -0.25, 3.0, 100.0, f64::NEG_INFINITY];
        let distribution = Distribution::of(numbers);
        let classes: Vec<Class> = distribution.clone().into();
        assert_eq!(classes.iter().map(|class| class.count).sum::<u64>(), 10);
        assert_eq!(Distribution::try_from(classes.clone()), Ok(distribution));
        let written: Vec<Class> = classes.iter().map(|&class| Bounded::from(class).into()).collect();
        assert_eq!(written, classes);
        assert_eq!((written[0].from, written.last().unwrap().to), (f64::NEG_INFINITY, f64::INFINITY));
        let twice = [classes[0]; 2];
        assert!(Distribution::try_from(twice.to_vec()).is_ok());
        let foreign = Class { from: 0.3, to: 0.4, count: 1 };
        assert!(Distribution::try_from(vec![foreign]).unwrap_err().contains("0.3"));
    }
}

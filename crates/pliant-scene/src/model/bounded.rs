//! [`Bounded`]: a number of a scene within its bounds, which its type states together with its unit.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bound::{self, Bound, Fit};
use super::number;
use super::out_of_bounds::OutOfBounds;
use super::unit::{self, Unit};

/// A number that is at least 1e-30.
pub type Positive<U = unit::One> = Bounded<bound::Positive, U>;
/// A number that is at least 0.
pub type NonNegative<U = unit::One> = Bounded<bound::NonNegative, U>;
/// Any finite number.
pub type Finite<U = unit::One> = Bounded<bound::Finite, U>;
/// A number from 0 to 1.
pub type UnitInterval = Bounded<bound::UnitInterval, unit::One>;
/// The exponent of a gas, from 0.1 to 10.
pub type GasExponent = Bounded<bound::GasExponent, unit::One>;
/// An accuracy, above 0 and below 1.
pub type Accuracy = Bounded<bound::Accuracy, unit::One>;
/// Poisson's ratio, above −1 and below 1.
pub type Poisson = Bounded<bound::Poisson, unit::One>;
/// Poisson's ratio of a solid, above −1 and below ½.
pub(crate) type SolidPoisson = Bounded<bound::SolidPoisson, unit::One>;
/// A factor of lengths of a file, from 1e-9 to 1e9.
pub type FileScale = Bounded<bound::FileScale, unit::One>;
/// A part of a turn, up to 360°.
pub type Sector = Bounded<bound::Sector, unit::Degree>;
/// An angle above the horizon, from −89° to 89°.
pub type Elevation = Bounded<bound::Elevation, unit::Degree>;
/// The angle of a camera's view, from 1° to 150°.
pub type FieldOfView = Bounded<bound::FieldOfView, unit::Degree>;
/// A compliance: 0 is rigid.
pub type ComplianceNumber<U> = Bounded<bound::Compliance, U>;
/// A stiffness, the inverse of a compliance.
pub type StiffnessNumber<U> = Bounded<bound::Stiffness, U>;

/// A number that satisfies a bound `B`, in the unit `U`, and is not beyond what is conceivable in that unit.
///
/// ```
/// use pliant_scene::model::{Positive, unit::Pascal};
///
/// let young = Positive::<Pascal>::new(1e6)?;
/// assert_eq!(young.get(), 1e6);
/// let error = Positive::<Pascal>::new(-1.0).unwrap_err();
/// assert_eq!(error.to_string(), "the value is -1.0, expected a positive number, Pa");
/// # Ok::<(), pliant_scene::model::OutOfBounds>(())
/// ```
pub struct Bounded<B, U> {
    value: f64,
    kind: PhantomData<fn() -> (B, U)>,
}

impl<B: Bound, U: Unit> Bounded<B, U> {
    /// The number, if it is within the bounds.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn new(value: f64) -> Result<Self, OutOfBounds> {
        let fit = B::fit(value);
        if matches!(fit, Fit::Yes) && value.abs() <= U::MOST {
            return Ok(Self { value, kind: PhantomData });
        }
        let expected = match fit {
            Fit::No => Self::expected(),
            fit => unit::after(U::TEXT, &beyond(value, &fit, U::MOST)),
        };
        Err(OutOfBounds { value: format!("{value:?}"), expected })
    }

    /// What to expect.
    fn expected() -> String {
        unit::after(U::TEXT, B::EXPECTED) + B::OTHERWISE
    }

    /// A default, which is within the bounds.
    pub(crate) fn known(value: f64) -> Self {
        Self::new(value).expect("a default within its bounds")
    }
}

/// What to expect instead of a number that is too small or too large; apart from the type, of which there are dozens.
#[cold]
fn beyond(value: f64, fit: &Fit, most: f64) -> String {
    match fit {
        Fit::TooSmall(least) => format!("{least:e} at least"),
        _ if value > most => format!("{most:e} at most"),
        _ => format!("-{most:e} at least"),
    }
}

impl<B, U> Bounded<B, U> {
    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.value
    }
}

impl<B, U> Clone for Bounded<B, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B, U> Copy for Bounded<B, U> {}

impl<B, U> PartialEq for Bounded<B, U> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<B, U> fmt::Debug for Bounded<B, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<U> Default for NonNegative<U> {
    fn default() -> Self {
        Self { value: 0.0, kind: PhantomData }
    }
}

impl<U> Default for Finite<U> {
    fn default() -> Self {
        Self { value: 0.0, kind: PhantomData }
    }
}

impl<B, U> From<Bounded<B, U>> for f64 {
    fn from(number: Bounded<B, U>) -> Self {
        number.value
    }
}

impl<B: Bound, U: Unit> TryFrom<f64> for Bounded<B, U> {
    type Error = OutOfBounds;

    fn try_from(value: f64) -> Result<Self, OutOfBounds> {
        Self::new(value)
    }
}

impl<B, U> Serialize for Bounded<B, U> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value)
    }
}

impl<'de, B: Bound, U: Unit> Deserialize<'de> for Bounded<B, U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number::deserialize(deserializer, &Self::expected(), Self::new)
    }
}

#[cfg(feature = "schemars")]
impl<B: Bound, U: Unit> schemars::JsonSchema for Bounded<B, U> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bounded".into()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        // What has such numbers in it differs by their bounds and units.
        std::any::type_name::<Self>().into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = schemars::json_schema!({ "type": "number", "format": "double" });
        let (key, least) = B::LEAST.map_or(("minimum", -U::MOST), |bound| bound);
        schema.insert(key.into(), least.into());
        let (key, most) = B::MOST.unwrap_or(("maximum", U::MOST));
        schema.insert(key.into(), most.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::super::unit::{Degree, Metre, NewtonPerMetre, One, Pascal};
    use super::*;

    fn expected<B: Bound, U: Unit>(value: f64) -> String {
        Bounded::<B, U>::new(value).unwrap_err().expected
    }

    #[test]
    fn numbers_out_of_their_bounds_are_refused_with_what_is_expected() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(expected::<bound::Positive, Pascal>(bad), "a positive number, Pa");
        }
        assert_eq!(expected::<bound::Positive, Metre>(1e-31), "1e-30 at least, m");
        assert_eq!(expected::<bound::Positive, Metre>(2e9), "1e9 at most, m");
        assert_eq!(expected::<bound::NonNegative, One>(-1e-9), "a number of at least 0");
        assert_eq!(expected::<bound::Finite, Metre>(f64::NAN), "a finite number, m");
        assert_eq!(expected::<bound::Finite, Metre>(-2e9), "-1e9 at least, m");
        assert_eq!(expected::<bound::UnitInterval, One>(1.5), "a number from 0 to 1");
        assert_eq!(
            expected::<bound::Stiffness, NewtonPerMetre>(0.0),
            "a positive number, N/m, or `compliance = 0` for a rigid one"
        );
        assert!(Bounded::<bound::Stiffness, NewtonPerMetre>::new(1e-310).is_err(), "its inverse is infinite");
        for bad in [0.0, 1.0, f64::NAN] {
            assert_eq!(expected::<bound::Accuracy, One>(bad), "a share above 0 and below 1, such as 0.01");
        }
        assert_eq!(expected::<bound::Poisson, One>(-1.0), "a number above -1 and below 1");
        assert_eq!(expected::<bound::SolidPoisson, One>(0.5), "a number above -1 and below 0.5");
        assert_eq!(expected::<bound::FileScale, One>(1e10), "a number from 1e-9 to 1e9");
        assert_eq!(expected::<bound::Elevation, Degree>(90.0), "a number from -89 to 89, degrees");
        assert_eq!(expected::<bound::FieldOfView, Degree>(0.5), "a number from 1 to 150, degrees");
        for good in [0.0, 1.0] {
            assert_eq!(UnitInterval::new(good).unwrap().get(), good);
            assert_eq!(ComplianceNumber::<Metre>::new(good).unwrap().get(), good);
        }
    }

    #[cfg(feature = "schemars")]
    #[test]
    fn the_schema_of_a_number_has_its_bounds() {
        let of = |schema: schemars::Schema| schema.as_value().clone();
        let positive = of(schemars::schema_for!(Positive<Pascal>));
        assert_eq!((&positive["minimum"], &positive["maximum"]), (&1e-30.into(), &1e15.into()));
        let stiffness = of(schemars::schema_for!(StiffnessNumber<NewtonPerMetre>));
        assert_eq!(stiffness["exclusiveMinimum"], 0.0);
        let finite = of(schemars::schema_for!(Finite<Metre>));
        assert_eq!((&finite["minimum"], &finite["maximum"]), (&(-1e9).into(), &1e9.into()));
        assert_eq!(of(schemars::schema_for!(UnitInterval))["maximum"], 1.0);
        let poisson = of(schemars::schema_for!(Poisson));
        assert_eq!(
            (&poisson["exclusiveMinimum"], &poisson["exclusiveMaximum"]),
            (&(-1.0).into(), &1.0.into())
        );
        let ids = [
            <crate::model::PerPair<Positive<Metre>> as schemars::JsonSchema>::schema_id(),
            <crate::model::PerPair<NonNegative<Metre>> as schemars::JsonSchema>::schema_id(),
        ];
        assert_ne!(ids[0], ids[1], "what has numbers with other bounds has another schema");
    }
}

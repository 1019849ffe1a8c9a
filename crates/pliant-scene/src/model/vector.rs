//! [`Vec3`] and [`Vector`]: places and directions.

use std::fmt;
use std::marker::PhantomData;

use nalgebra::Vector3;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::unit::{self, One, Unit};
use super::{Finite, OutOfBounds, number};

/// Three numbers: x, y, z. y points up.
pub type Vec3 = [f64; 3];

/// Three finite numbers, x, y, z, in the unit `U`.
///
/// ```
/// use pliant_scene::model::{Vector, unit::Metre};
///
/// assert_eq!(Vector::<Metre>::new([0.0, 1.5, 0.0])?.get()[1], 1.5);
/// assert!(Vector::<Metre>::new([0.0, f64::NAN, 0.0]).is_err());
/// # Ok::<(), pliant_scene::model::OutOfBounds>(())
/// ```
pub struct Vector<U = One> {
    numbers: Vec3,
    unit: PhantomData<fn() -> U>,
}

impl<U: Unit> Vector<U> {
    /// The vector of three numbers.
    ///
    /// # Errors
    ///
    /// If one of them is not finite, or beyond what is conceivable in the unit.
    pub fn new(numbers: Vec3) -> Result<Self, OutOfBounds> {
        for number in numbers {
            Finite::<U>::new(number)?;
        }
        Ok(Self { numbers, unit: PhantomData })
    }
}

impl<U> Vector<U> {
    /// The numbers.
    #[must_use]
    pub fn get(self) -> Vec3 {
        self.numbers
    }
}

impl<U> Clone for Vector<U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U> Copy for Vector<U> {}

impl<U> PartialEq for Vector<U> {
    fn eq(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }
}

impl<U> fmt::Debug for Vector<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.numbers.fmt(f)
    }
}

impl<U> Default for Vector<U> {
    fn default() -> Self {
        Self { numbers: [0.0; 3], unit: PhantomData }
    }
}

impl<U: Unit> TryFrom<Vec3> for Vector<U> {
    type Error = OutOfBounds;

    fn try_from(numbers: Vec3) -> Result<Self, OutOfBounds> {
        Self::new(numbers)
    }
}

impl<U> From<Vector<U>> for Vector3<f64> {
    fn from(vector: Vector<U>) -> Self {
        vector.numbers.into()
    }
}

impl<U> Serialize for Vector<U> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.numbers.serialize(serializer)
    }
}

impl<'de, U: Unit> Deserialize<'de> for Vector<U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Three<U>(PhantomData<fn() -> U>);

        impl<'de, U: Unit> Visitor<'de> for Three<U> {
            type Value = Vector<U>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of length 3")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vector<U>, A::Error> {
                use serde::de::Error;

                let mut numbers = [0.0; 3];
                for (k, number) in numbers.iter_mut().enumerate() {
                    let component = seq.next_element::<Component<U>>()?;
                    *number = component.ok_or_else(|| A::Error::invalid_length(k, &self))?.0;
                }
                if seq.next_element::<serde::de::IgnoredAny>()?.is_some() {
                    return Err(A::Error::invalid_length(4, &self));
                }
                if numbers.iter().all(|c| c.is_finite()) {
                    return Ok(Vector { numbers, unit: PhantomData });
                }
                let expected = unit::after(U::TEXT, "three finite numbers");
                Err(A::Error::custom(OutOfBounds { value: format!("{numbers:?}"), expected }))
            }
        }
        deserializer.deserialize_seq(Three(PhantomData))
    }
}

/// A number of a vector, within what is conceivable if it is finite: an error about others names them all.
struct Component<U>(f64, PhantomData<fn() -> U>);

impl<'de, U: Unit> Deserialize<'de> for Component<U> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number::deserialize(deserializer, "a number", |value| {
            if value.is_finite() {
                Finite::<U>::new(value)?;
            }
            Ok(Self(value, PhantomData))
        })
    }
}

#[cfg(feature = "schemars")]
impl<U: Unit> schemars::JsonSchema for Vector<U> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Vector".into()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <[Finite<U>; 3]>::json_schema(generator)
    }
}

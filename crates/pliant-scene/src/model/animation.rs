//! [`AnimationModel`]: an animation of a file.

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

/// An animation of a file, by name or by number.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum AnimationModel {
    /// By number, from 0.
    Number(usize),
    /// By name.
    Name(String),
}

impl<'de> Deserialize<'de> for AnimationModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = AnimationModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of an animation or its number from 0")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(AnimationModel::Name(name.into()))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
                usize::try_from(number).map(AnimationModel::Number).map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
                usize::try_from(number)
                    .map(AnimationModel::Number)
                    .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

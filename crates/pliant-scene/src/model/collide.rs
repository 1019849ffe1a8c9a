//! [`CollideBodyModel`]: how a body collides with others, and with itself.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::MetrePerNewton;
use super::{FrictionModel, NonNegative, UnitInterval};

/// How a body collides with others, and with itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum CollideBodyModel {
    /// Whether it collides.
    Flag(bool),
    /// With settings.
    Table(CollideTable),
}

/// How a body collides: two bodies collide if each is in a group that the other one hits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CollideTable {
    /// Whether the body also collides with itself. Default: true; false for an obstacle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itself: Option<bool>,
    /// Whether a solid collides by the fine surface that it carries, its `visual` or the surface that was
    /// filled, in place of the boundary of its tetrahedra. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<bool>,
    /// Coefficient of friction, or `{ static = .., kinetic = .. }`; between two bodies the geometric mean
    /// counts. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionModel>,
    /// Share of the velocity of an impact that the surface gives back, 0 to 1; between two bodies the
    /// geometric mean counts. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restitution: Option<UnitInterval>,
    /// Padding: compliance of a contact, m/N; for two bodies the sum counts. Default: 0, none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<MetrePerNewton>>,
    /// Names of the groups that the body is in, any words. Default: one group of all bodies that name none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Names of the groups that it collides with. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<Vec<String>>,
}

impl CollideTable {
    /// Whether two bodies meet: each is in a group that the other one hits.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        // Who names no group is in one without a name, which only those hit that hit all.
        let hits = |of: &Self, in_groups: &[String]| match &of.hits {
            None => true,
            Some(names) => in_groups.iter().any(|group| names.contains(group)),
        };
        hits(self, &other.groups) && hits(other, &self.groups)
    }
}

/// Contact settings of two bodies, or of one with itself, in place of their own: at least one of `friction`,
/// `restitution` and `compliance`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContactModel {
    /// The names of the two bodies; the same name twice for contact of a body with itself.
    pub bodies: [String; 2],
    /// Coefficient of friction, or `{ static = .., kinetic = .. }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionModel>,
    /// Share of the velocity of an impact that is given back, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<UnitInterval>,
    /// Compliance of the contact, m/N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<MetrePerNewton>>,
}

impl CollideBodyModel {
    /// The settings, if it collides.
    #[must_use]
    pub fn table(&self) -> Option<CollideTable> {
        match self {
            Self::Flag(false) => None,
            Self::Flag(true) => Some(CollideTable::default()),
            Self::Table(table) => Some(table.clone()),
        }
    }
}

impl<'de> Deserialize<'de> for CollideBodyModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FlagOrTable;
        impl<'de> Visitor<'de> for FlagOrTable {
            type Value = CollideBodyModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, false or a table such as { friction = 0.3, itself = false }")
            }

            fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<Self::Value, E> {
                Ok(CollideBodyModel::Flag(flag))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                CollideTable::deserialize(MapAccessDeserializer::new(map)).map(CollideBodyModel::Table)
            }
        }
        deserializer.deserialize_any(FlagOrTable)
    }
}

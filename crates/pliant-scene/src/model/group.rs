//! [`GroupModel`]: a part of a body that its mesh file names.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A named part of a mesh file: the name of a group, or a table that selects numbers of an attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GroupModel {
    /// The name of a group, such as a physical group of Gmsh, a node set or a vertex group;
    /// `pliant mesh info FILE` lists them.
    Name(String),
    /// The vertices or elements with certain numbers.
    Table(GroupTable),
}

/// The vertices or elements for which an attribute has a number, or one within a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GroupTable {
    /// Name of the attribute in the mesh file.
    pub attribute: String,
    /// Which of its components, from 0, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<usize>,
    /// The number that they have, such as a tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<f64>,
    /// Instead of `equals`: the smallest number that they may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Instead of `equals`: the largest number that they may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl<'de> Deserialize<'de> for GroupModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;
        impl<'de> Visitor<'de> for NameOrTable {
            type Value = GroupModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a group or a table such as { attribute = \"paint\", min = 0.5 }")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(GroupModel::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                GroupTable::deserialize(MapAccessDeserializer::new(map)).map(GroupModel::Table)
            }
        }
        deserializer.deserialize_any(NameOrTable)
    }
}

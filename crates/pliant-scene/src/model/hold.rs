//! What holds a body together besides its material: tethers, limits, pressure, shapes; and where it is
//! stiffer.

use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{CubicMetrePerPascal, MetrePerNewton, Pascal};
use super::{CategoryModel, Finite, GasExponent, NonNegative, Positive, RegionModel, UnitInterval};
use crate::choice::choice;

/// Whether vertices are kept within reach of the pins: `true`, or a table with their slack.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TethersModel {
    /// With no slack, or not at all.
    Switch(bool),
    /// With slack.
    Table(TethersTable),
}

/// Tethers with slack.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TethersTable {
    /// By what share a tether is longer than the way along the mesh at rest. Default: 0.
    pub slack: NonNegative,
}

impl TethersModel {
    /// The slack, if there are tethers.
    #[must_use]
    pub fn slack(self) -> Option<f64> {
        match self {
            Self::Switch(on) => on.then_some(0.0),
            Self::Table(table) => Some(table.slack.get()),
        }
    }
}

impl<'de> Deserialize<'de> for TethersModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SwitchOrTable;
        impl<'de> Visitor<'de> for SwitchOrTable {
            type Value = TethersModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, false or a table such as { slack = 0.01 }")
            }

            fn visit_bool<E: serde::de::Error>(self, on: bool) -> Result<Self::Value, E> {
                Ok(TethersModel::Switch(on))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                TethersTable::deserialize(MapAccessDeserializer::new(map)).map(TethersModel::Table)
            }
        }
        deserializer.deserialize_any(SwitchOrTable)
    }
}

/// Limits of the stretch and compression of the edges of a body, or of the triangles of cloth.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StrainLimitModel {
    /// What is limited. Default: `"edges"`.
    pub of: Limited,
    /// Largest elongation: 0.1 is a tenth of the size at rest. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<NonNegative>,
    /// Largest compression, 0 to 1. Default: 1, which is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<UnitInterval>,
}

/// What a strain limit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Limited {
    /// The length of every edge.
    #[default]
    Edges,
    /// The principal stretches of every triangle of cloth.
    Triangles,
}

/// What fills the closed surface of cloth or the boundary of a solid: exactly one of `factor`, `overpressure`
/// and `gas`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct PressureModel {
    /// The volume to hold, as a multiple of that at rest: as if filled with water.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<Positive>,
    /// Overpressure at the rest volume, Pa; needs `compliance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overpressure: Option<Finite<Pascal>>,
    /// Gas with this overpressure over the atmosphere at the rest volume, Pa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gas: Option<Finite<Pascal>>,
    /// Compliance of the volume, m³/Pa. Default with `factor`: 0, rigid. Not with `gas`, which has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<CubicMetrePerPascal>>,
    /// With `gas`: 1 for slow changes, 1.4 for quick changes of air; 0.1 to 10. Default: 1.4.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponent: Option<GasExponent>,
}

choice!(PressureModel: "factor" = factor, "overpressure" = overpressure, "gas" = gas);

/// Vertices that keep their shape as a whole while they move and turn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ShapeModel {
    /// Which vertices. Default: all of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionModel>,
    /// Compliance of the group as a whole, m/N. Default: 0, rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<NonNegative<MetrePerNewton>>,
}

/// A material that is not the same everywhere: a `region` and its `factor`, or `values` for single elements.
/// If several apply, they are multiplied.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VaryModel {
    /// Which elements: those whose middle is in the region at the start, or those of a `group`. `vertices`
    /// cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<RegionModel>,
    /// With `region`: how much stiffer. 2 is twice as stiff, 0.5 half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<Positive>,
    /// A number for every triangle or tetrahedron, from the mesh file or from a text file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ValuesModel>,
    /// Which constraints. Default: those of the material, of edges, bending and volumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Vec<CategoryModel>>,
}

/// A number for every triangle or tetrahedron of a mesh, by exactly one of `attribute` and `file`. Edges and
/// hinges have the mean of the elements around them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct ValuesModel {
    /// Name of an attribute of the body's mesh file; if it belongs to vertices, an element has the mean of
    /// its vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// With `attribute`: which of its components, from 0, if it has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<usize>,
    /// Path of a text file, relative to the scene file: a line for every element in the order of the mesh,
    /// with one number, or with several that a first line names (CSV).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// With `file`: the column to take, by its name in the first line. Not needed if there is one column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What the numbers are. Default: `"factor"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<ValueQuantity>,
}

choice!(ValuesModel: "attribute" = attribute, "file" = file);

/// What the numbers of elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ValueQuantity {
    /// How much stiffer than the rest.
    #[default]
    Factor,
    /// Young's modulus, Pa, instead of that of the material.
    Young,
    /// Density, kg/m³, instead of that of the body; of a sheet without a thickness mass per area, kg/m².
    Density,
    /// Thickness of a sheet, m, instead of that of its material: it stretches, bends and weighs accordingly.
    Thickness,
    /// Compliance of `edges`, `bending` or `volumes`, instead of that of the body; `of` names one of them.
    Compliance,
    /// Stiffness of `edges`, `bending` or `volumes`, instead of that of the body; `of` names one of them.
    Stiffness,
}

//! What a body is made of, by physical parameters.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{Metre, NewtonMetre, Pascal};
use super::{Direction, Finite, NonNegative, Positive};

/// What a body is made of: the name of a known material, or a table of physical parameters. It replaces
/// `edges` and `volumes` and is the same at every resolution of the mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum MaterialModel {
    /// A known material: `"rubber"`, `"silicone"`, `"soft-silicone"`, `"muscle"`, `"fat"`, `"cork"`; for
    /// cloth only: `"cotton"`, `"denim"`, `"knit"`, `"polyester"`.
    Name(String),
    /// In numbers, or a known material with some numbers changed.
    Table(Box<MaterialTable>),
}

impl<'de> Deserialize<'de> for MaterialModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;
        impl<'de> Visitor<'de> for NameOrTable {
            type Value = MaterialModel;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "the name of a material such as \"rubber\" or a table such as { young = 1e6, poisson = 0.3 }",
                )
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(MaterialModel::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let table = MaterialTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(MaterialModel::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(NameOrTable)
    }
}

impl MaterialModel {
    /// The table; it has only the name if nothing else is given.
    #[must_use]
    pub fn table(&self) -> MaterialTable {
        match self {
            Self::Name(name) => MaterialTable { name: Some(name.clone()), ..MaterialTable::default() },
            Self::Table(table) => (**table).clone(),
        }
    }
}

/// A material in numbers: `name` with some of the others, or `young` and `poisson`, or for cloth `warp`,
/// `weft`, `shear` and `poisson`. Sheets need a `thickness`, unless they are of a named fabric.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct MaterialTable {
    /// A known material, whose numbers the other keys change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Law of a solid. Default: `"neo-hookean"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<SolidLaw>,
    /// For a neo-Hookean solid: whether it is corrected so that it does not gain energy if the substeps are
    /// too few for the material; it then gives way more than the material would. Default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steady: Option<bool>,
    /// Young's modulus, Pa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub young: Option<Positive<Pascal>>,
    /// Poisson's ratio: above −1, and below 0.5 for a solid or 1 for a sheet. Between `warp` and `weft`: how
    /// much the weft narrows when the warp is pulled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Finite>,
    /// Young's modulus of cloth along the warp, Pa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp: Option<Positive<Pascal>>,
    /// Young's modulus of cloth along the weft, Pa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weft: Option<Positive<Pascal>>,
    /// Shear modulus of cloth, Pa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<Positive<Pascal>>,
    /// Direction of the warp in the coordinates of the mesh, before the body is rotated. Default: x.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp_direction: Option<Direction>,
    /// Thickness of a sheet, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Positive<Metre>>,
    /// Flexural rigidity of a sheet, N·m; 0 for none. Default: that of the fabric, or of a plate of the
    /// material's modulus and thickness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bending: Option<NonNegative<NewtonMetre>>,
}

/// The law of an elastic solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SolidLaw {
    /// Stable neo-Hookean: turns flat and inverted tetrahedra back.
    #[default]
    NeoHookean,
    /// Saint Venant–Kirchhoff: linear elasticity for large rotations; not for large compression.
    Stvk,
}

//! How strongly the constraints of a body resist.

use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::unit::{
    BendingCompliance, BendingStiffness, CubicMetrePerPascal, MetrePerNewton, NewtonMetre, NewtonPerMetre,
    Pascal, PascalPerCubicMetre,
};
use super::{Bounded, ComplianceNumber, OutOfBounds, Positive, StiffnessNumber, UnitInterval};
use crate::choice::choice;

/// Resistance of a kind of constraint: `"rigid"`, or a table with exactly one of several numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ElasticityModel<Numbers = ElasticityTable> {
    /// `"rigid"`: as stiff as the substeps allow, compliance 0.
    Rigid(RigidWord),
    /// In numbers.
    Table(Numbers),
}

/// The word `"rigid"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RigidWord {
    /// Compliance 0.
    #[default]
    Rigid,
}

/// Resistance of the volumes of tetrahedra.
pub type VolumesModel = ElasticityModel<VolumesTable>;

impl<Numbers> ElasticityModel<Numbers> {
    /// As stiff as the substeps allow.
    #[must_use]
    pub fn rigid() -> Self {
        Self::Rigid(RigidWord::Rigid)
    }
}

impl ElasticityModel {
    /// By compliance, the inverse of a stiffness, m/N.
    ///
    /// # Errors
    ///
    /// If it is negative or not finite.
    pub fn compliance(compliance: f64) -> Result<Self, OutOfBounds> {
        let compliance = Some(compliance.try_into()?);
        Ok(Self::Table(ElasticityTable { compliance, ..ElasticityTable::default() }))
    }
}

impl<'de, Numbers: Deserialize<'de>> Deserialize<'de> for ElasticityModel<Numbers> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrTable<Numbers>(PhantomData<Numbers>);
        impl<'de, Numbers: Deserialize<'de>> Visitor<'de> for WordOrTable<Numbers> {
            type Value = ElasticityModel<Numbers>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("\"rigid\" or a table such as { compliance = 1e-6 } or { stiffness = 1e6 }")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Self::Value, E> {
                if word == "rigid" {
                    Ok(ElasticityModel::rigid())
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Str(word), &self))
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                Numbers::deserialize(MapAccessDeserializer::new(map)).map(ElasticityModel::Table)
            }
        }
        // Not `untagged`, which would lose the place of an error.
        deserializer.deserialize_any(WordOrTable(PhantomData))
    }
}

/// Resistance in numbers: exactly one of `compliance`, `stiffness` and `pbd`.
///
/// The unit of a compliance is that of its constraint: m/N for edges and for bending by distance, rad²/J for
/// bending by angle, m³/Pa for volumes. A stiffness is its inverse.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct ElasticityTable {
    /// Compliance: 0 is rigid. m/N for edges, m³/Pa for volumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceNumber<MetrePerNewton>>,
    /// Stiffness, the inverse of a compliance: N/m for edges, Pa/m³ for volumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessNumber<NewtonPerMetre>>,
    /// Stiffness of position based dynamics, 0 to 1: the share of the error that each projection removes.
    /// Depends on the number of substeps; for comparison only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pbd: Option<UnitInterval>,
    /// With `pbd`: all iterations of a substep together remove that share, so that the result depends less on
    /// their number. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_independent: Option<bool>,
}

choice!(ElasticityTable: "compliance" = compliance, "stiffness" = stiffness, "pbd" = pbd);

/// Resistance of volumes in numbers: exactly one of `bulk_modulus`, `compliance`, `stiffness` and `pbd`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct VolumesTable {
    /// Bulk modulus of the material, Pa, the same whatever the size of the tetrahedra. That of water is 2.2e9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bulk_modulus: Option<Positive<Pascal>>,
    /// Compliance, m³/Pa: 0 is rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceNumber<CubicMetrePerPascal>>,
    /// Stiffness, the inverse of a compliance, Pa/m³.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessNumber<PascalPerCubicMetre>>,
    /// Stiffness of position based dynamics, 0 to 1: the share of the error that each projection removes. For
    /// comparison only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pbd: Option<UnitInterval>,
    /// With `pbd`: all iterations of a substep together remove that share. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_independent: Option<bool>,
}

choice!(VolumesTable: "bulk_modulus" = bulk_modulus, "compliance" = compliance, "stiffness" = stiffness, "pbd" = pbd);

/// Resistance of cloth to bending: exactly one of `modulus`, `compliance`, `stiffness` and `pbd`, and the
/// measure of bending.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(transform = crate::choice::exactly_one_of::<Self>))]
pub struct BendingModel {
    /// The measure of bending. Default: `"dihedral"`.
    #[serde(rename = "model")]
    pub form: BendingForm,
    /// Flexural rigidity of the sheet, N·m, the same at every resolution; for the dihedral angle and the
    /// isometric form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modulus: Option<Positive<NewtonMetre>>,
    /// Compliance: rad²/J for the dihedral angle, m/N for the distance. 0 is rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance: Option<ComplianceNumber<BendingCompliance>>,
    /// Stiffness, the inverse of a compliance: J/rad² for the dihedral angle, N/m for the distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessNumber<BendingStiffness>>,
    /// Stiffness of position based dynamics, 0 to 1: the share of the error that each projection removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pbd: Option<UnitInterval>,
    /// With `pbd`: all iterations of a substep together remove that share. Default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_independent: Option<bool>,
}

choice!(BendingModel: "modulus" = modulus, "compliance" = compliance, "stiffness" = stiffness, "pbd" = pbd);

/// The measure of bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BendingForm {
    /// The angle between the two triangles at an edge.
    #[default]
    Dihedral,
    /// The distance between their opposite vertices, as in the book. It does not distinguish up from down.
    Distance,
    /// Quadratic in the positions: fast and even, but the rest shape is flat whatever the mesh is. By `modulus` only.
    Isometric,
}

/// The numbers that all kinds of resistance have in common, in the unit of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resistance {
    pub(crate) compliance: Option<f64>,
    pub(crate) stiffness: Option<f64>,
    pub(crate) pbd: Option<f64>,
    pub(crate) iteration_independent: Option<bool>,
}

macro_rules! resistance {
    ($($Table:ty),+) => {
        $(
            impl $Table {
                /// Its numbers.
                pub(crate) fn resistance(&self) -> Resistance {
                    Resistance {
                        compliance: self.compliance.map(Bounded::get),
                        stiffness: self.stiffness.map(Bounded::get),
                        pbd: self.pbd.map(Bounded::get),
                        iteration_independent: self.iteration_independent,
                    }
                }
            }
        )+
    };
}

resistance!(ElasticityTable, VolumesTable, BendingModel);

//! [`Moduli`]: what the table of a material states, together with the material that it names.

use pliant_constraints::Orthotropic;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::materials::{self, Fabric, Material, MaterialValues};
use crate::model::unit::Pascal;
use crate::model::{Bounded, Finite, MaterialModel, MaterialTable, Poisson, Positive, SolidPoisson};

/// The moduli of a material, which a sheet may have; see [`solid`](Self::solid).
pub(crate) enum Moduli {
    /// The same in every direction.
    Isotropic {
        young: Positive<Pascal>,
        poisson: Poisson,
        /// That of the material that is named, kg/m³.
        density: Option<f64>,
    },
    /// A sheet whose warp and weft differ.
    Woven(Orthotropic),
    /// A fabric that is named.
    Fabric(Fabric),
}

impl Moduli {
    /// The moduli of the material at `at`.
    ///
    /// # Errors
    ///
    /// If there is no material of that name, a number is missing or does not belong to the material, or
    /// Poisson's ratio is not that of a sheet.
    pub(crate) fn of(at: &FieldPath, model: &MaterialModel) -> Result<Self, Fault> {
        let table = model.table();
        if let Some(name) = &table.name {
            let at_name = if matches!(model, MaterialModel::Name(_)) { at.clone() } else { at.key("name") };
            let material = materials::named(name).map_err(|expected| {
                Fault::new(at_name, format!("there is no material {name:?}"), expected)
            })?;
            check_changes(at, &table, material)?;
            return Ok(match material.values {
                MaterialValues::Bulk { young, poisson, density } => Self::Isotropic {
                    young: table.young.unwrap_or_else(|| Bounded::known(young)),
                    poisson: table
                        .poisson
                        .map_or_else(|| Ok(Bounded::known(poisson)), |it| isotropic(at, it))?,
                    density: Some(density),
                },
                MaterialValues::Fabric(fabric) => Self::Fabric(fabric),
            });
        }
        if table.warp.is_none() && table.weft.is_none() && table.shear.is_none() {
            let missing = |key| {
                let problem = format!("`{key}` of the material is missing");
                Fault::new(at.clone(), problem, "`young`, Pa, and `poisson`, or the `name` of a material")
            };
            let young = table.young.ok_or_else(|| missing("young"))?;
            let poisson = isotropic(at, table.poisson.ok_or_else(|| missing("poisson"))?)?;
            return Ok(Self::Isotropic { young, poisson, density: None });
        }
        let missing = |key| {
            let problem = format!("`{key}` of the woven sheet is missing");
            Fault::new(at.clone(), problem, "`warp`, `weft` and `shear`, Pa, and `poisson`")
        };
        let [warp, weft, shear] = [("warp", table.warp), ("weft", table.weft), ("shear", table.shear)]
            .map(|(key, modulus)| modulus.map(Bounded::get).ok_or_else(|| missing(key)));
        let (warp, weft, shear) = (warp?, weft?, shear?);
        let poisson = table.poisson.ok_or_else(|| missing("poisson"))?.get();
        if table.young.is_some() {
            let problem = "both `young` and `warp` say how stiff the sheet is";
            return Err(Fault::new(at.key("young"), problem, "one of them"));
        }
        let woven = Orthotropic { warp, weft, poisson, shear };
        // ν may be larger than 1 if the sheet is much stiffer along the warp.
        let most = woven.poisson_limit();
        if poisson.abs() >= most {
            let expected =
                format!("a number between -{most:.4} and {most:.4}, the square root of `warp` over `weft`");
            return Err(Fault::new(at.key("poisson"), format!("Poisson's ratio is {poisson:?}"), expected));
        }
        Ok(Self::Woven(woven))
    }

    /// Young's modulus, Pa, Poisson's ratio, and the density of the material that is named, kg/m³, if a solid
    /// may have the moduli.
    ///
    /// # Errors
    ///
    /// If it may not.
    pub(crate) fn solid(&self, at: &FieldPath) -> Result<(f64, f64, Option<f64>), Fault> {
        let Self::Isotropic { young, poisson, density } = *self else {
            let problem = "a fabric cannot fill tetrahedra";
            let expected = "a material such as `\"rubber\"`, or `{ young = 1e6, poisson = 0.45 }`";
            return Err(Fault::new(at.clone(), problem, expected));
        };
        let poisson = SolidPoisson::new(poisson.get()).map_err(|error| {
            let problem = format!("Poisson's ratio of the solid is {}", error.value);
            Fault::new(at.key("poisson"), problem, error.expected + "; 0.49 is nearly incompressible")
        })?;
        Ok((young.get(), poisson.get(), density))
    }
}

/// Poisson's ratio of what is the same in every direction.
fn isotropic(at: &FieldPath, poisson: Finite) -> Result<Poisson, Fault> {
    Poisson::new(poisson.get()).map_err(|error| {
        let expected = "a number above -1 and below 0.5 for a solid, below 1 for a sheet";
        Fault::new(at.key("poisson"), format!("Poisson's ratio is {}", error.value), expected)
    })
}

/// The numbers of a named material that may be changed.
fn check_changes(at: &FieldPath, table: &MaterialTable, material: &Material) -> Result<(), Fault> {
    let woven =
        [("warp", table.warp.is_some()), ("weft", table.weft.is_some()), ("shear", table.shear.is_some())];
    let bulk = [
        ("young", table.young.is_some()),
        ("poisson", table.poisson.is_some()),
        ("thickness", table.thickness.is_some()),
    ];
    let fabric = matches!(material.values, MaterialValues::Fabric(_));
    let mut wrong = woven.iter().chain(bulk.iter().filter(|_| fabric));
    match wrong.find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => {
            let problem = format!("`{key}` is given, but the material {:?} has its own", material.name);
            let expected = if fabric {
                "only `bending` and `warp_direction` beside the name of a fabric; leave out `name` to give \
                all numbers"
            } else {
                "only `young`, `poisson`, `thickness`, `bending` and `model` beside this name"
            };
            Err(Fault::new(at.key(key), problem, expected))
        }
    }
}

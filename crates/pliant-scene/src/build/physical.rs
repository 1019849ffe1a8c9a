//! Materials by physical parameters.

use nalgebra::Vector3;
use pliant_constraints::flexural_rigidity;
use pliant_io::Mesh;
use pliant_solver::{Body, Continuum, Membrane};

use super::place::Placement;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::materials::{self, MaterialValues};
use crate::model::{Bounded, MaterialModel, MaterialTable, SolidLaw};
use crate::moduli::Moduli;

/// A material that fits the mesh of its body.
pub(super) struct Physical {
    law: Law,
    pub(super) thickness: Option<f64>,
    pub(super) density: Option<f64>,
    pub(super) area_density: Option<f64>,
    /// Flexural rigidity of a sheet, N·m.
    pub(super) bending: Option<f64>,
    /// Young's modulus of a solid, Pa, and Poisson's ratio.
    pub(super) elastic: Option<[f64; 2]>,
}

enum Law {
    Sheet(Membrane),
    Solid(Continuum),
}

/// Young's modulus of a material that has one, Pa.
pub(super) fn young(table: &MaterialTable) -> Option<f64> {
    let named = table.name.as_ref().and_then(|name| materials::named(name).ok());
    let known = named.and_then(|material| match material.values {
        MaterialValues::Bulk { young, .. } => Some(young),
        MaterialValues::Fabric(_) => None,
    });
    table.young.map(Bounded::get).or(known)
}

impl Physical {
    pub(super) fn new(
        at: &FieldPath,
        model: &MaterialModel,
        mesh: &Mesh,
        placement: &Placement,
    ) -> Result<Self, Fault> {
        let (moduli, table) = (Moduli::of(at, model)?, model.table());
        match mesh {
            Mesh::Tri(_) => Self::sheet(at, &table, &moduli, placement),
            Mesh::Tet(_) => Self::solid(at, &table, &moduli),
        }
    }

    fn sheet(
        at: &FieldPath,
        table: &MaterialTable,
        moduli: &Moduli,
        placement: &Placement,
    ) -> Result<Self, Fault> {
        if table.model.is_some() {
            let problem = "`model` is the law of a solid, but the mesh is made of triangles";
            return Err(Fault::new(at.key("model"), problem, "it to be left out"));
        }
        if table.steady.is_some() {
            let problem = "`steady` applies to solids, but the mesh is made of triangles";
            return Err(Fault::new(at.key("steady"), problem, "it to be left out"));
        }
        let warp = placement
            .direction(&table.warp_direction.map_or_else(Vector3::x, |warp| Vector3::from(warp.get())));
        let thickness = || {
            table.thickness.map(Bounded::get).ok_or_else(|| {
                let problem = "the thickness of the sheet is missing: the mesh is made of triangles";
                let expected = "`thickness`, m, such as `material = { name = \"rubber\", thickness = 1e-3 }`, or a fabric such as `\"denim\"`";
                Fault::new(at.clone(), problem, expected)
            })
        };
        let plate = |young: f64, poisson: f64, thickness: f64| {
            flexural_rigidity(young, poisson, thickness)
                .map_err(|error| Fault::new(at.clone(), error.to_string(), ""))
        };
        let (membrane, thickness, density, area_density, bending) = match *moduli {
            // The stiffness of a fabric is per width, so that its thickness is 1 m by convention.
            Moduli::Fabric(fabric) => {
                let membrane = Membrane::orthotropic(fabric.moduli(), warp, 1.0);
                (membrane, None, None, Some(fabric.area_density), fabric.bending)
            }
            Moduli::Isotropic { young, poisson, density } => {
                let (young, poisson, t) = (young.get(), poisson.get(), thickness()?);
                (Membrane::isotropic(young, poisson, t), Some(t), density, None, plate(young, poisson, t)?)
            }
            Moduli::Woven(moduli) => {
                let t = thickness()?;
                let mean = (moduli.warp * moduli.weft).sqrt();
                (Membrane::orthotropic(moduli, warp, t), Some(t), None, None, plate(mean, 0.0, t)?)
            }
        };
        Ok(Self {
            law: Law::Sheet(membrane),
            thickness,
            density,
            area_density,
            bending: Some(table.bending.map_or(bending, Bounded::get)),
            elastic: None,
        })
    }

    fn solid(at: &FieldPath, table: &MaterialTable, moduli: &Moduli) -> Result<Self, Fault> {
        let of_sheets = [
            ("thickness", table.thickness.is_some()),
            ("bending", table.bending.is_some()),
            ("warp", table.warp.is_some()),
            ("warp_direction", table.warp_direction.is_some()),
        ];
        if let Some((key, _)) = of_sheets.iter().find(|(_, given)| *given) {
            let problem = format!("`{key}` applies to sheets, but the mesh is made of tetrahedra");
            return Err(Fault::new(at.key(key), problem, "it to be left out"));
        }
        let (young, poisson, density) = moduli.solid(at)?;
        if table.steady.is_some() && table.model == Some(SolidLaw::Stvk) {
            let problem = "`steady` applies to neo-Hookean solids only";
            return Err(Fault::new(at.key("steady"), problem, "it to be left out"));
        }
        let continuum = match table.model.unwrap_or_default() {
            SolidLaw::NeoHookean if table.steady == Some(false) => {
                Continuum::neo_hookean(young, poisson).plain()
            }
            SolidLaw::NeoHookean => Continuum::neo_hookean(young, poisson),
            SolidLaw::Stvk => Continuum::stvk(young, poisson),
        };
        let law = Law::Solid(continuum);
        let elastic = Some([young, poisson]);
        Ok(Self { law, thickness: None, density, area_density: None, bending: None, elastic })
    }

    /// The body with this material.
    pub(super) fn apply(&self, body: Body) -> Body {
        match &self.law {
            Law::Sheet(membrane) => body.membrane(membrane.clone()),
            Law::Solid(continuum) => body.continuum(continuum.clone()),
        }
    }
}

//! The material of a body.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::counted;
use pliant_solver::{Body, Compliance, Elasticity, Masses, Stiffness, VolumeElasticity};

use super::physical::Physical;
use super::place::Placement;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{self, BendingForm, BodyModel, Bounded, ElasticityModel, Resistance, VolumesModel};

/// Refuses keys that apply only to the other kind of body.
pub(super) fn check_kind(at: &FieldPath, body: &BodyModel, mesh: &Mesh) -> Result<(), Fault> {
    let given: &[(&'static str, bool, &str)] = match mesh {
        Mesh::Tri(_) => &[
            (
                "density",
                body.density.is_some() && !has_thickness(body),
                "`area_density`, kg/m²: the mesh is made of triangles, so the body is cloth",
            ),
            (
                "volumes",
                body.volumes.is_some(),
                "it to be left out: the mesh is made of triangles, which have no volume",
            ),
        ],
        Mesh::Tet(_) => &[
            (
                "area_density",
                body.area_density.is_some(),
                "`density`, kg/m³: the mesh is made of tetrahedra, so the body is a solid",
            ),
            (
                "bending",
                body.bending.is_some(),
                "it to be left out: the mesh is made of tetrahedra, whose edges and volumes resist bending",
            ),
        ],
    };
    match given.iter().find(|(_, given, _)| *given) {
        None => Ok(()),
        Some((key, _, expected)) => {
            let kind = if matches!(mesh, Mesh::Tri(_)) { "cloth" } else { "a solid" };
            Err(Fault::new(at.key(key), format!("`{key}` does not apply to {kind}"), *expected))
        }
    }
}

/// Whether the thickness of a sheet is known, so that it has a density per volume.
fn has_thickness(body: &BodyModel) -> bool {
    body.area_density.is_none() && body.material.as_ref().is_some_and(|m| m.table().thickness.is_some())
}

/// A remark on edges that cannot bend like the others.
pub(super) fn bending_note(body: &BodyModel, mesh: &Mesh) -> Option<String> {
    let Mesh::Tri(mesh) = mesh else { return None };
    if body.bending.is_none() && body.material.is_none() {
        return None;
    }
    let hinges = mesh.hinges();
    let mut parts = Vec::new();
    if let Some(first) = hinges.non_manifold.first() {
        let ([a, b], count) = (first.edge, hinges.non_manifold.len());
        parts.push(format!(
            "{} more than two triangles and no resistance to bending (first: {a}-{b})",
            counted(count, "edge has", "edges have")
        ));
    }
    if let Some(&first) = hinges.inconsistent.first() {
        let [a, b] = hinges.interior[first as usize].edge;
        let count = hinges.inconsistent.len();
        parts.push(format!(
            "{} triangles that face opposite ways (first: {a}-{b}); orient the surface",
            counted(count, "edge has", "edges have")
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The values that numbers of single elements replace.
pub(super) struct Base {
    /// Density as the solver takes it: kg/m² of cloth, kg/m³ of a solid.
    pub(super) density: f64,
    /// Thickness of a sheet, m, if it is known.
    pub(super) thickness: Option<f64>,
    /// Whether the mass of a sheet follows from its thickness.
    pub(super) weighs_by_thickness: bool,
    /// Young's modulus of a solid, Pa, and Poisson's ratio, if it has a material.
    pub(super) elastic: Option<[f64; 2]>,
}

/// The body with its material, which the checks have validated.
pub(super) fn dress(
    at: &FieldPath,
    model: &BodyModel,
    mesh: &Mesh,
    placement: &Placement,
) -> Result<(Body, Base), Fault> {
    let physical = match &model.material {
        Some(material) => Some(Physical::new(&at.key("material"), material, mesh, placement)?),
        None => None,
    };
    let physical = physical.as_ref();
    let known = |of: fn(&Physical) -> Option<f64>| physical.and_then(of);
    let (mut body, base) = match mesh {
        Mesh::Tri(mesh) => {
            let thick = known(|p| p.thickness);
            let by_volume = model
                .density
                .map(Bounded::get)
                .or(known(|p| p.density))
                .zip(thick)
                .map(|(density, t)| density * t);
            let by_area = model.area_density.map(Bounded::get).or(known(|p| p.area_density));
            let density = by_area.or(by_volume).unwrap_or(0.2);
            let weighs_by_thickness = by_area.is_none() && by_volume.is_some();
            let base = Base { density, thickness: thick, weighs_by_thickness, elastic: None };
            (Body::cloth(mesh.clone()).density(density), base)
        }
        Mesh::Tet(mesh) => {
            let density = model.density.map(Bounded::get).or(known(|p| p.density)).unwrap_or(1000.0);
            let elastic = physical.and_then(|p| p.elastic);
            let base = Base { density, thickness: None, weighs_by_thickness: false, elastic };
            (Body::solid(mesh.clone()).density(density), base)
        }
    };
    body = body
        .velocity(Vector3::from(model.velocity.unwrap_or_default()))
        .contact_radius(model.contact_radius.map_or(0.0, Bounded::get))
        .masses(match model.masses.unwrap_or_default() {
            model::Masses::Lumped => Masses::Lumped,
            model::Masses::SumOfInverses => Masses::SumOfInverses,
        });
    if let Some(edges) = &model.edges {
        body = body.stretch(elasticity(edges));
    }
    if let Some(volumes) = &model.volumes {
        body = body.volume(volume_elasticity(volumes));
    }
    if let Some(physical) = physical {
        body = physical.apply(body);
    }
    let rigidity = known(|p| p.bending);
    let body = match (bending_modulus(model, rigidity), &model.bending) {
        (Some((modulus, BendingForm::Isometric)), _) => body.bend_isometric(Stiffness::new(modulus / 3.0)),
        // Its hinges are weighted by their shapes; see `vary`.
        (Some((modulus, _)), _) => body.bend(Stiffness::new(modulus)),
        (None, Some(bending)) => match bending.form {
            BendingForm::Distance => body.bend_by_distance(of_numbers(&bending.resistance())),
            BendingForm::Dihedral | BendingForm::Isometric => body.bend(of_numbers(&bending.resistance())),
        },
        (None, None) => body,
    };
    Ok((body, base))
}

/// The flexural rigidity of a body, N·m, and the form of its bending, if bending is given by a modulus: that
/// of `bending` or else of the material.
fn bending_modulus(model: &BodyModel, material: Option<f64>) -> Option<(f64, BendingForm)> {
    match &model.bending {
        Some(bending) => bending.modulus.map(|modulus| (modulus.get(), bending.form)),
        None => material.filter(|d| *d > 0.0).map(|d| (d, BendingForm::Dihedral)),
    }
}

/// Whether every hinge bends by its angle, with a stiffness that depends on its shape.
pub(super) fn bends_by_modulus(model: &BodyModel) -> bool {
    match &model.bending {
        Some(bending) => bending.modulus.is_some() && bending.form == BendingForm::Dihedral,
        None => model.material.is_some(),
    }
}

fn elasticity(model: &ElasticityModel) -> Elasticity {
    match model {
        ElasticityModel::Rigid(_) => Compliance::RIGID.into(),
        ElasticityModel::Table(table) => of_numbers(&table.resistance()),
    }
}

/// The same for volumes, which may have a bulk modulus.
fn volume_elasticity(model: &VolumesModel) -> VolumeElasticity {
    match model {
        VolumesModel::Rigid(_) => Compliance::RIGID.into(),
        VolumesModel::Table(table) => match table.bulk_modulus {
            Some(modulus) => VolumeElasticity::BulkModulus(modulus.get()),
            None => of_numbers(&table.resistance()).into(),
        },
    }
}

/// The checks ensure that exactly one of the three is given.
fn of_numbers(numbers: &Resistance) -> Elasticity {
    if let Some(k) = numbers.pbd {
        return if numbers.iteration_independent == Some(true) {
            Elasticity::pbd_per_substep(k)
        } else {
            Elasticity::pbd(k)
        };
    }
    if let Some(k) = numbers.stiffness {
        return Stiffness::new(k).into();
    }
    numbers.compliance.map_or(Compliance::RIGID, Compliance::new).into()
}

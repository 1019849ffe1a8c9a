//! The material of a body.

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_solver::{Body, Elasticity, Masses};

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{self, BendingForm, BodyModel, ElasticityModel, ElasticityTable};

/// Refuses what only the other kind of body has.
pub(super) fn check_kind(at: &FieldPath, body: &BodyModel, mesh: &Mesh) -> Result<(), Fault> {
    let given: &[(&'static str, bool, &str)] = match mesh {
        Mesh::Tri(_) => &[
            (
                "density",
                body.density.is_some(),
                "`area_density`, kg/m²: the mesh is made of triangles, so the body is cloth",
            ),
            (
                "volumes",
                body.volumes.is_some(),
                "it to be left out: the mesh is made of triangles, which have no volume",
            ),
            (
                "visual",
                body.visual.is_some(),
                "it to be left out: only a solid can carry a fine surface, and the mesh is made of triangles",
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

/// A remark on edges that cannot bend as others do.
pub(super) fn bending_note(body: &BodyModel, mesh: &Mesh) -> Option<String> {
    let (Mesh::Tri(mesh), Some(_)) = (mesh, &body.bending) else { return None };
    let hinges = mesh.hinges();
    let mut parts = Vec::new();
    if let Some(first) = hinges.non_manifold.first() {
        let ([a, b], count) = (first.edge, hinges.non_manifold.len());
        parts.push(format!(
            "{count} edges have more than two triangles and do not resist bending (first: {a}-{b})"
        ));
    }
    if let Some(&first) = hinges.inconsistent.first() {
        let [a, b] = hinges.interior[first as usize].edge;
        let count = hinges.inconsistent.len();
        parts.push(format!(
            "{count} edges have triangles that face opposite ways (first: {a}-{b}); orient the surface"
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The body with its material; checked before.
pub(super) fn dress(model: &BodyModel, mesh: &Mesh) -> Body {
    let mut body = match mesh {
        Mesh::Tri(mesh) => Body::cloth(mesh.clone()).density(model.area_density.unwrap_or(0.2)),
        Mesh::Tet(mesh) => Body::solid(mesh.clone()).density(model.density.unwrap_or(1000.0)),
    };
    body = body
        .velocity(Vector3::from(model.velocity.unwrap_or_default()))
        .contact_radius(model.contact_radius.unwrap_or(0.0))
        .masses(match model.masses.unwrap_or_default() {
            model::Masses::Lumped => Masses::Lumped,
            model::Masses::SumOfInverses => Masses::SumOfInverses,
        });
    if let Some(edges) = &model.edges {
        body = body.stretch(elasticity(edges));
    }
    if let Some(bending) = &model.bending {
        let resistance = of_table(&bending.table());
        body = match bending.form {
            BendingForm::Dihedral => body.bend(resistance),
            BendingForm::Distance => body.bend_by_distance(resistance),
        };
    }
    if let Some(volumes) = &model.volumes {
        body = body.volume(elasticity(volumes));
    }
    body
}

fn elasticity(model: &ElasticityModel) -> Elasticity {
    match model {
        ElasticityModel::Rigid(_) => Elasticity::rigid(),
        ElasticityModel::Table(table) => of_table(table),
    }
}

/// Exactly one of the three is given.
fn of_table(table: &ElasticityTable) -> Elasticity {
    if let Some(k) = table.pbd {
        return if table.iteration_independent == Some(true) {
            Elasticity::pbd_per_substep(k)
        } else {
            Elasticity::pbd(k)
        };
    }
    if let Some(k) = table.stiffness {
        return Elasticity::stiffness(k);
    }
    Elasticity::compliance(table.compliance.unwrap_or(0.0))
}

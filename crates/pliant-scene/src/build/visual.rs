//! The fine surface that a body carries along.

use pliant_io::Mesh;
use pliant_mesh::{Embedding, Refinement, Subdivision, TetMesh, TriMesh, counted};

use super::import::find;
use super::mesh::Surface;
use super::place::Placement;
use super::{Binding, Visual};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BoundaryModel, VisualModel};
use crate::source::Source;

/// The placed surface, bound to the placed `solid`, and a sentence on how well it fits.
pub(super) fn visual(
    at: &FieldPath,
    model: &VisualModel,
    solid: &Mesh,
    placement: &Placement,
    source: &Source,
) -> Result<(Visual, String), Fault> {
    let key = model.chosen(at, "the fine surface")?;
    let at = at.key(key);
    let fault = |problem: String| Fault::new(at.clone(), problem, "");
    let solid = match (solid, &model.sheet) {
        (Mesh::Tri(cloth), Some(sheet)) => return refine(&at, cloth, sheet),
        (Mesh::Tet(solid), None) => solid,
        (Mesh::Tri(_), None) => {
            let problem = format!("`{key}` applies to solids, and the mesh is made of triangles");
            return Err(Fault::new(at, problem, "`sheet`, the triangles refined"));
        }
        (Mesh::Tet(_), Some(_)) => {
            let problem = "`sheet` applies to cloth, and the mesh is made of tetrahedra";
            return Err(Fault::new(at, problem, "`boundary`, the boundary of the solid refined"));
        }
    };
    let mesh = if let Some(path) = &model.file {
        let imported = find(path, false, source).map_err(|error| fault(error.to_string()))?;
        let (mesh, _) = imported.into_tri().map_err(|error| fault(error.to_string()))?;
        place(mesh, placement).map_err(fault)?
    } else if let Some(boundary) = &model.boundary {
        let levels = boundary.subdivide.into();
        solid.surface().mesh.subdivide(levels, scheme(boundary)).map_err(|error| fault(error.to_string()))?
    } else {
        let surface = Surface {
            sphere: model.sphere.as_ref(),
            icosphere: model.icosphere.as_ref(),
            cylinder: model.cylinder.as_ref(),
            torus: model.torus.as_ref(),
        };
        let mesh = surface.generate().map_err(|error| fault(error.to_string()))?;
        place(mesh, placement).map_err(fault)?
    };
    bind(&at, mesh, solid)
}

/// The surface that was filled to make the placed `solid`, which carries it.
pub(super) fn carried(
    at: &FieldPath,
    surface: TriMesh,
    solid: &Mesh,
    placement: &Placement,
) -> Result<(Visual, String), Fault> {
    let Mesh::Tet(solid) = solid else { unreachable!("a filled surface is a solid") };
    let mesh = place(surface, placement).map_err(|problem| Fault::new(at.clone(), problem, ""))?;
    bind(at, mesh, solid)
}

/// The triangles of a cloth, refined.
fn refine(at: &FieldPath, cloth: &TriMesh, model: &BoundaryModel) -> Result<(Visual, String), Fault> {
    let fault = |problem: String| Fault::new(at.clone(), problem, "");
    let refinement = Refinement::new(cloth, model.subdivide.into(), scheme(model))
        .map_err(|error| fault(error.to_string()))?;
    let mesh = TriMesh::new(refinement.apply(cloth.positions()), refinement.triangles().to_vec());
    let mesh = mesh.map_err(|error| fault(error.to_string()))?;
    let note = size(&mesh);
    Ok((Visual { mesh, binding: Binding::Triangles(refinement) }, note))
}

fn scheme(model: &BoundaryModel) -> Subdivision {
    if model.smooth { Subdivision::Loop } else { Subdivision::Midpoint }
}

fn bind(at: &FieldPath, mesh: TriMesh, solid: &TetMesh) -> Result<(Visual, String), Fault> {
    let embedding = Embedding::new(solid, mesh.positions())
        .map_err(|error| Fault::new(at.clone(), error.to_string(), ""))?;
    let note = fit(&mesh, &embedding);
    Ok((Visual { mesh, binding: Binding::Tetrahedra(embedding) }, note))
}

fn place(mesh: TriMesh, placement: &Placement) -> Result<TriMesh, String> {
    mesh.map_positions(|x| placement.point(x)).map_err(|error| error.to_string())
}

fn size(mesh: &TriMesh) -> String {
    format!(
        "its fine surface has {} and {}",
        counted(mesh.positions().len(), "vertex", "vertices"),
        counted(mesh.triangles().len(), "triangle", "triangles")
    )
}

fn fit(mesh: &TriMesh, embedding: &Embedding) -> String {
    let fit = embedding.fit();
    let counts = size(mesh);
    if fit.outside == 0 {
        return format!("{counts}, all within the tetrahedra");
    }
    let far = if fit.lowest_weight < -2.0 {
        "; those far out will move more than the solid does: check that it is the right surface"
    } else {
        ""
    };
    format!(
        "{counts}; {} lie outside the tetrahedra, at most {:.3e} m{far}",
        fit.outside, fit.largest_distance
    )
}

//! The fine surface that a solid carries along.

use pliant_io::Mesh;
use pliant_mesh::{Embedding, Subdivision, TetMesh, TriMesh, counted};

use super::Visual;
use super::import::find;
use super::mesh::Surface;
use super::place::Placement;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::VisualModel;
use crate::source::Source;

/// The placed surface, bound to the placed `solid`, and a sentence on how well it fits.
pub(super) fn visual(
    at: &FieldPath,
    model: &VisualModel,
    solid: &Mesh,
    placement: &Placement,
    source: &Source,
) -> Result<(Visual, String), Fault> {
    let Mesh::Tet(solid) = solid else {
        return Err(Fault::new(at.clone(), "only a solid can carry a fine surface", "it to be left out"));
    };
    let key = model.chosen(at, "the fine surface")?;
    let at = at.key(key);
    let fault = |problem: String| Fault::new(at.clone(), problem, "");
    let mesh = if let Some(path) = &model.file {
        let imported = find(path, false, source).map_err(|error| fault(error.to_string()))?;
        let (mesh, _) = imported.into_tri().map_err(|error| fault(error.to_string()))?;
        place(mesh, placement).map_err(fault)?
    } else if let Some(boundary) = &model.boundary {
        let scheme = if boundary.smooth { Subdivision::Loop } else { Subdivision::Midpoint };
        let levels = boundary.subdivide.into();
        solid.surface().mesh.subdivide(levels, scheme).map_err(|error| fault(error.to_string()))?
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

fn bind(at: &FieldPath, mesh: TriMesh, solid: &TetMesh) -> Result<(Visual, String), Fault> {
    let embedding = Embedding::new(solid, mesh.positions())
        .map_err(|error| Fault::new(at.clone(), error.to_string(), ""))?;
    let note = fit(&mesh, &embedding);
    Ok((Visual { mesh, embedding }, note))
}

fn place(mesh: TriMesh, placement: &Placement) -> Result<TriMesh, String> {
    mesh.map_positions(|x| placement.point(x)).map_err(|error| error.to_string())
}

fn fit(mesh: &TriMesh, embedding: &Embedding) -> String {
    let fit = embedding.fit();
    let counts = format!(
        "its fine surface has {} and {}",
        counted(mesh.positions().len(), "vertex", "vertices"),
        counted(mesh.triangles().len(), "triangle", "triangles")
    );
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

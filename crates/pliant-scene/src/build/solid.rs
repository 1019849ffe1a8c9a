//! Obstacles with data of their own, from points, rows and files.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{Mesh, unreadable};
use pliant_mesh::{ConvexHull, DistanceGrid, HeightField, TriMesh};

use super::import::import;
use super::place::Placement;
use super::values::Table;
use crate::error::{Fault, SceneError};
use crate::field::FieldPath;
use crate::load::Scene;
use crate::model::unit::Metre;
use crate::model::{
    BodyModel, Bounded, HeightFieldShape, HeightsModel, HullShape, Rotation, ScaleModel, SdfShape, Vector,
};
use crate::source::Source;

/// How far a grid of distances reaches beyond its surface, in cells, unless the scene says otherwise.
const BAND: f64 = 4.0;

impl Scene {
    /// The surface of an obstacle in its rest pose, m, if it has data of its own: that of a hull, that of a
    /// height field, or the one from which a distance grid is made. `None` for other shapes, and if there is
    /// no such obstacle.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let scene = Scene::parse(
    ///     r#"
    ///     [[body]]
    ///     mesh = { ball = { radius = 0.5, shells = 2 } }
    ///     edges = { compliance = 1e-6 }
    ///     [[obstacle]]
    ///     height_field = { heights = [[0, 0.1, 0], [0, 0.2, 0]], spacing = 0.5, origin = [-0.5, -1, -0.25] }
    ///     "#,
    ///     ".",
    /// )?;
    /// assert_eq!(scene.obstacle_surface(0)?.expect("it is ground").triangles().len(), 4);
    /// # Ok::<(), pliant_scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or has the wrong content.
    pub fn obstacle_surface(&self, obstacle: usize) -> Result<Option<TriMesh>, SceneError> {
        let at = FieldPath::root().key("obstacle").index(obstacle);
        let Some(model) = self.model.obstacles.get(obstacle) else { return Ok(None) };
        let source = &self.source;
        let found = if let Some(model) = &model.hull {
            hull(&at.key("hull"), model, source).map(|hull| hull.surface().clone())
        } else if let Some(model) = &model.height_field {
            height_field(&at.key("height_field"), model, source).map(|ground| ground.surface())
        } else if let Some(model) = &model.sdf {
            surface(&at.key("sdf").key("mesh"), model, source)
        } else {
            return Ok(None);
        };
        found.map(Some).map_err(|fault| self.locate(fault))
    }
}

/// The hull of the points of a scene, or of the vertices of a file.
pub(super) fn hull(at: &FieldPath, model: &HullShape, source: &Source) -> Result<ConvexHull, Fault> {
    let (at, points) = match (&model.points, &model.mesh) {
        (_, Some(path)) => {
            let at = at.key("mesh");
            let imported = import(&at, path, false, source)?;
            let loose = &imported.unreferenced;
            let all = imported.mesh.positions().iter().enumerate();
            let points: Vec<_> =
                all.filter(|(v, _)| loose.binary_search(v).is_err()).map(|(_, x)| *x).collect();
            (at, points)
        }
        (points, None) => {
            (at.key("points"), points.iter().flatten().map(|&point| Vector3::from(point)).collect())
        }
    };
    let points = placement(model.scale, model.rotate.as_ref(), model.translate).points(&points);
    let expected = "points that are not all in one plane";
    ConvexHull::new(&points).map_err(|error| Fault::new(at, error.to_string(), expected))
}

/// A height field from the rows of a scene or of a file.
pub(super) fn height_field(
    at: &FieldPath,
    model: &HeightFieldShape,
    source: &Source,
) -> Result<HeightField, Fault> {
    let rows: Vec<Vec<f64>> = match &model.heights {
        HeightsModel::Rows(rows) => {
            rows.iter().map(|row| row.iter().map(|height| height.get()).collect()).collect()
        }
        HeightsModel::File(path) => rows_of(&at.key("heights"), path, source)?,
    };
    HeightField::new(model.origin.into(), model.spacing.along(), &rows)
        .map_err(|error| Fault::new(at.key("heights"), error.to_string(), "rows of equally many heights"))
}

/// The rows of numbers of a text file.
fn rows_of(at: &FieldPath, path: &Path, source: &Source) -> Result<Vec<Vec<f64>>, Fault> {
    let path = source.resolve(path);
    let shown = path.display();
    let expected = "a text file with a row of heights in every line, between commas, semicolons or spaces";
    let refuse = |problem: String| Fault::new(at.clone(), problem, expected);
    let text = fs::read_to_string(&path)
        .map_err(|error| refuse(format!("cannot read {shown}: {}", unreadable(&error))))?;
    let table = Table::parse(&text);
    if let Some(names) = table.names {
        return Err(refuse(format!("{shown} begins with {:?}, which is not a number", names.join(" "))));
    }
    let number = |line: usize, cell: &str| {
        let not = || refuse(format!("{shown}, line {line}: {cell:?} is not a number"));
        cell.parse::<f64>().ok().filter(|height| height.is_finite()).ok_or_else(not)
    };
    let row = |(line, cells): (usize, Vec<&str>)| cells.into_iter().map(|cell| number(line, cell)).collect();
    table.rows.into_iter().map(row).collect()
}

/// The distances from the surface of a file.
pub(super) fn distance_grid(
    at: &FieldPath,
    model: &SdfShape,
    source: &Source,
) -> Result<DistanceGrid, Fault> {
    let surface = surface(&at.key("mesh"), model, source)?;
    let cell = model.cell.get();
    let band = model.band.map_or(BAND * cell, Bounded::get);
    DistanceGrid::new(&surface, cell, band).map_err(|error| {
        let key = match error {
            pliant_mesh::DistanceGridError::TooLarge { .. } => "cell",
            _ => "mesh",
        };
        Fault::new(at.key(key), error.to_string(), "")
    })
}

/// The surface of a file, or that of the solid in it, where the scene puts it.
fn surface(at: &FieldPath, model: &SdfShape, source: &Source) -> Result<TriMesh, Fault> {
    let mesh = import(at, &model.mesh, false, source)?.mesh;
    match placement(model.scale, model.rotate.as_ref(), model.translate).apply(at, mesh)? {
        Mesh::Tri(surface) => Ok(surface),
        Mesh::Tet(solid) => Ok(solid.surface().mesh),
    }
}

/// The map by which a shape is scaled, turned and moved, as a body is.
fn placement(
    scale: Option<ScaleModel>,
    rotate: Option<&Rotation>,
    translate: Option<Vector<Metre>>,
) -> Placement {
    Placement::new(&BodyModel { scale, rotate: rotate.cloned(), translate, ..BodyModel::default() }, &[])
}

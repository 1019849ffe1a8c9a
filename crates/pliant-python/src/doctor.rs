//! What is wrong with a mesh, repairs, and solids from surfaces.

use pliant_mesh::{CheckOptions, Keep, RepairOptions, Resolution, TetrahedralizeOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::to_python;
use crate::error;
use crate::mesh::{PyTetMesh, PyTriMesh};
use crate::pool::everywhere;

pub(crate) fn check_options(sliver: f64, intersections: usize) -> CheckOptions {
    CheckOptions { sliver: sliver.to_radians(), intersections: Some(intersections) }
}

/// The usual repairs, with those that are named changed.
pub(crate) fn repair_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<RepairOptions> {
    let mut options = RepairOptions::default();
    let Some(given) = given else { return Ok(options) };
    for (key, value) in given {
        let key: String = key.extract()?;
        match key.as_str() {
            "weld" => options.weld = value.extract()?,
            "drop_flat" => options.drop_flat = value.extract()?,
            "drop_duplicates" => options.drop_duplicates = value.extract()?,
            "unite" => options.unite = value.extract()?,
            "flip_inverted" => options.flip_inverted = value.extract()?,
            "match_diagonals" => options.match_diagonals = value.extract()?,
            "split_non_manifold" => options.split_non_manifold = value.extract()?,
            "split_solids" => options.split_solids = value.extract()?,
            "keep_largest" => {
                let keep: bool = value.extract()?;
                options.keep = keep.then_some(Keep::Largest);
            }
            "orient" => options.orient = value.extract()?,
            "fill_holes" => options.fill_holes = value.extract()?,
            "drop_unreferenced" => options.drop_unreferenced = value.extract()?,
            _ => return Err(PyTypeError::new_err(format!("there is no repair {key:?}"))),
        }
    }
    Ok(options)
}

/// A solid from a surface, and the report on it.
#[pyfunction]
#[pyo3(signature = (surface, *, cells = None, edge_length = None, shell_thickness = None, graded = false, accept_losses = false))]
pub(crate) fn tetrahedralize<'py>(
    py: Python<'py>,
    surface: &Bound<'py, PyTriMesh>,
    cells: Option<usize>,
    edge_length: Option<f64>,
    shell_thickness: Option<f64>,
    graded: bool,
    accept_losses: bool,
) -> PyResult<(PyTetMesh, Bound<'py, PyAny>)> {
    let resolution = match (cells, edge_length) {
        (Some(_), Some(_)) => {
            return Err(PyValueError::new_err("cells and edge_length are both given; give one of them"));
        }
        (Some(cells), None) => Resolution::Cells(cells),
        (None, Some(length)) => Resolution::EdgeLength(length),
        (None, None) => Resolution::Auto,
    };
    let options = TetrahedralizeOptions { resolution, shell_thickness, graded, accept_losses };
    let surface = &surface.get().0;
    let (mesh, report) =
        everywhere(py, || surface.tetrahedralize(&options))?.map_err(|error| error::mesh(py, error))?;
    Ok((PyTetMesh(mesh), to_python(py, &report)?))
}

//! Studies: units of a scene whose keys vary.

use std::path::PathBuf;

use pliant_sweep::{Shard, Study, SweepError, Table};
use pyo3::prelude::*;

use crate::data::to_python;
use crate::error::{self, Stage};
use crate::pool::Pool;

fn refused(py: Python<'_>, error: &SweepError) -> PyErr {
    match error {
        SweepError::Scene(inner) => error::scene(py, inner, Stage::Read, None),
        SweepError::Write { .. } => error::plain(py, "RunError", error),
        _ => error::plain(py, "SceneError", error),
    }
}

/// Makes the units of a part of a study, such as `"3/16"`, and returns their folders.
#[pyfunction]
pub(crate) fn expand(py: Python<'_>, study: PathBuf, out: PathBuf, shard: &str) -> PyResult<Vec<PathBuf>> {
    let shard: Shard = shard.parse().map_err(|error| error::plain(py, "SceneError", error))?;
    let units = Pool::of(py, None)?.run(py, || Study::load(&study)?.expand(&out, shard));
    let units = units.map_err(|error| refused(py, &error))?;
    Ok(units.iter().map(|unit| unit.folder(&out)).collect())
}

/// What the units of a folder have found: a list of dictionaries.
#[pyfunction]
pub(crate) fn table<'py>(py: Python<'py>, out: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    let table = py.detach(|| Table::read(&out)).map_err(|error| refused(py, &error))?;
    to_python(py, &table.rows)
}

//! [`PyFrame`]: the report on a frame.

use std::collections::BTreeMap;

use pliant_solver::FrameReport;
use pyo3::prelude::*;

use crate::data::to_python;

/// The report on a frame.
#[pyclass(frozen, name = "Frame", module = "pliant")]
pub(crate) struct PyFrame(pub(crate) FrameReport);

#[pymethods]
impl PyFrame {
    #[getter]
    fn frame(&self) -> u64 {
        self.0.frame
    }

    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    #[getter]
    fn substeps(&self) -> u32 {
        self.0.substeps
    }

    #[getter]
    fn residuals(&self) -> BTreeMap<&str, f64> {
        self.0.residuals.iter().map(|group| (group.name.as_str(), group.max.value)).collect()
    }

    #[getter]
    fn stretch(&self) -> Option<f64> {
        self.0.stretch.map(|stretch| stretch.max.value)
    }

    #[getter]
    fn volume_error(&self) -> Option<f64> {
        self.0.volume.map(|volume| volume.max.value)
    }

    #[getter]
    fn inverted(&self) -> Option<usize> {
        self.0.volume.map(|volume| volume.inverted)
    }

    #[getter]
    fn energy(&self) -> BTreeMap<&'static str, f64> {
        let energy = self.0.energy;
        [("kinetic", energy.kinetic), ("potential", energy.potential), ("elastic", energy.elastic)].into()
    }

    #[getter]
    fn contacts(&self) -> usize {
        self.0.contacts
    }

    #[getter]
    fn state_hash(&self) -> u64 {
        self.0.state_hash
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<pliant.Frame {} at {:.4} s>", self.0.frame, self.0.time)
    }
}

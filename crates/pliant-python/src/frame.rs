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
    /// Frames since the start.
    #[getter]
    fn frame(&self) -> u64 {
        self.0.frame
    }

    /// Time at its end, s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// Substeps that it was divided into.
    #[getter]
    fn substeps(&self) -> u32 {
        self.0.substeps
    }

    /// The largest residual |C + α̃λ| of every group of constraints, in the unit of the group.
    #[getter]
    fn residuals(&self) -> BTreeMap<&str, f64> {
        self.0.residuals.iter().map(|group| (group.name.as_str(), group.max.value)).collect()
    }

    /// The largest relative stretch of an edge; None if the bodies have none that is measured.
    #[getter]
    fn stretch(&self) -> Option<f64> {
        self.0.stretch.map(|stretch| stretch.max.value)
    }

    /// The largest relative change of volume of a tetrahedron; None without solids.
    #[getter]
    fn volume_error(&self) -> Option<f64> {
        self.0.volume.map(|volume| volume.max.value)
    }

    /// How many tetrahedra are inside out; None without solids.
    #[getter]
    fn inverted(&self) -> Option<usize> {
        self.0.volume.map(|volume| volume.inverted)
    }

    /// Energies, J: `kinetic`, `potential`, `elastic`.
    #[getter]
    fn energy(&self) -> BTreeMap<&'static str, f64> {
        let energy = self.0.energy;
        [("kinetic", energy.kinetic), ("potential", energy.potential), ("elastic", energy.elastic)].into()
    }

    /// Particles that touch obstacles.
    #[getter]
    fn contacts(&self) -> usize {
        self.0.contacts
    }

    /// A number that is equal for two states only if every bit of positions and velocities is equal.
    #[getter]
    fn state_hash(&self) -> u64 {
        self.0.state_hash
    }

    /// All of the report as dictionaries and lists, as in `run.json`.
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

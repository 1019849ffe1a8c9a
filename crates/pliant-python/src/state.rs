//! The state of a simulation as arrays and as bytes.

use std::ops::Range;

use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pliant_solver::{LiveError, Scalar, Simulation, Snapshot};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Out, new_numbers, new_points, new_rows, rows, vectors};
use crate::error;
use crate::simulation::{PySimulation, each};

/// What of particles is copied.
#[derive(Clone, Copy)]
enum Quantity {
    Positions,
    Velocities,
}

impl Quantity {
    fn copy<T: pliant_solver::Float, S: Scalar>(
        self,
        simulation: &Simulation<T>,
        which: Range<usize>,
        into: &mut [S],
    ) -> Result<(), LiveError> {
        let into = into.as_chunks_mut().0;
        match self {
            Self::Positions => simulation.copy_positions(which, into),
            Self::Velocities => simulation.copy_velocities(which, into),
        }
    }
}

impl PySimulation {
    fn copied<'py>(
        &self,
        py: Python<'py>,
        what: Quantity,
        which: Range<usize>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made;
        let out = match out {
            Some(out) => out,
            None => {
                let shape = [which.len(), 3];
                made = if self.is_double {
                    PyArray2::<f64>::zeros(py, shape, false).into_any()
                } else {
                    PyArray2::<f32>::zeros(py, shape, false).into_any()
                };
                &made
            }
        };
        let apart = |_| PyValueError::new_err("out is not contiguous");
        let copied = match Out::of(out, which.len())? {
            Out::Single(mut array) => {
                let into = array.as_slice_mut().map_err(apart)?;
                self.within(py, |world| each!(&world.any, simulation => what.copy(simulation, which, into)))
            }
            Out::Double(mut array) => {
                let into = array.as_slice_mut().map_err(apart)?;
                self.within(py, |world| each!(&world.any, simulation => what.copy(simulation, which, into)))
            }
        };
        copied?.map_err(|error| error::live(py, &error))?;
        Ok(out.clone())
    }
}

/// Rows of three numbers, as many as there should be.
fn checked<'py>(
    given: Option<&Bound<'py, PyAny>>,
    count: usize,
    what: &str,
) -> PyResult<Option<PyReadonlyArray2<'py, f64>>> {
    let Some(given) = given else { return Ok(None) };
    let array = vectors(given, what)?;
    let found = rows::<f64, 3>(&array, what)?.len();
    if found != count {
        let problem = format!("{what} has {found} rows; give {count}, one for each vertex");
        return Err(PyValueError::new_err(problem));
    }
    Ok(Some(array))
}

#[pymethods]
impl PySimulation {
    /// Positions of `count` particles from `first` on, m.
    #[pyo3(signature = (first, count, out = None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        count: usize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.copied(py, Quantity::Positions, first..first + count, out)
    }

    /// Their velocities, m/s.
    #[pyo3(signature = (first, count, out = None))]
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        count: usize,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.copied(py, Quantity::Velocities, first..first + count, out)
    }

    /// Their masses, kg; infinite where they are held.
    fn masses<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        count: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let masses = self.within(
            py,
            |world| each!(&world.any, simulation => simulation.masses_of(first..first + count)),
        )?;
        Ok(new_numbers(py, masses))
    }

    /// Vertices of the rest shape of a body, m.
    fn rest_positions<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rest = self.within(py, |world| {
            let id = *world.ids().get(body)?;
            each!(&world.any, simulation => simulation.rest_positions_of(id).map(<[_]>::to_vec))
        })?;
        new_points(py, &rest.ok_or_else(|| PyIndexError::new_err("there is no such body"))?)
    }

    /// Puts particles from `first` on elsewhere and gives them other velocities: all that is given is looked
    /// at before anything is changed.
    #[pyo3(signature = (first, count, positions, velocities))]
    fn set_state(
        &self,
        py: Python<'_>,
        first: usize,
        count: usize,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (positions, velocities) =
            (checked(positions, count, "positions")?, checked(velocities, count, "velocities")?);
        let list = |array: &Option<PyReadonlyArray2<'_, f64>>| -> PyResult<Option<Vec<[f64; 3]>>> {
            array.as_ref().map(|array| Ok(rows(array, "rows")?.to_vec())).transpose()
        };
        let (positions, velocities) = (list(&positions)?, list(&velocities)?);
        let which = first..first + count;
        self.within(py, |world| {
            each!(&mut world.any, simulation => {
                if let Some(list) = &positions {
                    simulation.set_positions(which.clone(), list)?;
                }
                if let Some(list) = &velocities {
                    simulation.set_velocities(which, list)?;
                }
                Ok(())
            })
        })?
        .map_err(|error: LiveError| error::live(py, &error))
    }

    /// The state as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes =
            self.within(py, |world| each!(&world.any, simulation => simulation.snapshot().to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Goes back to a state; `watched` says whether it is of a simulation that kept what certificates need.
    fn restore(&self, py: Python<'_>, bytes: &[u8], watched: bool) -> PyResult<()> {
        let restored = self.within(py, |world| {
            each!(&mut world.any, simulation => {
                let present = (simulation.settings().certificate != watched).then(|| simulation.snapshot());
                if present.is_some() {
                    simulation.set_certificate(watched);
                }
                match Snapshot::from_bytes(bytes, simulation) {
                    Ok(snapshot) => simulation.restore(&snapshot),
                    Err(error) => {
                        if let Some(present) = present {
                            simulation.set_certificate(!watched);
                            simulation.restore(&present);
                        }
                        return Err(error);
                    }
                }
                Ok(())
            })
        })?;
        restored.map_err(|error| error::plain(py, "SnapshotError", error))
    }

    /// Contacts between surfaces that pressed in the last substep: numbers of bodies (n, 2), of particles (n,
    /// 4), their weights (n, 4), points (n, 3), normals (n, 3), distances (n) and impulses (n, 3).
    #[allow(clippy::type_complexity, reason = "a list of arrays, named on the other side")]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Bound<'py, PyArray2<u32>>,
        Bound<'py, PyArray2<u32>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray2<f64>>,
    )> {
        let found = self.within(py, |world| each!(&world.any, simulation => simulation.contacts()))?;
        let xyz = |v: nalgebra::Vector3<f64>| [v.x, v.y, v.z];
        Ok((
            new_rows(py, found.iter().map(|contact| contact.bodies.map(|body| body as u32)))?,
            new_rows(py, found.iter().map(|contact| contact.particles.map(|particle| particle as u32)))?,
            new_rows(py, found.iter().map(|contact| contact.weights))?,
            new_rows(py, found.iter().map(|contact| xyz(contact.point)))?,
            new_rows(py, found.iter().map(|contact| xyz(contact.normal)))?,
            new_numbers(py, found.iter().map(|contact| contact.distance).collect()),
            new_rows(py, found.iter().map(|contact| xyz(contact.impulse)))?,
        ))
    }
}

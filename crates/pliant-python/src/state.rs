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
        let world = self.world()?;
        let made;
        let out = match out {
            Some(out) => out,
            None => {
                let shape = [which.len(), 3];
                made = each!(&world.any, simulation => new_like(py, simulation, shape));
                &made
            }
        };
        let refuse = |error: LiveError| error::live(py, &error);
        let apart = |_| PyValueError::new_err("out is not contiguous");
        match Out::of(out, which.len())? {
            Out::Single(mut array) => {
                let into = array.as_slice_mut().map_err(apart)?;
                each!(&world.any, simulation => what.copy(simulation, which, into)).map_err(refuse)?;
            }
            Out::Double(mut array) => {
                let into = array.as_slice_mut().map_err(apart)?;
                each!(&world.any, simulation => what.copy(simulation, which, into)).map_err(refuse)?;
            }
        }
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

/// A new array of the numbers that the simulation has.
fn new_like<'py, T: pliant_solver::Float + numpy::Element>(
    py: Python<'py>,
    _: &Simulation<T>,
    shape: [usize; 2],
) -> Bound<'py, PyAny> {
    PyArray2::<T>::zeros(py, shape, false).into_any()
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
        let world = self.world()?;
        let masses = each!(&world.any, simulation => simulation.masses_of(first..first + count));
        Ok(new_numbers(py, masses))
    }

    /// Vertices of the rest shape of a body, m.
    fn rest_positions<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let world = self.world()?;
        let id = self.ids[body];
        let rest = each!(&world.any, simulation => simulation.rest_positions_of(id));
        new_points(py, rest.ok_or_else(|| PyIndexError::new_err("there is no such body"))?)
    }

    /// Puts particles from `first` on elsewhere and gives them other velocities: all that is given is looked at before anything is changed.
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
        let mut world = self.world()?;
        let which = first..first + count;
        let refuse = |error: LiveError| error::live(py, &error);
        if let Some(array) = &positions {
            let list = rows::<f64, 3>(array, "positions")?;
            each!(&mut world.any, simulation => simulation.set_positions(which.clone(), list))
                .map_err(refuse)?;
        }
        if let Some(array) = &velocities {
            let list = rows::<f64, 3>(array, "velocities")?;
            each!(&mut world.any, simulation => simulation.set_velocities(which, list)).map_err(refuse)?;
        }
        Ok(())
    }

    /// The state as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let world = self.world()?;
        let bytes = each!(&world.any, simulation => simulation.snapshot().to_bytes());
        Ok(PyBytes::new(py, &bytes))
    }

    /// Goes back to a state.
    fn restore(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let pool = self.pool(py)?;
        let mut world = self.world()?;
        let any = &mut world.any;
        let restored = pool.run(py, || {
            each!(any, simulation => {
                Snapshot::from_bytes(bytes, simulation).map(|snapshot| simulation.restore(&snapshot))
            })
        });
        restored.map_err(|error| error::plain(py, "SnapshotError", error))
    }

    /// Contacts between surfaces that pressed in the last substep: numbers of bodies (n, 2), of particles (n, 4), their weights (n, 4), points (n, 3), normals (n, 3), distances (n) and impulses (n, 3).
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
        let pool = self.pool(py)?;
        let world = self.world()?;
        let any = &world.any;
        let found = pool.run(py, || each!(any, simulation => simulation.contacts()));
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

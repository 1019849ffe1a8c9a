//! A simulation on a page of this machine, until it is ended.

use std::time::Duration;

use pliant_scene::BuiltBody;
use pliant_view::{Drawn, Scenery, Server, Show, Stop};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::pool::Pool;
use crate::simulation::{PySimulation, World, each};

/// How often the thread of the interpreter looks for Ctrl-C.
const REST: Duration = Duration::from_millis(50);

/// Ends the page, from any thread.
#[pyclass(frozen, name = "Stop", module = "pliant._pliant")]
pub(crate) struct PyStop(Stop);

#[pymethods]
impl PyStop {
    fn __call__(&self) {
        self.0.stop();
    }
}

/// The bodies as they are numbered now.
fn drawn(world: &World) -> Vec<Drawn> {
    let parts = each!(&world.any, simulation => simulation.body_ranges().to_vec());
    let one = |(number, part): (usize, pliant_solver::BodyRange)| {
        let body: &BuiltBody = world.body(number)?;
        Some(Drawn { name: part.name, particles: part.particles, ..Drawn::from(body) })
    };
    parts.into_iter().enumerate().filter_map(one).collect()
}

#[pymethods]
impl PySimulation {
    /// Shows the simulation at an address of this machine until it is ended; `opened` is called with the
    /// address and a way to end it.
    fn show(&self, py: Python<'_>, dt: f64, opened: &Bound<'_, PyAny>) -> PyResult<()> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(PyValueError::new_err(format!("dt is {dt}; give the time of a frame in seconds")));
        }
        let pool = Pool::of(py, self.threads)?;
        let server = Server::bind(0).map_err(PyOSError::new_err)?;
        let stop = server.stopper();
        opened.call1((server.address(), PyStop(stop.clone())))?;
        let mut world = self.lock(py)?;
        let world = &mut *world;
        let (bodies, scenery) = (drawn(world), Scenery::of(&self.scene));
        // Signals reach the main thread of the interpreter only, so that another one serves.
        let (done, interrupt) = std::thread::scope(|scope| {
            let serving = scope.spawn(|| {
                pool.install(|| {
                    each!(&mut world.any, simulation => server.run(&mut Show::among(simulation, bodies, &scenery, dt)))
                })
            });
            let mut interrupt = None;
            while interrupt.is_none() && !serving.is_finished() {
                py.detach(|| std::thread::sleep(REST));
                interrupt = py.check_signals().err();
            }
            if interrupt.is_some() {
                stop.stop();
            }
            let done = py.detach(|| serving.join());
            (done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), interrupt)
        });
        match interrupt {
            Some(interrupt) => Err(interrupt),
            None => done.map_err(PyOSError::new_err),
        }
    }
}

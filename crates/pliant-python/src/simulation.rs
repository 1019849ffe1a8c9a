//! [`PySimulation`]: a simulation of either precision, and its steps.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use pliant_io::Mesh;
use pliant_scene::{BuiltBody, Scene};
use pliant_solver::{BodyId, BodyRange, Certificate, Requirement, Simulation, StepError};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;

use crate::data::to_python;
use crate::error;
use crate::frame::PyFrame;
use crate::mesh::wrapped;
use crate::pool::Pool;
use crate::scene::PyScene;

/// A simulation of either precision.
pub(crate) enum Any {
    Single(Simulation<f32>),
    Double(Simulation<f64>),
}

/// Does the same with the simulation of either precision.
macro_rules! each {
    ($any:expr, $simulation:ident => $what:expr) => {
        match $any {
            $crate::simulation::Any::Single($simulation) => $what,
            $crate::simulation::Any::Double($simulation) => $what,
        }
    };
}
pub(crate) use each;

/// How long a call waits for another thread that steps a simulation.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long it waits for one that only looks. Not for ever: in a forked child the other thread may not exist.
const MOST_PATIENCE: Duration = Duration::from_secs(10);
/// How long it waits before it tries again.
const PAUSE: Duration = Duration::from_micros(20);

/// What a thread has to itself while it steps.
pub(crate) struct World {
    pub(crate) any: Any,
    pub(crate) certificate: Option<Certificate>,
    /// The bodies that there are or have been, by their handles.
    known: Vec<(BodyId, BuiltBody)>,
}

impl World {
    pub(crate) fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        each!(&mut self.any, simulation => simulation.advance(dt))
    }

    /// Remembers a body.
    pub(crate) fn learn(&mut self, id: BodyId, body: BuiltBody) {
        self.known.push((id, body));
    }

    /// The handles of the bodies that there are, in order.
    pub(crate) fn ids(&self) -> Vec<BodyId> {
        each!(&self.any, simulation => simulation.bodies().collect())
    }

    /// A body that there is, by its number.
    pub(crate) fn body(&self, number: usize) -> Option<&BuiltBody> {
        let id = *self.ids().get(number)?;
        self.known.iter().find_map(|(known, body)| (*known == id).then_some(body))
    }
}

/// Name, first particle, particles, whether a solid, and remarks of a body.
type Listed = (String, usize, usize, bool, Vec<String>);

/// The native half of a simulation.
#[pyclass(frozen, name = "Simulation", module = "pliant._pliant")]
pub(crate) struct PySimulation {
    world: Mutex<World>,
    /// Whether the thread that has the world steps it.
    is_stepped: AtomicBool,
    pub(crate) scene: Scene,
    pub(crate) threads: Option<usize>,
    pub(crate) is_double: bool,
}

impl PySimulation {
    pub(crate) fn new(
        any: Any,
        bodies: Vec<BuiltBody>,
        scene: Scene,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let is_double = matches!(any, Any::Double(_));
        let ids: Vec<BodyId> = each!(&any, simulation => simulation.bodies().collect());
        let known = ids.into_iter().zip(bodies).collect();
        let world = Mutex::new(World { any, certificate: None, known });
        Ok(Self { world, is_stepped: AtomicBool::new(false), scene, threads, is_double })
    }

    /// The world, if no other thread has it for long; `pause` waits a little.
    fn wait(&self, pause: impl Fn()) -> Result<MutexGuard<'_, World>, &'static str> {
        let begun = Instant::now();
        loop {
            match self.world.try_lock() {
                Ok(world) => return Ok(world),
                Err(TryLockError::WouldBlock) => {
                    let is_stepped = self.is_stepped.load(Ordering::Relaxed);
                    if begun.elapsed() < if is_stepped { PATIENCE } else { MOST_PATIENCE } {
                        pause();
                        continue;
                    }
                    return Err(
                        "the simulation is being stepped by another thread; wait until that has returned",
                    );
                }
                Err(TryLockError::Poisoned(_)) => {
                    return Err(
                        "the simulation is in no state to be used: an earlier call panicked; build it again",
                    );
                }
            }
        }
    }

    /// The world, to be stepped, for many frames; only for what is done in a [`Pool`].
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<Stepped<'_>> {
        let world = self.wait(|| py.detach(|| std::thread::sleep(PAUSE)));
        Ok(Stepped::new(world.map_err(PyRuntimeError::new_err)?, &self.is_stepped))
    }

    /// Does something with the world in the pool of this process, and nowhere else: whatever is asked of a
    /// simulation may be shared out to threads, even its hash. The world is let go before the interpreter is
    /// waited for.
    pub(crate) fn within<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut World) -> R + Send,
    ) -> PyResult<R> {
        let pool = Pool::of(py, self.threads)?;
        let done = py.detach(|| {
            let mut world = self.wait(|| std::thread::sleep(PAUSE))?;
            let world = &mut *world;
            Ok(pool.install(|| work(world)))
        });
        done.map_err(|problem: &'static str| PyRuntimeError::new_err(problem))
    }
}

/// A world while it is stepped.
pub(crate) struct Stepped<'a> {
    world: MutexGuard<'a, World>,
    is_stepped: &'a AtomicBool,
}

impl<'a> Stepped<'a> {
    fn new(world: MutexGuard<'a, World>, is_stepped: &'a AtomicBool) -> Self {
        is_stepped.store(true, Ordering::Relaxed);
        Self { world, is_stepped }
    }
}

impl Deref for Stepped<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl DerefMut for Stepped<'_> {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

impl Drop for Stepped<'_> {
    fn drop(&mut self) {
        self.is_stepped.store(false, Ordering::Relaxed);
    }
}

#[pymethods]
impl PySimulation {
    /// Steps by some frames of `dt` seconds each; between two of them Ctrl-C is heard.
    #[pyo3(signature = (dt, frames = 1))]
    fn advance(&self, py: Python<'_>, dt: f64, frames: usize) -> PyResult<()> {
        let pool = Pool::of(py, self.threads)?;
        let mut world = self.lock(py)?;
        let world = &mut *world;
        for frame in 0..frames {
            if frame > 0 {
                py.check_signals()?;
            }
            pool.run(py, || world.advance(dt)).map_err(|error| error::step(py, &error, None))?;
        }
        Ok(())
    }

    /// Steps by `dt` seconds and reports.
    fn step(&self, py: Python<'_>, dt: f64) -> PyResult<PyFrame> {
        let pool = Pool::of(py, self.threads)?;
        let mut world = self.lock(py)?;
        let world = &mut *world;
        let report = pool.run(py, || {
            let report = each!(&mut world.any, simulation => simulation.step(dt))?;
            if let Some(certificate) = &mut world.certificate {
                certificate.take(&report);
            }
            Ok(report)
        });
        report.map(PyFrame).map_err(|error| error::step(py, &error, None))
    }

    /// Reports on the present state.
    fn report(&self, py: Python<'_>) -> PyResult<PyFrame> {
        self.within(py, |world| each!(&world.any, simulation => simulation.report())).map(PyFrame)
    }

    /// Begins to sum up how good the answer is, with requirements such as `stretch.max<=0.02`. Nothing is
    /// changed if one of them makes no sense.
    fn certify(&self, py: Python<'_>, require: Vec<String>) -> PyResult<()> {
        let refuse = |error: pliant_solver::RequirementError| error::plain(py, "SceneError", error);
        let require: Vec<Requirement> =
            require.iter().map(|text| text.parse().map_err(refuse)).collect::<PyResult<_>>()?;
        self.within(py, |world| {
            let certificate = each!(&mut world.any, simulation => {
                simulation.set_certificate(true);
                Certificate::begin(simulation)
            });
            world.certificate = Some(certificate.with_requirements(require)?);
            Ok(())
        })?
        .map_err(refuse)
    }

    /// Whether it keeps what certificates need.
    #[getter]
    fn watched(&self, py: Python<'_>) -> PyResult<bool> {
        self.within(py, |world| each!(&world.any, simulation => simulation.settings().certificate))
    }

    /// The certificate so far, as a dictionary, and in words; none if nothing was to be certified.
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyAny>, String)>> {
        let Some(certificate) = self.within(py, |world| world.certificate.clone())? else { return Ok(None) };
        let worst: serde_json::Map<String, serde_json::Value> = certificate
            .worsts()
            .map(|(name, unit, worst)| {
                let mut value = serde_json::json!(worst);
                value["unit"] = unit.into();
                (name.to_owned(), value)
            })
            .collect();
        let verdicts: Vec<_> = certificate
            .verdicts()
            .iter()
            .map(|verdict| {
                let mut value = serde_json::json!(verdict);
                value["met"] = verdict.is_met().into();
                value["requirement"] = verdict.requirement.to_string().into();
                value["unmet"] = verdict.unmet.into();
                value
            })
            .collect();
        let judgement = certificate.judgement();
        let found = serde_json::json!({
            "frames": certificate.frames(),
            "met": certificate.is_met(),
            "verdicts": verdicts,
            "verdict": judgement,
            "worst": worst,
        });
        Ok(Some((to_python(py, &found)?, certificate.to_string())))
    }

    #[getter]
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.within(py, |world| each!(&world.any, simulation => simulation.state_hash()))
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.within(py, |world| each!(&world.any, simulation => simulation.time()))
    }

    #[getter]
    fn frame(&self, py: Python<'_>) -> PyResult<u64> {
        self.within(py, |world| each!(&world.any, simulation => simulation.frame()))
    }

    #[getter]
    fn is_double(&self) -> bool {
        self.is_double
    }

    #[getter]
    fn threads(&self) -> Option<usize> {
        self.threads
    }

    /// Name, first particle, particles, whether a solid, and remarks of every body.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> PyResult<Vec<Listed>> {
        self.within(py, |world| {
            let parts = each!(&world.any, simulation => simulation.body_ranges().to_vec());
            let one = |(number, part): (usize, BodyRange)| {
                let body = world.body(number)?;
                let solid = matches!(body.mesh, Mesh::Tet(_));
                Some((part.name, part.particles.start, part.particles.len(), solid, body.notes.clone()))
            };
            parts.into_iter().enumerate().filter_map(one).collect()
        })
    }

    /// The mesh of a body where it started.
    fn mesh(&self, py: Python<'_>, body: usize) -> PyResult<Py<PyAny>> {
        let mesh = self.within(py, |world| world.body(body).map(|body| body.mesh.clone()))?;
        wrapped(py, mesh.ok_or_else(|| PyIndexError::new_err("there is no such body"))?)
    }

    #[getter]
    fn scene(&self) -> PyScene {
        PyScene { scene: self.scene.clone() }
    }
}

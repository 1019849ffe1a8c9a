//! What is changed while a simulation runs: pins, grabs, obstacles, forces, the medium.

use std::sync::MutexGuard;

use nalgebra::Vector3;
use pliant_solver::{Compliance, Grab, LiveError, Motion, ObstacleId, PinId, Stiffness, Wind};
use pyo3::prelude::*;

use crate::arrays::{points, vector};
use crate::error;
use crate::simulation::{PySimulation, World, each};

/// A spring that drags a particle.
#[pyclass(frozen, name = "Grab", module = "pliant._pliant")]
pub(crate) struct PyGrab(Grab);

/// Particles that are held.
#[pyclass(frozen, name = "Pin", module = "pliant._pliant")]
pub(crate) struct PyPin(PinId);

/// An obstacle.
#[pyclass(frozen, name = "Obstacle", module = "pliant._pliant")]
pub(crate) struct PyObstacle(ObstacleId);

impl PySimulation {
    /// Does something to the world in the pool, since what is pinned or grabbed may be planned again.
    fn change<R: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut World) -> Result<R, LiveError> + Send,
    ) -> PyResult<R> {
        let pool = self.pool(py)?;
        let mut world: MutexGuard<'_, World> = self.world()?;
        let world = &mut *world;
        pool.run(py, || change(world)).map_err(|error| error::live(py, &error))
    }
}

#[pymethods]
impl PySimulation {
    fn grab(&self, py: Python<'_>, particle: usize, stiffness: f64) -> PyResult<PyGrab> {
        let stiffness = Stiffness::new(stiffness);
        self.change(py, |world| each!(&mut world.any, simulation => simulation.grab(particle, stiffness)))
            .map(PyGrab)
    }

    fn move_grab(&self, py: Python<'_>, grab: &PyGrab, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let target = vector(target, "target")?;
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.move_to(grab.0, target))
            .map_err(|error| error::live(py, &error))
    }

    fn grab_force(&self, grab: &PyGrab) -> PyResult<Option<[f64; 3]>> {
        let world = self.world()?;
        let force = each!(&world.any, simulation => simulation.grab_force(grab.0));
        Ok(force.map(|force| [force.x, force.y, force.z]))
    }

    fn let_go(&self, py: Python<'_>, grab: &PyGrab) -> PyResult<()> {
        let grab = grab.0;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.let_go(grab)))
    }

    fn pin(&self, py: Python<'_>, particles: Vec<usize>) -> PyResult<PyPin> {
        self.change(py, |world| each!(&mut world.any, simulation => simulation.pin(particles))).map(PyPin)
    }

    fn unpin(&self, py: Python<'_>, pin: &PyPin) -> PyResult<()> {
        let pin = pin.0;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.unpin(pin)))
    }

    /// The pins that hold, each with its particles.
    fn pins(&self) -> PyResult<Vec<(PyPin, Vec<usize>)>> {
        let world = self.world()?;
        Ok(each!(&world.any, simulation => {
            let pins = simulation.pins();
            pins.map(|pin| (PyPin(pin), simulation.pinned(pin).unwrap_or_default())).collect()
        }))
    }

    fn lead(&self, py: Python<'_>, pin: &PyPin, places: &Bound<'_, PyAny>) -> PyResult<()> {
        let places = points(places, "places")?;
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.lead(pin.0, &places))
            .map_err(|error| error::live(py, &error))
    }

    fn obstacles(&self) -> PyResult<Vec<PyObstacle>> {
        let world = self.world()?;
        Ok(each!(&world.any, simulation => simulation.obstacles().map(PyObstacle).collect()))
    }

    fn move_obstacle(
        &self,
        py: Python<'_>,
        obstacle: &PyObstacle,
        by: &Bound<'_, PyAny>,
        rotation: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (by, rotation) = (vector(by, "by")?, vector(rotation, "rotation")?);
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.move_obstacle(obstacle.0, by, rotation))
            .map_err(|error| error::live(py, &error))
    }

    fn set_obstacle_velocity(
        &self,
        py: Python<'_>,
        obstacle: &PyObstacle,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
        pivot: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let motion = Motion::Velocity {
            linear: vector(linear, "linear")?,
            angular: vector(angular, "angular")?,
            pivot: vector(pivot, "pivot")?,
        };
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.set_obstacle_motion(obstacle.0, motion))
            .map_err(|error| error::live(py, &error))
    }

    fn remove_obstacle(&self, py: Python<'_>, obstacle: &PyObstacle) -> PyResult<()> {
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.remove_obstacle(obstacle.0))
            .map_err(|error| error::live(py, &error))
    }

    fn set_force(&self, py: Python<'_>, particle: usize, force: &Bound<'_, PyAny>) -> PyResult<()> {
        let force = vector(force, "force")?;
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.set_force(particle, force))
            .map_err(|error| error::live(py, &error))
    }

    fn clear_forces(&self) -> PyResult<()> {
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.clear_forces());
        Ok(())
    }

    fn apply_impulse(&self, py: Python<'_>, particle: usize, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let impulse = vector(impulse, "impulse")?;
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.apply_impulse(particle, impulse))
            .map_err(|error| error::live(py, &error))
    }

    #[getter]
    fn gravity(&self) -> PyResult<[f64; 3]> {
        let world = self.world()?;
        let gravity = each!(&world.any, simulation => simulation.settings().gravity);
        Ok([gravity.x, gravity.y, gravity.z])
    }

    fn set_gravity(&self, py: Python<'_>, gravity: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = vector(gravity, "gravity")?;
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.set_gravity(gravity))
            .map_err(|error| error::live(py, &error))
    }

    #[pyo3(signature = (velocity, density, drag, lift))]
    fn set_wind(
        &self,
        py: Python<'_>,
        velocity: Option<&Bound<'_, PyAny>>,
        density: f64,
        drag: f64,
        lift: f64,
    ) -> PyResult<()> {
        let velocity: Option<Vector3<f64>> = velocity.map(|v| vector(v, "velocity")).transpose()?;
        let wind = velocity.map(|velocity| Wind { velocity, density, drag, lift });
        self.change(py, |world| each!(&mut world.any, simulation => simulation.set_wind(wind)))
    }

    fn set_damping(&self, py: Python<'_>, rate: f64) -> PyResult<()> {
        self.change(py, |world| each!(&mut world.any, simulation => simulation.set_damping(rate)))
    }

    fn set_drag(&self, py: Python<'_>, rate: f64) -> PyResult<()> {
        self.change(py, |world| each!(&mut world.any, simulation => simulation.set_drag(rate)))
    }

    #[getter]
    fn substeps(&self) -> PyResult<u32> {
        let world = self.world()?;
        Ok(each!(&world.any, simulation => simulation.settings().substeps))
    }

    fn set_substeps(&self, substeps: u32) -> PyResult<()> {
        let mut world = self.world()?;
        each!(&mut world.any, simulation => simulation.set_substeps(substeps));
        Ok(())
    }

    /// Groups of constraints, by name.
    fn groups(&self) -> PyResult<Vec<String>> {
        let world = self.world()?;
        Ok(each!(&world.any, simulation => simulation.plan().into_iter().map(|group| group.name).collect()))
    }

    fn set_compliance(&self, py: Python<'_>, group: String, compliance: f64) -> PyResult<()> {
        let compliance = Compliance::new(compliance);
        self.change(
            py,
            |world| each!(&mut world.any, simulation => simulation.set_compliance(&group, compliance)),
        )
    }

    fn scale_stiffness(&self, py: Python<'_>, group: String, factor: f64) -> PyResult<()> {
        self.change(
            py,
            |world| each!(&mut world.any, simulation => simulation.scale_stiffness(&group, factor)),
        )
    }
}

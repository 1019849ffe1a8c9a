//! What is changed while a simulation runs: pins, grabs, obstacles, forces, the medium.

use nalgebra::Vector3;
use pliant_scene::model::{BodyModel, ObstacleModel};
use pliant_scene::{Scene, SceneError, parse_part};
use pliant_solver::{Compliance, Grab, LiveError, Motion, ObstacleId, PinId, Stiffness, Wind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{points, vector};
use crate::error::{self, Stage};
use crate::pool::Pool;
use crate::scene::given;
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
    /// Does what may be refused.
    fn change<R: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut World) -> Result<R, LiveError> + Send,
    ) -> PyResult<R> {
        self.within(py, change)?.map_err(|error| error::live(py, &error))
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
        let (grab, target) = (grab.0, vector(target, "target")?);
        self.change(py, |world| each!(&mut world.any, simulation => simulation.move_to(grab, target)))
    }

    fn grab_force(&self, py: Python<'_>, grab: &PyGrab) -> PyResult<Option<[f64; 3]>> {
        let grab = grab.0;
        let force = self.within(py, |world| each!(&world.any, simulation => simulation.grab_force(grab)))?;
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
    fn pins(&self, py: Python<'_>) -> PyResult<Vec<(PyPin, Vec<usize>)>> {
        self.within(py, |world| {
            each!(&world.any, simulation => {
                let pins = simulation.pins();
                pins.map(|pin| (PyPin(pin), simulation.pinned(pin).unwrap_or_default())).collect()
            })
        })
    }

    fn lead(&self, py: Python<'_>, pin: &PyPin, places: &Bound<'_, PyAny>) -> PyResult<()> {
        let (pin, places) = (pin.0, points(places, "places")?);
        self.change(py, |world| each!(&mut world.any, simulation => simulation.lead(pin, &places)))
    }

    fn obstacles(&self, py: Python<'_>) -> PyResult<Vec<PyObstacle>> {
        self.within(
            py,
            |world| each!(&world.any, simulation => simulation.obstacles().map(PyObstacle).collect()),
        )
    }

    /// Adds an obstacle that is described by the table of a scene, with the meshes that it names.
    fn add_obstacle(&self, py: Python<'_>, table: &str, meshes: &Bound<'_, PyDict>) -> PyResult<PyObstacle> {
        let base = self.scene.base_dir().to_owned();
        let refuse = |error: &SceneError| error::scene(py, error, Stage::Read, None);
        let model: ObstacleModel = parse_part("the obstacle", table).map_err(|error| refuse(&error))?;
        let mut scene = self.scene.model.clone();
        scene.obstacles = vec![model];
        let scene = Scene::from_model(scene, base).map_err(|error| refuse(&error))?;
        let scene = scene.with_meshes(given(meshes)?);
        let made = Pool::of(py, self.threads)?.run(py, || scene.obstacles());
        let obstacle = made.map_err(|error| refuse(&error))?.pop();
        let obstacle = obstacle.ok_or_else(|| error::plain(py, "SceneError", "there is no obstacle"))?;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.add_obstacle(obstacle)))
            .map(PyObstacle)
    }

    /// Adds a body that is described by the table of a scene, with the meshes that it names.
    fn add_body(&self, py: Python<'_>, table: &str, meshes: &Bound<'_, PyDict>) -> PyResult<()> {
        let refuse = |error: &SceneError| error::scene(py, error, Stage::Read, None);
        let model: BodyModel = parse_part("the body", table).map_err(|error| refuse(&error))?;
        let mut scene = self.scene.model.clone();
        scene.bodies = vec![model];
        scene.obstacles.clear();
        scene.stitches.clear();
        scene.seams.clear();
        scene.attachments.clear();
        scene.contacts.clear();
        let scene = Scene::from_model(scene, self.scene.base_dir()).map_err(|error| refuse(&error))?;
        let scene = scene.with_meshes(given(meshes)?);
        let pool = Pool::of(py, self.threads)?;
        let made =
            pool.run(py, || if self.is_double { scene.bodies::<f64>() } else { scene.bodies::<f32>() });
        let made = made.map_err(|error| error::scene(py, &error, Stage::Build, Some(&scene)))?;
        for (body, built) in made {
            self.change(py, |world| {
                let id = each!(&mut world.any, simulation => simulation.add_body(body))?;
                world.learn(id, built);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Removes a body by its number.
    fn remove_body(&self, py: Python<'_>, body: usize) -> PyResult<()> {
        self.change(py, |world| {
            let id = *world.ids().get(body).ok_or(LiveError::Gone { what: "body" })?;
            each!(&mut world.any, simulation => simulation.remove_body(id)).map(drop)
        })
    }

    fn move_obstacle(
        &self,
        py: Python<'_>,
        obstacle: &PyObstacle,
        by: &Bound<'_, PyAny>,
        rotation: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let obstacle = obstacle.0;
        let (by, rotation) = (vector(by, "by")?, vector(rotation, "rotation")?);
        self.change(
            py,
            |world| each!(&mut world.any, simulation => simulation.move_obstacle(obstacle, by, rotation)),
        )
    }

    fn set_obstacle_velocity(
        &self,
        py: Python<'_>,
        obstacle: &PyObstacle,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
        pivot: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let obstacle = obstacle.0;
        let motion = Motion::Velocity {
            linear: vector(linear, "linear")?,
            angular: vector(angular, "angular")?,
            pivot: vector(pivot, "pivot")?,
        };
        self.change(
            py,
            |world| each!(&mut world.any, simulation => simulation.set_obstacle_motion(obstacle, motion)),
        )
    }

    fn remove_obstacle(&self, py: Python<'_>, obstacle: &PyObstacle) -> PyResult<()> {
        let obstacle = obstacle.0;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.remove_obstacle(obstacle)))
    }

    fn set_force(&self, py: Python<'_>, particle: usize, force: &Bound<'_, PyAny>) -> PyResult<()> {
        let force = vector(force, "force")?;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.set_force(particle, force)))
    }

    fn clear_forces(&self, py: Python<'_>) -> PyResult<()> {
        self.within(py, |world| each!(&mut world.any, simulation => simulation.clear_forces()))
    }

    fn apply_impulse(&self, py: Python<'_>, particle: usize, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let impulse = vector(impulse, "impulse")?;
        self.change(
            py,
            |world| each!(&mut world.any, simulation => simulation.apply_impulse(particle, impulse)),
        )
    }

    #[getter]
    fn gravity(&self, py: Python<'_>) -> PyResult<[f64; 3]> {
        let gravity =
            self.within(py, |world| each!(&world.any, simulation => simulation.settings().gravity))?;
        Ok([gravity.x, gravity.y, gravity.z])
    }

    fn set_gravity(&self, py: Python<'_>, gravity: &Bound<'_, PyAny>) -> PyResult<()> {
        let gravity = vector(gravity, "gravity")?;
        self.change(py, |world| each!(&mut world.any, simulation => simulation.set_gravity(gravity)))
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
    fn substeps(&self, py: Python<'_>) -> PyResult<u32> {
        self.within(py, |world| each!(&world.any, simulation => simulation.settings().substeps))
    }

    fn set_substeps(&self, py: Python<'_>, substeps: u32) -> PyResult<()> {
        self.within(py, |world| each!(&mut world.any, simulation => simulation.set_substeps(substeps)))
    }

    /// Groups of constraints, by name.
    fn groups(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.within(py, |world| each!(&world.any, simulation => simulation.plan().into_iter().map(|group| group.name).collect()))
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

//! [`Jiggle`]: vertices that lag behind and overshoot, as flesh does.
//!
//! Every vertex hangs on a spring from where the deformers below have put it. The default is a damped
//! oscillator, solved exactly for a target that moves along a straight line during the step ([`Spring`]): it
//! is stable for any time step, and the same motion at another frame rate gives the same jiggle. The
//! published form (*Game Physics Pearls*, 2010, ch. 13) is available too:
//!
//! ```text
//! a = (target − last)·k        vel ← (vel + a)·D        last ← last + vel·h
//! ```
//!
//! with D = 0.6, k = 25, h = 1/24 s. Its step is fixed, so its response depends on the frame rate.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use rayon::prelude::*;

use crate::deformer::{Deformer, FrameTime, GRAIN, check_positions};
use crate::error::{BindError, DeformError, check_count, check_length};
use crate::spring::{Spring, Step};

/// How a vertex follows its target.
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// All vertices on the same spring.
    Spring(Spring),
    /// Every vertex on a spring of its own.
    Springs(Vec<Spring>),
    /// As published, one step of the same length per frame, whatever the time between frames.
    Published {
        /// Factor of the velocity D, in [0, 1].
        damping: f64,
        /// Stiffness k, 1/s.
        stiffness: f64,
        /// Step h, s.
        step: f64,
    },
}

impl Response {
    /// The published form with its own defaults: D = 0.6, k = 25, h = 1/24 s.
    #[must_use]
    pub const fn published() -> Self {
        Self::Published { damping: 0.6, stiffness: 25.0, step: 1.0 / 24.0 }
    }
}

impl Default for Response {
    fn default() -> Self {
        Self::Spring(Spring::default())
    }
}

/// How to jiggle.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JiggleSettings {
    /// How vertices follow their targets.
    pub response: Response,
    /// The farthest that a vertex may be from its target, m; none without a limit. There it keeps no velocity
    /// away from the target.
    pub max_stretch: Option<f64>,
}

/// Where a vertex is, and how it moves.
#[derive(Debug, Clone, Copy)]
struct State {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    target: Vector3<f64>,
}

/// The jiggle deformer.
///
/// The first frame, and the first one after a [`reset`](Deformer::reset), is taken to be at rest and its
/// output equals its input. An input that never moves is reproduced bit for bit.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_deform::{Deformer, FrameTime, Jiggle, JiggleSettings, Response};
///
/// let settings = JiggleSettings { response: Response::published(), ..JiggleSettings::default() };
/// let mut jiggle = Jiggle::new(1, settings)?;
/// jiggle.deform(&FrameTime::default(), &mut [Vector3::zeros()])?;
/// let mut x = [Vector3::x()];
/// jiggle.deform(&FrameTime { time: 1.0 / 24.0, dt: 1.0 / 24.0 }, &mut x)?;
/// assert_eq!(x[0].x, 0.625);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Jiggle {
    vertices: usize,
    settings: JiggleSettings,
    state: Option<Vec<State>>,
    /// The maps of the last time step.
    steps: Vec<Step>,
    steps_for: f64,
}

impl Jiggle {
    /// Jiggles so many vertices.
    ///
    /// # Errors
    ///
    /// If a frequency is not positive, a damping negative, a limit negative, or there is not one spring per vertex.
    pub fn new(vertices: usize, settings: JiggleSettings) -> Result<Self, BindError> {
        match &settings.response {
            Response::Spring(spring) => spring.check()?,
            Response::Springs(springs) => {
                check_count("springs of the jiggle", springs.len(), vertices)?;
                for (vertex, spring) in springs.iter().enumerate() {
                    spring.check().map_err(|error| match error {
                        BindError::Number { what, value, range } => {
                            BindError::VertexNumber { what, vertex, value, range }
                        }
                        other => other,
                    })?;
                }
            }
            &Response::Published { damping, stiffness, step } => {
                crate::error::check_share("the damping of the published jiggle", damping)?;
                check_length("the stiffness of the published jiggle", stiffness)?;
                check_length("the step of the published jiggle", step)?;
            }
        }
        if let Some(limit) = settings.max_stretch {
            check_length("the maximum stretch", limit)?;
        }
        Ok(Self { vertices, settings, state: None, steps: Vec::new(), steps_for: f64::NAN })
    }

    /// Jiggles the vertices of a mesh.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn of_mesh(rest: &TriMesh, settings: JiggleSettings) -> Result<Self, BindError> {
        Self::new(rest.positions().len(), settings)
    }

    /// The velocities of the vertices, m/s; none before the first frame.
    #[must_use]
    pub fn velocities(&self) -> Option<Vec<Vector3<f64>>> {
        self.state.as_ref().map(|state| state.iter().map(|s| s.velocity).collect())
    }

    fn plan(&mut self, dt: f64) {
        if self.steps_for.to_bits() != dt.to_bits() {
            self.steps_for = dt;
            self.steps = match &self.settings.response {
                Response::Spring(spring) => vec![spring.step(dt)],
                Response::Springs(springs) => springs.par_iter().map(|spring| spring.step(dt)).collect(),
                Response::Published { .. } => Vec::new(),
            };
        }
    }
}

impl Deformer for Jiggle {
    fn kind(&self) -> &'static str {
        "jiggle"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.vertices)
    }

    fn deform(&mut self, frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        check_positions(positions, self.vertices)?;
        if !(frame.dt >= 0.0 && frame.dt.is_finite()) {
            let range = "it must be finite and not negative";
            return Err(DeformError::Time { what: "time step", value: frame.dt, range });
        }
        self.plan(frame.dt);
        let Some(state) = &mut self.state else {
            let at_rest = |x: &Vector3<f64>| State { position: *x, velocity: Vector3::zeros(), target: *x };
            self.state = Some(positions.iter().map(at_rest).collect());
            return Ok(());
        };
        let (steps, limit) = (&self.steps, self.settings.max_stretch);
        let response = &self.settings.response;
        let follow = |(v, (x, state)): (usize, (&mut Vector3<f64>, &mut State))| {
            let (position, velocity) = match *response {
                Response::Published { damping, stiffness, step } => {
                    let velocity = (state.velocity + (*x - state.position) * stiffness) * damping;
                    (state.position + velocity * step, velocity)
                }
                Response::Spring(_) | Response::Springs(_) => {
                    let step = if steps.len() == 1 { &steps[0] } else { &steps[v] };
                    let [position, velocity] =
                        step.follow([state.position, state.velocity], &state.target, x);
                    (position, velocity)
                }
            };
            let target_velocity =
                if frame.dt > 0.0 { (*x - state.target) / frame.dt } else { Vector3::zeros() };
            *state = State { position, velocity, target: *x };
            if let Some(limit) = limit {
                hold(state, limit, &target_velocity);
            }
            *x = state.position;
        };
        positions.par_iter_mut().zip(state).with_min_len(GRAIN).enumerate().for_each(follow);
        Ok(())
    }

    fn reset(&mut self) {
        self.state = None;
    }
}

/// Brings a vertex back to within `limit` of its target, without the velocity that would take it out again.
fn hold(state: &mut State, limit: f64, target_velocity: &Vector3<f64>) {
    let away = state.position - state.target;
    let distance = away.norm();
    if distance > limit {
        let outwards = away / distance;
        state.position = state.target + outwards * limit;
        let speed = (state.velocity - target_velocity).dot(&outwards);
        if speed > 0.0 {
            state.velocity -= outwards * speed;
        }
    }
}

//! [`Simulation`]: a world, and the passes that step it.

mod chosen;
mod paced;
mod pinched;

use std::ops::Deref;
use std::sync::OnceLock;

use pliant_kernel::{Scalar, Team};

use crate::describe::collide::PinchResponse;
use crate::describe::motion::Motion;
use crate::describe::settings::Method;
use crate::error::StepError;
use crate::error::motion::MotionError;
use crate::pass::{NonFinite, Pass};
use crate::passes::{PassError, Passes};
use crate::world::World;

/// A simulation ready to be stepped, its state stored in the scalar `T` (by default `f32`).
///
/// The state depends only on the scene and its settings: the same scene gives the same bits for every number
/// of threads, on every run. Work is spread over the rayon pool in which [`step`](Simulation::step) is
/// called. Queries of the state (positions, plans, multipliers) are methods of its [`World`].
pub struct Simulation<T: Scalar = f32> {
    pub(crate) world: World<T>,
    passes: Passes<T>,
}

impl<T: Scalar> Deref for Simulation<T> {
    type Target = World<T>;

    fn deref(&self) -> &World<T> {
        &self.world
    }
}

impl<T: Scalar> std::fmt::Debug for Simulation<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.world.fmt(f)
    }
}

impl<T: Scalar> Simulation<T> {
    /// A world with the passes that its settings need.
    pub(crate) fn new(world: World<T>) -> Self {
        Self { passes: Passes::new(&world), world }
    }

    /// The names of the passes of a substep, in their order; those of an iteration are listed once.
    #[must_use]
    pub fn substep(&self) -> Vec<String> {
        self.passes.names(&self.world)
    }

    pub(crate) fn advance_here(&mut self, dt: f64) -> Result<(), StepError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError::TimeStep { dt });
        }
        match self.world.settings.motion_limit {
            None => self.advance_or_respond(dt),
            Some(_) => self.advance_paced(dt),
        }
    }

    /// Steps by `dt`, s, and responds to what is pinched.
    fn advance_or_respond(&mut self, dt: f64) -> Result<(), StepError> {
        match self.world.settings.pinch {
            PinchResponse::Report => self.advance_by_method(dt),
            PinchResponse::Substep => self.advance_divided(dt),
            PinchResponse::Stop => self.advance_or_stop(dt),
        }
    }

    fn advance_by_method(&mut self, dt: f64) -> Result<(), StepError> {
        match self.world.settings.method {
            Method::Auto => self.advance_by_choice(dt),
            _ => self.advance_in(dt, self.world.settings.substeps),
        }
    }

    /// Steps by `dt`, s, divided into this many substeps.
    fn advance_in(&mut self, dt: f64, substeps: u32) -> Result<(), StepError> {
        let Self { world, passes } = self;
        world.begin_frame(dt);
        let h = dt / f64::from(substeps);
        world.last_h = h;
        world.last_substeps = substeps;
        Team::form(world.threads(), |team| passes.walk(world, h, substeps, team)).map_err(
            |(NonFinite(vertex), substep)| {
                let (body, vertex) = world.locate(vertex);
                let element = world.fine.first_non_finite();
                StepError::NonFinite { frame: world.frame + 1, substep, body, vertex, element }
            },
        )?;
        world.time += dt;
        world.frame += 1;
        Ok(())
    }

    pub(crate) fn refit_here(&mut self) {
        self.passes.refit(&self.world);
    }

    pub(crate) fn insert_here(&mut self, after: &str, pass: Box<dyn Pass<T>>) -> Result<(), PassError> {
        self.passes.insert(after, pass, &self.world)?;
        self.world.has_forces = true;
        Ok(())
    }

    /// Divides the frames that follow into another number of substeps; zero counts as one. With
    /// [`Method::Auto`] it is the fewest substeps of sweeps.
    pub fn set_substeps(&mut self, substeps: u32) {
        self.world.settings.substeps = substeps.max(1);
    }

    /// Gives a pin another motion, from the next substep on.
    ///
    /// # Errors
    ///
    /// If the motion is invalid.
    ///
    /// # Panics
    ///
    /// If there is no such pin.
    pub fn set_motion(&mut self, pin: usize, motion: Motion) -> Result<(), MotionError> {
        let held = &mut self.world.kinematics.pins[pin];
        if let Some(problem) = motion.problem(Some(held.particles.len())) {
            return Err(problem);
        }
        held.give(motion);
        held.goal = None;
        self.world.live.touched = true;
        self.world.driven = OnceLock::new();
        Ok(())
    }
}

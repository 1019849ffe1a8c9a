//! [`Simulation`]: particles, constraints and time.
//!
//! A substep is a list of [passes](Pass): move the pins, predict, set the multipliers to zero; then, once per iteration, sweep over the groups and the
//! contacts; then derive the velocities. Building the simulation decides the list, stepping only walks it.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{Update, iteration_independent_stiffness, splat_vector};
use rayon::prelude::*;

use crate::assembly::{Part, TARGETS};
use crate::constraints::{Constraints, PlanContext, Response};
use crate::contact::Contacts;
use crate::damping;
use crate::error::StepError;
use crate::float::Float;
use crate::group::Group;
use crate::hash;
use crate::kernel::Sweep;
use crate::kinematics::Kinematics;
use crate::motion::Motion;
use crate::particles::{Particles, widen};
use crate::settings::{Multiplier, PredictionBounds, Settings};
use crate::wind::WindField;

/// Particles handled by one task, and constraints below which one thread is faster than two.
const CHUNK: usize = 4096;
const PARALLEL_FROM: usize = 20_000;

/// A simulation ready to be stepped, its state stored in the scalar `T` (by default `f32`).
///
/// The state depends on the scene and its settings alone: the same scene gives the same bits for every number of threads, on every run. Work is spread
/// over the rayon pool in which [`step`](Simulation::step) is called.
pub struct Simulation<T: Float = f32> {
    pub(crate) particles: Particles<T>,
    pub(crate) groups: Vec<RunningGroup<T>>,
    pub(crate) contacts: Contacts<T>,
    pub(crate) parts: Vec<Part>,
    pub(crate) settings: Settings,
    kinematics: Kinematics,
    pin_version: u64,
    wind: Option<WindField<T>>,
    passes: Passes,
    pub(crate) time: f64,
    pub(crate) frame: u64,
    /// Length of the last substep, s; zero before the first.
    pub(crate) last_h: f64,
}

/// A group of constraints with what its sweeps need.
pub(crate) struct RunningGroup<T: Float> {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) group: Box<dyn Group<T>>,
    update: Update<T>,
}

impl<T: Float> RunningGroup<T> {
    pub(crate) fn new(constraints: &Constraints, context: &PlanContext<'_>, settings: &Settings) -> Self {
        let update = match (constraints.response(), settings.multiplier) {
            (Response::Pbd { stiffness, iteration_independent }, _) => {
                let n = if iteration_independent { settings.iterations } else { 1 };
                Update::pbd(T::splat(iteration_independent_stiffness(stiffness, n)))
            }
            (Response::Compliant, Multiplier::Accumulated) => Update::xpbd(),
            (Response::Compliant, Multiplier::Forgotten) => Update::without_multiplier(),
        };
        Self {
            name: constraints.name().to_owned(),
            unit: constraints.unit(),
            group: constraints.plan(context),
            update: update.with_gradient_floor(T::splat(constraints.gradient_floor())),
        }
    }
}

/// One thing that a substep does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Move pins and obstacles to the end of the substep.
    Move,
    /// Let forces act and predict positions.
    Predict,
    /// Set the multipliers to zero.
    Reset,
    /// Project every constraint of a group once.
    Sweep(usize),
    /// Project every particle out of the obstacles.
    Contacts,
    /// Derive velocities from positions.
    Velocity,
    /// Damp motion that is not rigid.
    Damp,
}

/// The passes of a substep.
#[derive(Debug, Clone)]
struct Passes {
    before: Vec<Pass>,
    iteration: Vec<Pass>,
    after: Vec<Pass>,
}

impl Passes {
    fn new(groups: usize, contacts: bool, settings: &Settings) -> Self {
        let mut iteration: Vec<Pass> = (0..groups).map(Pass::Sweep).collect();
        if contacts {
            iteration.push(Pass::Contacts);
        }
        let mut after = vec![Pass::Velocity];
        if settings.damping > 0.0 {
            after.push(Pass::Damp);
        }
        Self { before: vec![Pass::Move, Pass::Predict, Pass::Reset], iteration, after }
    }
}

/// The plan of a group, for inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPlan {
    /// Name of the group.
    pub name: String,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of those that act on a particle that can move.
    pub active: usize,
    /// Number of active constraints of each colour; a single number when the order is sequential.
    pub colour_sizes: Vec<usize>,
}

impl<T: Float> std::fmt::Debug for Simulation<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scalar", &T::NAME)
            .field("particles", &self.particles.len())
            .field("groups", &self.plan())
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl<T: Float> Simulation<T> {
    pub(crate) fn new(
        particles: Particles<T>,
        groups: Vec<RunningGroup<T>>,
        kinematics: Kinematics,
        contacts: Contacts<T>,
        wind: Option<WindField<T>>,
        parts: Vec<Part>,
        settings: Settings,
    ) -> Self {
        let passes = Passes::new(groups.len(), !contacts.is_empty(), &settings);
        Self {
            particles,
            groups,
            contacts,
            parts,
            settings,
            kinematics,
            pin_version: 0,
            wind,
            passes,
            time: 0.0,
            frame: 0,
            last_h: 0.0,
        }
    }

    /// Steps by `dt`, s, divided into the substeps of the settings, without looking at the result.
    ///
    /// # Errors
    ///
    /// If `dt` is not a positive number, or a position or velocity becomes infinite or NaN.
    pub fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError::TimeStep { dt });
        }
        let h = dt / f64::from(self.settings.substeps);
        for substep in 1..=self.settings.substeps {
            let end = self.time + f64::from(substep) * h;
            self.substep(h, end).map_err(|vertex| self.non_finite(vertex, substep))?;
        }
        self.time += dt;
        self.frame += 1;
        self.last_h = h;
        Ok(())
    }

    /// One substep of length `h` that ends at the time `end`; the error is a particle that is not finite.
    fn substep(&mut self, h: f64, end: f64) -> Result<(), usize> {
        self.last_h = h;
        let Passes { before, iteration, after } = self.passes.clone();
        for pass in before {
            self.run(pass, h, end)?;
        }
        for _ in 0..self.settings.iterations {
            for &pass in &iteration {
                self.run(pass, h, end)?;
            }
        }
        after.into_iter().try_for_each(|pass| self.run(pass, h, end))
    }

    fn run(&mut self, pass: Pass, h: f64, end: f64) -> Result<(), usize> {
        let parallel = rayon::current_num_threads() > 1;
        match pass {
            Pass::Move => self.move_held(h, end),
            Pass::Predict => self.predict(h, parallel),
            Pass::Reset => {
                for running in &mut self.groups {
                    running.group.reset(parallel && running.group.active() >= PARALLEL_FROM);
                }
            }
            Pass::Sweep(i) => {
                let running = &mut self.groups[i];
                let parallel = parallel && running.group.active() >= PARALLEL_FROM;
                let sweep = Sweep { inverse_h2: T::splat(1.0 / (h * h)), update: running.update, parallel };
                running.group.sweep(&mut self.particles.now, sweep);
            }
            Pass::Contacts => {
                self.contacts.solve(&mut self.particles.now, &self.particles.previous, parallel);
            }
            Pass::Velocity => return self.derive_velocities(h, parallel),
            Pass::Damp => {
                let amount = 1.0 - libm::exp(-self.settings.damping * h);
                for part in &self.parts {
                    damping::damp(&mut self.particles, part.particles.clone(), amount);
                }
            }
        }
        Ok(())
    }

    fn move_held(&mut self, h: f64, end: f64) {
        // A pin lets go at the start of the first substep that begins at or after its time.
        if self.kinematics.release_due(end - 0.5 * h) {
            self.repin();
        }
        self.kinematics.move_held(end, h, &mut self.particles);
        if let Some(targets) = self.groups.iter_mut().find(|running| running.name == TARGETS) {
            for (constraint, target) in self.kinematics.moving_targets(end) {
                targets.group.set_rest(constraint, target.as_slice());
            }
        }
        self.contacts.begin(end);
    }

    /// Gives the particles the weights that the pins leave them, and plans the constraints anew.
    fn repin(&mut self) {
        self.kinematics.apply_weights(&mut self.particles);
        for running in &mut self.groups {
            if running.name == TARGETS {
                for pin in self.kinematics.pins.iter().filter(|pin| pin.released) {
                    if let Some(first) = pin.targets {
                        running.group.disable(first..first + pin.particles.len());
                    }
                }
            }
            running.group.replan(&self.particles.now);
        }
        self.pin_version += 1;
    }

    fn predict(&mut self, h: f64, parallel: bool) {
        if let (Some(field), Some(wind)) = (&mut self.wind, &self.settings.wind) {
            field.apply(wind, h, &mut self.particles);
        }
        let dv = splat_vector::<T>(&(self.settings.gravity * h));
        let step = T::splat(h);
        let bounds = Bounds::new(&self.settings.prediction_bounds);
        let Particles { now, previous, velocity, .. } = &mut self.particles;
        let one = |((p, previous), velocity): (
            (&mut crate::particles::Particle<T>, &mut Vector3<T>),
            &mut Vector3<T>,
        )| {
            if p.w > T::zero() {
                *velocity += dv;
                *previous = p.x;
                p.x = bounds.apply(p.x + *velocity * step, previous);
            }
        };
        if parallel && now.len() > CHUNK {
            now.par_iter_mut()
                .zip(previous.par_iter_mut())
                .zip(velocity.par_iter_mut())
                .with_min_len(CHUNK)
                .for_each(one);
        } else {
            now.iter_mut().zip(previous.iter_mut()).zip(velocity.iter_mut()).for_each(one);
        }
    }

    fn derive_velocities(&mut self, h: f64, parallel: bool) -> Result<(), usize> {
        let inverse_h = T::splat(1.0 / h);
        let keep = T::splat(libm::exp(-self.settings.drag * h));
        let gravity = self.settings.gravity.dot(&self.settings.gravity).sqrt();
        // Slower impacts are the weight of a body at rest (Müller et al. 2020, section 3.6).
        let rest_speed = T::splat(2.0 * gravity * h);
        let contacts = self.contacts.bounces().then_some(&self.contacts);
        let Particles { now, previous, velocity, .. } = &mut self.particles;
        let one = |first: usize, velocity: &mut [Vector3<T>]| {
            let mut finite = true;
            for (i, velocity) in (first..).zip(velocity) {
                let p = &now[i];
                if p.w > T::zero() {
                    let mut v = (p.x - previous[i]) * inverse_h;
                    if let Some(contacts) = contacts {
                        v = contacts.bounce(i, &p.x, velocity, v, rest_speed, inverse_h);
                    }
                    *velocity = v * keep;
                    finite &= v.x.is_finite() && v.y.is_finite() && v.z.is_finite();
                }
            }
            finite
        };
        let finite = if parallel && now.len() > CHUNK {
            velocity
                .par_chunks_mut(CHUNK)
                .enumerate()
                .map(|(k, chunk)| one(k * CHUNK, chunk))
                .reduce(|| true, |a, b| a && b)
        } else {
            one(0, velocity)
        };
        if finite {
            return Ok(());
        }
        let bad = velocity.iter().position(|v| !v.iter().all(|c| c.is_finite()));
        Err(bad.unwrap_or_default())
    }

    fn non_finite(&self, vertex: usize, substep: u32) -> StepError {
        let (body, vertex) = self.locate(vertex);
        let element = self.groups.iter().find_map(|running| {
            let constraint = running.group.first_non_finite(&self.particles.now)?;
            Some((running.name.clone(), constraint))
        });
        StepError::NonFinite { frame: self.frame + 1, substep, body, vertex, element }
    }

    /// Name of the body that holds a particle, and the particle's number in it.
    fn locate(&self, particle: usize) -> (String, usize) {
        let part = self.parts.iter().find(|part| part.particles.contains(&particle));
        part.map_or_else(
            || (String::new(), particle),
            |part| (part.name.clone(), particle - part.particles.start),
        )
    }

    /// The bodies: names and ranges of particles.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// Whether there are no particles; never true for a simulation that was built.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions of all particles, m.
    #[must_use]
    pub fn positions(&self) -> Vec<Vector3<f64>> {
        self.positions_of(0..self.len())
    }

    /// Positions of a range of particles, such as a [`Part`]'s, m.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles.
    #[must_use]
    pub fn positions_of(&self, particles: Range<usize>) -> Vec<Vector3<f64>> {
        self.particles.now[particles].iter().map(|p| widen(&p.x)).collect()
    }

    /// Velocities of all particles, m/s.
    #[must_use]
    pub fn velocities(&self) -> Vec<Vector3<f64>> {
        self.velocities_of(0..self.len())
    }

    /// Velocities of a range of particles, m/s.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles.
    #[must_use]
    pub fn velocities_of(&self, particles: Range<usize>) -> Vec<Vector3<f64>> {
        self.particles.velocity[particles].iter().map(widen).collect()
    }

    /// Inverse masses, 1/kg; zero for a particle that is fixed or held by a pin.
    #[must_use]
    pub fn inverse_masses(&self) -> Vec<f64> {
        self.particles.now.iter().map(|p| p.w.to_f64()).collect()
    }

    /// Time simulated, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Number of steps taken.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The plan of every group, in the order in which they are solved.
    #[must_use]
    pub fn plan(&self) -> Vec<GroupPlan> {
        let of = |running: &RunningGroup<T>| GroupPlan {
            name: running.name.clone(),
            constraints: running.group.len(),
            active: running.group.active(),
            colour_sizes: running.group.colour_sizes(),
        };
        self.groups.iter().map(of).collect()
    }

    /// The multipliers λ of a group after the last substep, row after row, in the order in which the constraints were given.
    #[must_use]
    pub fn multipliers(&self, group: &str) -> Option<Vec<f64>> {
        self.groups.iter().find(|running| running.name == group).map(|running| running.group.multipliers())
    }

    /// A number that is equal for two states only if every bit of positions and velocities is equal.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let n = self.len();
        let positions = hash::fold(0, n, |i| self.particles.now[i].x);
        hash::fold(positions, n, |i| self.particles.velocity[i])
    }

    /// Lets a pin go at once; pins are counted in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no such pin.
    pub fn release(&mut self, pin: usize) {
        if !std::mem::replace(&mut self.kinematics.pins[pin].released, true) {
            self.repin();
        }
    }

    /// Gives a pin another motion, from the next substep on.
    ///
    /// # Errors
    ///
    /// What is wrong with the motion.
    ///
    /// # Panics
    ///
    /// If there is no such pin.
    pub fn set_motion(&mut self, pin: usize, motion: Motion) -> Result<(), crate::BuildError> {
        let held = &mut self.kinematics.pins[pin];
        if let Some(problem) = motion.problem(Some(held.particles.len())) {
            return Err(crate::BuildError::Motion { of: format!("pin {pin}"), problem });
        }
        held.motion = motion;
        Ok(())
    }

    /// Changes whenever a pin lets go: what was derived from the set of pins is then out of date.
    #[must_use]
    pub fn pin_version(&self) -> u64 {
        self.pin_version
    }
}

/// Prediction bounds in the scalar of the simulation.
enum Bounds<T: Float> {
    None,
    Floor,
    Box(Vector3<T>, Vector3<T>),
}

impl<T: Float> Bounds<T> {
    fn new(bounds: &PredictionBounds) -> Self {
        match bounds {
            PredictionBounds::None => Self::None,
            PredictionBounds::Floor => Self::Floor,
            PredictionBounds::Box { min, max } => Self::Box(splat_vector(min), splat_vector(max)),
        }
    }

    #[inline(always)]
    fn apply(&self, x: Vector3<T>, previous: &Vector3<T>) -> Vector3<T> {
        match self {
            Self::Floor if x.y < T::zero() => Vector3::new(previous.x, T::zero(), previous.z),
            Self::None | Self::Floor => x,
            Self::Box(min, max) => x.zip_zip_map(min, max, |x, min, max| x.max(min).min(max)),
        }
    }
}

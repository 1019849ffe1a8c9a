//! A substep is a list of [passes](Pass): move the pins, predict, set the multipliers to zero; then, once per iteration, sweep over the groups and the
//! contacts; then derive the velocities. Building the simulation decides the list, stepping only walks it.

use std::time::Instant;

use crate::damping;
use crate::error::StepError;
use crate::float::Float;
use crate::integrate::{Impulse, derive_velocities, predict};
use crate::kernel::{Simd, Sweep};
use crate::settings::{Lanes, Settings};
use crate::simulation::Simulation;

/// Constraints below which one thread is faster than two.
const PARALLEL_FROM: usize = 20_000;

/// One thing that a substep does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
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
pub(crate) struct Passes {
    before: Vec<Pass>,
    iteration: Vec<Pass>,
    after: Vec<Pass>,
}

impl Passes {
    pub(crate) fn new(groups: usize, contacts: bool, settings: &Settings) -> Self {
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

impl<T: Float> Simulation<T> {
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
        for i in 0..self.passes.before.len() {
            self.run(self.passes.before[i], h, end)?;
        }
        for _ in 0..self.settings.iterations {
            for i in 0..self.passes.iteration.len() {
                self.run(self.passes.iteration[i], h, end)?;
            }
        }
        (0..self.passes.after.len()).try_for_each(|i| self.run(self.passes.after[i], h, end))
    }

    fn run(&mut self, pass: Pass, h: f64, end: f64) -> Result<(), usize> {
        let parallel = rayon::current_num_threads() > 1;
        match pass {
            Pass::Move => self.move_held(h, end),
            Pass::Predict => {
                if let (Some(field), Some(wind)) = (&mut self.wind, &self.settings.wind) {
                    field.apply(wind, h, &mut self.particles);
                }
                let Settings { gravity, prediction_bounds, .. } = &self.settings;
                predict(&mut self.particles, gravity, prediction_bounds, h, parallel);
            }
            Pass::Reset => {
                for running in &mut self.groups {
                    running.group.reset(parallel && running.group.active() >= PARALLEL_FROM);
                }
            }
            Pass::Sweep(i) => {
                let running = &mut self.groups[i];
                let parallel = parallel && running.group.active() >= PARALLEL_FROM;
                let simd = match self.settings.lanes {
                    Lanes::Auto => Simd::detect(),
                    Lanes::Portable => Simd::portable(),
                };
                let sweep =
                    Sweep { inverse_h2: T::splat(1.0 / (h * h)), update: running.update, parallel, simd };
                let start = Instant::now();
                running.group.sweep(&mut self.particles.now, sweep);
                running.time += start.elapsed();
            }
            Pass::Contacts => {
                self.contacts.solve(&mut self.particles.now, &self.particles.previous, parallel);
            }
            Pass::Velocity => {
                let gravity = self.settings.gravity.dot(&self.settings.gravity).sqrt();
                let impulse = Impulse {
                    bounces: self.contacts.bounces().then_some(&self.contacts),
                    // Slower impacts are the weight of a body at rest (Müller et al. 2020, section 3.6).
                    rest_speed: 2.0 * gravity * h,
                    keep: libm::exp(-self.settings.drag * h),
                };
                return derive_velocities(&mut self.particles, &impulse, h, parallel);
            }
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
        if let Some(targets) = self.targets.map(|i| &mut self.groups[i]) {
            for (constraint, target) in self.kinematics.moving_targets(end) {
                targets.group.set_rest(constraint, target.as_slice());
            }
        }
        self.contacts.begin(end);
    }

    /// Gives the particles the weights that the pins leave them, and plans the constraints anew.
    pub(crate) fn repin(&mut self) {
        self.kinematics.apply_weights(&mut self.particles);
        let let_go: Vec<_> = self.kinematics.released_targets().collect();
        for (i, running) in self.groups.iter_mut().enumerate() {
            let without: &[_] = if self.targets == Some(i) { &let_go } else { &[] };
            running.group.replan(&self.particles.now, without);
        }
        self.pin_version += 1;
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
        let particle = self.caller(particle);
        let part = self.parts.iter().find(|part| part.particles.contains(&particle));
        part.map_or_else(
            || (String::new(), particle),
            |part| (part.name.clone(), particle - part.particles.start),
        )
    }
}

//! A substep is a list of [passes](Pass): move the pins, predict; then, once per iteration, sweep over the groups and the
//! contacts; then derive the velocities. Building the simulation decides the list, stepping only walks it.
//!
//! Between two substeps of a frame, deriving the velocities of one and predicting the next is a single walk over the particles, wherever that gives the same bits.

use std::sync::OnceLock;
use std::time::Instant;

use pliant_kernel::{Particles, Simd, Sweep, Team};

use crate::contact::Contacts;
use crate::damping;
use crate::direction::is_backward;
use crate::error::StepError;
use crate::guard::{Guard, LOOK_EVERY};
use crate::integrate::{
    Walker, derive_and_predict, derive_bouncing_velocities, derive_velocities, predict, step,
};
use crate::settings::{Lanes, PredictionBounds, Settings, SweepOrder};
use crate::simulation::Simulation;
use crate::watch::Watch;
use pliant_kernel::Scalar;

/// Constraints for which one more thread pays.
const WORK_PER_THREAD: usize = 10_000;

/// One thing that a substep does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Move pins and obstacles to the end of the substep.
    Move,
    /// Let forces act and predict positions.
    Predict,
    /// Project every constraint of a group once.
    Sweep(usize),
    /// Project every particle out of the obstacles.
    Contacts,
    /// Open the tetrahedra that are in danger of turning inside out, and project their particles out of the obstacles.
    Guard,
    /// Derive velocities from positions.
    Velocity,
    /// Derive velocities, and predict the substep that follows.
    VelocityAndPredict,
    /// Damp motion that is not rigid.
    Damp,
}

/// The passes of a substep.
#[derive(Debug, Clone)]
pub(crate) struct Passes {
    before: Vec<Pass>,
    iteration: Vec<Pass>,
    /// The passes of an iteration whose sweeps go backward.
    turned: Vec<Pass>,
    after: Vec<Pass>,
    /// What may take the place of `after` and the `before` of the substep that follows.
    between: Option<Vec<Pass>>,
}

impl Passes {
    pub(crate) fn new<T: Scalar>(
        groups: usize,
        contacts: &Contacts<T>,
        guard: &Guard,
        settings: &Settings,
    ) -> Self {
        let mut iteration: Vec<Pass> = (0..groups).map(Pass::Sweep).collect();
        if !contacts.is_empty() {
            iteration.push(Pass::Contacts);
        }
        if !guard.is_empty() {
            iteration.push(Pass::Guard);
        }
        let mut after = vec![Pass::Velocity];
        if settings.damping > 0.0 {
            after.push(Pass::Damp);
        }
        let nothing_between = after.len() == 1
            && !contacts.bounces()
            && settings.wind.is_none()
            && settings.prediction_bounds == PredictionBounds::None;
        Self {
            before: vec![Pass::Move, Pass::Predict],
            turned: turn_sweeps(&iteration),
            iteration,
            after,
            between: nothing_between.then(|| vec![Pass::Move, Pass::VelocityAndPredict]),
        }
    }
}

/// The sweeps in the opposite order, all else where it was.
fn turn_sweeps(passes: &[Pass]) -> Vec<Pass> {
    let is_sweep = |pass: &&Pass| matches!(pass, Pass::Sweep(_));
    let mut sweeps = passes.iter().rev().filter(is_sweep);
    passes
        .iter()
        .filter_map(|pass| if is_sweep(&pass) { sweeps.next() } else { Some(pass) })
        .copied()
        .collect()
}

/// A substep at work.
#[derive(Clone, Copy)]
struct Now<'a> {
    /// Length, s.
    h: f64,
    /// Time at its end, s.
    end: f64,
    /// First and last iteration.
    first: bool,
    last: bool,
    /// Whether sweeps go backward.
    backward: bool,
    /// Whether it is the last substep of a frame.
    keep: bool,
    /// Whether the guard looks for the elements in danger anew.
    look: bool,
    simd: Simd,
    team: Team<'a>,
}

impl<T: Scalar> Simulation<T> {
    pub(crate) fn advance_here(&mut self, dt: f64) -> Result<(), StepError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(StepError::TimeStep { dt });
        }
        let threads = self.threads();
        let h = dt / f64::from(self.settings.substeps);
        self.last_h = h;
        Team::form(threads, |team| self.substeps(h, team))
            .map_err(|(vertex, substep)| self.non_finite(vertex, substep))?;
        self.time += dt;
        self.frame += 1;
        Ok(())
    }

    /// Number of threads that the constraints keep busy.
    pub(crate) fn threads(&self) -> usize {
        let work: usize = self.groups.iter().map(|running| running.group.active()).sum();
        rayon::current_num_threads().min(work / WORK_PER_THREAD)
    }

    /// Whether something asks for positions at the start of the last substep when it is over, or predictions are not what velocities say.
    fn needs_previous(&self) -> bool {
        let damped = self.groups.iter().any(|running| running.gamma(1.0) > T::zero());
        damped || self.settings.prediction_bounds != PredictionBounds::None
    }

    /// The instructions that the settings allow.
    pub(crate) fn simd(&self) -> Simd {
        match self.settings.lanes {
            Lanes::Auto => Simd::detect(),
            Lanes::Portable => Simd::portable(),
        }
    }

    /// The substeps of a frame, each of length `h`, s; the error is a particle that is not finite, and the substep.
    fn substeps(&mut self, h: f64, team: Team<'_>) -> Result<(), (usize, u32)> {
        let Settings { substeps, iterations, seed, .. } = self.settings;
        let order = self.sweep_order(h);
        let simd = self.simd();
        let mut predicted = false;
        for substep in 1..=substeps {
            let keep = substep == substeps;
            let end = self.time + f64::from(substep) * h;
            let look = (substep - 1).is_multiple_of(LOOK_EVERY);
            let now = Now { h, end, first: false, last: false, backward: false, keep, look, simd, team };
            let failed = |vertex| (vertex, substep);
            if !predicted {
                self.walk(|passes| &passes.before, now).map_err(failed)?;
            }
            let needs_previous = self.needs_previous();
            if let Some(watch) = &mut self.watch
                && keep
            {
                watch.predict(&self.particles, needs_previous);
            }
            let symmetric = order == SweepOrder::Symmetric;
            let backward = order == SweepOrder::Random && is_backward(seed, self.frame, substep - 1);
            for iteration in 1..=iterations {
                let (first, last) = (iteration == 1, iteration == iterations);
                let there = Now { first, last: last && !symmetric, backward, ..now };
                self.iterate(there).map_err(failed)?;
                if symmetric {
                    self.iterate(Now { first: false, last, backward: true, ..now }).map_err(failed)?;
                }
            }
            let next = Now { end: end + h, ..now };
            // A pin that lets go changes the weights between the two substeps.
            predicted =
                !keep && self.passes.between.is_some() && !self.kinematics.will_release(release_time(next));
            if predicted {
                self.walk(|passes| passes.between.as_deref().unwrap_or_default(), next).map_err(failed)?;
            } else {
                self.walk(|passes| &passes.after, now).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Projects everything once.
    fn iterate(&mut self, now: Now<'_>) -> Result<(), usize> {
        self.walk(|passes| if now.backward { &passes.turned } else { &passes.iteration }, now)
    }

    fn walk(&mut self, list: impl Fn(&Passes) -> &[Pass], now: Now<'_>) -> Result<(), usize> {
        (0..list(&self.passes).len()).try_for_each(|i| self.run(list(&self.passes)[i], now))
    }

    fn run(&mut self, pass: Pass, now: Now<'_>) -> Result<(), usize> {
        let Now { h, end, first, last, backward, keep, look, simd, team } = now;
        let walker = Walker { simd, team };
        let Settings { gravity, prediction_bounds, drag, .. } = &self.settings;
        let leave = keep && self.watch.as_ref().is_some_and(|watch| watch.predicted.is_empty());
        let numbers = || step(gravity, h, libm::exp(-drag * h), leave);
        let is_open = self.measures_pins() && self.watch.as_ref().is_some_and(Watch::is_open);
        let pin_work = match pass {
            // The substep that has been solved ends where the next one begins.
            Pass::Move if is_open => self.pin_work(end - h, h),
            Pass::Velocity if is_open => self.pin_work(end, h),
            _ => 0.0,
        };
        if let (Some(watch), Pass::Move | Pass::Velocity) = (&mut self.watch, pass) {
            watch.settle(&self.contacts, &self.particles, gravity, h, pin_work);
        }
        match pass {
            Pass::Move => self.move_held(now),
            Pass::Predict => {
                if let (Some(field), Some(wind)) = (&mut self.wind, &self.settings.wind) {
                    let work = field.apply(wind, h, &mut self.particles, self.watch.is_some());
                    if let Some(watch) = &mut self.watch {
                        watch.wind_work += work;
                    }
                }
                predict(&mut self.particles, numbers(), prediction_bounds, walker);
            }
            Pass::Sweep(i) => {
                // The work of pins is made of the multipliers of every substep.
                let keep = keep || self.measures_pins();
                let running = &mut self.groups[i];
                let inverse_h2 = T::splat(1.0 / (h * h));
                let sweep = Sweep {
                    inverse_h2,
                    update: running.update,
                    gamma: running.gamma(h),
                    first,
                    last,
                    keep,
                    backward,
                    simd,
                };
                let start = Instant::now();
                running.group.sweep(&mut self.particles.now, &self.particles.previous, sweep, team);
                running.time += start.elapsed();
            }
            Pass::Contacts => {
                self.contacts.solve(&mut self.particles.now, &self.particles.previous, team);
            }
            Pass::Guard => {
                let Particles { now, previous, .. } = &mut self.particles;
                if look && first {
                    self.guard.look(now, team);
                }
                self.guard.solve(now, previous, &mut self.contacts);
            }
            Pass::Velocity if self.contacts.bounces() => {
                // Slower impacts are the weight of a body at rest (Müller et al. 2020, section 3.6).
                let rest_speed = 2.0 * gravity.dot(gravity).sqrt() * h;
                let step = numbers();
                let given = derive_bouncing_velocities(
                    &mut self.particles,
                    step,
                    &self.contacts,
                    rest_speed,
                    walker,
                )?;
                if let Some(watch) = &mut self.watch {
                    watch.contact_work += given;
                }
            }
            Pass::Velocity => return derive_velocities(&mut self.particles, numbers(), walker),
            Pass::VelocityAndPredict => return derive_and_predict(&mut self.particles, numbers(), walker),
            Pass::Damp => {
                let amount = 1.0 - libm::exp(-self.settings.damping * h);
                for part in &self.parts {
                    damping::damp(&mut self.particles, part.particles.clone(), amount);
                }
            }
        }
        Ok(())
    }

    fn move_held(&mut self, now: Now<'_>) {
        let Now { h, end, .. } = now;
        if let Some(watch) = &mut self.watch {
            watch.begin();
        }
        if self.kinematics.release_due(release_time(now)) {
            self.repin();
        }
        self.kinematics.move_held(end, h, &mut self.particles);
        for (group, constraint, target) in self.kinematics.moving_targets(end) {
            self.groups[group].group.set_rest(constraint, target.as_slice());
        }
        if let Some(tethers) = &mut self.tethers {
            tethers.follow(&self.particles, &mut self.groups);
        }
        self.contacts.begin(end);
        self.guard.begin();
    }

    /// Gives the particles the weights that the pins leave them, and plans the constraints anew.
    pub(crate) fn repin(&mut self) {
        self.kinematics.apply_weights(&mut self.particles);
        for (i, running) in self.groups.iter_mut().enumerate() {
            let let_go: Vec<_> = self.kinematics.released_targets(i).collect();
            running.group.replan(&self.particles.now, &let_go);
        }
        self.tie_tethers();
        self.pin_version += 1;
        self.tied = OnceLock::new();
        self.drive = OnceLock::new();
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

/// A pin lets go at the start of the first substep that begins at or after its time: those before this time, s, do.
fn release_time(now: Now<'_>) -> f64 {
    now.end - 0.5 * now.h
}

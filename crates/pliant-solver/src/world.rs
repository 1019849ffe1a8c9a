//! [`World`]: particles, constraints and time, on which the passes of a substep act.

mod held;
mod monitored;
pub(crate) mod obstacles;
mod pin_work;
mod sewn;
mod surfaces;
mod touch;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use nalgebra::Vector3;
use pliant_kernel::{Particles, Scalar, Simd, State, Team};

use crate::auto::{Auto, Choice};
use crate::body_range::BodyRange;
use crate::build::softness::Softness;
use crate::coarse::Coarse;
use crate::describe::book::PredictionBounds;
use crate::describe::scene::Scene;
use crate::describe::settings::{Method, Settings};
use crate::describe::sweep_order::{SweepOrder, Volumes};
use crate::level::{GroupPlan, Level, RunningSet};
use crate::live::state::{Cue, Live};
use crate::newton::Newton;
use crate::observe::driven::Driven;
use crate::observe::monitor::Monitor;
use crate::passes::kinematics::Kinematics;
use crate::passes::wind_field::WindField;
use crate::plan::order::Order;
use crate::set::contact::Contacts;
use crate::set::guard::Guard;
use crate::set::seams::Seams;
use crate::set::tethers::Tethers;
use crate::state::hash;

/// Particles hashed by one task.
const HASHED: usize = 16384;

/// Number of constraints from which one more thread is worthwhile.
const WORK_PER_THREAD: usize = 10_000;

/// Particles, constraints and time, on which the [passes](crate::Pass) of a substep act. The state is stored
/// in the scalar `T` (by default `f32`).
///
/// A [`Simulation`](crate::Simulation) is a world with its passes.
pub struct World<T: Scalar = f32> {
    /// The particles of the bodies, and what acts on them.
    pub(crate) fine: Level<T>,
    /// Numbering of the particles, if it is not the caller's.
    pub(crate) order: Option<Order>,
    pub(crate) tethers: Option<Tethers>,
    pub(crate) seams: Option<Seams>,
    /// The method that is in use; never `Auto`.
    pub(crate) method: Method,
    /// The chooser of the method, with [`Method::Auto`].
    pub(crate) auto: Option<Auto>,
    /// Substeps of the last frame; zero before the first.
    pub(crate) last_substeps: u32,
    /// The coarse levels of rigid bodies.
    pub(crate) coarse: Coarse<T>,
    /// Newton's method on the implicit step.
    pub(crate) newton: Newton<T>,
    pub(crate) contacts: Contacts<T>,
    pub(crate) guard: Guard,
    pub(crate) body_ranges: Vec<BodyRange>,
    pub(crate) settings: Settings,
    /// Tetrahedra, with their volumes at rest, m³, whose constraints do not detect inversion.
    pub(crate) reported_tets: Vec<([u32; 4], f64)>,
    pub(crate) softness: Softness,
    pub(crate) kinematics: Kinematics,
    pub(crate) pin_version: u64,
    pub(crate) wind: Option<WindField<T>>,
    /// The data for a certificate, if one is wanted.
    pub(crate) monitor: Option<Monitor<T>>,
    /// For every part, whether constraints tie it to the world or to other parts; found when a report needs it.
    pub(crate) tied: OnceLock<Vec<bool>>,
    /// The constraints on which moving pins do work; found when a substep needs them.
    pub(crate) driven: OnceLock<Driven>,
    /// Whether there are inserted passes, which may do work.
    pub(crate) has_forces: bool,
    pub(crate) time: f64,
    pub(crate) frame: u64,
    /// The cues that were given.
    pub(crate) cues: Vec<Cue>,
    /// Length of the last substep, s; zero before the first.
    pub(crate) last_h: f64,
    /// What was changed while the simulation runs.
    pub(crate) live: Live,
    /// The description of the simulation, if it was built from bodies.
    pub(crate) scene: Option<Arc<Scene>>,
}

impl<T: Scalar> std::fmt::Debug for World<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scalar", &std::any::type_name::<T>())
            .field("particles", &self.len())
            .field("groups", &self.plan())
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl<T: Scalar> World<T> {
    /// Number in the simulation of a particle of the caller's.
    pub(crate) fn internal(&self, particle: usize) -> usize {
        self.order.as_ref().map_or(particle, |order| order.to_internal[particle] as usize)
    }

    /// The caller's number of a particle in the simulation.
    pub(crate) fn caller(&self, particle: usize) -> usize {
        self.order.as_ref().map_or(particle, |order| order.to_caller[particle] as usize)
    }

    /// The speed, m/s, up to which an impact in a substep of `h`, s, is the weight of a body at rest and does
    /// not bounce (Müller et al. 2020, section 3.6).
    pub(crate) fn rest_speed(&self, h: f64) -> f64 {
        let gravity = &self.settings.gravity;
        2.0 * gravity.dot(gravity).sqrt() * h
    }

    /// Whether work is done on the particles that the solver does not know beforehand.
    pub(crate) fn is_acted_on(&self) -> bool {
        self.has_forces || self.live.acted || self.seams.as_ref().is_some_and(Seams::are_drawn)
    }

    /// The bodies: names and ranges of particles.
    #[must_use]
    pub fn body_ranges(&self) -> &[BodyRange] {
        &self.body_ranges
    }

    /// Number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fine.particles.len()
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

    /// Velocities of all particles, m/s.
    #[must_use]
    pub fn velocities(&self) -> Vec<Vector3<f64>> {
        self.velocities_of(0..self.len())
    }

    /// Inverse masses, 1/kg; zero for a particle that is fixed or held by a pin.
    #[must_use]
    pub fn inverse_masses(&self) -> Vec<f64> {
        (0..self.len()).map(|i| self.fine.particles.now[self.internal(i)].w.to_f64()).collect()
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

    /// How the last frame was solved, if [`Method::Auto`] chose it; `None` before the first frame.
    #[must_use]
    pub fn choice(&self) -> Option<Choice> {
        self.auto.as_ref().and_then(|auto| auto.last)
    }

    /// Substeps of the last frame, or before the first frame those of the settings.
    #[must_use]
    pub fn substeps(&self) -> u32 {
        if self.last_substeps > 0 { self.last_substeps } else { self.settings.substeps }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The direction of sweeps that follows from the settings for these constraints and substeps of length
    /// `h`, s.
    pub(crate) fn sweep_order(&self, h: f64) -> SweepOrder {
        let volumes = self.fine.sets.iter().any(|running| running.measured && running.unit == "m³");
        let Softness { flows, slowest, slowest_of_rigid } = self.softness;
        let volumes = match (volumes, flows || slowest_of_rigid > h) {
            (false, _) => Volumes::None,
            (true, false) => Volumes::Solid { slowest },
            (true, true) => Volumes::Loose,
        };
        self.settings.order.chosen(self.settings.plan, volumes, h)
    }

    /// The plan of every group, in the order in which they are solved.
    #[must_use]
    pub fn plan(&self) -> Vec<GroupPlan> {
        self.fine.plan().collect()
    }

    /// Numbers of nodes and of constraints of the [coarse levels](crate::Method::Coarse), the finest first;
    /// empty with another method, or if too few particles can move.
    #[must_use]
    pub fn coarse_levels(&self) -> Vec<(usize, usize)> {
        self.coarse.levels.as_ref().map_or_else(Vec::new, |levels| levels.sizes().collect())
    }

    /// Wall-clock time that the sweeps over every group have taken since the simulation was built, in the
    /// order of the groups.
    pub fn sweep_times(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.fine.sets.iter().map(|running| (running.name.as_str(), running.time))
    }

    /// The multipliers λ of a group after the last substep, row after row, in the order in which the
    /// constraints were given.
    #[must_use]
    pub fn multipliers(&self, group: &str) -> Option<Vec<f64>> {
        self.fine.sets.iter().find(|running| running.name == group).map(|running| running.set.multipliers())
    }

    /// The active constraints of a group in an order in which projecting one after the other gives the result
    /// of a sweep, to the last bit: the order of the plan.
    #[must_use]
    pub fn projection_order(&self, group: &str) -> Option<Vec<u32>> {
        self.fine
            .sets
            .iter()
            .find(|running| running.name == group)
            .map(|running| running.set.projection_order())
    }

    /// The largest residual |C + α̃λ| of a group within each cluster of its plan, in the order of the
    /// clusters: it shows where a simulation has not converged. One number if the plan has no clusters.
    #[must_use]
    pub fn cluster_residuals(&self, group: &str) -> Option<Vec<f64>> {
        let running = self.fine.sets.iter().find(|running| running.name == group)?;
        Some(running.set.cluster_residuals(&self.state_of(running)))
    }

    /// The state for the constraints of a set.
    pub(crate) fn state_of<'a>(&'a self, running: &'a RunningSet<T>) -> State<'a, T> {
        self.fine.state_of(running, self.last_h)
    }

    pub(crate) fn state_hash_here(&self) -> u64 {
        let sum = AtomicU64::new(0);
        Team::form(self.threads(), |team| {
            team.run(self.len().div_ceil(HASHED), |chunk| {
                let particles = chunk * HASHED..self.len().min((chunk + 1) * HASHED);
                // The order of these sums does not matter, because they wrap.
                sum.fetch_add(self.hashes(particles), Ordering::Relaxed);
            });
        });
        hash::of_all(sum.into_inner(), self.len())
    }

    /// The sum of the hashes of some particles.
    pub(crate) fn hashes(&self, particles: Range<usize>) -> u64 {
        let Particles { now, velocity, .. } = &self.fine.particles;
        hash::sum(particles, |i| (self.caller(i), now[i].x, velocity[i].v))
    }

    /// Changes whenever a pin is added or released, particles are moved by a call, or bodies are added or
    /// removed: data derived from the set of pins are then out of date.
    #[must_use]
    pub fn pin_version(&self) -> u64 {
        self.pin_version
    }

    /// Number of threads that the constraints keep busy.
    pub(crate) fn threads(&self) -> usize {
        rayon::current_num_threads().min(self.fine.active() / WORK_PER_THREAD)
    }

    /// Whether positions at the start of the last substep are needed after it, or predictions do not follow
    /// from velocities because coarse levels move them.
    pub(crate) fn needs_previous(&self) -> bool {
        self.fine.is_damped()
            || self.method == Method::Coarse
            || self.settings.prediction_bounds != PredictionBounds::None
    }

    /// The instructions that the settings allow.
    pub(crate) fn simd(&self) -> Simd {
        self.settings.lanes.simd()
    }

    /// Name of the body that holds a particle, and the particle's number in it.
    pub(crate) fn locate(&self, particle: usize) -> (String, usize) {
        let particle = self.caller(particle);
        let part = self.body_ranges.iter().find(|part| part.particles.contains(&particle));
        part.map_or_else(
            || (String::new(), particle),
            |part| (part.name.clone(), particle - part.particles.start),
        )
    }
}

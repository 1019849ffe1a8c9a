//! [`Simulation`]: particles, constraints and time.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nalgebra::Vector3;
use pliant_constraints::{Update, iteration_independent_stiffness};
use pliant_kernel::{Layout, Particles, State, Team, widen};

use crate::assembly::Part;
use crate::constraints::{Constraints, Response};
use crate::contact::Contacts;
use crate::group::Group;
use crate::guard::Guard;
use crate::hash;
use crate::kinematics::Kinematics;
use crate::motion::Motion;
use crate::order::Order;
use crate::settings::{Multiplier, Settings, SweepOrder};
use crate::substep::Passes;
use crate::tethers::Tethers;
use crate::typed::{PlanContext, Planned};
use crate::watch::Watch;
use crate::wind::WindField;
use crate::work::Drive;
use pliant_kernel::Scalar;

/// Particles hashed by one task.
const HASHED: usize = 16384;

/// A simulation ready to be stepped, its state stored in the scalar `T` (by default `f32`).
///
/// The state depends on the scene and its settings alone: the same scene gives the same bits for every number of threads, on every run. Work is spread
/// over the rayon pool in which [`step`](Simulation::step) is called.
pub struct Simulation<T: Scalar = f32> {
    pub(crate) particles: Particles<T>,
    /// Numbering of the particles, where it is not the caller's.
    pub(crate) order: Option<Order>,
    pub(crate) groups: Vec<RunningGroup<T>>,
    pub(crate) tethers: Option<Tethers>,
    pub(crate) contacts: Contacts<T>,
    pub(crate) guard: Guard,
    pub(crate) parts: Vec<Part>,
    pub(crate) settings: Settings,
    /// Tetrahedra, with their volumes at rest, m³, whose constraints do not say whether they are inverted.
    pub(crate) watched: Vec<([u32; 4], f64)>,
    pub(crate) kinematics: Kinematics,
    pub(crate) pin_version: u64,
    pub(crate) wind: Option<WindField<T>>,
    pub(crate) passes: Passes,
    /// What a certificate needs, if one is asked for.
    pub(crate) watch: Option<Watch<T>>,
    /// For every part, whether constraints tie it to the world or to other parts; found when a report asks for it.
    pub(crate) tied: OnceLock<Vec<bool>>,
    /// What moving pins work on; found when a substep asks for it.
    pub(crate) drive: OnceLock<Drive>,
    pub(crate) time: f64,
    pub(crate) frame: u64,
    /// Length of the last substep, s; zero before the first.
    pub(crate) last_h: f64,
}

/// A group of constraints with what its sweeps need.
pub(crate) struct RunningGroup<T: Scalar> {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) group: Box<dyn Group<T>>,
    pub(crate) update: Update<T>,
    /// Whether reports tell the stretches and volumes of its constraints.
    pub(crate) measured: bool,
    /// Energies of the constraints at rest, J, by which reports reduce theirs; none where they are zero.
    pub(crate) rest_energies: Vec<f64>,
    /// Relaxation time τ of the damping, s; zero without.
    relaxation: f64,
    /// Time spent in sweeps.
    pub(crate) time: Duration,
}

impl<T: Planned> RunningGroup<T> {
    pub(crate) fn new(constraints: Constraints, context: &PlanContext<'_>, settings: &Settings) -> Self {
        let update = match (constraints.response(), settings.multiplier) {
            (Response::Pbd { stiffness, iteration_independent }, _) => {
                let sweeps = if settings.order == SweepOrder::Symmetric { 2 } else { 1 };
                let n = if iteration_independent { sweeps * settings.iterations } else { 1 };
                Update::pbd(T::splat(iteration_independent_stiffness(stiffness, n)))
            }
            (Response::Compliant, Multiplier::Accumulated) => Update::xpbd(),
            (Response::Compliant, Multiplier::Forgotten) => Update::without_multiplier(),
        };
        Self {
            name: constraints.name().to_owned(),
            unit: constraints.unit(),
            update: update.with_gradient_floor(T::splat(constraints.gradient_floor())),
            relaxation: constraints.relaxation(),
            measured: constraints.measured(),
            rest_energies: constraints.rest_energies::<T>(),
            group: constraints.plan(context),
            time: Duration::ZERO,
        }
    }
}

impl<T: Scalar> RunningGroup<T> {
    /// γ = τ/h of a substep of length `h`, s.
    pub(crate) fn gamma(&self, h: f64) -> T {
        T::splat(if self.relaxation > 0.0 && h > 0.0 { self.relaxation / h } else { 0.0 })
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
    /// How the active constraints are batched.
    pub layout: Layout,
}

impl<T: Scalar> std::fmt::Debug for Simulation<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scalar", &std::any::type_name::<T>())
            .field("particles", &self.particles.len())
            .field("groups", &self.plan())
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

impl<T: Scalar> Simulation<T> {
    /// Number in the simulation of a particle of the caller's.
    pub(crate) fn internal(&self, particle: usize) -> usize {
        self.order.as_ref().map_or(particle, |order| order.to_internal[particle] as usize)
    }

    /// The caller's number of a particle in the simulation.
    pub(crate) fn caller(&self, particle: usize) -> usize {
        self.order.as_ref().map_or(particle, |order| order.to_caller[particle] as usize)
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
        particles.map(|i| widen(&self.particles.now[self.internal(i)].x)).collect()
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
        particles.map(|i| widen(&self.particles.velocity[self.internal(i)].v)).collect()
    }

    /// Inverse masses, 1/kg; zero for a particle that is fixed or held by a pin.
    #[must_use]
    pub fn inverse_masses(&self) -> Vec<f64> {
        (0..self.len()).map(|i| self.particles.now[self.internal(i)].w.to_f64()).collect()
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

    /// Divides the frames that follow into another number of substeps; zero counts as one.
    pub fn set_substeps(&mut self, substeps: u32) {
        self.settings.substeps = substeps.max(1);
    }

    /// The direction of sweeps that the settings mean for these constraints and substeps of length `h`, s.
    pub(crate) fn sweep_order(&self, h: f64) -> SweepOrder {
        let volumes = self.groups.iter().any(|running| running.measured && running.unit == "m³");
        self.settings.order.chosen(self.settings.plan, volumes, h)
    }

    /// The plan of every group, in the order in which they are solved.
    #[must_use]
    pub fn plan(&self) -> Vec<GroupPlan> {
        let of = |running: &RunningGroup<T>| GroupPlan {
            name: running.name.clone(),
            constraints: running.group.len(),
            active: running.group.active(),
            layout: running.group.layout(),
        };
        self.groups.iter().map(of).collect()
    }

    /// Wall-clock time that the sweeps over every group have taken since the simulation was built, in the order of the groups.
    pub fn sweep_times(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.groups.iter().map(|running| (running.name.as_str(), running.time))
    }

    /// The multipliers λ of a group after the last substep, row after row, in the order in which the constraints were given.
    #[must_use]
    pub fn multipliers(&self, group: &str) -> Option<Vec<f64>> {
        self.groups.iter().find(|running| running.name == group).map(|running| running.group.multipliers())
    }

    /// The active constraints of a group in an order in which projecting one after the other gives what a sweep does, to the last bit: the order of the plan.
    #[must_use]
    pub fn projection_order(&self, group: &str) -> Option<Vec<u32>> {
        self.groups
            .iter()
            .find(|running| running.name == group)
            .map(|running| running.group.projection_order())
    }

    /// The largest residual |C + α̃λ| of a group within each cluster of its plan, in the order of the clusters: where a simulation has not converged. One number if the plan has no
    /// clusters.
    #[must_use]
    pub fn cluster_residuals(&self, group: &str) -> Option<Vec<f64>> {
        let running = self.groups.iter().find(|running| running.name == group)?;
        Some(running.group.cluster_residuals(&self.state_of(running)))
    }

    /// The state as the constraints of a group see it.
    pub(crate) fn state_of<'a>(&'a self, running: &'a RunningGroup<T>) -> State<'a, T> {
        let h2 = self.last_h * self.last_h;
        State {
            count: self.len(),
            now: &self.particles.now,
            previous: &self.particles.previous,
            inverse_h2: T::splat(if h2 > 0.0 { 1.0 / h2 } else { 0.0 }),
            gamma: running.gamma(self.last_h),
            rest_energies: &running.rest_energies,
        }
    }

    pub(crate) fn state_hash_here(&self) -> u64 {
        let sum = AtomicU64::new(0);
        Team::form(self.threads(), |team| {
            team.run(self.len().div_ceil(HASHED), |chunk| {
                let particles = chunk * HASHED..self.len().min((chunk + 1) * HASHED);
                // Sums of this kind are the same in any order, and so overflow.
                sum.fetch_add(self.hashes(particles), Ordering::Relaxed);
            });
        });
        hash::of_all(sum.into_inner(), self.len())
    }

    /// The sum of the hashes of some particles.
    pub(crate) fn hashes(&self, particles: Range<usize>) -> u64 {
        let Particles { now, velocity, .. } = &self.particles;
        hash::sum(particles, |i| (self.caller(i), now[i].x, velocity[i].v))
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
        self.drive = OnceLock::new();
        Ok(())
    }

    /// Changes whenever a pin lets go: what was derived from the set of pins is then out of date.
    #[must_use]
    pub fn pin_version(&self) -> u64 {
        self.pin_version
    }
}

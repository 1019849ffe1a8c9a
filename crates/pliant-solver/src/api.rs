//! The public calls of a simulation, passed on to code that is compiled in this crate; see [`entries`](crate::entries).

use nalgebra::Vector3;

use crate::adaptive::{Adaptive, AdaptiveStep};
use crate::build::assembly::Assembly;
use crate::build::builder::SimulationBuilder;
use crate::collide::meetings::Meetings;
use crate::collide::query::SurfaceContact;
use crate::error::{BuildError, StepError};
use crate::float::Float;
use crate::observe::certificate::Certificate;
use crate::observe::report::FrameReport;
use crate::pass::Pass;
use crate::passes::PassError;
use crate::simulation::Simulation;
#[cfg(feature = "serde")]
use crate::state::kept::SnapshotError;
use crate::state::record::{Record, RecordError};
use crate::state::snapshot::Snapshot;
use crate::world::World;
use crate::world::obstacles::ObstacleContact;

impl<T: Float> Simulation<T> {
    /// Inserts a pass of your own into the substep, directly after the one with the given
    /// [name](Simulation::substep). Snapshots and records do not contain the state of the pass.
    ///
    /// # Errors
    ///
    /// If there is no pass of that name.
    pub fn insert(&mut self, after: &str, pass: Box<dyn Pass<T>>) -> Result<(), PassError> {
        T::insert(self, after, pass)
    }

    /// Releases a pin at once; pins are counted in the order in which they were given.
    ///
    /// # Panics
    ///
    /// If there is no such pin.
    pub fn release(&mut self, pin: usize) {
        if !std::mem::replace(&mut self.world.kinematics.pins[pin].released, true) {
            T::repin(&mut self.world);
        }
    }

    /// Starts or stops keeping the data for a complete certificate; see
    /// [`Settings::certificate`](crate::Settings::certificate).
    pub fn set_certificate(&mut self, on: bool) {
        T::set_certificate(&mut self.world, on);
    }

    /// Steps by `dt`, s, divided into the substeps of the settings, without a report.
    ///
    /// # Errors
    ///
    /// If `dt` is not a positive number, or a position or velocity becomes infinite or NaN.
    pub fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        T::advance(self, dt)
    }

    /// Steps by `dt`, s, and reports on the state at the end.
    ///
    /// # Errors
    ///
    /// As [`advance`](Simulation::advance).
    pub fn step(&mut self, dt: f64) -> Result<FrameReport, StepError> {
        self.advance(dt)?;
        Ok(self.report())
    }

    /// Loads a recorded state, so that [`report`](World::report) gives the same as in the simulation that
    /// made it. Pins are released according to the time of the record. Use it for reports and not for more
    /// steps: a record does not contain the state before it.
    ///
    /// # Errors
    ///
    /// If a list is not as long as that of this simulation.
    pub fn replay(&mut self, record: &Record) -> Result<(), RecordError> {
        T::replay(&mut self.world, record)
    }

    /// Restores a state, with the bodies, pins, motions, springs, forces, obstacles and settings that calls
    /// had set by then. Multipliers are not part of it: until the next step, reports list residuals as before
    /// the first step. If bodies were added or removed since, everything is planned again.
    ///
    /// # Panics
    ///
    /// If the state is that of a simulation of other particles or pins.
    pub fn restore(&mut self, snapshot: &Snapshot<T>) {
        T::restore(self, snapshot);
    }

    /// Moves the particles to other positions, m, at rest, without multipliers: reports then have the
    /// strains, and the values C as residuals.
    ///
    /// # Errors
    ///
    /// If there are not as many positions as particles.
    pub fn pose(&mut self, positions: &[Vector3<f64>], frame: u64, time: f64) -> Result<(), RecordError> {
        T::pose(&mut self.world, positions, frame, time)
    }
}

impl<T: Float> World<T> {
    /// A number that is equal for two states only if every bit of positions and velocities is equal.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        T::state_hash(self)
    }

    /// The present state with its multipliers.
    #[must_use]
    pub fn record(&self) -> Record {
        T::record(self)
    }

    /// The present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<T> {
        T::snapshot(self)
    }

    /// Calls `look` with every active constraint of a group: its number, its particles and the residuals of
    /// its rows, in the unit of C. Returns whether there is such a group.
    pub fn for_each_residual(&self, group: &str, mut look: impl FnMut(usize, &[u32], &[f64])) -> bool {
        T::for_each_residual(self, group, &mut look)
    }

    /// For every particle the least sum of residuals |r|, m, along a path of constraints of two particles,
    /// such as edges, to a particle that is held; infinite if there is no path. `None` if there is no such
    /// group.
    ///
    /// The length of a constraint differs from its exact one by r, so the length of a path differs by at most
    /// Σ|r|: along the path, no particle is farther from the pin than its multipliers imply plus this sum. If
    /// there is only one path and it is taut (a chain that hangs at rest), this bounds the error of the
    /// position. In a sheet or a block the error may be larger, because the forces may have errors too.
    ///
    /// ```
    /// use pliant_constraints::Distance;
    /// use pliant_solver::{Assembly, Constraints, Simulation};
    /// use nalgebra::Vector3;
    ///
    /// let x: Vec<_> = (0..4).map(|i| Vector3::new(0.0, -f64::from(i), 0.0)).collect();
    /// let links = (0..3).map(|i| [i, i + 1]).collect();
    /// let mut assembly = Assembly::new(x, vec![0.0, 1.0, 1.0, 1.0])?;
    /// assembly.add(Constraints::new("edges", links, vec![Distance { rest: 0.9 }; 3], vec![0.0])?);
    /// let sim: Simulation<f64> = assembly.build()?;
    /// // Before the first step every residual is the value C = 0.1 m.
    /// let errors = sim.reach_errors("edges").unwrap();
    /// assert!(errors.iter().enumerate().all(|(i, e)| (e - 0.1 * i as f64).abs() < 1e-12));
    /// # Ok::<(), pliant_solver::BuildError>(())
    /// ```
    #[must_use]
    pub fn reach_errors(&self, group: &str) -> Option<Vec<f64>> {
        T::reach_errors(self, group)
    }

    /// The contacts between surfaces of bodies that pressed in the last substep; none after a
    /// [`restore`](crate::Simulation::restore), until the next step. Visits every contact. Obstacles of the
    /// solver's own shapes are not surfaces: the work of their contacts is in [`FrameReport::contact_work`].
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Collide, Compliance, Simulation};
    ///
    /// // A sheet of 40 g that lies on one that is held.
    /// let sheet = |height| {
    ///     let mesh = TriMesh::grid([8, 8], [0.2, 0.2]).unwrap().translated([0.0, height, 0.0]).unwrap();
    ///     Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(0.0015).collide(Collide::new().friction(0.5))
    /// };
    /// let held = sheet(0.0).name("table").pin(|_| true);
    /// let mut sim = Simulation::builder().body(held).body(sheet(0.003).name("cloth").area_density(1.0)).build()?;
    /// for _ in 0..60 {
    ///     sim.step(1.0 / 60.0)?;
    /// }
    /// let contacts = sim.contacts();
    /// let names: Vec<_> = contacts[0].bodies.iter().map(|&body| sim.body_ranges()[body].name.as_str()).collect();
    /// assert!(names.contains(&"table") && names.contains(&"cloth"));
    /// // The contacts carry the weight of the cloth, 0.39 N.
    /// let h = 1.0 / 600.0;
    /// let up = |c: &pliant_solver::SurfaceContact| if c.bodies[0] == 1 { c.impulse.y } else { -c.impulse.y };
    /// let force = contacts.iter().map(up).sum::<f64>() / h;
    /// assert!((force - 0.04 * 9.81).abs() < 0.02, "{force} N");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contacts(&self) -> Vec<SurfaceContact> {
        T::contacts(self)
    }

    /// What presses on [obstacles](crate::Obstacle) of shapes in the present state, by the multipliers of the
    /// last substep. Empty before the first step, and after another state was restored.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Compliance, Obstacle, Simulation};
    ///
    /// let mesh = TriMesh::grid([5, 5], [0.2, 0.2]).unwrap().translated([0.0, 0.01, 0.0]).unwrap();
    /// let cloth = Body::cloth(mesh).stretch(Compliance::new(1e-6)).area_density(1.0);
    /// let mut sim = Simulation::builder().body(cloth).obstacle(Obstacle::floor(0.0)).build()?;
    /// for _ in 0..60 {
    ///     sim.step(1.0 / 60.0)?;
    /// }
    /// let contacts = sim.obstacle_contacts();
    /// assert_eq!(contacts[0].obstacle, sim.obstacles().next().unwrap());
    /// // The floor carries the weight of the cloth, 0.39 N.
    /// let force = contacts.iter().map(|contact| contact.impulse.y).sum::<f64>() * 600.0;
    /// assert!((force - 0.04 * 9.81).abs() < 0.02, "{force} N");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn obstacle_contacts(&self) -> Vec<ObstacleContact> {
        T::obstacle_contacts(self)
    }

    /// Reports on the state at the end of the last substep. Before the first step there are no multipliers,
    /// and residuals are the values C.
    #[must_use]
    pub fn report(&self) -> FrameReport {
        T::report(self)
    }
}

impl Adaptive {
    /// Steps by `dt`, s, with as many substeps as the requirements of the certificate need, and adds the
    /// frame to the certificate.
    ///
    /// # Errors
    ///
    /// As [`Simulation::advance`], if the simulation fails even with the most substeps.
    pub fn step<T: Float>(
        &mut self,
        simulation: &mut Simulation<T>,
        certificate: &mut Certificate,
        dt: f64,
    ) -> Result<AdaptiveStep, StepError> {
        T::step_adaptively(self, simulation, certificate, dt)
    }
}

#[cfg(feature = "serde")]
impl<T: Float> Snapshot<T> {
    /// The state as bytes, for a file: [`from_bytes`](Self::from_bytes) restores the same state from them, to
    /// the last bit, in a simulation that was built in the same way from the same bodies. They contain a
    /// version, a checksum ([`Seal`](crate::Seal)), and numbers in the precision of the simulation. Changes
    /// made by calls are included, but obstacles with data of their own (hulls, height fields, distance
    /// grids) that were added during the run must be added again first, in the same order. With the feature
    /// `serde`.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Simulation, Snapshot};
    ///
    /// let build = || {
    ///     let cloth = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).pin_vertices([0, 5]);
    ///     Ok::<Simulation, Box<dyn std::error::Error>>(Simulation::builder().body(cloth).build()?)
    /// };
    /// let (mut sim, mut other) = (build()?, build()?);
    /// sim.advance(1.0 / 60.0)?;
    /// other.restore(&Snapshot::from_bytes(&sim.snapshot().to_bytes(), &other)?);
    /// sim.advance(1.0 / 60.0)?;
    /// other.advance(1.0 / 60.0)?;
    /// assert_eq!((sim.state_hash(), sim.time()), (other.state_hash(), other.time()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        T::to_bytes(self)
    }

    /// The state that [`to_bytes`](Self::to_bytes) returned.
    ///
    /// # Errors
    ///
    /// If the bytes are not those that were returned, or the state does not belong to a simulation like
    /// `simulation`.
    pub fn from_bytes(bytes: &[u8], simulation: &World<T>) -> Result<Self, SnapshotError> {
        T::from_bytes(bytes, simulation)
    }
}

impl Assembly {
    /// Plans the simulation in the scalar `T`.
    ///
    /// # Errors
    ///
    /// The first setting, constraint, pin or obstacle that is invalid.
    pub fn build<T: Float>(self) -> Result<Simulation<T>, BuildError> {
        T::build(self)
    }
}

impl Certificate {
    /// Starts with the present state of a simulation.
    #[must_use]
    pub fn begin<T: Float>(simulation: &World<T>) -> Self {
        T::begin_certificate(simulation)
    }
}

impl SimulationBuilder {
    /// Builds the simulation in `f32`.
    ///
    /// # Errors
    ///
    /// The first body, pin, obstacle or setting that cannot be simulated.
    pub fn build(self) -> Result<Simulation<f32>, BuildError> {
        self.build_as()
    }

    /// Builds the simulation in the scalar `T`.
    ///
    /// # Errors
    ///
    /// The first body, pin, obstacle or setting that cannot be simulated.
    pub fn build_as<T: Float>(self) -> Result<Simulation<T>, BuildError> {
        self.into_assembly()?.build()
    }

    /// The surfaces that may meet, without a simulation; `None` if no body collides.
    ///
    /// # Errors
    ///
    /// The first body, stitch or attachment that cannot be simulated.
    pub fn meetings(&self) -> Result<Option<Meetings>, BuildError> {
        self.clone().into_assembly()?.into_meeting().map(Meetings::new).transpose()
    }
}

//! What people do with a simulation, handed over to code that is compiled in this crate; see [`entries`](crate::entries).

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
use crate::simulation::Simulation;
#[cfg(feature = "serde")]
use crate::state::kept::SnapshotError;
use crate::state::record::{Record, RecordError};
use crate::state::snapshot::Snapshot;
use crate::world::World;

impl<T: Float> Simulation<T> {
    /// Steps by `dt`, s, divided into the substeps of the settings, without looking at the result.
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

    /// Takes up a state, so that [`report`](World::report) says the same of it as of the simulation that made it. Pins
    /// let go by the time of the record. For looking, not for stepping on: a
    /// record does not say what came before it.
    ///
    /// # Errors
    ///
    /// If a list is not as long as that of this simulation.
    pub fn replay(&mut self, record: &Record) -> Result<(), RecordError> {
        T::replay(&mut self.world, record)
    }

    /// Goes back to a state, with the bodies, pins, motions, springs, forces, obstacles and settings that calls had given the simulation by then. Multipliers are not part of it: until the next step reports list residuals as
    /// before the first one. Where bodies were added or taken away since, everything is planned again.
    ///
    /// # Panics
    ///
    /// If the state is that of a simulation of other particles or pins.
    pub fn restore(&mut self, snapshot: &Snapshot<T>) {
        self.take_bodies_of(snapshot);
        T::restore(&mut self.world, snapshot);
        self.refit();
    }

    /// Moves the particles to other positions, m, at rest, without multipliers: reports then have the strains, and of
    /// residuals the values C.
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

    /// Calls `look` with every active constraint of a group: its number, its particles and the residuals of its rows, in the unit of C. Returns whether there is such a group.
    pub fn for_each_residual(&self, group: &str, mut look: impl FnMut(usize, &[u32], &[f64])) -> bool {
        T::for_each_residual(self, group, &mut look)
    }

    /// For every particle the least sum of residuals |r|, m, along a way of constraints of two particles, such as edges, to one that is held; infinite where there is no way. None if there is no such
    /// group.
    ///
    /// A length that a constraint keeps is its own plus r, so a way of such lengths is off by at most Σ|r|: no particle is further from the pin, along the way, than its multipliers say and this sum. Where there is only one way and it is
    /// taut – a chain that hangs at rest – this bounds the error of the position. In a sheet or a block positions may be off by more, because the forces may be.
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

    /// The contacts between surfaces of bodies that pressed in the last substep; none after a [`restore`](crate::Simulation::restore), until the next step. Costs a look at every contact. Obstacles of
    /// the solver's own shapes are no surfaces: what they push is in [`FrameReport::contact_work`].
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
    /// let names: Vec<_> = contacts[0].bodies.iter().map(|&body| sim.parts()[body].name.as_str()).collect();
    /// assert!(names.contains(&"table") && names.contains(&"cloth"));
    /// // What presses the cloth up is its weight, 0.39 N.
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

    /// Reports on the state as the last substep left it. Before the first step there are no multipliers and residuals are the values C.
    #[must_use]
    pub fn report(&self) -> FrameReport {
        T::report(self)
    }
}

impl Adaptive {
    /// Steps by `dt`, s, with as many substeps as the requirements of the certificate take, and takes the frame up there.
    ///
    /// # Errors
    ///
    /// As [`Simulation::advance`], if the simulation breaks down with the most substeps too.
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
    /// The state as bytes, to be kept in a file: [`from_bytes`](Self::from_bytes) makes the same state of them, to the last bit, in a simulation that was built
    /// in the same way, of the bodies that there were. They have a version and a checksum ([`Seal`](crate::Seal)), and numbers in the precision of the simulation. What calls have changed is among them; obstacles with data of their own (hulls, height fields, grids of distances) that
    /// were added while it ran have to be added again first, in the same order. With the feature `serde`.
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
    /// If the bytes are not what was returned, or the state is not of a simulation like `simulation`.
    pub fn from_bytes(bytes: &[u8], simulation: &World<T>) -> Result<Self, SnapshotError> {
        T::from_bytes(bytes, simulation)
    }
}

impl Assembly {
    /// Plans the simulation in the scalar `T`.
    ///
    /// # Errors
    ///
    /// The first setting, constraint, pin or obstacle that makes no sense.
    pub fn build<T: Float>(self) -> Result<Simulation<T>, BuildError> {
        T::build(self)
    }
}

impl Certificate {
    /// Begins with the present state of a simulation.
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

    /// The surfaces that may meet, apart from a simulation; none if no body collides.
    ///
    /// # Errors
    ///
    /// The first body, stitch or attachment that cannot be simulated.
    pub fn meetings(&self) -> Result<Option<Meetings>, BuildError> {
        self.clone().into_assembly()?.into_meeting().map(Meetings::new).transpose()
    }
}

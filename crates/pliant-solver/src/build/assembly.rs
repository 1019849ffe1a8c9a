//! [`Assembly`]: a simulation put together from particles and constraints, without meshes.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use nalgebra::Vector3;
use pliant_kernel::{PACK, Particles, most_particles, widen};

use crate::auto::Auto;
use crate::auto::depth::Depth;
use crate::body_range::BodyRange;
use crate::build::constraints::Constraints;
use crate::build::hold::hold_pins;
use crate::build::softness::{Softness, Start};
use crate::build::typed::{PlanContext, Planned};
use crate::build::weld::Welds;
use crate::coarse::Coarse;
use crate::coarse::rigid::RigidBody;
use crate::collide::meeting::Meeting;
use crate::describe::collide::CrossingStart;
use crate::describe::obstacle::Obstacle;
use crate::describe::pin::Pin;
use crate::describe::plan::Plan;
use crate::describe::scene::Scene;
use crate::describe::settings::{Method, Settings};
use crate::error::BuildError;
use crate::error::contact::ContactError;
use crate::error::particle::{ParticleError, ParticleQuantity};
use crate::level::{Level, RunningSet};
use crate::live::state::Live;
use crate::newton::Newton;
use crate::observe::accuracy;
use crate::observe::monitor::Monitor;
use crate::passes::wind_field::WindField;
use crate::plan::order::Order;
use crate::plan::schedule::ClusterMap;
use crate::set::contact::Contacts;
use crate::set::guard::{Guard, GuardedTet};
use crate::set::seams::Seams;
use crate::set::tethers::{Tethered, Tethers};
use crate::simulation::Simulation;
use crate::world::World;

/// Particles, constraints, pins, obstacles and settings from which a [`Simulation`] is built.
///
/// [`SimulationBuilder`](crate::SimulationBuilder) makes one from meshes and materials; use this type for
/// systems without a mesh, for constraints of your own, and for replaying given data exactly.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Distance;
/// use pliant_solver::{Assembly, Constraints, Pin};
///
/// // A pendulum of 1 m, let go from the horizontal.
/// let mut pendulum = Assembly::new(vec![Vector3::zeros(), Vector3::x()], vec![1.0, 1.0])?;
/// pendulum.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0])?);
/// pendulum.pin(Pin::vertices([0]));
/// let mut sim = pendulum.build::<f64>()?;
/// sim.step(1.0 / 60.0)?;
/// assert!(sim.positions()[1].y < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Assembly {
    positions: Vec<Vector3<f64>>,
    inverse_masses: Vec<f64>,
    velocities: Vec<Vector3<f64>>,
    radii: Vec<f64>,
    body_ranges: Vec<BodyRange>,
    groups: Vec<Constraints>,
    pins: Vec<Pin>,
    obstacles: Vec<Obstacle>,
    wind_triangles: Vec<[u32; 3]>,
    tethered: Vec<Tethered>,
    reported_tets: Vec<([u32; 4], f64)>,
    guarded: Vec<GuardedTet>,
    meeting: Option<Meeting>,
    seams: Option<Seams>,
    welds: Option<Welds>,
    rigid: Vec<RigidBody>,
    settings: Settings,
    scene: Option<Arc<Scene>>,
}

impl Assembly {
    /// Particles at rest at `positions`, m, with `inverse_masses`, 1/kg; zero fixes a particle permanently.
    ///
    /// # Errors
    ///
    /// If the lists differ in length, or a number is not finite or an inverse mass negative.
    pub fn new(positions: Vec<Vector3<f64>>, inverse_masses: Vec<f64>) -> Result<Self, BuildError> {
        let n = positions.len();
        if u32::try_from(n).is_err() {
            return Err(ParticleError::TooMany { particles: n }.into());
        }
        if inverse_masses.len() != n {
            let found = inverse_masses.len();
            return Err(
                ParticleError::Counts { positions: n, what: ParticleQuantity::InverseMass, found }.into()
            );
        }
        check_vectors(&positions, ParticleQuantity::Position)?;
        if let Some(particle) = inverse_masses.iter().position(|&w| !(w >= 0.0 && w.is_finite())) {
            let value = inverse_masses[particle].into();
            return Err(ParticleError::Value { particle, what: ParticleQuantity::InverseMass, value }.into());
        }
        Ok(Self {
            velocities: vec![Vector3::zeros(); n],
            radii: vec![0.0; n],
            body_ranges: Vec::new(),
            groups: Vec::new(),
            pins: Vec::new(),
            obstacles: Vec::new(),
            wind_triangles: Vec::new(),
            tethered: Vec::new(),
            reported_tets: Vec::new(),
            guarded: Vec::new(),
            meeting: None,
            seams: None,
            welds: None,
            rigid: Vec::new(),
            settings: Settings::default(),
            scene: None,
            positions,
            inverse_masses,
        })
    }

    /// Sets the initial velocities, m/s.
    ///
    /// # Errors
    ///
    /// If there are not as many as particles, or one is not finite.
    pub fn velocities(&mut self, velocities: Vec<Vector3<f64>>) -> Result<&mut Self, BuildError> {
        if velocities.len() != self.positions.len() {
            let (positions, found) = (self.positions.len(), velocities.len());
            return Err(ParticleError::Counts { positions, what: ParticleQuantity::Velocity, found }.into());
        }
        check_vectors(&velocities, ParticleQuantity::Velocity)?;
        self.velocities = velocities;
        Ok(self)
    }

    /// Sets the gap that every particle keeps from obstacles, m.
    ///
    /// # Errors
    ///
    /// If there are not as many as particles, or one is negative or not finite.
    pub(crate) fn contact_radii(&mut self, radii: Vec<f64>) -> Result<&mut Self, BuildError> {
        if radii.len() != self.positions.len() {
            let (positions, found) = (self.positions.len(), radii.len());
            return Err(
                ParticleError::Counts { positions, what: ParticleQuantity::ContactRadius, found }.into()
            );
        }
        if let Some(particle) = radii.iter().position(|&r| !(r >= 0.0 && r.is_finite())) {
            let value = radii[particle].into();
            return Err(
                ParticleError::Value { particle, what: ParticleQuantity::ContactRadius, value }.into()
            );
        }
        self.radii = radii;
        Ok(self)
    }

    /// Names a range of particles. Damping acts on each body by itself; particles in no body form one of their own.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles or overlaps an earlier body.
    pub fn body(&mut self, name: impl Into<String>, particles: Range<usize>) -> &mut Self {
        assert!(particles.end <= self.positions.len(), "the body reaches beyond the particles");
        assert!(
            self.body_ranges.last().is_none_or(|last| last.particles.end <= particles.start),
            "bodies must follow one another"
        );
        self.body_ranges.push(BodyRange { name: name.into(), particles });
        self
    }

    /// Adds a group of constraints. Groups are solved in the order in which they are added.
    pub fn add(&mut self, constraints: Constraints) -> &mut Self {
        self.groups.push(constraints);
        self
    }

    /// Adds a pin; its vertex numbers are those of the particles.
    pub fn pin(&mut self, pin: Pin) -> &mut Self {
        self.pins.push(pin);
        self
    }

    /// Adds an obstacle.
    pub fn obstacle(&mut self, obstacle: Obstacle) -> &mut Self {
        self.obstacles.push(obstacle);
        self
    }

    /// Adds triangles that feel the [wind](crate::Wind).
    pub(crate) fn wind_on(&mut self, triangles: impl IntoIterator<Item = [u32; 3]>) -> &mut Self {
        self.wind_triangles.extend(triangles);
        self
    }

    /// Ties a body to its pins.
    pub(crate) fn tether(&mut self, tethered: Tethered) -> &mut Self {
        self.tethered.push(tethered);
        self
    }

    /// Adds tetrahedra whose volumes are reported, with their volumes at rest, m³.
    pub(crate) fn report_volumes(&mut self, tets: impl IntoIterator<Item = ([u32; 4], f64)>) -> &mut Self {
        self.reported_tets.extend(tets);
        self
    }

    /// Adds tetrahedra that are opened again if they are flat or inverted.
    pub(crate) fn guard(&mut self, tets: impl IntoIterator<Item = GuardedTet>) -> &mut Self {
        self.guarded.extend(tets);
        self
    }

    /// Adds the rows of seams, which are drawn together.
    pub(crate) fn sew(&mut self, constraints: Constraints, seams: Seams) -> &mut Self {
        self.seams = Some(seams.in_group(self.groups.len()));
        self.add(constraints)
    }

    /// Has vertices be one particle. They have the same place, velocity and inverse mass already.
    pub(crate) fn weld(&mut self, welds: Welds) -> &mut Self {
        self.welds = Some(welds);
        self
    }

    /// Adds surfaces that may meet.
    pub(crate) fn meet(&mut self, meeting: Meeting) -> &mut Self {
        self.meeting = Some(meeting);
        self
    }

    /// The surfaces that meet, if any two may.
    pub(crate) fn into_meeting(self) -> Option<Meeting> {
        self.meeting
    }

    /// Adds a rigid body that is corrected as a whole.
    pub(crate) fn correct(&mut self, body: RigidBody) -> &mut Self {
        self.rigid.push(body);
        self
    }

    /// Whether bodies are corrected as a whole.
    pub(crate) fn has_rigid_bodies(&self) -> bool {
        !self.rigid.is_empty()
    }

    /// Sets how the simulation is solved.
    pub fn settings(&mut self, settings: Settings) -> &mut Self {
        self.settings = settings;
        self
    }

    /// Keeps the description from which the particles were built.
    pub(crate) fn made_of(&mut self, scene: Scene) -> &mut Self {
        self.scene = Some(Arc::new(scene));
        self
    }

    pub(crate) fn build_here<T: Planned>(mut self) -> Result<Simulation<T>, BuildError> {
        let n = self.positions.len();
        if n == 0 {
            return Err(BuildError::Empty);
        }
        self.settings.check()?;
        for (i, obstacle) in self.obstacles.iter().enumerate() {
            obstacle.check(i)?;
        }
        let (mut kinematics, targets) =
            hold_pins(&self.pins, &self.positions, &self.body_ranges, self.groups.len())?;
        self.groups.extend(targets);
        let tethers = Tethers::new(std::mem::take(&mut self.tethered), self.groups.len());
        if let Some(tethers) = &tethers {
            self.groups.push(tethers.constraints()?);
        }
        if let Some(meeting) = self.meeting.take() {
            meeting.check_resolution::<T>(&self.positions)?;
            self.groups.push(meeting.into_constraints()?);
        }
        let body_ranges = BodyRange::cover(self.body_ranges, n);
        let plan = self.settings.plan.chosen();
        let mut order = (plan == Plan::Clustered)
            .then(|| Order::by_place(&self.positions, body_ranges.iter().map(|part| part.particles.clone())));
        let points = self.groups.iter().map(Constraints::points).max().unwrap_or_default();
        let clusters = match &order {
            Some(order) => {
                let (of, count) = order.clusters();
                Some(Arc::new(ClusterMap { of, count, points, triangles: order.is_large() }))
            }
            None => (plan == Plan::Ordered).then(|| Arc::new(ClusterMap::one(n, points))),
        };
        // The particles of welded vertices that are not the first stay in the lists, without mass.
        let mut without_mass: Vec<usize> = Vec::new();
        if let Some(welds) = &self.welds {
            let order = order.get_or_insert_with(|| Order::as_given(n));
            without_mass.extend(welds.joined().map(|(v, _)| order.to_internal[v as usize] as usize));
            order.join(welds.joined());
        }
        let planned = clusters.as_ref().map_or(n, |clusters| clusters.total());
        // Dynamic sets act one after the other, on the same dummies.
        let is_dynamic = self.groups.iter().any(Constraints::is_dynamic);
        let total = planned + if is_dynamic { points * PACK } else { 0 };
        if total > most_particles::<T>() {
            return Err(ParticleError::TooMany { particles: total }.into());
        }
        let internal = |v: u32| order.as_ref().map_or(v, |order| order.to_internal[v as usize]);
        let caller = |i: usize| order.as_ref().map_or(i, |order| order.to_caller[i] as usize);
        for pin in &mut kinematics.pins {
            pin.particles = pin.particles.iter().map(|&v| internal(v)).collect();
        }
        if let Some(seams) = &mut self.seams {
            seams.renumber(internal);
        }
        let mut particles =
            Particles::<T>::new(&self.positions, &self.velocities, &self.inverse_masses, caller, total - n);
        for i in without_mass {
            (particles.now[i].w, particles.previous[i].w, particles.free_w[i]) =
                (T::zero(), T::zero(), T::zero());
        }
        kinematics.apply_weights(&mut particles);
        let w: Vec<f64> = (0..n as u32).map(|v| particles.now[internal(v) as usize].w.to_f64()).collect();
        let context = PlanContext {
            plan,
            w: &w,
            to_internal: order.as_ref().map(|order| order.to_internal.as_slice()),
            clusters: clusters.as_ref(),
            total,
            spare: planned as u32,
            simd: self.settings.lanes.simd(),
        };
        let start = Start {
            positions: &self.positions,
            inverse_masses: &self.inverse_masses,
            gravity: self.settings.gravity.norm(),
        };
        let softness = Softness::new(&self.groups, &body_ranges, &start);
        let mut groups = Vec::with_capacity(self.groups.len());
        for constraints in self.groups {
            constraints.check_range(n)?;
            let length = accuracy::length_of(&constraints, &self.positions);
            groups.push((constraints, length));
        }
        // Planning needs the most memory of a build: the particles have these by now.
        drop((self.positions, self.velocities, self.inverse_masses));
        let sets = RunningSet::plan_all(groups, &context, &self.settings);
        // Obstacles may be added later.
        let radii: Vec<f64> = (0..n).map(|i| self.radii[caller(i)]).collect();
        let contacts = Contacts::new(&self.obstacles, &radii);
        let wind_triangles: Vec<_> = self.wind_triangles.iter().map(|t| t.map(internal)).collect();
        let wind = (!wind_triangles.is_empty()).then(|| WindField::new(wind_triangles, n));
        let reported_tets = self.reported_tets.iter().map(|(tet, v)| (tet.map(internal), *v)).collect();
        let guarded = if self.settings.recover { self.guarded } else { Vec::new() };
        let guard = Guard::new(guarded.into_iter().map(|tet| tet.renumbered(internal)).collect());
        let rest = match self.settings.method {
            Method::Newton | Method::Auto => particles.now[..n].iter().map(|p| widen(&p.x).into()).collect(),
            _ => Vec::new(),
        };
        let live = Live::begin(&self.settings, body_ranges.len(), kinematics.pins.len(), &self.obstacles);
        let mut world = World {
            monitor: self.settings.is_monitored().then(|| Monitor::new(n)),
            tied: OnceLock::new(),
            driven: OnceLock::new(),
            fine: Level { particles, sets },
            order,
            tethers,
            seams: self.seams,
            method: self.settings.method,
            auto: None,
            last_substeps: 0,
            coarse: Coarse { bodies: self.rigid, levels: None, planned: false },
            newton: Newton { rest, system: None, missed: false },
            reported_tets,
            softness,
            kinematics,
            pin_version: 0,
            contacts,
            guard,
            wind,
            body_ranges,
            settings: self.settings,
            has_forces: false,
            time: 0.0,
            frame: 0,
            cues: Vec::new(),
            last_h: 0.0,
            live,
            scene: self.scene,
        };
        world.tie_tethers();
        if world.seams.as_ref().is_some_and(Seams::are_drawn) {
            world.plan_seams();
        }
        if world.settings.method == Method::Auto {
            let (coarse, newton) = world.methods_to_choose();
            let depth = Depth::of(&world.coarse.bodies, |v| w[v as usize] == 0.0);
            world.auto = Some(Auto::new(coarse, newton, depth, &world.settings));
            world.method = Method::Sweeps;
        }
        world.take_up(world.method)?;
        if world.settings.crossing_start == CrossingStart::Refuse
            && let Some(tally) = world.collisions()
            && let Some(first) = tally.first
        {
            return Err(ContactError::Crosses { count: tally.intersections, first }.into());
        }
        Ok(Simulation::new(world))
    }
}

fn check_vectors(list: &[Vector3<f64>], what: ParticleQuantity) -> Result<(), ParticleError> {
    match list.iter().position(|v| !v.iter().all(|c| c.is_finite())) {
        None => Ok(()),
        Some(particle) => Err(ParticleError::Value { particle, what, value: list[particle].into() }),
    }
}

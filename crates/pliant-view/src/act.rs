//! [`Act`]: a simulation of either precision, as the page needs it.

use nalgebra::Vector3;
#[cfg(not(target_family = "wasm"))]
use pliant_run::{Recording, RunError, RunFolder};
#[cfg(not(target_family = "wasm"))]
use pliant_scene::BuiltBody;
use pliant_scene::Scene;
use pliant_solver::{
    BodyId, Certificate, Float, FrameReport, Grab, Judgement, LiveError, ObstacleId, Simulation, Snapshot,
    StepError,
};

/// Positions and velocities of a body, by its name.
pub(crate) struct Carried {
    name: String,
    positions: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
}

/// A simulation of either precision.
pub(crate) trait Act {
    fn advance(&mut self, dt: f64) -> Result<(), StepError>;
    /// Reports on the present state, and adds it to the certificate.
    fn report(&mut self) -> FrameReport;
    fn judgement(&self) -> Judgement;
    fn time(&self) -> f64;
    fn frame(&self) -> u64;
    fn state_hash(&self) -> u64;
    fn position(&self, particle: usize) -> Vector3<f64>;
    fn velocity(&self, particle: usize) -> Vector3<f64>;
    /// Passes the positions of some particles on, counted from the first.
    fn each_position(&self, first: usize, vertices: &[u32], take: &mut dyn FnMut(Vector3<f64>));
    /// Σ m of some particles that can move, kg.
    fn mass(&self, particles: std::ops::Range<usize>) -> f64;
    fn grab(&mut self, particle: usize, stiffness: f64) -> Result<Grab, LiveError>;
    fn move_to(&mut self, grab: Grab, to: Vector3<f64>) -> Result<(), LiveError>;
    fn let_go(&mut self, grab: Grab) -> Result<(), LiveError>;
    fn grab_force(&self, grab: Grab) -> Option<Vector3<f64>>;
    fn obstacle(&self, number: usize) -> Option<ObstacleId>;
    fn move_obstacle(&mut self, id: ObstacleId, pose: [Vector3<f64>; 2]) -> Result<(), LiveError>;
    /// Goes back to the start.
    fn restart(&mut self);
    /// Takes the settings that a scene has in a frame.
    fn settle(&mut self, scene: &Scene, frame: u32) -> Result<(), LiveError>;
    /// The state of all bodies.
    fn carried(&self) -> Vec<Carried>;
    /// Gives bodies the state that bodies of the same name and size had.
    fn carry(&mut self, bodies: &[Carried]);
    /// The constraints of the last plan, as a number.
    fn constraints(&self) -> usize;
    fn particles(&self) -> usize;
    fn precision(&self) -> &'static str;
    /// The settings that the sliders show.
    fn substeps(&self) -> u32;
    /// Begins a recording of it.
    #[cfg(not(target_family = "wasm"))]
    fn record(&self, scene: &Scene, bodies: &[BuiltBody], to: &RunFolder) -> Result<Recording, RunError>;
    /// Adds the present frame, which took so many milliseconds, to a recording.
    #[cfg(not(target_family = "wasm"))]
    fn write_to(&self, recording: &mut Recording, ms: f64) -> Result<(), RunError>;
}

/// A simulation that is the caller's, or the page's own.
pub(crate) enum Held<'a, T: Float> {
    Borrowed(&'a mut Simulation<T>),
    Own(Box<Simulation<T>>),
}

impl<T: Float> std::ops::Deref for Held<'_, T> {
    type Target = Simulation<T>;

    fn deref(&self) -> &Simulation<T> {
        match self {
            Self::Borrowed(simulation) => simulation,
            Self::Own(simulation) => simulation,
        }
    }
}

impl<T: Float> std::ops::DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut Simulation<T> {
        match self {
            Self::Borrowed(simulation) => simulation,
            Self::Own(simulation) => simulation,
        }
    }
}

/// A simulation with its start and its certificate.
pub(crate) struct Actor<'a, T: Float> {
    held: Held<'a, T>,
    /// Whether it measured what certificates need before, as it will afterwards.
    was_certified: bool,
    start: Snapshot<T>,
    certificate: Certificate,
    /// Substeps since the last report.
    spent: u32,
}

impl<'a, T: Float> Actor<'a, T> {
    pub(crate) fn new(mut held: Held<'a, T>) -> Self {
        let was_certified = held.settings().certificate;
        held.set_certificate(true);
        let (start, certificate) = (held.snapshot(), Certificate::begin(&held));
        Self { held, was_certified, start, certificate, spent: 0 }
    }
}

impl<T: Float> Drop for Actor<'_, T> {
    fn drop(&mut self) {
        self.held.set_certificate(self.was_certified);
    }
}

impl<T: Float> Act for Actor<'_, T> {
    fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        self.held.advance(dt)?;
        self.spent += self.held.choice().map_or(self.held.settings().substeps, |choice| choice.spent);
        Ok(())
    }

    fn report(&mut self) -> FrameReport {
        let report = self.held.report();
        if report.frame > 0 {
            let mut frame = self.certificate.measure(&report);
            frame.substeps_spent = std::mem::take(&mut self.spent);
            self.certificate.enter(&report, &frame);
        }
        report
    }

    fn judgement(&self) -> Judgement {
        self.certificate.judgement()
    }

    fn time(&self) -> f64 {
        self.held.time()
    }

    fn frame(&self) -> u64 {
        self.held.frame()
    }

    fn state_hash(&self) -> u64 {
        self.held.state_hash()
    }

    fn position(&self, particle: usize) -> Vector3<f64> {
        self.held.position(particle)
    }

    fn velocity(&self, particle: usize) -> Vector3<f64> {
        self.held.velocity(particle)
    }

    fn each_position(&self, first: usize, vertices: &[u32], take: &mut dyn FnMut(Vector3<f64>)) {
        for &v in vertices {
            take(self.held.position(first + v as usize));
        }
    }

    fn mass(&self, particles: std::ops::Range<usize>) -> f64 {
        self.held.masses_of(particles).into_iter().filter(|mass| mass.is_finite()).sum()
    }

    fn grab(&mut self, particle: usize, stiffness: f64) -> Result<Grab, LiveError> {
        self.held.grab(particle, pliant_solver::Stiffness::new(stiffness))
    }

    fn move_to(&mut self, grab: Grab, to: Vector3<f64>) -> Result<(), LiveError> {
        self.held.move_to(grab, to)
    }

    fn let_go(&mut self, grab: Grab) -> Result<(), LiveError> {
        self.held.let_go(grab)
    }

    fn grab_force(&self, grab: Grab) -> Option<Vector3<f64>> {
        self.held.grab_force(grab)
    }

    fn obstacle(&self, number: usize) -> Option<ObstacleId> {
        self.held.obstacles().nth(number)
    }

    fn move_obstacle(&mut self, id: ObstacleId, [by, turned]: [Vector3<f64>; 2]) -> Result<(), LiveError> {
        self.held.move_obstacle(id, by, turned)
    }

    fn restart(&mut self) {
        self.held.restore(&self.start);
        self.certificate = Certificate::begin(&self.held);
        self.spent = 0;
    }

    fn settle(&mut self, scene: &Scene, frame: u32) -> Result<(), LiveError> {
        scene.settle(frame, &mut *self.held)
    }

    fn carried(&self) -> Vec<Carried> {
        let plain = |list: Vec<Vector3<f64>>| list.into_iter().map(Into::into).collect();
        let body = |part: &pliant_solver::BodyRange| Carried {
            name: part.name.clone(),
            positions: plain(self.held.positions_of(part.particles.clone())),
            velocities: plain(self.held.velocities_of(part.particles.clone())),
        };
        self.held.body_ranges().iter().map(body).collect()
    }

    fn carry(&mut self, bodies: &[Carried]) {
        let ids: Vec<BodyId> = self.held.bodies().collect();
        for id in ids {
            let Some(part) = self.held.body_range(id) else { continue };
            let (name, count) = (part.name.clone(), part.particles.len());
            let fits = |body: &&Carried| body.name == name && body.positions.len() == count;
            let Some(body) = bodies.iter().find(fits) else { continue };
            // A state that the simulation refuses is not carried over: it starts over.
            let _ = self.held.set_positions(id, &body.positions);
            let _ = self.held.set_velocities(id, &body.velocities);
        }
        self.certificate = Certificate::begin(&self.held);
        self.spent = 0;
    }

    fn constraints(&self) -> usize {
        self.held.plan().iter().map(|group| group.active).sum()
    }

    fn particles(&self) -> usize {
        self.held.len()
    }

    fn precision(&self) -> &'static str {
        T::NAME
    }

    fn substeps(&self) -> u32 {
        self.held.settings().substeps
    }

    #[cfg(not(target_family = "wasm"))]
    fn record(&self, scene: &Scene, bodies: &[BuiltBody], to: &RunFolder) -> Result<Recording, RunError> {
        Recording::begin(scene, bodies, &self.held, to)
    }

    #[cfg(not(target_family = "wasm"))]
    fn write_to(&self, recording: &mut Recording, ms: f64) -> Result<(), RunError> {
        recording.take(&*self.held, ms)
    }
}

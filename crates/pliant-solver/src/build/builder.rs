//! [`SimulationBuilder`]: a simulation from bodies, obstacles and settings.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::build::assembly::Assembly;
use crate::build::constraints::Constraints;
use crate::build::gather::gather;
use crate::build::placed::Placed;
use crate::build::surfaces::meeting;
use crate::build::weld::Welds;
use crate::build::welded;
use crate::describe::attachment::{Attached, Attachment};
use crate::describe::body::{BendModel, Body, Masses};
use crate::describe::book::Book;
use crate::describe::category::Category;
use crate::describe::collide::{CrossingStart, PinchResponse};
use crate::describe::contact_pair::ContactPair;
use crate::describe::custom_constraints::CustomConstraints;
use crate::describe::obstacle::Obstacle;
use crate::describe::plan::Plan;
use crate::describe::scene::Scene;
use crate::describe::seam::{self, Seam, Sewing};
use crate::describe::settings::{Lanes, Method, Settings};
use crate::describe::stitch::{Sewn, Stitch};
use crate::describe::wind::Wind;
use crate::error::BuildError;
use crate::error::particle::ParticleError;
use crate::error::setting::{Setting, SettingError};
use crate::error::value::Value;
use crate::set::tethers::Tethered;
use crate::simulation::Simulation;

/// Collects what is simulated and how; made by [`Simulation::builder`].
#[derive(Debug, Clone, Default)]
pub struct SimulationBuilder {
    scene: Scene,
}

impl Simulation<f32> {
    /// Starts a simulation. The scalar is chosen by the last call: [`build`](SimulationBuilder::build) for `f32`,
    /// [`build_as`](SimulationBuilder::build_as) for another.
    #[must_use]
    pub fn builder() -> SimulationBuilder {
        SimulationBuilder::default()
    }
}

impl SimulationBuilder {
    /// A builder with this description.
    pub(crate) fn of(scene: Scene) -> Self {
        Self { scene }
    }

    /// Replaces all settings.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.scene.settings = settings;
        self
    }

    /// Acceleration of gravity, m/s².
    #[must_use]
    pub fn gravity(mut self, gravity: impl Into<Vector3<f64>>) -> Self {
        self.scene.settings.gravity = gravity.into();
        self
    }

    /// Substeps per step.
    #[must_use]
    pub fn substeps(mut self, substeps: u32) -> Self {
        self.scene.settings.substeps = substeps;
        self
    }

    /// Iterations per substep.
    #[must_use]
    pub fn iterations(mut self, iterations: u32) -> Self {
        self.scene.settings.iterations = iterations;
        self
    }

    /// How errors are reduced.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.scene.settings.method = method;
        self
    }

    /// Required accuracy of the answer, for a [`Method`] that uses it; see [`Settings::accuracy`].
    #[must_use]
    pub fn accuracy(mut self, accuracy: f64) -> Self {
        self.scene.settings.accuracy = accuracy;
        self
    }

    /// Order of projection within a group.
    #[must_use]
    pub fn plan(mut self, plan: Plan) -> Self {
        self.scene.settings.plan = plan;
        self
    }

    /// Instructions of the clustered plan.
    #[must_use]
    pub fn lanes(mut self, lanes: Lanes) -> Self {
        self.scene.settings.lanes = lanes;
        self
    }

    /// What is done with surfaces that cross at the start: see [`Settings::crossing_start`].
    #[must_use]
    pub fn crossing_start(mut self, start: CrossingStart) -> Self {
        self.scene.settings.crossing_start = start;
        self
    }

    /// What is done where pins and obstacles leave surfaces no room: see [`Settings::pinch`].
    #[must_use]
    pub fn pinch(mut self, response: PinchResponse) -> Self {
        self.scene.settings.pinch = response;
        self
    }

    /// The farthest that a held particle goes in a substep, m: see [`Settings::motion_limit`].
    #[must_use]
    pub fn motion_limit(mut self, limit: f64) -> Self {
        self.scene.settings.motion_limit = Some(limit);
        self
    }

    /// Whether solids recover from inverted tetrahedra: see [`Settings::recover`].
    #[must_use]
    pub fn recover(mut self, recover: bool) -> Self {
        self.scene.settings.recover = recover;
        self
    }

    /// Damping of all motion except rigid motion, 1/s.
    #[must_use]
    pub fn damping(mut self, rate: f64) -> Self {
        self.scene.settings.damping = rate;
        self
    }

    /// Decay of all motion, 1/s.
    #[must_use]
    pub fn drag(mut self, rate: f64) -> Self {
        self.scene.settings.drag = rate;
        self
    }

    /// Air that moves past the bodies' surfaces.
    #[must_use]
    pub fn wind(mut self, wind: Wind) -> Self {
        self.scene.settings.wind = Some(wind);
        self
    }

    /// Adds a body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.scene.bodies.push(Arc::new(body));
        self
    }

    /// Adds an obstacle.
    #[must_use]
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.scene.obstacles.push(obstacle);
        self
    }

    /// Sews two bodies together.
    #[must_use]
    pub fn stitch(mut self, stitch: Stitch) -> Self {
        self.scene.stitches.push(stitch);
        self
    }

    /// Attaches vertices of a body to another.
    #[must_use]
    pub fn attach(mut self, attachment: Attachment) -> Self {
        self.scene.attachments.push(attachment);
        self
    }

    /// Sews panels together for good.
    #[must_use]
    pub fn seam(mut self, seam: Seam) -> Self {
        self.scene.seams.push(seam);
        self
    }

    /// Adds constraints of your own kind. They come after those of the materials, unless the
    /// [order](Self::order) says otherwise.
    #[must_use]
    pub fn constraints(mut self, constraints: CustomConstraints) -> Self {
        self.scene.custom.push(constraints);
        self
    }

    /// Sets how two bodies meet, in place of their own settings; the last call for a pair counts.
    #[must_use]
    pub fn contact_pair(mut self, pair: ContactPair) -> Self {
        self.scene.contact_pairs.push(pair);
        self
    }

    /// The order in which the groups are solved; categories left out come last, in the default order: that of
    /// [`Category`]. Seams, then soft pins and tethers, always come after all of them.
    #[must_use]
    pub fn order(mut self, order: impl IntoIterator<Item = Category>) -> Self {
        let mut categories: Vec<Category> = Vec::new();
        for category in order.into_iter().chain(Category::ALL) {
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        self.scene.order = categories;
        self
    }

    /// Uses the choices of *phys-sim-book*'s programs, so that its figures can be reproduced: the settings of
    /// [`Settings::book_cloth`] or [`Settings::book_solid`], the
    /// [sum of inverse masses](Masses::SumOfInverses), bending by distance, and coincident points skipped.
    /// Never a default: see the guide for what is wrong with each.
    #[must_use]
    pub fn book(mut self, program: Book) -> Self {
        self.scene.settings = match program {
            Book::Cloth => Settings::book_cloth(),
            Book::Solid => Settings::book_solid(),
        };
        self.scene.book = true;
        self
    }

    /// The particles and groups of the description.
    pub(crate) fn into_assembly(self) -> Result<Assembly, BuildError> {
        let mut scene = self.scene;
        for (i, body) in scene.bodies.iter_mut().enumerate().filter(|(_, body)| body.name.is_none()) {
            // The name does not change when other bodies are removed.
            Arc::make_mut(body).name = Some(format!("body {i}"));
        }
        if scene.book {
            for body in &mut scene.bodies {
                let body = Arc::make_mut(body);
                body.masses = Masses::SumOfInverses;
                if let Some(BendModel::Dihedral(elasticity)) = body.bend {
                    body.bend = Some(BendModel::Distance(elasticity));
                }
            }
        }
        assemble(scene)
    }
}

/// Concatenates the bodies into particles and groups.
fn assemble(scene: Scene) -> Result<Assembly, BuildError> {
    let (mut positions, mut inverse_masses) = (Vec::new(), Vec::new());
    let (mut velocities, mut radii) = (Vec::new(), Vec::new());
    let mut placed: Vec<Placed<'_>> = Vec::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        let name = body.name.clone().unwrap_or_else(|| format!("body {i}"));
        let w = body.checked_inverse_masses(i, &name)?;
        let first = positions.len();
        let n = body.positions().len();
        positions.extend_from_slice(body.initial());
        inverse_masses.extend_from_slice(&w);
        velocities.extend(body.initial_velocities());
        radii.extend(std::iter::repeat_n(body.contact_radius, n));
        placed.push(Placed { number: i, name, body, particles: first..first + n, inverse_masses: w });
    }
    if u32::try_from(positions.len()).is_err() {
        return Err(ParticleError::TooMany { particles: positions.len() }.into());
    }
    let sewing = seam::sew(&scene.seams, &placed, &positions)?;
    let welded = sewing.as_ref().map_or(&[][..], |sewing| sewing.welds.as_slice());
    let welds = Welds::new(welded, positions.len());
    if let Some(welds) = &welds {
        welded::check_bodies(welds, &scene, &placed)?;
        welds.merge(&mut positions, &mut velocities, &mut inverse_masses);
    }
    let ties = ties(&scene, &placed, &positions)?;
    let mut assembly = Assembly::new(positions, inverse_masses)?;
    assembly.velocities(velocities)?.contact_radii(radii)?;
    for at in &placed {
        assembly.body(at.name.clone(), at.particles.clone());
    }
    if let Some(meeting) = meeting(&placed, &ties, sewing.as_ref(), welds.as_ref(), &scene.contact_pairs)? {
        assembly.meet(meeting);
    }
    let mut ties = Some(ties);
    for &category in &scene.order {
        let described = match category {
            Category::Ties => ties.take().unwrap_or_default(),
            Category::Custom => {
                scene.custom.iter().map(|own| own.place(&placed)).collect::<Result<Vec<_>, _>>()?
            }
            _ => gather(category, &placed, scene.book)?,
        };
        for constraints in described {
            welded::check_folds(welds.as_ref(), &constraints, &scene, &placed)?;
            assembly.add(constraints);
        }
    }
    // After all that shares their particles: what is projected last ends nearest to its target, and a seam is
    // to be closed.
    if let Some(Sewing { constraints, seams, .. }) = sewing {
        welded::check_folds(welds.as_ref(), &constraints, &scene, &placed)?;
        assembly.sew(constraints, seams);
    }
    if let Some(welds) = welds {
        assembly.weld(welds);
    }
    for at in &placed {
        for (pin, spec) in at.body.pins.iter().enumerate() {
            assembly.pin(at.place_pin(pin, spec)?);
        }
        if scene.settings.wind.is_some() {
            assembly.wind_on(at.shift(at.surface()));
        }
        assembly.report_volumes(at.silent_tets());
        if scene.settings.recover {
            assembly.guard(at.guarded_tets());
        }
        if matches!(scene.settings.method, Method::Coarse | Method::Auto)
            && let Some(rigid) = at.rigid()
        {
            assembly.correct(rigid);
        }
        if let Some(slack) = at.body.tethers {
            assembly.tether(Tethered { first: at.first(), shape: at.body.shape.clone(), slack });
        }
    }
    if scene.settings.method == Method::Coarse && !assembly.has_rigid_bodies() {
        return Err(SettingError {
            setting: Setting::Method,
            value: Value::Choice(Method::Coarse.name()),
            expected: "\"sweeps\", or a body whose edges are rigid (a stretch compliance of 0): elastic \
            edges have no coarse levels",
        }
        .into());
    }
    for obstacle in &scene.obstacles {
        assembly.obstacle(obstacle.clone());
    }
    assembly.settings(scene.settings.clone());
    assembly.made_of(scene);
    Ok(assembly)
}

/// The stitches and attachments.
fn ties(
    scene: &Scene,
    placed: &[Placed<'_>],
    positions: &[Vector3<f64>],
) -> Result<Vec<Constraints>, BuildError> {
    let mut sewn = Sewn::default();
    for (i, stitch) in scene.stitches.iter().enumerate() {
        sewn.sew(i, stitch, placed, positions)?;
    }
    let mut attached = Attached::default();
    for (i, attachment) in scene.attachments.iter().enumerate() {
        attached.attach(i, attachment, placed)?;
    }
    let mut all = sewn.finish()?;
    all.extend(attached.finish()?);
    Ok(all)
}

//! [`SimulationBuilder`]: a simulation from bodies, obstacles and settings.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{BendDistance, BookDistance, Dihedral, Distance, Kind, TetVolume};
use pliant_mesh::Hinges;

use crate::assembly::Assembly;
use crate::body::{BendModel, Body, BodyShape, Masses};
use crate::constraints::{Constraints, Response};
use crate::elasticity::Elasticity;
use crate::error::BuildError;
use crate::float::Float;
use crate::obstacle::Obstacle;
use crate::pin::{Pin, Selection};
use crate::settings::{Lanes, Plan, Settings, Wind};
use crate::simulation::Simulation;

/// Collects what is simulated and how; made by [`Simulation::builder`].
#[derive(Debug, Clone)]
pub struct SimulationBuilder {
    settings: Settings,
    bodies: Vec<Body>,
    obstacles: Vec<Obstacle>,
    order: Vec<Role>,
    book: bool,
}

/// What a group of constraints is for; groups are solved role by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Resistance of edges to stretching.
    Edges,
    /// Resistance of hinges to bending.
    Bending,
    /// Resistance of tetrahedra to a change of volume.
    Volumes,
}

/// Which of the book's two programs a preset follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Book {
    /// The cloth chapter.
    Cloth,
    /// The volumetric mesh chapter.
    Solid,
}

impl Simulation<f32> {
    /// Starts a simulation. The scalar is chosen by the last call: [`build`](SimulationBuilder::build) for `f32`,
    /// [`build_as`](SimulationBuilder::build_as) for another.
    #[must_use]
    pub fn builder() -> SimulationBuilder {
        SimulationBuilder {
            settings: Settings::default(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
            order: vec![Role::Edges, Role::Bending, Role::Volumes],
            book: false,
        }
    }
}

impl SimulationBuilder {
    /// Replaces all settings.
    #[must_use]
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Acceleration of gravity, m/s².
    #[must_use]
    pub fn gravity(mut self, gravity: impl Into<Vector3<f64>>) -> Self {
        self.settings.gravity = gravity.into();
        self
    }

    /// Substeps per step.
    #[must_use]
    pub fn substeps(mut self, substeps: u32) -> Self {
        self.settings.substeps = substeps;
        self
    }

    /// Iterations per substep.
    #[must_use]
    pub fn iterations(mut self, iterations: u32) -> Self {
        self.settings.iterations = iterations;
        self
    }

    /// Order of projection within a group.
    #[must_use]
    pub fn plan(mut self, plan: Plan) -> Self {
        self.settings.plan = plan;
        self
    }

    /// Instructions of the clustered plan.
    #[must_use]
    pub fn lanes(mut self, lanes: Lanes) -> Self {
        self.settings.lanes = lanes;
        self
    }

    /// Damping of all but rigid motion, 1/s.
    #[must_use]
    pub fn damping(mut self, rate: f64) -> Self {
        self.settings.damping = rate;
        self
    }

    /// Decay of all motion, 1/s.
    #[must_use]
    pub fn drag(mut self, rate: f64) -> Self {
        self.settings.drag = rate;
        self
    }

    /// Air that moves past the bodies' surfaces.
    #[must_use]
    pub fn wind(mut self, wind: Wind) -> Self {
        self.settings.wind = Some(wind);
        self
    }

    /// Adds a body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds an obstacle.
    #[must_use]
    pub fn obstacle(mut self, obstacle: Obstacle) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// The order in which the groups are solved; roles left out come last, in the default order edges, bending, volumes.
    #[must_use]
    pub fn order(mut self, order: impl IntoIterator<Item = Role>) -> Self {
        let mut roles: Vec<Role> = Vec::new();
        for role in order.into_iter().chain([Role::Edges, Role::Bending, Role::Volumes]) {
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
        self.order = roles;
        self
    }

    /// Takes over the choices of *phys-sim-book*'s programs, so that its figures can be reproduced: the settings of
    /// [`Settings::book_cloth`] or [`Settings::book_solid`], the [sum of inverse masses](Masses::SumOfInverses), bending by distance, and coincident
    /// points skipped. Never a default: see the guide for what is wrong with each.
    #[must_use]
    pub fn book(mut self, program: Book) -> Self {
        self.settings = match program {
            Book::Cloth => Settings::book_cloth(),
            Book::Solid => Settings::book_solid(),
        };
        self.book = true;
        self
    }

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
    pub fn build_as<T: Float>(mut self) -> Result<Simulation<T>, BuildError> {
        if self.book {
            for body in &mut self.bodies {
                body.masses = Masses::SumOfInverses;
                if let Some((model, _)) = &mut body.bend {
                    *model = BendModel::Distance;
                }
            }
        }
        self.assemble()?.build()
    }

    /// Concatenates the bodies into particles and groups.
    fn assemble(self) -> Result<Assembly, BuildError> {
        let (mut positions, mut inverse_masses) = (Vec::new(), Vec::new());
        let (mut velocities, mut radii) = (Vec::new(), Vec::new());
        let mut placed: Vec<Placed<'_>> = Vec::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let name = body.name.clone().unwrap_or_else(|| format!("body {i}"));
            let w = body.checked_inverse_masses(&name)?;
            let first = positions.len();
            let n = body.positions().len();
            positions.extend_from_slice(body.positions());
            inverse_masses.extend(w);
            velocities.extend(std::iter::repeat_n(body.velocity, n));
            radii.extend(std::iter::repeat_n(body.contact_radius, n));
            placed.push(Placed { name, body, particles: first..first + n });
        }
        if u32::try_from(positions.len()).is_err() {
            return Err(BuildError::TooManyParticles { particles: positions.len() });
        }
        let mut assembly = Assembly::new(positions, inverse_masses)?;
        assembly.velocities(velocities)?.contact_radii(radii)?;
        for at in &placed {
            assembly.part(at.name.clone(), at.particles.clone());
        }
        for &role in &self.order {
            for constraints in gather(role, &placed, self.book)? {
                assembly.add(constraints);
            }
        }
        for at in &placed {
            for (pin, spec) in at.body.pins.iter().enumerate() {
                assembly.pin(at.place_pin(pin, spec)?);
            }
            if self.settings.wind.is_some() {
                assembly.wind_on(at.surface());
            }
        }
        for obstacle in self.obstacles {
            assembly.obstacle(obstacle);
        }
        assembly.settings(self.settings);
        Ok(assembly)
    }
}

/// A body and the particles that it became.
struct Placed<'a> {
    name: String,
    body: &'a Body,
    particles: Range<usize>,
}

impl Placed<'_> {
    /// Number of the first particle; all numbers were checked to fit.
    #[allow(clippy::cast_possible_truncation, reason = "the number of particles was checked")]
    fn first(&self) -> u32 {
        self.particles.start as u32
    }

    fn shift<const N: usize>(&self, elements: &[[u32; N]]) -> Vec<[u32; N]> {
        let first = self.first();
        elements.iter().map(|element| element.map(|v| v + first)).collect()
    }

    /// The pin in the numbering of the particles.
    fn place_pin(&self, pin: usize, spec: &Pin) -> Result<Pin, BuildError> {
        let positions = self.body.positions();
        let vertices = spec.resolve(positions);
        if vertices.is_empty() {
            let (low, high) = extent(positions);
            let extent = format!(
                "it reaches from ({}, {}, {}) to ({}, {}, {})",
                low.x, low.y, low.z, high.x, high.y, high.z
            );
            let vertices = positions.len();
            return Err(BuildError::PinSelectsNothing { body: self.name.clone(), pin, vertices, extent });
        }
        if let Some(&vertex) = vertices.iter().find(|&&v| v as usize >= positions.len()) {
            let (vertex, vertices) = (vertex as usize, positions.len());
            return Err(BuildError::PinOutOfRange { body: self.name.clone(), pin, vertex, vertices });
        }
        let first = self.first();
        let selection = Selection::Vertices(vertices.into_iter().map(|v| v + first).collect());
        Ok(Pin { selection, ..spec.clone() })
    }

    /// The triangles that the air meets.
    fn surface(&self) -> Vec<[u32; 3]> {
        match &self.body.shape {
            BodyShape::Cloth(mesh, _) => self.shift(mesh.triangles()),
            BodyShape::Solid(mesh, _) => self.shift(&mesh.boundary_triangles()),
        }
    }

    fn hinges(&self) -> Option<Hinges> {
        match &self.body.shape {
            BodyShape::Cloth(mesh, _) => Some(mesh.hinges()),
            BodyShape::Solid(..) => None,
        }
    }
}

fn extent(positions: &[Vector3<f64>]) -> (Vector3<f64>, Vector3<f64>) {
    let start = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    positions.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)))
}

/// Constraints of one kind of all bodies that answer alike.
struct Gathered<K, const N: usize> {
    response: Response,
    stencils: Vec<[u32; N]>,
    kinds: Vec<K>,
    compliances: Vec<f64>,
}

/// Sorts the constraints of the bodies by how they answer.
struct Groups<K, const N: usize>(Vec<Gathered<K, N>>);

impl<K, const N: usize> Groups<K, N> {
    fn add(&mut self, elasticity: Elasticity, stencils: Vec<[u32; N]>, kinds: impl Iterator<Item = K>) {
        let found = self.0.iter().position(|g| g.response == elasticity.response);
        let at = found.unwrap_or_else(|| {
            self.0.push(Gathered {
                response: elasticity.response,
                stencils: Vec::new(),
                kinds: Vec::new(),
                compliances: Vec::new(),
            });
            self.0.len() - 1
        });
        let group = &mut self.0[at];
        group.compliances.extend(std::iter::repeat_n(elasticity.compliance, stencils.len()));
        group.stencils.extend(stencils);
        group.kinds.extend(kinds);
    }

    /// The groups; a stiffness of position based dynamics is told in the name when there is more than one group.
    fn finish<const M: usize>(self, name: &str) -> Result<Vec<Constraints>, BuildError>
    where
        K: Kind<N, M>,
    {
        let several = self.0.len() > 1;
        let groups = self.0.into_iter().filter(|g| !g.stencils.is_empty());
        groups
            .map(|g| {
                let name = match g.response {
                    Response::Pbd { stiffness, .. } if several => format!("{name} (k = {stiffness})"),
                    Response::Pbd { .. } | Response::Compliant => name.to_owned(),
                };
                // One number serves for all where there is only one.
                let first = g.compliances.first().copied().unwrap_or_default();
                let uniform = g.compliances.iter().all(|&a| a == first);
                let compliances = if uniform { vec![first] } else { g.compliances };
                Constraints::new(name, g.stencils, g.kinds, compliances)?.with_response(g.response)
            })
            .collect()
    }
}

/// All constraints of a role.
fn gather(role: Role, placed: &[Placed<'_>], book: bool) -> Result<Vec<Constraints>, BuildError> {
    match role {
        Role::Edges => {
            let mut groups = Groups(Vec::new());
            for at in placed {
                let edges = match &at.body.shape {
                    BodyShape::Cloth(mesh, _) => mesh.edges(),
                    BodyShape::Solid(mesh, _) => mesh.edges(),
                };
                let x = at.body.positions();
                let kinds: Vec<_> =
                    edges.iter().map(|e| Distance::at_rest(&e.map(|v| x[v as usize]))).collect();
                if let Some(index) = kinds.iter().position(|kind| kind.rest <= 0.0) {
                    let element =
                        format!("edge between vertices {} and {},", edges[index][0], edges[index][1]);
                    return Err(BuildError::Degenerate { body: at.name.clone(), element, index });
                }
                groups.add(at.body.stretch, at.shift(&edges), kinds.into_iter());
            }
            if book {
                groups.map(|kind| BookDistance { rest: kind.rest }).finish("edges")
            } else {
                groups.finish("edges")
            }
        }
        Role::Bending => {
            let mut dihedral = Groups(Vec::new());
            let mut distance = Groups(Vec::new());
            for at in placed {
                let (Some((model, elasticity)), Some(hinges)) = (at.body.bend, at.hinges()) else { continue };
                let x = at.body.positions();
                match model {
                    BendModel::Dihedral => {
                        let stencils = hinges.stencils();
                        let kinds = stencils.iter().map(|s| Dihedral::at_rest(&s.map(|v| x[v as usize])));
                        dihedral.add(elasticity, at.shift(&stencils), kinds);
                    }
                    BendModel::Distance => {
                        let pairs = hinges.opposite_pairs();
                        let kinds = pairs.iter().map(|p| BendDistance::at_rest(&p.map(|v| x[v as usize])));
                        distance.add(elasticity, at.shift(&pairs), kinds);
                    }
                }
            }
            let both = !dihedral.0.is_empty() && !distance.0.is_empty();
            let mut all = dihedral.finish("bending")?;
            all.extend(distance.finish(if both { "bending (distance)" } else { "bending" })?);
            Ok(all)
        }
        Role::Volumes => {
            let mut groups = Groups(Vec::new());
            for at in placed {
                if let BodyShape::Solid(mesh, _) = &at.body.shape {
                    let x = mesh.positions();
                    let kinds = mesh.tets().iter().map(|t| TetVolume::at_rest(&t.map(|v| x[v as usize])));
                    groups.add(at.body.volume, at.shift(mesh.tets()), kinds);
                }
            }
            groups.finish("volumes")
        }
    }
}

impl<K, const N: usize> Groups<K, N> {
    /// The same constraints as another kind.
    fn map<L>(self, f: impl Fn(K) -> L) -> Groups<L, N> {
        let convert = |g: Gathered<K, N>| Gathered {
            response: g.response,
            stencils: g.stencils,
            kinds: g.kinds.into_iter().map(&f).collect(),
            compliances: g.compliances,
        };
        Groups(self.0.into_iter().map(convert).collect())
    }
}

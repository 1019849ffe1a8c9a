//! [`Body`]: a mesh with a material, ready to be put into a simulation.

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};

use crate::describe::body_shape::BodyShape;
use crate::describe::category::Category;
use crate::describe::collide::Collide;
use crate::describe::compliance::Stiffness;
use crate::describe::elasticity::{Elasticity, VolumeElasticity};
use crate::describe::factors::Factors;
use crate::describe::material::{Continuum, Membrane};
use crate::describe::pin::Pin;
use crate::describe::pressure::Pressure;
use crate::describe::shape_match::ShapeMatch;

/// A piece of cloth or a soft solid.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Compliance, Simulation};
///
/// let x = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, z)| Vector3::new(x, 0.0, z));
/// let sheet = TriMesh::new(x.to_vec(), vec![[0, 2, 1], [1, 2, 3]])?;
/// let mut sim = Simulation::builder()
///     .body(Body::cloth(sheet).area_density(0.2).stretch(Compliance::new(1e-6)).bend(Compliance::new(1e-2)).pin_vertices([0, 1]))
///     .build()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert_eq!(frame.residuals.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) name: Option<String>,
    pub(crate) shape: BodyShape,
    pub(crate) masses: Masses,
    velocity: Vector3<f64>,
    /// Velocities of the vertices, m/s, in place of all others.
    velocities: Option<Vec<Vector3<f64>>>,
    /// Angular velocity, rad/s, and a point of its axis, m.
    spin: [Vector3<f64>; 2],
    pub(crate) contact_radius: f64,
    /// How its surface collides, if it does.
    pub(crate) collide: Option<Collide>,
    /// A fine surface that it carries, and by which it collides.
    pub(crate) skin: Option<TriMesh>,
    /// Positions of the vertices at the start, m, if they differ from the mesh.
    pub(crate) start: Option<Vec<Vector3<f64>>>,
    pub(crate) stretch: Option<Elasticity>,
    pub(crate) membrane: Option<Membrane>,
    pub(crate) bend: Option<BendModel>,
    pub(crate) volume: Option<VolumeElasticity>,
    pub(crate) continuum: Option<Continuum>,
    pub(crate) edge_limit: Option<StrainLimit>,
    pub(crate) stretch_limit: Option<StrainLimit>,
    pub(crate) pressure: Option<Pressure>,
    pub(crate) shapes: Vec<ShapeMatch>,
    /// The share by which tethers are longer than the path to the pin.
    pub(crate) tethers: Option<f64>,
    pub(crate) factors: Vec<(Category, Factors)>,
    /// The density of each element as a multiple of that of the body; several lists are multiplied.
    pub(crate) densities: Vec<Factors>,
    pub(crate) dampings: Vec<(Category, f64)>,
    pub(crate) pins: Vec<Pin>,
}

/// How inverse masses follow from a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Masses {
    /// Each element gives its vertices equal shares of its mass; the inverse is taken of the sum.
    #[default]
    Lumped,
    /// The book's sum of the *inverses* of the shares, at unit density: too light by a factor that grows with the number of elements at
    /// a vertex, above 150 on real meshes. For comparison with the book.
    SumOfInverses,
}

/// How a hinge resists bending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BendModel {
    Dihedral(Elasticity),
    Distance(Elasticity),
    /// By its modulus k, J.
    Isometric(f64),
}

/// The range from 1 − `compression` to 1 + `stretch` times the size at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StrainLimit {
    pub(crate) compression: f64,
    pub(crate) stretch: f64,
}

impl Body {
    fn new(shape: BodyShape) -> Self {
        Self {
            name: None,
            shape,
            masses: Masses::Lumped,
            velocity: Vector3::zeros(),
            velocities: None,
            spin: [Vector3::zeros(); 2],
            contact_radius: 0.0,
            collide: None,
            skin: None,
            start: None,
            stretch: None,
            membrane: None,
            bend: None,
            volume: None,
            continuum: None,
            edge_limit: None,
            stretch_limit: None,
            pressure: None,
            shapes: Vec::new(),
            tethers: None,
            factors: Vec::new(),
            densities: Vec::new(),
            dampings: Vec::new(),
            pins: Vec::new(),
        }
    }

    /// Cloth: rigid edges and no resistance to bending, 0.2 kg/m², by default.
    #[must_use]
    pub fn cloth(mesh: TriMesh) -> Self {
        Self::new(BodyShape::Cloth(mesh, 0.2))
    }

    /// A soft solid: rigid edges, volumes of the bulk modulus of water, 1000 kg/m³, by default.
    ///
    /// With both rigid it is as stiff as the substeps allow; give the edges a compliance to make it soft.
    #[must_use]
    pub fn solid(mesh: TetMesh) -> Self {
        Self::new(BodyShape::Solid(mesh, 1000.0))
    }

    /// The name that errors and outputs use.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Density of a solid, kg/m³, or of cloth, kg/m².
    #[must_use]
    pub fn density(mut self, density: f64) -> Self {
        match &mut self.shape {
            BodyShape::Cloth(_, d) | BodyShape::Solid(_, d) => *d = density,
        }
        self
    }

    /// Density of cloth per area, kg/m²; another name for [`density`](Body::density).
    #[must_use]
    pub fn area_density(self, density: f64) -> Self {
        self.density(density)
    }

    /// How inverse masses are found.
    #[must_use]
    pub fn masses(self, masses: Masses) -> Self {
        Self { masses, ..self }
    }

    /// Initial velocity of all vertices, m/s.
    #[must_use]
    pub fn velocity(self, velocity: Vector3<f64>) -> Self {
        Self { velocity, ..self }
    }

    /// Initial rotation with the angular velocity `omega`, rad/s, about an axis through the point `about`, m; the [velocity](Body::velocity) is added to it.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Simulation};
    ///
    /// let die = Body::solid(TetMesh::block([1, 1, 1], [0.1; 3], Split::Five)?).spin(Vector3::y() * 20.0, Vector3::zeros());
    /// let sim = Simulation::builder().gravity([0.0; 3]).body(die).build_as::<f64>()?;
    /// assert!(sim.report().angular_momentum.y > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn spin(self, omega: Vector3<f64>, about: Vector3<f64>) -> Self {
        Self { spin: [omega, about], ..self }
    }

    /// Initial velocities of the vertices, m/s, one for each, in place of what is said of all of them.
    #[must_use]
    pub fn velocities(self, velocities: Vec<Vector3<f64>>) -> Self {
        Self { velocities: Some(velocities), ..self }
    }

    /// How many vertices were given a velocity of their own, if any.
    pub(crate) fn velocities_given(&self) -> Option<usize> {
        self.velocities.as_ref().map(Vec::len)
    }

    /// The velocity of every vertex at the start, m/s.
    pub(crate) fn initial_velocities(&self) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let [omega, about] = self.spin;
        self.initial().iter().enumerate().map(move |(v, x)| match &self.velocities {
            Some(own) => own.get(v).copied().unwrap_or_default(),
            None => self.velocity + omega.cross(&(x - about)),
        })
    }

    /// Gap that the body keeps from obstacles and, where it [collides](Self::collide), from other bodies and itself, m: half the thickness of cloth.
    #[must_use]
    pub fn contact_radius(self, radius: f64) -> Self {
        Self { contact_radius: radius, ..self }
    }

    /// Lets the surface of the body collide with those of others that collide, and with itself. Without a
    /// [contact radius](Self::contact_radius) it keeps a tenth of the mean length of its surface's edges at
    /// rest.
    #[must_use]
    pub fn collide(self, collide: Collide) -> Self {
        Self { collide: Some(collide), ..self }
    }

    /// A fine surface that a solid carries, at rest where the mesh is: if the body [collides](Self::collide), it does so by this surface in place of the boundary of its tetrahedra, which
    /// nothing keeps apart then. Each of its vertices is bound to the tetrahedron that holds it, or to the nearest. Obstacles of shapes still meet the vertices of the tetrahedra.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::{Split, TetMesh, TriMesh};
    /// use pliant_solver::{Body, Collide, Compliance, Simulation};
    ///
    /// // A ball of 48 mm in a block of 100 mm.
    /// let block = TetMesh::block([2; 3], [0.1; 3], Split::Five)?.translated([-0.05; 3])?;
    /// let ball = TriMesh::icosphere(0.048, 6)?;
    /// let body = Body::solid(block).stretch(Compliance::new(1e-5)).skin(ball).collide(Collide::new());
    /// let sim = Simulation::builder().body(body).build()?;
    /// assert_eq!(sim.report().collisions.unwrap().intersections, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skin(self, skin: TriMesh) -> Self {
        Self { skin: Some(skin), ..self }
    }

    /// Positions of the vertices at the start, m, while the mesh remains their rest shape. By default they
    /// start at the positions of the mesh.
    #[must_use]
    pub fn start(self, positions: Vec<Vector3<f64>>) -> Self {
        Self { start: Some(positions), ..self }
    }

    /// Resistance of the edges: a [`Compliance`](crate::Compliance), m/N, or a [`Stiffness`], N/m. Edges are rigid by default; a body with a [membrane](Body::membrane) or a
    /// [continuum](Body::continuum) has springs along its edges only if this is called.
    #[must_use]
    pub fn stretch(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { stretch: Some(elasticity.into()), ..self }
    }

    /// Makes cloth a thin elastic sheet, instead of springs along its edges.
    #[must_use]
    pub fn membrane(self, membrane: Membrane) -> Self {
        Self { membrane: Some(membrane), ..self }
    }

    /// Resistance of cloth to bending, by the angle at every interior edge: a [`Compliance`](crate::Compliance), rad²/J, or a [`Stiffness`], J/rad².
    #[must_use]
    pub fn bend(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { bend: Some(BendModel::Dihedral(elasticity.into())), ..self }
    }

    /// Resistance of cloth to bending as in the book, by the distance across every interior edge: a
    /// [`Compliance`](crate::Compliance), m/N, or a [`Stiffness`], N/m.
    #[must_use]
    pub fn bend_by_distance(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { bend: Some(BendModel::Distance(elasticity.into())), ..self }
    }

    /// Resistance of cloth to bending that is quadratic in the positions, with the modulus k, J (= N·m), the same at every resolution. For a sheet of flexural
    /// rigidity D ([`flexural_rigidity`](pliant_constraints::flexural_rigidity)) use `Stiffness::new(D /
    /// 3.0)`. The rest shape is flat, whatever the mesh is. Equations, source and directional bias:
    /// [`IsometricBending`](pliant_constraints::IsometricBending).
    #[must_use]
    pub fn bend_isometric(self, modulus: impl Into<Stiffness>) -> Self {
        Self { bend: Some(BendModel::Isometric(modulus.into().value())), ..self }
    }

    /// Resistance of a solid's tetrahedra to a change of volume: a [bulk modulus](VolumeElasticity::BulkModulus), a [`Compliance`](crate::Compliance), m³/Pa, or a [`Stiffness`], Pa/m³. They have the
    /// bulk modulus of water by default; a body with a
    /// [continuum](Body::continuum) has them only if this is called.
    #[must_use]
    pub fn volume(self, elasticity: impl Into<VolumeElasticity>) -> Self {
        Self { volume: Some(elasticity.into()), ..self }
    }

    /// Makes a solid an elastic continuum, instead of springs along its edges and for its volumes.
    #[must_use]
    pub fn continuum(self, continuum: Continuum) -> Self {
        Self { continuum: Some(continuum), ..self }
    }

    /// Keeps every edge from (1 − `compression`) to (1 + `stretch`) times its length at rest; in between, it
    /// is free. `f64::INFINITY` means no limit of the stretch, 1 no limit of the compression. Source:
    /// [`LengthLimit`](pliant_constraints::LengthLimit).
    #[must_use]
    pub fn limit_edges(self, compression: f64, stretch: f64) -> Self {
        Self { edge_limit: Some(StrainLimit { compression, stretch }), ..self }
    }

    /// Keeps the principal stretches of every triangle of cloth from 1 − `compression` to 1 + `stretch`; in
    /// between, it is free. Source: [`StretchLimit`](pliant_constraints::StretchLimit).
    #[must_use]
    pub fn limit_stretch(self, compression: f64, stretch: f64) -> Self {
        Self { stretch_limit: Some(StrainLimit { compression, stretch }), ..self }
    }

    /// Fills the closed surface of cloth, or the boundary of a solid.
    #[must_use]
    pub fn pressure(self, pressure: Pressure) -> Self {
        Self { pressure: Some(pressure), ..self }
    }

    /// Pulls vertices towards their shape in the mesh, moved and rotated to fit best. May be called for
    /// several groups, which may overlap.
    #[must_use]
    pub fn keep_shape(mut self, group: ShapeMatch) -> Self {
        self.shapes.push(group);
        self
    }

    /// Keeps every vertex within reach of the nearest pinned one: no farther than (1 + `slack`) times the
    /// path along the mesh at rest. This stops cloth from stretching under its own weight if substeps are
    /// few. Pins with a compliance do not count; without pins there are no tethers. Source:
    /// [`Tether`](pliant_constraints::Tether).
    #[must_use]
    pub fn tethers(self, slack: f64) -> Self {
        Self { tethers: Some(slack), ..self }
    }

    /// Makes the elements of a category stiffer or softer, each by its own factor.
    #[must_use]
    pub fn vary(mut self, category: Category, factors: impl Into<Factors>) -> Self {
        self.factors.push((category, factors.into()));
        self
    }

    /// Makes the triangles or tetrahedra heavier or lighter, each by its own factor.
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    /// use pliant_solver::{Body, Continuum, Factors, Simulation};
    ///
    /// // A block with a lower half of twice the density.
    /// let block = TetMesh::block([2, 4, 2], [0.1, 0.2, 0.1], Split::Kuhn)?;
    /// let body = Body::solid(block)
    ///     .density(1000.0)
    ///     .vary_density(Factors::by_place(|x| if x.y < 0.1 { 2.0 } else { 1.0 }))
    ///     .continuum(Continuum::neo_hookean(1e5, 0.4));
    /// let sim = Simulation::builder().body(body).build()?;
    /// let mass: f64 = sim.inverse_masses().iter().map(|w| 1.0 / w).sum();
    /// assert!((mass - 3.0).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn vary_density(mut self, factors: impl Into<Factors>) -> Self {
        self.densities.push(factors.into());
        self
    }

    /// Damps the constraints of a category with a relaxation time, s; see
    /// [`Constraints::with_damping`](crate::Constraints::with_damping). Rigid ones are not damped.
    #[must_use]
    pub fn damp(mut self, category: Category, relaxation: f64) -> Self {
        self.dampings.push((category, relaxation));
        self
    }

    /// Pins every vertex whose position, m, satisfies a condition.
    #[must_use]
    pub fn pin(self, condition: impl Fn(&Vector3<f64>) -> bool + Send + Sync + 'static) -> Self {
        self.pin_with(Pin::select(condition))
    }

    /// Pins vertices by their numbers.
    #[must_use]
    pub fn pin_vertices(self, vertices: impl IntoIterator<Item = u32>) -> Self {
        self.pin_with(Pin::vertices(vertices))
    }

    /// Adds a pin that may move, be released, or hold softly.
    #[must_use]
    pub fn pin_with(mut self, pin: Pin) -> Self {
        self.pins.push(pin);
        self
    }

    /// The vertices at rest, m.
    pub(crate) fn positions(&self) -> &[Vector3<f64>] {
        self.shape.positions()
    }

    /// The vertices at the start, m.
    pub(crate) fn initial(&self) -> &[Vector3<f64>] {
        self.start.as_deref().unwrap_or(self.positions())
    }

    pub(crate) fn edges(&self) -> Vec<[u32; 2]> {
        match &self.shape {
            BodyShape::Cloth(mesh, _) => mesh.edges(),
            BodyShape::Solid(mesh, _) => mesh.edges(),
        }
    }
}

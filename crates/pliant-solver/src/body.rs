//! [`Body`]: a mesh with a material, ready to be put into a simulation.

use nalgebra::Vector3;
use pliant_mesh::{
    TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles, sum_of_inverse_tet_masses,
    sum_of_inverse_triangle_masses,
};

use crate::elasticity::Elasticity;
use crate::error::BuildError;
use crate::pin::Pin;

/// A piece of cloth or a soft solid.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Simulation};
///
/// let x = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, z)| Vector3::new(x, 0.0, z));
/// let sheet = TriMesh::new(x.to_vec(), vec![[0, 2, 1], [1, 2, 3]])?;
/// let mut sim = Simulation::builder()
///     .body(Body::cloth(sheet).area_density(0.2).stretch(1e-6).bend(1e-2).pin_vertices([0, 1]))
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
    pub(crate) velocity: Vector3<f64>,
    pub(crate) contact_radius: f64,
    pub(crate) stretch: Elasticity,
    pub(crate) bend: Option<(BendModel, Elasticity)>,
    pub(crate) volume: Elasticity,
    pub(crate) pins: Vec<Pin>,
}

/// The mesh of a body and its density.
#[derive(Debug, Clone)]
pub(crate) enum BodyShape {
    /// Triangles, kg/m².
    Cloth(TriMesh, f64),
    /// Tetrahedra, kg/m³.
    Solid(TetMesh, f64),
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BendModel {
    Dihedral,
    Distance,
}

impl Body {
    fn new(shape: BodyShape) -> Self {
        Self {
            name: None,
            shape,
            masses: Masses::Lumped,
            velocity: Vector3::zeros(),
            contact_radius: 0.0,
            stretch: Elasticity::rigid(),
            bend: None,
            volume: Elasticity::rigid(),
            pins: Vec::new(),
        }
    }

    /// Cloth: rigid edges and no resistance to bending, 0.2 kg/m², until told otherwise.
    #[must_use]
    pub fn cloth(mesh: TriMesh) -> Self {
        Self::new(BodyShape::Cloth(mesh, 0.2))
    }

    /// A soft solid: rigid edges and volumes, 1000 kg/m³, until told otherwise.
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

    /// Gap that the vertices keep from obstacles, m: half the thickness of cloth.
    #[must_use]
    pub fn contact_radius(self, radius: f64) -> Self {
        Self { contact_radius: radius, ..self }
    }

    /// Resistance of the edges, m/N.
    #[must_use]
    pub fn stretch(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { stretch: elasticity.into(), ..self }
    }

    /// Resistance of cloth to bending, by the angle at every interior edge, rad²/J.
    #[must_use]
    pub fn bend(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { bend: Some((BendModel::Dihedral, elasticity.into())), ..self }
    }

    /// Resistance of cloth to bending as the book has it, by the distance across every interior edge, m/N.
    #[must_use]
    pub fn bend_by_distance(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { bend: Some((BendModel::Distance, elasticity.into())), ..self }
    }

    /// Resistance of a solid's tetrahedra to a change of volume, m³/Pa.
    #[must_use]
    pub fn volume(self, elasticity: impl Into<Elasticity>) -> Self {
        Self { volume: elasticity.into(), ..self }
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

    /// Adds a pin that may move, let go, or hold softly.
    #[must_use]
    pub fn pin_with(mut self, pin: Pin) -> Self {
        self.pins.push(pin);
        self
    }

    pub(crate) fn positions(&self) -> &[Vector3<f64>] {
        match &self.shape {
            BodyShape::Cloth(mesh, _) => mesh.positions(),
            BodyShape::Solid(mesh, _) => mesh.positions(),
        }
    }

    /// Inverse masses of the vertices, 1/kg, after checking everything that they and the constraints rest on.
    pub(crate) fn checked_inverse_masses(&self, name: &str) -> Result<Vec<f64>, BuildError> {
        let parameter = |parameter, value, expected| {
            Err(BuildError::Parameter { body: name.to_owned(), parameter, value, expected })
        };
        let (density, elements) = match &self.shape {
            BodyShape::Cloth(mesh, density) => (*density, mesh.triangles().len()),
            BodyShape::Solid(mesh, density) => (*density, mesh.tets().len()),
        };
        if !(density > 0.0 && density.is_finite()) {
            return parameter("density", density, "a positive number (kg/m² for cloth, kg/m³ for a solid)");
        }
        if !(self.contact_radius >= 0.0 && self.contact_radius.is_finite()) {
            return parameter("contact radius", self.contact_radius, "a number of at least 0, m");
        }
        for (what, elasticity) in [
            ("edges", Some(self.stretch)),
            ("bending", self.bend.map(|b| b.1)),
            ("volumes", Some(self.volume)),
        ] {
            let a = elasticity.map_or(0.0, |e| e.compliance);
            if !(a >= 0.0 && a.is_finite()) {
                return parameter(what, a, "a compliance of 0 (rigid) or more, or a positive stiffness");
            }
        }
        if elements == 0 {
            return Err(BuildError::NoConstraints {
                body: name.to_owned(),
                vertices: self.positions().len(),
            });
        }
        self.check_elements(name)?;
        let inverse: Vec<f64> = match (&self.shape, self.masses) {
            (BodyShape::Cloth(mesh, density), Masses::Lumped) => {
                invert(lumped_mass_triangles(mesh, *density))
            }
            (BodyShape::Solid(mesh, density), Masses::Lumped) => invert(lumped_mass_tets(mesh, *density)),
            (BodyShape::Cloth(mesh, _), Masses::SumOfInverses) => sum_of_inverse_triangle_masses(mesh),
            (BodyShape::Solid(mesh, _), Masses::SumOfInverses) => sum_of_inverse_tet_masses(mesh),
        };
        let massless = |w: &f64| !(*w > 0.0 && w.is_finite());
        if let Some(first) = inverse.iter().position(massless) {
            let count = inverse.iter().filter(|w| massless(w)).count();
            return Err(BuildError::Massless { body: name.to_owned(), first, count });
        }
        Ok(inverse)
    }

    fn check_elements(&self, name: &str) -> Result<(), BuildError> {
        match &self.shape {
            BodyShape::Solid(mesh, _) => {
                let inverted = mesh.inverted();
                if let Some(&first) = inverted.first() {
                    return Err(BuildError::InvertedTets {
                        body: name.to_owned(),
                        first,
                        volume: mesh.tet_volume(first),
                        count: inverted.len(),
                        total: mesh.tets().len(),
                    });
                }
            }
            BodyShape::Cloth(mesh, _) => {
                let flat = (0..mesh.triangles().len()).find(|&t| mesh.triangle_area(t) <= 0.0);
                if let Some(index) = flat {
                    let element = "triangle".to_owned();
                    return Err(BuildError::Degenerate { body: name.to_owned(), element, index });
                }
            }
        }
        Ok(())
    }
}

fn invert(masses: Vec<f64>) -> Vec<f64> {
    masses.into_iter().map(|m| 1.0 / m).collect()
}

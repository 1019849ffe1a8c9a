//! [`BodyError`]: a body that cannot be simulated.

use std::fmt;

use pliant_constraints::{ElasticError, OpenEdge, RestShapeError, StrainLimitError};
use pliant_contact::SurfaceError;
use pliant_mesh::EmbedError;
use thiserror::Error;

use crate::error::contact::ContactParameter;

/// A body that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}", self.text())]
#[non_exhaustive]
pub struct BodyError {
    /// Number of the body.
    pub body: usize,
    /// Name of the body.
    pub name: String,
    /// The part of the body.
    pub part: BodyPart,
    /// What is wrong with it.
    pub problem: BodyProblem,
}

impl BodyError {
    fn text(&self) -> String {
        let Self { name, part, problem, .. } = self;
        match (part, problem) {
            (_, BodyProblem::Number { value, expected }) => {
                format!("body \"{name}\": {part} is {value}; expected {expected}")
            }
            (BodyPart::Mesh, _) => format!("body \"{name}\": {problem}"),
            _ => format!("body \"{name}\", {part}: {problem}"),
        }
    }
}

/// The part of a body that an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyPart {
    /// Its mesh.
    Mesh,
    /// The [start](crate::Body::start) of its vertices.
    Start,
    /// Its [density](crate::Body::density), or that of its [elements](crate::Body::vary_density).
    Density,
    /// Its [contact radius](crate::Body::contact_radius).
    ContactRadius,
    /// The resistance of its [edges](crate::Body::stretch).
    Edges,
    /// The resistance of its [hinges](crate::Body::bend).
    Bending,
    /// The resistance of its [volumes](crate::Body::volume).
    Volumes,
    /// The bulk modulus of its [volumes](crate::Body::volume).
    BulkModulus,
    /// Its [membrane](crate::Body::membrane).
    Membrane,
    /// Its [continuum](crate::Body::continuum).
    Continuum,
    /// Its [pressure](crate::Body::pressure).
    Pressure,
    /// Vertices that [keep their shape](crate::Body::keep_shape).
    Shape,
    /// Limits of its [edges](crate::Body::limit_edges) or [triangles](crate::Body::limit_stretch).
    StrainLimit,
    /// Factors of its [stiffness](crate::Body::vary).
    StiffnessFactors,
    /// A relaxation time of its [damping](crate::Body::damp).
    Damping,
    /// The slack of its [tethers](crate::Body::tethers).
    Tethers,
    /// Its [surface](crate::Body::collide) in contact.
    Collision,
    /// The [fine surface](crate::Body::skin) by which it collides.
    Skin,
    /// A number of its [contacts](crate::Collide).
    Contact(ContactParameter),
}

impl fmt::Display for BodyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mesh => "mesh",
            Self::Start => "start",
            Self::Density => "density",
            Self::ContactRadius => "contact radius",
            Self::Edges => "edges",
            Self::Bending => "bending",
            Self::Volumes => "volumes",
            Self::BulkModulus => "bulk modulus",
            Self::Membrane => "membrane",
            Self::Continuum => "continuum",
            Self::Pressure => "pressure",
            Self::Shape => "shape",
            Self::StrainLimit => "strain limit",
            Self::StiffnessFactors => "factors of the stiffness",
            Self::Damping => "relaxation time",
            Self::Tethers => "slack of the tethers",
            Self::Collision => "collision",
            Self::Skin => "skin",
            Self::Contact(parameter) => return parameter.fmt(f),
        })
    }
}

/// An element of a mesh, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Element {
    /// A triangle.
    Triangle(usize),
    /// A tetrahedron.
    Tetrahedron(usize),
    /// Two triangles beside an edge.
    Hinge(usize),
    /// An edge, and the vertices that it connects.
    Edge(usize, [u32; 2]),
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Triangle(number) => write!(f, "triangle {number}"),
            Self::Tetrahedron(number) => write!(f, "tetrahedron {number}"),
            Self::Hinge(number) => write!(f, "hinge {number}"),
            Self::Edge(number, [a, b]) => write!(f, "edge {number} between vertices {a} and {b}"),
        }
    }
}

/// What is wrong with a body.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BodyProblem {
    /// A number is invalid.
    #[error("it is {value}; expected {expected}")]
    Number {
        /// The number.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// Nothing holds its particles together.
    #[error(
        "it has no constraints: its {vertices} vertices would fall apart; give it elements or a material"
    )]
    NoElements {
        /// Number of its vertices.
        vertices: usize,
    },
    /// Tetrahedra that are flat or inside out.
    #[error(
        "{count} of {total} tetrahedra are flat or inverted, the first is tetrahedron {first} with the volume {volume:e} m³; \
         repair the mesh (re-orient inverted tetrahedra, remove flat ones)"
    )]
    InvertedTets {
        /// The first such tetrahedron.
        first: usize,
        /// Its signed volume, m³.
        volume: f64,
        /// How many there are.
        count: usize,
        /// How many tetrahedra the body has.
        total: usize,
    },
    /// A triangle or edge without extent.
    #[error("{0} has no extent; repair the mesh (weld or remove degenerate elements)")]
    Degenerate(Element),
    /// Vertices that belong to no element have no mass.
    #[error(
        "{count} vertices belong to no element and have no mass, the first is vertex {first}; remove unreferenced vertices"
    )]
    Massless {
        /// The first such vertex.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// There are not as many initial velocities as vertices.
    #[error("{found} initial velocities are given for {vertices} vertices")]
    VelocityCount {
        /// Number of velocities.
        found: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// There are not as many positions at the start as vertices.
    #[error("{positions} positions are given for {vertices} vertices")]
    StartCount {
        /// Number of positions.
        positions: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A membrane of a solid.
    #[error("only cloth is made of triangles; give a solid a continuum")]
    MembraneOfSolid,
    /// A continuum of cloth.
    #[error("only a solid is made of tetrahedra; give cloth a membrane")]
    ContinuumOfCloth,
    /// A limit to the stretch of the triangles of a solid.
    #[error("the stretch of triangles can be limited in cloth only; limit the edges")]
    StretchLimitOfSolid,
    /// Moduli are listed, but not one for each element.
    #[error("{given} moduli are given for {elements} elements; give one, or one for each")]
    ModuliCount {
        /// Number of moduli.
        given: usize,
        /// Number of elements.
        elements: usize,
    },
    /// An element that has no elastic energy.
    #[error("{element}: {problem}")]
    Elastic {
        /// The element.
        element: Element,
        /// What is wrong with it.
        problem: ElasticError,
    },
    /// Limits of the strain are invalid.
    #[error(transparent)]
    StrainLimit(#[from] StrainLimitError),
    /// An element whose stretch cannot be measured.
    #[error("{element}: {problem}")]
    RestShape {
        /// The element.
        element: Element,
        /// What is wrong with it.
        problem: RestShapeError,
    },
    /// A surface that should hold a pressure has a hole.
    #[error("{0}")]
    Open(OpenEdge),
    /// The pressure of the body is invalid.
    #[error(transparent)]
    Pressure(#[from] PressureError),
    /// A shape refers to a vertex that does not exist.
    #[error("it refers to vertex {vertex}, but the body has {vertices}")]
    NoVertex {
        /// The vertex found.
        vertex: u32,
        /// Number of vertices of the body.
        vertices: usize,
    },
    /// There are not as many factors as elements.
    #[error("{given} factors are given for {elements} elements")]
    FactorCount {
        /// Number of factors.
        given: usize,
        /// Number of elements.
        elements: usize,
    },
    /// A factor is not a positive number.
    #[error("the factor of element {element} is {value}; give a positive, finite number")]
    Factor {
        /// Number of the element.
        element: usize,
        /// Its factor.
        value: f64,
    },
    /// A surface has no extent from which a thickness would follow.
    #[error("its surface has no extent; give it a contact radius")]
    NoExtent,
    /// The number type cannot distinguish the two sides of a surface.
    #[error(
        "it is {thickness:.2e} m thick and up to {farthest:.2e} m from the origin, where rounding \
        distinguishes its sides only if it is at least {needed:.1e} m thick; move the scene towards the \
        origin, use double precision, or make it thicker"
    )]
    Thin {
        /// Its thickness, m.
        thickness: f64,
        /// Largest coordinate, m.
        farthest: f64,
        /// The least thickness there, m.
        needed: f64,
    },
    /// A surface is thicker than the body is large.
    #[error("it is {thickness:.2e} m thick, and {extent:.2e} m large; give it a smaller contact radius")]
    Thick {
        /// Its thickness, m.
        thickness: f64,
        /// Its largest extent, m.
        extent: f64,
    },
    /// A skin of cloth.
    #[error("only a solid can carry a skin; cloth collides by its own triangles")]
    SkinOfCloth,
    /// A skin that cannot be bound to the tetrahedra.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// There are more vertices than numbers.
    #[error("particles and vertices of skins are too many to be numbered; use coarser meshes")]
    SkinTooLarge,
    /// The triangles do not form a surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
}

/// A pressure that is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PressureError {
    /// The surface encloses no volume.
    #[error("the surface encloses {0} m³; orient its triangles counter-clockwise as seen from outside")]
    RestVolume(f64),
    /// An overpressure without a compliance.
    #[error("an overpressure needs a positive compliance, m³/Pa")]
    NoCompliance,
    /// A gas whose pressure or exponent is not positive.
    #[error("a gas needs a positive absolute pressure and exponent, not {absolute} Pa and {exponent}")]
    Gas {
        /// Absolute pressure, Pa.
        absolute: f64,
        /// Exponent.
        exponent: f64,
    },
    /// The compliance is negative or not finite.
    #[error("the compliance is {0} m³/Pa; give 0 (rigid) or a positive number")]
    Compliance(f64),
    /// The volume to hold is not positive.
    #[error("the volume would be {0} times that at rest; it must be positive")]
    Factor(f64),
}

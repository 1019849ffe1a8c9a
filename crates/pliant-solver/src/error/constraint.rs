//! [`ConstraintError`]: a group of constraints that cannot be solved.

use pliant_constraints::{OpenEdge, ShapeError};
use thiserror::Error;

use crate::describe::body_ref::BodyRef;

/// A group of constraints that cannot be solved; constraints are counted from zero within their group.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// Lists that must go together differ in length.
    #[error(
        "group \"{group}\" has {stencils} stencils, {kinds} rest values and {compliances} compliances; they must be \
         equally many (or one compliance for all)"
    )]
    Counts {
        /// Name of the group.
        group: String,
        /// Number of stencils.
        stencils: usize,
        /// Number of rest data.
        kinds: usize,
        /// Number of compliances.
        compliances: usize,
    },
    /// A compliance is negative or not finite.
    #[error(
        "constraint {constraint} of group \"{group}\" has the compliance {value}; give 0 (rigid) or a positive number"
    )]
    Compliance {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// The compliance found.
        value: f64,
    },
    /// A PBD stiffness is outside [0, 1].
    #[error("group \"{group}\" has the PBD stiffness {value}; give a number from 0 to 1")]
    Stiffness {
        /// Name of the group.
        group: String,
        /// The stiffness found.
        value: f64,
    },
    /// A relaxation time of damping is negative or not finite.
    #[error("group \"{group}\" has the relaxation time {value} s; give 0 (no damping) or a positive number")]
    Relaxation {
        /// Name of the group.
        group: String,
        /// The time found, s.
        value: f64,
    },
    /// A constraint names a particle twice.
    #[error("constraint {constraint} of group \"{group}\" names the same particle twice")]
    RepeatedParticle {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
    },
    /// A constraint refers to a particle that does not exist.
    #[error(
        "constraint {constraint} of group \"{group}\" refers to particle {index}, but there are {particles}"
    )]
    ParticleOutOfRange {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// The index found.
        index: u32,
        /// Number of particles.
        particles: usize,
    },
    /// A group acts on a body that does not exist.
    #[error("group \"{group}\" acts on body {body}, but there are only \"{}\" (numbered from 0)", known.join("\", \""))]
    NoBody {
        /// Name of the group.
        group: String,
        /// The body given.
        body: BodyRef,
        /// Names of the existing bodies.
        known: Vec<String>,
    },
    /// A constraint refers to a vertex that its body does not have.
    #[error(
        "constraint {constraint} of group \"{group}\" refers to vertex {vertex} of body \"{body}\", which has {vertices} (numbered from 0)"
    )]
    VertexOutOfRange {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// Name of the body.
        body: String,
        /// The vertex found.
        vertex: u32,
        /// Number of vertices of the body.
        vertices: usize,
    },
    /// The rest data of a constraint are infinite or NaN.
    #[error("constraint {constraint} of group \"{group}\" has rest data that are not finite")]
    RestData {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
    },
    /// There are not as many rest positions as points of all constraints.
    #[error("group \"{group}\" has {points} points, but {found} rest positions; give one for each")]
    RestPositions {
        /// Name of the group.
        group: String,
        /// Number of points.
        points: usize,
        /// Number of rest positions.
        found: usize,
    },
    /// A surface that should enclose a volume has a hole.
    #[error("constraint {constraint} of group \"{group}\": {edge}")]
    Open {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// An edge of the hole.
        edge: OpenEdge,
    },
    /// Particles that cannot keep a shape.
    #[error("constraint {constraint} of group \"{group}\": {problem}")]
    Shape {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// What is wrong with it.
        problem: ShapeError,
    },
}

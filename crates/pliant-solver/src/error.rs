//! What can go wrong when a simulation is built or stepped.

use thiserror::Error;

use crate::collide::tally::Intersection;

/// A simulation that cannot be built. Every variant names the first offender, counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The system of an implicit step cannot be made.
    #[error("the system of Newton's method cannot be made: {problem}")]
    System {
        /// What is wrong.
        problem: pliant_multigrid::PatternError,
    },
    /// Lists that must go together differ in length.
    #[error(
        "group \"{group}\" has {stencils} stencils, {kinds} rest values and {compliances} compliances; they must be \
         equally many (or one compliance for all)"
    )]
    ConstraintCounts {
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
    /// The rest data of a constraint are infinite or NaN.
    #[error("constraint {constraint} of group \"{group}\" has rest data that are not finite")]
    RestData {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
    },
    /// A constraint over many particles makes no sense.
    #[error("constraint {constraint} of group \"{group}\": {problem}")]
    Group {
        /// Name of the group.
        group: String,
        /// Number of the constraint.
        constraint: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The material of a body, or what is asked of its shape, makes no sense.
    #[error("body \"{body}\", {of}: {problem}")]
    Material {
        /// Name of the body.
        body: String,
        /// What was asked for.
        of: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A stitch or attachment between bodies makes no sense.
    #[error("{tie}: {problem}")]
    Tie {
        /// Which one: its name, or its number among those of its sort.
        tie: String,
        /// What is wrong with it.
        problem: String,
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
    /// Positions, velocities or inverse masses do not go together.
    #[error("there are {positions} positions but {found} {what}")]
    ParticleCounts {
        /// Number of positions.
        positions: usize,
        /// What there is a different number of.
        what: &'static str,
        /// How many of them there are.
        found: usize,
    },
    /// A position, velocity or inverse mass is not finite, or an inverse mass is negative.
    #[error("particle {particle} has the {what} {value}, which cannot be simulated")]
    Particle {
        /// Number of the particle.
        particle: usize,
        /// `"position"`, `"velocity"` or `"inverse mass"`.
        what: &'static str,
        /// The value found.
        value: String,
    },
    /// More particles than `u32` can number.
    #[error("{particles} particles are more than can be numbered")]
    TooManyParticles {
        /// Number of particles.
        particles: usize,
    },
    /// Nothing to simulate.
    #[error("there is no body to simulate; add one with `body`")]
    Empty,
    /// A setting of the solver makes no sense.
    #[error("{setting} is {value}; expected {expected}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A parameter of a body makes no sense.
    #[error("body \"{body}\": {parameter} is {value}; expected {expected}")]
    Parameter {
        /// Name of the body.
        body: String,
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A body of which nothing holds the particles together.
    #[error(
        "body \"{body}\" has no constraints: its {vertices} vertices would fall apart; give it elements or a material"
    )]
    NoConstraints {
        /// Name of the body.
        body: String,
        /// Number of its vertices.
        vertices: usize,
    },
    /// Tetrahedra that are flat or inside out.
    #[error(
        "body \"{body}\": {count} of {total} tetrahedra are flat or inverted, the first is tetrahedron {first} with the volume \
         {volume:e} m³; repair the mesh (re-orient inverted tetrahedra, remove flat ones)"
    )]
    InvertedTets {
        /// Name of the body.
        body: String,
        /// The first such tetrahedron.
        first: usize,
        /// Its signed volume, m³.
        volume: f64,
        /// How many there are.
        count: usize,
        /// How many tetrahedra the body has.
        total: usize,
    },
    /// A triangle or edge of a body without extent.
    #[error(
        "body \"{body}\": {element} {index} has no extent; repair the mesh (weld or remove degenerate elements)"
    )]
    Degenerate {
        /// Name of the body.
        body: String,
        /// `"triangle"` or `"edge between vertices a and b"`.
        element: String,
        /// Number of the element.
        index: usize,
    },
    /// A pair of bodies that cannot meet as it is said.
    #[error("contact of \"{}\" and \"{}\": {problem}", bodies[0], bodies[1])]
    ContactPair {
        /// Names of the two bodies.
        bodies: [String; 2],
        /// What is wrong.
        problem: String,
    },
    /// Surfaces that cross at the start, where that is [refused](crate::CrossingStart::Refuse).
    #[error(
        "{count} {} at the start, the first: {first}; move the bodies apart, or let what crosses be driven apart",
        if *count == 1 { "edge crosses a triangle" } else { "edges cross triangles" }
    )]
    Crosses {
        /// How many pairs there are.
        count: usize,
        /// The first of them.
        first: Box<Intersection>,
    },
    /// Vertices that belong to no element have no mass.
    #[error(
        "body \"{body}\": {count} vertices belong to no element and have no mass, the first is vertex {first}; remove \
         unreferenced vertices"
    )]
    Massless {
        /// Name of the body.
        body: String,
        /// The first such vertex.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// A pin that holds nothing.
    #[error("pin {pin} of body \"{body}\" selects none of its {vertices} vertices ({extent})")]
    PinSelectsNothing {
        /// Name of the body.
        body: String,
        /// Number of the pin.
        pin: usize,
        /// Number of vertices of the body.
        vertices: usize,
        /// Where the body is.
        extent: String,
    },
    /// A pin that refers to a vertex that does not exist.
    #[error("pin {pin} of body \"{body}\" refers to vertex {vertex}, but the body has {vertices}")]
    PinOutOfRange {
        /// Name of the body.
        body: String,
        /// Number of the pin.
        pin: usize,
        /// The vertex found.
        vertex: usize,
        /// Number of vertices of the body.
        vertices: usize,
    },
    /// A motion that cannot be evaluated.
    #[error("motion of {of}: {problem}")]
    Motion {
        /// What moves.
        of: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An obstacle that makes no sense.
    #[error("obstacle {obstacle}: {parameter} is {value}; expected {expected}")]
    Obstacle {
        /// Number of the obstacle.
        obstacle: usize,
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

/// A step that could not be finished.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A position or velocity became infinite or NaN.
    #[error(
        "the simulation became non-finite in frame {frame}, substep {substep}: vertex {vertex} of body \"{body}\"{}; use more \
         substeps, a larger compliance, or check the mesh at this element",
        element.as_ref().map_or_else(String::new, |(group, constraint)| format!(", constraint {constraint} of group \"{group}\""))
    )]
    NonFinite {
        /// Frame, counted from 1 for the first step.
        frame: u64,
        /// Substep of that frame, counted from 1.
        substep: u32,
        /// Name of the body.
        body: String,
        /// The first vertex of the body that is not finite.
        vertex: usize,
        /// The first group and constraint with a value that is not finite.
        element: Option<(String, usize)>,
    },
    /// The time step is not a positive, finite number.
    #[error("the time step is {dt} s; expected a positive number")]
    TimeStep {
        /// The time step given.
        dt: f64,
    },
}

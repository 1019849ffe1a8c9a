//! [`TieError`]: a stitch, attachment or seam that cannot be made.

use std::fmt;

use pliant_constraints::stitch::StitchError;
use pliant_mesh::{EmbedError, MeshError, ProximityError};
use thiserror::Error;

/// A stitch, attachment or seam that cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{}: {problem}", called(*tie, name.as_ref()))]
#[non_exhaustive]
pub struct TieError {
    /// Which one it is.
    pub tie: TieNumber,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What is wrong with it.
    pub problem: TieProblem,
}

/// Number of a stitch, attachment or seam, each counted by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieNumber {
    /// A [`Stitch`](crate::Stitch).
    Stitch(usize),
    /// An [`Attachment`](crate::Attachment).
    Attachment(usize),
    /// A [`Seam`](crate::Seam).
    Seam(usize),
}

impl fmt::Display for TieNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stitch(number) => write!(f, "stitch {number}"),
            Self::Attachment(number) => write!(f, "attachment {number}"),
            Self::Seam(number) => write!(f, "seam {number}"),
        }
    }
}

fn called(tie: TieNumber, name: Option<&String>) -> String {
    match (tie, name) {
        (_, None) => tie.to_string(),
        (TieNumber::Stitch(_), Some(name)) => format!("stitch \"{name}\""),
        (TieNumber::Attachment(_), Some(name)) => format!("attachment \"{name}\""),
        (TieNumber::Seam(_), Some(name)) => format!("seam \"{name}\""),
    }
}

/// What is wrong with a stitch, attachment or seam.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TieProblem {
    /// There is no body of this number.
    #[error("there is no body {number}, only {bodies} (numbered from 0)")]
    NoBody {
        /// The number given.
        number: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// There is no body of this name.
    #[error("there is no body \"{name}\", only \"{}\"", known.join("\", \""))]
    NoBodyNamed {
        /// The name given.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// A body has no such vertex.
    #[error("it refers to vertex {vertex} of body \"{body}\", which has {vertices} (numbered from 0)")]
    NoVertex {
        /// The vertex given.
        vertex: u32,
        /// Name of the body.
        body: String,
        /// Number of its vertices.
        vertices: usize,
    },
    /// A stitch of a body with itself without `within_one_body`.
    #[error("both bodies are \"{body}\"; a stitch ties two bodies, unless it is `within_one_body`")]
    StitchedToItself {
        /// Name of the body.
        body: String,
    },
    /// An attachment of a body to itself.
    #[error("both bodies are \"{body}\"; an attachment ties two bodies")]
    AttachedToItself {
        /// Name of the body.
        body: String,
    },
    /// The compliance is negative or not finite.
    #[error("the compliance is {0} m/N; give 0 (rigid) or a positive number")]
    Compliance(f64),
    /// The relaxation time of damping is negative or not finite.
    #[error("the relaxation time is {0} s; give 0 (no damping) or a positive number")]
    Relaxation(f64),
    /// Barycentric weights that are not finite or whose sum is not 1.
    #[error("the weights of vertex {vertex} are {weights:?}, whose sum is not 1")]
    Weights {
        /// The vertex.
        vertex: u32,
        /// Its weights.
        weights: Vec<f64>,
    },
    /// No pair is near enough.
    #[error("no pair is within {radius} m at the start")]
    NoPair {
        /// The distance to search within, m.
        radius: f64,
    },
    /// No place of the other body was found.
    #[error("no place for vertex {vertex} was found")]
    NoPlace {
        /// The vertex.
        vertex: u32,
    },
    /// There are not as many rest positions as vertices.
    #[error("{given} rest positions are given for body \"{body}\", which has {vertices} vertices")]
    RestPositions {
        /// Number of rest positions.
        given: usize,
        /// Name of the body.
        body: String,
        /// Number of its vertices.
        vertices: usize,
    },
    /// A seam without pairs.
    #[error("it has no pairs; give at least one vertex and the edge that it is sewn to")]
    NoPairs,
    /// A vertex sewn to itself.
    #[error(
        "pair {pair} sews vertex {vertex} to an edge that ends in it; sew it to an edge of the other panel"
    )]
    SewnToItself {
        /// Number of the pair.
        pair: usize,
        /// The vertex.
        vertex: u32,
    },
    /// An edge whose ends are one vertex.
    #[error("pair {pair} is sewn to an edge from vertex {vertex} to itself; give its two ends")]
    NoEdge {
        /// Number of the pair.
        pair: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A place that is not on the edge.
    #[error(
        "the place of pair {pair} on its edge is {place}; give a number from 0, the first end, to 1, the second"
    )]
    Place {
        /// Number of the pair.
        pair: usize,
        /// The place given.
        place: f64,
    },
    /// A time to close that is negative or not finite.
    #[error("the time to close is {0} s; give 0 (at once) or a positive number")]
    CloseTime(f64),
    /// Not as many pairs are said to be closed or open as there are.
    #[error("{found} pairs are said to be closed or not, but it has {pairs}")]
    ClosedCount {
        /// Number of pairs that are named.
        found: usize,
        /// Number of its pairs.
        pairs: usize,
    },
    /// A weld with a time to close.
    #[error("it is welded, and so closed from the start, but has {0} s to close; leave one of them out")]
    WeldTime(f64),
    /// A pair that is to be welded, but is not together.
    #[error(
        "pair {pair} is to be welded, but starts {distance:.2e} m apart, and a tenth of its edge is {most:.2e} m; start with the seam closed, or do not weld it"
    )]
    Apart {
        /// Number of the pair.
        pair: usize,
        /// How far apart it starts, m.
        distance: f64,
        /// How far apart it may be, m.
        most: f64,
    },
    /// A weld between two bodies that collide.
    #[error(
        "it welds the bodies \"{}\" and \"{}\", which both collide; make them one mesh, or do not weld the seam, which holds by rigid constraints then",
        bodies[0], bodies[1]
    )]
    WeldedSurfaces {
        /// Names of the bodies.
        bodies: [String; 2],
    },
    /// A weld of a body with constraints that need each of its vertices by itself.
    #[error(
        "it welds vertices of body \"{body}\", which has {what}; do not weld the seam, or leave that out"
    )]
    WeldOf {
        /// Name of the body.
        body: String,
        /// What it has.
        what: &'static str,
    },
    /// A weld that makes two vertices of an element or a hinge one.
    #[error(
        "it makes vertices {} and {} one, which a constraint of \"{group}\" holds apart; sew panels vertex by vertex, or do not weld the seam",
        vertices[0], vertices[1]
    )]
    WeldFolds {
        /// The vertices, with their bodies.
        vertices: [String; 2],
        /// Name of the group.
        group: String,
    },
    /// The constraints cannot be made.
    #[error(transparent)]
    Stitch(#[from] StitchError),
    /// Near pairs cannot be found.
    #[error(transparent)]
    Proximity(#[from] ProximityError),
    /// The solid in which vertices are held is invalid at its start positions.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Vertices cannot be held inside a solid.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

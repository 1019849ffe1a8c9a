//! Errors in the triangles of a surface.

use thiserror::Error;

/// A surface refused by [`Surface::new`](crate::Surface::new).
///
/// Every variant names the first offender: bodies and triangles are counted from zero, triangles within their body.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SurfaceError {
    /// A triangle refers to a particle that does not exist.
    #[error(
        "triangle {triangle} of body {body} refers to particle {particle}, but there are {particles} particles (numbered from 0)"
    )]
    OutOfRange {
        /// Number of the body.
        body: usize,
        /// Number of the triangle in its body.
        triangle: usize,
        /// The particle found there.
        particle: u32,
        /// How many particles there are.
        particles: usize,
    },
    /// A triangle names the same particle twice: it has no area in any pose.
    #[error("triangle {triangle} of body {body} names particle {particle} twice; remove the triangle")]
    RepeatedCorner {
        /// Number of the body.
        body: usize,
        /// Number of the triangle in its body.
        triangle: usize,
        /// The particle found twice.
        particle: u32,
    },
    /// Two triangles have the same three corners: their distance is zero in every pose.
    #[error(
        "triangle {triangle} of body {body} has the same corners as triangle {first}; remove one of them (`pliant mesh repair` does)"
    )]
    Duplicate {
        /// Number of the body.
        body: usize,
        /// Number of the later triangle in its body.
        triangle: usize,
        /// Number of the earlier one.
        first: usize,
    },
    /// Two bodies name the same particle, so that it has no single owner.
    #[error(
        "triangle {triangle} of body {body} refers to particle {particle}, which belongs to body {owner}; give each body particles of its own"
    )]
    SharedParticle {
        /// Number of the later body.
        body: usize,
        /// Number of the triangle in it.
        triangle: usize,
        /// The particle.
        particle: u32,
        /// Number of the body that named it first.
        owner: usize,
    },
    /// Triangles and edges are numbered by `u32`, and offsets of particles in memory fit into it.
    #[error("the surface has {count} {what}; at most {most} can be numbered")]
    TooMany {
        /// `"particles"` or `"triangles"`.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
}

//! The errors of a deformer: [`BindError`] when it is made, [`DeformError`] in a frame.

use pliant_mesh::ProximityError;
use thiserror::Error;

/// Why a deformer cannot be made for a mesh. Vertices, edges and triangles are counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BindError {
    /// A list that has not one entry per vertex.
    #[error("{what}: {found} for {vertices} vertices; there must be one per vertex")]
    Count {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A weight outside [0, 1], or NaN.
    #[error("{what}: vertex {vertex} has the weight {weight}; weights lie between 0 and 1")]
    Weight {
        /// Which weights.
        what: &'static str,
        /// The vertex.
        vertex: usize,
        /// Its weight.
        weight: f64,
    },
    /// A number out of its range.
    #[error("{what} is {value}, but must be {range}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// A number of one vertex out of its range.
    #[error("{what} of vertex {vertex} is {value}, but must be {range}")]
    VertexNumber {
        /// Which number.
        what: &'static str,
        /// The vertex.
        vertex: usize,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// A vertex that does not exist.
    #[error("{what} {index} names vertex {vertex}, but there are only {vertices} vertices")]
    NoVertex {
        /// What names it.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// The vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A node that does not exist.
    #[error(
        "{what} names node {node}, but the skeleton has only {nodes} nodes: was it made for another one?"
    )]
    NoNode {
        /// What names it.
        what: &'static str,
        /// The node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// An edge from a vertex to itself.
    #[error("edge {edge} joins vertex {vertex} to itself")]
    Loop {
        /// The edge.
        edge: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A rest length that is negative or not finite.
    #[error("edge {edge} has the rest length {rest} m; rest lengths are finite and not negative")]
    RestLength {
        /// The edge.
        edge: usize,
        /// Its rest length, m.
        rest: f64,
    },
    /// A volume that is not enclosed.
    #[error(
        "a volume can be preserved only inside a closed surface: {boundary} edges have one triangle, {non_manifold} more than two"
    )]
    Open {
        /// Edges with one triangle.
        boundary: usize,
        /// Edges with more than two triangles.
        non_manifold: usize,
    },
    /// The setting needs triangles, and there are only edges.
    #[error("{what} needs a triangle mesh, not edges alone")]
    NeedsTriangles {
        /// The setting.
        what: &'static str,
    },
    /// Too many constraints.
    #[error("{what} would make more than {most} constraints; take fewer steps or a smaller radius")]
    TooMany {
        /// The setting.
        what: &'static str,
        /// The most that are allowed.
        most: usize,
    },
    /// Pairs of near vertices could not be found.
    #[error("neighbours by distance: {0}")]
    Near(
        /// Why.
        #[from]
        ProximityError,
    ),
}

/// Why a frame cannot be deformed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DeformError {
    /// A frame with another number of vertices than the mesh: the topology has changed.
    #[error(
        "{what} has {found} vertices, but the rest mesh has {expected}; the number must not change between frames"
    )]
    Count {
        /// Which list.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A position that is NaN or infinite.
    #[error("{what}: the position of vertex {vertex} is not finite")]
    NonFinite {
        /// Where it was found: the input, or the layer behind which it appeared.
        what: String,
        /// The vertex.
        vertex: usize,
    },
    /// An invalid time or time step.
    #[error("the {what} of a frame is {value} s; {range}")]
    Time {
        /// Time, or time step.
        what: &'static str,
        /// Its value, s.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// A pose that does not fit the skeleton.
    #[error("the pose places {found} nodes, but the skeleton has {expected}")]
    Pose {
        /// Places given.
        found: usize,
        /// Number of nodes.
        expected: usize,
    },
    /// A joint matrix that is not finite.
    #[error("the matrix of joint {joint} is not finite")]
    JointNotFinite {
        /// The joint.
        joint: usize,
    },
    /// A joint whose matrix has no rotation in it, which dual quaternions need.
    #[error(
        "joint {joint} squashes space flat (a scale of zero?) and has no rotation for a dual quaternion: use linear blending"
    )]
    JointFlat {
        /// The joint.
        joint: usize,
    },
}

/// Checks that there is one entry per vertex.
pub(crate) fn check_count(what: &'static str, found: usize, vertices: usize) -> Result<(), BindError> {
    if found == vertices { Ok(()) } else { Err(BindError::Count { what, found, vertices }) }
}

/// Checks weights: one per vertex, each in [0, 1].
pub(crate) fn check_weights(what: &'static str, weights: &[f64], vertices: usize) -> Result<(), BindError> {
    check_count(what, weights.len(), vertices)?;
    match weights.iter().position(|w| !(0.0..=1.0).contains(w)) {
        Some(vertex) => Err(BindError::Weight { what, vertex, weight: weights[vertex] }),
        None => Ok(()),
    }
}

/// Checks a number in [0, 1].
pub(crate) fn check_share(what: &'static str, value: f64) -> Result<(), BindError> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(BindError::Number { what, value, range: "between 0 and 1" })
    }
}

/// Checks a finite number of at least zero.
pub(crate) fn check_length(what: &'static str, value: f64) -> Result<(), BindError> {
    if value >= 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(BindError::Number { what, value, range: "finite and not negative" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_lie_between_nought_and_one() {
        assert!(check_weights("w", &[0.0, 1.0, 0.5], 3).is_ok());
        assert!(matches!(check_weights("w", &[0.0], 3), Err(BindError::Count { found: 1, .. })));
        for bad in [-1e-9, 1.0 + 1e-9, f64::NAN] {
            assert!(matches!(check_weights("w", &[0.0, bad], 2), Err(BindError::Weight { vertex: 1, .. })));
            assert!(check_share("s", bad).is_err());
        }
        assert!(check_length("l", f64::INFINITY).is_err() && check_length("l", 0.0).is_ok());
    }
}

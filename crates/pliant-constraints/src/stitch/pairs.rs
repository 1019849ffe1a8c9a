//! [`Stitches`]: what all kinds of stitches have in common, and why one cannot be made.

use nalgebra::Vector3;
use thiserror::Error;

use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::ModuliError;
use crate::rest_shape::RestShapeError;

/// Stitches of one kind, in three lists of the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct Stitches<K, const N: usize> {
    /// The points of each: the vertex, then the element (its corners perhaps in another order than in the pair).
    pub stencils: Vec<[u32; N]>,
    /// The constraints.
    pub kinds: Vec<K>,
    /// Their compliances, in the unit of the kind.
    pub compliances: Vec<f64>,
}

impl<K, const N: usize> Stitches<K, N> {
    pub(super) fn new() -> Self {
        Self { stencils: Vec::new(), kinds: Vec::new(), compliances: Vec::new() }
    }

    pub(super) fn push(&mut self, stencil: [u32; N], element: Elastic<K>) {
        self.stencils.push(stencil);
        self.kinds.push(element.kind);
        self.compliances.push(element.compliance);
    }

    /// Number of stitches.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stencils.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stencils.is_empty()
    }
}

/// A list of stitches that cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StitchError {
    /// The number of sets of parameters is neither one nor that of the pairs.
    #[error("{pairs} pairs, but {parameters} sets of parameters; give one for all pairs or one for each")]
    Counts {
        /// Number of pairs.
        pairs: usize,
        /// Number of sets of parameters.
        parameters: usize,
    },
    /// A pair that cannot be tied.
    #[error("stitch {pair}: {fault}")]
    Pair {
        /// The pair, counted from zero.
        pair: usize,
        /// What is wrong with it.
        #[source]
        fault: StitchFault,
    },
}

/// Why a stitch cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum StitchFault {
    /// A point that does not exist.
    #[error("it refers to point {index}, but there are {points} points (numbered from 0)")]
    OutOfRange {
        /// The index.
        index: u32,
        /// Number of points.
        points: usize,
    },
    /// A vertex tied to itself, or to an element of which it is a corner.
    #[error("it names point {index} twice")]
    Repeated {
        /// The index.
        index: u32,
    },
    /// A vertex tied to an element of its own mesh.
    #[error("point {vertex} and point {corner} belong to the same mesh {mesh}; a stitch ties two meshes")]
    SameMesh {
        /// The vertex.
        vertex: u32,
        /// A corner of the element.
        corner: u32,
        /// Their mesh.
        mesh: u32,
    },
    /// A length that is negative or not finite.
    #[error("{name} is {value} m, but must be finite and not negative")]
    Length {
        /// Which length.
        name: &'static str,
        /// What was given, m.
        value: f64,
    },
    /// The vertex and the element span no rest shape, or the stiffness is not valid.
    #[error(transparent)]
    Element(#[from] ElasticError),
}

impl From<RestShapeError> for StitchFault {
    fn from(error: RestShapeError) -> Self {
        Self::Element(error.into())
    }
}

impl From<ModuliError> for StitchFault {
    fn from(error: ModuliError) -> Self {
        Self::Element(error.into())
    }
}

/// Checks that no pair ties a vertex to an element of its own mesh. `mesh_of` is the mesh of every point.
///
/// ```
/// use pliant_constraints::stitch::check_two_meshes;
///
/// let mesh_of = [0, 0, 0, 1, 1];
/// assert!(check_two_meshes(&[[3, 0, 1]], &mesh_of).is_ok());
/// let error = check_two_meshes(&[[3, 0, 1], [2, 0, 1]], &mesh_of).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "stitch 1: point 2 and point 0 belong to the same mesh 0; a stitch ties two meshes"
/// );
/// ```
///
/// # Errors
///
/// The first such pair, or one that names a point that does not exist.
pub fn check_two_meshes<const N: usize>(stencils: &[[u32; N]], mesh_of: &[u32]) -> Result<(), StitchError> {
    for (pair, stencil) in stencils.iter().enumerate() {
        let fault = |fault| StitchError::Pair { pair, fault };
        check_indices(stencil, mesh_of.len()).map_err(fault)?;
        let mesh = |v: u32| mesh_of[v as usize];
        if let Some(&corner) = stencil[1..].iter().find(|&&v| mesh(v) == mesh(stencil[0])) {
            let vertex = stencil[0];
            return Err(fault(StitchFault::SameMesh { vertex, corner, mesh: mesh(vertex) }));
        }
    }
    Ok(())
}

fn check_indices<const N: usize>(stencil: &[u32; N], points: usize) -> Result<(), StitchFault> {
    for (j, &index) in stencil.iter().enumerate() {
        if index as usize >= points {
            return Err(StitchFault::OutOfRange { index, points });
        }
        if stencil[..j].contains(&index) {
            return Err(StitchFault::Repeated { index });
        }
    }
    Ok(())
}

/// `Ok` for a length that is finite and not negative.
pub(super) fn length(name: &'static str, value: f64) -> Result<f64, StitchFault> {
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(StitchFault::Length { name, value }) }
}

/// Calls `make` for every pair with its positions at rest and its parameters.
pub(super) fn for_every_pair<P: Copy, const N: usize>(
    pairs: &[[u32; N]],
    rest: &[Vector3<f64>],
    parameters: &[P],
    mut make: impl FnMut([u32; N], [Vector3<f64>; N], P) -> Result<(), StitchFault>,
) -> Result<(), StitchError> {
    if parameters.len() != pairs.len() && parameters.len() != 1 {
        return Err(StitchError::Counts { pairs: pairs.len(), parameters: parameters.len() });
    }
    for (pair, stencil) in pairs.iter().enumerate() {
        let parameters = parameters[if parameters.len() == 1 { 0 } else { pair }];
        check_indices(stencil, rest.len())
            .and_then(|()| make(*stencil, stencil.map(|v| rest[v as usize]), parameters))
            .map_err(|fault| StitchError::Pair { pair, fault })?;
    }
    Ok(())
}

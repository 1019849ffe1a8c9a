//! [`VertexVertexStitch`]: a spring between a vertex of one mesh and a vertex of another.

use nalgebra::Vector3;

use super::pairs::{StitchError, StitchFault, Stitches, for_every_pair, length};
use crate::coincidence::Coincidence;
use crate::distance::Distance;
use crate::elastic::Elastic;
use crate::elastic_moduli::positive;

/// A tie of a vertex to a vertex: a spring of stiffness κ.
///
/// Its energy is ½κ(|x0−x1| − L₀)²; with L₀ = 0 it is ½κ|x0−x1|², which has a direction where the two coincide too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexVertexStitch {
    /// Stiffness κ, N/m. Positive.
    pub stiffness: f64,
    /// Rest length L₀, m. Zero draws the vertices together.
    pub rest_length: f64,
}

impl Default for VertexVertexStitch {
    /// κ = 10⁶ N/m and L₀ = 0.
    fn default() -> Self {
        Self { stiffness: 1e6, rest_length: 0.0 }
    }
}

/// Vertex–vertex stitches, by whether they have a rest length.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexVertexStitches {
    /// Those of rest length zero.
    pub coincident: Stitches<Coincidence, 2>,
    /// Those with a rest length.
    pub apart: Stitches<Distance<f64>, 2>,
}

/// Stitches between the vertices of `pairs`, out of `points` points, with one set of parameters for all or
/// one for each.
///
/// ```
/// use pliant_constraints::stitch::{VertexVertexStitch, stitch_vertices};
///
/// let sewn = stitch_vertices(&[[0, 2], [1, 3]], 4, &[VertexVertexStitch::default()])?;
/// assert_eq!(sewn.coincident.stencils, [[0, 2], [1, 3]]);
/// assert_eq!(sewn.coincident.compliances, [1e-6, 1e-6]);
/// assert!(sewn.apart.is_empty());
/// # Ok::<(), pliant_constraints::stitch::StitchError>(())
/// ```
///
/// # Errors
///
/// If the lists do not fit together, a pair names a point twice or one that does not exist, the stiffness is
/// not positive or the rest length negative.
pub fn stitch_vertices(
    pairs: &[[u32; 2]],
    points: usize,
    parameters: &[VertexVertexStitch],
) -> Result<VertexVertexStitches, StitchError> {
    let mut stitches = VertexVertexStitches { coincident: Stitches::new(), apart: Stitches::new() };
    // The rest length is given, so positions do not matter.
    let rest = vec![Vector3::zeros(); points];
    for_every_pair(pairs, &rest, parameters, |stencil, _, stitch| {
        let compliance = 1.0 / stitch.checked()?.stiffness;
        if stitch.rest_length > 0.0 {
            let kind = Distance { rest: stitch.rest_length };
            stitches.apart.push(stencil, Elastic { kind, compliance });
        } else {
            stitches.coincident.push(stencil, Elastic { kind: Coincidence, compliance });
        }
        Ok(())
    })?;
    Ok(stitches)
}

impl VertexVertexStitch {
    /// The same parameters, if a spring can have them.
    ///
    /// # Errors
    ///
    /// If the stiffness is not positive, or the rest length negative; or if one is not finite.
    pub fn checked(self) -> Result<Self, StitchFault> {
        positive("the stiffness of a vertex–vertex stitch", self.stiffness)?;
        length("the rest length", self.rest_length)?;
        Ok(self)
    }
}

//! [`VertexTriangleStitch`]: an elastic tetrahedron between a vertex and a triangle of another mesh.
//!
//! *Rest tetrahedron.* n is the unit normal of the triangle (x1, x2, x3) and s = n·(x0 − x1) the signed
//! height of the vertex over its plane. Where |s| is below the least distance d the vertex is moved along the
//! normal to ±d, on the side where it is, or in front of the triangle (+) where s = 0. Where the tetrahedron
//! (x0, x1, x2, x3) is then inside out, its vertices x1 and x2 change places.

use nalgebra::Vector3;

use super::pairs::{StitchError, StitchFault, Stitches, for_every_pair, length};
use crate::elastic::Elastic;
use crate::elastic_moduli::{Lame, ModuliError};
use crate::neo_hookean::NeoHookeanTet;
use crate::rest_shape::{FLATTEST, RestShapeError};

/// A tie of a vertex to a triangle: a tetrahedron of stable neo-Hookean material.
///
/// Its energy is V₀(½λ(det F − γ)² + ½μ tr FᵀF) with γ = 1 + μ/λ; see [`NeoHookeanTet`]. The moduli are used
/// as they are.
///
/// *Hazard.* The tetrahedron is thin and has no mass of its own, so that it may be far too stiff for the
/// substeps of the bodies that it ties: project it as a
/// [`StabilisedNeoHookeanTet`](crate::StabilisedNeoHookeanTet).
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::stitch::VertexTriangleStitch;
///
/// let stitch = VertexTriangleStitch { min_separate_distance: 0.1, ..VertexTriangleStitch::default() };
/// // A vertex in the triangle is lifted to 0.1 m in front of it.
/// let rest = [Vector3::new(0.2, 0.2, 0.0), Vector3::zeros(), Vector3::x(), Vector3::y()];
/// let (order, shape) = stitch.rest_positions(&rest)?;
/// assert_eq!(shape[0].z, 0.1);
/// // Seen from there it is inside out, so two corners change places.
/// assert_eq!(order, [0, 2, 1, 3]);
/// # Ok::<(), pliant_constraints::stitch::StitchFault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexTriangleStitch {
    /// Moduli μ and λ of the energy, Pa.
    pub moduli: Lame,
    /// Least height d of the vertex over the plane of the triangle in the rest shape, m.
    pub min_separate_distance: f64,
}

impl Default for VertexTriangleStitch {
    /// E = 120 kPa and ν = 0.49 by the formulas for a solid ([`Lame::solid`]), d = 1 mm.
    fn default() -> Self {
        let moduli = Lame::solid(120e3, 0.49).expect("0.49 is below one half");
        Self { moduli, min_separate_distance: 1e-3 }
    }
}

/// Stitches between the vertex and the triangle of each of `pairs`, given as [vertex, corner, corner,
/// corner], with one set of parameters for all or one for each. `rest` are the positions, m, that make no
/// stress: those at the start, or others.
///
/// The stencils may have two corners in another order than the pairs.
///
/// # Errors
///
/// If the lists do not fit together, a pair names a point twice or one that does not exist, a triangle has no
/// area, a parameter is out of its range, or the least distance is too small for a rest tetrahedron (see
/// [`FLATTEST`]).
pub fn stitch_triangles(
    pairs: &[[u32; 4]],
    rest: &[Vector3<f64>],
    parameters: &[VertexTriangleStitch],
) -> Result<Stitches<NeoHookeanTet<f64>, 4>, StitchError> {
    let mut stitches = Stitches::new();
    for_every_pair(pairs, rest, parameters, |stencil, rest, stitch| {
        let (order, element) = stitch.element(&rest)?;
        stitches.push(order.map(|k| stencil[k]), element);
        Ok(())
    })?;
    Ok(stitches)
}

impl VertexTriangleStitch {
    /// Of a solid that has Young's modulus `young`, Pa, and Poisson's ratio in (−1, ½) for small deformations
    /// ([`Lame::neo_hookean`]); d = 1 mm.
    ///
    /// # Errors
    ///
    /// If one of them is outside its range.
    pub fn elastic(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        Ok(Self { moduli: Lame::neo_hookean(young, poisson)?, ..Self::default() })
    }

    /// The stitch of a vertex and a triangle with the given rest positions [vertex, corner, corner, corner],
    /// m: two XPBD rows with their compliance, and the order in which they take the points of the pair.
    ///
    /// # Errors
    ///
    /// If the triangle has no area, a parameter is out of its range, or the rest tetrahedron is still flat.
    pub fn element(
        &self,
        rest: &[Vector3<f64>; 4],
    ) -> Result<([usize; 4], Elastic<NeoHookeanTet<f64>>), StitchFault> {
        let (order, shape) = self.rest_positions(rest)?;
        Ok((order, NeoHookeanTet::with_moduli(&order.map(|k| shape[k]), self.moduli)?))
    }

    /// The order in which the stitch takes the points, and the positions, m, at which it has no stress, in
    /// the order of the pair: `rest` with the vertex moved as the module says, if it has to be.
    ///
    /// # Errors
    ///
    /// If the triangle has no area, or the least distance is negative or not finite.
    pub fn rest_positions(
        &self,
        rest: &[Vector3<f64>; 4],
    ) -> Result<([usize; 4], [Vector3<f64>; 4]), StitchFault> {
        let least = length("the least distance", self.min_separate_distance)?;
        let (a, b) = (rest[2] - rest[1], rest[3] - rest[1]);
        if !rest.iter().all(|p| p.iter().all(|c| c.is_finite())) {
            return Err(RestShapeError::NonFinite.into());
        }
        let normal = a.cross(&b);
        let doubled_area = normal.norm();
        let side = a.norm().max(b.norm()).max((b - a).norm());
        let height = doubled_area / side;
        if height.is_nan() || height <= FLATTEST * side {
            return Err(RestShapeError::FlatTriangle { height, side }.into());
        }
        let n = normal / doubled_area;
        let above = n.dot(&(rest[0] - rest[1]));
        let mut shape = *rest;
        if above.abs() < least {
            let wanted = if above < 0.0 { -least } else { least };
            shape[0] += n * (wanted - above);
        }
        // In front of the triangle the corners run clockwise as seen from the vertex, and the volume is negative.
        let [x0, x1, x2, x3] = shape;
        let volume = (x1 - x0).cross(&(x2 - x0)).dot(&(x3 - x0));
        let order = if volume < 0.0 { [0, 2, 1, 3] } else { [0, 1, 2, 3] };
        Ok((order, shape))
    }
}

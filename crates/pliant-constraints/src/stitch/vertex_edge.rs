//! [`VertexEdgeStitch`]: an elastic triangle between a vertex and an edge of another mesh.
//!
//! *Rest triangle.* ê is the direction of the edge (x1, x2), c = x1 + ((x0−x1)·ê) ê the foot of the vertex on
//! the *line* through the edge, and r = x0 − c. Where |r| is below the least distance d the vertex is moved
//! to c + d·r/|r|, and where |r| ≤ 10⁻⁹|x2−x1|, so that r has no direction, to c + d·normalise(ê × X), X the
//! x axis if |ê.x| < 0.9 and the y axis otherwise. Energy and forces do not depend on that direction: in its
//! plane the triangle is the same.

use nalgebra::Vector3;

use super::pairs::{StitchError, StitchFault, Stitches, for_every_pair, length};
use crate::elastic::Elastic;
use crate::elastic_moduli::{Lame, ModuliError, PlaneStiffness, positive};
use crate::membrane_energy::MembraneEnergy;
use crate::rest_shape::{FLATTEST, Foot, RestTriangle};
use crate::stvk_membrane::StVkMembrane;

/// A tie of a vertex to an edge: a triangle of Saint Venant–Kirchhoff membrane.
///
/// Its energy is 2tA₀(μ tr(E²) + ½λ(tr E)²), E the Green strain and A₀ the area of the rest triangle; see
/// [`MembraneEnergy`].
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::stitch::VertexEdgeStitch;
///
/// let stitch = VertexEdgeStitch { thickness: 0.1, min_separate_distance: 0.1, ..VertexEdgeStitch::default() };
/// // A vertex on the edge itself is lifted by the least distance, and is free of stress 0.1 m from it.
/// let rest = [Vector3::x() * 0.5, Vector3::zeros(), Vector3::x()];
/// let tie = stitch.element(&rest)?;
/// assert!(tie.energy(&rest) > 1.0);
/// assert!(tie.energy(&stitch.rest_positions(&rest)?) < 1e-20);
/// # Ok::<(), pliant_constraints::stitch::StitchFault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexEdgeStitch {
    /// Lamé's moduli of the membrane, Pa; from (E, ν) take [`Lame::plane_stress`].
    pub moduli: Lame,
    /// *Half* of the membrane's thickness, t, m: its volume is 2tA₀. Positive.
    pub thickness: f64,
    /// Least height d of the vertex over the line of the edge in the rest shape, m.
    pub min_separate_distance: f64,
}

impl Default for VertexEdgeStitch {
    /// E = 1 MPa and ν = 0.49 in plane stress, t = d = 1 mm.
    fn default() -> Self {
        let moduli = Lame::plane_stress(1e6, 0.49).expect("0.49 is below 1");
        Self { moduli, thickness: 1e-3, min_separate_distance: 1e-3 }
    }
}

/// Stitches between the vertex and the edge of each of `pairs`, given as [vertex, end, end], with one set of
/// parameters for all or one for each. `rest` are the positions, m, that make no stress: those at the start,
/// or others.
///
/// # Errors
///
/// If the lists do not fit together, a pair names a point twice or one that does not exist, an edge has no
/// length, a parameter is out of its range, or the least distance is too small for a rest triangle (see
/// [`FLATTEST`]).
pub fn stitch_edges(
    pairs: &[[u32; 3]],
    rest: &[Vector3<f64>],
    parameters: &[VertexEdgeStitch],
) -> Result<Stitches<StVkMembrane<f64>, 3>, StitchError> {
    let mut stitches = Stitches::new();
    for_every_pair(pairs, rest, parameters, |stencil, rest, stitch| {
        stitches.push(stencil, stitch.element(&rest)?);
        Ok(())
    })?;
    Ok(stitches)
}

impl VertexEdgeStitch {
    /// From Young's modulus `young`, Pa, and Poisson's ratio in (−1, 1) in plane stress; t = d = 1 mm.
    ///
    /// # Errors
    ///
    /// If one of them is outside its range.
    pub fn elastic(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        Ok(Self { moduli: Lame::plane_stress(young, poisson)?, ..Self::default() })
    }

    /// The stitch of a vertex and an edge with the given rest positions [vertex, end, end], m: three XPBD
    /// rows with their compliance.
    ///
    /// # Errors
    ///
    /// If the edge has no length, a parameter is out of its range, or the rest triangle is still flat.
    pub fn element(&self, rest: &[Vector3<f64>; 3]) -> Result<Elastic<StVkMembrane<f64>>, StitchFault> {
        Ok(self.energy(rest)?.rows())
    }

    /// Its energy with gradient and Hessian, for statics and reports.
    ///
    /// # Errors
    ///
    /// As for [`element`](Self::element).
    pub fn energy(&self, rest: &[Vector3<f64>; 3]) -> Result<MembraneEnergy, StitchFault> {
        positive("the thickness", self.thickness)?;
        let least = length("the least distance", self.min_separate_distance)?;
        let shape = RestTriangle::lifted(rest, least)?;
        let stiffness = PlaneStiffness::isotropic(self.moduli)?;
        let volume = 2.0 * self.thickness * shape.area;
        Ok(MembraneEnergy::new(&shape, &stiffness, volume)?)
    }

    /// The positions, m, at which the stitch has no stress: `rest` with the vertex moved as the module says,
    /// if it has to be.
    ///
    /// # Errors
    ///
    /// If the edge has no length, or the least distance is negative or not finite.
    pub fn rest_positions(&self, rest: &[Vector3<f64>; 3]) -> Result<[Vector3<f64>; 3], StitchFault> {
        let least = length("the least distance", self.min_separate_distance)?;
        let foot = Foot::new(&rest[0], &rest[1], &rest[2])?;
        let height = foot.up.norm();
        if height >= least {
            return Ok(*rest);
        }
        let direction = if height > FLATTEST * foot.length {
            foot.up / height
        } else {
            let axis = if foot.direction.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
            foot.direction.cross(&axis).normalize()
        };
        Ok([rest[1] + foot.direction * foot.along + direction * least, rest[1], rest[2]])
    }
}

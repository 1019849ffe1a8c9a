//! A weight that hangs by a vertex–edge stitch from an edge that is held.

use nalgebra::Vector3;
use pliant_constraints::Lame;
use pliant_constraints::stitch::{VertexEdgeStitch, stitch_edges};
use pliant_solver::{Assembly, Constraints, Settings};
use serde::Deserialize;

use super::{Scheme, single_substeps};
use crate::problem::Problem;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HungVertex {
    /// The vertex, and the ends of the edge, m.
    pub(crate) rest: [[f64; 3]; 3],
    /// Pa
    pub(crate) mu: f64,
    /// Pa
    pub(crate) lambda: f64,
    /// Half of the membrane's, m.
    pub(crate) thickness: f64,
    /// m
    #[serde(default)]
    pub(crate) min_separate_distance: f64,
    /// kg
    pub(crate) mass: f64,
    /// m/s²
    pub(crate) g: f64,
}

impl HungVertex {
    /// Height at which the vertex comes to rest, m.
    pub(crate) fn settle(&self, scheme: Scheme) -> Result<f64, Problem> {
        let rest = self.rest.map(Vector3::from);
        let stitch = VertexEdgeStitch {
            moduli: Lame { mu: self.mu, lambda: self.lambda },
            thickness: self.thickness,
            min_separate_distance: self.min_separate_distance,
        };
        let stitches = stitch_edges(&[[0, 1, 2]], &rest, &[stitch])?;
        let mut assembly = Assembly::new(rest.to_vec(), vec![1.0 / self.mass, 0.0, 0.0])?;
        let (stencils, kinds) = (stitches.stencils, stitches.kinds);
        assembly.add(Constraints::new("stitch", stencils, kinds, stitches.compliances)?);

        // The weight bobs at √(stiffness/mass), 1/s, of the stitch for small loads. The drag is critical, so
        // that a few dozen of its inverse are enough for any stitch; the error of a substep falls with its
        // square.
        let frequency = self.frequency(&rest, &stitch)?;
        let h = 0.02 / frequency;
        assembly.settings(Settings { drag: 2.0 * frequency, ..single_substeps(self.g, scheme) });
        let mut sim = assembly.build::<f64>()?;
        for _ in 0..2000 {
            sim.advance(h)?;
        }
        Ok(sim.positions()[0].y)
    }

    fn frequency(&self, rest: &[Vector3<f64>; 3], stitch: &VertexEdgeStitch) -> Result<f64, Problem> {
        let hessian = stitch.energy(rest)?.hessian(&stitch.rest_positions(rest)?);
        let stiffness = hessian[(1, 1)];
        if stiffness > 0.0 && self.mass > 0.0 {
            Ok((stiffness / self.mass).sqrt())
        } else {
            Err(Problem(format!("stiffness {stiffness} N/m and mass {} kg do not swing", self.mass)))
        }
    }
}

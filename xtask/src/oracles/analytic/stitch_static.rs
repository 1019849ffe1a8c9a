//! `stitch_static`: a weight that hangs by a vertex–edge stitch from an edge that is held.

use nalgebra::Vector3;
use pliant_constraints::Lame;
use pliant_constraints::stitch::{VertexEdgeStitch, stitch_edges};
use pliant_solver::{Assembly, Constraints};
use serde::Deserialize;
use serde_json::Value;

use super::super::vectors;
use super::super::verdict::{Problem, Tally};
use super::single_substeps;

#[derive(Deserialize)]
struct Case {
    /// The vertex, and the ends of the edge.
    rest: [[f64; 3]; 3],
    mu: f64,
    lambda: f64,
    /// Half of the membrane's.
    thickness: f64,
    #[serde(default)]
    min_separate_distance: f64,
    mass: f64,
    g: f64,
    y_equilibrium: f64,
}

pub(crate) fn judge(json: &Value) -> Result<Tally, Problem> {
    let cases: Vec<Case> = serde_json::from_value(json["cases"].clone())?;
    let mut tally = Tally::default();
    for (n, case) in cases.iter().enumerate() {
        tally.case();
        let sag = case.y_equilibrium - case.rest[0][1];
        let y = case.settle().map_err(|problem| Problem(format!("case {n}: {}", problem.0)))?;
        tally.check(y - case.y_equilibrium, 1e-3 * sag.abs(), || format!("case {n}, height"));
    }
    Ok(tally)
}

impl Case {
    /// Where the vertex comes to rest, m.
    fn settle(&self) -> Result<f64, Problem> {
        let rest = vectors(&self.rest);
        let stitch = VertexEdgeStitch {
            moduli: Lame { mu: self.mu, lambda: self.lambda },
            thickness: self.thickness,
            min_separate_distance: self.min_separate_distance,
        };
        let stitches = stitch_edges(&[[0, 1, 2]], &rest, &[stitch])?;
        let mut assembly = Assembly::new(rest.clone(), vec![1.0 / self.mass, 0.0, 0.0])?;
        let (stencils, kinds) = (stitches.stencils, stitches.kinds);
        assembly.add(Constraints::new("stitch", stencils, kinds, stitches.compliances)?);

        // The weight bobs at √(stiffness/mass), 1/s, of the stitch for small loads. The drag is critical, so that a few dozen of its inverse are
        // enough for any stitch; the error of a substep falls with its square.
        let frequency = self.frequency(&rest, &stitch)?;
        let h = 0.02 / frequency;
        assembly.settings(pliant_solver::Settings { drag: 2.0 * frequency, ..single_substeps(self.g, 10) });
        let mut sim = assembly.build::<f64>()?;
        for _ in 0..2000 {
            sim.advance(h)?;
        }
        Ok(sim.positions()[0].y)
    }

    fn frequency(&self, rest: &[Vector3<f64>], stitch: &VertexEdgeStitch) -> Result<f64, Problem> {
        let rest: [_; 3] = rest.try_into().map_err(|_| Problem("a stitch has three points".into()))?;
        let hessian = stitch.energy(&rest)?.hessian(&stitch.rest_positions(&rest)?);
        let stiffness = hessian[(1, 1)];
        if stiffness > 0.0 && self.mass > 0.0 {
            Ok((stiffness / self.mass).sqrt())
        } else {
            Err(Problem(format!("stiffness {stiffness} N/m and mass {} kg do not swing", self.mass)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_hangs_where_its_strain_bears_it() {
        // Stretched by s in one direction only: 2tA₀(μ + ½λ)(s² − 1)s/h = m g.
        let (mu, lambda, thickness, height, stretch) = (1e4, 2e4, 0.01, 0.2, 1.05);
        let force = thickness * height * (mu + 0.5 * lambda) * (stretch * stretch - 1.0) * stretch / height;
        let with = |y: f64| {
            let json = serde_json::json!({ "cases": [{
                "rest": [[0.0, -height, 0.0], [-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]],
                "mu": mu, "lambda": lambda, "thickness": thickness,
                "mass": force / 9.81, "g": 9.81, "y_equilibrium": y,
            }]});
            judge(&json).unwrap().worst
        };
        let found = with(-height * stretch);
        assert!(found < 0.1, "{found}");
        assert!(with(-height * (stretch + 1e-4)) > 1.0);
    }
}

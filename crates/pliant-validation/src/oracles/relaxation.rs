//! `relaxation/`: a deformed skin and the result of some iterations of relaxation, in four modes.
//!
//! If an edge of the input has no length, its direction is rounding noise, which later iterations amplify:
//! then every number need only be finite.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_deform::{
    Deformer, EdgeConstraints, FrameTime, Relax, RelaxSettings, Sweep, VertexWeights, edge_strain,
};
use serde::Deserialize;
use serde_json::Value;

use super::vectors;
use super::verdict::{Problem, Tally, Verdict};

#[derive(Deserialize)]
struct File {
    rest: Vec<[f64; 3]>,
    edges: Vec<[u32; 2]>,
    edge_rest: Vec<f64>,
    deformed: Vec<[f64; 3]>,
    weights: Vec<f64>,
    /// By the number of iterations.
    results: BTreeMap<String, Expected>,
    /// Strengths; 1 if the file has none.
    push: Option<f64>,
    pull: Option<f64>,
    /// Present where the numbers are not to be compared.
    expect: Option<Value>,
}

#[derive(Deserialize)]
struct Expected {
    equal: Option<Vec<[f64; 3]>>,
    weighted: Option<Vec<[f64; 3]>>,
    blend: Option<Vec<[f64; 3]>>,
    jacobi_mean: Option<Vec<[f64; 3]>>,
    #[serde(default)]
    rms_strain: BTreeMap<String, Option<f64>>,
    tol: Option<f64>,
    expect: Option<Value>,
}

/// Length of an edge, relative to its rest length, below which it has no direction.
const COLLAPSED: f64 = 1e-9;

pub(crate) fn judge(json: Value) -> Verdict {
    all(json).into()
}

fn all(json: Value) -> Result<Tally, Problem> {
    let file: File = serde_json::from_value(json)?;
    let (rest, deformed) = (vectors(&file.rest), vectors(&file.deformed));
    if deformed.len() != rest.len() {
        return Err(Problem("not as many deformed positions as rest positions".into()));
    }
    // Refuses edges that name missing vertices, on which the sum below would panic.
    EdgeConstraints::new(rest.len(), file.edges.clone(), file.edge_rest.clone())?;
    let collapsed =
        file.edges.iter().zip(&file.edge_rest).any(|(&[a, b], &length)| {
            (deformed[a as usize] - deformed[b as usize]).norm() <= COLLAPSED * length
        });
    let mut tally = Tally::default();
    for (iterations, expected) in &file.results {
        let count = iterations.parse().map_err(|_| Problem(format!("\"{iterations}\" is not a number")))?;
        let only_finite = collapsed || file.expect.is_some() || expected.expect.is_some();
        let modes = [
            ("equal", "equal", &expected.equal, Sweep::Sequential, VertexWeights::Equal),
            (
                "weights as inverse mass",
                "weighted",
                &expected.weighted,
                Sweep::Sequential,
                VertexWeights::InverseMass(file.weights.clone()),
            ),
            (
                "blend",
                "blend",
                &expected.blend,
                Sweep::Sequential,
                VertexWeights::Blend(file.weights.clone()),
            ),
            ("Jacobi mean", "jacobi", &expected.jacobi_mean, Sweep::JacobiMean, VertexWeights::Equal),
        ];
        for (mode, strain, positions, sweep, weights) in modes {
            let Some(positions) = positions else { continue };
            let name = format!("{iterations} iterations, {mode}");
            let found = file.relax(&rest, &deformed, count, sweep, weights)?;
            tally.case();
            let finite = found.iter().all(|x| x.iter().all(|c| c.is_finite()));
            tally.require(finite, || format!("{name}: not finite"));
            if only_finite {
                continue;
            }
            let tolerance = expected.tol.ok_or_else(|| Problem(format!("{name} has no tolerance")))?;
            if positions.len() != found.len() {
                return Err(Problem(format!("{name} has not one position per vertex")));
            }
            let worst = found.iter().zip(vectors(positions)).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            tally.check(worst, tolerance, || name.clone());
            if let Some(&Some(expected)) = expected.rms_strain.get(strain) {
                let rms = edge_strain(&found, &file.edges, &file.edge_rest).rms;
                tally.check(rms - expected, tolerance, || format!("{name}, strain"));
            }
        }
    }
    Ok(tally)
}

impl File {
    fn relax(
        &self,
        rest: &[Vector3<f64>],
        deformed: &[Vector3<f64>],
        iterations: u32,
        sweep: Sweep,
        weights: VertexWeights,
    ) -> Result<Vec<Vector3<f64>>, Problem> {
        let edges = EdgeConstraints::new(rest.len(), self.edges.clone(), self.edge_rest.clone())?;
        let (push, pull) = (self.push.unwrap_or(1.0), self.pull.unwrap_or(1.0));
        let settings = RelaxSettings { iterations, push, pull, sweep, weights, ..RelaxSettings::default() };
        let mut x = deformed.to_vec();
        Relax::of_edges(rest, edges, settings)?.deform(&FrameTime::default(), &mut x)?;
        Ok(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// One edge of rest length 1 between points at 0 and `length`, once.
    fn file(length: f64, a: f64, b: f64) -> Value {
        let at = |x: f64| json!([x, 0.0, 0.0]);
        json!({
            "rest": [at(0.0), at(1.0)], "edges": [[0, 1]], "edge_rest": [1.0],
            "deformed": [at(0.0), at(length)], "weights": [1.0, 0.5],
            "results": { "1": { "equal": [at(a), at(b)], "rms_strain": { "equal": 0.0 }, "tol": 1e-12 } },
        })
    }

    #[test]
    fn right_positions_pass_and_wrong_ones_do_not() {
        assert!(!judge(file(3.0, 1.0, 2.0)).is_failure());
        assert!(judge(file(3.0, 1.0, 2.0 + 1e-11)).is_failure());
        assert!(judge(file(3.0, 2.0, 1.0)).is_failure(), "towards each other");
    }

    #[test]
    fn where_an_edge_is_collapsed_numbers_need_only_be_finite() {
        assert!(!judge(file(0.0, 7.0, 8.0)).is_failure());
        let mut told = file(3.0, 7.0, 8.0);
        told["results"]["1"]["expect"] = json!("finite");
        assert!(!judge(told).is_failure());
    }

    #[test]
    fn broken_files_are_failures() {
        let mut astray = file(3.0, 1.0, 2.0);
        astray["edges"] = json!([[0, 2]]);
        assert!(judge(astray).is_failure());
        let mut empty = file(3.0, 1.0, 2.0);
        empty["results"] = json!({});
        assert!(judge(empty).is_failure());
        let mut vague = file(3.0, 1.0, 2.0);
        vague["results"]["1"]["tol"] = Value::Null;
        assert!(judge(vague).is_failure());
    }
}

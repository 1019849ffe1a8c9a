//! `stitch_static`: a weight that hangs by a vertex–edge stitch from an edge that is held.

use pliant_solver::Method;
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::scheme;
use crate::scenes::hung_vertex::HungVertex;

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    scene: HungVertex,
    y_equilibrium: f64,
}

pub(crate) fn judge(json: &Value, method: Method) -> Result<Tally, Problem> {
    let cases: Vec<Case> = serde_json::from_value(json["cases"].clone())?;
    let mut tally = Tally::default();
    for (n, case) in cases.iter().enumerate() {
        tally.case();
        let sag = case.y_equilibrium - case.scene.rest[0][1];
        let y = case
            .scene
            .settle(scheme(method, 10))
            .map_err(|problem| Problem(format!("case {n}: {}", problem.0)))?;
        tally.check(y - case.y_equilibrium, 1e-3 * sag.abs(), || format!("case {n}, height"));
    }
    Ok(tally)
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
            judge(&json, Method::Sweeps).unwrap().worst
        };
        let found = with(-height * stretch);
        assert!(found < 0.1, "{found}");
        assert!(with(-height * (stretch + 1e-4)) > 1.0);
    }
}

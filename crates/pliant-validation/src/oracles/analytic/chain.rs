//! `chain_*`: a chain at rest, each link stretched by the weight below it.

use pliant_solver::Method;
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::{number, number_in, scheme};
use crate::scenes::chain::Chain;
use crate::scenes::drag;

/// Least tolerance, m: the rounding error of a rigid chain.
const ROUNDING: f64 = 1e-12;

#[derive(Deserialize)]
struct File {
    setup: Setup,
    /// Heights of the nodes by Hooke's law, the fixed one first, m.
    #[serde(rename = "static")]
    at_rest: Vec<f64>,
    bottom_stretch: f64,
    measured: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
struct Setup {
    #[serde(rename = "N")]
    links: u32,
    mass_each: f64,
    spacing: f64,
    compliance: f64,
    g: f64,
    #[serde(default)]
    damping: String,
    seconds: f64,
}

pub(crate) fn judge(json: &Value, method: Method) -> Result<Tally, Problem> {
    let file: File = serde_json::from_value(json.clone())?;
    let links = f64::from(file.setup.links);
    if file.at_rest.len() != file.setup.links as usize + 1 {
        return Err(Problem("not one static height for each node".into()));
    }
    let setup = &file.setup;
    let chain = Chain {
        links: setup.links,
        mass: setup.mass_each,
        spacing: setup.spacing,
        compliance: setup.compliance,
        g: setup.g,
    };
    let rate = number_in(&setup.damping, "v*=1-").unwrap_or(0.0);
    let mut tally = Tally::default();
    for (name, measured) in &file.measured {
        let (Some(h), Some(iterations)) = (number_in(name, "h="), number_in(name, "it=")) else {
            return Err(Problem(format!("\"{name}\" does not say h and it")));
        };
        let scheme = scheme(method, iterations as u32);
        let heights = chain.hang(h, scheme, drag(rate, h), setup.seconds)?.heights;
        let allowed = (2.0 * number(measured, &["max_err_vs_formula"])?).max(ROUNDING);
        tally.case();
        let (expected, tolerance): (Vec<f64>, f64) = if scheme.iterations < 2 && file.setup.compliance > 0.0 {
            // One sweep from the top leaves every link short of what the later ones below it need:
            // node i sags by g h² Σ (N − k), k = 1 … i, which at the bottom is g h² N(N−1)/2.
            let sag = |i: f64| file.setup.g * h * h * i * (2.0 * links - i - 1.0) / 2.0;
            let lower = file.at_rest.iter().enumerate().map(|(i, y)| y - sag(i as f64));
            (lower.collect(), 1e-3 * file.bottom_stretch.abs())
        } else if file.setup.compliance > 0.0 {
            (file.at_rest.clone(), allowed.max(1e-3 * file.bottom_stretch.abs()))
        } else {
            (file.at_rest.clone(), allowed)
        };
        for (i, (found, expected)) in heights.iter().zip(&expected).enumerate() {
            tally.check(found - expected, tolerance, || format!("{name}, node {i}"));
        }
    }
    Ok(tally)
}

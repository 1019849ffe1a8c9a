//! `chain_*`: a chain at rest, each link stretched by the weight below it.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints, Settings};
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::{drag, number, number_in, single_substeps};

/// Least tolerance, m: what rounding leaves of a rigid chain.
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

pub(crate) fn judge(json: &Value) -> Result<Tally, Problem> {
    let file: File = serde_json::from_value(json.clone())?;
    let links = f64::from(file.setup.links);
    if file.at_rest.len() != file.setup.links as usize + 1 {
        return Err(Problem("not one static height for each node".into()));
    }
    let mut tally = Tally::default();
    for (name, measured) in &file.measured {
        let (Some(h), Some(iterations)) = (number_in(name, "h="), number_in(name, "it=")) else {
            return Err(Problem(format!("\"{name}\" does not say h and it")));
        };
        let heights = file.setup.hang(h, iterations as u32)?;
        let allowed = (2.0 * number(measured, &["max_err_vs_formula"])?).max(ROUNDING);
        tally.case();
        let (expected, tolerance): (Vec<f64>, f64) = if iterations < 2.0 && file.setup.compliance > 0.0 {
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

impl Setup {
    /// Heights of the nodes after the chain has settled, m.
    fn hang(&self, h: f64, iterations: u32) -> Result<Vec<f64>, Problem> {
        let x: Vec<_> = (0..=self.links).map(|i| -Vector3::y() * (f64::from(i) * self.spacing)).collect();
        let mut w = vec![1.0 / self.mass_each; x.len()];
        w[0] = 0.0;
        let links: Vec<_> = (0..self.links).map(|i| [i, i + 1]).collect();
        let rest = vec![Distance { rest: self.spacing }; links.len()];
        let mut assembly = Assembly::new(x, w)?;
        assembly.add(Constraints::new("links", links, rest, vec![self.compliance])?);
        let rate = number_in(&self.damping, "v*=1-").unwrap_or(0.0);
        assembly.settings(Settings { drag: drag(rate, h), ..single_substeps(self.g, iterations) });
        let mut sim = assembly.build::<f64>()?;
        for _ in 0..(self.seconds / h).round() as u64 {
            sim.advance(h)?;
        }
        Ok(sim.positions().iter().map(|x| x.y).collect())
    }
}

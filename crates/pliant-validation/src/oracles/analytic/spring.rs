//! `spring_*`: a mass on a spring is implicit Euler, whatever the number of iterations.

use pliant_solver::Method;
use pliant_solver::book::Multiplier;
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::scheme;
use crate::scenes::spring::Spring;

/// Absolute tolerance of the stretch after every substep, m.
const TOLERANCE: f64 = 1e-11;

#[derive(Deserialize)]
struct File {
    setup: Spring,
    stretch_after_each_substep: Vec<f64>,
}

pub(crate) fn judge(json: &Value, method: Method) -> Result<Tally, Problem> {
    let file: File = serde_json::from_value(json.clone())?;
    let mut tally = Tally::default();
    let runs = [
        (Multiplier::Accumulated, 1),
        (Multiplier::Accumulated, 5),
        (Multiplier::Accumulated, 20),
        (Multiplier::Forgotten, 1),
    ];
    // Only sweeps can forget the multiplier.
    let can = |multiplier| method == Method::Sweeps || multiplier == Multiplier::Accumulated;
    for (multiplier, iterations) in runs.into_iter().filter(|(multiplier, _)| can(*multiplier)) {
        tally.case();
        let found =
            file.setup.run(multiplier, scheme(method, iterations), file.stretch_after_each_substep.len())?;
        for (n, (found, expected)) in found.iter().zip(&file.stretch_after_each_substep).enumerate() {
            tally.check(found - expected, TOLERANCE, || {
                format!("substep {} with {iterations} iterations, multiplier {multiplier:?}", n + 1)
            });
        }
    }
    Ok(tally)
}

//! `pendulum`: the period and the slow loss of amplitude of a rigid pendulum.

use pliant_solver::Method;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::{number, number_in, scheme};
use crate::scenes::pendulum::Pendulum;

pub(crate) fn judge(json: &Value, method: Method) -> Result<Tally, Problem> {
    let setup = json["setup"].as_str().unwrap_or_default();
    let value = |key: &str, usual: f64| number_in(setup, key).unwrap_or(usual);
    let pendulum = Pendulum {
        length: value("L=", 1.0),
        mass: value("m=", 1.0),
        angle: value("theta0=", 5.0).to_radians(),
        g: value("g=", 9.81),
        alpha: value("alpha=", 0.0),
    };
    let dt = value("dt=", 1.0 / 60.0);
    let measured = json["measured"].as_object().ok_or_else(|| Problem("nothing is measured".into()))?;
    let mut runs = Vec::new();
    for (name, measured) in measured {
        let substeps =
            number_in(name, "nsub").ok_or_else(|| Problem(format!("\"{name}\" names no substeps")))?;
        runs.push((substeps, name, measured));
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let period = period(json).ok_or_else(|| Problem("no period of the finite swing".into()))?;
    let mut tally = Tally::default();
    let mut earlier = 0.0;
    for (substeps, name, measured) in runs {
        let swing = pendulum.swing(dt / substeps, scheme(method, 1))?;
        tally.case();
        if substeps >= 10.0 {
            tally.check(swing.period / period - 1.0, 1e-3, || format!("{name}, period"));
        }
        tally.check(swing.length_error, 1e-12, || format!("{name}, length"));
        let amplitude = number(measured, &["amplitude_after_10s"])?;
        tally.check(swing.amplitude - amplitude, 1e-3, || format!("{name}, amplitude"));
        tally.require(swing.falling, || format!("{name}: the amplitude does not fall from swing to swing"));
        tally.require(swing.amplitude > earlier, || format!("{name}: shorter substeps lose more amplitude"));
        earlier = swing.amplitude;
    }
    Ok(tally)
}

/// The period at the angle of the file: the field is named after it, as `period_5deg`.
fn period(json: &Value) -> Option<f64> {
    let named = |name: &str| {
        name.strip_prefix("period_").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    json.as_object()?.iter().find(|(name, _)| named(name))?.1.as_f64()
}

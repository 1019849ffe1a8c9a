//! `projection.json`: single XPBD updates, with and without the multiplier.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Dihedral, Distance, TetVolume, Update, project};
use serde::Deserialize;
use serde_json::Value;

use super::vectors;
use super::verdict::{Problem, Tally, Verdict};

#[derive(Deserialize)]
struct Case {
    kind: String,
    x: Vec<[f64; 3]>,
    rest: f64,
    w: Vec<f64>,
    compliance: f64,
    dt: f64,
    #[serde(default)]
    lambda_in: f64,
    #[serde(rename = "C")]
    c: Option<f64>,
    dlambda: f64,
    lambda_out: f64,
    dx: Vec<[f64; 3]>,
    dx_seed_form_no_lambda: Option<Vec<[f64; 3]>>,
    /// Values for cases in which no weight is zero; otherwise null.
    momentum_sum_dx_over_w: Option<Value>,
    tol_rel: f64,
}

pub(crate) fn judge(json: &Value) -> Verdict {
    all(json).into()
}

fn all(json: &Value) -> Result<Tally, Problem> {
    let mut tally = Tally::default();
    let cases = json["cases"].as_array().ok_or_else(|| Problem("no list of cases".into()))?;
    for (i, case) in cases.iter().enumerate() {
        let case: Case = serde_json::from_value(case.clone())?;
        let rest = case.rest;
        match case.kind.as_str() {
            "distance" => one(&mut tally, i, &case, &Distance { rest })?,
            "tet_volume" => one(&mut tally, i, &case, &TetVolume { rest })?,
            "dihedral" => one(&mut tally, i, &case, &Dihedral { rest })?,
            kind => return Err(Problem(format!("case {i} has the unknown kind \"{kind}\""))),
        }
    }
    Ok(tally)
}

fn one<C: BlockConstraint<f64, N, 1>, const N: usize>(
    tally: &mut Tally,
    i: usize,
    case: &Case,
    constraint: &C,
) -> Result<(), Problem> {
    let wrong = || Problem(format!("case {i} has not {N} points, weights and displacements"));
    let x: [Vector3<f64>; N] = vectors(&case.x).try_into().map_err(|_| wrong())?;
    let w: [f64; N] = case.w.clone().try_into().map_err(|_| wrong())?;
    let name = |what: &str| format!("case {i} ({}), {what}", case.kind);
    let alpha_tilde = case.compliance / (case.dt * case.dt);
    let x_mean = x.iter().sum::<Vector3<f64>>() / N as f64;
    tally.case();

    let mut lambda = [case.lambda_in];
    let dx = project(constraint, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
    let longest = compare(tally, &dx, &case.dx, case.tol_rel, || name("Δx")).ok_or_else(wrong)?;
    let multipliers = case.dlambda.abs().max(case.lambda_in.abs());
    let tolerance = case.tol_rel * multipliers;
    tally.check(lambda[0] - case.lambda_out, tolerance, || name("λ"));
    tally.check(lambda[0] - case.lambda_in - case.dlambda, tolerance, || name("Δλ"));
    if let Some(c) = case.c {
        let (value, gradient) = constraint.values_and_gradients(&x);
        // Relative to the value before the rest value was taken from it.
        let size: f64 = gradient[0].iter().zip(&x).map(|(g, x)| g.norm() * (x - x_mean).norm()).sum();
        tally.check(value[0] - c, case.tol_rel * c.abs().max(size), || name("C"));
    }
    if case.momentum_sum_dx_over_w.is_some() && w.iter().all(|&w| w > 0.0) {
        let sum: Vector3<f64> = dx.iter().zip(&w).map(|(dx, w)| dx / *w).sum();
        let heaviest = w.iter().copied().fold(f64::INFINITY, f64::min);
        tally.check(sum.amax(), case.tol_rel * longest / heaviest, || name("momentum"));
    }
    for (j, w) in w.iter().enumerate() {
        tally.require(*w > 0.0 || dx[j] == Vector3::zeros(), || name("a fixed point moves"));
    }
    if let Some(expected) = &case.dx_seed_form_no_lambda {
        let mut lambda = [case.lambda_in];
        let dx = project(constraint, &x, &w, alpha_tilde, Update::without_multiplier(), &mut lambda);
        compare(tally, &dx, expected, case.tol_rel, || name("Δx without the multiplier"))
            .ok_or_else(wrong)?;
    }
    Ok(())
}

/// Compares displacements relative to the longest component, which is the answer; `None` if their number differs.
fn compare<const N: usize>(
    tally: &mut Tally,
    found: &[Vector3<f64>; N],
    expected: &[[f64; 3]],
    tol_rel: f64,
    what: impl Fn() -> String,
) -> Option<f64> {
    let expected = vectors(expected);
    let longest = expected.iter().map(nalgebra::Matrix::amax).fold(0.0, f64::max);
    for (found, expected) in found.iter().zip(&expected) {
        tally.check((found - expected).amax(), tol_rel * longest, &what);
    }
    (expected.len() == N).then_some(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn file() -> Value {
        json!({ "cases": [{
            "kind": "distance", "x": [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "rest": 1.0, "w": [1.0, 0.0],
            "compliance": 0.01, "dt": 0.1, "lambda_in": -0.5, "C": 2.0, "dlambda": -0.75, "lambda_out": -1.25,
            "dx": [[-0.75, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "dx_seed_form_no_lambda": [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "momentum_sum_dx_over_w": null, "tol_rel": 1e-11,
        }]})
    }

    #[test]
    fn every_number_is_compared() {
        assert!(!judge(&file()).is_failure());
        for field in ["C", "dlambda", "lambda_out"] {
            let mut json = file();
            json["cases"][0][field] = json!(json["cases"][0][field].as_f64().unwrap() * (1.0 + 1e-9));
            assert!(judge(&json).is_failure(), "{field}");
        }
        for field in ["dx", "dx_seed_form_no_lambda"] {
            let mut json = file();
            json["cases"][0][field][0][1] = json!(1e-9);
            assert!(judge(&json).is_failure(), "{field}");
        }
    }

    #[test]
    fn unknown_kinds_and_wrong_counts_fail() {
        let mut json = file();
        json["cases"][0]["kind"] = json!("rubber");
        assert!(judge(&json).is_failure());
        let mut json = file();
        json["cases"][0]["w"] = json!([1.0]);
        assert!(judge(&json).is_failure());
    }
}

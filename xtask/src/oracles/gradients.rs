//! `gradients/`: value and gradient of one constraint, made by automatic differentiation in fifty digits.

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Dihedral, Distance, TetVolume};
use serde::Deserialize;
use serde_json::Value;

use super::vectors;
use super::verdict::{Problem, Tally, Verdict};

/// Kinds of the oracles that the project does not have yet.
const NOT_YET: [&str; 6] = [
    "isometric_bending",
    "stvk_stitch",
    "stvk_tet",
    "neohookean_hydrostatic",
    "neohookean_deviatoric",
    "stvk_membrane",
];

#[derive(Deserialize)]
struct File {
    kind: String,
    cases: Vec<Value>,
}

#[derive(Deserialize)]
struct Case {
    x: Vec<[f64; 3]>,
    rest: f64,
    value: Option<f64>,
    grad: Option<Vec<[f64; 3]>>,
    tol: Option<Tolerance>,
    /// Present where the numbers are not to be compared: then they need only be finite.
    expect: Option<Value>,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    class: Value,
}

#[derive(Deserialize)]
struct Tolerance {
    value: f64,
    grad: f64,
}

pub(crate) fn judge(json: Value) -> Verdict {
    let file: File = match serde_json::from_value(json) {
        Ok(file) => file,
        Err(error) => return Verdict::Failed(error.to_string()),
    };
    match file.kind.as_str() {
        "distance" => all(&file.cases, |rest| Distance { rest }).into(),
        "tet_volume" => all(&file.cases, |rest| TetVolume { rest }).into(),
        "dihedral" => all(&file.cases, |rest| Dihedral { rest }).into(),
        kind if NOT_YET.contains(&kind) => Verdict::NotYet,
        kind => Verdict::Failed(format!("unknown kind \"{kind}\"")),
    }
}

fn all<C: Constraint<f64, N>, const N: usize>(
    cases: &[Value],
    make: impl Fn(f64) -> C,
) -> Result<Tally, Problem> {
    let mut tally = Tally::default();
    for case in cases {
        let case: Case = serde_json::from_value(case.clone())?;
        one(&mut tally, &case, &make(case.rest))?;
    }
    Ok(tally)
}

fn one<C: Constraint<f64, N>, const N: usize>(
    tally: &mut Tally,
    case: &Case,
    constraint: &C,
) -> Result<(), Problem> {
    let name = format!("case {} ({})", case.id, case.class);
    let x: [Vector3<f64>; N] =
        vectors(&case.x).try_into().map_err(|_| Problem(format!("{name} has not {N} points")))?;
    let (value, gradient) = constraint.value_and_gradient(&x);
    tally.case();
    let finite = value.is_finite() && gradient.iter().all(|g| g.iter().all(|c| c.is_finite()));
    tally.require(finite, || format!("{name}: not finite"));
    if case.expect.is_some() {
        return Ok(());
    }
    let (Some(expected), Some(expected_gradient), Some(tol)) = (case.value, &case.grad, &case.tol) else {
        return Err(Problem(format!("{name} has no value, gradient or tolerance to compare with")));
    };
    if expected_gradient.len() != N {
        return Err(Problem(format!("{name} has not {N} gradients")));
    }
    tally.check(value - expected, tol.value, || format!("{name}, value"));
    for (j, (g, e)) in gradient.iter().zip(vectors(expected_gradient)).enumerate() {
        tally.check((g - e).amax(), tol.grad, || format!("{name}, gradient of point {j}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn file(kind: &str, value: &Value) -> Value {
        json!({ "kind": kind, "cases": [{
            "id": 0, "class": "random", "x": [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "rest": 1.0,
            "value": value, "grad": [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]],
            "tol": { "value": 1e-12, "grad": 1e-12 },
        }]})
    }

    #[test]
    fn a_right_value_passes_and_a_wrong_one_does_not() {
        assert!(!judge(file("distance", &json!(2.0))).is_failure());
        assert!(judge(file("distance", &json!(2.0 + 1e-11))).is_failure());
        assert!(judge(file("distance", &Value::Null)).is_failure());
    }

    #[test]
    fn kinds_are_known_or_not_there_yet_or_a_failure() {
        assert!(matches!(judge(file("stvk_tet", &json!(2.0))), Verdict::NotYet));
        assert!(judge(file("rubber", &json!(2.0))).is_failure());
        assert!(judge(file("tet_volume", &json!(2.0))).is_failure(), "two points are no tetrahedron");
    }

    #[test]
    fn an_expectation_asks_only_for_finite_numbers() {
        let mut json = file("distance", &Value::Null);
        json["cases"][0]["grad"] = Value::Null;
        json["cases"][0]["expect"] = json!("finite");
        json["cases"][0]["x"] = json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        assert!(!judge(json).is_failure());
    }
}

//! `gradients/`: value and gradient of one constraint, made by automatic differentiation in fifty digits.

mod elastic;

use std::fmt;

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Dihedral, Distance, TetVolume};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::vectors;
use super::verdict::{Problem, Tally, Verdict};

#[derive(Deserialize)]
struct File {
    kind: String,
    cases: Vec<Value>,
}

/// The common data of all cases.
#[derive(Debug, Clone, Deserialize)]
struct Case {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    class: String,
    x: Vec<[f64; 3]>,
    value: Option<f64>,
    grad: Option<Vec<[f64; 3]>>,
    tol: Option<Tolerance>,
    /// Whether the expectation is given only in words: then the numbers need only be finite.
    #[serde(rename = "expect", default, deserialize_with = "is_there")]
    only_finite: bool,
}

#[derive(Debug, Clone, Deserialize)]
struct Tolerance {
    value: f64,
    grad: f64,
    hess: Option<f64>,
}

fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(!Value::deserialize(deserializer)?.is_null())
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {} ({})", self.id, self.class)
    }
}

impl Case {
    fn points<const N: usize>(&self) -> Result<[Vector3<f64>; N], Problem> {
        points(&self.x).ok_or_else(|| Problem(format!("{self} has not {N} points")))
    }
}

/// A list of exactly `N` positions.
fn points<const N: usize>(list: &[[f64; 3]]) -> Option<[Vector3<f64>; N]> {
    vectors(list).try_into().ok()
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
        kind => match elastic::judge(kind, &file.cases) {
            Some(result) => result.into(),
            None => Verdict::Failed(format!("unknown kind \"{kind}\"")),
        },
    }
}

/// Judges the cases of a kind whose rest data are one number.
fn all<C: Constraint<f64, N>, const N: usize>(
    cases: &[Value],
    make: impl Fn(f64) -> C,
) -> Result<Tally, Problem> {
    #[derive(Deserialize)]
    struct Rest {
        rest: f64,
    }
    let mut tally = Tally::default();
    for json in cases {
        let case: Case = serde_json::from_value(json.clone())?;
        let Rest { rest } = serde_json::from_value(json.clone())?;
        tally.case();
        compare(&mut tally, &case, |x| make(rest).value_and_gradient(x))?;
    }
    Ok(tally)
}

/// Compares the value and the gradient at the positions of a case.
fn compare<const N: usize>(
    tally: &mut Tally,
    case: &Case,
    evaluate: impl FnOnce(&[Vector3<f64>; N]) -> (f64, [Vector3<f64>; N]),
) -> Result<(), Problem> {
    let (value, gradient) = evaluate(&case.points()?);
    let finite = value.is_finite() && gradient.iter().all(|g| g.iter().all(|c| c.is_finite()));
    tally.require(finite, || format!("{case}: not finite"));
    if case.only_finite {
        return Ok(());
    }
    let (Some(expected), Some(expected_gradient), Some(tol)) = (case.value, &case.grad, &case.tol) else {
        return Err(Problem(format!("{case} has no value, gradient or tolerance to compare with")));
    };
    if expected_gradient.len() != N {
        return Err(Problem(format!("{case} has not {N} gradients")));
    }
    tally.check(value - expected, tol.value, || format!("{case}, value"));
    for (j, (g, e)) in gradient.iter().zip(vectors(expected_gradient)).enumerate() {
        tally.check((g - e).amax(), tol.grad, || format!("{case}, gradient of point {j}"));
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
    fn kinds_are_known_or_a_failure() {
        assert!(judge(file("rubber", &json!(2.0))).is_failure());
        assert!(judge(file("tet_volume", &json!(2.0))).is_failure(), "two points are no tetrahedron");
        assert!(judge(file("stvk_tet", &json!(2.0))).is_failure(), "a length is no rest shape");
    }

    #[test]
    fn an_expectation_asks_only_for_finite_numbers() {
        let mut json = file("distance", &Value::Null);
        json["cases"][0]["grad"] = Value::Null;
        json["cases"][0]["expect"] = json!("finite");
        json["cases"][0]["x"] = json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        assert!(!judge(json).is_failure());
    }

    /// A tetrahedron of the corner of a cube stretched to twice its length along x, of μ = 1 and λ = 0: E11 = 3/2.
    fn stretched_corner() -> Value {
        json!({ "kind": "stvk_tet", "cases": [{
            "id": 0, "class": "corner", "mu": 1.0, "lambda": 0.0,
            "rest": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            "x": [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            "value": 0.375, "grad": [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "tol": { "value": 1e-14, "grad": 1e-14 },
        }]})
    }

    #[test]
    fn energies_are_compared_and_bad_rest_shapes_are_failures() {
        assert!(!judge(stretched_corner()).is_failure());
        for (field, value) in [
            ("value", json!(0.376)),
            ("rest", json!([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])),
            ("mu", json!(-1.0)),
            ("x", json!([[0.0, 0.0, 0.0]])),
        ] {
            let mut json = stretched_corner();
            json["cases"][0][field] = value;
            assert!(judge(json).is_failure(), "{field}");
        }
    }
}

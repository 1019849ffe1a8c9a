//! `analytic/`: small simulations with a closed form, distinguished by their names. The rule of each stands
//! in its file.

mod cantilever;
mod chain;
mod compressed_block;
mod free_fall;
mod mesh;
mod patch_test;
mod pendulum;
mod spring;
mod stitch_static;

use std::path::Path;

use pliant_solver::Method;
use serde_json::Value;

use crate::scenes::Scheme;

use super::verdict::{Problem, Verdict};

/// What files of these names are simulated by, apart from sweeps. Where the file has the motion substep by substep, it cannot be
/// left to a method that chooses its substeps; elastic bodies have no coarse levels.
const SIMULATED: [(&str, &[Method]); 7] = [
    ("spring_", &[Method::Coarse, Method::Newton]),
    ("chain_", &[Method::Coarse, Method::Newton, Method::Auto]),
    ("pendulum", &[Method::Coarse, Method::Newton]),
    ("free_fall", &[Method::Coarse, Method::Newton, Method::Auto]),
    ("compressed_block", &[Method::Coarse, Method::Newton, Method::Auto]),
    ("cantilever_", &[Method::Newton, Method::Auto]),
    ("stitch_static", &[Method::Coarse, Method::Newton, Method::Auto]),
];

/// Whether a file of this name holds a simulation with an answer for a method.
pub(crate) fn is_simulated(name: &str, method: Method) -> bool {
    let by = SIMULATED.iter().find(|(start, _)| name.starts_with(start));
    !is_mesh(name) && by.is_some_and(|(_, methods)| methods.contains(&method))
}

/// Whether a file of this name is the mesh of others.
pub(crate) fn is_mesh(name: &str) -> bool {
    name.ends_with("_mesh") || name.contains("_mesh_")
}

pub(crate) fn judge(name: &str, json: &Value, path: &Path, method: Method) -> Verdict {
    if name.starts_with("spring_") {
        spring::judge(json, method).into()
    } else if name.starts_with("chain_") {
        chain::judge(json, method).into()
    } else if name.starts_with("pendulum") {
        pendulum::judge(json, method).into()
    } else if name.starts_with("free_fall") {
        free_fall::judge(json, method).into()
    } else if name.starts_with("compressed_block") {
        compressed_block::judge(json, path, method).into()
    } else if name.starts_with("cantilever_") {
        cantilever::judge(json, path, method).into()
    } else if name.starts_with("patch_test") {
        patch_test::judge(json).into()
    } else if name.starts_with("stitch_static") {
        stitch_static::judge(json, method).into()
    } else {
        Verdict::Failed("unknown kind: neither its name nor its contents say what it is".into())
    }
}

/// The accuracy that methods are asked for.
const ACCURACY: f64 = 1e-9;

/// The sweeps after which their order no longer decides.
const ENOUGH: u32 = 10;

/// The scheme of a file that asks for so many sweeps, by a method.
fn scheme(method: Method, iterations: u32) -> Scheme {
    match method {
        Method::Sweeps => Scheme::sweeps(iterations),
        _ => Scheme { iterations: iterations.max(ENOUGH), ..Scheme::by(method, ACCURACY) },
    }
}

/// A number of the file, by the names on the way to it.
fn number(json: &Value, path: &[&str]) -> Result<f64, Problem> {
    let found = path.iter().try_fold(json, |json, name| json.get(name));
    found.and_then(Value::as_f64).ok_or_else(|| Problem(format!("no number \"{}\"", path.join("."))))
}

/// The number behind `key` in a text such as "theta0=5deg, g=9.81, dt=1/60"; a fraction is divided.
fn number_in(text: &str, key: &str) -> Option<f64> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    // A key that begins like a word begins one: "t=" is not found in "dt=".
    let begins = |&at: &usize| !key.starts_with(word) || !text[..at].ends_with(word);
    let at = text.match_indices(key).map(|(at, _)| at).find(begins)?;
    let text = &text[at + key.len()..];
    let (value, rest) = leading_number(text)?;
    match rest.strip_prefix('/').and_then(leading_number) {
        Some((divisor, _)) => Some(value / divisor),
        None => Some(value),
    }
}

/// The longest beginning of a text that is a number, and what follows.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !"0123456789+-.eE".contains(c)).unwrap_or(text.len());
    (1..=end).rev().find_map(|end| Some((text.get(..end)?.parse().ok()?, &text[end..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_methods_are_judged_by_what_does_not_depend_on_the_order_of_sweeps() {
        assert!(is_simulated("chain_al0.001", Method::Newton));
        assert!(is_simulated("pendulum", Method::Newton) && !is_simulated("pendulum", Method::Auto));
        assert!(!is_simulated("cantilever_mesh_10x2", Method::Newton), "it is a mesh");
        assert!(!is_simulated("cloth21_uniform_sc0_it1", Method::Newton));
        assert_eq!(scheme(Method::Sweeps, 1), Scheme::sweeps(1));
        assert_eq!(scheme(Method::Newton, 1).iterations, ENOUGH);
    }

    #[test]
    fn numbers_are_found_in_texts() {
        let text = "L=1,m=0.5,theta0=5deg,g=9.81,dt=1/60,alpha=1e-3, 1 iteration";
        assert_eq!(number_in(text, "L="), Some(1.0));
        assert_eq!(number_in(text, "m="), Some(0.5));
        assert_eq!(number_in(text, "theta0="), Some(5.0));
        assert_eq!(number_in(text, "dt="), Some(1.0 / 60.0));
        assert_eq!(number_in(text, "alpha="), Some(1e-3));
        assert_eq!(number_in(text, "t="), None, "dt is not t");
        assert_eq!(number_in("ec1e-06_nsub10", "ec"), Some(1e-6));
        assert_eq!(number_in("ec1e-06_nsub10", "nsub"), None, "it follows a letter or _");
        assert_eq!(number_in("lowered to 0.8 in 1 s then", " in "), Some(1.0));
        assert_eq!(number_in("v*=1-2h after each", "v*=1-"), Some(2.0));
    }
}

//! `cantilever_<n>x<m>_E…`: the deflection of the end of a beam of neo-Hookean tetrahedra.
//!
//! The file has the static solution on the same mesh. The beam is released unloaded and settles with drag;
//! the remaining error is that of the time step, which falls with its square.

use std::path::Path;

use pliant_constraints::Lame;
use pliant_mesh::TetMesh;
use pliant_solver::Method;
use serde::Deserialize;
use serde_json::Value;

use super::super::vectors;
use super::super::verdict::{Problem, Tally};
use super::mesh::Mesh;
use super::{number, number_in, scheme};
use crate::scenes::beam::{Beam, Settling};

/// Substeps of a frame at which the beam is judged, one iteration each: at fewer it is too soft or shakes
/// itself to pieces.
const SUBSTEPS: [u32; 3] = [160, 320, 640];

/// Relative error below which it need not fall any further, because of the remaining motion.
const SETTLED: f64 = 1e-4;

#[derive(Deserialize)]
struct Setup {
    cells: [u32; 3],
    cell: f64,
    #[serde(rename = "E")]
    young: f64,
    nu: f64,
    rho: f64,
    g: f64,
    tip_vertex: usize,
}

pub(crate) fn judge(json: &Value, path: &Path, method: Method) -> Result<Tally, Problem> {
    let setup: Setup = serde_json::from_value(json["setup"].clone())?;
    let mut tally = Tally::default();
    let moduli = Lame::neo_hookean(setup.young, setup.nu)?;
    for (name, found) in [("mu", moduli.mu), ("lambda_nh", moduli.lambda)] {
        tally.check(found / number(json, &[name])? - 1.0, 1e-12, || name.to_owned());
    }

    let (beam, settling) = beam(&setup, json["rule"].as_str().unwrap_or_default(), path)?;
    let expected = number(json, &["tip", "nonlinear_neohookean_lambdaN"])?;
    let mut earlier = f64::INFINITY;
    for substeps in SUBSTEPS {
        let error = beam.settle(&Settling { substeps, scheme: scheme(method, 1), ..settling })?.deflection
            / expected
            - 1.0;
        tally.case();
        // A row without a measured value has no reference, and its error must still fall.
        if let Ok(measured) = number(json, &["measured", &format!("nsub{substeps}_it1"), "rel_err_tip"]) {
            let allowed = (1.5 * measured.abs()).max(0.01);
            tally.check(error, allowed, || format!("{substeps} substeps, deflection"));
        }
        tally.require(error.abs() < earlier.max(SETTLED), || {
            format!("{substeps} substeps: the error {error:.2e} is not below {earlier:.2e}, that of fewer")
        });
        earlier = error.abs();
    }
    tally.check(earlier, 0.01, || "finest substeps, deflection".into());
    Ok(tally)
}

/// The beam of a file, and the settling by its rule.
fn beam(setup: &Setup, rule: &str, path: &Path) -> Result<(Beam, Settling), Problem> {
    let [nx, ny, _] = setup.cells;
    let name = format!("cantilever_mesh_{nx}x{ny}.json");
    let mesh = if path.with_file_name(&name).exists() {
        Mesh::beside(path, &name)?
    } else {
        Mesh::kuhn(setup.cells, setup.cell)
    };
    let mesh = TetMesh::new(vectors(&mesh.verts), mesh.tets)?;
    if setup.tip_vertex >= mesh.positions().len() {
        return Err(Problem(format!("the mesh has no vertex {}", setup.tip_vertex)));
    }
    let usual = Settling::default();
    let settling = Settling {
        dt: number_in(rule, "dt=").unwrap_or(usual.dt),
        seconds: seconds_in(rule).unwrap_or(usual.seconds),
        rate: number_in(rule, "v*=1-").unwrap_or(usual.rate),
        ..usual
    };
    let beam = Beam {
        mesh,
        young: setup.young,
        poisson: setup.nu,
        density: setup.rho,
        g: setup.g,
        tip: setup.tip_vertex,
    };
    Ok((beam, settling))
}

/// The number before the first " s" of a text.
fn seconds_in(text: &str) -> Option<f64> {
    let unit = |&(at, _): &(usize, &str)| !text[at + 2..].starts_with(char::is_alphabetic);
    let number = |(at, _)| text[..at].rsplit([' ', ',', '(']).next()?.parse().ok();
    text.match_indices(" s").filter(unit).find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short beam whose reference, times a factor, is the result of its finest substeps.
    fn short_beam(factor: f64) -> Tally {
        let (young, poisson, path) = (1e6, 0.3, Path::new("no/such/folder/cantilever_3x1.json"));
        let moduli = Lame::neo_hookean(young, poisson).unwrap();
        let setup = serde_json::json!({
            "cells": [3, 1, 1], "cell": 0.1, "E": young, "nu": poisson, "rho": 1000.0, "g": 9.81, "tip_vertex": 12,
        });
        let (beam, settling) = beam(&serde_json::from_value(setup.clone()).unwrap(), "", path).unwrap();
        let tip = factor * beam.settle(&Settling { substeps: 1280, ..settling }).unwrap().deflection;
        let json = serde_json::json!({
            "setup": setup, "mu": moduli.mu, "lambda_nh": moduli.lambda,
            "tip": { "nonlinear_neohookean_lambdaN": tip },
        });
        judge(&json, path, Method::Sweeps).unwrap()
    }

    #[test]
    fn a_beam_with_another_answer_is_a_failure() {
        assert!(short_beam(1.0).worst <= 1.0, "{}", short_beam(1.0).at);
        assert!(short_beam(0.95).worst > 1.0);
    }

    #[test]
    fn seconds_are_found_in_texts() {
        assert_eq!(seconds_in("static tip after settling (damping v*=1-15h, 2.5 s, dt=1/60)"), Some(2.5));
        assert_eq!(seconds_in("settling (4 s)"), Some(4.0));
        assert_eq!(seconds_in("10 substeps"), None);
    }
}

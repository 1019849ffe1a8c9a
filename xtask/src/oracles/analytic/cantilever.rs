//! `cantilever_<n>x<m>_E…`: how far the end of a beam of neo-Hookean tetrahedra hangs down.
//!
//! The answer of statics on the same mesh stands in the file. The beam is let go unloaded and settles with drag; what is left is the error of the time
//! step, which falls with its square.

use std::path::Path;

use nalgebra::Vector3;
use pliant_constraints::Lame;
use pliant_mesh::TetMesh;
use pliant_solver::{Body, Continuum, Plan, Settings, Simulation};
use serde::Deserialize;
use serde_json::Value;

use super::super::vectors;
use super::super::verdict::{Problem, Tally};
use super::mesh::Mesh;
use super::{drag, number, number_in};

/// Substeps of a frame at which the beam is judged, one iteration each: at fewer it is too soft or shakes itself to pieces.
const SUBSTEPS: [u32; 3] = [160, 320, 640];

/// Relative error below which it need not fall any more: the rest of the motion.
const SETTLED: f64 = 1e-4;

/// Share of the deflection that it changes by in a frame when it has arrived.
const STILL: f64 = 1e-7;

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

pub(crate) fn judge(json: &Value, path: &Path) -> Result<Tally, Problem> {
    let setup: Setup = serde_json::from_value(json["setup"].clone())?;
    let mut tally = Tally::default();
    let moduli = Lame::neo_hookean(setup.young, setup.nu)?;
    for (name, found) in [("mu", moduli.mu), ("lambda_nh", moduli.lambda)] {
        tally.check(found / number(json, &[name])? - 1.0, 1e-12, || name.to_owned());
    }

    let beam = Beam::new(setup, json["rule"].as_str().unwrap_or_default(), path)?;
    let expected = number(json, &["tip", "nonlinear_neohookean_lambdaN"])?;
    let mut earlier = f64::INFINITY;
    for substeps in SUBSTEPS {
        let error = beam.tip(substeps)? / expected - 1.0;
        tally.case();
        // A row that nobody measured has nothing to be compared with, and must fall all the same.
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

struct Beam {
    setup: Setup,
    mesh: TetMesh,
    /// Length of a frame, s.
    dt: f64,
    /// Time to settle, s.
    seconds: f64,
    /// Velocities are multiplied by 1 − rate·h in every substep, 1/s.
    rate: f64,
}

impl Beam {
    fn new(setup: Setup, rule: &str, path: &Path) -> Result<Self, Problem> {
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
        Ok(Self {
            setup,
            mesh,
            dt: number_in(rule, "dt=").unwrap_or(1.0 / 60.0),
            seconds: seconds_in(rule).unwrap_or(2.5),
            rate: number_in(rule, "v*=1-").unwrap_or(15.0),
        })
    }

    /// How far the tip hangs down in the end, m.
    fn tip(&self, substeps: u32) -> Result<f64, Problem> {
        let setup = &self.setup;
        let beam = Body::solid(self.mesh.clone())
            .density(setup.rho)
            .continuum(Continuum::neo_hookean(setup.young, setup.nu))
            .pin(|x| x.x < 1e-9);
        let settings = Settings {
            substeps,
            gravity: Vector3::new(0.0, -setup.g, 0.0),
            plan: Plan::Clustered,
            drag: drag(self.rate, self.dt / f64::from(substeps)),
            ..Settings::default()
        };
        let mut sim = Simulation::builder().settings(settings).body(beam).build_as::<f64>()?;
        let tip = setup.tip_vertex;
        let frames = (self.seconds / self.dt).round() as u64;
        let mut deflection = 0.0_f64;
        // A soft beam creeps under so much drag and has not arrived when the time is over; what is asked for is the static answer.
        for frame in 1..=8 * frames {
            sim.advance(self.dt)?;
            let now = self.mesh.positions()[tip].y - sim.positions_of(tip..tip + 1)[0].y;
            let still = (now - deflection).abs() <= STILL * now.abs();
            deflection = now;
            if still && frame >= frames {
                break;
            }
        }
        Ok(deflection)
    }
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

    /// A short beam whose answer, times a factor, is that of its finest substeps.
    fn short_beam(factor: f64) -> Tally {
        let (young, poisson, path) = (1e6, 0.3, Path::new("no/such/folder/cantilever_3x1.json"));
        let moduli = Lame::neo_hookean(young, poisson).unwrap();
        let setup = serde_json::json!({
            "cells": [3, 1, 1], "cell": 0.1, "E": young, "nu": poisson, "rho": 1000.0, "g": 9.81, "tip_vertex": 12,
        });
        let beam = Beam::new(serde_json::from_value(setup.clone()).unwrap(), "", path).unwrap();
        let tip = factor * beam.tip(1280).unwrap();
        let json = serde_json::json!({
            "setup": setup, "mu": moduli.mu, "lambda_nh": moduli.lambda,
            "tip": { "nonlinear_neohookean_lambdaN": tip },
        });
        judge(&json, path).unwrap()
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

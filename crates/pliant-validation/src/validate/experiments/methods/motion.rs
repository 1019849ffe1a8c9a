//! What falls, swings and tumbles.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, FrameReport, Method, Settings, Simulation};

use super::super::super::check::Check;
use super::super::super::experiment::Findings;
use super::super::super::figure::Table;
use super::super::super::number::percent;
use super::super::{momentum, pendulum};
use crate::problem::Problem;
use crate::scenes::Scheme;

const G: f64 = 9.81;
const FRAME: f64 = 1.0 / 60.0;

/// What methods are asked for.
const ACCURACY: f64 = 1e-9;

pub(super) fn measure(findings: &mut Findings) -> Result<(), Problem> {
    for method in [Method::Coarse, Method::Newton, Method::Auto] {
        fall(method, findings)?;
    }
    for method in [Method::Coarse, Method::Newton] {
        swing(method, findings)?;
    }
    tumble(findings)
}

/// A block falls for a second.
fn fall(method: Method, findings: &mut Findings) -> Result<(), Problem> {
    let mesh = TetMesh::block([3, 2, 2], [0.3, 0.2, 0.2], Split::Kuhn)?;
    let settings =
        Settings { gravity: Vector3::new(0.0, -G, 0.0), ..Scheme::by(method, ACCURACY).settings() };
    let mut sim =
        Simulation::builder().settings(settings).body(Body::solid(mesh.clone())).build_as::<f64>()?;
    (0..60).try_for_each(|_| sim.advance(FRAME))?;
    let now = sim.positions();
    let drops: Vec<f64> = mesh.positions().iter().zip(&now).map(|(rest, x)| rest.y - x.y).collect();
    let mean = drops.iter().sum::<f64>() / drops.len() as f64;
    let apart = drops.iter().map(|drop| (drop - mean).abs()).fold(0.0, f64::max);
    let name = format!("falling block, {}, vertices apart after a second, over the drop", method.name());
    findings.check(Check::at_most(name, 1e-12, apart / mean).from("falls undeformed"));
    let speed = sim.velocities().iter().map(|v| (v.y / -G - 1.0).abs()).fold(0.0, f64::max);
    let name = format!("falling block, {}, relative error of the speed after a second", method.name());
    findings.check(Check::at_most(name, 1e-12, speed).from("g t"));
    Ok(())
}

/// The pendulum, ten substeps a frame.
fn swing(method: Method, findings: &mut Findings) -> Result<(), Problem> {
    let (substeps, left) = pendulum::LEFT[1];
    let swing = pendulum::PENDULUM.swing(FRAME / substeps, Scheme::by(method, ACCURACY))?;
    let of = |what: &str| format!("pendulum, {}, {substeps} substeps, {what}", method.name());
    let period = Check::near(of("period (s)"), pendulum::PERIOD, swing.period, 1e-3 * pendulum::PERIOD);
    findings.check(period.from("2π√(L/g)(1 + θ²/16 + …)"));
    findings.check(
        Check::at_most(of("largest error of the length (m)"), 1e-12, swing.length_error).from("rigid"),
    );
    findings
        .check(Check::near(of("amplitude left"), left, swing.amplitude, 1e-3).from("independent program"));
    Ok(())
}

/// The share of a quantity that changes in a flight.
fn change(of: impl Fn(&FrameReport) -> Vector3<f64>, flight: &(FrameReport, FrameReport)) -> f64 {
    let (before, after) = flight;
    (of(after) - of(before)).norm() / of(before).norm()
}

fn tumble(findings: &mut Findings) -> Result<(), Problem> {
    let columns = ["body", "substeps", "sweeps", "coarse", "newton"];
    let mut table = Table::new("Angular momentum lost in 20 frames", columns);
    for substeps in [5, 20] {
        // Converged sweeps are what the others are compared with.
        let settings = |scheme: Scheme| Settings { substeps, gravity: Vector3::zeros(), ..scheme.settings() };
        let swept = settings(Scheme::sweeps(10));
        let by = |method| settings(Scheme::by(method, 1e-4));
        let ball = |settings| momentum::fly(momentum::ball(settings, 1.0)?, 20);
        let sheet = |settings| momentum::fly(momentum::sheet(settings)?, 20);
        for (body, swept, others) in [
            ("ball", ball(swept.clone())?, [None, Some(ball(by(Method::Newton))?)]),
            ("sheet", sheet(swept)?, [Some(sheet(by(Method::Coarse))?), Some(sheet(by(Method::Newton))?)]),
        ] {
            let angular = |flight: &_| change(|report| report.angular_momentum, flight);
            let mut row = vec![body.to_owned(), substeps.to_string(), percent(angular(&swept))];
            for (flight, method) in others.iter().zip(["coarse", "newton"]) {
                let Some(flight) = flight else {
                    row.push(String::new());
                    continue;
                };
                let of = |what: &str| format!("tumbling {body}, {method}, {substeps} substeps, {what}");
                let drift = change(|report| report.linear_momentum, flight);
                let drift = Check::at_most(of("relative drift of linear momentum"), 1e-11, drift);
                let ratio = angular(flight) / angular(&swept);
                let ratio =
                    Check::at_most(of("loss of angular momentum over that of ten sweeps"), 1.05, ratio);
                let checks = [drift.from("kept to rounding"), ratio.from("the integrator's, no more")];
                findings.checks.extend(checks.map(|check| check.drifting(0.2)));
                row.push(percent(angular(flight)));
            }
            table.row(row);
        }
    }
    findings.tables.push(table);
    Ok(())
}

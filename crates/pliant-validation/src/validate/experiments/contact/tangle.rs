//! Two sheets pushed through each other, which come apart.

use nalgebra::Vector3;
use pliant_solver::{Settings, Simulation};

use super::super::super::check::Check;
use super::super::super::experiment::Findings;
use super::super::super::figure::Figure;
use super::scenes::{level, run, settings, sheet};
use crate::problem::Problem;

pub(super) fn measure(findings: &mut Findings) -> Result<(), Problem> {
    let one = level([12; 2], [0.2; 2], Vector3::zeros())?;
    let other = level([12; 2], [0.2; 2], Vector3::new(0.08, 0.0, 0.011))?;
    // Both upright; the border of the second goes 20 mm through the first, which leans.
    let lean = |x: &Vector3<f64>| Vector3::new(x.x, 0.9 * x.z, 0.3 * x.x + 0.2 * x.z);
    let one = one.with_positions(one.positions().iter().map(lean).collect())?;
    let upright = |x: &Vector3<f64>| Vector3::new(x.x, x.z, 0.004);
    let other = other.with_positions(other.positions().iter().map(upright).collect())?;
    let settings = Settings { drag: 2.0, gravity: Vector3::zeros(), ..settings(20, 1) };
    let scene = Simulation::builder().settings(settings).body(sheet(one, 0.3)).body(sheet(other, 0.3));
    let mut sim: Simulation = scene.build()?;
    let mut curve = Vec::new();
    let seen = run(&mut sim, 120, |_, report| {
        let crossings = report.collisions.as_ref().map_or(f64::NAN, |tally| tally.intersections as f64);
        curve.push((report.time, crossings));
    })?;
    curve.insert(0, (0.0, seen.at_start as f64));
    let of = |what: &str| format!("two sheets pushed through each other, {what}");
    findings.check(Check::at_least(of("crossings at the start"), 10.0, seen.at_start as f64));
    let check = Check::at_most(of("crossings after 120 frames"), 0.0, seen.last as f64);
    findings.check(check.from("they come apart"));
    let check = Check::at_most(
        of("most crossings in a frame, over those at the start"),
        1.0,
        seen.most as f64 / seen.at_start as f64,
    );
    findings.check(check.from("a tangle only shrinks"));
    let mut figure =
        Figure::linear("tangle", "Two sheets pushed through each other", "time (s)", "crossings");
    figure.curve("edges that cross triangles", curve);
    findings.figures.push(figure);
    Ok(())
}

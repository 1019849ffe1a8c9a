//! Rest: a stack of sheets, and a tower of cubes with a heavy one on top.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{Compliance, Settings, Simulation};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::scenes::{THICKNESS, cube, held, level, middle, run, settings, sheet, steady};
use crate::problem::Problem;

const FRICTION: f64 = 0.3;

/// A level grid turned about the vertical, m and rad.
fn turned(cells: usize, side: f64, at: Vector3<f64>, angle: f64) -> Result<TriMesh, Problem> {
    let mesh = level([cells; 2], [side; 2], Vector3::zeros())?;
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::y_axis(), angle);
    Ok(mesh.with_positions(mesh.positions().iter().map(|x| turn * x + at).collect())?)
}

/// Ten sheets that fall on a mesh and on each other.
pub(super) fn stack(findings: &mut Findings) -> Result<(), Problem> {
    let mut scene = Simulation::builder()
        .settings(settings(40, 1))
        .body(held(level([3; 2], [0.3; 2], Vector3::zeros())?, FRICTION));
    for k in 0..10 {
        let k = f64::from(k);
        let mesh = turned(8, 0.1, Vector3::y() * (0.005 + 0.005 * k), 0.1222 * k)?;
        scene = scene.body(sheet(mesh, FRICTION).bend_by_distance(Compliance::new(1e-4)));
    }
    let mut sim: Simulation = scene.build()?;
    let seen = run(&mut sim, 120, |_, _| ())?;
    let of = |what: &str| format!("stack of ten sheets, after 2 s, {what}");
    let mut worst: f64 = 0.0;
    for (k, part) in (1..=10).zip(&sim.body_ranges()[1..]) {
        // Corners hang over those below.
        let mut x = sim.positions_of(part.particles.clone());
        x.retain(|x| x.x.abs().max(x.z.abs()) < 0.03);
        let height = x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64;
        let expected = THICKNESS * f64::from(k);
        worst = worst.max((height / expected - 1.0).abs());
    }
    let check = Check::at_most(of("largest relative error of a height"), 0.05, worst);
    findings.check(check.from("k d for the k-th sheet"));
    let kinetic = sim.report().energy.kinetic;
    findings.check(Check::at_most(of("kinetic energy (J)"), 1e-6, kinetic).from("rest").drifting(0.5));
    let check = Check::at_most(of("most crossings in a frame"), 0.0, seen.most as f64);
    findings.check(check.from("nothing passes"));
    Ok(())
}

/// Cubes of the tower.
const CUBES: u32 = 10;
const SIDE: f64 = 0.1;

/// Ten soft cubes on each other, the topmost a hundred times as heavy as each of the others.
fn cubes(settings: Settings) -> Result<Simulation, Problem> {
    let mut scene =
        Simulation::builder().settings(settings).body(held(level([3; 2], [0.4; 2], Vector3::zeros())?, 0.5));
    for k in 0..CUBES {
        let at = Vector3::new(-0.5 * SIDE, THICKNESS + (SIDE + THICKNESS) * f64::from(k), -0.5 * SIDE);
        let density = if k + 1 == CUBES { 1e5 } else { 1e3 };
        scene = scene.body(cube(2, SIDE, at, 0.5)?.stretch(Compliance::new(1e-7)).density(density));
    }
    Ok(scene.build()?)
}

/// The tower, with a fixed order of sweeps and with that of the solver.
pub(super) fn tower(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let top = CUBES as usize;
    let aside = |now: Vector3<f64>, start: Vector3<f64>| (now - start).xz().norm() / SIDE;
    let mut sim = cubes(steady(200, 1))?;
    let start = middle(&sim, top);
    let rows: &[(&str, u32)] = scope.pick(&[("1 s", 60)], &[("1 s", 60), ("10 s", 540)]);
    let mut most = 0;
    for &(after, frames) in rows {
        most = most.max(run(&mut sim, frames, |_, _| ())?.most);
        let of = |what: &str| format!("tower of ten cubes, mass 100 on top, after {after}, {what}");
        let now = middle(&sim, top);
        let check =
            Check::at_least(of("height of the topmost over that at the start"), 0.95, now.y / start.y);
        findings.check(check.from("it stands"));
        let check = Check::at_most(of("topmost moved aside, in sides of a cube"), 0.1, aside(now, start));
        findings.check(check.from("it stands"));
        let check = Check::at_most(of("most crossings in a frame"), 0.0, most as f64);
        findings.check(check.from("nothing passes"));
    }
    if scope.is_full() {
        let mut sim = cubes(settings(200, 1))?;
        let most = run(&mut sim, 120, |_, _| ())?.most;
        let of =
            |what: &str| format!("tower of ten cubes, order of sweeps left to the solver, after 2 s, {what}");
        let name = of("topmost moved aside, in sides of a cube");
        let check = Check::at_most(name, 0.1, aside(middle(&sim, top), start));
        findings.check(check.from("it stands").drifting(1.0));
        let check = Check::at_most(of("most crossings in a frame"), 0.0, most as f64);
        findings.check(check.from("nothing passes"));
    }
    Ok(())
}

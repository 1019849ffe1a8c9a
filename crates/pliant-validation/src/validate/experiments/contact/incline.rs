//! Friction: a body on an incline, a little below and a little above the angle at which it slides.

use nalgebra::Vector3;
use pliant_solver::{Body, Settings, Simulation, Stiffness};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::super::super::figure::Table;
use super::super::super::number::short;
use super::scenes::{THICKNESS, block, cube, held, level, middle, run, settings, sheet, steady};
use crate::problem::Problem;

/// Coefficient of friction of what slides.
const MU: f64 = 0.3;
/// Of the other surface, such that the combined coefficient is 0.6.
const FIRM: f64 = 1.2;
const G: f64 = 9.81;
/// Frames in which bodies settle, and frames that are measured.
const SETTLING: u32 = 12;
const MEASURED: u32 = 120;

/// The pairs of bodies; the last body is the one that may slide.
#[derive(Debug, Clone, Copy)]
enum Pair {
    SheetOnMesh,
    SheetOnSheet,
    CubeOnMesh,
    CubeOnCube,
}

impl Pair {
    fn name(self) -> &'static str {
        match self {
            Self::SheetOnMesh => "sheet on a mesh",
            Self::SheetOnSheet => "sheet on a sheet",
            Self::CubeOnMesh => "soft cube on a mesh",
            Self::CubeOnCube => "soft cube on a soft block",
        }
    }

    fn bodies(self) -> Result<Vec<Body>, Problem> {
        let at = |y: f64| Vector3::new(-0.2, y, 0.013);
        let plate = |friction| Ok::<_, Problem>(held(level([40, 10], [1.2, 0.3], at(0.0))?, friction));
        let corner = |y: f64| Vector3::new(-0.4, y, 0.0);
        let rider = |y: f64| {
            Ok::<_, Problem>(
                sheet(level([8, 8], [0.1; 2], corner(y))?, MU).bend_isometric(Stiffness::new(1e-4)),
            )
        };
        Ok(match self {
            Self::SheetOnMesh => vec![plate(MU)?, rider(THICKNESS)?],
            Self::SheetOnSheet => {
                let lower = sheet(level([28, 9], [0.6, 0.2], at(THICKNESS))?, MU);
                vec![plate(FIRM)?, lower, rider(2.0 * THICKNESS)?]
            }
            Self::CubeOnMesh => vec![plate(MU)?, cube(2, 0.06, corner(THICKNESS), MU)?],
            Self::CubeOnCube => {
                let lower = block([10, 1, 3], [0.6, 0.06, 0.18], Vector3::new(-0.45, 0.0, -0.06), MU)?;
                let lower = lower.pin(|x| x.y < 1e-9);
                vec![lower, cube(2, 0.06, corner(0.06 + THICKNESS), MU)?]
            }
        })
    }
}

/// How far something creeps in two seconds, m, and its acceleration, m/s².
fn slide(pair: Pair, settings: &Settings, angle: f64) -> Result<(f64, f64), Problem> {
    // Gravity is turned instead of the ground.
    let gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * G;
    let mut scene = Simulation::builder().settings(Settings { gravity, ..settings.clone() });
    for body in pair.bodies()? {
        scene = scene.body(body);
    }
    let mut sim: Simulation<f64> = scene.build_as()?;
    let last = sim.body_ranges().len() - 1;
    let speed = |sim: &Simulation<f64>| {
        let body = &sim.report().bodies[last];
        body.linear_momentum.x / body.mass
    };
    run(&mut sim, SETTLING, |_, _| ())?;
    let (from, before, time) = (middle(&sim, last), speed(&sim), sim.time());
    let mut way: f64 = 0.0;
    run(&mut sim, MEASURED, |sim, _| way = way.max((middle(sim, last) - from).norm()))?;
    Ok((way, (speed(&sim) - before) / (sim.time() - time)))
}

/// Substeps of the rows that are checked.
const SUBSTEPS: u32 = 160;

pub(super) fn measure(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let all = [Pair::SheetOnMesh, Pair::SheetOnSheet, Pair::CubeOnMesh, Pair::CubeOnCube];
    let [stays, slides] = [0.98, 1.02].map(|share: f64| (share * MU).atan());
    let expected = G * (slides.sin() - MU * slides.cos());
    for &pair in scope.pick(&all[..1], &all) {
        let of = |what: &str| format!("incline, {}, {what}", pair.name());
        let (way, _) = slide(pair, &steady(SUBSTEPS, 1), stays)?;
        let check = Check::at_most(of("tan φ = 0.98 µ, way in 2 s (m)"), 1e-4, way);
        findings.check(check.from("Coulomb: it stays").drifting(0.5));
        let (_, acceleration) = slide(pair, &steady(SUBSTEPS, 1), slides)?;
        let name = of("tan φ = 1.02 µ, acceleration (m/s²)");
        let check = Check::near(name, expected, acceleration, 0.03 * expected);
        findings.check(check.from("g (sin φ − µ cos φ)"));
    }
    if !scope.is_full() {
        return Ok(());
    }
    let (way, _) = slide(Pair::CubeOnMesh, &settings(SUBSTEPS, 1), stays)?;
    let name =
        "incline, soft cube on a mesh, order of sweeps left to the solver, tan φ = 0.98 µ, way in 2 s (m)";
    findings.check(Check::at_most(name, 1e-4, way).from("Coulomb: it stays").drifting(0.5));
    let columns = ["substeps × iterations", "way in 2 s at 0.98 µ, m", "acceleration at 1.02 µ, m/s²"];
    let title = format!("A sheet that slides on a sheet; expected are 0 m and {} m/s²", short(expected));
    let mut table = Table::new(title, columns);
    for (substeps, iterations) in [(20, 1), (20, 4), (40, 1), (80, 1), (160, 1)] {
        let settings = steady(substeps, iterations);
        let (way, _) = slide(Pair::SheetOnSheet, &settings, stays)?;
        let (_, acceleration) = slide(Pair::SheetOnSheet, &settings, slides)?;
        table.row([format!("{substeps} × {iterations}"), short(way), short(acceleration)]);
    }
    findings.tables.push(table);
    Ok(())
}

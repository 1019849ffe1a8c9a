//! Impacts: momentum and energy of free bodies, and bullets.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{Body, BodyMotion, FrameReport, Settings, Simulation, SimulationBuilder};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::super::super::figure::{Figure, Table};
use super::super::super::number::short;
use super::scenes::{FRAME, THICKNESS, cube, held, level, run, settings, sheet};
use crate::problem::Problem;

/// Substeps of a frame with free bodies.
const SUBSTEPS: u32 = 40;
/// Frames in which the cubes meet and part again.
const FRAMES: u32 = 20;

/// Two soft cubes in empty space that strike each other beside their middles, and a sheet that falls on both.
fn free(friction: f64, with_sheet: bool, substeps: u32) -> Result<SimulationBuilder, Problem> {
    let settings = Settings { gravity: Vector3::zeros(), ..settings(substeps, 1) };
    let mut scene = Simulation::builder()
        .settings(settings)
        .body(cube(3, 0.1, Vector3::zeros(), friction)?.velocity(Vector3::x()))
        .body(cube(3, 0.1, Vector3::new(0.13, 0.03, 0.02), friction)?.velocity(-Vector3::x() * 0.5));
    if with_sheet {
        let mesh = level([8; 2], [0.15; 2], Vector3::new(0.06, 0.2, 0.04))?;
        scene = scene.body(sheet(mesh, friction).velocity(Vector3::new(0.1, -2.0, 0.0)));
    }
    Ok(scene)
}

/// The sizes by which changes of the two cubes' momentum are judged.
struct Sizes {
    /// Σ |p|, kg·m/s.
    linear: f64,
    /// Σ |x × p|, kg·m²/s.
    angular: f64,
}

impl Sizes {
    fn of(report: &FrameReport) -> Self {
        let moment = |body: &BodyMotion| body.centre.cross(&body.linear_momentum).norm();
        Self {
            linear: report.bodies.iter().map(|body| body.linear_momentum.norm()).sum(),
            angular: report.bodies.iter().map(moment).sum(),
        }
    }
}

/// Momentum of two bodies that collide.
pub(super) fn momentum(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    for friction in [0.0, 0.3] {
        let mut sim: Simulation<f64> = free(friction, false, SUBSTEPS)?.build_as()?;
        let before = sim.report();
        let seen = run(&mut sim, FRAMES, |_, _| ())?;
        let after = sim.report();
        let sizes = Sizes::of(&before);
        let linear = (after.linear_momentum - before.linear_momentum).norm() / sizes.linear;
        let angular = (after.angular_momentum - before.angular_momentum).norm() / sizes.angular;
        let of = |what: &str| format!("two free cubes, µ = {friction}, {what}");
        let check = Check::at_most(of("change of the linear momentum, over Σ |p|"), 1e-6, linear);
        findings.check(check.from("impulses of a contact sum to zero"));
        findings.check(Check::reported(of("change of the angular momentum, over Σ |x × p|"), angular));
        let (moment, pressed) = moment_of_contacts(friction)?;
        let name = of("change of the angular momentum by contacts, over Σ |x × p|");
        findings.check(if friction > 0.0 {
            Check::reported(name, moment / sizes.angular)
        } else {
            Check::at_most(name, 1e-5, moment / sizes.angular)
                .from("pressure acts along the line between the closest points")
        });
        if friction > 0.0 {
            let check = Check::at_most(
                of("the same as an arm of the impulses (m)"),
                friction * THICKNESS,
                moment / pressed,
            );
            findings.check(check.from("µ d: friction acts at points that are d apart"));
        }
        findings.check(
            Check::reported(of("momentum taken by the net, over Σ |p|"), seen.momentum / sizes.linear)
                .drifting(1.0),
        );
        findings.check(Check::at_least(
            of("contacts in the substep that had most"),
            1.0,
            seen.contacts as f64,
        ));
    }
    if scope.is_full() {
        findings.tables.push(orders()?);
    }
    Ok(())
}

/// The change of the angular momentum of the two cubes by contacts alone, kg·m²/s, and the sum of their
/// impulses, N·s. Angular momentum after a substep is Σ x × m v = Σ p × m v with the positions p at its
/// start, because v leads from p to x: an impulse counts with these.
fn moment_of_contacts(friction: f64) -> Result<(f64, f64), Problem> {
    let mut sim: Simulation<f64> = free(friction, false, 1)?.build_as()?;
    let (mut moment, mut pressed) = (Vector3::zeros(), 0.0);
    for _ in 0..FRAMES * SUBSTEPS {
        let start = sim.positions();
        sim.advance(FRAME / f64::from(SUBSTEPS))?;
        for contact in sim.contacts() {
            let mut arm = Vector3::zeros();
            for (&v, b) in contact.particles.iter().zip(contact.weights) {
                arm += start[v] * b;
            }
            moment += arm.cross(&contact.impulse);
            pressed += contact.impulse.norm();
        }
    }
    Ok((moment.norm(), pressed))
}

/// How the change of the angular momentum falls with the length of a substep.
fn orders() -> Result<Table, Problem> {
    let title = "Change of the angular momentum of two free cubes, over Σ |x × p|";
    let mut table = Table::new(title, ["substeps", "µ = 0", "µ = 0.3"]);
    for substeps in [20, 40, 80, 160, 320] {
        let mut row = vec![substeps.to_string()];
        for friction in [0.0, 0.3] {
            let mut sim: Simulation<f64> = free(friction, false, substeps)?.build_as()?;
            let before = sim.report();
            run(&mut sim, FRAMES, |_, _| ())?;
            let change = (sim.report().angular_momentum - before.angular_momentum).norm();
            row.push(short(change / Sizes::of(&before).angular));
        }
        table.row(row);
    }
    Ok(table)
}

/// Energy of three bodies that collide, frame by frame.
pub(super) fn energy(findings: &mut Findings) -> Result<(), Problem> {
    let title = "Energy of two cubes and a sheet that collide in empty space";
    let mut figure = Figure::linear("energy", title, "time (s)", "kinetic and elastic energy (J)");
    for friction in [0.0, 0.3] {
        let mut sim: Simulation<f64> = free(friction, true, SUBSTEPS)?.build_as()?;
        let mut curve = vec![(0.0, sim.report().energy.total())];
        let seen = run(&mut sim, 60, |_, report| curve.push((report.time, report.energy.total())))?;
        let largest = curve.iter().map(|(_, energy)| *energy).fold(0.0, f64::max);
        let rise = curve.windows(2).map(|pair| pair[1].1 - pair[0].1).fold(0.0, f64::max);
        let of = |what: &str| format!("three free bodies, µ = {friction}, {what}");
        let check = Check::at_most(
            of("largest rise of the energy in a frame, over its maximum"),
            1e-3,
            rise / largest,
        );
        findings.check(check.from("contact without restitution gives none"));
        findings.check(
            Check::at_most(of("most crossings in a frame"), 0.0, seen.most as f64).from("nothing passes"),
        );
        figure.curve(format!("µ = {friction}"), curve);
    }
    findings.figures.push(figure);
    Ok(())
}

const SPEED: f64 = 50.0;
const SQUARE: f64 = 0.6;

/// Whether a point is under a surface that spans the square, by how often the line down from it meets the surface.
fn is_under(x: &Vector3<f64>, at: &[Vector3<f64>], surface: &TriMesh) -> bool {
    let mut met = false;
    for corners in surface.triangles() {
        let [a, b, c] = corners.map(|v| at[v as usize]);
        let mut within = false;
        for (p, q) in [(a, b), (b, c), (c, a)] {
            if (p.z > x.z) != (q.z > x.z) && x.x < p.x + (q.x - p.x) * (x.z - p.z) / (q.z - p.z) {
                within = !within;
            }
        }
        let normal = (b - a).cross(&(c - a));
        met ^= within && (x - a).dot(&normal) * normal.y > 0.0;
    }
    !met
}

/// Which vertices of the first body, an upright block or a level sheet, lie on its outside.
fn is_outside(sim: &Simulation) -> Vec<bool> {
    let x = sim.positions_of(sim.body_ranges()[0].particles.clone());
    let [low, high] = [Vector3::inf, Vector3::sup].map(|of| x.iter().fold(x[0], |a, b| of(&a, b)));
    x.iter().map(|x| (0..3).any(|k| x[k] <= low[k] || x[k] >= high[k])).collect()
}

/// Bullets of cloth and of soft solid at 50 m/s.
pub(super) fn bullets(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let columns = [
        "bullet and target",
        "substeps",
        "most crossings in a frame",
        "vertices through",
        "largest share cut back, mean of a frame",
    ];
    let mut table = Table::new("Bullets at 50 m/s", columns);
    let at = Vector3::new(0.01, 0.4, 0.02);
    let down = Vector3::new(0.3, -SPEED, 0.2);
    let mesh = level([2; 2], [SQUARE; 2], Vector3::zeros())?;
    let cloth = level([24; 2], [SQUARE; 2], Vector3::zeros())?;
    let rim = |x: &Vector3<f64>| x.x.abs().max(x.z.abs()) > 0.5 * SQUARE - 1e-9;
    let targets: [(&str, &TriMesh, Body); 2] = [
        ("a held mesh one triangle thin", &mesh, held(mesh.clone(), 0.3)),
        ("a sheet held at its rim", &cloth, sheet(cloth.clone(), 0.3).pin(rim)),
    ];
    let bullets = [
        ("sheet", sheet(level([8; 2], [0.1; 2], at)?, 0.3).velocity(down)),
        ("soft cube", cube(3, 0.1, at, 0.3)?.velocity(down)),
    ];
    for (onto, surface, target) in &targets {
        for (what, bullet) in &bullets {
            for &substeps in scope.pick(&[4], &[4, 20]) {
                let scene = Simulation::builder().settings(settings(substeps, 1));
                let mut sim: Simulation = scene.body(bullet.clone()).body(target.clone()).build()?;
                let mut through = 0;
                let outside = is_outside(&sim);
                let seen = run(&mut sim, 12, |sim, _| {
                    let [bullet, target] =
                        [0, 1].map(|n: usize| sim.positions_of(sim.body_ranges()[n].particles.clone()));
                    let is_over = |x: &&Vector3<f64>| x.x.abs().max(x.z.abs()) < 0.5 * SQUARE;
                    let seen = bullet.iter().zip(&outside).filter(|(_, outside)| **outside).map(|(x, _)| x);
                    let under = seen.filter(is_over).filter(|x| is_under(x, &target, surface));

                    through = through.max(under.count());
                })?;
                let of = |say: &str| format!("{what} at 50 m/s on {onto}, {substeps} substeps, {say}");
                let check = Check::at_most(of("most crossings in a frame"), 0.0, seen.most as f64);
                findings.check(check.from("nothing passes"));
                let check = Check::at_most(of("vertices through"), 0.0, through as f64);
                findings.check(check.from("nothing passes"));
                let counts = [substeps as usize, seen.most, through].map(|n| n.to_string());
                let row = [format!("{what} on {onto}")].into_iter().chain(counts);
                table.row(row.chain([short(seen.truncated)]));
            }
        }
    }
    findings.tables.push(table);
    Ok(())
}

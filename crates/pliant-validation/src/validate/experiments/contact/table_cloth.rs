//! A cloth that is pulled from under ten cubes.

use nalgebra::Vector3;
use pliant_solver::{Keyframe, Motion, Pin, Simulation, Stiffness};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::super::super::figure::Table;
use super::super::super::number::short;
use super::scenes::{THICKNESS, cube, held, level, middle, run, settings, sheet};
use crate::problem::Problem;

const FRICTION: f64 = 0.3;
/// Half of the length of the table along the pull, m.
const HALF: f64 = 0.6;
const SIDE: f64 = 0.06;

/// Time in which the pull gets to its speed, s.
const RAMP: f64 = 0.05;
/// Where the hem of the cloth starts, and its length, m.
const HEM: f64 = 0.65;
const CLOTH: f64 = 1.2;
const G: f64 = 9.81;

/// How far the hem has gone after a time, s, and its speed, m/s.
fn way(speed: f64, time: f64) -> (f64, f64) {
    if time < RAMP {
        let now = speed * time / RAMP;
        return (0.5 * now * time, now);
    }
    (speed * (time - 0.5 * RAMP), speed)
}

/// The pull as a motion.
fn pull(speed: f64) -> Motion {
    let times = (0..=10).map(|k| 0.1 * f64::from(k) * RAMP).chain([10.0]);
    let key =
        |time| Keyframe { time, translation: Vector3::x() * way(speed, time).0, rotation: Vector3::zeros() };
    Motion::Keyframes { pivot: Vector3::zeros(), keys: times.map(key).collect() }
}

/// Where a cube that starts at x, m, comes to rest by Coulomb's law along the pull, or beyond the table: it
/// slides on the cloth until the end of that has passed below its middle, and then on the table.
fn coulomb(speed: f64, x: f64) -> f64 {
    let h = 1e-5;
    let (mut x, mut v, mut time) = (x, 0.0_f64, 0.0);
    while x < HALF && time < 9.0 {
        let (gone, below) = way(speed, time);
        let is_on_cloth = HEM - CLOTH + gone < x;
        let below = if is_on_cloth { below } else { 0.0 };
        if !is_on_cloth && v <= 0.0 {
            break;
        }
        v += (below - v).clamp(-FRICTION * G * h, FRICTION * G * h);
        x += v * h;
        time += h;
    }
    x
}

/// Where the middles of the cubes start, m.
fn columns() -> impl Iterator<Item = f64> {
    (0..5).map(|column| -0.45 + 0.17 * f64::from(column))
}

/// The result for the cubes.
struct Pulled {
    /// The final place of each cube that is on the table, m, and the place by Coulomb's law.
    stay: Vec<[f64; 2]>,
    crossings: usize,
}

fn run_at(speed: f64) -> Result<Pulled, Problem> {
    let table = held(level([2, 1], [2.0 * HALF, 0.6], Vector3::zeros())?, FRICTION);
    let hem = Pin::select(|x| x.x > HEM - 1e-9).motion(pull(speed));
    let cloth = level([24, 8], [CLOTH, 0.4], Vector3::new(HEM - 0.5 * CLOTH, THICKNESS, 0.0))?;
    let cloth = sheet(cloth, FRICTION).bend_isometric(Stiffness::new(1e-5)).pin_with(hem);
    let mut scene = Simulation::builder().settings(settings(100, 1)).body(table).body(cloth);
    let starts: Vec<f64> = columns().flat_map(|x| [x, x]).collect();
    for (x, z) in starts.iter().zip([-0.13, 0.07].into_iter().cycle()) {
        let at = Vector3::new(x - 0.5 * SIDE, 2.0 * THICKNESS, z);
        scene = scene.body(cube(2, SIDE, at, FRICTION)?);
    }
    let mut sim: Simulation = scene.build()?;
    let frames = 60.0 * (1.6 / speed + 0.7);
    let seen = run(&mut sim, frames.ceil() as u32, |_, _| ())?;
    let ends = starts.iter().zip(2..).map(|(start, body)| (middle(&sim, body), coulomb(speed, *start)));
    let stay = ends.filter(|(x, _)| x.y > 0.0 && x.x.abs() < HALF).map(|(x, expected)| [x.x, expected]);
    Ok(Pulled { stay: stay.collect(), crossings: seen.most })
}

pub(super) fn measure(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let columns_of_table =
        ["speed, m/s", "cubes that stay", "by Coulomb's law", "farthest from where it has them, m"];
    let mut table = Table::new("Cubes on the table after the cloth was pulled", columns_of_table);
    let mut counts = Vec::new();
    for &speed in scope.pick(&[8.0], &[0.5, 1.0, 2.0, 4.0, 8.0]) {
        let Pulled { stay, crossings } = run_at(speed)?;
        let expected = 2 * columns().filter(|x| coulomb(speed, *x) < HALF).count();
        let of = |what: &str| format!("table cloth at {speed} m/s, {what}");
        let name = of("cubes of ten that stay");
        let count = stay.len() as f64;
        // The same check as for other programs, at both ends.
        let check = match speed {
            0.5 => Check::at_most(name, 2.0, count),
            8.0 => Check::at_least(name, 8.0, count),
            _ => Check::near(name, expected as f64, count, 1.0),
        };
        findings.check(check.from("Coulomb's law along the pull").drifting(0.0));
        let check = Check::at_most(of("most crossings in a frame"), 0.0, crossings as f64);
        findings.check(check.from("nothing passes"));
        let off = stay.iter().map(|[x, expected]| (x - expected).abs()).fold(0.0, f64::max);
        table.row([short(speed), stay.len().to_string(), expected.to_string(), short(off)]);
        counts.push(count);
    }
    if scope.is_full() {
        let falls = counts.windows(2).map(|pair| pair[0] - pair[1]).fold(0.0, f64::max);
        let name = "table cloth, by how many cubes the number that stays falls with the speed";
        findings.check(Check::at_most(name, 0.0, falls).from("less time for friction to act"));
        findings.tables.push(table);
    }
    Ok(())
}

//! A house of cards.

use nalgebra::{Rotation3, Vector3};
use pliant_solver::{Body, Collide, Compliance, ShapeMatch, Simulation, SimulationBuilder};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::scenes::{held, level, run, settings};
use crate::problem::Problem;

/// Length and width of a card, m, and the distance that cards keep.
const LENGTH: f64 = 0.09;
const WIDTH: f64 = 0.06;
const THIN: f64 = 0.001;
/// Length of a square of a card, m.
const CELL: f64 = 0.015;
const FRICTION: f64 = 0.5;
/// Angle of a leaning card to the vertical, rad, and the distance of the ridges of a storey, m.
const LEAN: f64 = 0.35;
const SPACING: f64 = 0.09;

/// A card whose lower or left border starts at a place and runs along a direction in the plane of x and y.
fn card(from: Vector3<f64>, along: Vector3<f64>, length: f64) -> Result<Body, Problem> {
    let cells = (length / CELL).round() as usize;
    let flat = level([cells, 4], [length, WIDTH], Vector3::x() * (0.5 * length))?;
    let angle = along.y.atan2(along.x);
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
    let mesh = flat.with_positions(flat.positions().iter().map(|x| turn * x + from).collect())?;
    Ok(Body::cloth(mesh)
        .area_density(0.3)
        .keep_shape(ShapeMatch::all(Compliance::RIGID))
        .contact_radius(0.5 * THIN)
        .collide(Collide::new().friction(FRICTION).with_itself(false)))
}

/// Three storeys of three, two and one pairs of cards, with a long card on each but the last.
fn house() -> Result<Vec<Body>, Problem> {
    let mut bodies = vec![held(level([2; 2], [0.6; 2], Vector3::zeros())?, FRICTION)];
    bodies[0] = bodies[0].clone().contact_radius(0.5 * THIN);
    let up = Vector3::new(LEAN.sin(), LEAN.cos(), 0.0);
    let mut floor = 0.0;
    for pairs in [3_u32, 2, 1] {
        let foot = floor + THIN;
        let first = -0.5 * SPACING * f64::from(pairs - 1);
        for pair in 0..pairs {
            let ridge = first + SPACING * f64::from(pair);
            let away = LENGTH * LEAN.sin() + 0.5 * THIN;
            bodies.push(card(Vector3::new(ridge - away, foot, 0.0), up, LENGTH)?);
            let down = Vector3::new(-up.x, up.y, 0.0);
            bodies.push(card(Vector3::new(ridge + away, foot, 0.0), down, LENGTH)?);
        }
        floor = foot + LENGTH * LEAN.cos() + THIN;
        if pairs > 1 {
            let length = SPACING * f64::from(pairs);
            bodies.push(card(Vector3::new(-0.5 * length, floor, 0.0), Vector3::x(), length)?);
        }
    }
    Ok(bodies)
}

/// Runs the house, and returns the largest displacement of a corner, in heights of a storey.
fn stand(sim: &mut Simulation<f64>, start: &[Vector3<f64>], frames: u32) -> Result<(f64, usize), Problem> {
    let seen = run(sim, frames, |_, _| ())?;
    let ways = sim.positions().into_iter().zip(start).map(|(x, from)| (x - from).norm());
    Ok((ways.fold(0.0, f64::max) / LENGTH, seen.most))
}

fn build(iterations: u32) -> Result<Simulation<f64>, Problem> {
    let scene = Simulation::builder().settings(settings(40, iterations));
    Ok(house()?.into_iter().fold(scene, SimulationBuilder::body).build_as()?)
}

pub(super) fn measure(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let mut sim = build(10)?;
    let start = sim.positions();
    let rows: &[(&str, u32)] = scope.pick(&[("1 s", 60)], &[("1 s", 60), ("10 s", 540)]);
    let mut crossings = 0;
    for &(after, frames) in rows {
        let (way, most) = stand(&mut sim, &start, frames)?;
        crossings = crossings.max(most);
        let of = |what: &str| format!("card house of three storeys, after {after}, {what}");
        let check = Check::at_most(of("largest way of a corner, in heights of a storey"), 0.02, way);
        findings.check(check.from("it stands").drifting(0.5));
        let check = Check::at_most(of("most crossings in a frame"), 0.0, crossings as f64);
        findings.check(check.from("nothing passes"));
    }
    if scope.is_full() {
        let (way, _) = stand(&mut build(1)?, &start, 600)?;
        let name =
            "card house with one iteration, after 10 s, largest way of a corner, in heights of a storey";
        findings.check(Check::at_most(name, 0.02, way).from("it stands").drifting(1.0));
    }
    Ok(())
}

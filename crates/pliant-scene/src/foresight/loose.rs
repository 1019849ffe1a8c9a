//! Pins, ties, shapes, limits and pressures that have no effect within the run.
//!
//! A mass m on a spring of compliance α swings with the time √(α m). If that is longer than the run even for a single
//! vertex, bodies move as if the spring were not there. A spring that holds a whole body is slower still, so that this
//! criterion finds only numbers that cannot be meant.
//!
//! A limit has no effect if a run that reaches it is not to be trusted anyway, and a pressure none if the
//! whole surface, pushed by it, moves the body by less than a millionth of its size.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::Float;

use super::{Number, Remark, RemarkKind};
use crate::build::Built;
use crate::load::Scene;
use crate::model::{BodyModel, Bounded, PerPair, PressureModel, StitchModel, StitchTo, TethersModel};

/// The least distance at rest of a stitch to edges or triangles, m, unless it says otherwise.
const APART: f64 = 1e-3;
/// Young's modulus of a stitch to edges or triangles, Pa, at least, unless it says otherwise.
const YOUNG: f64 = 1.2e5;

/// The stretch from which a verdict is not to be trusted, and from which a limit holds nothing.
const STRETCHED: f64 = 50.0;
/// The motion that is none, as a fraction of the size of a body.
const STILL: f64 = 1e-6;

/// What the criteria need of a body.
struct Held<'a> {
    name: &'a str,
    /// Mass of the vertices that can move, kg.
    mass: f64,
    /// Mean mass of the vertices that can move, kg; infinite if none can.
    vertex: f64,
    /// Mean length of its edges, m.
    edge: f64,
    /// Sides of the box around it, m.
    sides: Vector3<f64>,
}

pub(super) fn loose<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Remark> {
    let weights = built.simulation.inverse_masses();
    let duration = f64::from(scene.model.frames) * scene.time_step();
    let bodies: BTreeMap<&str, Held<'_>> = built
        .bodies
        .iter()
        .map(|body| {
            let moving = weights[body.particles.clone()].iter().filter(|w| **w > 0.0);
            let (count, mass) = moving.fold((0_usize, 0.0), |(n, m), w| (n + 1, m + 1.0 / w));
            let vertex = if count > 0 { mass / count as f64 } else { f64::INFINITY };
            let edge = body.mean_edge().unwrap_or(0.0);
            let sides = Aabb::of_points(body.mesh.positions()).map_or_else(Vector3::zeros, |b| b.max - b.min);
            (body.name.as_str(), Held { name: &body.name, mass, vertex, edge, sides })
        })
        .collect();
    let mut remarks = Vec::new();
    let mut look = |what: &str, of: &[&Held<'_>], compliance: f64| {
        let mass = of.iter().map(|body| body.vertex).fold(f64::INFINITY, f64::min);
        let time = (compliance * mass).sqrt();
        if mass.is_finite() && time > duration {
            remarks.push(Remark {
                kind: RemarkKind::Loose,
                bodies: of.iter().map(|body| body.name.to_owned()).collect(),
                part: None,
                numbers: vec![
                    Number { name: "compliance", value: compliance, unit: "m/N" },
                    Number { name: "time", value: time, unit: "s" },
                ],
                what: format!(
                    "{what} too soft to hold anything: a vertex would swing in {time:.1e} s, and the run ends after {duration} s"
                ),
                remedy: "Check the unit: compliances are m/N, stiffnesses N/m".to_owned(),
            });
        }
    };
    for (model, body) in scene.model.bodies.iter().zip(&built.bodies) {
        let Some(held) = bodies.get(body.name.as_str()) else { continue };
        for (i, pin) in model.pins.iter().enumerate() {
            let what = format!("the springs of pin {} of {} are", i + 1, held.name);
            look(&what, &[held], pin.compliance.map_or(0.0, Bounded::get));
        }
        for (i, shape) in model.shapes.iter().enumerate() {
            let what = format!("shape {} of {} is", i + 1, held.name);
            look(&what, &[held], shape.compliance.map_or(0.0, Bounded::get));
        }
    }
    let pair = |names: &[String; 2]| Some([bodies.get(names[0].as_str())?, bodies.get(names[1].as_str())?]);
    for (i, stitch) in scene.model.stitches.iter().enumerate() {
        if let Some(of) = pair(&stitch.bodies) {
            look(&format!("stitch {} is", i + 1), &of, 1.0 / stiffness(stitch, of[1].edge));
        }
    }
    for (i, attachment) in scene.model.attachments.iter().enumerate() {
        if let Some(of) = pair(&attachment.bodies) {
            look(&format!("attachment {} is", i + 1), &of, attachment.compliance.map_or(0.0, Bounded::get));
        }
    }
    for (model, body) in scene.model.bodies.iter().zip(&built.bodies) {
        let Some(held) = bodies.get(body.name.as_str()) else { continue };
        remarks.extend(slack(model, held));
        remarks.extend(model.pressure.as_ref().and_then(|pressure| weak(pressure, held, duration)));
    }
    remarks
}

/// The remark on tethers or a limit that a body never reaches.
fn slack(model: &BodyModel, held: &Held<'_>) -> Option<Remark> {
    let tethers = model.tethers.and_then(TethersModel::slack).map(|slack| ("tethers.slack", slack));
    let limit = model.strain_limit.as_ref().and_then(|limit| limit.stretch);
    let limit = limit.map(|stretch| ("strain_limit.stretch", stretch.get()));
    let (key, value) = tethers.into_iter().chain(limit).find(|(_, value)| *value >= STRETCHED)?;
    Some(Remark {
        kind: RemarkKind::Loose,
        bodies: vec![held.name.to_owned()],
        part: None,
        numbers: vec![Number { name: key, value, unit: "1" }],
        what: format!("`{key}` of {} is {value:e}: it holds nothing", held.name),
        remedy: "Give it as a share of the length: 0.05 is a twentieth".to_owned(),
    })
}

/// The remark on a pressure that does not move its body; no box has less surface or volume than what is in it.
fn weak(pressure: &PressureModel, held: &Held<'_>, duration: f64) -> Option<Remark> {
    let [a, b, c] = [held.sides.x, held.sides.y, held.sides.z];
    let of_volume = |share: f64| share * a * b * c / pressure.compliance.map_or(0.0, Bounded::get);
    let pressing = match (pressure.factor, pressure.overpressure, pressure.gas) {
        (Some(factor), ..) => of_volume((factor.get() - 1.0).abs().max(1.0)),
        (_, Some(overpressure), _) => overpressure.get().abs() + of_volume(1.0),
        // A gas resists every change of its volume with the pressure of the atmosphere.
        _ => return None,
    };
    let way = pressing * 2.0 * (a * b + b * c + c * a) / held.mass * duration * duration;
    (way < STILL * held.sides.max()).then(|| Remark {
        kind: RemarkKind::Loose,
        bodies: vec![held.name.to_owned()],
        part: None,
        numbers: vec![Number { name: "pressure", value: pressing, unit: "Pa" }],
        what: format!("the pressure in {} is {pressing:.1e} Pa at most, which moves nothing", held.name),
        remedy: "Check the unit of its compliance, m³/Pa".to_owned(),
    })
}

/// The largest number of pairs.
fn most<Number: Copy + Into<f64>>(given: &PerPair<Number>) -> f64 {
    given.numbers().into_iter().fold(0.0, f64::max)
}

/// The least number of pairs.
fn least<Number: Copy + Into<f64>>(given: &PerPair<Number>) -> f64 {
    given.numbers().into_iter().fold(f64::INFINITY, f64::min)
}

/// A stiffness that no tie of a stitch exceeds by much, N/m: that of the stiffest spring, or of a block over
/// a whole element.
fn stiffness(stitch: &StitchModel, edge: f64) -> f64 {
    match stitch.to {
        StitchTo::Vertices => stitch.stiffness.as_ref().map_or(f64::INFINITY, most),
        StitchTo::Edges | StitchTo::Triangles => {
            let apart = stitch.min_separate_distance.as_ref().map_or(APART, least);
            stitch.young.as_ref().map_or(YOUNG, most) * edge * edge / apart
        }
    }
}

//! Scenes in which nothing happens: all vertices are held, drag or damping stops all motion at once, the run is too
//! short for gravity or a velocity to be seen, or a seam is still open at the end.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::Float;

use super::{Number, Remark, RemarkKind};
use crate::build::Built;
use crate::load::Scene;
use crate::model::{Bounded, Count};

/// The drag or damping, times a substep, from which what starts to move stops in the same substep.
const STOPPED: f64 = 5.0;
/// The fall through drag, as a fraction of the size of the smallest body, that is hardly any.
const CREEPING: f64 = 1e-2;
/// The motion that is none, as a fraction of the size of the smallest body.
const NONE: f64 = 1e-6;

pub(super) fn still<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let remark = |numbers, what: String, remedy: &str| Remark {
        kind: RemarkKind::Still,
        bodies: Vec::new(),
        part: None,
        numbers,
        what,
        remedy: remedy.to_owned(),
    };
    let weights = built.simulation.inverse_masses();
    let released = scene.model.bodies.iter().flat_map(|body| &body.pins).any(|pin| pin.release.is_some());
    if weights.iter().all(|w| *w <= 0.0) && !released {
        let what = "all vertices of all bodies are held: nothing is simulated".to_owned();
        remarks.push(remark(Vec::new(), what, "Pin fewer vertices, or none"));
    }
    let dt = scene.time_step();
    let duration = f64::from(scene.model.frames) * dt;
    let sizes = built.bodies.iter().filter_map(|body| {
        let Aabb { min, max } = Aabb::of_points(body.mesh.positions())?;
        Some((max - min).max())
    });
    let size = sizes.fold(f64::INFINITY, f64::min);
    for Slowed { substeps, gravity, drag, damping } in slowed(scene, built) {
        let h = dt / f64::from(substeps);
        let numbers = |name, value| vec![Number { name, value, unit: "1/s" }];
        let fall = gravity / drag * duration;
        let slow = if drag * h > STOPPED {
            Some(format!("a drag of {drag:e} 1/s stops all motion within a substep of {h:.1e} s"))
        } else if gravity > 0.0 && fall < CREEPING * size && !is_driven(scene) {
            Some(format!("with a drag of {drag:e} 1/s bodies fall by {fall:.1e} m in the whole run"))
        } else {
            None
        };
        if let Some(what) = slow {
            remarks.push(remark(numbers("drag", drag), what, "Check its unit: 1 is strong damping by air"));
        }
        if damping * h > STOPPED {
            let what = format!(
                "a damping of {damping:e} 1/s stops all motion but the rigid one within a substep of {h:.1e} s"
            );
            remarks.push(remark(
                numbers("damping", damping),
                what,
                "Check its unit: 1 calms a body in a second",
            ));
        }
    }
    let weak = |way: f64| way > 0.0 && way < NONE * size;
    let fall = 0.5 * built.simulation.settings().gravity.norm() * duration * duration;
    let speeds = scene.model.bodies.iter().filter_map(|body| body.velocity).map(|v| Vector3::from(v).norm());
    let way = speeds.fold(0.0, f64::max) * duration;
    for (what, way) in [("gravity", fall), ("the velocity at the start", way)] {
        if weak(way) {
            let told =
                format!("{what} moves nothing by more than {way:.1e} m within the run of {duration:e} s");
            let numbers = vec![Number { name: "way", value: way, unit: "m" }];
            remarks.push(remark(numbers, told, "Check its unit and the frame rate, or use more frames"));
        }
    }
    for (i, seam) in scene.model.seams.iter().enumerate() {
        let time = seam.close_time.map_or(0.0, Bounded::get);
        if time > duration {
            let what = format!("seam {} closes in {time:e} s, and the run ends after {duration} s", i + 1);
            let numbers = vec![Number { name: "close_time", value: time, unit: "s" }];
            remarks.push(remark(numbers, what, "Give it a smaller `close_time`, or use more frames"));
        }
    }
    remarks
}

/// What slows motion in a stage of the run.
#[derive(PartialEq)]
struct Slowed {
    substeps: u32,
    /// m/s².
    gravity: f64,
    /// 1/s.
    drag: f64,
    damping: f64,
}

/// The stages, those that are like the one before left out; the settings where there are none.
fn slowed<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Slowed> {
    let settings = built.simulation.settings();
    let usual =
        |substeps: Option<u32>, gravity: Option<f64>, drag: Option<f64>, damping: Option<f64>| Slowed {
            substeps: substeps.unwrap_or(settings.substeps),
            gravity: gravity.unwrap_or(settings.gravity.norm()),
            drag: drag.unwrap_or(settings.drag),
            damping: damping.unwrap_or(settings.damping),
        };
    let stages = scene.model.stages.iter().map(|stage| {
        let gravity = stage.gravity.map(|gravity| Vector3::from(gravity).norm());
        let substeps = stage.substeps.map(Count::get);
        usual(substeps, gravity, stage.drag.map(Bounded::get), stage.damping.map(Bounded::get))
    });
    let mut all: Vec<Slowed> = stages.collect();
    if all.is_empty() {
        all.push(usual(None, None, None, None));
    }
    all.dedup();
    all
}

/// Whether pins or obstacles move.
fn is_driven(scene: &Scene) -> bool {
    let model = &scene.model;
    model.bodies.iter().any(|body| body.motion.is_some() || body.pins.iter().any(|pin| pin.motion.is_some()))
        || model.obstacles.iter().any(|obstacle| obstacle.motion.is_some())
}

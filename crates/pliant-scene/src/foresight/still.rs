//! Scenes in which nothing happens: all vertices are held, drag stops all motion at once, or a seam is still
//! open at the end.

use pliant_solver::Float;

use super::{Number, Remark, RemarkKind};
use crate::build::Built;
use crate::load::Scene;

/// The drag, times a substep, from which a body that starts to move stops in the same substep.
const STOPPED: f64 = 5.0;

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
    let settings = built.simulation.settings();
    let (duration, h) =
        (f64::from(scene.model.frames) * scene.time_step(), scene.time_step() / f64::from(settings.substeps));
    if settings.drag * h > STOPPED {
        let what =
            format!("a drag of {:e} 1/s stops all motion within a substep of {h:.1e} s", settings.drag);
        let numbers = vec![Number { name: "drag", value: settings.drag, unit: "1/s" }];
        remarks.push(remark(numbers, what, "Check its unit: 1 is strong damping by air"));
    }
    for (i, seam) in scene.model.seams.iter().enumerate() {
        let time = seam.close_time.unwrap_or(0.0);
        if time > duration {
            let what = format!("seam {} closes in {time:e} s, and the run ends after {duration} s", i + 1);
            let numbers = vec![Number { name: "close_time", value: time, unit: "s" }];
            remarks.push(remark(numbers, what, "Give it a smaller `close_time`, or use more frames"));
        }
    }
    remarks
}

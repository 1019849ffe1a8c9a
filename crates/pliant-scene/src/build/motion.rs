//! Motions of pins and obstacles.

use std::path::Path;

use nalgebra::Vector3;
use pliant_solver::{Keyframe, Motion, Samples};

use super::character::{self, Animated};
use super::files::Files;
use super::held::Held;
use super::place::{Placement, unit};
use super::recorded::Recorded;
use super::sampled::{Times, sampled};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AxisAngle, BodyModel, Bounded, CacheSpace, MotionModel, SceneModel};
use crate::source::Source;

/// The data of the scene that a motion by samples needs.
pub(super) struct Clock<'a> {
    pub(super) scene: &'a SceneModel,
    pub(super) times: Times,
    /// The placement of the body.
    pub(super) placement: &'a Placement,
    /// The animation that moves the body, if one does.
    pub(super) animated: Option<&'a Animated>,
}

/// The rigid motion of a checked model, by velocities or keyframes, as every obstacle has it. A point cache
/// counts as no motion.
///
/// ```
/// use pliant_scene::{Scene, rigid_motion};
/// use nalgebra::Vector3;
///
/// let text = "[[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n\
///             [[obstacle]]\nsphere = { centre = [0, 0, 0], radius = 0.5 }\nmotion = { velocity = [0, 2, 0] }\n";
/// let scene = Scene::parse(text, ".")?;
/// let motion = rigid_motion(scene.model.obstacles[0].motion.as_ref().expect("it has one"));
/// let there = motion.pose(0.25).apply(&Vector3::x());
/// assert_eq!(there, Vector3::new(1.0, 0.5, 0.0));
/// # Ok::<(), pliant_scene::SceneError>(())
/// ```
#[must_use]
pub fn rigid_motion(model: &MotionModel) -> Motion {
    let pivot = Vector3::from(model.pivot.unwrap_or_default());
    if let Some(keyframes) = &model.keyframes {
        let keys = keyframes
            .iter()
            .map(|key| Keyframe {
                time: key.time.get(),
                translation: Vector3::from(key.translate.unwrap_or_default()),
                rotation: key.rotate.as_ref().map_or_else(Vector3::zeros, rotation_vector),
            })
            .collect();
        return Motion::Keyframes { pivot, keys };
    }
    let angular = model
        .spin
        .as_ref()
        .map_or_else(Vector3::zeros, |spin| unit(spin.axis) * spin.degrees_per_second.get().to_radians());
    Motion::Velocity { linear: Vector3::from(model.velocity.unwrap_or_default()), angular, pivot }
}

fn rotation_vector(turn: &AxisAngle) -> Vector3<f64> {
    unit(turn.axis) * turn.degrees.get().to_radians()
}

/// The cue with which the motion of a pin begins, if it waits for one: the stage of its own motion, or of the
/// body whose joint it follows.
pub(super) fn cue(model: &MotionModel, scene: &SceneModel) -> Option<String> {
    let followed = model.joint.as_ref().and_then(|joint| {
        let is_meant = |body: &&BodyModel| body.name.as_deref() == Some(&joint.body);
        scene.bodies.iter().find(is_meant)?.motion.as_ref()
    });
    followed.unwrap_or(model).stage().map(str::to_owned)
}

/// The motion of a pin that holds some vertices, in ascending order.
pub(super) fn pin_motion(
    at: &FieldPath,
    model: &MotionModel,
    vertices: &[u32],
    held: &Held<'_>,
    clock: &Clock<'_>,
    files: &Files<'_>,
) -> Result<Motion, Fault> {
    if let Some(animated) = clock.animated.filter(|_| model.animation.is_some()) {
        return animated.motion(&at.key("animation"), model, vertices, held, clock.placement, clock.times);
    }
    if let Some(joint) = &model.joint {
        let points: Vec<_> = vertices.iter().map(|&v| held.mesh.positions()[v as usize]).collect();
        return character::follow(&at.key("joint"), joint, &points, clock.times, clock.scene, files);
    }
    match &model.cache {
        Some(path) => cache(&at.key("cache"), path, model, vertices, held, clock, files),
        None => Ok(rigid_motion(model)),
    }
}

/// The motion by a point cache, or by a sequence of meshes.
fn cache(
    at: &FieldPath,
    path: &Path,
    model: &MotionModel,
    vertices: &[u32],
    held: &Held<'_>,
    clock: &Clock<'_>,
    source: &Source,
) -> Result<Motion, Fault> {
    let expected = "a point cache (PC2 or MDD) of the pinned vertices or of all vertices, or meshes whose names have `*` or `#` for their number";
    let path = source.resolve(path);
    let recorded =
        Recorded::read(&path).map_err(|error| Fault::new(at.clone(), error.to_string(), expected))?;
    // The numbers of the pinned vertices among the points of the cache.
    let (points, all) = (recorded.points(), held.file_vertices());
    let points: Vec<usize> = if points == all {
        let numbers = held.file_numbers();
        let in_cache = |&v: &u32| {
            numbers[v as usize].ok_or_else(|| {
                let problem = format!(
                    "the pin holds vertex {v}, which the repair of the mesh made: the cache does not move it"
                );
                Fault::new(at.clone(), problem, "a cache of the pinned vertices, or another pin")
            })
        };
        vertices.iter().map(in_cache).collect::<Result<_, Fault>>()?
    } else if points == vertices.len() {
        (0..points).collect()
    } else {
        let (path, count) = (path.display(), vertices.len());
        let problem = if count == held.mesh.positions().len() {
            format!("{path} has {points} points, but body {:?} has {all} vertices", held.body)
        } else {
            format!("{path} has {points} points, but the pin holds {count} vertices and the mesh has {all}")
        };
        return Err(Fault::new(at.clone(), problem, expected));
    };
    let rate = model.rate.map_or(clock.times.frame_rate / recorded.frames_per_sample(), Bounded::get);
    if !(rate > 0.0 && rate.is_finite()) {
        let frames = recorded.frames_per_sample();
        let problem = format!("{} has {frames} animation frames per sample", path.display());
        return Err(Fault::new(at.clone(), problem, "a positive number, or `rate` to be given"));
    }
    let mut frames = Vec::with_capacity(recorded.samples());
    for k in 0..recorded.samples() {
        let all = recorded.sample(k).map_err(|error| Fault::new(at.clone(), error.to_string(), ""))?;
        let mut frame: Vec<_> = points.iter().map(|&p| all[p]).collect();
        if model.space == Some(CacheSpace::Mesh) {
            frame = clock.placement.points(&frame);
        }
        frames.push(frame);
    }
    let lead = lead_in(model, rate, vertices, held, frames.first());
    let first = lead.len();
    frames.splice(0..0, lead);
    let samples = Samples::new(model.start_time(), rate, frames);
    Ok(Motion::Samples(sampled(model, samples, first)))
}

/// The samples from the places of the vertices in the mesh to the first sample, without it: with a speed of
/// zero at both ends.
fn lead_in(
    model: &MotionModel,
    rate: f64,
    vertices: &[u32],
    held: &Held<'_>,
    first: Option<&Vec<Vector3<f64>>>,
) -> Vec<Vec<Vector3<f64>>> {
    let Some(first) = first else { return Vec::new() };
    // More steps than one in a millisecond are not asked for by anybody who wants a smooth start.
    let steps = (model.lead_in.map_or(0.0, Bounded::get) * rate).ceil().min(1e5) as usize;
    let x = held.start_positions();
    let step = |k: usize| {
        let s = k as f64 / steps as f64;
        let share = s * s * (3.0 - 2.0 * s);
        vertices.iter().zip(first).map(|(&v, to)| x[v as usize].lerp(to, share)).collect()
    };
    (0..steps).map(step).collect()
}

//! Motions of pins and obstacles.

use nalgebra::Vector3;
use pliant_io::PointCache;
use pliant_solver::{Keyframe, Motion, Samples};

use super::held::Held;
use super::place::{Placement, unit};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AxisAngle, CacheSpace, MotionModel};
use crate::source::Source;

/// The data of the scene that a point cache needs.
pub(super) struct Clock<'a> {
    /// Frames per second.
    pub(super) frame_rate: f64,
    /// The placement of the body.
    pub(super) placement: &'a Placement,
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
                time: key.time,
                translation: Vector3::from(key.translate.unwrap_or_default()),
                rotation: key.rotate.as_ref().map_or_else(Vector3::zeros, rotation_vector),
            })
            .collect();
        return Motion::Keyframes { pivot, keys };
    }
    let angular = model
        .spin
        .as_ref()
        .map_or_else(Vector3::zeros, |spin| unit(&spin.axis) * spin.degrees_per_second.to_radians());
    Motion::Velocity { linear: Vector3::from(model.velocity.unwrap_or_default()), angular, pivot }
}

fn rotation_vector(turn: &AxisAngle) -> Vector3<f64> {
    unit(&turn.axis) * turn.degrees.to_radians()
}

/// The motion of a pin that holds some vertices, in ascending order.
pub(super) fn pin_motion(
    at: &FieldPath,
    model: &MotionModel,
    vertices: &[u32],
    held: &Held<'_>,
    clock: &Clock<'_>,
    source: &Source,
) -> Result<Motion, Fault> {
    let Some(path) = &model.cache else { return Ok(rigid_motion(model)) };
    let at = at.key("cache");
    let expected = "a PC2 point cache of the pinned vertices or of all vertices";
    let path = source.resolve(path);
    let cache =
        PointCache::read(&path).map_err(|error| Fault::new(at.clone(), error.to_string(), expected))?;
    // The numbers of the pinned vertices among the points of the cache.
    let (points, all) = (cache.vertex_count(), held.file_vertices());
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
        let problem =
            format!("{path} has {points} points, but the pin holds {count} vertices and the mesh has {all}");
        return Err(Fault::new(at, problem, expected));
    };
    let mut frames: Vec<Vec<Vector3<f64>>> = (0..cache.sample_count())
        .map(|k| points.iter().map(|&p| Vector3::from(cache.sample(k)[p].map(f64::from))).collect())
        .collect();
    if model.space == Some(CacheSpace::Mesh) {
        for frame in &mut frames {
            *frame = clock.placement.points(frame);
        }
    }
    let rate = model.rate.unwrap_or(clock.frame_rate / cache.sample_rate());
    if !(rate > 0.0 && rate.is_finite()) {
        let problem = format!("{} has {} animation frames per sample", path.display(), cache.sample_rate());
        return Err(Fault::new(at, problem, "a positive number, or `rate` to be given"));
    }
    Ok(Motion::Samples(Samples { start: model.start.unwrap_or(0.0), rate, frames }))
}

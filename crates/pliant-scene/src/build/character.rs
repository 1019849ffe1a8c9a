//! [`Animated`]: a body that the animation of a skinned character moves.

use std::rc::Rc;

use nalgebra::{Matrix4, Point3, Vector3};
use pliant_deform::{Blending, skin_positions};
use pliant_io::{Character, Mesh};
use pliant_mesh::Clip;
use pliant_solver::{Motion, Samples};

use super::files::{Files, mesh_file};
use super::held::Held;
use super::place::Placement;
use super::read_mesh::ReadMesh;
use super::sampled::{Times, sampled};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AnimationModel, BodyModel, Bounded, FollowedJoint, MotionModel, SceneModel};
use crate::suggest::one_of;

/// The most positions, of all samples together, that an animation may have: some two gigabytes.
const MOST_POSITIONS: usize = 100_000_000;

/// A body that the animation of a skinned character moves.
pub(super) struct Animated {
    character: Rc<Character>,
    clip: Clip,
    /// Times of the first and the last key, s.
    range: [f64; 2],
}

impl Animated {
    /// That of a body, if its motion is an animation.
    pub(super) fn of(at: &FieldPath, body: &BodyModel, files: &Files<'_>) -> Result<Option<Self>, Fault> {
        let Some(asked) = body.motion.as_ref().and_then(|motion| motion.animation.as_ref()) else {
            return Ok(None);
        };
        let at = at.key("motion").key("animation");
        let expected = "a body whose mesh is a glTF file with a skin and animations";
        let path = mesh_file(body)
            .ok_or_else(|| Fault::new(at.clone(), "the mesh of the body is not from a file", expected))?;
        let character = files.character(path).map_err(|error| Fault::new(at.clone(), error, expected))?;
        let clip = find_clip(&at, asked, &character)?;
        let range = clip.range().unwrap_or_default();
        Ok(Some(Self { character, clip, range }))
    }

    /// Gives a mesh, read from the same file, the first pose.
    pub(super) fn pose(&self, at: &FieldPath, read: ReadMesh) -> Result<ReadMesh, Fault> {
        let numbers = {
            let mesh = &read.mesh;
            let mut held = Held::plain("", mesh);
            held.renumbered = read.renumbered.as_deref();
            held.repaired = read.repaired.as_ref();
            let (found, expected) = (held.file_vertices(), self.character.mesh.positions().len());
            if found != expected {
                let problem = format!(
                    "the mesh has {found} vertices, but its skin moves {expected}: the file has other meshes beside the character"
                );
                return Err(Fault::new(at.clone(), problem, "a file with the character alone"));
            }
            held.file_numbers()
        };
        let posed = self.positions(self.range[0]).map_err(|error| Fault::new(at.clone(), error, ""))?;
        let place = |v: usize| {
            numbers[v].map(|number| posed[number]).ok_or_else(|| {
                let problem =
                    format!("vertex {v} was made by a repair of the mesh: the animation does not move it");
                Fault::new(at.clone(), problem, "`repair` to be left out, or a cache of all vertices")
            })
        };
        let positions = (0..numbers.len()).map(place).collect::<Result<Vec<_>, _>>()?;
        let refuse = |error: pliant_mesh::MeshError| {
            Fault::new(at.clone(), format!("the first pose cannot be used: {error}"), "")
        };
        let mesh = match read.mesh {
            Mesh::Tri(mesh) => Mesh::Tri(mesh.with_positions(positions).map_err(refuse)?),
            Mesh::Tet(mesh) => Mesh::Tet(mesh.with_positions(positions).map_err(refuse)?),
        };
        Ok(ReadMesh { mesh, ..read })
    }

    /// The motion of the vertices of the body.
    pub(super) fn motion(
        &self,
        at: &FieldPath,
        model: &MotionModel,
        vertices: &[u32],
        held: &Held<'_>,
        placement: &Placement,
        times: Times,
    ) -> Result<Motion, Fault> {
        let numbers = held.file_numbers();
        // `pose` has found a number for all of them.
        let numbers: Vec<usize> = vertices.iter().filter_map(|&v| numbers[v as usize]).collect();
        self.samples(at, model, numbers.len(), times, |time| {
            let posed = self.positions(time)?;
            Ok(numbers.iter().map(|&number| placement.point(&posed[number])).collect())
        })
    }

    /// Samples of something that moves with the animation, at so many points.
    fn samples(
        &self,
        at: &FieldPath,
        model: &MotionModel,
        points: usize,
        times: Times,
        place: impl Fn(f64) -> Result<Vec<Vector3<f64>>, String>,
    ) -> Result<Motion, Fault> {
        let [first, last] = self.range;
        let length = last - first;
        let rate = model.rate.map_or(2.0 * times.frame_rate, Bounded::get);
        let steps = (length * rate - 1e-9).ceil().max(0.0);
        let rate = if steps > 0.0 { steps / length } else { rate };
        // Samples after the end of the scene are never reached.
        let reached = ((times.duration - model.start_time()).max(0.0) * rate).ceil() + 2.0;
        let steps = if model.repeat == Some(true) { steps } else { steps.min(reached) };
        if (steps + 1.0) * points as f64 > MOST_POSITIONS as f64 {
            let problem = format!("the animation has {} samples of {points} vertices", steps + 1.0);
            return Err(Fault::new(at.clone(), problem, "a lower `rate`, or a shorter animation"));
        }
        let time = |k: usize| (first + k as f64 / rate).min(last);
        let frames = (0..=steps as usize).map(|k| place(time(k))).collect::<Result<_, _>>();
        let frames = frames.map_err(|error| Fault::new(at.clone(), error, "a skeleton that can be posed"))?;
        let samples = Samples::new(model.start_time(), rate, frames);
        Ok(Motion::Samples(sampled(model, samples, 0)))
    }

    /// Where the vertices of the file are at a time of the animation, s.
    fn positions(&self, time: f64) -> Result<Vec<Vector3<f64>>, String> {
        let Character { mesh, skin, .. } = &*self.character;
        let mut positions = mesh.positions().to_vec();
        skin_positions(skin, &skin.joint_matrices(&self.world(time)), Blending::Linear, &mut positions)
            .map_err(|error| error.to_string())?;
        Ok(positions)
    }

    fn world(&self, time: f64) -> Vec<Matrix4<f64>> {
        let skeleton = &self.character.skeleton;
        skeleton.world(&self.clip.sample(time, skeleton))
    }
}

/// The animation with a name or a number.
pub(crate) fn find_clip(at: &FieldPath, asked: &AnimationModel, found: &Character) -> Result<Clip, Fault> {
    let (clip, what, name) = match asked {
        AnimationModel::Number(number) => (found.clips.get(*number), number.to_string(), ""),
        AnimationModel::Name(name) => (found.clip(name), format!("named {name:?}"), name.as_str()),
    };
    clip.cloned().ok_or_else(|| {
        let names: Vec<&str> = found.clips.iter().map(Clip::name).collect();
        let expected = one_of(name, &names, "none: the file has no animations");
        Fault::new(at.clone(), format!("there is no animation {what}"), expected)
    })
}

/// The motion of points that follow a joint of another body, from where they are at the start.
pub(super) fn follow(
    at: &FieldPath,
    joint: &FollowedJoint,
    points: &[Vector3<f64>],
    times: Times,
    scene: &SceneModel,
    files: &Files<'_>,
) -> Result<Motion, Fault> {
    let named = |body: &BodyModel| body.name.as_deref() == Some(&joint.body);
    let Some(number) = scene.bodies.iter().position(named) else {
        let names: Vec<&str> = scene.bodies.iter().filter_map(|body| body.name.as_deref()).collect();
        let problem = format!("there is no body named {:?}", joint.body);
        return Err(Fault::new(at.key("body"), problem, one_of(&joint.body, &names, "the `name` of a body")));
    };
    let (body, there) = (&scene.bodies[number], FieldPath::root().key("body").index(number));
    let (Some(animated), Some(model)) = (Animated::of(&there, body, files)?, &body.motion) else {
        let problem = format!("no animation moves the body {:?}", joint.body);
        return Err(Fault::new(at.key("body"), problem, "a body with `motion = { animation = … }`"));
    };
    let nodes = animated.character.skeleton.nodes();
    let Some(node) = nodes.iter().position(|node| node.name == joint.name) else {
        let joints = animated.character.skin.joints();
        let names: Vec<&str> = joints.iter().map(|&joint| nodes[joint as usize].name.as_str()).collect();
        let problem = format!("the body {:?} has no joint named {:?}", joint.body, joint.name);
        return Err(Fault::new(at.key("name"), problem, one_of(&joint.name, &names, "the name of a joint")));
    };
    let read = super::mesh::read(&there.key("mesh"), &body.mesh, false, files)?;
    let posed = animated.pose(&there.key("motion").key("animation"), read)?;
    let placement = Placement::new(body, posed.mesh.positions());
    let begin = animated.world(animated.range[0])[node];
    let Some(back) = begin.try_inverse() else {
        let problem = format!("the joint {:?} has no size at the start", joint.name);
        return Err(Fault::new(at.key("name"), problem, "a joint with a scale above 0"));
    };
    // The points as the joint has them, in the space of the file.
    let own: Vec<Point3<f64>> =
        points.iter().map(|x| back.transform_point(&Point3::from(placement.back(x)))).collect();
    animated.samples(at, model, points.len(), times, |time| {
        let world = animated.world(time)[node];
        Ok(own.iter().map(|x| placement.point(&world.transform_point(x).coords)).collect())
    })
}

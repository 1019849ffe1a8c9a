//! A mesh on joints in a row.
//!
//! The plane of a joint stands at right angles to the mean direction of the bones that meet in it. With the
//! signed distance d of a vertex from the plane and the length b of the blend, the share
//!
//! ```text
//! s = smoothstep(d/b + ½)
//! ```
//!
//! of what the joint before it carries goes over to the joint.

use nalgebra::{Matrix4, Quaternion, Vector3};
use pliant_mesh::{
    Channel, Clip, Influence, Interpolation, Local, Node, Skeleton, Skin, Transform, TriMesh, Values,
    WeightSums,
};

use super::rig::Rig;
use super::surface::surface;
use crate::build::place::unit;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AxisAngle, KeyframeModel};
use crate::source::Source;
use crate::stack::model::{ChainModel, Ease};

/// Reads or generates the mesh, and makes skeleton, skin and clip.
pub(super) fn build(at: &FieldPath, chain: &ChainModel, source: &Source) -> Result<(TriMesh, Rig), Fault> {
    let mesh = surface(&at.key("mesh"), &chain.mesh, source)?;
    let fault = |error: String| Fault::new(at.clone(), error, "");
    let places: Vec<Vector3<f64>> = chain.joints.iter().map(|joint| Vector3::from(joint.at)).collect();
    let local = |i: usize| if i == 0 { places[0] } else { places[i] - places[i - 1] };
    let node = |i: usize| Node {
        name: chain.joint_name(i),
        parent: i.checked_sub(1).map(|parent| parent as u32),
        local: Local::Transform(Transform { translation: local(i), ..Transform::default() }),
    };
    let count = places.len();
    let skeleton = Skeleton::new((0..count).map(node).collect()).map_err(|error| fault(error.to_string()))?;

    let bind = places.iter().map(|place| Matrix4::new_translation(&-place)).collect();
    let lists = mesh.positions().iter().map(|x| influences(&places, chain.blend.get(), x));
    let joints = (0..count as u32).collect();
    let (skin, _) = Skin::new(count, joints, bind, lists, WeightSums::Normalise)
        .map_err(|error| fault(error.to_string()))?;

    let mut channels = Vec::new();
    for (i, joint) in chain.joints.iter().enumerate().filter(|(_, joint)| !joint.keys.is_empty()) {
        channels.extend(keys(i as u32, &joint.keys, &local(i), chain.ease));
    }
    let clip = Clip::new("chain", channels, &skeleton).map_err(|error| fault(error.to_string()))?;
    Ok((mesh, Rig { skeleton, skin, clip }))
}

/// The joints that carry a vertex, with their shares.
fn influences(places: &[Vector3<f64>], blend: f64, x: &Vector3<f64>) -> Vec<Influence> {
    let mut list = Vec::with_capacity(2);
    let mut left = 1.0;
    // From the end of the chain to its root: each joint takes its share of what the joints after it have
    // left.
    for joint in (1..places.len()).rev() {
        let before = (places[joint] - places[joint - 1]).normalize();
        let behind = places.get(joint + 1).map_or(before, |next| (next - places[joint]).normalize());
        let normal = before + behind;
        // Bones that fold back on themselves have no mean direction.
        let normal = if normal.norm() > 1e-6 { normal.normalize() } else { before };
        let distance = normal.dot(&(x - places[joint]));
        let t = if blend > 0.0 {
            (distance / blend + 0.5).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(distance >= 0.0))
        };
        let share = t * t * (3.0 - 2.0 * t);
        list.push(Influence { joint: joint as u32, weight: left * share });
        left *= 1.0 - share;
    }
    list.push(Influence { joint: 0, weight: left });
    list
}

/// The channels of a joint at `local` in the coordinates of the joint before it.
fn keys(node: u32, keys: &[KeyframeModel], local: &Vector3<f64>, ease: Ease) -> [Channel; 2] {
    let times: Vec<f64> = keys.iter().map(|key| key.time.get()).collect();
    let interpolation = match ease {
        Ease::Linear => Interpolation::Linear,
        Ease::Smooth => Interpolation::CubicSpline,
        Ease::Step => Interpolation::Step,
    };
    let mut rotations: Vec<Quaternion<f64>> =
        keys.iter().map(|key| key.rotate.as_ref().map_or_else(Quaternion::identity, rotation)).collect();
    // Neighbouring quaternions get the same sign, so that splines take the shorter way too.
    for k in 1..rotations.len() {
        if rotations[k].coords.dot(&rotations[k - 1].coords) < 0.0 {
            rotations[k] = -rotations[k];
        }
    }
    let translations: Vec<Vector3<f64>> =
        keys.iter().map(|key| local + Vector3::from(key.translate.unwrap_or_default())).collect();
    let channel = |values| Channel { node, times: times.clone(), interpolation, values };
    let spline = ease == Ease::Smooth;
    [
        channel(Values::Rotation(with_tangents(rotations, Quaternion::from([0.0; 4]), spline))),
        channel(Values::Translation(with_tangents(translations, Vector3::zeros(), spline))),
    ]
}

/// For a spline, zero tangents on both sides of every value: motion from rest to rest.
fn with_tangents<T: Copy>(values: Vec<T>, nothing: T, spline: bool) -> Vec<T> {
    if spline { values.into_iter().flat_map(|value| [nothing, value, nothing]).collect() } else { values }
}

fn rotation(turn: &AxisAngle) -> Quaternion<f64> {
    let half = 0.5 * turn.degrees.get().to_radians();
    Quaternion::from_parts(libm::cos(half), unit(turn.axis) * libm::sin(half))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::StackFile;

    #[test]
    fn vertices_go_from_joint_to_joint_across_its_plane() {
        let places = [Vector3::zeros(), Vector3::y(), Vector3::y() * 2.0];
        let weights = |y: f64| {
            let mut found = [0.0; 3];
            for influence in influences(&places, 0.5, &Vector3::new(0.3, y, 0.0)) {
                found[influence.joint as usize] += influence.weight;
            }
            found
        };
        assert_eq!(weights(0.5), [1.0, 0.0, 0.0]);
        assert_eq!(weights(1.0), [0.5, 0.5, 0.0]);
        assert_eq!(weights(1.5), [0.0, 1.0, 0.0]);
        assert_eq!(weights(9.0), [0.0, 0.0, 1.0]);
        let between = weights(1.9);
        assert!((between.iter().sum::<f64>() - 1.0).abs() < 1e-15 && between[1] > between[2]);
    }

    #[test]
    fn joints_follow_their_keys() {
        let text = r#"
            frame_rate = 4
            input.chain.mesh = { cylinder = { radius = 0.01, height = 2.0, segments = 4, rings = 2, caps = "open" } }
            input.chain.blend = 0.1
            input.chain.ease = "smooth"
            [[input.chain.joint]]
            at = [0, -1, 0]
            [[input.chain.joint]]
            at = [0, 0, 0]
            key = [{ time = 1 }, { time = 2, rotate = { axis = [0, 0, 3], degrees = 180 }, translate = [0, 0, 5] }]
            [[deformer]]
            skinning = {}
        "#;
        let mut built = StackFile::parse(text, ".").unwrap().build().unwrap();
        assert_eq!((built.frames, built.time(0), built.time(4)), (5, 1.0, 2.0));
        let top = |x: &[Vector3<f64>]| {
            x.iter().zip(0..).fold(
                Vector3::zeros(),
                |best: Vector3<f64>, (x, _)| if x.norm() > best.norm() { *x } else { best },
            )
        };
        let (half, _) = built.frame(2).unwrap();
        // Half-way in time is half-way in angle: the upper end points to −x.
        assert!((half.iter().map(|p| p.x).fold(f64::INFINITY, f64::min) + 1.0).abs() < 0.02);
        let (end, _) = built.frame(4).unwrap();
        assert!((top(&end) - Vector3::new(0.0, -1.0, 5.0)).norm() < 0.02, "{:?}", top(&end));
    }
}

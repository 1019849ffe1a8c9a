//! Skinning: rigid motions, thickness, stretch, bad poses.

use nalgebra::{Matrix4, Quaternion, Vector3};
use pliant_deform::{BindError, Blending, DeformError, Deformer, FrameTime, Skinning, skin_positions};
use pliant_mesh::{
    Caps, Channel, Clip, Influence, Interpolation, Local, Node, Skeleton, Skin, Transform, TriMesh, Values,
    WeightSums,
};
use proptest::prelude::*;

const BOTH: [Blending; 2] = [Blending::Linear, Blending::DualQuaternion];

/// A tube along y on two joints, the second half a metre up; weights change over in the middle.
fn arm() -> (TriMesh, Skeleton, Skin) {
    let tube = TriMesh::cylinder(0.1, 1.0, 16, 20, Caps::Open).unwrap();
    let at = |y: f64| Transform { translation: Vector3::y() * y, ..Transform::default() };
    let node = |parent, y| Node { name: String::new(), parent, local: Local::Transform(at(y)) };
    let skeleton = Skeleton::new(vec![node(None, -0.5), node(Some(0), 0.5)]).unwrap();
    let inverse_bind = skeleton.world(&skeleton.rest()).iter().map(|m| m.try_inverse().unwrap()).collect();
    let influences: Vec<Vec<Influence>> = tube
        .positions()
        .iter()
        .map(|p| {
            let upper = (p.y / 0.4 + 0.5).clamp(0.0, 1.0);
            vec![Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]
        })
        .collect();
    let (skin, _) = Skin::new(2, vec![0, 1], inverse_bind, influences, WeightSums::Normalise).unwrap();
    (tube, skeleton, skin)
}

fn turned(axis: Vector3<f64>, angle: f64) -> Quaternion<f64> {
    Quaternion::from_parts((angle / 2.0).cos(), axis * (angle / 2.0).sin())
}

/// The arm with its upper half turned.
fn pose(skeleton: &Skeleton, rotation: Quaternion<f64>, scale: f64) -> Vec<Local> {
    let mut pose = skeleton.rest();
    if let Local::Transform(transform) = &mut pose[1] {
        transform.rotation = rotation;
        transform.scale = Vector3::repeat(scale);
    }
    pose
}

#[test]
fn the_rest_pose_is_the_rest_mesh() {
    let (tube, skeleton, skin) = arm();
    for blending in BOTH {
        let mut x = tube.positions().to_vec();
        let mut skinning = Skinning::posed(skin.clone(), skeleton.clone(), blending).unwrap();
        skinning.deform(&FrameTime::default(), &mut x).unwrap();
        assert!(x.iter().zip(tube.positions()).all(|(a, b)| (a - b).norm() < 1e-15));
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(32))]
    #[test]
    fn a_rigid_motion_of_all_joints_moves_the_skin(motion in pliant_testkit::rigid_motion(3.0), angle in -2.0..2.0_f64) {
        let (tube, skeleton, skin) = arm();
        let world = skeleton.world(&pose(&skeleton, turned(Vector3::z(), angle), 1.0));
        let matrices = skin.joint_matrices(&world);
        let mut rigid = motion.rotation.to_homogeneous();
        rigid.fixed_view_mut::<3, 1>(0, 3).copy_from(&motion.translation);
        let moved: Vec<_> = matrices.iter().map(|m| rigid * m).collect();
        for blending in BOTH {
            let (mut a, mut b) = (tube.positions().to_vec(), tube.positions().to_vec());
            skin_positions(&skin, &matrices, blending, &mut a).unwrap();
            skin_positions(&skin, &moved, blending, &mut b).unwrap();
            prop_assert!(a.iter().zip(&b).all(|(a, b)| (motion.apply(a) - b).norm() < 1e-12));
        }
    }
}

/// Smallest distance of the tube's skin from its axis.
fn thinnest(x: &[Vector3<f64>]) -> f64 {
    x.iter().map(|p| p.x.hypot(p.z)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_twist_collapses_matrices_and_not_dual_quaternions() {
    let (tube, skeleton, skin) = arm();
    let [linear, dual] = BOTH.map(|blending| {
        let mut skinning = Skinning::posed(skin.clone(), skeleton.clone(), blending).unwrap();
        skinning.set_pose(pose(&skeleton, turned(Vector3::y(), 3.0), 1.0)).unwrap();
        let mut x = tube.positions().to_vec();
        skinning.deform(&FrameTime::default(), &mut x).unwrap();
        x
    });
    assert!(thinnest(&linear) < 0.01, "the candy wrapper: {}", thinnest(&linear));
    assert!((thinnest(&dual) - 0.1).abs() < 1e-12, "{}", thinnest(&dual));
}

#[test]
fn joints_that_grow_make_the_skin_grow() {
    let (tube, skeleton, skin) = arm();
    for blending in BOTH {
        let mut skinning = Skinning::posed(skin.clone(), skeleton.clone(), blending).unwrap();
        skinning.set_pose(pose(&skeleton, Quaternion::identity(), 2.0)).unwrap();
        let mut x = tube.positions().to_vec();
        skinning.deform(&FrameTime::default(), &mut x).unwrap();
        for (x, rest) in x.iter().zip(tube.positions()) {
            if rest.y > 0.2 {
                assert!((x - rest * 2.0).norm() < 1e-12, "{blending:?}");
            } else if rest.y < -0.2 {
                assert!((x - rest).norm() < 1e-12, "{blending:?}");
            }
        }
    }
}

#[test]
fn a_clip_is_followed() {
    let (tube, skeleton, skin) = arm();
    let channel = Channel {
        node: 1,
        times: vec![0.0, 2.0],
        interpolation: Interpolation::Linear,
        values: Values::Rotation(vec![Quaternion::identity(), turned(Vector3::z(), 2.0)]),
    };
    let clip = Clip::new("bend", vec![channel], &skeleton).unwrap();
    let mut moving = Skinning::animated(skin.clone(), skeleton.clone(), clip, Blending::Linear).unwrap();
    let mut posed = Skinning::posed(skin, skeleton.clone(), Blending::Linear).unwrap();
    posed.set_pose(pose(&skeleton, turned(Vector3::z(), 0.5), 1.0)).unwrap();
    let (mut a, mut b) = (tube.positions().to_vec(), tube.positions().to_vec());
    moving.deform(&FrameTime { time: 0.5, dt: 0.0 }, &mut a).unwrap();
    posed.deform(&FrameTime::default(), &mut b).unwrap();
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).norm() < 1e-14));
}

#[test]
fn poses_that_make_no_sense_are_refused() {
    let (tube, skeleton, skin) = arm();
    let mut x = tube.positions().to_vec();
    let mut run = |matrices: &[Matrix4<f64>], blending| skin_positions(&skin, matrices, blending, &mut x);
    let fine = Matrix4::identity();
    assert!(matches!(run(&[fine], Blending::Linear), Err(DeformError::Count { found: 1, expected: 2, .. })));
    let lost = run(&[fine, Matrix4::repeat(f64::NAN)], Blending::Linear);
    assert_eq!(lost, Err(DeformError::JointNotFinite { joint: 1 }));
    let flat = Matrix4::new_scaling(0.0);
    assert_eq!(run(&[flat, fine], Blending::DualQuaternion), Err(DeformError::JointFlat { joint: 0 }));
    assert!(run(&[flat, fine], Blending::Linear).is_ok(), "matrices may squash");

    let mut skinning = Skinning::posed(skin.clone(), skeleton.clone(), Blending::Linear).unwrap();
    let short = skinning.set_pose(vec![]);
    assert_eq!(short, Err(DeformError::Pose { found: 0, expected: 2 }));
    let one = Skeleton::new(skeleton.nodes()[..1].to_vec()).unwrap();
    let other = Skinning::posed(skin, one, Blending::Linear);
    assert!(matches!(other, Err(BindError::NoNode { node: 1, nodes: 1, .. })));
}

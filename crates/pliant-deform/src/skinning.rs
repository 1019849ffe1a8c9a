//! [`Skinning`]: vertices carried by joints.
//!
//! With the joint matrices M_j = P_j B_j of a pose and the weights w_vj of a [`Skin`],
//!
//! ```text
//! linear blend        x′ = Σ_j w_vj M_j x
//! dual quaternions    M_j = T_j R_j S_j,   x′ = (Σ_j w_vj q_j / |Σ_j w_vj q_j|) (Σ_j w_vj S_j x)
//! ```
//!
//! Linear blending averages matrices: a wrist turned by half a turn collapses to a point between (the candy
//! wrapper). Dual quaternions average rigid motions and keep the thickness; the stretches S_j are blended
//! linearly before them (Kavan et al. 2007, section 4.2). Joints that turn far apart bulge instead.

use nalgebra::{Matrix3, Matrix4, Vector3};
use pliant_mesh::{Clip, Local, Skeleton, Skin};
use rayon::prelude::*;

use crate::deformer::{Deformer, FrameTime, GRAIN, check_positions};
use crate::dual_quaternion::{DualQuaternion, polar};
use crate::error::{BindError, DeformError};

/// How the motions of several joints become the one of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blending {
    /// The mean of the matrices.
    #[default]
    Linear,
    /// The mean of the rigid motions, as dual quaternions.
    DualQuaternion,
}

/// Carries positions, m, one per vertex of the skin, by joint matrices, one per joint.
///
/// ```
/// use nalgebra::{Matrix4, Vector3};
/// use pliant_deform::{Blending, skin_positions};
/// use pliant_mesh::{Influence, Skin, WeightSums};
///
/// let half = |joint| Influence { joint, weight: 0.5 };
/// let bind = vec![Matrix4::identity(); 2];
/// let (skin, _) = Skin::new(2, vec![0, 1], bind, [vec![half(0), half(1)]], WeightSums::Normalise)?;
///
/// // One joint stays, the other makes a quarter turn about x.
/// let quarter = Matrix4::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
/// let matrices = [Matrix4::identity(), quarter];
/// let [mut linear, mut dual] = [[Vector3::y()]; 2];
/// skin_positions(&skin, &matrices, Blending::Linear, &mut linear)?;
/// skin_positions(&skin, &matrices, Blending::DualQuaternion, &mut dual)?;
/// assert!((linear[0].norm() - 0.5_f64.sqrt()).abs() < 1e-12);
/// assert!((dual[0].norm() - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If there is not one position per vertex or one matrix per joint, a matrix is not finite, or, for dual
/// quaternions, has no rotation in it.
pub fn skin_positions(
    skin: &Skin,
    matrices: &[Matrix4<f64>],
    blending: Blending,
    positions: &mut [Vector3<f64>],
) -> Result<(), DeformError> {
    check_positions(positions, skin.vertex_count())?;
    if matrices.len() != skin.joints().len() {
        let expected = skin.joints().len();
        return Err(DeformError::Count {
            what: "the list of joint matrices",
            found: matrices.len(),
            expected,
        });
    }
    if let Some(joint) = matrices.iter().position(|m| !m.iter().all(|x| x.is_finite())) {
        return Err(DeformError::JointNotFinite { joint });
    }
    match blending {
        Blending::Linear => linear(skin, matrices, positions),
        Blending::DualQuaternion => dual(skin, matrices, positions)?,
    }
    Ok(())
}

fn linear(skin: &Skin, matrices: &[Matrix4<f64>], positions: &mut [Vector3<f64>]) {
    let parts: Vec<(Matrix3<f64>, Vector3<f64>)> = matrices
        .iter()
        .map(|m| (m.fixed_view::<3, 3>(0, 0).into_owned(), m.fixed_view::<3, 1>(0, 3).into_owned()))
        .collect();
    positions.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(v, x)| {
        let from = *x;
        *x = skin.influences(v).iter().fold(Vector3::zeros(), |sum, i| {
            let (linear, translation) = &parts[i.joint as usize];
            sum + (linear * from + translation) * i.weight
        });
    });
}

fn dual(skin: &Skin, matrices: &[Matrix4<f64>], positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
    let mut motions = Vec::with_capacity(matrices.len());
    let mut stretches = Vec::with_capacity(matrices.len());
    for (joint, matrix) in matrices.iter().enumerate() {
        let (rotation, stretch, translation) = polar(matrix).ok_or(DeformError::JointFlat { joint })?;
        motions.push(DualQuaternion::new(&rotation, &translation));
        stretches.push(stretch);
    }
    // Stretches that are only rounding errors, as most characters have, are left out.
    let stretched = stretches.iter().any(|s| (s - Matrix3::identity()).amax() > 1e-12);
    positions.par_iter_mut().with_min_len(GRAIN).enumerate().for_each(|(v, x)| {
        let influences = skin.influences(v);
        if stretched {
            let from = *x;
            *x = influences
                .iter()
                .fold(Vector3::zeros(), |sum, i| sum + (stretches[i.joint as usize] * from) * i.weight);
        }
        let weights = influences.iter().map(|i| (i.joint as usize, i.weight));
        *x = DualQuaternion::blend(&motions, weights).apply(x);
    });
    Ok(())
}

/// Where the pose comes from.
#[derive(Debug, Clone)]
enum PoseSource {
    Clip(Clip),
    Given(Vec<Local>),
}

/// The skinning deformer: carries its input, usually the rest mesh, by a skeleton.
///
/// ```
/// use nalgebra::{Matrix4, Vector3};
/// use pliant_deform::{Blending, Deformer, FrameTime, Skinning};
/// use pliant_mesh::*;
///
/// let local = Local::Transform(Transform::default());
/// let skeleton = Skeleton::new(vec![Node { name: "root".into(), parent: None, local }])?;
/// let one = vec![Influence { joint: 0, weight: 1.0 }];
/// let (skin, _) = Skin::new(1, vec![0], vec![Matrix4::identity()], [one], WeightSums::Normalise)?;
/// let slide = Channel {
///     node: 0,
///     times: vec![0.0, 1.0],
///     interpolation: Interpolation::Linear,
///     values: Values::Translation(vec![Vector3::zeros(), Vector3::x()]),
/// };
/// let clip = Clip::new("slide", vec![slide], &skeleton)?;
///
/// let mut skinning = Skinning::animated(skin, skeleton, clip, Blending::Linear)?;
/// let mut x = [Vector3::y()];
/// skinning.deform(&FrameTime { time: 0.25, dt: 0.0 }, &mut x)?;
/// assert_eq!(x[0], Vector3::new(0.25, 1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Skinning {
    skin: Skin,
    skeleton: Skeleton,
    pose: PoseSource,
    blending: Blending,
}

impl Skinning {
    /// Follows a clip by the time of the frame.
    ///
    /// # Errors
    ///
    /// If the skin or the clip names a node that the skeleton does not have: they were made for another one.
    pub fn animated(
        skin: Skin,
        skeleton: Skeleton,
        clip: Clip,
        blending: Blending,
    ) -> Result<Self, BindError> {
        check_nodes("the skin", skin.joints().iter().copied(), &skeleton)?;
        check_nodes("the clip", clip.channels().iter().map(|c| c.node), &skeleton)?;
        Ok(Self { skin, skeleton, pose: PoseSource::Clip(clip), blending })
    }

    /// Stands in the skeleton's rest pose until it is posed.
    ///
    /// # Errors
    ///
    /// If the skin names a node that the skeleton does not have.
    pub fn posed(skin: Skin, skeleton: Skeleton, blending: Blending) -> Result<Self, BindError> {
        check_nodes("the skin", skin.joints().iter().copied(), &skeleton)?;
        let pose = PoseSource::Given(skeleton.rest());
        Ok(Self { skin, skeleton, pose, blending })
    }

    /// Sets a pose, in place of the previous one or of a clip.
    ///
    /// # Errors
    ///
    /// If there is not one place per node.
    pub fn set_pose(&mut self, pose: Vec<Local>) -> Result<(), DeformError> {
        let (found, expected) = (pose.len(), self.skeleton.len());
        if found != expected {
            return Err(DeformError::Pose { found, expected });
        }
        self.pose = PoseSource::Given(pose);
        Ok(())
    }

    /// The skin.
    #[must_use]
    pub fn skin(&self) -> &Skin {
        &self.skin
    }

    /// The skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The joint matrices at a time, s.
    #[must_use]
    pub fn joint_matrices(&self, time: f64) -> Vec<Matrix4<f64>> {
        let world = match &self.pose {
            PoseSource::Clip(clip) => self.skeleton.world(&clip.sample(time, &self.skeleton)),
            PoseSource::Given(pose) => self.skeleton.world(pose),
        };
        self.skin.joint_matrices(&world)
    }
}

fn check_nodes(
    what: &'static str,
    mut named: impl Iterator<Item = u32>,
    skeleton: &Skeleton,
) -> Result<(), BindError> {
    let nodes = skeleton.len();
    named.find(|&n| n as usize >= nodes).map_or(Ok(()), |node| Err(BindError::NoNode { what, node, nodes }))
}

impl Deformer for Skinning {
    fn kind(&self) -> &'static str {
        "skinning"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.skin.vertex_count())
    }

    fn deform(&mut self, frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        skin_positions(&self.skin, &self.joint_matrices(frame.time), self.blending, positions)
    }
}

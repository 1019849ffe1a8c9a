//! [`Skin`]: which joints carry which vertices, and by how much.
//!
//! At bind time vertex v and joint j stand in known places; the *inverse bind matrix* B_j takes a vertex from
//! the mesh's space into the joint's. In a pose the joint is at P_j, and the *joint matrix* P_j B_j carries
//! along whatever is bound to it (glTF 2.0, section 3.7.3.3). How the matrices of several joints are blended
//! is up to the deformer; this is the data.

use std::cmp::Ordering;

use nalgebra::Matrix4;
use thiserror::Error;

/// A joint that carries a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// The joint: its place in the skin's list of joints.
    pub joint: u32,
    /// Its share, positive; the shares of a vertex sum to 1.
    pub weight: f64,
}

/// What to do with vertices whose weights do not sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum WeightSums {
    /// Divide by the sum, and report it.
    #[default]
    Normalise,
    /// Refuse the skin where a sum is farther from 1 than this.
    Refuse(
        /// Largest distance from 1.
        f64,
    ),
}

/// The changes that were made to the weights of a skin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SkinReport {
    /// Vertices whose weights did not sum to 1 within 10⁻³.
    pub normalised: usize,
    /// The sum farthest from 1; 1 where there are no vertices.
    pub worst_sum: f64,
    /// The vertex that has it.
    pub worst_vertex: Option<usize>,
    /// Influences of weight zero that were left out.
    pub zero_weights: usize,
    /// Influences that named a joint a second time and were added to the first.
    pub repeated: usize,
}

/// Why a skin is refused. Vertices and joints are counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SkinError {
    /// Not one inverse bind matrix per joint.
    #[error("the skin has {joints} joints but {matrices} inverse bind matrices")]
    MatrixCount {
        /// Number of joints.
        joints: usize,
        /// Number of matrices.
        matrices: usize,
    },
    /// A joint that is not a node of the skeleton.
    #[error("joint {joint} is node {node}, but the skeleton has only {nodes} nodes")]
    NoNode {
        /// The joint.
        joint: usize,
        /// Its node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// An inverse bind matrix that is not finite, not affine, or squashes space flat.
    #[error("the inverse bind matrix of joint {joint} {why}")]
    Matrix {
        /// The joint.
        joint: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An influence of a joint that does not exist.
    #[error("vertex {vertex} is carried by joint {joint}, but the skin has only {joints} joints")]
    NoJoint {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: u32,
        /// Number of joints.
        joints: usize,
    },
    /// A weight that is negative or not finite.
    #[error("vertex {vertex} has the weight {weight} for joint {joint}; weights are finite and not negative")]
    Weight {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: u32,
        /// The weight.
        weight: f64,
    },
    /// A vertex without a positive weight.
    #[error("all weights of vertex {vertex} are zero: nothing carries it")]
    Unweighted {
        /// The vertex.
        vertex: usize,
    },
    /// Weights that do not sum to 1, if that is required.
    #[error("the weights of vertex {vertex} sum to {sum}, not to 1")]
    Sum {
        /// The vertex.
        vertex: usize,
        /// Their sum.
        sum: f64,
    },
}

/// The binding of a mesh's vertices to joints.
///
/// ```
/// use nalgebra::{Matrix4, Vector3};
/// use pliant_mesh::{Influence, Skin, WeightSums};
///
/// // Two joints, one at the origin and one a metre up; the second vertex hangs half on each.
/// let bind = [Matrix4::identity(), Matrix4::new_translation(&(-Vector3::y()))];
/// let influences = [
///     vec![Influence { joint: 0, weight: 1.0 }],
///     vec![Influence { joint: 0, weight: 2.0 }, Influence { joint: 1, weight: 2.0 }],
/// ];
/// let (skin, report) = Skin::new(2, vec![0, 1], bind.to_vec(), &influences, WeightSums::Normalise)?;
/// assert_eq!(report.normalised, 1);
/// assert_eq!(skin.influences(1)[1], Influence { joint: 1, weight: 0.5 });
/// # Ok::<(), pliant_mesh::SkinError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    joints: Vec<u32>,
    inverse_bind: Vec<Matrix4<f64>>,
    /// Vertex `v` has `influences[offsets[v]..offsets[v + 1]]`.
    offsets: Vec<usize>,
    influences: Vec<Influence>,
}

/// Distance of a sum of weights from 1 that is taken for rounding or quantisation to bytes.
const SUM_TOLERANCE: f64 = 1e-3;

/// Determinant, relative to the product of the columns' lengths, below which a matrix squashes space flat.
const FLAT: f64 = 1e-12;

impl Skin {
    /// Builds a skin from its lists.
    ///
    /// `nodes` is the number of nodes of the skeleton, `joints` the node of every joint, `inverse_bind` a
    /// matrix per joint, `influences` a list per vertex, of any length. Zero weights are left out, joints
    /// named twice are added up, and every vertex's weights are divided by their sum; the report says how
    /// much there was to do.
    ///
    /// # Errors
    ///
    /// The first joint without a node or with a useless matrix; the first vertex carried by no joint or by
    /// one that does not exist, or with a weight that is negative or not finite, or, as `sums` says, with
    /// weights that do not sum to 1.
    pub fn new<I>(
        nodes: usize,
        joints: Vec<u32>,
        inverse_bind: Vec<Matrix4<f64>>,
        influences: I,
        sums: WeightSums,
    ) -> Result<(Self, SkinReport), SkinError>
    where
        I: IntoIterator<Item: AsRef<[Influence]>>,
    {
        check_joints(nodes, &joints, &inverse_bind)?;
        let mut skin = Self { joints, inverse_bind, offsets: vec![0], influences: Vec::new() };
        let mut report = SkinReport { worst_sum: 1.0, ..SkinReport::default() };
        for (vertex, list) in influences.into_iter().enumerate() {
            skin.bind(vertex, list.as_ref(), sums, &mut report)?;
        }
        Ok((skin, report))
    }

    fn bind(
        &mut self,
        vertex: usize,
        list: &[Influence],
        sums: WeightSums,
        report: &mut SkinReport,
    ) -> Result<(), SkinError> {
        let start = self.influences.len();
        for &Influence { joint, weight } in list {
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(SkinError::Weight { vertex, joint, weight });
            }
            if weight == 0.0 {
                // Files fill unused places with any joint, even with one that does not exist.
                report.zero_weights += 1;
                continue;
            }
            if joint as usize >= self.joints.len() {
                return Err(SkinError::NoJoint { vertex, joint, joints: self.joints.len() });
            }
            match self.influences[start..].iter_mut().find(|other| other.joint == joint) {
                Some(other) => {
                    other.weight += weight;
                    report.repeated += 1;
                }
                None => self.influences.push(Influence { joint, weight }),
            }
        }
        let sum: f64 = self.influences[start..].iter().map(|i| i.weight).sum();
        if sum == 0.0 {
            return Err(SkinError::Unweighted { vertex });
        }
        let off = (sum - 1.0).abs();
        if let WeightSums::Refuse(tolerance) = sums
            && (off > tolerance || tolerance.is_nan())
        {
            return Err(SkinError::Sum { vertex, sum });
        }
        report.normalised += usize::from(off > SUM_TOLERANCE);
        if off > (report.worst_sum - 1.0).abs() {
            (report.worst_sum, report.worst_vertex) = (sum, Some(vertex));
        }
        for influence in &mut self.influences[start..] {
            influence.weight /= sum;
        }
        self.offsets.push(self.influences.len());
        Ok(())
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The node of every joint.
    #[must_use]
    pub fn joints(&self) -> &[u32] {
        &self.joints
    }

    /// The inverse bind matrix of every joint.
    #[must_use]
    pub fn inverse_bind(&self) -> &[Matrix4<f64>] {
        &self.inverse_bind
    }

    /// The influences on vertex `v`, in the order in which they were given; the weights are positive and sum to 1.
    ///
    /// # Panics
    ///
    /// If there is no vertex `v`.
    #[must_use]
    pub fn influences(&self, v: usize) -> &[Influence] {
        &self.influences[self.offsets[v]..self.offsets[v + 1]]
    }

    /// The joint matrices P_j B_j of a pose, given the places of all nodes in the world.
    ///
    /// # Panics
    ///
    /// If there are fewer places than nodes of the skeleton for which the skin was made.
    #[must_use]
    pub fn joint_matrices(&self, world: &[Matrix4<f64>]) -> Vec<Matrix4<f64>> {
        self.joints.iter().zip(&self.inverse_bind).map(|(&node, bind)| world[node as usize] * bind).collect()
    }

    /// An order of vertices in which those with the same influences are equal: welding must not join others.
    #[must_use]
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let key = |i: &Influence| (i.joint, i.weight.to_bits());
        let (a, b) = (self.influences(a as usize), self.influences(b as usize));
        a.iter().map(key).cmp(b.iter().map(key))
    }
}

fn check_joints(nodes: usize, joints: &[u32], matrices: &[Matrix4<f64>]) -> Result<(), SkinError> {
    if joints.len() != matrices.len() {
        return Err(SkinError::MatrixCount { joints: joints.len(), matrices: matrices.len() });
    }
    for (joint, (&node, matrix)) in joints.iter().zip(matrices).enumerate() {
        if node as usize >= nodes {
            return Err(SkinError::NoNode { joint, node, nodes });
        }
        let refuse = |why| Err(SkinError::Matrix { joint, why });
        if !matrix.iter().all(|x| x.is_finite()) {
            return refuse("is not finite");
        }
        if [matrix[(3, 0)], matrix[(3, 1)], matrix[(3, 2)], matrix[(3, 3)] - 1.0]
            .iter()
            .any(|x| x.abs() > 1e-6)
        {
            return refuse("is not affine: its last row must be 0 0 0 1");
        }
        let linear = matrix.fixed_view::<3, 3>(0, 0);
        let size: f64 = linear.column_iter().map(|c| c.norm()).product();
        if linear.determinant().abs() <= FLAT * size {
            return refuse("cannot be inverted: the joint has no length along some direction");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use proptest::prelude::*;

    fn influence(joint: u32, weight: f64) -> Influence {
        Influence { joint, weight }
    }

    fn skin(lists: &[Vec<Influence>], sums: WeightSums) -> Result<(Skin, SkinReport), SkinError> {
        Skin::new(3, vec![0, 2], vec![Matrix4::identity(); 2], lists, sums)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn weights_are_positive_and_sum_to_one(
            lists in prop::collection::vec(prop::collection::vec((0_u32..2, prop_oneof![Just(0.0), 0.01..9.0_f64]), 1..9), 0..9),
        ) {
            let lists: Vec<Vec<_>> =
                lists.into_iter().map(|l| l.into_iter().map(|(j, w)| influence(j, w)).collect()).collect();
            let dead = lists.iter().position(|l| l.iter().all(|i| i.weight == 0.0));
            match (skin(&lists, WeightSums::Normalise), dead) {
                (Err(error), Some(vertex)) => prop_assert_eq!(error, SkinError::Unweighted { vertex }),
                (Ok((skin, report)), None) => {
                    prop_assert_eq!(skin.vertex_count(), lists.len());
                    for v in 0..lists.len() {
                        let is = skin.influences(v);
                        prop_assert!(is.len() <= 2 && is.iter().all(|i| i.weight > 0.0));
                        prop_assert!((is.iter().map(|i| i.weight).sum::<f64>() - 1.0).abs() < 1e-15);
                    }
                    let zeros = lists.iter().flatten().filter(|i| i.weight == 0.0).count();
                    prop_assert_eq!(report.zero_weights, zeros);
                }
                (result, dead) => prop_assert!(false, "{result:?} {dead:?}"),
            }
        }
    }

    #[test]
    fn the_report_names_the_worst_sum() {
        let lists = [vec![influence(0, 1.0)], vec![influence(0, 0.25), influence(1, 0.25)]];
        let (_, report) = skin(&lists, WeightSums::Normalise).unwrap();
        assert_eq!((report.normalised, report.worst_sum, report.worst_vertex), (1, 0.5, Some(1)));
        let strict = skin(&lists, WeightSums::Refuse(0.01));
        assert_eq!(strict.unwrap_err(), SkinError::Sum { vertex: 1, sum: 0.5 });
        assert!(skin(&lists, WeightSums::Refuse(0.5)).is_ok());
    }

    #[test]
    fn bad_skins_are_refused() {
        let one = |i| skin(&[vec![i]], WeightSums::Normalise).unwrap_err();
        assert_eq!(one(influence(5, 1.0)), SkinError::NoJoint { vertex: 0, joint: 5, joints: 2 });
        assert!(matches!(one(influence(0, -1.0)), SkinError::Weight { .. }));
        assert!(matches!(one(influence(0, f64::NAN)), SkinError::Weight { .. }));
        let none: [Vec<Influence>; 0] = [];
        let joints = |joints: &[u32], matrices: &[Matrix4<f64>]| {
            Skin::new(3, joints.to_vec(), matrices.to_vec(), &none, WeightSums::Normalise).unwrap_err()
        };
        assert!(matches!(joints(&[0], &[]), SkinError::MatrixCount { joints: 1, matrices: 0 }));
        assert_eq!(joints(&[3], &[Matrix4::identity()]), SkinError::NoNode { joint: 0, node: 3, nodes: 3 });
        let flat = Matrix4::new_nonuniform_scaling(&Vector3::new(1.0, 0.0, 1.0));
        for matrix in [flat, Matrix4::repeat(f64::NAN), Matrix4::zeros()] {
            assert!(matches!(joints(&[0], &[matrix]), SkinError::Matrix { joint: 0, .. }));
        }
        // A very small joint is a joint.
        assert!(
            Skin::new(1, vec![0], vec![Matrix4::new_scaling(1e-6)], &none, WeightSums::Normalise).is_ok()
        );
    }
}

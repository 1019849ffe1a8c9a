//! [`Skeleton`]: nodes in a tree, each placed relative to its parent.
//!
//! A node's place in the world is the product of the local matrices from its root down to it (glTF 2.0,
//! section 3.5.2). A local place is a [`Transform`], which can be animated, or a plain matrix, which cannot.

use nalgebra::{Matrix3, Matrix4, Quaternion, Vector3};
use thiserror::Error;

/// A scale, then a rotation, then a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Translation, m.
    pub translation: Vector3<f64>,
    /// Rotation, a unit quaternion.
    pub rotation: Quaternion<f64>,
    /// Scale along the three axes.
    pub scale: Vector3<f64>,
}

impl Default for Transform {
    /// The identity.
    fn default() -> Self {
        Self { translation: Vector3::zeros(), rotation: Quaternion::identity(), scale: Vector3::repeat(1.0) }
    }
}

impl Transform {
    /// The matrix T R S.
    #[must_use]
    pub fn matrix(&self) -> Matrix4<f64> {
        let mut matrix = Matrix4::identity();
        let linear = rotation_matrix(&self.rotation) * Matrix3::from_diagonal(&self.scale);
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.translation);
        matrix
    }
}

/// The rotation matrix of a unit quaternion.
///
/// ```
/// use nalgebra::{Quaternion, Vector3};
///
/// // A quarter turn about z.
/// let half = 0.5_f64.sqrt();
/// let turned = pliant_mesh::rotation_matrix(&Quaternion::new(half, 0.0, 0.0, half)) * Vector3::x();
/// assert!((turned - Vector3::y()).norm() < 1e-15);
/// ```
#[must_use]
pub fn rotation_matrix(q: &Quaternion<f64>) -> Matrix3<f64> {
    let (w, x, y, z) = (q.w, q.i, q.j, q.k);
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

/// The place of a node relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Local {
    /// By translation, rotation and scale, which a clip can animate.
    Transform(Transform),
    /// By an affine matrix.
    Matrix(Matrix4<f64>),
}

impl Local {
    /// The matrix.
    #[must_use]
    pub fn matrix(&self) -> Matrix4<f64> {
        match self {
            Self::Transform(transform) => transform.matrix(),
            Self::Matrix(matrix) => *matrix,
        }
    }
}

/// A node of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// A name for messages; may be empty.
    pub name: String,
    /// The node that carries this one, none for a root.
    pub parent: Option<u32>,
    /// Its place at rest.
    pub local: Local,
}

/// Why nodes do not make a skeleton. Nodes are counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SkeletonError {
    /// A parent that does not exist.
    #[error("node {node} has node {parent} for its parent, but there are only {nodes} nodes")]
    NoParent {
        /// The node.
        node: usize,
        /// Its parent.
        parent: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// A node that is its own ancestor.
    #[error("node {node} is its own ancestor: cut the cycle of parents")]
    Cycle {
        /// The node.
        node: usize,
    },
    /// A number that is NaN or infinite.
    #[error("the place of node {node} is not finite")]
    NonFinite {
        /// The node.
        node: usize,
    },
    /// A rotation without a direction.
    #[error(
        "the rotation of node {node} is the quaternion (0, 0, 0, 0), which is not a rotation; give a quaternion of unit length"
    )]
    NoRotation {
        /// The node.
        node: usize,
    },
}

/// Nodes in a tree, or several trees.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{Local, Node, Skeleton, Transform};
///
/// let bone = |parent, y| Node {
///     name: String::new(),
///     parent,
///     local: Local::Transform(Transform { translation: Vector3::y() * y, ..Transform::default() }),
/// };
/// let arm = Skeleton::new(vec![bone(None, 1.0), bone(Some(0), 0.5)])?;
/// let world = arm.world(&arm.rest());
/// assert_eq!(world[1][(1, 3)], 1.5);
/// # Ok::<(), pliant_mesh::SkeletonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    nodes: Vec<Node>,
    /// Every node after its parent.
    order: Vec<u32>,
}

impl Skeleton {
    /// Builds a skeleton; rotations are brought to unit length.
    ///
    /// # Errors
    ///
    /// The first node whose parent is missing or whose place is not finite, or a node that is its own ancestor.
    pub fn new(mut nodes: Vec<Node>) -> Result<Self, SkeletonError> {
        let count = nodes.len();
        for (node, n) in nodes.iter_mut().enumerate() {
            if let Some(parent) = n.parent
                && parent as usize >= count
            {
                return Err(SkeletonError::NoParent { node, parent, nodes: count });
            }
            if let Local::Transform(transform) = &mut n.local {
                transform.rotation = unit(&transform.rotation).ok_or(SkeletonError::NoRotation { node })?;
            }
            if !n.local.matrix().iter().all(|x| x.is_finite()) {
                return Err(SkeletonError::NonFinite { node });
            }
        }
        let order = parents_first(&nodes)?;
        Ok(Self { nodes, order })
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The place of every node at rest, seen from its parent.
    #[must_use]
    pub fn rest(&self) -> Vec<Local> {
        self.nodes.iter().map(|node| node.local).collect()
    }

    /// The place of every node in the world, for a pose: one local place per node.
    ///
    /// # Panics
    ///
    /// If the pose has not as many places as there are nodes.
    #[must_use]
    pub fn world(&self, pose: &[Local]) -> Vec<Matrix4<f64>> {
        assert_eq!(pose.len(), self.nodes.len(), "a pose has one place per node");
        let mut world = vec![Matrix4::identity(); pose.len()];
        for &node in &self.order {
            let node = node as usize;
            let local = pose[node].matrix();
            world[node] = match self.nodes[node].parent {
                Some(parent) => world[parent as usize] * local,
                None => local,
            };
        }
        world
    }
}

/// The quaternion at unit length; none where it has no finite direction.
pub(crate) fn unit(q: &Quaternion<f64>) -> Option<Quaternion<f64>> {
    // The largest entry first, so that squares neither overflow nor vanish.
    let largest = q.coords.amax();
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = q.coords / largest;
    Some(Quaternion::from(scaled / scaled.norm_squared().sqrt()))
}

fn parents_first(nodes: &[Node]) -> Result<Vec<u32>, SkeletonError> {
    let mut placed = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut chain = Vec::new();
    for start in 0..nodes.len() {
        let mut node = start;
        // Up to the first ancestor that has its place, then down again.
        loop {
            if placed[node] {
                break;
            }
            // A chain longer than the number of nodes runs in a circle.
            if chain.len() == nodes.len() {
                return Err(SkeletonError::Cycle { node });
            }
            chain.push(node as u32);
            match nodes[node].parent {
                Some(parent) => node = parent as usize,
                None => break,
            }
        }
        while let Some(node) = chain.pop() {
            placed[node as usize] = true;
            order.push(node);
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<u32>, x: f64) -> Node {
        let transform = Transform { translation: Vector3::x() * x, ..Transform::default() };
        Node { name: String::new(), parent, local: Local::Transform(transform) }
    }

    #[test]
    fn parents_may_follow_their_children() {
        let skeleton = Skeleton::new(vec![node(Some(2), 1.0), node(Some(0), 1.0), node(None, 5.0)]).unwrap();
        let world = skeleton.world(&skeleton.rest());
        assert_eq!([world[0], world[1], world[2]].map(|m| m[(0, 3)]), [6.0, 7.0, 5.0]);
    }

    #[test]
    fn bad_trees_are_refused() {
        let new = |nodes: &[Node]| Skeleton::new(nodes.to_vec()).unwrap_err();
        assert_eq!(new(&[node(Some(3), 0.0)]), SkeletonError::NoParent { node: 0, parent: 3, nodes: 1 });
        assert!(matches!(
            new(&[node(None, 0.0), node(Some(2), 0.0), node(Some(1), 0.0)]),
            SkeletonError::Cycle { .. }
        ));
        assert_eq!(new(&[node(Some(0), 0.0)]), SkeletonError::Cycle { node: 0 });
        assert_eq!(new(&[node(None, f64::NAN)]), SkeletonError::NonFinite { node: 0 });
        let mut flat = node(None, 0.0);
        flat.local =
            Local::Transform(Transform { rotation: Quaternion::from([0.0; 4]), ..Transform::default() });
        assert_eq!(new(&[flat]), SkeletonError::NoRotation { node: 0 });
    }

    #[test]
    fn rotations_are_brought_to_unit_length() {
        let mut far = node(None, 0.0);
        far.local = Local::Transform(Transform {
            rotation: Quaternion::new(0.0, 0.0, 0.0, 1e200),
            ..Transform::default()
        });
        let skeleton = Skeleton::new(vec![far]).unwrap();
        let turned = skeleton.world(&skeleton.rest())[0].transform_vector(&Vector3::x());
        assert_eq!(turned, -Vector3::x());
    }
}

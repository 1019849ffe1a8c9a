//! [`Character`]: a skinned mesh with its skeleton and its animations.

use std::collections::BTreeMap;

use nalgebra::{Matrix4, Vector3};
use pliant_mesh::{Clip, Local, Node, Skeleton, Skin, SkinReport, Transform, TriMesh, WeightSums};

use crate::report::ImportReport;

/// A mesh bound to a skeleton, as glTF files have it.
///
/// All meshes of the file's scene that have a skin become one mesh, all nodes of the file the skeleton,
/// numbered as there. The mesh stands where the joints have it before anything is posed: in the scene, in the
/// scene's scale. (Positions in the file are in a space of their own; the inverse bind matrices here take
/// that into account.)
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Character {
    /// The mesh before it is posed.
    pub mesh: TriMesh,
    /// The nodes of the file.
    pub skeleton: Skeleton,
    /// The influences on the vertices of the mesh.
    pub skin: Skin,
    /// The changes that were made to its weights.
    pub skin_report: SkinReport,
    /// The animations, in the order of the file.
    pub clips: Vec<Clip>,
    /// Custom numbers at the vertices, by name (`_NAME`); 0 for vertices of meshes without them.
    pub attributes: BTreeMap<String, Vec<f64>>,
    /// The report on the file.
    pub report: ImportReport,
}
impl Character {
    /// The animation with a name.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name() == name)
    }

    /// The character in another unit, such as by 0.01 from centimetres to metres.
    ///
    /// # Panics
    ///
    /// If the factor is not positive and finite, or takes the mesh beyond the range of numbers.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        assert!(factor > 0.0 && factor.is_finite(), "a scale is positive and finite, not {factor}");
        let positions = self.mesh.positions().iter().map(|p| p * factor).collect();
        self.mesh =
            self.mesh.with_positions(positions).expect("a scaled mesh stays within the range of numbers");
        let back = Matrix4::new_scaling(1.0 / factor);
        let bind = self.skin.inverse_bind().iter().map(|bind| bind * back).collect();
        let lists = (0..self.skin.vertex_count()).map(|v| self.skin.influences(v));
        let nodes = self.skeleton.len();
        // A new root above all roots scales them; all other nodes keep their numbers.
        let mut tree = self.skeleton.nodes().to_vec();
        tree.iter_mut()
            .filter(|node| node.parent.is_none())
            .for_each(|node| node.parent = Some(nodes as u32));
        let local = Transform { scale: Vector3::repeat(factor), ..Transform::default() };
        tree.push(Node { name: String::new(), parent: None, local: Local::Transform(local) });
        let joints = self.skin.joints().to_vec();
        let (skin, _) = Skin::new(nodes + 1, joints, bind, lists, WeightSums::Normalise)
            .expect("a good skin stays one when its matrices are scaled");
        self.skin = skin;
        self.skeleton = Skeleton::new(tree).expect("a tree stays one with a root above it");
        self
    }
}

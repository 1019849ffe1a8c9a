//! [`Named`]: the groups and attributes of a body's mesh file.

use pliant_io::Attributes;

use super::read_mesh::ReadMesh;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, MeshModel, RegionModel, SceneModel};

/// The groups and attributes of the simulated mesh.
#[derive(Debug)]
pub(crate) enum Named {
    /// The file, and its attributes, carried over to the vertices and elements that are simulated.
    File(String, Box<Attributes>),
    /// There are none, for this reason.
    Nothing(&'static str),
}

impl Named {
    /// For meshes that are not read from a file with attributes.
    pub(crate) const NOTHING: Self = Self::Nothing("its mesh is not read from a file");

    /// The attributes of a mesh that was read, taken out of it and carried over to the vertices and elements
    /// that remain.
    pub(super) fn of(model: &MeshModel, read: &mut ReadMesh) -> Self {
        let path = match model {
            MeshModel::Path(path) => path,
            MeshModel::Table(table) => match (&table.file, &table.surface) {
                (Some(path), _) => path,
                (None, Some(_)) => {
                    return Self::Nothing("its surface was filled with tetrahedra, which are in no file");
                }
                (None, None) => return Self::Nothing("its mesh is generated and not read from a file"),
            },
        };
        let attributes = std::mem::take(&mut read.attributes);
        let attributes = match (&read.repaired, &read.renumbered) {
            (Some(report), _) => attributes.carried(&report.became, &report.vertex_of, &report.element_of),
            (None, Some(renumbered)) => {
                let kept: Vec<Option<u32>> =
                    (0..).zip(renumbered).filter_map(|(old, new)| new.map(|_| Some(old))).collect();
                let elements: Vec<Option<u32>> = (0..read.mesh.element_count() as u32).map(Some).collect();
                attributes.carried(renumbered, &kept, &elements)
            }
            (None, None) => attributes,
        };
        Self::File(path.display().to_string(), Box::new(attributes))
    }

    /// The attributes, or a fault at the field `at` if body `body` has none.
    pub(super) fn attributes(&self, at: &FieldPath, body: &str) -> Result<(&str, &Attributes), Fault> {
        match self {
            Self::File(file, attributes) => Ok((file, attributes)),
            Self::Nothing(why) => {
                let problem = format!("body {body:?} has no groups or attributes: {why}");
                Err(Fault::new(
                    at.clone(),
                    problem,
                    "a mesh file with groups that is not filled, or another way to select",
                ))
            }
        }
    }
}

/// Whether the scene names a group or an attribute of a body. Stitches and attachments may refer to any body.
pub(super) fn are_asked_for(scene: &SceneModel, body: &BodyModel) -> bool {
    let named = |region: Option<&RegionModel>| region.is_some_and(|region| region.group.is_some());
    body.rests_in_texture()
        || body.pins.iter().any(|pin| pin.group.is_some())
        || body.shapes.iter().any(|shape| named(shape.region.as_ref()))
        || body.vary.iter().any(|vary| {
            named(vary.region.as_ref())
                || vary.values.as_ref().is_some_and(|values| values.attribute.is_some())
        })
        || scene.stitches.iter().any(|stitch| named(stitch.region.as_ref()))
        || scene.attachments.iter().any(|attachment| named(Some(&attachment.region)))
}

//! Skins: the influences on the vertices of a mesh, from `JOINTS_n`, `WEIGHTS_n` and inverse bind matrices.

use nalgebra::Matrix4;
use pliant_mesh::Influence;
use serde_json::Value;

use super::json::{index, list};
use super::reading::{Placed, Reading};
use crate::error::ImportError;

/// The joints of all skins that meshes use, and the influences of all vertices read so far.
#[derive(Default)]
pub(super) struct Bindings {
    /// Node by joint.
    pub(super) joints: Vec<u32>,
    pub(super) inverse_bind: Vec<Matrix4<f64>>,
    pub(super) influences: Vec<Influence>,
    /// Where the influences of each vertex end.
    pub(super) ends: Vec<usize>,
    /// The first joint here of the skins met.
    known: Vec<(usize, u32, usize)>,
}

impl Bindings {
    /// The influences of each vertex.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[Influence]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.influences[start..end])
    }

    /// Reads a skin, once: its first joint here, and how many it has.
    pub(super) fn skin(
        &mut self,
        reading: &mut Reading<'_>,
        at: &str,
        value: &Value,
    ) -> Result<(u32, usize), ImportError> {
        let root = reading.root;
        let skins = list(root, "skins");
        let number = index(value).filter(|&skin| skin < skins.len()).ok_or_else(|| {
            reading.wrong(at, value, &format!("the number of one of {} skins", skins.len()))
        })?;
        if let Some(&(_, first, count)) = self.known.iter().find(|(known, ..)| *known == number) {
            return Ok((first, count));
        }
        let (skin, nodes) = (&skins[number], list(root, "nodes").len());
        let joints = list(skin, "joints");
        if joints.is_empty() {
            return Err(reading.wrong(
                &format!("skins[{number}].joints"),
                &skin["joints"],
                "a list of nodes",
            ));
        }
        let first = self.joints.len() as u32;
        for (i, joint) in joints.iter().enumerate() {
            let node = index(joint).filter(|&node| node < nodes).ok_or_else(|| {
                let at = format!("skins[{number}].joints[{i}]");
                reading.wrong(&at, joint, &format!("the number of one of {nodes} nodes"))
            })?;
            self.joints.push(node as u32);
        }
        let matrices = &skin["inverseBindMatrices"];
        if matrices.is_null() {
            // The specification's default: the joints are already in the space of the mesh.
            self.inverse_bind.resize(self.joints.len(), Matrix4::identity());
        } else {
            let at = format!("skins[{number}].inverseBindMatrices");
            let accessor =
                index(matrices).ok_or_else(|| reading.wrong(&at, matrices, "the number of an accessor"))?;
            let found = reading.accessors.numbers::<16>(accessor, "MAT4", false)?;
            if found.len() < joints.len() {
                let expected = format!("a matrix for each of {} joints", joints.len());
                return Err(reading.wrong(&at, &Value::from(found.len()), &expected));
            }
            let matrix = |values: &[f64; 16]| Matrix4::from_column_slice(values);
            self.inverse_bind.extend(found[..joints.len()].iter().map(matrix));
        }
        self.known.push((number, first, joints.len()));
        Ok((first, joints.len()))
    }

    /// Reads the influences on vertices just placed, by `count` joints from `first` on.
    pub(super) fn vertices(
        &mut self,
        reading: &mut Reading<'_>,
        mesh: usize,
        placed: &Placed,
        (first, count): (u32, usize),
    ) -> Result<(), ImportError> {
        let (root, primitive) = (reading.root, placed.primitive);
        let attributes = &list(&list(root, "meshes")[mesh], "primitives")[primitive]["attributes"];
        let mut sets = Vec::new();
        for set in 0.. {
            let names = [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")];
            let [joints, weights] = names.each_ref().map(|name| &attributes[name.as_str()]);
            if joints.is_null() && weights.is_null() && set > 0 {
                break;
            }
            let accessor = |name: &str, value: &Value| {
                let at = format!("meshes[{mesh}].primitives[{primitive}].attributes.{name}");
                index(value).ok_or_else(|| {
                    reading.wrong(&at, value, "the number of an accessor, as the mesh has a skin")
                })
            };
            let numbers = [accessor(&names[0], joints)?, accessor(&names[1], weights)?];
            let joints = reading.accessors.unsigned::<4>(numbers[0], "VEC4")?;
            let weights = reading.accessors.numbers::<4>(numbers[1], "VEC4", true)?;
            for (number, found) in [(numbers[0], joints.len()), (numbers[1], weights.len())] {
                if found != placed.count {
                    let expected = format!("as many elements as there are positions, {}", placed.count);
                    let at = format!("accessors[{number}].count");
                    return Err(reading.wrong(&at, &Value::from(found), &expected));
                }
            }
            sets.push((joints, weights));
        }
        for vertex in 0..placed.count {
            for (joints, weights) in &sets {
                for (&joint, &weight) in joints[vertex].iter().zip(&weights[vertex]) {
                    // Unused places may name any joint, even one that does not exist.
                    if weight != 0.0 {
                        if joint as usize >= count {
                            let at = format!(
                                "the joint of vertex {vertex} of meshes[{mesh}].primitives[{primitive}]"
                            );
                            let expected = format!("one of the {count} joints of its skin");
                            return Err(reading.wrong(&at, &Value::from(joint), &expected));
                        }
                        self.influences.push(Influence { joint: first + joint, weight });
                    }
                }
            }
            self.ends.push(self.influences.len());
        }
        Ok(())
    }
}

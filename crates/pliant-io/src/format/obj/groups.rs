//! [`Groups`]: which groups, object and material the faces of an OBJ file belong to.

use std::collections::{BTreeMap, BTreeSet};

use crate::raw::RawMesh;
use crate::raw_attributes::RawAttributes;

/// The state of the statements `g`, `o` and `usemtl`.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<usize>,
    object: Option<usize>,
    material: Option<usize>,
    /// The label of every combination so far.
    labels: BTreeMap<Vec<usize>, u32>,
    /// The names of materials, which are groups called `usemtl NAME` until it is known whether their names are free.
    materials: BTreeSet<String>,
}

impl Groups {
    /// Takes a statement; faces from here on belong to the group that it names.
    pub(super) fn statement<'a>(
        &mut self,
        raw: &mut RawMesh,
        keyword: &[u8],
        names: impl Iterator<Item = &'a [u8]>,
    ) {
        let Some(attributes) = &mut raw.attributes else { return };
        let names: Vec<String> = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        match keyword {
            b"g" => {
                // Without a name it is the group `default`, which is not kept.
                self.groups = names
                    .iter()
                    .filter(|name| *name != "default")
                    .map(|name| attributes.group(name))
                    .collect();
            }
            b"o" => self.object = (!names.is_empty()).then(|| attributes.group(&names.join(" "))),
            _ => {
                let name = names.join(" ");
                self.material = (!name.is_empty()).then(|| attributes.group(&called(&name)));
                if self.material.is_some() {
                    self.materials.insert(name);
                }
            }
        }
        let mut all: Vec<usize> =
            self.groups.iter().copied().chain(self.object).chain(self.material).collect();
        all.sort_unstable();
        all.dedup();
        attributes.label = match self.labels.get(&all) {
            Some(&label) => label,
            None if all.is_empty() => 0,
            None => {
                let label = attributes.new_label(all.clone());
                self.labels.insert(all, label);
                label
            }
        };
    }

    /// Gives materials their own names, where no group has them.
    pub(super) fn finish(self, attributes: &mut RawAttributes) {
        for name in self.materials {
            attributes.rename_group(&called(&name), &name);
        }
    }
}

/// The initial name of the group of a material.
fn called(material: &str) -> String {
    format!("usemtl {material}")
}

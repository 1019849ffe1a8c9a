//! [`Reading`]: the meshes of a glTF file, node by node.

use std::collections::BTreeSet;

use serde_json::Value;

use super::accessor::Accessors;
use super::json::{index, list, wrong};
use super::transform::Transform;
use crate::error::{ImportError, Place};
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;

/// How many times larger than the file with its buffers the meshes may become by repetition.
const MOST_EXPANSION: usize = 1000;
/// How deep nodes may be nested.
const DEEPEST: usize = 10_000;

pub(super) struct Reading<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) root: &'a Value,
    pub(super) accessors: Accessors<'a>,
    pub(super) raw: RawMesh,
    /// Nodes that have been visited: the specification demands trees.
    pub(super) seen: Vec<bool>,
    pub(super) joins: usize,
    pub(super) strips: usize,
    pub(super) skins: usize,
    /// Bytes of the vertices and triangles placed so far.
    pub(super) spent: usize,
    /// The group of the node whose mesh is read.
    pub(super) node: Option<usize>,
    /// Materials, whose groups are called `material NAME` until it is known whether their names are free.
    pub(super) materials: BTreeSet<String>,
}

/// The vertices of one accessor of positions, where a mesh has put them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) accessor: usize,
    /// The first of them, as they are counted here.
    pub(super) first: u32,
    pub(super) count: usize,
    /// The first primitive of the mesh that names them.
    pub(super) primitive: usize,
}

impl<'a> Reading<'a> {
    pub(super) fn new(source: &'a Source<'a>, root: &'a Value, chunk: Option<&'a [u8]>) -> Self {
        Self {
            source,
            root,
            accessors: Accessors::new(source, root, chunk),
            raw: RawMesh::new(source),
            seen: vec![false; list(root, "nodes").len()],
            joins: 0,
            strips: 0,
            skins: 0,
            spent: 0,
            node: None,
            materials: BTreeSet::new(),
        }
    }

    /// The error for an invalid value in the JSON; `at` is its place, such as `nodes[3].mesh`.
    pub(super) fn wrong(&self, at: &str, found: &Value, expected: &str) -> ImportError {
        wrong(self.source, at, found, expected)
    }

    pub(super) fn scene(&mut self) -> Result<(), ImportError> {
        let scenes = list(self.root, "scenes");
        if scenes.is_empty() {
            // Without a scene every mesh is shown once, where it is.
            for mesh in 0..list(self.root, "meshes").len() {
                self.mesh(mesh, &Transform::identity())?;
            }
            return Ok(());
        }
        let number = match &self.root["scene"] {
            Value::Null => 0,
            value => index(value).filter(|&scene| scene < scenes.len()).ok_or_else(|| {
                self.wrong("scene", value, &format!("the number of one of {} scenes", scenes.len()))
            })?,
        };
        if scenes.len() > 1 {
            self.raw.notes.push(format!("scene {number} of {} was read", scenes.len()));
        }
        let mut stack = Vec::new();
        self.push_children(&mut stack, &scenes[number]["nodes"], Transform::identity(), 0)?;
        while let Some((node, above, depth)) = stack.pop() {
            let value = &list(self.root, "nodes")[node];
            let own = Transform::of_node(value).ok_or_else(|| {
                self.wrong(&format!("nodes[{node}]"), value, "a transform of finite numbers")
            })?;
            let transform = above.then(&own);
            if !value["mesh"].is_null() {
                let mesh =
                    index(&value["mesh"]).filter(|&mesh| mesh < list(self.root, "meshes").len()).ok_or_else(
                        || self.wrong(&format!("nodes[{node}].mesh"), &value["mesh"], "the number of a mesh"),
                    )?;
                self.skins += usize::from(!value["skin"].is_null());
                let name = value["name"].as_str();
                self.node =
                    name.zip(self.raw.attributes.as_mut()).map(|(name, attributes)| attributes.group(name));
                self.mesh(mesh, &transform)?;
            }
            self.push_children(&mut stack, &value["children"], transform, depth + 1)?;
        }
        Ok(())
    }

    /// Puts nodes on the stack so that the first comes off first.
    fn push_children(
        &mut self,
        stack: &mut Vec<(usize, Transform, usize)>,
        nodes: &Value,
        above: Transform,
        depth: usize,
    ) -> Result<(), ImportError> {
        let Some(nodes) = nodes.as_array() else { return Ok(()) };
        for value in nodes.iter().rev() {
            let node = index(value)
                .filter(|&node| node < self.seen.len() && depth < DEEPEST)
                .ok_or_else(|| self.wrong("a list of nodes", value, "the number of a node"))?;
            if std::mem::replace(&mut self.seen[node], true) {
                return Err(self.wrong("a list of nodes", value, "every node below one other only"));
            }
            stack.push((node, above, depth));
        }
        Ok(())
    }

    /// Adds the triangles of a mesh, and returns where its vertices went, in the order in which they were added.
    pub(super) fn mesh(&mut self, mesh: usize, transform: &Transform) -> Result<Vec<Placed>, ImportError> {
        let root = self.root;
        let mut placed: Vec<Placed> = Vec::new();
        for (p, primitive) in list(&list(root, "meshes")[mesh], "primitives").iter().enumerate() {
            let at = format!("meshes[{mesh}].primitives[{p}]");
            let mode = match &primitive["mode"] {
                Value::Null => 4,
                value => index(value)
                    .filter(|mode| (0..=6).contains(mode))
                    .ok_or_else(|| self.wrong(&format!("{at}.mode"), value, "a mode from 0 to 6"))?,
            };
            if !primitive["extensions"]["KHR_draco_mesh_compression"].is_null() {
                return Err(self.source.unsupported(
                    "a mesh compressed by KHR_draco_mesh_compression",
                    "save it without compression (gltf-transform, gltfpack -noq, or your exporter's option)",
                ));
            }
            let position = &primitive["attributes"]["POSITION"];
            if mode < 4 || position.is_null() {
                let kind = match mode {
                    0 => "primitive of points",
                    1..=3 => "primitive of lines",
                    _ => "primitive without positions",
                };
                self.raw.skip(kind, 1);
                continue;
            }
            if primitive["targets"].as_array().is_some_and(|targets| !targets.is_empty()) && p == 0 {
                self.raw.notes.push(format!("mesh {mesh} has morph targets; its base shape was read"));
            }
            let accessor = index(position).ok_or_else(|| {
                self.wrong(&format!("{at}.attributes.POSITION"), position, "the number of an accessor")
            })?;
            let known = placed.iter().find(|placed| placed.accessor == accessor).copied();
            let Placed { first, count, .. } = match known {
                Some(known) => known,
                None => {
                    let (first, count) = self.vertices(accessor, transform)?;
                    let new = Placed { accessor, first, count, primitive: p };
                    self.vertex_attributes(&at, &primitive["attributes"], new)?;
                    placed.push(new);
                    new
                }
            };
            let indices = match &primitive["indices"] {
                Value::Null => None,
                value => {
                    let accessor = index(value).ok_or_else(|| {
                        self.wrong(&format!("{at}.indices"), value, "the number of an accessor")
                    })?;
                    Some(self.accessors.indices(accessor)?)
                }
            };
            self.label(primitive);
            self.triangles(&at, mode, indices, first, count, transform.mirrors)?;
        }
        Ok(placed)
    }

    /// Adds the positions of an accessor: (first vertex, number of vertices).
    fn vertices(&mut self, accessor: usize, transform: &Transform) -> Result<(u32, usize), ImportError> {
        let positions = self.accessors.positions(accessor)?;
        let first = self.raw.positions.len();
        let all = first + positions.len();
        self.spend(24 * positions.len())?;
        if u32::try_from(all).is_err() {
            let (file, limit) = (self.source.name.to_owned(), u64::from(u32::MAX));
            return Err(ImportError::TooLarge { file, what: "vertices", count: all as u64, limit });
        }
        for (v, position) in positions.iter().enumerate() {
            let placed = transform.apply(position);
            if let Some(&value) = placed.iter().find(|c| !c.is_finite()) {
                return Err(self.source.non_finite(Place::Vertex(first + v), value));
            }
            self.raw.positions.push(placed);
        }
        Ok((first as u32, positions.len()))
    }

    /// Refuses data that takes more bytes than the file with the buffers loaded so far allows: nodes can
    /// repeat a mesh at no cost to the file.
    fn spend(&mut self, bytes: usize) -> Result<(), ImportError> {
        self.spent = self.spent.saturating_add(bytes);
        let held = self.source.bytes.len().saturating_add(self.accessors.loaded());
        if self.spent <= held.saturating_mul(MOST_EXPANSION) {
            return Ok(());
        }
        Err(self.source.unsupported(
            format!(
                "a scene that repeats its meshes to more than {MOST_EXPANSION} times the size of the file and its buffers"
            ),
            "export the meshes that you need by themselves",
        ))
    }

    fn triangles(
        &mut self,
        at: &str,
        mode: usize,
        indices: Option<Vec<u32>>,
        first: u32,
        vertices: usize,
        mirrors: bool,
    ) -> Result<(), ImportError> {
        let corners = match indices {
            Some(indices) => indices,
            None => (0..vertices as u32).collect(),
        };
        if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
            let file = format!("{} ({at})", self.source.name);
            let place = Place::Triangle(self.raw.triangles.len());
            return Err(ImportError::IndexOutOfRange {
                file,
                place,
                index: i64::from(index),
                first: 0,
                vertices,
            });
        }
        self.spend(12 * corners.len())?;
        let mut push = |a: u32, b: u32, c: u32| {
            if a == b || b == c || c == a {
                self.joins += 1;
            } else {
                let [b, c] = if mirrors { [c, b] } else { [b, c] };
                self.raw.triangles.push([first + a, first + b, first + c]);
                self.raw.end_cell();
            }
        };
        match mode {
            4 => {
                for corners in corners.as_chunks::<3>().0 {
                    push(corners[0], corners[1], corners[2]);
                }
                if corners.len() % 3 != 0 {
                    let left = corners.len() % 3;
                    self.raw.notes.push(format!("{at}: {left} corners are left over after its triangles"));
                }
            }
            5 => {
                for (i, c) in corners.windows(3).enumerate() {
                    if i % 2 == 0 { push(c[0], c[1], c[2]) } else { push(c[1], c[0], c[2]) }
                }
                self.strips += 1;
            }
            _ => {
                for pair in corners.get(1..).unwrap_or_default().windows(2) {
                    push(pair[0], pair[1], corners[0]);
                }
                self.strips += 1;
            }
        }
        Ok(())
    }

    /// Colours and custom attributes of vertices that were just placed, if they are wanted.
    fn vertex_attributes(&mut self, at: &str, given: &Value, placed: Placed) -> Result<(), ImportError> {
        let (Some(attributes), Some(given)) = (&mut self.raw.attributes, given.as_object()) else {
            return Ok(());
        };
        let kept = |name: &str| ["_", "COLOR_", "TEXCOORD_"].iter().any(|start| name.starts_with(start));
        for (name, number) in given.iter().filter(|(name, _)| kept(name)) {
            let at = format!("{at}.attributes.{name}");
            let accessor =
                index(number).ok_or_else(|| wrong(self.source, &at, number, "the number of an accessor"))?;
            let kind = list(self.root, "accessors").get(accessor).and_then(|a| a["type"].as_str());
            let colour = !name.starts_with('_');
            let numbers = &mut self.accessors;
            let (components, values): (usize, Vec<f64>) = match kind {
                Some("SCALAR") => (1, numbers.numbers::<1>(accessor, "SCALAR", colour)?.into_flattened()),
                Some("VEC2") => (2, numbers.numbers::<2>(accessor, "VEC2", colour)?.into_flattened()),
                Some("VEC3") => (3, numbers.numbers::<3>(accessor, "VEC3", colour)?.into_flattened()),
                Some("VEC4") => (4, numbers.numbers::<4>(accessor, "VEC4", colour)?.into_flattened()),
                _ => {
                    let found = Value::from(kind.unwrap_or_default());
                    return Err(wrong(
                        self.source,
                        &at,
                        &found,
                        "an accessor of the type SCALAR, VEC2, VEC3 or VEC4",
                    ));
                }
            };
            if values.len() != components * placed.count {
                let expected = format!("an element for each of {} positions", placed.count);
                return Err(wrong(self.source, &at, &Value::from(values.len() / components), &expected));
            }
            attributes.beside = self.accessors.loaded();
            let (name, location) = (name.clone(), Location::Vertices);
            let field = RawField { name, location, components, integer: false, values };
            attributes.add(self.source, placed.first as usize, field)?;
        }
        Ok(())
    }

    /// The triangles of a primitive belong to its node and its material.
    fn label(&mut self, primitive: &Value) {
        let Some(attributes) = &mut self.raw.attributes else { return };
        let material = index(&primitive["material"]).and_then(|m| list(self.root, "materials").get(m));
        let material = material.and_then(|material| material["name"].as_str()).map(|name| {
            self.materials.insert(name.to_owned());
            attributes.group(&format!("material {name}"))
        });
        let groups: Vec<usize> = self.node.into_iter().chain(material).collect();
        attributes.label = if groups.is_empty() { 0 } else { attributes.new_label(groups) };
    }

    pub(super) fn finish(mut self) -> RawMesh {
        if let Some(attributes) = &mut self.raw.attributes {
            for name in &self.materials {
                attributes.rename_group(&format!("material {name}"), name);
            }
        }
        for (count, what) in [
            (self.strips, "strips and fans were split into triangles"),
            (self.joins, "triangles name a vertex twice and were left out"),
            (self.skins, "meshes have a skin; they were read in the shape in which they are stored"),
        ] {
            if count > 0 {
                self.raw.notes.push(format!("{count} {what}"));
            }
        }
        self.raw
    }
}

//! [`Tags`]: physical groups and geometric entities of elements, and the numbers of `$NodeData` and `$ElementData`.

use std::collections::BTreeMap;

use crate::error::ImportError;
use crate::format::cells::{CellType, Kind};
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::{RawAttributes, RawField};
use crate::text::{number, words};

use super::input::Input;
use super::nodes::Nodes;
use super::numbering::Numbering;
use super::version::Version;

/// The tags of the elements of a file.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The numbers of the elements in the order of the file; recorded if attributes are wanted.
    numbers: Numbering,
    /// The label of every combination of dimension, physical group (none if the entity determines it) and entity.
    labels: BTreeMap<Key, u32>,
    /// `$PhysicalNames`: by dimension and number.
    names: BTreeMap<(i64, i64), String>,
    /// `$Entities`: the physical groups of an entity, by dimension and number.
    entities: BTreeMap<(i64, i64), Vec<i64>>,
}

/// The tags that elements have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    dimension: i64,
    /// In versions that give it element by element.
    physical: Option<i64>,
    entity: i64,
}

/// The dimension of a kind of element.
fn dimension(kind: Kind) -> i64 {
    match kind.cell_type {
        CellType::Other("vertex") => 0,
        CellType::Other(_) => 1,
        CellType::Tet | CellType::Hexahedron | CellType::Voxel | CellType::Wedge | CellType::Pyramid => 3,
        _ => 2,
    }
}

impl Tags {
    /// The next element has this number, physical group and entity.
    pub(super) fn element(
        &mut self,
        raw: &mut RawMesh,
        tag: i64,
        kind: Option<Kind>,
        physical: i64,
        entity: i64,
    ) {
        if let Some(attributes) = raw.attributes.as_deref_mut() {
            self.numbers.push(tag);
            let dimension = kind.map_or(-1, dimension);
            self.label(attributes, Key { dimension, physical: Some(physical), entity });
        }
    }

    /// A block begins whose elements belong to an entity.
    pub(super) fn block(&mut self, raw: &mut RawMesh, dimension: i64, entity: i64) {
        if let Some(attributes) = raw.attributes.as_deref_mut() {
            self.label(attributes, Key { dimension, physical: None, entity });
        }
    }

    /// The next element of a block has this number.
    pub(super) fn number(&mut self, raw: &RawMesh, tag: i64) {
        if raw.attributes.is_some() {
            self.numbers.push(tag);
        }
    }

    fn label(&mut self, attributes: &mut RawAttributes, key: Key) {
        attributes.label = *self.labels.entry(key).or_insert_with(|| attributes.new_label(Vec::new()));
    }

    /// `$PhysicalNames`: `dimension number "name"`, a line each.
    pub(super) fn physical_names(&mut self, input: &mut Input<'_>) -> Result<(), ImportError> {
        let cursor = &mut input.cursor;
        let count: usize = cursor.number("the number of names")?;
        cursor.line();
        for _ in 0..count {
            cursor.skip_space();
            let at = cursor.pos();
            let line = cursor.line().trim_ascii();
            let mut head = words(line);
            let numbers = (head.next().and_then(number), head.next().and_then(number));
            let name = line.iter().position(|&byte| byte == b'"').map(|start| &line[start + 1..]);
            let name = name.and_then(|name| name.strip_suffix(b"\""));
            let (Some(dimension), Some(tag), Some(name)) = (numbers.0, numbers.1, name) else {
                let expected = "a dimension, the number of a physical group and its name in quotes";
                return Err(cursor.unexpected(at, line, expected));
            };
            self.names.insert((dimension, tag), String::from_utf8_lossy(name).into_owned());
        }
        Ok(())
    }

    /// `$Entities` of versions 4.0 and 4.1: points, curves, surfaces and volumes with their physical groups.
    pub(super) fn entities(&mut self, input: &mut Input<'_>, version: Version) -> Result<(), ImportError> {
        let size = if version == Version::FourZero { Input::long } else { Input::size };
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = size(input, "the number of entities")?;
        }
        for (dimension, count) in (0..).zip(counts) {
            for _ in 0..count {
                let tag = input.int("the number of an entity")?;
                for _ in 0..if dimension == 0 && version == Version::FourOne { 3 } else { 6 } {
                    input.parameter()?;
                }
                let mut physical = Vec::new();
                for _ in 0..size(input, "the number of physical groups of an entity")? {
                    physical.push(input.int("the number of a physical group")?);
                }
                if dimension > 0 {
                    for _ in 0..size(input, "the number of entities around an entity")? {
                        input.int("the number of an entity")?;
                    }
                }
                if !physical.is_empty() {
                    self.entities.insert((dimension, tag), physical);
                }
            }
        }
        Ok(())
    }

    /// `$NodeData` or `$ElementData`: tags of words, reals and integers, then `number value…` for each node
    /// or element that has some.
    pub(super) fn data(
        &mut self,
        input: &mut Input<'_>,
        location: Location,
        nodes: &Nodes,
        raw: &mut RawMesh,
    ) -> Result<(), ImportError> {
        let mut line = |what: &str| -> Result<usize, ImportError> {
            let count = input.cursor.number(what)?;
            input.cursor.line();
            Ok(count)
        };
        let strings = line("the number of words")?;
        let mut name = String::new();
        for i in 0..strings {
            if input.cursor.rest().is_empty() {
                let end = input.cursor.pos();
                return Err(input.cursor.unexpected(end, b"", "another word of the data"));
            }
            let word = input.cursor.line().trim_ascii();
            if i == 0 {
                let plain = word.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\""));
                name = String::from_utf8_lossy(plain.unwrap_or(word)).into_owned();
            }
        }
        let mut time = None;
        for i in 0..input.cursor.number::<usize>("the number of reals")? {
            let real: f64 = input.cursor.number("a real number")?;
            time = time.or(Some(real).filter(|time| i == 0 && time.is_finite()));
        }
        let mut integers = [0_usize; 3];
        let count = input.cursor.number::<usize>("the number of integers")?;
        for i in 0..count {
            let at = input.cursor.pos();
            let integer: i64 = input.cursor.number("an integer")?;
            if let Some(slot) = integers.get_mut(i) {
                // The first is the number of a step in time.
                *slot = match usize::try_from(integer) {
                    Ok(integer) => integer,
                    Err(_) if i == 0 => 0,
                    Err(_) => return Err(input.unexpected(at, integer, "a number of at least 0")),
                };
            }
        }
        let at = input.cursor.pos();
        input.cursor.line();
        let [_, components, rows] = integers;
        if count < 3 || !(1..=1000).contains(&components) {
            let expected = format!(
                "the number of components and of rows of the attribute {name:?}, among three integers"
            );
            return Err(input.unexpected(at, components as i64, expected));
        }
        let rows = input.count(at, rows as u64, "rows of data", 1 + components, 4 + 8 * components)?;
        let Some(attributes) = raw.attributes.as_deref_mut() else { return Ok(()) };
        let source = input.cursor.source();
        let places = match location {
            Location::Vertices => nodes.positions.len(),
            Location::Elements => self.numbers.len(),
        };
        attributes.afford(&source, places.saturating_mul(components))?;
        let mut values = vec![f64::NAN; places * components];
        for _ in 0..rows {
            let at = input.here();
            let tag = input.int("the number of a node or an element")?;
            let place = match location {
                Location::Vertices => nodes.vertex(tag),
                Location::Elements => self.numbers.place(tag),
            };
            let place = place.ok_or_else(|| {
                let kind = if location == Location::Vertices { "a node" } else { "an element" };
                input.unexpected(at, tag, format!("the number of {kind}, for the attribute {name:?}"))
            })? as usize;
            for value in &mut values[place * components..(place + 1) * components] {
                *value = input.parameter()?;
            }
        }
        attributes.time = attributes.time.or(time);
        attributes.add(&source, 0, RawField { name, location, components, integer: false, values })
    }

    /// Prepares [`data`](Self::data) after all elements have been read.
    pub(super) fn index(&mut self, input: &Input<'_>) -> Result<(), ImportError> {
        self.numbers.index(&input.cursor.source(), "elements", true)
    }

    /// Makes groups and attributes from the tags.
    pub(super) fn finish(self, input: &Input<'_>, raw: &mut RawMesh) -> Result<(), ImportError> {
        let Some(attributes) = raw.attributes.as_deref_mut() else { return Ok(()) };
        let mut numbers = vec![[0.0; 2]; self.labels.len() + 1];
        for (key, &label) in &self.labels {
            let own;
            let physical = match key.physical {
                Some(physical) => {
                    own = [physical];
                    own.as_slice()
                }
                None => self.entities.get(&(key.dimension, key.entity)).map_or(&[][..], Vec::as_slice),
            };
            let mut groups = Vec::new();
            for &tag in physical.iter().filter(|&&tag| tag != 0) {
                let kind = ["point", "curve", "surface", "volume"];
                let kind = usize::try_from(key.dimension).ok().and_then(|k| kind.get(k)).copied();
                // The sign is that of the orientation.
                let tag = tag.saturating_abs();
                let name = match self.names.get(&(key.dimension, tag)) {
                    Some(name) => name.clone(),
                    None => format!("physical {} {tag}", kind.unwrap_or("group")),
                };
                groups.push(attributes.group(&name));
            }
            groups.sort_unstable();
            groups.dedup();
            attributes.relabel(label, groups);
            numbers[label as usize] = [physical.first().map_or(0.0, |&tag| tag as f64), key.entity as f64];
        }
        let source = input.cursor.source();
        for (name, k) in [("gmsh:physical", 0), ("gmsh:geometrical", 1)] {
            if numbers.iter().any(|pair| pair[k] != 0.0) {
                attributes.afford(&source, attributes.cells())?;
                let of = |label: &u32| numbers[*label as usize][k];
                let values = attributes.labels_of_cells().iter().map(of).collect();
                attributes.add(&source, 0, RawField::scalars(name, Location::Elements, true, values))?;
            }
        }
        Ok(())
    }
}

//! [`Sets`]: `*NSET` and `*ELSET`, read line by line and resolved when all nodes and elements of their part are known.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::generated::Generated;
use crate::error::{ImportError, Place};
use crate::format::msh::numbering::Numbering;
use crate::raw_attributes::RawAttributes;
use crate::source::Source;
use crate::text::number;

/// The data of a part whose nodes and elements have become vertices and cells.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) nodes: Numbering,
    pub(super) first_vertex: u32,
    pub(super) elements: Numbering,
    pub(super) first_cell: u32,
    /// Numbers of nodes and of elements in ascending order, with their places; made when a set first needs them.
    sorted: [OnceCell<Vec<(i64, u32)>>; 2],
}

impl Part {
    pub(super) fn new(
        name: String,
        (nodes, first_vertex): (Numbering, u32),
        (elements, first_cell): (Numbering, u32),
    ) -> Self {
        Self { name, nodes, first_vertex, elements, first_cell, sorted: Default::default() }
    }

    /// The numbers in ascending order, with their places: of the nodes, else of the elements.
    fn sorted(&self, of_nodes: bool) -> &[(i64, u32)] {
        let numbering = if of_nodes { &self.nodes } else { &self.elements };
        self.sorted[usize::from(of_nodes)].get_or_init(|| numbering.sorted())
    }
}

/// A set with the lines that list it.
#[derive(Debug)]
struct Set {
    name: String,
    line: usize,
    /// Of nodes, else of elements.
    of_nodes: bool,
    generate: bool,
    /// The instance that the numbers are of, in sets of an assembly.
    instance: Option<String>,
    numbers: Vec<i64>,
    /// Names of other sets.
    others: Vec<String>,
}

/// The sets of a file.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// Those that wait for the end of their part.
    open: Vec<Set>,
    /// Those of an assembly, which wait for the end of the file.
    of_assembly: Vec<Set>,
    parts: Vec<Part>,
    /// The part of each instance.
    instances: BTreeMap<String, String>,
    /// Whether some elements are of types that are not read, so that sets may name them.
    pub(super) unknown_elements: bool,
}

impl Sets {
    /// A set begins.
    pub(super) fn begin(
        &mut self,
        name: String,
        line: usize,
        of_nodes: bool,
        generate: bool,
        instance: Option<String>,
    ) {
        let (numbers, others) = (Vec::new(), Vec::new());
        let set = Set { name, line, of_nodes, generate, instance, numbers, others };
        let list = if set.instance.is_some() { &mut self.of_assembly } else { &mut self.open };
        list.push(set);
    }

    /// An instance of a part.
    pub(super) fn instance(&mut self, name: &str, part: String) {
        self.instances.insert(name.to_ascii_uppercase(), part);
    }

    /// A data line of the set that began last; `of_assembly` if it is one of those.
    pub(super) fn data(
        &mut self,
        source: &Source<'_>,
        line: usize,
        text: &[u8],
        of_assembly: bool,
    ) -> Result<(), ImportError> {
        let list = if of_assembly { &mut self.of_assembly } else { &mut self.open };
        let Some(set) = list.last_mut() else { return Ok(()) };
        let words = text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).filter(|word| !word.is_empty());
        if set.generate {
            let row: Option<Vec<i64>> = words.map(number).collect();
            let row = row.filter(|row| matches!(row.len(), 2 | 3) && row.get(2).is_none_or(|&step| step > 0));
            let row = row.ok_or_else(|| {
                let expected = format!(
                    "the first and the last number of the set {:?}, and the step between them",
                    set.name
                );
                source.parse_error(Place::Line(line), text, expected)
            })?;
            set.numbers.extend([row[0], row[1], row.get(2).copied().unwrap_or(1)]);
            return Ok(());
        }
        for word in words {
            match number(word) {
                Some(number) => set.numbers.push(number),
                None => set.others.push(String::from_utf8_lossy(word).into_owned()),
            }
        }
        Ok(())
    }

    /// A node or an element of a set that is named with it.
    pub(super) fn push(&mut self, number: i64) {
        if let Some(set) = self.open.last_mut() {
            set.numbers.push(number);
        }
    }

    /// The nodes and elements of a part are known.
    pub(super) fn end_part(
        &mut self,
        source: &Source<'_>,
        attributes: &mut RawAttributes,
        part: Part,
    ) -> Result<(), ImportError> {
        for set in std::mem::take(&mut self.open) {
            self.resolve(source, attributes, &set, &part)?;
        }
        self.parts.push(part);
        Ok(())
    }

    /// All parts are known.
    pub(super) fn finish(
        mut self,
        source: &Source<'_>,
        attributes: &mut RawAttributes,
    ) -> Result<(), ImportError> {
        let parts = std::mem::take(&mut self.parts);
        for set in std::mem::take(&mut self.of_assembly) {
            let part =
                set.instance.as_ref().and_then(|instance| self.instances.get(&instance.to_ascii_uppercase()));
            let part = part.and_then(|name| parts.iter().find(|part| part.name.eq_ignore_ascii_case(name)));
            match part {
                Some(part) => self.resolve(source, attributes, &set, part)?,
                None => attributes.note(format!(
                    "the set {:?} is of an instance that is not there; it was left out",
                    set.name
                )),
            }
        }
        Ok(())
    }

    fn resolve(
        &self,
        source: &Source<'_>,
        attributes: &mut RawAttributes,
        set: &Set,
        part: &Part,
    ) -> Result<(), ImportError> {
        let (numbering, first) = match set.of_nodes {
            true => (&part.nodes, part.first_vertex),
            false => (&part.elements, part.first_cell),
        };
        let mut members = Vec::new();
        if set.generate {
            // Numbers between that no node or element has are left out, as the program does.
            members = Generated::new(set.numbers.as_chunks::<3>().0).places(part.sorted(set.of_nodes));
        } else {
            for &tag in &set.numbers {
                match numbering.place(tag) {
                    Some(place) => members.push(place),
                    None if !set.of_nodes && self.unknown_elements => {}
                    None => {
                        let kind = if set.of_nodes { "a node" } else { "an element" };
                        let expected = format!("the number of {kind}, for the set {:?}", set.name);
                        let found = tag.to_string();
                        return Err(source.parse_error(Place::Line(set.line), found.as_bytes(), expected));
                    }
                }
            }
        }
        let group = attributes.group(&set.name);
        let members = members.into_iter().map(|place| place + first);
        match set.of_nodes {
            true => attributes.extend_vertices(group, members),
            false => attributes.extend_cells(group, members),
        }
        for name in &set.others {
            if !attributes.include(source, group, name, set.of_nodes)? {
                let expected = format!("numbers or the names of other sets, for the set {:?}", set.name);
                return Err(source.parse_error(Place::Line(set.line), name.as_bytes(), expected));
            }
        }
        Ok(())
    }
}

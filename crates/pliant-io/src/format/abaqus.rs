//! Abaqus input files `.inp`: nodes and elements below keyword lines.
//!
//! Source: *Abaqus Keywords Reference Guide*, `*NODE` and `*ELEMENT`. A keyword line begins with one star and
//! has parameters behind commas, a comment with two; a data line that ends with a comma continues in the
//! next. Read are nodes and elements, whose numbers need not be dense, and if attributes are wanted node and
//! element sets; sections, materials and steps are skipped.

mod generated;
mod sets;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::format::cells::{CellType, Cells, Kind};
use crate::format::msh::nodes::Nodes;
use crate::format::msh::numbering::Numbering;
use crate::quote::shown;
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{Lines, number};

use sets::{Part, Sets};

/// The most nodes that an element read here has.
const MOST_NODES: usize = 27;

/// Whether a file begins like an Abaqus input file; `text` has no white space in front.
pub(crate) fn is_abaqus(text: &[u8]) -> bool {
    let mut lines =
        text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.starts_with(b"**"));
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    [&b"heading"[..], b"node", b"part", b"preprint", b"include"].iter().any(|word| {
        first.first() == Some(&b'*')
            && first[1..].get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}

/// The kind of element and its number of nodes, of a type such as `C3D4` or `S4R`.
fn element(name: &str) -> Option<(Kind, usize)> {
    let name = name.to_ascii_uppercase();
    if name.starts_with("STRI65") {
        return Some((Kind::curved(CellType::Triangle, Some(6)), 6));
    }
    let families = [
        ("C3D", true),
        ("DC3D", true),
        ("AC3D", true),
        ("STRI", false),
        ("SFM3D", false),
        ("R3D", false),
        ("M3D", false),
        ("CPS", false),
        ("CPE", false),
        ("CPEG", false),
        ("DS", false),
        ("SC", true),
        ("S", false),
    ];
    families.iter().find_map(|(family, solid)| {
        let rest = name.strip_prefix(family)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let nodes: usize = rest[..digits].parse().ok()?;
        let (cell_type, corners) = match (solid, nodes) {
            (true, 4 | 10) => (CellType::Tet, 4),
            (true, 5 | 13) => (CellType::Pyramid, 5),
            (true, 6 | 15) => (CellType::Wedge, 6),
            (true, 8 | 20 | 27) => (CellType::Hexahedron, 8),
            (false, 3 | 6) => (CellType::Triangle, 3),
            (false, 4 | 8 | 9) => (CellType::Quad, 4),
            _ => return None,
        };
        let kind =
            if nodes == corners { Kind::straight(cell_type) } else { Kind::curved(cell_type, Some(nodes)) };
        Some((kind, nodes))
    })
}

/// The keyword to which the current data lines belong.
enum Section {
    /// Whether they are a set too.
    Nodes {
        set: bool,
    },
    Elements {
        kind: Kind,
        own: usize,
        set: bool,
    },
    Unknown {
        name: String,
    },
    /// Whether it is one of an assembly.
    Set {
        of_assembly: bool,
    },
    Other,
}

/// Elements as read, before all nodes are known.
struct Element {
    line: usize,
    kind: Kind,
    own: usize,
    start: usize,
}

/// Reads an Abaqus input file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut reading = Reading {
        source: *source,
        cells: Cells::new(*source),
        nodes: Nodes::default(),
        element_numbers: Numbering::default(),
        part: String::new(),
        sets: Sets::default(),
        elements: Vec::new(),
        numbers: Vec::new(),
        open: 0,
        instances: 0,
    };
    let mut section = Section::Other;
    for (line, text) in Lines::new(source.bytes) {
        let text = text.trim_ascii();
        if text.is_empty() || text.starts_with(b"**") {
            continue;
        }
        if text[0] == b'*' {
            section = reading.keyword(line, text)?;
        } else {
            reading.data(&section, line, text)?;
        }
    }
    reading.end_part()?;
    if let Some(attributes) = &mut reading.cells.raw.attributes {
        std::mem::take(&mut reading.sets).finish(source, attributes)?;
    }
    if reading.instances > 0 {
        let note = format!("{} instances: parts stand where they are defined, once each", reading.instances);
        reading.cells.raw.notes.push(note);
    }
    Ok(reading.cells.finish())
}

struct Reading<'a> {
    source: Source<'a>,
    cells: Cells<'a>,
    nodes: Nodes,
    /// The numbers of the elements of the part, recorded if attributes are wanted.
    element_numbers: Numbering,
    /// The name of the part.
    part: String,
    sets: Sets,
    elements: Vec<Element>,
    /// The node numbers of the elements, one after the other.
    numbers: Vec<i64>,
    /// How many nodes the current element still lacks.
    open: usize,
    instances: usize,
}

impl Reading<'_> {
    fn keyword(&mut self, line: usize, text: &[u8]) -> Result<Section, ImportError> {
        self.element_is_whole(line)?;
        let text = String::from_utf8_lossy(&text[1..]).into_owned();
        let mut parameters = text.split(',').map(str::trim);
        let name = parameters.next().unwrap_or_default().to_ascii_uppercase();
        let value = |wanted: &str| {
            parameters.clone().find_map(|parameter| {
                let (key, value) = parameter.split_once('=')?;
                key.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().to_owned())
            })
        };
        let wanted = self.source.attributes;
        Ok(match name.as_str() {
            "NODE" => {
                let set = value("NSET").filter(|_| wanted);
                if let Some(name) = &set {
                    self.sets.begin(name.clone(), line, true, false, None);
                }
                Section::Nodes { set: set.is_some() }
            }
            "NSET" | "ELSET" if wanted => {
                let Some(set) = value(&name) else {
                    let expected = format!("the parameter {name}, the name of the set");
                    return Err(self.source.parse_error(Place::Line(line), text.as_bytes(), expected));
                };
                let generate = parameters.clone().any(|parameter| parameter.eq_ignore_ascii_case("GENERATE"));
                let instance = value("INSTANCE");
                let of_assembly = instance.is_some();
                self.sets.begin(set, line, name == "NSET", generate, instance);
                Section::Set { of_assembly }
            }
            "ELEMENT" => {
                let kind = value("TYPE").ok_or_else(|| {
                    self.source.parse_error(Place::Line(line), text.as_bytes(), "the parameter TYPE")
                })?;
                match element(&kind) {
                    Some((kind, own)) => {
                        let set = value("ELSET").filter(|_| wanted);
                        if let Some(name) = &set {
                            self.sets.begin(name.clone(), line, false, false, None);
                        }
                        Section::Elements { kind, own, set: set.is_some() }
                    }
                    None => {
                        self.sets.unknown_elements = true;
                        Section::Unknown { name: shown(&kind) }
                    }
                }
            }
            "PART" | "END PART" => {
                let part = value("NAME");
                self.end_part()?;
                self.part = part.unwrap_or_default();
                Section::Other
            }
            "INSTANCE" => {
                if let (Some(instance), Some(part)) = (value("NAME"), value("PART")) {
                    self.sets.instance(&instance, part);
                }
                self.instances += 1;
                Section::Other
            }
            "INCLUDE" | "NGEN" | "NFILL" | "NCOPY" | "ELGEN" | "ELCOPY" => {
                return Err(self.source.unsupported(
                    format!("the keyword *{name} on line {line}"),
                    "export the mesh with all nodes and elements written out in one file",
                ));
            }
            _ => Section::Other,
        })
    }

    fn data(&mut self, section: &Section, line: usize, text: &[u8]) -> Result<(), ImportError> {
        let place = Place::Line(line);
        let goes_on = text.ends_with(b",");
        let mut words = text.split(|&b| b == b',').map(<[u8]>::trim_ascii);
        match section {
            Section::Other => {}
            // A continued line counts with the one that ends it.
            Section::Unknown { name } => {
                self.cells.raw.skip(&format!("element of type {name}"), usize::from(!goes_on));
            }
            Section::Set { of_assembly } => self.sets.data(&self.source, line, text, *of_assembly)?,
            Section::Nodes { set } => {
                let word = words.next().unwrap_or_default();
                let tag: i64 = number(word)
                    .ok_or_else(|| self.source.parse_error(place, word, "the number of a node"))?;
                let mut position = Vector3::zeros();
                for (axis, word) in words.take(3).enumerate().filter(|(_, word)| !word.is_empty()) {
                    let coordinate: f64 =
                        number(word).ok_or_else(|| self.source.parse_error(place, word, "a coordinate"))?;
                    if !coordinate.is_finite() {
                        return Err(self.source.non_finite(place, coordinate));
                    }
                    position[axis] = coordinate;
                }
                self.nodes.push(tag, position);
                if *set {
                    self.sets.push(tag);
                }
            }
            Section::Elements { kind, own, set } => {
                let mut words = words.filter(|word| !word.is_empty());
                if self.open == 0 {
                    let word = words.next().unwrap_or_default();
                    let tag: i64 = number(word)
                        .ok_or_else(|| self.source.parse_error(place, word, "the number of an element"))?;
                    if self.source.attributes {
                        self.element_numbers.push(tag);
                    }
                    if *set {
                        self.sets.push(tag);
                    }
                    self.elements.push(Element { line, kind: *kind, own: *own, start: self.numbers.len() });
                    self.open = *own;
                }
                for word in words {
                    let tag = number(word).filter(|_| self.open > 0).ok_or_else(|| {
                        let expected = format!("{own} node numbers for an element of this type");
                        self.source.parse_error(place, word, expected)
                    })?;
                    self.numbers.push(tag);
                    self.open -= 1;
                }
            }
        }
        Ok(())
    }

    fn element_is_whole(&self, line: usize) -> Result<(), ImportError> {
        if self.open == 0 {
            return Ok(());
        }
        let expected = format!("{} more node numbers for the element before", self.open);
        Err(self.source.parse_error(Place::Line(line), b"", expected))
    }

    /// Nodes and elements of each part have numbers of their own: they are joined here.
    fn end_part(&mut self) -> Result<(), ImportError> {
        let last = self.elements.last().map_or(1, |element| element.line);
        self.element_is_whole(last)?;
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.index(&self.source)?;
        let before = self.cells.raw.positions.len();
        let all = before + nodes.positions.len();
        if u32::try_from(all).is_err() {
            let (file, limit) = (self.source.name.to_owned(), u64::from(u32::MAX));
            return Err(ImportError::TooLarge { file, what: "nodes", count: all as u64, limit });
        }
        let first_cell = self.cells.raw.attributes.as_ref().map_or(0, |attributes| attributes.cells()) as u32;
        for element in self.elements.drain(..) {
            let place = Place::Line(element.line);
            let mut corners = [0; MOST_NODES];
            let tags = &self.numbers[element.start..element.start + element.own];
            for (corner, &tag) in corners.iter_mut().zip(tags) {
                let vertex = nodes.vertex(tag).ok_or_else(|| {
                    let expected = format!("the number of one of the {} nodes", nodes.positions.len());
                    self.source.parse_error(place, tag.to_string().as_bytes(), expected)
                })?;
                *corner = vertex + before as u32;
            }
            let tag = |v: u32| nodes.tag(v - before as u32);
            self.cells.push(element.kind, &corners[..element.own], tag, || place)?;
        }
        self.numbers.clear();
        self.cells.raw.positions.append(&mut nodes.positions);
        if let Some(attributes) = &mut self.cells.raw.attributes {
            let mut elements = std::mem::take(&mut self.element_numbers);
            elements.index(&self.source, "elements", true)?;
            let (name, first_vertex) = (std::mem::take(&mut self.part), before as u32);
            let part = Part::new(name, (nodes.into_numbers(), first_vertex), (elements, first_cell));
            self.sets.end_part(&self.source, attributes, part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Mesh, read_mesh_bytes};

    const TEXT: &str = "** made by hand\n*Heading\n a cube corner\n*NODE, NSET=ALL\n 10, 0., 0., 0.\n20, 1, 0\n30, 0, 1.\n\
                        40, 0, 0, 1e0\n50, 1, 1, 1\n*ELEMENT, TYPE=C3D4, ELSET=body\n1, 10, 20, 30, 40\n2, 20, 30,\n40, 50\n\
                        *Element, type = B31\n3, 10, 20\n*Material, name=x\n1, 2\n";

    #[test]
    fn nodes_and_elements_are_read() {
        assert_eq!(Format::from_content(TEXT.as_bytes()), Some(Format::Abaqus));
        let imported = read_mesh_bytes(Format::Abaqus, TEXT.as_bytes(), "a.inp").unwrap();
        let Mesh::Tet(mesh) = &imported.mesh else { panic!("{imported:?}") };
        assert_eq!(mesh.tets(), [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(mesh.positions()[2], Vector3::y());
        assert_eq!(imported.report.skipped["element of type B31"], 1);
    }

    #[test]
    fn unknown_types_are_shown_without_control_characters() {
        let text = "*NODE\n1,0,0,0\n*ELEMENT, TYPE=B\0\u{1b}1\n1,1\n";
        let error = read_mesh_bytes(Format::Abaqus, text.as_bytes(), "a.inp").unwrap_err().to_string();
        assert!(error.contains("1 × element of type B\\u{0}\\u{1b}1"), "{error}");
    }

    #[test]
    fn parts_number_their_nodes_for_themselves() {
        let part = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n*ELEMENT, TYPE=S3\n1,1,2,3\n*END PART\n";
        let text = format!(
            "*PART, NAME=a\n{part}*PART, NAME=b\n{part}*INSTANCE, NAME=c, PART=a\n1,0,0\n*END INSTANCE\n"
        );
        let (mesh, report) =
            read_mesh_bytes(Format::Abaqus, text.as_bytes(), "a.inp").unwrap().into_tri().unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
        assert!(report.notes[0].starts_with("1 instances"), "{report}");
    }

    #[test]
    fn types_are_told_by_family_and_number_of_nodes() {
        for (name, cell_type, nodes) in [
            ("C3D4", CellType::Tet, 4),
            ("c3d10m", CellType::Tet, 10),
            ("C3D8R", CellType::Hexahedron, 8),
            ("C3D6", CellType::Wedge, 6),
            ("S4R5", CellType::Quad, 4),
            ("S3", CellType::Triangle, 3),
            ("STRI3", CellType::Triangle, 3),
            ("R3D3", CellType::Triangle, 3),
            ("CPS4", CellType::Quad, 4),
            ("M3D6", CellType::Triangle, 6),
            ("SC8R", CellType::Hexahedron, 8),
        ] {
            let (kind, own) = element(name).unwrap();
            assert_eq!((kind.cell_type, own), (cell_type, nodes), "{name}");
        }
        assert!(["B31", "SPRINGA", "T3D2", "C3D", "", "MASS"].iter().all(|name| element(name).is_none()));
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, expected) in [
            (
                "1, 10, 20, 30, 40",
                "1, 10, 20, 30, 41",
                "a.inp, line 11: found \"41\", expected the number of one",
            ),
            ("1, 10, 20, 30, 40", "1, 10, 20, 30, 40, 50", "line 11: found \"50\", expected 4 node numbers"),
            ("1, 10, 20, 30, 40", "1, 10, 20, 30, 30", "names vertex 30 twice"),
            ("40, 50\n", "40\n", "line 14: found nothing, expected 1 more node numbers"),
            ("20, 1, 0", "20, inf, 0", "line 6: a coordinate is inf"),
            ("50, 1, 1, 1", "10, 1, 1, 1", "two nodes have the number 10"),
            ("TYPE=C3D4", "", "the parameter TYPE"),
            ("*Material", "*Include", "the keyword *INCLUDE on line 16"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let error = read_mesh_bytes(Format::Abaqus, text.as_bytes(), "a.inp").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

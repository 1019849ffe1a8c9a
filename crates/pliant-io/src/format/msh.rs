//! Gmsh MSH, versions 1, 2.x, 4.0 and 4.1, text and binary of either byte order.
//!
//! A file is a row of sections `$Name … $EndName`, of which `$MeshFormat`, `$Nodes` and `$Elements` are read,
//! and if attributes are wanted `$PhysicalNames`, `$Entities`, `$NodeData` and `$ElementData`; all others are
//! skipped. Nodes have numbers ("tags") of any size in any order; vertices are counted here in the order in
//! which the nodes stand in the file. Source: Gmsh reference manual, "File formats"
//! (<https://gmsh.info/doc/texinfo/gmsh.html>).

mod elements;
mod input;
pub(crate) mod nodes;
pub(crate) mod numbering;
mod tags;
mod v2;
mod v4;
mod version;

use crate::error::{ImportError, Place};
use crate::format::cells::Cells;
use crate::format::cursor::{Cursor, find_end};
use crate::location::Location;
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{number, words};

use input::{Binary, Input};
use nodes::Nodes;
use tags::Tags;
use version::Version;

/// Reads a Gmsh MSH file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut file = File {
        input: Input::new(Cursor::within(*source, 0..source.bytes.len())),
        version: None,
        nodes: Nodes::default(),
        cells: Cells::new(*source),
        tags: Tags::default(),
    };
    file.input.cursor.seek(if source.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 });
    file.sections()?;
    let File { input, nodes, mut cells, tags, .. } = file;
    tags.finish(&input, &mut cells.raw)?;
    cells.raw.positions = nodes.positions;
    Ok(cells.finish())
}

/// A file that is being read.
struct File<'a> {
    input: Input<'a>,
    version: Option<Version>,
    nodes: Nodes,
    cells: Cells<'a>,
    tags: Tags,
}

impl<'a> File<'a> {
    fn sections(&mut self) -> Result<(), ImportError> {
        // Elements that stand before the nodes wait for them.
        let mut waiting = Vec::new();
        // The data of nodes and elements waits for both.
        let mut beside = Vec::new();
        let mut nodes_seen = false;
        loop {
            self.input.cursor.skip_space();
            let start = self.input.cursor.pos();
            let name = self.input.cursor.line().trim_ascii();
            match name {
                b"" => break,
                b"$MeshFormat" => {
                    self.mesh_format()?;
                    self.close(b"$EndMeshFormat")?;
                }
                b"$Nodes" | b"$ParametricNodes" | b"$NOD" => {
                    let end: &[u8] = match name {
                        b"$NOD" => b"$ENDNOD",
                        b"$Nodes" => b"$EndNodes",
                        _ => b"$EndParametricNodes",
                    };
                    match self.version_of_section(start, name)? {
                        // Version 1 has no section of its own for nodes with parameters.
                        Version::One => v2::nodes(&mut self.input, &mut self.nodes, true)?,
                        Version::Two => {
                            v2::nodes(&mut self.input, &mut self.nodes, name == b"$ParametricNodes")?;
                        }
                        Version::FourZero => v4::nodes_40(&mut self.input, &mut self.nodes)?,
                        Version::FourOne => v4::nodes_41(&mut self.input, &mut self.nodes)?,
                    }
                    self.close(end)?;
                    nodes_seen = true;
                }
                b"$Elements" | b"$ELM" if nodes_seen => self.elements(start, name)?,
                b"$Elements" | b"$ELM" => {
                    waiting.push((start, name));
                    self.pass_over(start, name)?;
                }
                [b'$', rest @ ..] if is_name(rest) => {
                    beside.push((start, name));
                    self.pass_over(start, name)?;
                }
                _ => return Err(self.no_section(start, name)),
            }
        }
        for (start, name) in waiting {
            self.input.cursor.seek(start);
            self.input.cursor.line();
            self.elements(start, name)?;
        }
        if self.input.cursor.source().attributes {
            self.tags.index(&self.input)?;
            for (start, name) in beside {
                self.input.cursor.seek(start);
                self.input.cursor.line();
                self.beside(name)?;
            }
        }
        Ok(())
    }

    /// A section beside the mesh.
    fn beside(&mut self, name: &[u8]) -> Result<(), ImportError> {
        let Self { input, nodes, cells, tags, version } = self;
        match (name, version) {
            (b"$PhysicalNames", _) => tags.physical_names(input),
            (b"$Entities", Some(version @ (Version::FourZero | Version::FourOne))) => {
                tags.entities(input, *version)
            }
            (b"$NodeData", _) => tags.data(input, Location::Vertices, nodes, &mut cells.raw),
            (b"$ElementData", _) => tags.data(input, Location::Elements, nodes, &mut cells.raw),
            (b"$ElementNodeData", _) => {
                let note = "$ElementNodeData was left out: attributes are of nodes or of elements";
                cells.raw.notes.push(note.to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn elements(&mut self, start: usize, name: &'a [u8]) -> Result<(), ImportError> {
        self.nodes.index(&self.input.cursor.source())?;
        let Self { input, nodes, cells, tags, .. } = self;
        match self.version {
            Some(Version::One) => v2::elements_1(input, nodes, cells, tags)?,
            Some(Version::Two) if input.binary.is_some() => v2::elements_binary(input, nodes, cells, tags)?,
            Some(Version::Two) => v2::elements_text(input, nodes, cells, tags)?,
            Some(Version::FourZero) => v4::elements_40(input, nodes, cells, tags)?,
            Some(Version::FourOne) => v4::elements_41(input, nodes, cells, tags)?,
            None => return Err(self.input.cursor.unexpected(start, name, "$MeshFormat before it")),
        }
        self.close(if name == b"$ELM" { b"$ENDELM" } else { b"$EndElements" })
    }

    /// `version file-type data-size`, and in binary files the number 1, which shows the byte order.
    fn mesh_format(&mut self) -> Result<(), ImportError> {
        let start = self.input.cursor.pos();
        let line = self.input.cursor.line();
        let wrong = |expected: &str| Err(self.input.cursor.unexpected(start, line.trim_ascii(), expected));
        let mut fields = words(line);
        let (version, mode, size) = (fields.next(), fields.next(), fields.next());
        let (Some(version), Some(mode), Some(size), None) = (version, mode, size, fields.next()) else {
            return wrong("a version, 0 or 1 for text or binary, and a data size, such as \"4.1 0 8\"");
        };
        let Some(value) = number::<f64>(version).filter(|value| value.is_finite()) else {
            return wrong("a version such as 4.1 or 2.2 at the start of the line");
        };
        self.version = Some(match version {
            [b'1'] | [b'1', b'.', ..] => Version::One,
            [b'2'] | [b'2', b'.', ..] => Version::Two,
            b"4" | b"4.0" => Version::FourZero,
            b"4.1" => Version::FourOne,
            _ => {
                return Err(self.input.cursor.source().unsupported(
                    format!("Gmsh MSH version {value}"),
                    "save it again as 4.1 or 2.2 (gmsh FILE -save -format msh41)",
                ));
            }
        });
        let bytes = match size {
            b"8" => 8,
            b"4" if version.starts_with(b"4") => 4,
            _ => return wrong("a data size of 8 at the end of the line"),
        };
        match mode {
            b"0" => {}
            b"1" if self.version == Some(Version::One) => return wrong("0: version 1 has text files only"),
            b"1" => {
                let at = self.input.cursor.pos();
                let one = self.input.cursor.array("the number 1 that shows the byte order")?;
                let big_endian = match (i32::from_le_bytes(one), i32::from_be_bytes(one)) {
                    (1, _) => false,
                    (_, 1) => true,
                    _ => {
                        let source = self.input.cursor.source();
                        let expected = "the number 1 as four bytes, which shows the byte order";
                        return Err(source.parse_error(Place::Byte(at), &one, expected));
                    }
                };
                self.input.cursor.count_bytes();
                self.input.binary = Some(Binary { big_endian, size_bytes: bytes });
            }
            _ => return wrong("0 (text) or 1 (binary) in the middle of the line"),
        }
        Ok(())
    }

    fn version_of_section(&mut self, start: usize, name: &[u8]) -> Result<Version, ImportError> {
        match self.version {
            None if name == b"$NOD" => {
                self.version = Some(Version::One);
                Ok(Version::One)
            }
            None => Err(self.input.cursor.unexpected(start, name, "$MeshFormat before it")),
            Some(version) => Ok(version),
        }
    }

    /// Demands the end of a section.
    fn close(&mut self, name: &[u8]) -> Result<(), ImportError> {
        let cursor = &mut self.input.cursor;
        cursor.skip_space();
        let start = cursor.pos();
        let line = cursor.line().trim_ascii();
        if line == name {
            Ok(())
        } else {
            let expected =
                format!("{} (is the number at the head of the section right?)", name.escape_ascii());
            Err(cursor.unexpected(start, line, expected))
        }
    }

    /// Skips to the end of a section that is not read here.
    fn pass_over(&mut self, start: usize, name: &[u8]) -> Result<(), ImportError> {
        let end = match name {
            b"$ELM" => b"$ENDELM".to_vec(),
            _ => [b"$End", &name[1..]].concat(),
        };
        let cursor = &mut self.input.cursor;
        let Some(length) = find_end(cursor.rest(), &end) else {
            let expected = format!("a section that {} ends", end.escape_ascii());
            return Err(cursor.unexpected(start, name, expected));
        };
        cursor.seek(cursor.pos() + length);
        Ok(())
    }

    fn no_section(&self, start: usize, found: &[u8]) -> ImportError {
        let cursor = &self.input.cursor;
        if self.version.is_some() {
            return cursor.unexpected(start, found, "the start of a section, such as $Nodes");
        }
        cursor.unexpected(
            start,
            found,
            "$MeshFormat, with which a Gmsh file starts (Fluent and MuJoCo have formats of their own named .msh; \
             convert such a file first)",
        )
    }
}

/// Whether this can be the name of a section, without its `$`.
fn is_name(name: &[u8]) -> bool {
    (1..=64).contains(&name.len()) && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

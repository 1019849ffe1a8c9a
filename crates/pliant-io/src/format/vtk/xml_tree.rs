//! [`Tree`]: where the arrays of a VTK XML file stand and how they are stored.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::ImportError;
use crate::format::cursor::Cursor;
use crate::quote::shown;
use crate::source::Source;
use crate::text::number;

use super::scalar::Scalar;

/// The header of a file and where its arrays are.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// `UnstructuredGrid` or `PolyData`.
    pub(crate) dataset: String,
    pub(crate) big_endian: bool,
    /// Whether counts before encoded data have 64 bits.
    pub(crate) wide_header: bool,
    /// Name of the compressor; empty without one.
    pub(crate) compressor: String,
    pub(crate) pieces: Vec<Piece>,
    /// The arrays of `FieldData`, which belong to no point or cell; read where attributes are wanted.
    pub(crate) field_data: Vec<Array>,
    /// The names of attributes that are not numbers.
    pub(crate) left_out: Vec<String>,
    pub(crate) appended: Option<Appended>,
}

/// The data at the end of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Appended {
    /// Base64, else bytes as they are.
    pub(crate) base64: bool,
    /// The byte offset from which offsets count.
    pub(crate) start: usize,
}

/// A part of a mesh with points of its own.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    /// Byte offset of its tag.
    pub(crate) at: usize,
    /// `NumberOfPoints`.
    pub(crate) points: u64,
    /// `NumberOfCells`, in unstructured grids.
    pub(crate) cells: u64,
    /// The arrays of `Points`, `Cells`, `Verts`, `Lines`, `Strips` and `Polys`, and where attributes are
    /// wanted of `PointData` and `CellData`.
    pub(crate) arrays: Vec<Array>,
}

/// An array.
#[derive(Debug)]
pub(crate) struct Array {
    /// Byte offset of its tag.
    pub(crate) at: usize,
    /// Name of the section that holds it, such as `Points`.
    pub(crate) section: Section,
    /// Its own name, such as `connectivity`.
    pub(crate) name: String,
    pub(crate) scalar: Scalar,
    /// Number of components, if it says so.
    pub(crate) components: Option<u64>,
    pub(crate) storage: Storage,
    /// Byte range of the text between its tags.
    pub(crate) text: Range<usize>,
}

/// How an array is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Numbers in words.
    Ascii,
    /// Base64 between the tags.
    Inline,
    /// At this offset of the appended data.
    Appended(u64),
}

/// The sections of a piece that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Points,
    Cells,
    Verts,
    Lines,
    Strips,
    Polys,
    PointData,
    CellData,
    FieldData,
}

impl Section {
    fn named(name: &[u8], attributes: bool) -> Option<Self> {
        Some(match name {
            b"PointData" if attributes => Self::PointData,
            b"CellData" if attributes => Self::CellData,
            b"Points" => Self::Points,
            b"Cells" => Self::Cells,
            b"Verts" => Self::Verts,
            b"Lines" => Self::Lines,
            b"Strips" => Self::Strips,
            b"Polys" => Self::Polys,
            _ => return None,
        })
    }

    /// Whether it holds attributes.
    fn is_data(self) -> bool {
        matches!(self, Self::PointData | Self::CellData | Self::FieldData)
    }
}

/// The kind of an open tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    File,
    Grid,
    Piece,
    Section(Section),
    Array,
    FieldArray,
    Other,
}

impl Tree {
    /// Reads the tags of a file, up to the appended data if there are such.
    pub(crate) fn read(source: &Source<'_>) -> Result<Self, ImportError> {
        let cursor = Cursor::within(*source, 0..source.bytes.len());
        let mut walk = Walk { source, cursor, tree: Self::default(), open: Vec::new() };
        walk.run()?;
        Ok(walk.tree)
    }
}

/// The state of reading the tags.
struct Walk<'a> {
    source: &'a Source<'a>,
    cursor: Cursor<'a>,
    tree: Tree,
    open: Vec<Open>,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), ImportError> {
        let bytes = self.source.bytes;
        let mut reader = Reader::from_reader(bytes);
        loop {
            let at = offset(reader.buffer_position());
            let event = reader.read_event().map_err(|error| {
                let at = offset(reader.error_position());
                let rest = &bytes[at.min(bytes.len())..];
                let line = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
                self.cursor.unexpected(at, line, format!("well-formed XML ({})", shown(&error.to_string())))
            })?;
            let after = offset(reader.buffer_position());
            match event {
                Event::Start(tag) => {
                    let open = self.open(at, &tag)?;
                    if self.appended(at, &tag, after)? {
                        return Ok(());
                    }
                    self.open.push(open);
                }
                Event::Empty(tag) => {
                    self.open(at, &tag)?;
                }
                Event::End(_) => {
                    self.open.pop();
                }
                Event::Text(text) if matches!(self.open.last(), Some(Open::Array | Open::FieldArray)) => {
                    // What follows an `InformationKey` is white space and is ignored.
                    let array = match self.open.last() {
                        Some(Open::FieldArray) => self.tree.field_data.last_mut(),
                        _ => self.tree.pieces.last_mut().and_then(|piece| piece.arrays.last_mut()),
                    };
                    if let Some(array) = array.filter(|_| !text.trim_ascii().is_empty()) {
                        if !array.text.is_empty() {
                            let found = text.trim_ascii();
                            return Err(self.cursor.unexpected(
                                at,
                                found,
                                "the values of an array in one piece",
                            ));
                        }
                        array.text = at..after;
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let end = self.cursor.place_of(bytes.len());
        match self.open.last() {
            Some(_) => Err(self.source.truncated(end, "the end tags of the open XML elements")),
            None if self.tree.dataset.is_empty() => Err(self.source.truncated(end, "an element VTKFile")),
            None => Ok(()),
        }
    }

    /// Records a start tag and returns its kind.
    fn open(&mut self, at: usize, tag: &BytesStart<'_>) -> Result<Open, ImportError> {
        let local = tag.local_name();
        let name = local.as_ref();
        Ok(match self.open.last() {
            None if name == b"VTKFile" => {
                self.file(at, tag)?;
                Open::File
            }
            None => return Err(self.cursor.unexpected(at, name, "an element VTKFile")),
            Some(Open::File) if name == self.tree.dataset.as_bytes() => Open::Grid,
            Some(Open::Grid) if name == b"Piece" => {
                let points = self.count(at, tag, "NumberOfPoints")?;
                let cells = match self.tree.dataset.as_str() {
                    "PolyData" => 0,
                    _ => self.count(at, tag, "NumberOfCells")?,
                };
                self.tree.pieces.push(Piece { at, points, cells, arrays: Vec::new() });
                Open::Piece
            }
            Some(Open::File | Open::Grid) if name == b"FieldData" && self.source.attributes => {
                Open::Section(Section::FieldData)
            }
            Some(Open::Piece) => {
                Section::named(name, self.source.attributes).map_or(Open::Other, Open::Section)
            }
            Some(&Open::Section(section))
                if name == b"DataArray" || (name == b"Array" && section.is_data()) =>
            {
                if section.is_data() && !self.is_numeric(at, tag)? {
                    let name = self.attribute(at, tag, "Name")?.unwrap_or_default();
                    self.tree.left_out.push(name);
                    return Ok(Open::Other);
                }
                if section == Section::FieldData {
                    let array = self.array(at, tag, section)?;
                    self.tree.field_data.push(array);
                    return Ok(Open::FieldArray);
                }
                let array = self.array(at, tag, section)?;
                if let Some(piece) = self.tree.pieces.last_mut() {
                    piece.arrays.push(array);
                }
                Open::Array
            }
            Some(_) => Open::Other,
        })
    }

    fn file(&mut self, at: usize, tag: &BytesStart<'_>) -> Result<(), ImportError> {
        let dataset = self.attribute(at, tag, "type")?.unwrap_or_default();
        match dataset.as_str() {
            "UnstructuredGrid" | "PolyData" => {}
            "" => {
                return Err(self.cursor.unexpected(at, b"<VTKFile>", "a type: UnstructuredGrid or PolyData"));
            }
            "PUnstructuredGrid" | "PPolyData" | "Collection" => {
                return Err(self.source.unsupported(
                    format!("a VTK XML file of type {dataset}, which only names other files"),
                    "give one of the files that it names",
                ));
            }
            _ => {
                return Err(self.source.unsupported(
                    format!("a VTK XML file of type {:?}", shorten(&dataset)),
                    "convert it to UnstructuredGrid (.vtu) or PolyData (.vtp)",
                ));
            }
        }
        self.tree.dataset = dataset;
        self.tree.big_endian = match self.attribute(at, tag, "byte_order")?.as_deref() {
            Some("BigEndian") => true,
            Some("LittleEndian") | None => false,
            Some(other) => {
                return Err(self.cursor.unexpected(at, other.as_bytes(), "LittleEndian or BigEndian"));
            }
        };
        self.tree.wide_header = match self.attribute(at, tag, "header_type")?.as_deref() {
            Some("UInt64") => true,
            Some("UInt32") | None => false,
            Some(other) => {
                return Err(self.cursor.unexpected(at, other.as_bytes(), "header_type UInt32 or UInt64"));
            }
        };
        self.tree.compressor = self.attribute(at, tag, "compressor")?.unwrap_or_default();
        Ok(())
    }

    /// Whether the type of an array is one of numbers.
    fn is_numeric(&self, at: usize, tag: &BytesStart<'_>) -> Result<bool, ImportError> {
        let kind = self.attribute(at, tag, "type")?.unwrap_or_default();
        Ok(Scalar::from_xml(kind.as_bytes()).is_some())
    }

    fn array(&self, at: usize, tag: &BytesStart<'_>, section: Section) -> Result<Array, ImportError> {
        let kind = self.attribute(at, tag, "type")?.unwrap_or_default();
        let scalar = Scalar::from_xml(kind.as_bytes()).ok_or_else(|| {
            self.cursor.unexpected(at, kind.as_bytes(), "the type of the array, such as Float64 or Int64")
        })?;
        let components = match self.attribute(at, tag, "NumberOfComponents")? {
            Some(_) => Some(self.count(at, tag, "NumberOfComponents")?),
            None => None,
        };
        let storage = match self.attribute(at, tag, "format")?.unwrap_or_default().as_str() {
            "ascii" => Storage::Ascii,
            "binary" => Storage::Inline,
            "appended" => Storage::Appended(self.count(at, tag, "offset")?),
            other => {
                return Err(self.cursor.unexpected(at, other.as_bytes(), "format ascii, binary or appended"));
            }
        };
        let name = self.attribute(at, tag, "Name")?.unwrap_or_default();
        Ok(Array { at, section, name, scalar, components, storage, text: 0..0 })
    }

    /// Records the appended data; returns whether this is their tag. Nothing behind it is XML.
    fn appended(&mut self, at: usize, tag: &BytesStart<'_>, after: usize) -> Result<bool, ImportError> {
        if self.open.last() != Some(&Open::File) || tag.local_name().as_ref() != b"AppendedData" {
            return Ok(false);
        }
        let base64 = match self.attribute(at, tag, "encoding")?.as_deref() {
            Some("base64") => true,
            Some("raw") => false,
            other => {
                let found = other.unwrap_or_default().as_bytes();
                return Err(self.cursor.unexpected(at, found, "the encoding raw or base64"));
            }
        };
        self.cursor.seek(after);
        self.cursor.skip_space();
        let start = self.cursor.pos();
        if self.cursor.rest().first() != Some(&b'_') {
            let found = &self.cursor.rest()[..self.cursor.rest().len().min(1)];
            return Err(self.cursor.unexpected(start, found, "an underscore before the appended data"));
        }
        self.tree.appended = Some(Appended { base64, start: start + 1 });
        Ok(true)
    }

    fn attribute(&self, at: usize, tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, ImportError> {
        let found = tag.try_get_attribute(name).map_err(|error| {
            let problem = shown(&error.to_string());
            self.cursor.unexpected(at, tag, format!("attributes of the form name=\"value\" ({problem})"))
        })?;
        Ok(found.map(|attribute| String::from_utf8_lossy(&attribute.value).into_owned()))
    }

    fn count(&self, at: usize, tag: &BytesStart<'_>, name: &str) -> Result<u64, ImportError> {
        let value = self.attribute(at, tag, name)?.unwrap_or_default();
        number(value.trim().as_bytes()).ok_or_else(|| {
            self.cursor.unexpected(at, value.as_bytes(), format!("a count as attribute {name}"))
        })
    }
}

/// A position of the XML reader, which reads from memory, as an index.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn shorten(name: &str) -> String {
    name.chars().take(40).collect()
}

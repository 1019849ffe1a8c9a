//! [`VtuFields`]: the numbers at the vertices and elements of a VTU file, as Pliant writes it.
//!
//! `read_mesh` reads the mesh of any VTU file; this reads what stands beside the mesh, from files whose arrays are
//! appended as bytes, plain or in zlib blocks. Source: *VTK File Formats* (Kitware), "Appended Data".

use std::fs;
use std::io::Read as _;
use std::path::Path;

use flate2::read::ZlibDecoder;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::CliError;

/// What a number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    /// The whole file.
    File,
    /// A vertex.
    Vertices,
    /// A triangle or tetrahedron.
    Elements,
}

/// An array of a file.
#[derive(Debug, Clone, PartialEq)]
struct Array {
    name: String,
    location: Location,
    components: usize,
    /// Bytes of a number: 4 or 8.
    width: usize,
    /// Where it begins behind the mark of the appended data; none if it stands elsewhere.
    offset: Option<usize>,
}

/// The fields of a VTU file.
pub(super) struct VtuFields {
    file: String,
    arrays: Vec<Array>,
    appended: Vec<u8>,
    /// Bytes of a number in the headers of arrays: 4 or 8.
    header: usize,
    zlib: bool,
}

impl VtuFields {
    /// Reads the list of fields; a file of another kind has none.
    pub(super) fn open(path: &Path) -> Result<Self, CliError> {
        const MARK: &[u8] = b"<AppendedData";
        let file = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| refused(&file, &error.to_string()))?;
        let mut fields = Self { file, arrays: Vec::new(), appended: Vec::new(), header: 4, zlib: false };
        if !bytes[..bytes.len().min(512)].windows(8).any(|part| part == b"<VTKFile") {
            return Ok(fields);
        }
        let end = bytes.windows(MARK.len()).position(|part| part == MARK).unwrap_or(bytes.len());
        fields.list(&bytes[..end])?;
        // The data begin behind the underscore that follows the tag.
        let tag = &bytes[end..bytes.len().min(end + 256)];
        let raw = tag.windows(14).any(|part| part == b"encoding=\"raw\"");
        if let (true, Some(start)) = (raw, tag.iter().position(|&byte| byte == b'_')) {
            fields.appended = bytes[end + start + 1..].to_vec();
        } else {
            fields.arrays.iter_mut().for_each(|array| array.offset = None);
        }
        Ok(fields)
    }

    /// Reads the tags before the data.
    fn list(&mut self, head: &[u8]) -> Result<(), CliError> {
        let mut reader = Reader::from_reader(head);
        let mut location = None;
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => return Ok(()),
                Ok(Event::Start(tag)) => match tag.name().as_ref() {
                    b"VTKFile" => {
                        self.zlib = attribute(&tag, "compressor").is_some();
                        self.header =
                            if attribute(&tag, "header_type").as_deref() == Some("UInt64") { 8 } else { 4 };
                        if attribute(&tag, "byte_order").is_some_and(|order| order != "LittleEndian") {
                            return Ok(());
                        }
                        if attribute(&tag, "compressor").is_some_and(|name| name != "vtkZLibDataCompressor") {
                            return Ok(());
                        }
                    }
                    b"FieldData" => location = Some(Location::File),
                    b"PointData" => location = Some(Location::Vertices),
                    b"CellData" => location = Some(Location::Elements),
                    b"DataArray" => self.array(&tag, location),
                    _ => {}
                },
                Ok(Event::Empty(tag)) if tag.name().as_ref() == b"DataArray" => self.array(&tag, location),
                Ok(Event::End(tag))
                    if matches!(tag.name().as_ref(), b"FieldData" | b"PointData" | b"CellData") =>
                {
                    location = None;
                }
                Ok(_) => {}
                Err(error) => return Err(refused(&self.file, &error.to_string())),
            }
        }
    }

    fn array(&mut self, tag: &BytesStart<'_>, location: Option<Location>) {
        let width = match attribute(tag, "type").as_deref() {
            Some("Float32") => 4,
            Some("Float64") => 8,
            _ => return,
        };
        if let (Some(location), Some(name)) = (location, attribute(tag, "Name")) {
            let number = |name: &str| attribute(tag, name).and_then(|text| text.parse::<usize>().ok());
            let components = number("NumberOfComponents").unwrap_or(1).max(1);
            self.arrays.push(Array { name, location, components, width, offset: number("offset") });
        }
    }

    /// The names of the fields at vertices and elements.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().filter(|array| array.location != Location::File).map(|array| array.name.as_str())
    }

    /// The simulated time, s, if the file tells it.
    pub(super) fn time(&self) -> Option<f64> {
        let is_time = |array: &&Array| array.location == Location::File && array.name == "TimeValue";
        let array = self.arrays.iter().find(is_time)?;
        self.numbers(array, 1).ok()?.first().copied().filter(|time| time.is_finite())
    }

    /// A field of a mesh of so many vertices and elements; a vector counts with its length. None if there is none.
    pub(super) fn read(
        &self,
        name: &str,
        vertices: usize,
        elements: usize,
    ) -> Result<Option<(Location, Vec<f64>)>, CliError> {
        let is_it = |array: &&Array| array.location != Location::File && array.name == name;
        let Some(array) = self.arrays.iter().find(is_it) else { return Ok(None) };
        let count = if array.location == Location::Vertices { vertices } else { elements };
        let mut values = self.numbers(array, count)?;
        if array.components > 1 {
            let length = |vector: &[f64]| vector.iter().map(|c| c * c).sum::<f64>().sqrt();
            values = values.chunks_exact(array.components).map(length).collect();
        }
        Ok(Some((array.location, values)))
    }

    /// The numbers of an array over `count` vertices or elements.
    fn numbers(&self, array: &Array, count: usize) -> Result<Vec<f64>, CliError> {
        let wrong = |what: &str| refused(&self.file, &format!("the field {}: {what}", array.name));
        let start = array
            .offset
            .ok_or_else(|| wrong("only numbers appended as bytes, plain or in zlib, are drawn"))?;
        let expected = count * array.components * array.width;
        let damaged = || wrong(&format!("its data are not {count} times {} numbers", array.components));
        let bytes =
            self.bytes(start, expected).filter(|bytes| bytes.len() == expected).ok_or_else(damaged)?;
        Ok(match array.width {
            4 => bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number).into()).collect(),
            _ => bytes.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number)).collect(),
        })
    }

    /// The bytes of the array at `start`, no more than `expected` of them; none if they are damaged.
    fn bytes(&self, start: usize, expected: usize) -> Option<Vec<u8>> {
        let data = self.appended.get(start..)?;
        let number = |index: usize| -> Option<usize> {
            let bytes = data.get(index.checked_mul(self.header)?..)?.get(..self.header)?;
            let mut wide = [0; 8];
            wide[..self.header].copy_from_slice(bytes);
            usize::try_from(u64::from_le_bytes(wide)).ok()
        };
        let first = number(0)?;
        if !self.zlib {
            return data.get(self.header..)?.get(..first).map(<[u8]>::to_vec);
        }
        let blocks = first;
        let mut at = blocks.checked_add(3)?.checked_mul(self.header).filter(|at| *at <= data.len())?;
        let mut bytes = Vec::new();
        for block in 0..blocks {
            let end = at.checked_add(number(3 + block)?)?;
            // One byte more than there may be tells that there are too many.
            let room = (expected + 1 - bytes.len()) as u64;
            ZlibDecoder::new(data.get(at..end)?).take(room).read_to_end(&mut bytes).ok()?;
            if bytes.len() > expected {
                return None;
            }
            at = end;
        }
        Some(bytes)
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    String::from_utf8(attribute.value.into_owned()).ok()
}

fn refused(file: &str, what: &str) -> CliError {
    CliError::Refused(format!("{file}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use pliant_io::{Field, FieldValues, Frame, FrameWriter, Mesh, VtuEncoding, VtuOptions, VtuSeries};
    use pliant_mesh::TriMesh;

    /// A square with fields of both kinds, and the bytes of its only frame.
    fn written(options: VtuOptions) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let mesh = TriMesh::grid([2, 2], [1.0, 1.0]).unwrap();
        let positions = mesh.positions().to_vec();
        let velocities = [Vector3::new(3.0, 0.0, 4.0); 4];
        let (heat, load) = ([1.0, 2.0, 3.0, 4.0], [0.5, 0.25]);
        let fields = [
            Field {
                name: "heat",
                location: pliant_io::Location::Vertices,
                values: FieldValues::Scalars(&heat),
            },
            Field {
                name: "load",
                location: pliant_io::Location::Elements,
                values: FieldValues::Scalars(&load),
            },
        ];
        let mut series = VtuSeries::create(folder.path().join("it.pvd"), &Mesh::Tri(mesh), options).unwrap();
        let frame = Frame::new(0.75, &positions).with_velocities(&velocities).with_fields(&fields);
        series.write_frame(&frame).unwrap();
        Box::new(series).finish().unwrap();
        let path = folder.path().join("it/it_0000.vtu");
        (folder, path)
    }

    #[test]
    fn fields_come_back_as_they_were_written() {
        for compress in [true, false] {
            let (_folder, path) = written(VtuOptions { compress, ..VtuOptions::default() });
            let fields = VtuFields::open(&path).unwrap();
            assert_eq!(fields.names().collect::<Vec<_>>(), ["velocity", "heat", "load"]);
            assert_eq!(fields.time(), Some(0.75));
            let read = |name| fields.read(name, 4, 2).unwrap();
            assert_eq!(read("velocity"), Some((Location::Vertices, vec![5.0; 4])));
            assert_eq!(read("heat"), Some((Location::Vertices, vec![1.0, 2.0, 3.0, 4.0])));
            assert_eq!(read("load"), Some((Location::Elements, vec![0.5, 0.25])));
            assert_eq!(read("other"), None);
            assert!(fields.read("heat", 5, 2).is_err() && fields.read("heat", 3, 2).is_err());
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let encoding = VtuEncoding::Base64;
        let (_folder, path) = written(VtuOptions { encoding, ..VtuOptions::default() });
        let fields = VtuFields::open(&path).unwrap();
        assert_eq!(fields.time(), None);
        let error = fields.read("heat", 4, 2).unwrap_err().to_string();
        assert!(error.contains("it_0000.vtu: the field heat: only numbers appended as bytes"), "{error}");
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        for compress in [true, false] {
            let (folder, path) = written(VtuOptions { compress, ..VtuOptions::default() });
            let whole = fs::read(&path).unwrap();
            let damaged = folder.path().join("damaged.vtu");
            for at in (0..whole.len()).step_by(11) {
                for byte in [0, 0xff] {
                    let mut bytes = whole.clone();
                    bytes[at] = byte;
                    fs::write(&damaged, &bytes).unwrap();
                    if let Ok(fields) = VtuFields::open(&damaged) {
                        let _ = (fields.time(), fields.read("heat", 4, 2), fields.read("velocity", 4, 2));
                    }
                }
                fs::write(&damaged, &whole[..at]).unwrap();
                if let Ok(fields) = VtuFields::open(&damaged) {
                    let _ = (fields.time(), fields.read("load", 4, 2));
                }
            }
        }
    }
}

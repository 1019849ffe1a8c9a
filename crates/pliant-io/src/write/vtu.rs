//! VTU and VTP: an unstructured grid and polygonal data of VTK's XML format.
//!
//! Source: *VTK File Formats* (Kitware), "XML File Formats" and "Appended Data"; the layout of compressed blocks is
//! that of `vtkXMLWriter`: number of blocks, size of a block, size of the last if it is shorter, compressed sizes,
//! then the zlib streams, all sizes as 64-bit integers here.

use std::io::{self, Write};

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use quick_xml::escape::escape;

use super::columns::{Column, Numbers, columns};
use super::{FieldValues, Frame};
use crate::location::Location;
use crate::{Attributes, Mesh};

/// How the arrays of a VTU file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VtuEncoding {
    /// As raw bytes behind the XML: the smallest and fastest. Such a file is not XML to the letter.
    #[default]
    AppendedRaw,
    /// As base64 text within the XML.
    Base64,
}

/// How many digits are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// f32: seven digits, half the size.
    #[default]
    Single,
    /// f64: all digits.
    Double,
}

/// Choices for VTU files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VtuOptions {
    /// How the arrays are written.
    pub encoding: VtuEncoding,
    /// Whether they are compressed with zlib.
    pub compress: bool,
    /// How many digits of positions, velocities and fields are kept.
    pub precision: Precision,
}

impl Default for VtuOptions {
    /// Raw, compressed, single precision.
    fn default() -> Self {
        Self { encoding: VtuEncoding::AppendedRaw, compress: true, precision: Precision::Single }
    }
}

/// A mesh ready to be written with any positions: the constant parts are encoded once.
pub(crate) struct Grid {
    options: VtuOptions,
    vertices: usize,
    elements: usize,
    dataset: Dataset,
    cells: Vec<Array>,
}

/// The VTK type of the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dataset {
    /// Cells of any kind, each with its type: `.vtu`.
    UnstructuredGrid,
    /// Faces, without types: `.vtp`.
    PolyData,
}

impl Dataset {
    /// Its name in the file, the attribute of a piece that counts its cells, and the tag around them.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::UnstructuredGrid => ["UnstructuredGrid", "NumberOfCells", "Cells"],
            Self::PolyData => ["PolyData", "NumberOfPolys", "Polys"],
        }
    }
}

/// An array with its description, encoded.
struct Array {
    /// Attributes of the `DataArray` but for the format.
    attributes: String,
    /// The encoded data.
    data: Vec<u8>,
}

/// Bytes of an array in a compressed block.
const BLOCK: usize = 1 << 17;

impl Grid {
    /// Encodes the elements of a mesh.
    pub(crate) fn new(mesh: &Mesh, options: VtuOptions) -> Self {
        const TRIANGLE: u8 = 5;
        const TETRAHEDRON: u8 = 10;
        let (indices, corners, kind) = match mesh {
            Mesh::Tri(mesh) => (mesh.triangles().as_flattened(), 3, TRIANGLE),
            Mesh::Tet(mesh) => (mesh.tets().as_flattened(), 4, TETRAHEDRON),
        };
        let mut grid = Self::of_cells(mesh.positions().len(), indices, corners, options);
        grid.cells.push(array("types", "UInt8", 1, vec![kind; grid.elements], options));
        grid
    }

    /// Encodes the triangles of a surface as polygonal data.
    pub(crate) fn polygons(mesh: &TriMesh, options: VtuOptions) -> Self {
        let grid = Self::of_cells(mesh.positions().len(), mesh.triangles().as_flattened(), 3, options);
        Self { dataset: Dataset::PolyData, ..grid }
    }

    /// Cells of `corners` vertices each, without their types.
    fn of_cells(vertices: usize, indices: &[u32], corners: usize, options: VtuOptions) -> Self {
        let elements = indices.len() / corners;
        let offsets = (1..=elements).map(|i| (i * corners) as u64);
        let largest = indices.len().max(vertices);
        let integers = |name: &str, values: &mut dyn Iterator<Item = u64>| {
            if i32::try_from(largest).is_ok() {
                array(name, "Int32", 1, values.flat_map(|v| (v as u32).to_le_bytes()).collect(), options)
            } else {
                array(name, "Int64", 1, values.flat_map(u64::to_le_bytes).collect(), options)
            }
        };
        let cells = vec![
            integers("connectivity", &mut indices.iter().map(|&v| u64::from(v))),
            integers("offsets", &mut { offsets }),
        ];
        Self { options, vertices, elements, dataset: Dataset::UnstructuredGrid, cells }
    }

    /// Writes the mesh as it is in a frame, which must fit it.
    pub(crate) fn write(&self, out: &mut dyn Write, frame: &Frame<'_>) -> io::Result<()> {
        self.write_with(out, frame, &Attributes::default(), &mut Vec::new())
    }

    /// Writes the mesh with attributes beside those of the frame; the names of those that the format does not
    /// support are put on the list.
    pub(crate) fn write_with(
        &self,
        out: &mut dyn Write,
        frame: &Frame<'_>,
        attributes: &Attributes,
        left_out: &mut Vec<String>,
    ) -> io::Result<()> {
        let points = self.vectors("Points", frame.positions);
        let time = array("TimeValue", "Float64", 1, frame.time.to_le_bytes().to_vec(), self.options);
        let fields = |location| {
            frame.fields.iter().filter(move |field| field.location == location).map(|field| {
                match field.values {
                    FieldValues::Scalars(values) => self.reals(field.name, 1, values.iter().copied()),
                    FieldValues::Vectors(values) => self.vectors(field.name, values),
                }
            })
        };
        let velocity = frame.velocities.map(|velocities| self.vectors("velocity", velocities));
        let normals = frame.normals.map(|normals| self.vectors("normals", normals));
        let mut beside = |location, count| -> Vec<Array> {
            columns(attributes, location, count, left_out).iter().map(|column| self.column(column)).collect()
        };
        let (at_points, at_cells) =
            (beside(Location::Vertices, self.vertices), beside(Location::Elements, self.elements));
        let point_data: Vec<Array> =
            velocity.into_iter().chain(normals).chain(fields(Location::Vertices)).chain(at_points).collect();
        let cell_data: Vec<Array> = fields(Location::Elements).chain(at_cells).collect();

        let compressor = if self.options.compress { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let mut body = Body { out, encoding: self.options.encoding, appended: Vec::new(), offset: 0 };
        writeln!(body.out, "<?xml version=\"1.0\"?>")?;
        let [dataset, number_of_cells, cells] = self.dataset.words();
        writeln!(
            body.out,
            "<VTKFile type=\"{dataset}\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\"{compressor}>\n<{dataset}>"
        )?;
        body.group("FieldData", "", std::slice::from_ref(&time))?;
        writeln!(
            body.out,
            "<Piece NumberOfPoints=\"{}\" {number_of_cells}=\"{}\">",
            self.vertices, self.elements
        )?;
        body.group("Points", "", std::slice::from_ref(&points))?;
        body.group(cells, "", &self.cells)?;
        let mut active = String::new();
        if frame.velocities.is_some() {
            active += " Vectors=\"velocity\"";
        }
        if frame.normals.is_some() {
            active += " Normals=\"normals\"";
        }
        body.group("PointData", &active, &point_data)?;
        body.group("CellData", "", &cell_data)?;
        writeln!(body.out, "</Piece>\n</{dataset}>")?;
        body.finish()
    }

    fn vectors(&self, name: &str, values: &[Vector3<f64>]) -> Array {
        self.reals(name, 3, values.iter().flat_map(|v| v.iter().copied()))
    }

    /// An attribute, whole numbers as such and others with all digits.
    fn column(&self, column: &Column<'_>) -> Array {
        let values = column.values.iter();
        let (kind, bytes) = match column.numbers {
            Numbers::Flags => ("UInt8", values.map(|&value| value as u8).collect()),
            Numbers::Short => ("Int32", values.flat_map(|&value| (value as i32).to_le_bytes()).collect()),
            Numbers::Long => ("Int64", values.flat_map(|&value| (value as i64).to_le_bytes()).collect()),
            Numbers::Real => ("Float64", values.flat_map(|value| value.to_le_bytes()).collect()),
        };
        array(column.name, kind, column.components, bytes, self.options)
    }

    fn reals(&self, name: &str, components: usize, values: impl Iterator<Item = f64>) -> Array {
        match self.options.precision {
            Precision::Single => {
                let bytes = values.flat_map(|v| (v as f32).to_le_bytes()).collect();
                array(name, "Float32", components, bytes, self.options)
            }
            Precision::Double => {
                array(name, "Float64", components, values.flat_map(f64::to_le_bytes).collect(), self.options)
            }
        }
    }
}

/// The part behind the first tags.
struct Body<'a> {
    out: &'a mut dyn Write,
    encoding: VtuEncoding,
    appended: Vec<&'a [u8]>,
    offset: usize,
}

impl<'a> Body<'a> {
    fn group(&mut self, tag: &str, attributes: &str, arrays: &'a [Array]) -> io::Result<()> {
        writeln!(self.out, "<{tag}{attributes}>")?;
        for array in arrays {
            match self.encoding {
                VtuEncoding::AppendedRaw => {
                    let offset = self.offset;
                    writeln!(
                        self.out,
                        "<DataArray {} format=\"appended\" offset=\"{offset}\"/>",
                        array.attributes
                    )?;
                    self.offset += array.data.len();
                    self.appended.push(&array.data);
                }
                VtuEncoding::Base64 => {
                    writeln!(self.out, "<DataArray {} format=\"binary\">", array.attributes)?;
                    self.out.write_all(&array.data)?;
                    writeln!(self.out, "\n</DataArray>")?;
                }
            }
        }
        writeln!(self.out, "</{tag}>")
    }

    fn finish(self) -> io::Result<()> {
        if self.encoding == VtuEncoding::AppendedRaw {
            write!(self.out, "<AppendedData encoding=\"raw\">\n_")?;
            for data in self.appended {
                self.out.write_all(data)?;
            }
            writeln!(self.out, "\n</AppendedData>")?;
        }
        writeln!(self.out, "</VTKFile>")
    }
}

fn array(name: &str, kind: &str, components: usize, bytes: Vec<u8>, options: VtuOptions) -> Array {
    let mut attributes = format!("type=\"{kind}\" Name=\"{}\"", escape(name));
    if components > 1 {
        attributes += &format!(" NumberOfComponents=\"{components}\"");
    }
    if name == "TimeValue" {
        attributes += " NumberOfTuples=\"1\"";
    }
    let (header, body) =
        if options.compress { compress(&bytes) } else { (length_header(&[bytes.len()]), bytes) };
    let data = match options.encoding {
        VtuEncoding::AppendedRaw => [header, body].concat(),
        // The sizes of compressed blocks are encoded by themselves, so that they can be read first.
        VtuEncoding::Base64 if options.compress => {
            (BASE64_STANDARD.encode(header) + &BASE64_STANDARD.encode(body)).into_bytes()
        }
        VtuEncoding::Base64 => BASE64_STANDARD.encode([header, body].concat()).into_bytes(),
    };
    Array { attributes, data }
}

fn length_header(lengths: &[usize]) -> Vec<u8> {
    lengths.iter().flat_map(|&length| (length as u64).to_le_bytes()).collect()
}

/// The header and the compressed blocks.
fn compress(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut lengths = vec![bytes.len().div_ceil(BLOCK), BLOCK, bytes.len() % BLOCK];
    let mut body = Vec::new();
    for block in bytes.chunks(BLOCK) {
        let before = body.len();
        let mut encoder = ZlibEncoder::new(body, Compression::fast());
        let written = encoder.write_all(block).and_then(|()| encoder.finish());
        body = written.expect("writing to memory cannot fail");
        lengths.push(body.len() - before);
    }
    (length_header(&lengths), body)
}

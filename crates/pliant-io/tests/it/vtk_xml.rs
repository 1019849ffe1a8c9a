//! VTU and VTP in all their storage: the same mesh from each, and errors with their places.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use nalgebra::Vector3;
use pliant_io::{Format, ImportError, Imported, Mesh, read_mesh_bytes};
use pliant_mesh::TetMesh;
use proptest::prelude::*;

use crate::mutation;

fn positions() -> Vec<Vector3<f64>> {
    [[0.1, 0.0, -0.0], [1.0, 1e-300, 0.25], [0.0, 1.0 / 3.0, 0.0], [-0.125, 0.0, 1.0], [1e10, 2.0, 3.0]]
        .map(Vector3::from)
        .to_vec()
}

/// Cells by VTK type.
const CELLS: [(u8, &[i64]); 4] = [(3, &[0, 1]), (5, &[0, 2, 1]), (10, &[0, 1, 2, 3]), (10, &[4, 1, 2, 3])];

fn truth() -> TetMesh {
    TetMesh::new(positions(), vec![[0, 1, 2, 3], [4, 1, 2, 3]]).unwrap()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storage {
    Ascii,
    Inline,
    AppendedRaw,
    AppendedBase64,
}

/// A way to store arrays.
#[derive(Debug, Clone, Copy)]
struct Way {
    place: Storage,
    /// Size of the blocks before compression.
    zlib: Option<usize>,
    big_endian: bool,
    wide: bool,
    /// Whether base64 has the header and the data in one row.
    joined: bool,
    /// LZ4 for the blocks instead of zlib.
    lz4: bool,
}

/// Writes arrays one after the other.
struct Out {
    way: Way,
    xml: String,
    appended: Vec<u8>,
}

impl Out {
    fn new(way: Way, dataset: &str) -> Self {
        let order = if way.big_endian { "BigEndian" } else { "LittleEndian" };
        let header = if way.wide { " header_type=\"UInt64\"" } else { "" };
        let compressor = match (way.zlib, way.lz4) {
            (None, _) => "",
            (Some(_), false) => " compressor=\"vtkZLibDataCompressor\"",
            (Some(_), true) => " compressor=\"vtkLZ4DataCompressor\"",
        };
        let xml = format!(
            "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"{dataset}\" version=\"1.0\" \
             byte_order=\"{order}\"{header}{compressor}>\n<{dataset}>\n"
        );
        Self { way, xml, appended: Vec::new() }
    }

    /// Bytes of a number in the byte order of the file.
    fn order<const N: usize>(&self, mut big_endian: [u8; N]) -> [u8; N] {
        if !self.way.big_endian {
            big_endian.reverse();
        }
        big_endian
    }

    fn header(&self, numbers: &[usize]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &number in numbers {
            if self.way.wide {
                bytes.extend(self.order((number as u64).to_be_bytes()));
            } else {
                bytes.extend(self.order((number as u32).to_be_bytes()));
            }
        }
        bytes
    }

    /// Header and data as the file has them.
    fn encode(&self, data: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let Some(size) = self.way.zlib else { return (self.header(&[data.len()]), data.to_vec()) };
        let mut sizes = vec![data.len().div_ceil(size), size, data.len() % size];
        let mut packed = Vec::new();
        for block in data.chunks(size) {
            let block = if self.way.lz4 {
                lz4_flex::block::compress(block)
            } else {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(block).unwrap();
                encoder.finish().unwrap()
            };
            sizes.push(block.len());
            packed.extend(block);
        }
        (self.header(&sizes), packed)
    }

    fn array<T: Copy + std::fmt::Debug, const N: usize>(
        &mut self,
        attributes: &str,
        numbers: &[T],
        big_endian: fn(T) -> [u8; N],
    ) {
        let data: Vec<u8> = numbers.iter().flat_map(|&n| self.order(big_endian(n))).collect();
        let (header, data) = self.encode(&data);
        let base64 = if self.way.joined {
            BASE64_STANDARD.encode([header.clone(), data.clone()].concat())
        } else {
            BASE64_STANDARD.encode(&header) + &BASE64_STANDARD.encode(&data)
        };
        let offset = self.appended.len();
        let (format, text) = match self.way.place {
            Storage::Ascii => {
                let words: Vec<String> = numbers.iter().map(|n| format!("{n:?}")).collect();
                ("ascii\"".to_owned(), format!("\n{}\n", words.join(" ")))
            }
            Storage::Inline => ("binary\"".to_owned(), format!("\n  {base64}\n")),
            Storage::AppendedRaw => {
                self.appended.extend([header, data].concat());
                (format!("appended\" offset=\"{offset}\""), String::new())
            }
            Storage::AppendedBase64 => {
                self.appended.extend(base64.bytes());
                (format!("appended\" offset=\"{offset}\""), String::new())
            }
        };
        self.xml.push_str(&format!("<DataArray {attributes} format=\"{format}"));
        if text.is_empty() {
            self.xml.push_str("/>\n");
        } else {
            let key = "<InformationKey name=\"k\" location=\"l\">\n 1 \n</InformationKey>";
            self.xml.push_str(&format!(">{text}{key}\n</DataArray>\n"));
        }
    }

    fn finish(self, dataset: &str) -> Vec<u8> {
        let mut bytes = format!("{}</{dataset}>\n", self.xml).into_bytes();
        let encoding = if self.way.place == Storage::AppendedRaw { "raw" } else { "base64" };
        if matches!(self.way.place, Storage::AppendedRaw | Storage::AppendedBase64) {
            bytes.extend(format!("<AppendedData encoding=\"{encoding}\">\n _").bytes());
            bytes.extend(&self.appended);
            bytes.extend(b"\n</AppendedData>\n");
        }
        bytes.extend(b"</VTKFile>\n");
        bytes
    }

    fn points(&mut self, positions: &[Vector3<f64>]) {
        let coordinates: Vec<f64> = positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.xml.push_str("<Points>\n");
        self.array(
            "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"",
            &coordinates,
            f64::to_be_bytes,
        );
        self.xml.push_str("</Points>\n");
    }
}

/// A piece with these cells of the mesh.
fn piece(out: &mut Out, cells: &[(u8, &[i64])]) {
    out.xml.push_str(&format!("<Piece NumberOfPoints=\"5\" NumberOfCells=\"{}\">\n", cells.len()));
    out.xml.push_str("<PointData>\n");
    out.array("type=\"Float32\" Name=\"connectivity\"", &[f32::NAN; 5], f32::to_be_bytes);
    out.xml.push_str("</PointData>\n");
    out.points(&positions());
    out.xml.push_str("<Cells>\n");
    let vertices: Vec<i32> = cells.iter().flat_map(|(_, c)| c.iter().map(|&v| v as i32)).collect();
    let ends = cells.iter().scan(0, |end, (_, c)| {
        *end += c.len() as u64;
        Some(*end)
    });
    let kinds: Vec<u8> = cells.iter().map(|&(kind, _)| kind).collect();
    out.array("type=\"Int32\" Name=\"connectivity\"", &vertices, i32::to_be_bytes);
    out.array("type=\"UInt64\" Name=\"offsets\"", &ends.collect::<Vec<_>>(), u64::to_be_bytes);
    out.array("type=\"UInt8\" Name=\"types\"", &kinds, |n| [n]);
    out.xml.push_str("</Cells>\n</Piece>\n");
}

fn grid(way: Way) -> Vec<u8> {
    let mut out = Out::new(way, "UnstructuredGrid");
    piece(&mut out, &CELLS);
    out.finish("UnstructuredGrid")
}

fn ways() -> Vec<Way> {
    let mut ways = vec![Way {
        place: Storage::Ascii,
        zlib: None,
        big_endian: false,
        wide: false,
        joined: false,
        lz4: false,
    }];
    for place in [Storage::Inline, Storage::AppendedRaw, Storage::AppendedBase64] {
        // Blocks that divide the data evenly, that do not, and one that holds them all.
        for zlib in [None, Some(8), Some(7), Some(1 << 15)] {
            for (big_endian, wide, joined) in
                [(false, false, false), (true, false, false), (false, true, true), (true, true, false)]
            {
                ways.push(Way { place, zlib, big_endian, wide, joined, lz4: false });
                if zlib.is_some() {
                    ways.push(Way { place, zlib, big_endian, wide, joined, lz4: true });
                }
            }
        }
    }
    ways
}

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    read_mesh_bytes(Format::Vtu, bytes, "a.vtu")
}

fn ascii() -> String {
    String::from_utf8(grid(ways()[0])).unwrap()
}

#[test]
fn every_way_of_storage_gives_the_same_mesh() {
    for way in ways() {
        let bytes = grid(way);
        assert_eq!(Format::from_content(&bytes), Some(Format::Vtu), "{way:?}");
        let imported = read(&bytes).unwrap_or_else(|error| panic!("{way:?}: {error}"));
        assert_eq!(imported.mesh, Mesh::Tet(truth()), "{way:?}");
        assert_eq!(imported.report.triangles, 1, "{way:?}");
        assert_eq!(imported.report.skipped.get("line"), Some(&1), "{way:?}");
    }
}

#[test]
fn pieces_are_put_one_behind_the_other() {
    for way in ways() {
        let mut out = Out::new(way, "UnstructuredGrid");
        piece(&mut out, &CELLS);
        out.xml.push_str("<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\">\n</Piece>\n");
        piece(&mut out, &CELLS[2..]);
        let (mesh, report) = read(&out.finish("UnstructuredGrid")).unwrap().into_tet().unwrap();
        assert_eq!(mesh.tets(), [[0, 1, 2, 3], [4, 1, 2, 3], [5, 6, 7, 8], [9, 6, 7, 8]], "{way:?}");
        assert_eq!(mesh.positions()[5..], positions(), "{way:?}");
        assert!(report.notes.iter().any(|note| note.contains("3 pieces")));
    }
}

#[test]
fn polygons_and_strips_of_vtp_become_triangles() {
    for way in ways() {
        let mut out = Out::new(way, "PolyData");
        out.xml.push_str("<Piece NumberOfPoints=\"5\" NumberOfPolys=\"2\" NumberOfStrips=\"1\">\n");
        out.points(&positions());
        for (name, vertices, ends) in [
            ("Verts", &[][..], &[][..]),
            ("Lines", &[0, 1, 2], &[3]),
            ("Strips", &[1, 2, 3, 4], &[4]),
            ("Polys", &[0, 1, 2, 3, 2, 1, 0], &[4, 7]),
        ] {
            out.xml.push_str(&format!("<{name}>\n"));
            out.array("type=\"Int64\" Name=\"connectivity\"", vertices, i64::to_be_bytes);
            out.array("type=\"Int32\" Name=\"offsets\"", ends, i32::to_be_bytes);
            out.xml.push_str(&format!("</{name}>\n"));
        }
        out.xml.push_str("</Piece>\n");
        let (mesh, report) = read(&out.finish("PolyData")).unwrap().into_tri().unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [2, 1, 0], [1, 2, 3], [3, 2, 4]], "{way:?}");
        assert_eq!(report.skipped["polyline"], 1);
        assert_eq!(report.polygons_fanned, 1);
    }
}

#[test]
fn other_compressions_are_named_and_text_needs_none() {
    let inline = ways()[1];
    let name = "vtkOtherDataCompressor";
    let with = format!("version=\"1.0\" compressor=\"{name}\"");
    let text = String::from_utf8(grid(inline)).unwrap().replace("version=\"1.0\" ", &with);
    let error = read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "a.vtu: data in an unsupported compression ({name}) cannot be read; \
             save the file again with zlib, LZ4 or LZMA compression or without any"
        )
    );
    assert!(read(ascii().replace("version=\"1.0\" ", &with).as_bytes()).is_ok());
}

#[test]
fn errors_name_the_line_and_both_sides() {
    let text = ascii();
    for (from, to, place, what) in [
        ("\"UnstructuredGrid\"", "\"ImageData\"", "", "of type \"ImageData\" cannot be read; convert it"),
        ("\"UnstructuredGrid\"", "\"PUnstructuredGrid\"", "", "which only names other files"),
        ("LittleEndian", "MiddleEndian", "line 3", "found \"MiddleEndian\", expected LittleEndian"),
        ("byte_order", "header_type=\"Float32\" byte_order", "line 3", "header_type UInt32 or UInt64"),
        (
            "</Points>",
            "</Point>",
            "line 21",
            "expected well-formed XML (ill-formed document: expected `</Points>`",
        ),
        ("</VTKFile>", "", "line 4", "the file ends here, expected the end tags"),
        (
            "NumberOfPoints=\"5\"",
            "NumberOfPoints=\"x\"",
            "line 5",
            "found \"x\", expected a count as attribute",
        ),
        ("NumberOfPoints=\"5\"", "NumberOfPoints=\"6\"", "line 15", "found 5 points, expected 6"),
        (
            "NumberOfCells=\"4\"",
            "NumberOfCells=\"99999999999\"",
            "line 29",
            "found 4 numbers (array \"offsets\")",
        ),
        ("NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"", "line 15", "points of 2 components"),
        (
            "type=\"Float64\"",
            "type=\"Float16\"",
            "line 15",
            "found \"Float16\", expected the type of the array",
        ),
        ("type=\"Float64\"", "type=\"Float64", "line 15", "well-formed XML"),
        ("Name=\"types\" format=\"ascii\"", "Name=\"types\" format=\"hex\"", "line 35", "found \"hex\""),
        ("type=\"Int32\"", "type=\"Float32\"", "line 23", "expected an integer type"),
        (
            "Name=\"types\"",
            "Name=\"kinds\"",
            "line 5",
            "expected DataArray of connectivity, offsets and types",
        ),
        ("0.1 0.0", "0.1 x", "line 16", "found \"x\", expected a coordinate"),
        ("0.1 0.0", "0.1 nan", "line 16", "a coordinate is NaN"),
        ("0.1 0.0", "0.1", "line 17", "expected a coordinate"),
        ("2 5 9 13", "2 5 9 14", "line 30", "found 14 as the end of cell 3, expected 13 to 13"),
        ("2 5 9 13", "2 1 9 13", "line 30", "found 1 as the end of cell 1, expected 2 to 13"),
        ("2 5 9 13", "2 5 8 13", "line 24", "found a cell of type 10 with 3 vertices, expected 4 vertices"),
        ("0 1 0 2 1", "0 1 0 2 5", "line 24", "refers to vertex 5, but the vertices are numbered 0 to 4"),
        ("3 5 10 10", "3 5 10 -1", "line 36", "found -1, expected the number of a cell type"),
        ("format=\"ascii\"", "format=\"appended\" offset=\"0\"", "", ""),
    ] {
        assert!(text.contains(from), "{from}");
        let Err(error) = read(text.replacen(from, to, 1).as_bytes()) else {
            assert!(what.is_empty(), "{to} is read");
            continue;
        };
        let error = error.to_string();
        assert!(
            error.starts_with("a.vtu") && error.contains(place) && error.contains(what),
            "{to:?}: {error}"
        );
    }
}

#[test]
fn a_tag_in_an_error_is_cut_and_its_control_characters_are_escaped() {
    let long = format!("</Po\0\u{1b}[2J{}>", "x".repeat(5000));
    let error = read(ascii().replacen("</Points>", &long, 1).as_bytes()).unwrap_err().to_string();
    assert!(error.contains("well-formed XML") && error.len() < 500, "{error}");
    assert!(!error.contains(char::is_control), "{error:?}");
}

#[test]
fn encoded_arrays_name_the_element() {
    for way in ways().into_iter().skip(1) {
        let with = |cells: &[(u8, &[i64])]| {
            let mut out = Out::new(way, "UnstructuredGrid");
            piece(&mut out, cells);
            read(&out.finish("UnstructuredGrid")).unwrap_err().to_string()
        };
        let error = with(&[(5, &[0, 2, 1]), (10, &[0, 1, 2, 3]), (10, &[0, 1, 1, 3])]);
        assert_eq!(
            error,
            "a.vtu, tetrahedron 1 (numbered from 0): the tetrahedron names vertex 1 twice; remove the element",
            "{way:?}"
        );
        let error = with(&[(10, &[0, 1, 2, 7])]);
        assert!(error.contains("refers to vertex 7, but the vertices are numbered 0 to 4"), "{error}");
    }
}

#[test]
fn data_that_would_grow_too_large_are_refused() {
    // 4 GiB of zeros in blocks of 1 GiB, each of which zlib packs into some bytes, according to the header.
    let way = Way {
        place: Storage::AppendedRaw,
        zlib: Some(1 << 30),
        big_endian: false,
        wide: true,
        joined: false,
        lz4: false,
    };
    let mut out = Out::new(way, "UnstructuredGrid");
    out.xml.push_str("<Piece NumberOfPoints=\"1\" NumberOfCells=\"0\">\n<Points>\n");
    out.xml.push_str(
        "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>\n",
    );
    out.xml.push_str("</Points>\n</Piece>\n");
    let header = out.header(&[4, 1 << 30, 0, 10, 10, 10, 10]);
    out.appended.extend(header);
    out.appended.extend([0; 40]);
    let error = read(&out.finish("UnstructuredGrid")).unwrap_err().to_string();
    assert!(error.contains("line 7: found a header that announces 4294967296 bytes"), "{error}");
    assert!(error.contains("at most 1000 times as much as the file"), "{error}");
}

#[test]
fn a_block_must_decode_to_its_size() {
    // The header promises 8 bytes for each block; the first one decompresses to 16 zeros.
    let way = Way {
        place: Storage::AppendedRaw,
        zlib: Some(8),
        big_endian: false,
        wide: false,
        joined: false,
        lz4: false,
    };
    for wrong in [4, 16] {
        let mut out = Out::new(way, "UnstructuredGrid");
        out.xml.push_str("<Piece NumberOfPoints=\"1\" NumberOfCells=\"0\">\n<Points>\n");
        out.xml.push_str(
            "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>\n",
        );
        out.xml.push_str("</Points>\n</Piece>\n");
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&vec![0; wrong]).unwrap();
        let block = encoder.finish().unwrap();
        let header = out.header(&[3, 8, 0, block.len(), block.len(), block.len()]);
        out.appended.extend(header);
        (0..3).for_each(|_| out.appended.extend(&block));
        let error = read(&out.finish("UnstructuredGrid")).unwrap_err().to_string();
        assert!(error.contains("line 7: found block 0: "), "{error}");
        assert!(error.contains("expected 8 bytes in zlib compression"), "{error}");
    }
}

#[test]
fn offsets_beyond_the_appended_data_are_refused() {
    let way = ways().into_iter().find(|way| way.place == Storage::AppendedRaw && way.zlib.is_none()).unwrap();
    let bytes = grid(way);
    let with = |to: &str| {
        let at = bytes.windows(10).position(|w| w == b"offset=\"24").unwrap();
        let mut bytes = bytes.clone();
        bytes.splice(at + 8..at + 10, to.bytes());
        read(&bytes).unwrap_err().to_string()
    };
    assert!(with("99999").contains("found offset 99999 (array \"Points\"), expected an offset into the"));
    assert!(with("25").contains("array \"Points\""));
    assert!(with("18446744073709551615").contains("found offset 18446744073709551615"));
}

proptest! {
    #![proptest_config(pliant_testkit::config(600))]

    #[test]
    fn damage_gives_an_error_or_a_mesh(which in any::<prop::sample::Index>(), damages in mutation::damages()) {
        let file = grid(*which.get(&ways()));
        let file = mutation::damaged(&file, &damages);
        match read(&file) {
            Ok(imported) => prop_assert!(imported.report.vertices <= 1000 * file.len()),
            Err(error) => prop_assert!(error.to_string().starts_with("a.vtu"), "{error}"),
        }
    }

    #[test]
    fn every_truncation_is_an_error(which in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>()) {
        let file = grid(*which.get(&ways()));
        // Appended data are not read to the end of the file but of the last array, whose base64 padding may be missing.
        let end = file.len() - b"==\n</AppendedData>\n</VTKFile>\n".len();
        prop_assert!(read(&file[..cut.index(end)]).is_err());
    }
}

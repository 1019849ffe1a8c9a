//! Legacy VTK, text and binary, old and new layouts: the same mesh from each, and errors with their places.

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
const CELLS: [(i32, &[i64]); 4] = [(3, &[0, 1]), (5, &[0, 2, 1]), (10, &[0, 1, 2, 3]), (10, &[4, 1, 2, 3])];

fn truth() -> TetMesh {
    TetMesh::new(positions(), vec![[0, 1, 2, 3], [4, 1, 2, 3]]).unwrap()
}

/// Writes header lines and arrays.
struct Out {
    bytes: Vec<u8>,
    binary: bool,
}

impl Out {
    fn new(version: &str, binary: bool) -> Self {
        let mode = if binary { "BINARY" } else { "ASCII" };
        Self { bytes: format!("# vtk DataFile Version {version}\na title\n{mode}\n").into_bytes(), binary }
    }

    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn numbers<T: Copy + std::fmt::Debug, const N: usize>(
        &mut self,
        numbers: impl IntoIterator<Item = T>,
        big_endian: fn(T) -> [u8; N],
    ) {
        for number in numbers {
            if self.binary {
                self.bytes.extend_from_slice(&big_endian(number));
            } else {
                self.bytes.extend_from_slice(format!("{number:?} ").as_bytes());
            }
        }
        self.line("");
    }

    fn ints(&mut self, numbers: impl IntoIterator<Item = i64>) {
        self.numbers(numbers.into_iter().map(|n| i32::try_from(n).unwrap()), i32::to_be_bytes);
    }

    fn points(&mut self) {
        self.line("POINTS 5 double");
        self.numbers(positions().iter().flat_map(|p| [p.x, p.y, p.z]), f64::to_be_bytes);
    }

    fn fields(&mut self) {
        self.line("FIELD FieldData 4\nTIME 1 1 double");
        self.numbers([0.5], f64::to_be_bytes);
        self.line("METADATA\nINFORMATION 0\n");
        self.line("NULL_ARRAY");
        self.line("flags 1 10 bit");
        if self.binary {
            self.bytes.extend_from_slice(&[0x0a, 0xff]);
            self.line("");
        } else {
            self.line("1 0 1 0 1 0 1 0 1 0");
        }
        self.line("names 1 2 string");
        if self.binary {
            self.bytes.extend_from_slice(&[0xc2, b'P', b'O', 0x80, 0x01, b'I']);
            self.line("");
        } else {
            self.line("POINTS 3\nCELLS");
        }
    }

    fn data(&mut self) {
        self.line("POINT_DATA 5\nSCALARS s double 1\nLOOKUP_TABLE default");
        self.numbers([f64::NAN; 5], f64::to_be_bytes);
        self.line("CELL_DATA 4\nwhatever");
    }
}

fn old(version: &str, binary: bool) -> Vec<u8> {
    let mut out = Out::new(version, binary);
    out.line("DATASET UNSTRUCTURED_GRID");
    out.fields();
    out.points();
    out.line("METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n");
    out.line("CELLS 4 17");
    out.ints(CELLS.iter().flat_map(|(_, c)| std::iter::once(c.len() as i64).chain(c.iter().copied())));
    out.line("CELL_TYPES 4");
    out.ints(CELLS.iter().map(|&(kind, _)| i64::from(kind)));
    out.data();
    out.bytes
}

fn new(binary: bool) -> Vec<u8> {
    let mut out = Out::new("5.1", binary);
    out.line("DATASET UNSTRUCTURED_GRID");
    out.points();
    out.line("CELLS 5 13\nOFFSETS vtktypeint64");
    out.numbers([0_i64, 2, 5, 9, 13], i64::to_be_bytes);
    out.line("CONNECTIVITY unsigned_short");
    out.numbers(CELLS.iter().flat_map(|(_, c)| c.iter().map(|&v| v as u16)), u16::to_be_bytes);
    out.line("CELL_TYPES 4");
    out.ints(CELLS.iter().map(|&(kind, _)| i64::from(kind)));
    out.data();
    out.bytes
}

fn variants() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("1.0 text", old("1.0", false)),
        ("4.2 text", old("4.2", false)),
        ("4.2 binary", old("4.2", true)),
        ("5.1 text", new(false)),
        ("5.1 binary", new(true)),
    ]
}

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    read_mesh_bytes(Format::VtkLegacy, bytes, "a.vtk")
}

#[test]
fn every_variant_gives_the_same_mesh() {
    for (name, bytes) in variants() {
        assert_eq!(Format::from_content(&bytes), Some(Format::VtkLegacy), "{name}");
        let imported = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(imported.mesh, Mesh::Tet(truth()), "{name}");
        assert_eq!(imported.report.triangles, 1, "{name}");
        assert_eq!(imported.report.skipped.get("line"), Some(&1), "{name}");
    }
}

#[test]
fn points_may_be_of_any_number_type() {
    let bits = |kind: &str, bytes: &[u8]| {
        let mut out = Out::new("3.0", true);
        out.line(&format!("DATASET POLYDATA\nPOINTS 3 {kind}"));
        out.bytes.extend_from_slice(bytes);
        out.line("\nPOLYGONS 1 4");
        out.ints([3, 0, 1, 2]);
        read(&out.bytes).unwrap().into_tri().unwrap().0.positions()[1]
    };
    let pick = |k: usize| [0, 0, 0, -7, 2, 100, 1, 0, 5][k];
    let all = |width: usize| -> Vec<u8> {
        (0..9).flat_map(|k| i64::to_be_bytes(pick(k))[8 - width..].to_vec()).collect()
    };
    let signed = Vector3::new(-7.0, 2.0, 100.0);
    for (kind, width) in [("char", 1), ("short", 2), ("int", 4), ("vtkIdType", 4), ("long", 8)] {
        assert_eq!(bits(kind, &all(width)), signed, "{kind}");
    }
    for (kind, width, first) in
        [("unsigned_char", 1, 249.0), ("unsigned_short", 2, 65529.0), ("unsigned_int", 4, 4294967289.0)]
    {
        assert_eq!(bits(kind, &all(width)), Vector3::new(first, 2.0, 100.0), "{kind}");
    }
    let floats: Vec<u8> = (0..9).flat_map(|k| (pick(k) as f32 / 3.0).to_be_bytes()).collect();
    assert_eq!(bits("float", &floats), signed.map(|c| f64::from(c as f32 / 3.0)));
}

#[test]
fn polygons_and_strips_become_triangles() {
    let text = "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 6 float\n\
        0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0\nVERTICES 1 2\n1 0\nLINES 1 4 3 0 1 2\n\
        POLYGONS 2 9\n4 0 1 2 3\n3 0 1 2\nTRIANGLE_STRIPS 1 6\n5 1 4 2 5 5\n";
    let (mesh, report) = read(text.as_bytes()).unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 2], [1, 4, 2], [2, 4, 5]]);
    assert_eq!(report.polygons_fanned, 1);
    assert_eq!(report.duplicate_elements, [2]);
    assert_eq!((report.skipped["vertex"], report.skipped["polyline"]), (1, 1));
}

#[test]
fn polygons_of_the_new_layout_are_read_and_empty_lists_too() {
    let text = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n\
        LINES 1 0\nOFFSETS vtktypeint64\n0\nCONNECTIVITY vtktypeint64\n\
        POLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\n";
    assert_eq!(read(text.as_bytes()).unwrap().into_tri().unwrap().0.triangles(), [[0, 1, 2]]);
}

#[test]
fn pixels_quads_and_curved_cells_are_simplified() {
    let text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 7 float\n\
        0 0 0 1 0 0 0 1 0 1 1 0 .5 0 0 .5 .5 0 0 .5 0\n\
        CELLS 4 24\n4 0 1 2 3\n4 0 1 3 2\n6 0 1 2 4 5 6\n6 0 1 3 4 5 6\nCELL_TYPES 4\n8 9 22 36\n";
    let (mesh, report) = read(text.as_bytes()).unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 3], [0, 3, 2], [0, 1, 3], [0, 3, 2], [0, 1, 2], [0, 1, 3]]);
    assert!(report.notes.iter().any(|note| note.contains("2 higher-order triangles")), "{:?}", report.notes);
}

const GRID: &str = "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n\
    0 0 0 1 0 0\n0 1 0 0 0 1\nCELLS 2 9\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 2\n10\n5\n";

#[test]
fn errors_name_the_line_and_both_sides() {
    for (from, to, place, what) in [
        ("Version 2.0", "Version 6.2", "", "version 6.2 cannot be read"),
        ("Version 2.0", "Version x", "line 1", "found \"# vtk DataFile Version x\""),
        ("ASCII", "TEXT", "line 3", "found \"TEXT\", expected ASCII or BINARY"),
        ("DATASET UN", "DATASET\nUN_", "line 5", "expected UNSTRUCTURED_GRID or POLYDATA"),
        ("UNSTRUCTURED_GRID", "STRUCTURED_POINTS", "", "kind STRUCTURED_POINTS cannot be read; convert it"),
        ("4 float", "4 flout", "line 5", "found \"flout\", expected a number type"),
        ("4 float", "-4 float", "line 5", "found \"-4\", expected the number of points"),
        ("4 float", "5 float", "line 8", "found \"CELLS\", expected a coordinate"),
        ("4 float", "3 float", "line 7", "found \"0\", expected one of POINTS, CELLS"),
        ("4 float", "99999999999999999999 float", "line 5", "the number of points"),
        ("4 float", "18446744073709551615 float", "line 5", "found 18446744073709551615 coordinates"),
        ("\n0 1 0 0", "\n0 1 inf 0", "line 7", "a coordinate is inf"),
        ("CELLS 2 9", "CELLS 2 8", "line 10", "found 3, expected how many vertices cell 1 has, at most 2"),
        ("CELLS 2 9", "CELLS 1 9", "line 8", "found 1 cells of 5 numbers in all, expected 9 numbers"),
        ("CELLS 2 9", "CELLS 9 2", "line 8", "at least one number for each of the 9 cells"),
        ("CELLS 2 9", "CELLS 2 999", "line 8", "found 999 numbers"),
        ("4 0 1 2 3", "-4 0 1 2 3", "line 9", "found -4, expected how many vertices"),
        ("4 0 1 2 3", "4 0 1 2 4", "line 9", "refers to vertex 4, but the vertices are numbered 0 to 3"),
        ("4 0 1 2 3", "4 0 -1 2 3", "line 9", "refers to vertex -1"),
        (
            "TYPES 2\n10\n5",
            "TYPES 2\n10\n9",
            "line 10",
            "a cell of type 9 with 3 vertices, expected 4 vertices",
        ),
        ("TYPES 2\n10\n5", "TYPES 2\n10\n300", "line 13", "found 300, expected the number of a cell type"),
        (
            "TYPES 2\n10\n5",
            "TYPES 1\n10\n",
            "line 12",
            "found 1 cell types, expected as many as there are cells, 2",
        ),
        ("CELL_TYPES 2\n10\n5\n", "", "line 11", "the file ends here, expected CELL_TYPES"),
        ("CELLS 2 9\n4 0 1 2 3\n3 0 1 2\n", "", "line 11", "expected CELLS"),
        ("CELLS 2", "POINTS 0 float CELLS 2", "line 8", "expected this keyword only once"),
    ] {
        assert!(GRID.contains(from), "{from}");
        let error = read(GRID.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(
            error.starts_with("a.vtk") && error.contains(place) && error.contains(what),
            "{to:?}: {error}"
        );
    }
}

#[test]
fn binary_errors_name_the_byte() {
    let bytes = old("3.0", true);
    let cells = bytes.windows(11).position(|w| w == b"CELLS 4 17\n").unwrap() + 11;
    let broken = |at: usize, value: i32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
        read(&bytes).unwrap_err().to_string()
    };
    // The fourth number of the first tetrahedron stands behind 3 + 4 numbers of the cells before and its own size.
    let error = broken(cells + 4 * (3 + 4 + 4), 99);
    assert_eq!(
        error,
        format!("a.vtk, byte {}: refers to vertex 99, but the vertices are numbered 0 to 4", cells + 44)
    );
    let error = broken(cells, i32::MAX);
    assert!(
        error.contains(&format!("byte {cells}: found 2147483647, expected how many vertices cell 0")),
        "{error}"
    );
    let points = bytes.windows(16).position(|w| w == b"POINTS 5 double\n").unwrap() + 16;
    let error = broken(points + 8, 0x7ff8_0000);
    assert_eq!(
        error,
        format!("a.vtk, byte {}: a coordinate is NaN; every coordinate must be a finite number", points + 8)
    );
    let error = read(&bytes[..points + 20]).unwrap_err().to_string();
    assert!(error.contains("found 15 coordinates, expected no more than the 20 bytes left"), "{error}");
}

#[test]
fn offsets_that_do_not_ascend_are_refused() {
    let text = String::from_utf8(new(false)).unwrap();
    for wrong in ["1 2 5 9 13", "0 5 2 9 13", "0 2 5 9 12", "0 2 5 99 13", "0 2 -5 9 13"] {
        let error = read(text.replace("0 2 5 9 13", wrong).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("expected an offset from"), "{wrong}: {error}");
    }
    let error = read(text.replace("vtktypeint64", "double").as_bytes()).unwrap_err().to_string();
    assert!(error.contains("an integer type for the offsets"), "{error}");
}

proptest! {
    #![proptest_config(pliant_testkit::config(600))]

    #[test]
    fn damage_gives_an_error_or_a_mesh(which in 0..5_usize, damages in mutation::damages()) {
        let (_, file) = variants().swap_remove(which);
        let file = mutation::damaged(&file, &damages);
        match read(&file) {
            Ok(imported) => prop_assert!(imported.report.vertices <= file.len()),
            Err(error) => prop_assert!(error.to_string().starts_with("a.vtk"), "{error}"),
        }
    }

    #[test]
    fn every_truncation_of_the_mesh_is_an_error(which in 0..5_usize, cut in any::<prop::sample::Index>()) {
        let (_, file) = variants().swap_remove(which);
        // Behind the last cell type comes a space or line end, and then the mesh has ended.
        let end = file.windows(10).rposition(|w| w == b"POINT_DATA").unwrap() - 3;
        prop_assert!(read(&file[..cut.index(end)]).is_err());
    }
}

//! Gmsh MSH in all its versions, text and binary: the same mesh from each, and errors with their places.

use std::fmt::Write;

use nalgebra::Vector3;
use pliant_io::{Format, ImportError, Imported, Mesh, read_mesh_bytes};
use pliant_mesh::TetMesh;
use proptest::prelude::*;

use crate::mutation;

/// Node numbers in no order, with a gap that is too large for an array.
const TAGS: [u64; 5] = [7, 3, 2_000_000_000, 4, 1];

fn positions() -> Vec<Vector3<f64>> {
    [[0.1, 0.0, -0.0], [1.0, 1e-300, 0.25], [0.0, 1.0 / 3.0, 0.0], [-0.125, 0.0, 1.0], [1e10, 2.0, 3.0]]
        .map(Vector3::from)
        .to_vec()
}

/// Elements by Gmsh type, with places of nodes: two tetrahedra, one triangle, a line.
const ELEMENTS: [(i32, &[usize]); 4] =
    [(1, &[0, 1]), (2, &[0, 2, 1]), (4, &[0, 1, 2, 3]), (4, &[4, 1, 2, 3])];

fn truth() -> TetMesh {
    TetMesh::new(positions(), vec![[0, 1, 2, 3], [4, 1, 2, 3]]).unwrap()
}

/// Writes numbers as a file of one kind has them.
struct Out {
    bytes: Vec<u8>,
    /// None in text, else whether the byte order is big-endian.
    binary: Option<bool>,
    size_bytes: usize,
}

impl Out {
    fn new(version: &str, binary: Option<bool>, size_bytes: usize) -> Self {
        let mut out = Self { bytes: Vec::new(), binary, size_bytes };
        out.line("$MeshFormat");
        out.line(&format!("{version} {} {size_bytes}", u8::from(binary.is_some())));
        if binary.is_some() {
            out.int(1);
            out.line("");
        }
        out.line("$EndMeshFormat");
        out
    }

    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn number<const N: usize>(&mut self, text: String, little: [u8; N]) {
        match self.binary {
            None => write!(self.text(), "{text} ").unwrap(),
            Some(big_endian) => {
                let mut bytes = little;
                if big_endian {
                    bytes.reverse();
                }
                self.bytes.extend_from_slice(&bytes);
            }
        }
    }

    fn text(&mut self) -> impl Write + '_ {
        struct Sink<'a>(&'a mut Vec<u8>);
        impl Write for Sink<'_> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.extend_from_slice(text.as_bytes());
                Ok(())
            }
        }
        Sink(&mut self.bytes)
    }

    fn int(&mut self, value: i32) {
        self.number(value.to_string(), value.to_le_bytes());
    }

    /// `size_t` of version 4.1.
    fn size(&mut self, value: u64) {
        if self.size_bytes == 4 {
            self.number(value.to_string(), (value as u32).to_le_bytes());
        } else {
            self.long(value);
        }
    }

    fn long(&mut self, value: u64) {
        self.number(value.to_string(), value.to_le_bytes());
    }

    fn double(&mut self, value: f64) {
        self.number(format!("{value:?}"), value.to_le_bytes());
    }

    fn point(&mut self, point: &Vector3<f64>) {
        point.iter().for_each(|&c| self.double(c));
    }

    /// In text, ends the line.
    fn end(&mut self) {
        if self.binary.is_none() {
            self.line("");
        }
    }
}

fn version_1() -> Vec<u8> {
    let mut out = String::from("$NOD\n5\n");
    for (tag, p) in TAGS.iter().zip(positions()) {
        // The numbers behind the coordinates are what Gmsh adds when it saves parameters.
        let parameters = if *tag == 3 { " 1 7 0.25" } else { "" };
        writeln!(out, "{tag} {:?} {:?} {:?}{parameters}", p.x, p.y, p.z).unwrap();
    }
    writeln!(out, "$ENDNOD\n$ELM\n4").unwrap();
    for (number, (kind, nodes)) in (10..).zip(ELEMENTS) {
        let nodes: Vec<String> = nodes.iter().map(|&n| TAGS[n].to_string()).collect();
        writeln!(out, "{number} {kind} 99 2 {} {}", nodes.len(), nodes.join(" ")).unwrap();
    }
    out.push_str("$ENDELM\n");
    out.into_bytes()
}

fn version_2(binary: Option<bool>, parametric: bool) -> Vec<u8> {
    let mut out = Out::new("2.2", binary, 8);
    out.line("$PhysicalNames\n1\n3 99 \"a $Nodes of no $Elements\"\n$EndPhysicalNames");
    out.line(if parametric { "$ParametricNodes" } else { "$Nodes" });
    out.line("5");
    for (k, (tag, position)) in TAGS.iter().zip(positions()).enumerate() {
        out.int(*tag as i32);
        out.point(&position);
        if parametric {
            let dimension = k % 4;
            out.int(dimension as i32);
            out.int(-5);
            for _ in 0..[0, 1, 2, 0][dimension] {
                out.double(f64::NAN);
            }
        }
        out.end();
    }
    out.line(if parametric { "\n$EndParametricNodes" } else { "\n$EndNodes" });
    out.line("$Elements");
    out.line("4");
    if binary.is_some() {
        for (first, block) in [(10, &ELEMENTS[..1]), (11, &ELEMENTS[1..2]), (12, &ELEMENTS[2..])] {
            out.int(block[0].0);
            out.int(block.len() as i32);
            out.int(3);
            for (number, (_, nodes)) in (first..).zip(block) {
                [number, 99, 2, -1].into_iter().for_each(|n| out.int(n));
                nodes.iter().for_each(|&n| out.int(TAGS[n] as i32));
            }
        }
    } else {
        for (number, (kind, nodes)) in (10..).zip(ELEMENTS) {
            [number, kind, 3, 99, 2, -1].into_iter().for_each(|n| out.int(n));
            nodes.iter().for_each(|&n| out.int(TAGS[n] as i32));
            out.end();
        }
    }
    out.line("\n$EndElements");
    out.line("$NodeData\n1\nx\n$EndNodeData");
    out.bytes
}

/// Nodes in three blocks, of which one is empty and the last one parametric.
fn version_40(binary: Option<bool>) -> Vec<u8> {
    let mut out = Out::new("4", binary, 8);
    out.line("$Nodes");
    out.long(3);
    out.long(5);
    out.end();
    for (dimension, parametric, range) in [(3, 0, 0..2), (0, 0, 2..2), (2, 1, 2..5)] {
        [17, dimension, parametric].into_iter().for_each(|n| out.int(n));
        out.long(range.len() as u64);
        out.end();
        for (&tag, position) in TAGS[range.clone()].iter().zip(&positions()[range]) {
            out.int(tag as i32);
            out.point(position);
            for _ in 0..parametric * dimension {
                out.double(0.5);
            }
            out.end();
        }
    }
    out.line("\n$EndNodes");
    out.line("$Elements");
    out.long(3);
    out.long(4);
    out.end();
    for (first, block) in [(10, &ELEMENTS[..1]), (11, &ELEMENTS[1..2]), (12, &ELEMENTS[2..])] {
        [1, 3, block[0].0].into_iter().for_each(|n| out.int(n));
        out.long(block.len() as u64);
        out.end();
        for (number, (_, nodes)) in (first..).zip(block) {
            out.int(number);
            nodes.iter().for_each(|&n| out.int(TAGS[n] as i32));
            out.end();
        }
    }
    out.line("\n$EndElements");
    out.bytes
}

fn version_41(binary: Option<bool>, size_bytes: usize) -> Vec<u8> {
    let mut out = Out::new("4.1", binary, size_bytes);
    out.line("$Entities\n0 0 0 0\n$EndEntities");
    out.line("$Nodes");
    [3, 5, 1, 2_000_000_000].into_iter().for_each(|n| out.size(n));
    out.end();
    for (dimension, parametric, range) in [(3, 1, 0..2), (0, 0, 2..2), (1, 1, 2..5)] {
        [dimension, 17, parametric].into_iter().for_each(|n| out.int(n));
        out.size(range.len() as u64);
        out.end();
        for &tag in &TAGS[range.clone()] {
            out.size(tag);
            out.end();
        }
        for position in &positions()[range] {
            out.point(position);
            for _ in 0..parametric * dimension {
                out.double(0.5);
            }
            out.end();
        }
    }
    out.line("\n$EndNodes");
    out.line("$Elements");
    [3, 4, 10, 13].into_iter().for_each(|n| out.size(n));
    out.end();
    for (first, block) in [(10, &ELEMENTS[..1]), (11, &ELEMENTS[1..2]), (12, &ELEMENTS[2..])] {
        [3, 1, block[0].0].into_iter().for_each(|n| out.int(n));
        out.size(block.len() as u64);
        out.end();
        for (number, (_, nodes)) in (first..).zip(block) {
            out.size(number);
            nodes.iter().for_each(|&n| out.size(TAGS[n]));
            out.end();
        }
    }
    out.line("\n$EndElements");
    out.line("$Periodic\n0\n$EndPeriodic");
    out.bytes
}

fn variants() -> Vec<(&'static str, Vec<u8>)> {
    let (little, big) = (Some(false), Some(true));
    vec![
        ("1", version_1()),
        ("2.2 text", version_2(None, false)),
        ("2.2 little-endian", version_2(little, false)),
        ("2.2 big-endian", version_2(big, false)),
        ("2.2 parametric text", version_2(None, true)),
        ("2.2 parametric binary", version_2(little, true)),
        ("4.0 text", version_40(None)),
        ("4.0 little-endian", version_40(little)),
        ("4.0 big-endian", version_40(big)),
        ("4.1 text", version_41(None, 8)),
        ("4.1 little-endian", version_41(little, 8)),
        ("4.1 big-endian", version_41(big, 8)),
        ("4.1 with 32-bit sizes", version_41(big, 4)),
    ]
}

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    read_mesh_bytes(Format::Msh, bytes, "a.msh")
}

fn error(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn every_variant_gives_the_same_mesh() {
    for (name, bytes) in variants() {
        assert_eq!(Format::from_content(&bytes), Some(Format::Msh), "{name}");
        let imported = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(imported.mesh, Mesh::Tet(truth()), "{name}");
        assert_eq!(imported.report.triangles, 1, "{name}");
        assert_eq!(imported.report.skipped.get("line"), Some(&1), "{name}");
    }
}

#[test]
fn elements_may_stand_before_the_nodes() {
    for (name, bytes) in [("text", version_2(None, false)), ("binary", version_41(Some(true), 8))] {
        let at = |needle: &[u8]| bytes.windows(needle.len()).position(|w| w == needle).unwrap();
        let (nodes, elements) = (at(b"\n$Nodes") + 1, at(b"\n$Elements") + 1);
        let end = at(b"$EndElements\n") + 13;
        let swapped = [&bytes[..nodes], &bytes[elements..end], &bytes[nodes..elements]].concat();
        assert_eq!(read(&swapped).unwrap().mesh, Mesh::Tet(truth()), "{name}");
    }
}

const SURFACE: &str = "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n5\r\n1 0 0 0\r\n2 1 0 0\r\n3 1 1 0\r\n\
    4 0 1 0\r\n5 2 0.5 0\r\n$EndNodes\r\n$Elements\r\n3\r\n1 3 2 0 1 1 2 3 4\r\n2 2 2 0 1 2 5 3\r\n\
    3 200 1 7 1 2 3 4 5\r\n$EndElements\r\n";

#[test]
fn quads_are_split_and_unknown_elements_counted() {
    let (mesh, report) = read(SURFACE.as_bytes()).unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [1, 4, 2]]);
    assert_eq!(report.polygons_fanned, 1);
    assert_eq!(report.skipped["element of Gmsh type 200"], 1);
}

#[test]
fn curved_elements_are_reduced_to_their_corners() {
    let nodes: String = (1..=10).map(|k| format!("{k} {} {} {}\n", k % 2, k % 3, k / 4)).collect();
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n{nodes}$EndNodes\n$Elements\n2\n\
         1 11 2 0 1 4 3 2 1 5 6 7 8 9 10\n2 9 2 0 1 1 2 3 5 6 7\n$EndElements"
    );
    let (mesh, report) = read(text.as_bytes()).unwrap().into_tet().unwrap();
    assert_eq!(mesh.tets(), [[3, 2, 1, 0]]);
    assert_eq!(mesh.positions().len(), 10);
    assert_eq!(report.triangles, 1);
    assert!(
        report.notes.iter().any(|note| note.contains("1 higher-order solid cells")),
        "{:?}",
        report.notes
    );
}

#[test]
fn more_tags_than_announced_are_noted() {
    let text = SURFACE.replace("2 2 2 0 1 2 5 3", "2 2 2 0 1 9 9 2 5 3");
    let (mesh, report) = read(text.as_bytes()).unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles()[2], [1, 4, 2]);
    assert!(report.notes.iter().any(|note| note.contains("more numbers on their line")));
}

#[test]
fn errors_name_the_line_and_both_sides() {
    for (from, to, place, what) in [
        ("2.2 0 8", "2.2 0 16", "line 2", "data size of 8"),
        ("2.2 0 8", "3.0 0 8", "", "version 3 cannot be read; save it again as 4.1"),
        ("2.2 0 8", "2.2 2 8", "line 2", "0 (text) or 1 (binary)"),
        ("$Nodes\r\n5", "$Nodes\r\n6", "line 11", "found \"$EndNodes\", expected the number of a node"),
        ("$Nodes\r\n5", "$Nodes\r\n4", "line 10", "found \"5 2 0.5 0\", expected $EndNodes"),
        ("$Nodes\r\n5", "$Nodes\r\n99999999999", "line 5", "no more nodes than the"),
        ("$Nodes\r\n5", "$Nodes\r\n-5", "line 5", "the number of nodes, alone on its line"),
        ("$Nodes\r\n5\r\n", "$Nodes\r\n", "line 5", "found \"1 0 0 0\""),
        ("2 1 0 0\r\n", "2 1 nan 0\r\n", "line 7", "coordinate is NaN"),
        ("2 1 0 0\r\n", "2 1 O 0\r\n", "line 7", "found \"O\", expected a coordinate"),
        ("2 1 0 0\r\n", "2 1 0 0 0\r\n", "line 7", "expected the end of the line"),
        (
            "1 2 3 4\r\n2",
            "1 2 9 4\r\n2",
            "line 14",
            "found \"9\", expected the number of a node (the 5 nodes",
        ),
        ("2 2 2 0 1", "2 2 7 0 1", "line 15", "a number of tags that leaves nodes on the line"),
        ("5 2 0.5 0", "4 2 0.5 0", "", "two nodes have the number 4"),
        ("$EndElements", "$EndElement", "line 17", "found \"$EndElement\", expected $EndElements"),
        ("$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n", "", "line 1", "expected $MeshFormat before it"),
        ("$MeshFormat\r\n", "(0 \"Fluent\")\r\n", "line 1", "Fluent and MuJoCo"),
    ] {
        assert!(SURFACE.contains(from));
        let error = error(SURFACE.replacen(from, to, 1).as_bytes());
        assert!(error.starts_with("a.msh"), "{error}");
        assert!(error.contains(place) && error.contains(what.trim_matches('"')), "{to:?}: {error}");
    }
}

#[test]
fn binary_errors_name_the_byte() {
    let bytes = version_41(Some(false), 8);
    let cut = error(&bytes[..bytes.len() - 90]);
    assert!(cut.contains("byte") && cut.contains("the file ends here"), "{cut}");
    let at = bytes.windows(8).position(|w| w == 7_u64.to_le_bytes()).unwrap();
    let mut lost = bytes.clone();
    lost[at] = 70;
    let error = error(&lost);
    assert!(
        error.contains("byte") && error.contains("found \"7\", expected the number of a node"),
        "{error}"
    );
}

#[test]
fn counts_beyond_the_file_are_refused_before_anything_is_made_of_them() {
    for (name, bytes) in variants() {
        for huge in [u64::from(u32::MAX) >> 1, u64::MAX, 1 << 40] {
            for at in 0..bytes.len().saturating_sub(8) {
                // Counts in binary files, wherever they are.
                let mut bytes = bytes.clone();
                let number = if name.contains("big") { huge.to_be_bytes() } else { huge.to_le_bytes() };
                bytes[at..at + 8].copy_from_slice(&number);
                let _ = read(&bytes);
            }
        }
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn damage_gives_an_error_or_a_mesh(which in 0..13_usize, damages in mutation::damages()) {
        let (_, file) = variants().swap_remove(which);
        let file = mutation::damaged(&file, &damages);
        match read(&file) {
            Ok(imported) => prop_assert!(imported.report.vertices <= file.len()),
            Err(error) => prop_assert!(error.to_string().starts_with("a.msh"), "{error}"),
        }
    }

    #[test]
    fn every_truncation_of_binary_nodes_is_an_error(which in 0..13_usize, cut in any::<prop::sample::Index>()) {
        let (_, file) = variants().swap_remove(which);
        let end = file.windows(9).rposition(|w| w == b"$Elements").unwrap_or(40);
        prop_assert!(read(&file[..cut.index(end)]).is_err());
    }
}

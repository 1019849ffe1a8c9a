//! TetGen: vertices in a `.node` file, tetrahedra in the `.ele` file beside it.
//!
//! Source: Hang Si, *TetGen: A Quality Tetrahedral Mesh Generator and 3D Delaunay Triangulator, User's Manual*,
//! section 5 "File Formats" (2013). Each file has a line of counts, then a line for each vertex or element that begins
//! with its number; numbers begin with 0 or 1. `#` begins a comment.

use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::load::load;
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;
use crate::text::{DataLines, next_coordinate, next_number, words};
use crate::utf16::{self, without_mark};

/// Reads the mesh of which `source` is either file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let Some(path) = source.path else {
        return Err(
            source.unsupported("a TetGen mesh given as bytes", "it is a pair of files: read it by its path")
        );
    };
    let given_elements = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ele"));
    let (what, other_path) = if given_elements {
        ("file of vertices", beside(path, "node"))
    } else {
        ("file of tetrahedra", beside(path, "ele"))
    };
    let other_bytes = load(&other_path).map_err(|error| match error {
        ImportError::Io { path, source: cause } => {
            ImportError::MissingSibling { file: source.name.to_owned(), what, path, source: cause }
        }
        other => other,
    })?;
    let other_name = other_path.display().to_string();
    let bytes = without_mark(&other_bytes);
    let other = Source { path: Some(&other_path), name: &other_name, bytes, attributes: source.attributes };
    utf16::refuse(&other, false)?;
    let (node, ele) = if given_elements { (&other, source) } else { (source, &other) };

    let mut raw = RawMesh::new(source);
    let first = read_nodes(node, &mut raw)?;
    read_elements(ele, first, &mut raw)?;
    Ok(raw)
}

/// The path with the other extension, in capitals if the given one is.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let capitals =
        path.extension().and_then(|e| e.to_str()).is_some_and(|e| e.chars().all(char::is_uppercase));
    path.with_extension(if capitals { extension.to_uppercase() } else { extension.to_owned() })
}

/// Reads the vertices and returns the number of the first, 0 or 1.
fn read_nodes(source: &Source<'_>, raw: &mut RawMesh) -> Result<i64, ImportError> {
    let mut rows = Rows::new(source);
    let (line, mut counts) = rows.next("the number of vertices")?;
    let vertices: usize = next_number(source, line, &mut counts, "the number of vertices")?;
    let dimensions: usize = next_number(source, line, &mut counts, "the dimension 3")?;
    if dimensions != 3 {
        return Err(
            source.unsupported(format!("a mesh of {dimensions} dimensions"), "export it in three dimensions")
        );
    }
    let (attributes, markers) = (optional(source, line, &mut counts)?, optional(source, line, &mut counts)?);
    let mut columns = Columns::new(source, Location::Vertices, attributes, markers, "tetgen:attr");
    let mut first = 0;
    for i in 0..vertices {
        let (line, mut row) = rows.next(&format!("vertex {i} of {vertices}"))?;
        first = row_number(source, line, &mut row, i, first)?;
        let x = next_coordinate(source, line, &mut row)?;
        let y = next_coordinate(source, line, &mut row)?;
        let z = next_coordinate(source, line, &mut row)?;
        columns.row(source, line, row)?;
        raw.positions.push(Vector3::new(x, y, z));
    }
    rows.end(&format!("vertices; the first line announces {vertices}"))?;
    columns.end(source, raw)?;
    Ok(first)
}

/// Reads the tetrahedra, whose vertices are numbered from `first`.
fn read_elements(source: &Source<'_>, first: i64, raw: &mut RawMesh) -> Result<(), ImportError> {
    let vertices = raw.positions.len();
    let mut rows = Rows::new(source);
    let (line, mut counts) = rows.next("the number of tetrahedra")?;
    let tets: usize = next_number(source, line, &mut counts, "the number of tetrahedra")?;
    let corners: usize = counts.next().map_or(Ok(4), |word| {
        next_number(source, line, &mut std::iter::once(word), "the number of vertices of each, 4 or 10")
    })?;
    if corners != 4 && corners != 10 {
        return Err(source.unsupported(
            format!("elements of {corners} vertices"),
            "TetGen tetrahedra have 4 or 10; meshes of triangles are read as OBJ, PLY or STL",
        ));
    }
    if corners == 10 && tets > 0 {
        raw.notes.push(format!("{tets} quadratic tetrahedra were reduced to their corners"));
    }
    let attributes = optional(source, line, &mut counts)?;
    let mut columns = Columns::new(source, Location::Elements, attributes, 0, "tetgen:ref");
    let mut first_row = 0;
    for i in 0..tets {
        let (line, mut row) = rows.next(&format!("tetrahedron {i} of {tets}"))?;
        let place = Place::Line(line);
        first_row = row_number(source, line, &mut row, i, first_row)?;
        let mut tet = [0; 4];
        for i in 0..4 {
            let index: i64 = next_number(source, line, &mut row, "the number of a vertex")?;
            tet[i] = match index.checked_sub(first).and_then(|from_zero| u32::try_from(from_zero).ok()) {
                Some(corner) if (corner as usize) < vertices => corner,
                _ => return Err(source.index_error(place, index, first, vertices)),
            };
            if tet[..i].contains(&tet[i]) {
                return Err(source.repeated(place, "tetrahedron", index));
            }
        }
        for _ in 4..corners {
            row.next();
        }
        columns.row(source, line, row)?;
        raw.tets.push(tet);
        raw.end_cell();
    }
    rows.end(&format!("tetrahedra; the first line announces {tets}"))?;
    columns.end(source, raw)
}

/// A count at the end of the first line, 0 if it is not there or attributes are not wanted.
fn optional<'a>(
    source: &Source<'_>,
    line: usize,
    counts: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<usize, ImportError> {
    match counts.next() {
        Some(word) if source.attributes => {
            next_number(source, line, &mut std::iter::once(word), "a number of attributes or markers")
        }
        _ => Ok(0),
    }
}

/// The numbers behind vertices or corners: attributes, and a marker.
struct Columns {
    fields: Vec<RawField>,
}

impl Columns {
    /// Attributes are named after `name`, with their number behind it except for the first of elements.
    fn new(source: &Source<'_>, location: Location, attributes: usize, markers: usize, name: &str) -> Self {
        // Each takes a character of the first line's rows at least.
        let attributes = attributes.min(source.bytes.len());
        let named = |i: usize| match (location, i) {
            (Location::Elements, 0) => name.to_owned(),
            _ => format!("{name}{}", i + 1),
        };
        let field = |name, integer| RawField::scalars(name, location, integer, Vec::new());
        let whole = location == Location::Elements;
        let mut fields: Vec<RawField> = (0..attributes).map(|i| field(named(i), whole)).collect();
        if markers > 0 {
            fields.push(field("tetgen:ref".to_owned(), true));
        }
        Self { fields }
    }

    fn row<'a>(
        &mut self,
        source: &Source<'_>,
        line: usize,
        mut row: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), ImportError> {
        for field in &mut self.fields {
            let value: f64 =
                next_number(source, line, &mut row, &format!("a number of the attribute {:?}", field.name))?;
            field.integer &= value.fract() == 0.0;
            field.values.push(value);
        }
        Ok(())
    }

    fn end(self, source: &Source<'_>, raw: &mut RawMesh) -> Result<(), ImportError> {
        let Some(attributes) = &mut raw.attributes else { return Ok(()) };
        self.fields.into_iter().try_for_each(|field| attributes.add(source, 0, field))
    }
}

/// The number that row `i` begins with; row 0 decides whether they begin with 0 or 1. Returns the first number.
fn row_number<'a>(
    source: &Source<'_>,
    line: usize,
    row: &mut (impl Iterator<Item = &'a [u8]> + Clone),
    i: usize,
    first: i64,
) -> Result<i64, ImportError> {
    let word = row.clone().next().unwrap_or_default();
    let found: i64 = next_number(source, line, row, "the number of the row")?;
    let first = if i == 0 { found } else { first };
    if first != 0 && first != 1 {
        return Err(source.parse_error(Place::Line(line), word, "the number of the first row, 0 or 1"));
    }
    let due = first.saturating_add(i64::try_from(i).unwrap_or(i64::MAX));
    if found != due {
        return Err(source.parse_error(
            Place::Line(line),
            word,
            format!("row number {due}, following the last"),
        ));
    }
    Ok(first)
}

/// The lines of a file that are neither blank nor comments.
struct Rows<'s> {
    source: &'s Source<'s>,
    lines: DataLines<'s>,
    last: usize,
}

impl<'s> Rows<'s> {
    fn new(source: &'s Source<'s>) -> Self {
        Self { source, lines: DataLines::new(source.bytes), last: 1 }
    }

    /// The words of the next row with their line; `expected` is what the file lacks without one.
    fn next(
        &mut self,
        expected: &str,
    ) -> Result<(usize, impl Iterator<Item = &'s [u8]> + Clone + use<'s>), ImportError> {
        let (line, text) =
            self.lines.next().ok_or_else(|| self.source.truncated(Place::Line(self.last), expected))?;
        self.last = line;
        Ok((line, words(text)))
    }

    /// Demands that no row follows.
    fn end(&mut self, what: &str) -> Result<(), ImportError> {
        match self.lines.next() {
            None => Ok(()),
            Some((line, text)) => {
                Err(self.source.parse_error(Place::Line(line), text.trim_ascii(), format!("no more {what}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Mesh, read_mesh};

    const NODE: &str = "# made by hand\n5 3 1 1\n1 0 0 0 0.5 0\n\n2 1 0 0 0.5 0 # two\n3 0 1 0 0.5 0\n4 0 0 1 0.5 1\n5 1 1 1 0 0\n";
    const ELE: &str = "2 4 0\n1 1 2 3 4\n2 2 3 4 5 17\n# end\n";

    fn read_pair(node: &str, ele: &str, given: &str) -> Result<crate::Imported, ImportError> {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a.1.node"), node).unwrap();
        fs::write(directory.path().join("a.1.ele"), ele).unwrap();
        read_mesh(directory.path().join(given))
    }

    #[test]
    fn either_file_finds_the_other() {
        for given in ["a.1.node", "a.1.ele"] {
            let imported = read_pair(NODE, ELE, given).unwrap();
            let Mesh::Tet(mesh) = &imported.mesh else { panic!("{imported:?}") };
            assert_eq!(mesh.tets(), [[0, 1, 2, 3], [1, 2, 3, 4]]);
            assert_eq!(mesh.positions()[4], Vector3::new(1.0, 1.0, 1.0));
        }
    }

    #[test]
    fn numbers_begin_with_0_too() {
        let node = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
        let imported = read_pair(node, "1 4\n0 0 1 2 3\n", "a.1.ele").unwrap();
        assert_eq!(imported.report.tets, 1);
    }

    #[test]
    fn quadratic_tetrahedra_are_reduced() {
        let ele = "1 10 0\n1 1 2 3 4 5 5 5 5 5 5\n";
        let imported = read_pair(NODE, ele, "a.1.ele").unwrap();
        assert_eq!(imported.report.notes, ["1 quadratic tetrahedra were reduced to their corners"]);
        assert_eq!(imported.report.unreferenced_vertices, [4]);
    }

    #[test]
    fn errors_name_the_file_that_has_them() {
        for (node, ele, expected) in [
            (NODE.replace("3 0 1 0", "3 0 nan 0"), ELE.to_owned(), "a.1.node, line 6: a coordinate is NaN"),
            (
                NODE.replace("3 0 1 0", "7 0 1 0"),
                ELE.to_owned(),
                "a.1.node, line 6: found \"7\", expected row number 3",
            ),
            (
                NODE.replace("\n1 0 0 0", "\n2 0 0 0"),
                ELE.to_owned(),
                "a.1.node, line 3: found \"2\", expected the number",
            ),
            (NODE.replace("5 3 1", "5 2 1"), ELE.to_owned(), "a mesh of 2 dimensions"),
            (
                NODE.replace("5 3 1", "999999999999 3 1"),
                ELE.to_owned(),
                "a.1.node, line 8: the file ends here",
            ),
            (
                NODE.to_owned(),
                ELE.replace("1 2 3 4", "0 2 3 4"),
                "line 2: refers to vertex 0, but the vertices are numbered 1 to 5",
            ),
            (NODE.to_owned(), ELE.replace("1 2 3 4", "1 2 3 6"), "a.1.ele, line 2: refers to vertex 6"),
            (
                NODE.to_owned(),
                ELE.replace("1 2 3 4", "1 2 2 4"),
                "a.1.ele, line 2: the tetrahedron names vertex 2 twice",
            ),
            (
                NODE.to_owned(),
                ELE.replace("2 4 0", "3 4 0"),
                "a.1.ele, line 3: the file ends here, expected tetrahedron 2 of 3",
            ),
            (
                NODE.to_owned(),
                ELE.replace("2 4 0", "1 4 0"),
                "a.1.ele, line 3: found \"2 2 3 4 5 17\", expected no more",
            ),
            (NODE.to_owned(), ELE.replace("2 4 0", "2 3 0"), "elements of 3 vertices"),
        ] {
            let error = read_pair(&node, &ele, "a.1.node").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_missing_half_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let node = directory.path().join("b.node");
        fs::write(&node, NODE).unwrap();
        let error = read_mesh(&node).unwrap_err();
        assert!(matches!(error, ImportError::MissingSibling { .. }));
        assert!(error.to_string().contains("b.ele"), "{error}");
        assert!(crate::read_mesh_bytes(crate::Format::TetGen, NODE.as_bytes(), "x").is_err());
    }
}

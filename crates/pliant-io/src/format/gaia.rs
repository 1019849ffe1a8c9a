//! `.t` files: a line `Vertex i x y z` for each vertex, then a line `Tet i a b c d` for each tetrahedron.
//!
//! The meshes of Gaia (A. Chen et al. 2024, *Vertex Block Descent*) come in this form. Vertices are numbered
//! in a row from 0 or 1.

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{DataLines, next_coordinate, next_number, words};

/// Whether a file begins like one of these; `text` has no white space in front.
pub(crate) fn is_gaia(text: &[u8]) -> bool {
    let mut line = words(text.split(|&b| b == b'\n').next().unwrap_or_default());
    line.next() == Some(b"Vertex") && line.count() >= 4
}

/// Reads a `.t` file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut raw = RawMesh::new(source);
    let mut first = 0;
    for (line, text) in DataLines::new(source.bytes) {
        let mut row = words(text);
        let kind = row.next().unwrap_or_default();
        match kind {
            b"Vertex" => {
                let number: i64 = next_number(source, line, &mut row, "the number of the vertex")?;
                if raw.positions.is_empty() && matches!(number, 0 | 1) {
                    first = number;
                }
                let due = first + raw.positions.len() as i64;
                if number != due {
                    let expected = format!("vertex number {due}, following the last");
                    return Err(source.parse_error(
                        Place::Line(line),
                        number.to_string().as_bytes(),
                        expected,
                    ));
                }
                let mut coordinate = || next_coordinate(source, line, &mut row);
                raw.positions.push(Vector3::new(coordinate()?, coordinate()?, coordinate()?));
            }
            b"Tet" => {
                next_number::<i64>(source, line, &mut row, "the number of the tetrahedron")?;
                let corners = corners(source, line, &mut row, "tetrahedron", first, raw.positions.len())?;
                raw.tets.push(corners);
            }
            b"Face" => {
                next_number::<i64>(source, line, &mut row, "the number of the triangle")?;
                let corners = corners(source, line, &mut row, "triangle", first, raw.positions.len())?;
                raw.triangles.push(corners);
            }
            b"Edge" => raw.skip("line", 1),
            _ => {
                return Err(source.parse_error(Place::Line(line), kind, "\"Vertex\", \"Tet\" or \"Face\""));
            }
        }
    }
    Ok(raw)
}

fn corners<'a, const N: usize>(
    source: &Source<'_>,
    line: usize,
    row: &mut impl Iterator<Item = &'a [u8]>,
    element: &'static str,
    first: i64,
    vertices: usize,
) -> Result<[u32; N], ImportError> {
    let mut corners = [0; N];
    for i in 0..N {
        let index: i64 = next_number(source, line, row, "the number of a vertex that stands above")?;
        corners[i] = match index.checked_sub(first).and_then(|index| u32::try_from(index).ok()) {
            Some(corner) if (corner as usize) < vertices => corner,
            _ => return Err(source.index_error(Place::Line(line), index, first, vertices)),
        };
        if corners[..i].contains(&corners[i]) {
            return Err(source.repeated(Place::Line(line), element, index));
        }
    }
    Ok(corners)
}

#[cfg(test)]
mod tests {
    use crate::{Format, read_mesh_bytes};

    const TEXT: &str = "Vertex 1 0 0 0\nVertex 2 1 0 0\nVertex 3 0 1 0\nVertex 4 0 0 1\nTet 1 1 2 3 4\n";

    #[test]
    fn rows_are_read_and_errors_name_the_line() {
        assert_eq!(Format::from_content(TEXT.as_bytes()), Some(Format::Gaia));
        let (mesh, _) = read_mesh_bytes(Format::Gaia, TEXT.as_bytes(), "a.t").unwrap().into_tet().unwrap();
        assert_eq!(mesh.tets(), [[0, 1, 2, 3]]);
        for (from, to, expected) in [
            ("Vertex 3", "Vertex 9", "line 3: found \"9\", expected vertex number 3"),
            ("1 2 3 4", "1 2 3 0", "refers to vertex 0, but the vertices are numbered 1 to 4"),
            ("1 2 3 4", "1 2 2 4", "names vertex 2 twice"),
            ("Tet", "Hex", "line 5: found \"Hex\""),
        ] {
            let text = TEXT.replace(from, to);
            let error = read_mesh_bytes(Format::Gaia, text.as_bytes(), "a.t").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

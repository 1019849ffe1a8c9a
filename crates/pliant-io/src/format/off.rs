//! OFF, the object file format of Geomview: counts, then a vertex a line, then a face a line.
//!
//! Source: *Geomview manual*, "OFF Files" (M. Phillips et al., 1996). Normals, colours and texture coordinates of the
//! variants `COFF`, `NOFF`, `STOFF` follow on the lines of the vertices and are passed over.

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{DataLines, next_coordinate, next_number, words};

/// Whether a file begins like OFF; `text` has no white space in front.
pub(crate) fn is_off(text: &[u8]) -> bool {
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    after_keyword(word).is_some_and(|rest| rest.iter().all(u8::is_ascii_digit))
}

/// What stands behind the keyword in a word: usually nothing, but some files lack the space before the counts.
fn after_keyword(word: &[u8]) -> Option<&[u8]> {
    let mut rest = word;
    for prefix in [&b"ST"[..], b"C", b"N"] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    rest.strip_prefix(b"OFF")
}

/// Reads an OFF file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut lines = DataLines::new(source.bytes);
    let last = lines.clone().last().map_or(1, |(line, _)| line);
    let ends = |expected: String| source.truncated(Place::Line(last), expected);

    let (mut line, mut text) = lines.next().ok_or_else(|| ends("OFF".to_owned()))?;
    let first = words(text).next().unwrap_or_default();
    if matches!(first, b"4OFF" | b"nOFF" | b"C4OFF" | b"CnOFF" | b"4nOFF") {
        return Err(source.unsupported("OFF of other than three dimensions", "export it in three dimensions"));
    }
    if let Some(rest) = after_keyword(first) {
        let keyword = first.len() - rest.len();
        text = &text.trim_ascii_start()[keyword..];
        if words(text).next() == Some(b"BINARY") {
            return Err(source.unsupported("binary OFF", "export it as text, or as PLY"));
        }
        if words(text).next().is_none() {
            (line, text) =
                lines.next().ok_or_else(|| ends("the numbers of vertices and faces".to_owned()))?;
        }
    }
    let mut counts = words(text);
    let vertices: usize = next_number(source, line, &mut counts, "the number of vertices")?;
    let faces: usize = next_number(source, line, &mut counts, "the number of faces")?;

    let mut raw = RawMesh::new(source);
    for i in 0..vertices {
        let (line, text) = lines.next().ok_or_else(|| ends(format!("vertex {i} of {vertices}")))?;
        let mut words = words(text);
        let x = next_coordinate(source, line, &mut words)?;
        let y = next_coordinate(source, line, &mut words)?;
        let z = next_coordinate(source, line, &mut words)?;
        raw.positions.push(Vector3::new(x, y, z));
    }
    let mut corners = Vec::new();
    for i in 0..faces {
        let (line, text) = lines.next().ok_or_else(|| ends(format!("face {i} of {faces}")))?;
        let mut words = words(text);
        let count: usize = next_number(source, line, &mut words, "the number of corners of a face")?;
        corners.clear();
        for _ in 0..count {
            let index: i64 = next_number(source, line, &mut words, "the number of a vertex")?;
            match u32::try_from(index) {
                Ok(corner) if (corner as usize) < vertices => corners.push(corner),
                _ => return Err(source.index_error(Place::Line(line), index, 0, vertices)),
            }
        }
        if count < 3 {
            raw.skip("face of fewer than three corners", 1);
        } else if let Err(twice) = raw.push_face(&corners) {
            return Err(source.repeated(Place::Line(line), "face", i64::from(twice)));
        }
        raw.end_cell();
    }
    if let Some((line, _)) = lines.next() {
        raw.notes.push(format!("line {line} and what follows it belong to no vertex and no face"));
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<RawMesh, ImportError> {
        read(&Source::of("a.off", text.as_bytes()))
    }

    #[test]
    fn the_keyword_may_stand_anyhow() {
        let body = "4 1 0 # counts\n\n0 0 0 255 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n";
        for head in ["OFF\n", "OFF ", "OFF", "  \t OFF\n# c\n", "COFF\n", "STCNOFF\n", ""] {
            let raw = parse(&format!("{head}{body}")).unwrap();
            assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3]], "{head:?}");
            assert_eq!(raw.positions.len(), 4);
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: refers to vertex 3"),
            (
                "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
                "line 6: found nothing, expected the number of a vertex",
            ),
            ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1\n", "line 6: the face names vertex 1 twice"),
            ("OFF\n99999999999 1 0\n0 0 0\n", "line 3: the file ends here, expected vertex 1 of 99999999999"),
            ("OFF\n1 1 0\n0 inf 0\n", "line 3: a coordinate is inf"),
            ("OFF BINARY\n", "binary OFF"),
            ("nOFF\n4\n", "three dimensions"),
            ("", "expected OFF"),
        ] {
            let error = parse(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

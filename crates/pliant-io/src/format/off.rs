//! OFF, the object file format of Geomview: counts, then vertices, then faces, each beginning on a line of its own.
//!
//! Source: *Geomview manual*, "OFF Files" (M. Phillips et al., 1996). Normals, colours and texture
//! coordinates of the variants `COFF`, `NOFF`, `STOFF` follow on the lines of the vertices and are passed
//! over, as are colours behind faces. A colour ends with its line, but the numbers before it may run over
//! several.

use std::str::FromStr;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{DataLines, next_number, number, words};

/// Whether a file begins like OFF; `text` has no white space in front.
pub(crate) fn is_off(text: &[u8]) -> bool {
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    after_keyword(word).is_some_and(|rest| rest.iter().all(u8::is_ascii_digit))
}

/// The rest of a word behind the keyword: usually empty, but some files lack the space before the counts.
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
    let mut rows = Rows { source, lines, line, rest: &[], last, joined: None };
    for i in 0..vertices {
        rows.begin(|| format!("vertex {i} of {vertices}"))?;
        let mut coordinate = || rows.finite("a coordinate");
        raw.positions.push(Vector3::new(coordinate()?, coordinate()?, coordinate()?));
    }
    let mut corners = Vec::new();
    for i in 0..faces {
        rows.begin(|| format!("face {i} of {faces}"))?;
        let count: usize = rows.number("the number of corners of a face")?;
        corners.clear();
        for _ in 0..count {
            let index: i64 = rows.number("the number of a vertex")?;
            match u32::try_from(index) {
                Ok(corner) if (corner as usize) < vertices => corners.push(corner),
                _ => return Err(source.index_error(Place::Line(rows.line), index, 0, vertices)),
            }
        }
        if count < 3 {
            raw.skip("face of fewer than three corners", 1);
        } else {
            raw.push_face(&corners);
        }
        raw.end_cell();
    }
    if let Some((line, _)) = rows.lines.next() {
        raw.notes.push(format!("line {line} and what follows it belong to no vertex and no face"));
    }
    Ok(raw)
}

/// Vertices and faces. Each begins on a line of its own and may continue on the next ones; what stands behind it on its
/// last line, a normal or a colour, is passed over.
struct Rows<'a> {
    source: &'a Source<'a>,
    lines: DataLines<'a>,
    /// The current line, and the rest of it.
    line: usize,
    rest: &'a [u8],
    /// The last line of the file.
    last: usize,
    /// The first line that continues on the next one.
    joined: Option<usize>,
}

impl Rows<'_> {
    /// Goes to the next line.
    fn begin(&mut self, what: impl FnOnce() -> String) -> Result<(), ImportError> {
        let Some((line, text)) = self.lines.next() else {
            let mut expected = what();
            // A row that lacks a number takes it from the next one, which is noticed only here.
            if let Some(line) = self.joined {
                expected += &format!(" (line {line} lacks numbers and was read together with the next)");
            }
            return Err(self.source.truncated(Place::Line(self.last), expected));
        };
        (self.line, self.rest) = (line, text);
        Ok(())
    }

    /// The next word as a number, on whatever line it stands.
    fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ImportError> {
        self.rest = self.rest.trim_ascii_start();
        while self.rest.is_empty() {
            let before = self.line;
            self.begin(|| what.to_owned())?;
            self.joined.get_or_insert(before);
            self.rest = self.rest.trim_ascii_start();
        }
        let length = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        number(word).ok_or_else(|| self.source.parse_error(Place::Line(self.line), word, what))
    }

    /// The next word as a finite number.
    fn finite(&mut self, what: &str) -> Result<f64, ImportError> {
        let value: f64 = self.number(what)?;
        if value.is_finite() { Ok(value) } else { Err(self.source.non_finite(Place::Line(self.line), value)) }
    }
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
    fn vertices_and_faces_may_run_over_several_lines() {
        let text = "OFF 5 3 0\n0 0 0\n1 0\n0\n1 1 0 9 9\n0 1 0\n2 2 2\n\
            4 0 1 # half of it\n\n2 3 0.5 0.5 0.5\n3\n0\n1\n2\n3 2 3 4 1 0 0\n";
        let raw = parse(text).unwrap();
        assert_eq!(raw.positions[1..3], [Vector3::x(), Vector3::new(1.0, 1.0, 0.0)]);
        assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [2, 3, 4]]);
        assert!(raw.notes.is_empty(), "{:?}", raw.notes);
        let many = format!("OFF 300 1 0\n{}300\n{}", "0 0 0\n".repeat(300), {
            let numbers: Vec<String> = (0..300).map(|v| v.to_string()).collect();
            numbers.chunks(20).map(|line| line.join(" ") + "\n").collect::<String>()
        });
        assert_eq!(parse(&many).unwrap().triangles.len(), 298);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: refers to vertex 3"),
            (
                "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
                "line 6: the file ends here, expected the number of a vertex",
            ),
            ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0\n1\n7\n", "line 8: refers to vertex 7"),
            (
                "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1\n3 0 1 2\n3 2 1 0\n",
                "line 9: the file ends here, expected face 2 of 3 (line 7 lacks numbers and was read together",
            ),
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

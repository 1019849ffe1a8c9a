//! STL: triangles with their corners written out, as text or binary.
//!
//! Source: 3D Systems, *StereoLithography Interface Specification* (1988). Corners at exactly the same place become one
//! vertex, numbered in the order of first occurrence. The crate `stl_io` was not used because it reads text as f32,
//! which loses digits that CAD programs write, and trusts the word `solid` over the size of a binary file.

use std::collections::HashMap;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::format::cursor::Cursor;
use crate::raw::RawMesh;
use crate::source::Source;

/// Length of the binary header: 80 free bytes and the number of triangles.
const HEADER: usize = 84;
/// Length of a binary triangle: normal and corners of three f32 each, and two bytes of attributes.
const RECORD: usize = 50;

/// Whether the size of a file is that of a binary STL with the number of triangles it announces. A text
/// cannot pass: its characters would announce more than 150 million triangles.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    announced(bytes)
        .is_some_and(|count| bytes.len() as u64 == HEADER as u64 + RECORD as u64 * u64::from(count))
}

/// Whether a file begins like STL as text; `text` has no white space in front.
pub(crate) fn is_text(text: &[u8]) -> bool {
    let head = &text[..text.len().min(1024)];
    starts_with_word(head, b"solid")
        && head.iter().all(|&byte| byte != 0)
        && ["facet", "endsolid"]
            .iter()
            .any(|word| head.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes())))
}

fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(80..HEADER)?;
    Some(u32::from_le_bytes([count[0], count[1], count[2], count[3]]))
}

fn starts_with_word(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len()
        && text[..word.len()].eq_ignore_ascii_case(word)
        && text.get(word.len()).is_none_or(u8::is_ascii_whitespace)
}

/// Reads an STL file. Many binary files begin with the word `solid` too: the size decides.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let text = source.bytes.trim_ascii_start();
    if !is_binary(source.bytes)
        && (is_text(text) || (source.bytes.len() < HEADER && starts_with_word(text, b"solid")))
    {
        read_text(source)
    } else {
        read_binary(source)
    }
}

fn read_binary(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let end = source.bytes.len();
    let count = announced(source.bytes).ok_or_else(|| {
        source.truncated(Place::Byte(end), "84 bytes of binary header, or the word \"solid\" of a text")
    })? as usize;
    let body = &source.bytes[HEADER..];
    if body.len() / RECORD < count {
        return Err(source.truncated(
            Place::Byte(end),
            format!("{count} triangles of 50 bytes, of which {} are there", body.len() / RECORD),
        ));
    }
    let mut welder = Welder::new(source);
    // A closed surface has half as many vertices as triangles.
    welder.known.reserve(count / 2);
    welder.raw.positions.reserve(count / 2);
    welder.raw.triangles.reserve(count);
    for (i, record) in body.chunks_exact(RECORD).take(count).enumerate() {
        let coordinate = |at: usize| {
            f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
        };
        let corners =
            [12, 24, 36].map(|at| Vector3::new(coordinate(at), coordinate(at + 4), coordinate(at + 8)));
        let place = || Place::Byte(HEADER + RECORD * i);
        welder.push(source, place, corners)?;
    }
    let mut raw = welder.finish();
    let left = body.len() - RECORD * count;
    if left > 0 {
        raw.notes.push(format!("{left} bytes follow the {count} triangles that the header announces"));
    }
    Ok(raw)
}

fn read_text(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::within(*source, 0..source.bytes.len());
    let mut welder = Welder::new(source);
    let mut solids = 0;
    loop {
        let word = cursor.word();
        if word.is_empty() {
            break;
        }
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(cursor.unexpected(
                cursor.pos() - word.len(),
                word,
                "\"solid\" or the end of the file",
            ));
        }
        let name = cursor.line().trim_ascii();
        if let Some(attributes) = &mut welder.raw.attributes {
            let name = String::from_utf8_lossy(name);
            let groups = if name.is_empty() { Vec::new() } else { vec![attributes.group(&name)] };
            attributes.label = attributes.new_label(groups);
        }
        solids += 1;
        while facet(source, &mut cursor, &mut welder)? {}
        cursor.line();
    }
    let mut raw = welder.finish();
    if solids > 1 {
        raw.notes.push(format!("{solids} solids became one mesh"));
    }
    Ok(raw)
}

/// Reads a facet, or returns false behind the word `endsolid`.
fn facet(source: &Source<'_>, cursor: &mut Cursor<'_>, welder: &mut Welder) -> Result<bool, ImportError> {
    let word = cursor.word();
    let at = cursor.pos() - word.len();
    if word.eq_ignore_ascii_case(b"endsolid") {
        return Ok(false);
    }
    if !word.eq_ignore_ascii_case(b"facet") {
        return Err(cursor.unexpected(at, word, "\"facet\" or \"endsolid\""));
    }
    // The normal follows from the corners; some programs write none, or NaN.
    cursor.line();
    expect(cursor, "outer")?;
    expect(cursor, "loop")?;
    let mut corners = [Vector3::zeros(); 3];
    for corner in &mut corners {
        expect(cursor, "vertex")?;
        *corner = Vector3::new(
            cursor.finite("a coordinate")?,
            cursor.finite("a coordinate")?,
            cursor.finite("a coordinate")?,
        );
    }
    expect(cursor, "endloop")?;
    expect(cursor, "endfacet")?;
    welder.push(source, || cursor.line_of(at), corners)?;
    Ok(true)
}

fn expect(cursor: &mut Cursor<'_>, keyword: &str) -> Result<(), ImportError> {
    let word = cursor.word();
    if word.eq_ignore_ascii_case(keyword.as_bytes()) {
        return Ok(());
    }
    Err(cursor.unexpected(cursor.pos() - word.len(), word, format!("\"{keyword}\"")))
}

/// Gives corners at exactly the same place the same number.
#[derive(Default)]
struct Welder {
    raw: RawMesh,
    // Only looked up, so that its order affects nothing.
    known: HashMap<[u64; 3], u32>,
    collapsed: usize,
}

impl Welder {
    fn new(source: &Source<'_>) -> Self {
        Self { raw: RawMesh::new(source), ..Self::default() }
    }

    fn push(
        &mut self,
        source: &Source<'_>,
        place: impl Fn() -> Place,
        corners: [Vector3<f64>; 3],
    ) -> Result<(), ImportError> {
        let mut triangle = [0; 3];
        let mut collapsed = false;
        for (i, position) in corners.into_iter().enumerate() {
            if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
                return Err(source.non_finite(place(), value));
            }
            let next = u32::try_from(self.raw.positions.len()).map_err(|_| ImportError::TooLarge {
                file: source.name.to_owned(),
                what: "vertices",
                count: self.raw.positions.len() as u64,
                limit: u64::from(u32::MAX),
            })?;
            // Adding 0 turns -0 into 0: both are the same place.
            let key = [position.x, position.y, position.z].map(|c| (c + 0.0).to_bits());
            let mut vertex = *self.known.entry(key).or_insert(next);
            // A facet with two corners at one place stays a facet: the second corner keeps a vertex of its own.
            if triangle[..i].contains(&vertex) {
                collapsed = true;
                vertex = next;
            }
            if vertex == next {
                self.raw.positions.push(position);
            } else {
                self.raw.vertices_welded += 1;
            }
            triangle[i] = vertex;
        }
        self.collapsed += usize::from(collapsed);
        self.raw.triangles.push(triangle);
        self.raw.end_cell();
        Ok(())
    }

    fn finish(mut self) -> RawMesh {
        if self.collapsed > 0 {
            self.raw.notes.push(format!(
                "{} facets have two corners at one place; these corners were not merged",
                self.collapsed
            ));
        }
        self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<RawMesh, ImportError> {
        read(&Source::of("a.stl", bytes))
    }

    fn binary(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(u32::try_from(triangles.len()).unwrap().to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            for c in triangle.as_flattened() {
                bytes.extend(c.to_le_bytes());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    const SQUARE: [[[f32; 3]; 3]; 2] = [
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
        [[-0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
    ];

    #[test]
    fn binary_corners_are_welded_whatever_the_header_says() {
        for header in [&b"made by me"[..], b"solid facet normal", b"solid"] {
            let raw = parse(&binary(header, &SQUARE)).unwrap();
            assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3]]);
            assert_eq!(raw.vertices_welded, 2);
        }
    }

    #[test]
    fn bytes_may_follow_but_not_lack() {
        let mut bytes = binary(b"x", &SQUARE);
        bytes.extend(b"more");
        assert!(parse(&bytes).unwrap().notes[0].starts_with("4 bytes follow the 2 triangles"));
        let error = parse(&bytes[..180]).err().unwrap().to_string();
        assert!(error.contains("2 triangles of 50 bytes, of which 1 are there"), "{error}");
        bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(matches!(parse(&bytes), Err(ImportError::Truncated { .. })));
        assert!(matches!(parse(b""), Err(ImportError::Truncated { .. })));
    }

    #[test]
    fn a_facet_is_never_lost_by_welding() {
        let raw = parse(&binary(b"", &[[[1.0; 3], [1.0; 3], [1.0; 3]], SQUARE[0]])).unwrap();
        assert_eq!(raw.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert!(raw.notes[0].starts_with("1 facets have two corners at one place"));
    }

    const TEXT: &str = "solid a name\n facet normal nan nan nan\n  outer loop\n   vertex 0.1 0 0\n   vertex 1 0 0\n   \
                        vertex 1 1e0 0\n  endloop\n endfacet\nendsolid a name\n";

    #[test]
    fn text_keeps_all_digits_and_any_case_and_any_number_of_solids() {
        let raw = parse(format!("{TEXT}{}", TEXT.to_uppercase()).as_bytes()).unwrap();
        assert_eq!(raw.positions[0].x, 0.1);
        assert_eq!(raw.triangles, [[0, 1, 2], [0, 1, 2]]);
        assert_eq!(raw.notes, ["2 solids became one mesh"]);
    }

    #[test]
    fn errors_in_text_name_the_line() {
        for (from, to, expected) in [
            ("vertex 1 0 0", "vertex 1 x 0", "line 5: found \"x\", expected a coordinate"),
            ("vertex 1 0 0", "vertex 1 inf 0", "line 5: a coordinate is inf"),
            ("endloop", "vertex 1 2 3", "line 7: found \"vertex\", expected \"endloop\""),
            (" facet", " fa\u{e7}et", "line 2: found \"fa\\xc3\\xa7et\", expected \"facet\" or \"endsolid\""),
            ("endsolid a name\n", "", "the file ends here, expected \"facet\" or \"endsolid\""),
        ] {
            let error = parse(TEXT.replacen(from, to, 1).as_bytes());
            let error = error.map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

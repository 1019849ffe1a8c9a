//! Wavefront OBJ: vertices `v`, faces `f`, groups `g`, `o` and `usemtl`, texture coordinates `vt`; everything else is
//! counted or skipped.
//!
//! Source: Wavefront, *Advanced Visualizer Manual*, appendix B1 "Object Files" (1992). All objects and groups of a file
//! become one mesh, with the positions in the order of the file: that is the order that pins and caches refer to. The
//! crate `tobj` was not used because it opens a mesh per object and material, each with vertices renumbered in the
//! order of their use and unused ones dropped, and its errors do not give the line.

mod groups;
mod texture;

use std::borrow::Cow;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::location::Location;
use crate::quote::quote;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;
use crate::text::{Lines, next_coordinate, number, words};

use groups::Groups;
use texture::Texture;

/// Reads an OBJ file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut reader = Reader {
        source,
        raw: RawMesh::new(source),
        corners: Vec::new(),
        groups: Groups::default(),
        colours: Vec::new(),
        texture: Texture::default(),
        farthest: None,
        unknown: None,
    };
    let mut lines = Lines::new(source.bytes);
    while let Some((line, text)) = lines.next() {
        reader.statement(line, &joined(text, &mut lines))?;
    }
    reader.finish()
}

/// A line with those that continue it: a backslash at the end joins the next one.
fn joined<'a>(text: &'a [u8], lines: &mut Lines<'a>) -> Cow<'a, [u8]> {
    let open = |line: &'a [u8]| line.trim_ascii_end().strip_suffix(b"\\");
    let Some(first) = open(text) else { return Cow::Borrowed(text) };
    let mut whole = first.to_vec();
    for (_, next) in lines {
        whole.push(b' ');
        match open(next) {
            Some(more) => whole.extend_from_slice(more),
            None => {
                whole.extend_from_slice(next);
                break;
            }
        }
    }
    Cow::Owned(whole)
}

struct Reader<'s> {
    source: &'s Source<'s>,
    raw: RawMesh,
    corners: Vec<u32>,
    groups: Groups,
    /// The colours of vertices, NaN where there are none; no longer than to the last vertex that has one.
    colours: Vec<f64>,
    texture: Texture,
    /// The highest vertex number that did not exist yet where it was used, and its line. Judged at the end: a face
    /// may stand before its vertices.
    farthest: Option<(i64, usize)>,
    /// How many lines begin with a word that the format does not have, and the first of them.
    unknown: Option<(usize, usize, String)>,
}

impl Reader<'_> {
    fn statement(&mut self, line: usize, text: &[u8]) -> Result<(), ImportError> {
        let mut words = words(text).take_while(|word| !word.starts_with(b"#"));
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" => {
                let x = next_coordinate(self.source, line, &mut words)?;
                let y = next_coordinate(self.source, line, &mut words)?;
                let z = next_coordinate(self.source, line, &mut words)?;
                // A weight or a colour may follow.
                if self.raw.attributes.is_some() {
                    self.colour(line, words)?;
                }
                self.raw.positions.push(Vector3::new(x, y, z));
            }
            b"f" | b"fo" => self.face(line, words)?,
            b"g" | b"o" | b"usemtl" => self.groups.statement(&mut self.raw, keyword, words),
            b"vt" if self.raw.attributes.is_some() => self.texture.statement(self.source, line, words)?,
            b"vn" | b"vt" | b"vp" | b"s" | b"mg" | b"mtllib" | b"usemap" | b"maplib" | b"lod" | b"bevel"
            | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj" | b"cstype" | b"deg" | b"bmat"
            | b"step" | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech"
            | b"stech" => {}
            b"l" => self.raw.skip("line", 1),
            b"p" => self.raw.skip("point", 1),
            b"curv" | b"curv2" | b"surf" => self.raw.skip("free-form curve or surface", 1),
            b"call" | b"csh" => self.raw.skip("call of another file", 1),
            _ => {
                let (count, ..) = self.unknown.get_or_insert_with(|| (0, line, quote(keyword)));
                *count += 1;
            }
        }
        Ok(())
    }

    /// Three numbers or more behind a position are a colour, a single one is a weight.
    fn colour<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a [u8]>) -> Result<(), ImportError> {
        let words: Vec<&[u8]> = words.take(3).collect();
        if words.len() == 3 {
            self.colours.resize(3 * self.raw.positions.len(), f64::NAN);
            for word in words {
                let value = number(word).ok_or_else(|| {
                    self.source.parse_error(Place::Line(line), word, "a number of a colour")
                })?;
                self.colours.push(value);
            }
        }
        Ok(())
    }

    fn face<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a [u8]>) -> Result<(), ImportError> {
        self.corners.clear();
        for word in words {
            let corner = self.corner(line, word)?;
            // A number beyond the vertices is refused at the end, and no list grows for it.
            if self.raw.attributes.is_some() && (corner as usize) < self.most_vertices() {
                self.texture.corner(corner, word);
            }
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            self.raw.skip("face of fewer than three corners", 1);
            self.raw.end_cell();
            return Ok(());
        }
        self.raw.push_face(&self.corners);
        self.raw.end_cell();
        Ok(())
    }

    /// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative numbers count back from the latest vertex.
    fn corner(&mut self, line: usize, word: &[u8]) -> Result<u32, ImportError> {
        let place = Place::Line(line);
        let known = self.raw.positions.len();
        let vertex = word.split(|&b| b == b'/').next().unwrap_or_default();
        let given: i64 =
            number(vertex).ok_or_else(|| self.source.parse_error(place, word, "the number of a vertex"))?;
        let counted = i64::try_from(known).unwrap_or(i64::MAX);
        let from_one = if given < 0 { counted + 1 + given } else { given };
        if from_one < 1 {
            return Err(self.source.index_error(place, given, 1, known));
        }
        if from_one > counted && self.farthest.is_none_or(|(far, _)| from_one > far) {
            self.farthest = Some((from_one, line));
        }
        // A number beyond u32 is out of any range; `farthest` keeps its true value for the error.
        Ok(u32::try_from(from_one - 1).unwrap_or(u32::MAX))
    }

    /// No more vertices than this fit into the file: a statement takes eight bytes.
    fn most_vertices(&self) -> usize {
        self.source.bytes.len() / 8 + 1
    }

    fn finish(self) -> Result<RawMesh, ImportError> {
        let vertices = self.raw.positions.len();
        match self.farthest {
            Some((index, line)) if usize::try_from(index).is_ok_and(|index| index > vertices) => {
                Err(self.source.index_error(Place::Line(line), index, 1, vertices))
            }
            _ => {
                let mut raw = self.raw;
                if let Some(attributes) = &mut raw.attributes {
                    self.groups.finish(attributes);
                    self.texture.finish(self.source, vertices, attributes)?;
                    if !self.colours.is_empty() {
                        let (name, location) = ("colour".to_owned(), Location::Vertices);
                        let field =
                            RawField { name, location, components: 3, integer: false, values: self.colours };
                        attributes.add(self.source, 0, field)?;
                    }
                }
                if let Some((count, line, word)) = self.unknown {
                    raw.skip("line that is not an OBJ statement", count);
                    raw.notes.push(format!(
                        "the first line that is not an OBJ statement is line {line}, which begins with {word}"
                    ));
                }
                Ok(raw)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<RawMesh, ImportError> {
        read(&Source::of("a.obj", text.as_bytes()))
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn corners_may_carry_more_than_a_vertex() {
        for face in ["f 1 2 3", "f 1/4 2/4 3/4", "f 1//9 2//9 3//9", "f 1/1/1 2/2/2 3/3/3", "f 1// 2// 3//"] {
            let raw = parse(&format!("{SQUARE}{face} # and a comment\n")).unwrap();
            assert_eq!(raw.triangles, [[0, 1, 2]], "{face}");
        }
    }

    #[test]
    fn negative_numbers_count_back_from_the_latest_vertex() {
        let raw = parse(&format!("{SQUARE}f -4 -3 -2\nv 5 5 5\nf -1 1 2")).unwrap();
        assert_eq!(raw.triangles, [[0, 1, 2], [4, 0, 1]]);
        let error = parse(&format!("{SQUARE}f -5 1 2")).err().unwrap().to_string();
        assert_eq!(error, "a.obj, line 5: refers to vertex -5, but the vertices are numbered 1 to 4");
    }

    #[test]
    fn polygons_are_fanned_and_groups_are_one_mesh() {
        let raw = parse(&format!("o one\n{SQUARE}g a b\nf 1 2 3 4\no two\nusemtl m\nf 4 3 2")).unwrap();
        assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 1]]);
        assert_eq!(raw.polygon_count(), 1);
        assert_eq!(raw.positions.len(), 4);
    }

    #[test]
    fn lines_go_on_after_a_backslash_and_keep_their_numbers() {
        let raw = parse(&format!("{SQUARE}f 1 2 \\\r\n 3 \\\n4\nf 2 3 4 \\")).unwrap();
        assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3], [1, 2, 3]]);
        let error = parse("v 0 0 \\\n0\n\nf x").err().unwrap().to_string();
        assert_eq!(error, "a.obj, line 4: found \"x\", expected the number of a vertex");
    }

    #[test]
    fn a_file_of_nothing_but_open_lines_takes_no_time() {
        // Copying the joined text for every line would take minutes.
        let text = " \\\n".repeat(1_000_000);
        assert!(parse(&text).unwrap().positions.is_empty());
    }

    #[test]
    fn colours_and_weights_are_passed_over() {
        let raw = parse("v 1 2 3 0.5\nv 1e1 -2. +.3 1 0 0\nv 0 0 0 1 0 0 1\nf 1 2 3").unwrap();
        assert_eq!(raw.positions[1], Vector3::new(10.0, -2.0, 0.3));
    }

    #[test]
    fn faces_may_precede_their_vertices() {
        assert_eq!(parse(&format!("f 1 2 4\n{SQUARE}")).unwrap().triangles, [[0, 1, 3]]);
        let error = parse(&format!("f 1 2 4\nf 1 2 99999999999\n{SQUARE}")).err().unwrap().to_string();
        assert_eq!(
            error,
            "a.obj, line 2: refers to vertex 99999999999, but the vertices are numbered 1 to 4"
        );
    }

    #[test]
    fn what_makes_no_triangle_is_counted() {
        let raw = parse(&format!("{SQUARE}l 1 2\np 1\nf 1 2\nf 1 2 2\nfrob 1\ncurv 0 1 1 2")).unwrap();
        assert_eq!(raw.skipped.len(), 6);
        assert!(raw.triangles.is_empty());
    }

    #[test]
    fn bad_faces_and_vertices_name_their_line() {
        for (text, expected) in [
            ("f 0 1 2", "line 5: refers to vertex 0, but the vertices are numbered 1 to 4"),
            ("f 1 2 5", "line 5: refers to vertex 5, but the vertices are numbered 1 to 4"),
            ("v 1 2", "line 5: found nothing, expected a coordinate"),
            ("v 1 nan 2", "line 5: a coordinate is NaN"),
            ("v 1 1e999 2", "line 5: a coordinate is inf"),
            ("v 1 3.1+e2 2", "line 5: found \"3.1+e2\", expected a coordinate"),
        ] {
            let error = parse(&format!("{SQUARE}{text}\n")).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

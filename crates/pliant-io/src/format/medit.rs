//! MEDIT `.mesh`: sections of a keyword, a count and so many rows.
//!
//! Source: P. Frey, *MEDIT: an interactive mesh visualization software*, INRIA RT-0253 (2001), appendix;
//! written by Gmsh, Mmg, TetGen, fTetWild. Vertices are counted from 1, and every row ends with a reference
//! number, which is the attribute `medit:ref`; elements of one section and one reference other than 0 are a
//! group, such as `Triangles 3`.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::format::cells::{CellType, Cells, Kind};
use crate::format::tokens::Tokens;
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;
use crate::text::number;

/// The keyword that a file begins with.
pub(crate) const MAGIC: &[u8] = b"MeshVersionFormatted";

/// The kind of cell of a section, with the number of vertices.
fn section(keyword: &[u8]) -> Option<(Kind, usize)> {
    Some(match keyword {
        b"Corners" | b"RequiredVertices" => (Kind::straight(CellType::Other("marked vertex")), 1),
        b"Edges" => (Kind::straight(CellType::Other("line")), 2),
        b"EdgesP2" => (Kind::straight(CellType::Other("line")), 3),
        b"Triangles" => (Kind::straight(CellType::Triangle), 3),
        b"TrianglesP2" => (Kind::curved(CellType::Triangle, Some(6)), 6),
        b"Quadrilaterals" => (Kind::straight(CellType::Quad), 4),
        b"QuadrilateralsQ2" => (Kind::curved(CellType::Quad, Some(9)), 9),
        b"Tetrahedra" => (Kind::straight(CellType::Tet), 4),
        b"TetrahedraP2" => (Kind::curved(CellType::Tet, Some(10)), 10),
        b"Hexahedra" | b"Hexaedra" => (Kind::straight(CellType::Hexahedron), 8),
        b"HexahedraQ2" => (Kind::curved(CellType::Hexahedron, Some(27)), 27),
        b"Prisms" | b"Pentahedra" => (Kind::straight(CellType::Wedge), 6),
        b"Pyramids" => (Kind::straight(CellType::Pyramid), 5),
        _ => return None,
    })
}

/// Reads a MEDIT file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut tokens = Tokens::new(*source);
    let first = tokens.next().unwrap_or_default();
    if first != MAGIC {
        let place = tokens.place();
        return Err(if source.bytes.starts_with(&[1, 0, 0, 0]) || source.bytes.starts_with(&[0, 0, 0, 1]) {
            source.unsupported("a binary MEDIT file (.meshb)", "save it as text (.mesh)")
        } else {
            source.parse_error(place, first, "\"MeshVersionFormatted\" of a MEDIT file")
        });
    }
    let version: u32 = tokens.number("the version, 1 to 4")?;
    if !(1..=4).contains(&version) {
        let place = tokens.place();
        return Err(source.parse_error(place, version.to_string().as_bytes(), "the version, 1 to 4"));
    }
    let mut cells = Cells::new(*source);
    let mut vertices = None;
    let mut marks = Marks::default();
    while let Some(keyword) = tokens.next() {
        match keyword {
            b"End" => break,
            b"Dimension" => {
                let dimension: u32 = tokens.number("the dimension 3")?;
                if dimension != 3 {
                    return Err(source.unsupported(
                        format!("a mesh of {dimension} dimensions"),
                        "export it in three dimensions",
                    ));
                }
            }
            b"Vertices" if vertices.is_none() => {
                let count: usize = tokens.number("the number of vertices")?;
                for _ in 0..count {
                    let what = "a coordinate";
                    let position =
                        Vector3::new(tokens.finite(what)?, tokens.finite(what)?, tokens.finite(what)?);
                    let reference = tokens.number::<f64>("the reference of a vertex")?;
                    if source.attributes {
                        marks.vertices.push(reference);
                    }
                    cells.raw.positions.push(position);
                }
                vertices = Some(count);
            }
            b"Vertices" => {
                return Err(source.parse_error(tokens.place(), keyword, "one section of vertices only"));
            }
            _ => match section(keyword) {
                Some((kind, own)) => {
                    let Some(vertices) = vertices else {
                        let expected = "the vertices before the elements";
                        return Err(source.parse_error(tokens.place(), keyword, expected));
                    };
                    marks.keyword = String::from_utf8_lossy(keyword).into_owned();
                    marks.labels.clear();
                    elements(source, &mut tokens, (&mut cells, &mut marks), vertices, kind, own)?;
                }
                None => other(source, &mut tokens, &mut cells, keyword)?,
            },
        }
    }
    let mut raw = cells.finish();
    if let Some(attributes) = &mut raw.attributes {
        for (location, values) in [(Location::Vertices, marks.vertices), (Location::Elements, marks.cells)] {
            if values.iter().any(|&reference| reference != 0.0) {
                let whole = values.iter().all(|value| value.fract() == 0.0);
                attributes.add(source, 0, RawField::scalars("medit:ref", location, whole, values))?;
            }
        }
    }
    Ok(raw)
}

/// The references of vertices and cells, recorded if attributes are wanted.
#[derive(Default)]
struct Marks {
    vertices: Vec<f64>,
    cells: Vec<f64>,
    /// The current section.
    keyword: String,
    /// The label of each reference in it, by its bits.
    labels: BTreeMap<Option<u64>, u32>,
}

impl Marks {
    /// The next cell has this reference; marked vertices have none.
    fn cell(&mut self, raw: &mut RawMesh, reference: Option<f64>) {
        let Some(attributes) = &mut raw.attributes else { return };
        self.cells.push(reference.unwrap_or(0.0));
        if reference == Some(0.0) {
            attributes.label = 0;
            return;
        }
        attributes.label = *self.labels.entry(reference.map(f64::to_bits)).or_insert_with(|| {
            let name = match reference {
                Some(reference) => format!("{} {reference}", self.keyword),
                None => self.keyword.clone(),
            };
            let group = attributes.group(&name);
            attributes.new_label(vec![group])
        });
    }
}

fn elements(
    source: &Source<'_>,
    tokens: &mut Tokens<'_>,
    (cells, marks): (&mut Cells<'_>, &mut Marks),
    vertices: usize,
    kind: Kind,
    own: usize,
) -> Result<(), ImportError> {
    let count: usize = tokens.number("the number of elements")?;
    let marked = matches!(kind.cell_type, CellType::Other("marked vertex"));
    let mut corners = [0_u32; 27];
    for _ in 0..count {
        for corner in &mut corners[..own] {
            let index: i64 = tokens.number("the number of a vertex")?;
            *corner = match u32::try_from(index.wrapping_sub(1)) {
                Ok(corner) if (corner as usize) < vertices => corner,
                _ => return Err(source.index_error(tokens.place(), index, 1, vertices)),
            };
        }
        let reference = match marked {
            true => None,
            false => Some(tokens.number::<f64>("the reference of an element")?),
        };
        marks.cell(&mut cells.raw, reference);
        let place = tokens.place();
        cells.push(kind, &corners[..own], |v| i64::from(v) + 1, || place)?;
    }
    Ok(())
}

/// Skips a section that is not read: a count and rows of numbers up to the next keyword.
fn other(
    source: &Source<'_>,
    tokens: &mut Tokens<'_>,
    cells: &mut Cells<'_>,
    keyword: &[u8],
) -> Result<(), ImportError> {
    // How many numbers a row has; those of the sections that programs write beside the mesh.
    let row = match keyword {
        b"Ridges"
        | b"RequiredEdges"
        | b"RequiredTriangles"
        | b"RequiredTetrahedra"
        | b"RequiredQuadrilaterals"
        | b"ParallelVertices"
        | b"ParallelTriangles" => 1,
        b"NormalAtVertices" | b"TangentAtVertices" | b"NormalAtTriangleVertices" => 2,
        b"Normals" | b"Tangents" => 3,
        _ => {
            let expected = "a section of a MEDIT file, such as Vertices or Tetrahedra";
            return Err(source.parse_error(tokens.place(), keyword, expected));
        }
    };
    let row = if keyword == b"NormalAtTriangleVertices" { 3 } else { row };
    let count: usize = tokens.number("the number of rows")?;
    for _ in 0..count {
        for _ in 0..row {
            let word = tokens.next().unwrap_or_default();
            if number::<f64>(word).is_none() {
                return Err(source.parse_error(tokens.place(), word, "a number"));
            }
        }
    }
    cells.raw.skip(&format!("row of {}", keyword.escape_ascii()), count);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Format, Mesh, read_mesh_bytes};

    const TEXT: &str = "MeshVersionFormatted 2\nDimension\n3\n# c\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 2\n0 0 1 2\n1 1 1 0\n\
                        Corners 1\n2\nRidges\n1\n1\nTriangles\n1\n1 2 3 7\nTetrahedra\n2\n1 2 3 4 5\n2 3 4 5 5\nEnd\n";

    #[test]
    fn sections_are_read() {
        let imported = read_mesh_bytes(Format::Medit, TEXT.as_bytes(), "a.mesh").unwrap();
        let Mesh::Tet(mesh) = &imported.mesh else { panic!("{imported:?}") };
        assert_eq!(mesh.tets(), [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!((imported.report.triangles, imported.report.skipped["row of Ridges"]), (1, 1));
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, expected) in [
            (
                "1 2 3 4 5\n",
                "1 2 3 6 5\n",
                "a.mesh, line 21: refers to vertex 6, but the vertices are numbered 1 to 5",
            ),
            ("1 1 1 0", "1 nan 1 0", "line 10: a coordinate is NaN"),
            ("Vertices 5", "Vertices 6", "found \"Corners\", expected a coordinate"),
            ("Triangles\n", "Trinagles\n", "found \"Trinagles\", expected a section"),
            ("Vertices", "Triangles", "expected the vertices before"),
            ("\n2 3 4 5 5\nEnd\n", "\n2 3", "the file ends here"),
            ("Dimension\n3", "Dimension\n2", "a mesh of 2 dimensions"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            let error = read_mesh_bytes(Format::Medit, text.as_bytes(), "a.mesh").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

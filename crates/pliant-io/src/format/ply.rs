//! PLY, the polygon file format of Stanford: text or binary of either byte order.
//!
//! Source: Greg Turk, *The PLY Polygon File Format* (1994). The header declares elements with properties of any number
//! type; read here are `x`, `y`, `z` of the vertices, the index list of the faces and that of triangle strips (−1
//! begins a new strip), and as attributes all other properties of these that are no lists. The crate `ply-rs-bw` was not used since it allocates a list for each face, asks for properties
//! by name in each element, and takes a header's word for the number of elements without properties, which costs a file
//! nothing.

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::raw::RawMesh;
use crate::source::Source;

use columns::Columns;
use header::{Element, Encoding, Header, Property, Scalar};

mod binary;
mod columns;
mod header;
mod text;

/// Reads a PLY file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let header = header::read(source)?;
    let mut builder = Builder::new(source, &header)?;
    match header.encoding {
        Encoding::Text => text::read(source, &header, &mut builder)?,
        Encoding::Little => binary::read::<binary::Little>(source, &header, &mut builder)?,
        Encoding::Big => binary::read::<binary::Big>(source, &header, &mut builder)?,
    }
    Ok(builder.finish())
}

/// What an element is read for.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// A vertex; which of its properties are x, y and z.
    Vertex([usize; 3]),
    /// A polygon; which of its properties is the list of vertices.
    Face(usize),
    /// Strips of triangles; which of the properties is the list of vertices.
    Strips(usize),
    /// Nothing.
    Other,
}

impl Role {
    fn of(source: &Source<'_>, element: &Element<'_>) -> Result<Self, ImportError> {
        let find = |names: &[&str], list: bool| {
            let is_wanted =
                |p: &Property<'_>| p.list.is_some() == list && names.iter().any(|n| n.as_bytes() == p.name);
            element.properties.iter().position(is_wanted).ok_or_else(|| {
                let kind = if list { "list property" } else { "property" };
                source.parse_error(
                    Place::Line(element.line),
                    &[b"element ", element.name].concat(),
                    format!("a {kind} named {} below it", names.join(" or ")),
                )
            })
        };
        match element.name {
            b"vertex" => Ok(Self::Vertex([find(&["x"], false)?, find(&["y"], false)?, find(&["z"], false)?])),
            b"face" | b"tristrips" if element.count == 0 => Ok(Self::Other),
            b"face" => Ok(Self::Face(find(&["vertex_indices", "vertex_index"], true)?)),
            b"tristrips" => Ok(Self::Strips(find(&["vertex_indices", "vertex_index"], true)?)),
            _ => Ok(Self::Other),
        }
    }
}

/// Makes the arrays of what the two ways of reading find.
struct Builder<'s> {
    source: &'s Source<'s>,
    vertices: usize,
    raw: RawMesh,
    columns: Columns,
    corners: Vec<u32>,
    strips: usize,
    joins: usize,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source<'s>, header: &Header<'_>) -> Result<Self, ImportError> {
        let vertices = header.elements.iter().find(|e| e.name == b"vertex").map_or(0, |e| e.count);
        if u32::try_from(vertices).is_err() {
            return Err(ImportError::TooLarge {
                file: source.name.to_owned(),
                what: "vertices",
                count: vertices as u64,
                limit: u64::from(u32::MAX),
            });
        }
        let (raw, columns) = (RawMesh::new(source), Columns::default());
        Ok(Self { source, vertices, raw, columns, corners: Vec::new(), strips: 0, joins: 0 })
    }

    /// Elements of a kind begin.
    fn begin(&mut self, element: &Element<'_>, role: Role) {
        self.columns.begin(&mut self.raw, element, role);
    }

    /// Elements of a kind are complete.
    fn end(&mut self) -> Result<(), ImportError> {
        self.columns.end(self.source, &mut self.raw)
    }

    fn vertex(&mut self, place: impl Fn() -> Place, position: Vector3<f64>) -> Result<(), ImportError> {
        if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
            return Err(self.source.non_finite(place(), value));
        }
        self.raw.positions.push(position);
        Ok(())
    }

    /// A corner of the polygon or strip under way. `index` is −1 at the joints of strips.
    fn corner(&mut self, place: impl Fn() -> Place, role: Role, index: i64) -> Result<(), ImportError> {
        match u32::try_from(index) {
            Ok(corner) if (corner as usize) < self.vertices => self.corners.push(corner),
            Err(_) if index == -1 && matches!(role, Role::Strips(_)) => self.end_strip(),
            _ => return Err(self.source.index_error(place(), index, 0, self.vertices)),
        }
        Ok(())
    }

    /// The polygon or strip under way is complete.
    fn end_list(&mut self, role: Role) {
        match role {
            Role::Strips(_) => self.end_strip(),
            _ if self.corners.len() < 3 => self.raw.skip("face of fewer than three corners", 1),
            _ => self.raw.push_face(&self.corners),
        }
        self.corners.clear();
        self.raw.end_cell();
    }

    /// The triangles of a strip turn about: every other one has its first two corners exchanged. Those that name a
    /// vertex twice only join pieces.
    fn end_strip(&mut self) {
        for (i, corners) in self.corners.windows(3).enumerate() {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            if a == b || b == c || c == a {
                self.joins += 1;
            } else {
                self.raw.triangles.push(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
            }
        }
        self.strips += usize::from(!self.corners.is_empty());
        self.corners.clear();
    }

    fn finish(mut self) -> RawMesh {
        if self.strips > 0 {
            self.raw.notes.push(format!("{} triangle strips were split into triangles", self.strips));
        }
        if self.joins > 0 {
            self.raw.notes.push(format!(
                "{} triangles of strips only join pieces (a vertex twice) and were left out",
                self.joins
            ));
        }
        self.raw
    }
}

#[cfg(test)]
mod tests;
